# Part of run.sh: what accounts cost. It uses run.sh's `row`, `calc`, `benchmarks`, `market`, `config` and `work`.

"$benchmarks" signing "$config" >"$work/signing"
read -r slowest signing < <(sort -t "$(printf '\t')" -k 2 -g "$work/signing" | tail -1)
row "signing one request: the slowest of $(wc -l <"$work/signing"), $slowest" "$signing" µs - "" "$signing" "<=" 20

python3 Tests/Benchmarks/accounts.py "$market" >"$work/accounts"
account() { awk -F '\t' -v name="$1" '$1 == name { print $2 }' "$work/accounts"; }
row "\`balances\`, 12 accounts that answer after 10 to 65 ms" "$(account balances)" ms "the slowest answer" \
  "$(account slowest)" "$(calc "$(account balances) / $(account slowest)")" "<=" 1.6
