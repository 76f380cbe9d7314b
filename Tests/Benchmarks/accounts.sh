# Part of run.sh: what accounts cost. It uses run.sh's `row`, `calc`, `benchmarks`, `market`, `config` and `work`.

"$benchmarks" signing "$config" >"$work/signing"
hmac=$work/signing.hmac
grep -v '^ed25519 ' "$work/signing" >"$hmac"
IFS=$'\t' read -r slowest signing < <(sort -t $'\t' -k 2 -g "$hmac" | tail -1)
row "signing one request by HMAC, the slowest of $(wc -l <"$hmac") exchanges ($slowest)" "$signing" µs - "" "$signing" "<=" 20
# The key's other half is worked out of it first, which takes as long again as the signature.
curve=$(awk -F '\t' '/^ed25519 / { print $2 }' "$work/signing")
theirs=$(openssl speed -seconds 1 ed25519 2>/dev/null | awk '/Ed25519/ { print 1e6 / $(NF - 1) }')
[ -n "$theirs" ] && row "signing one request by Ed25519" "$curve" µs "openssl speed" "$theirs" "$(calc "$curve / $theirs")" "<=" 3

python3 Tests/Benchmarks/accounts.py "$market" >"$work/accounts"
account() { awk -F '\t' -v name="$1" '$1 == name { print $2 }' "$work/accounts"; }
row "\`balances\`, 12 accounts that answer after 10 to 65 ms" "$(account balances)" ms "the slowest answer" \
  "$(account slowest)" "$(calc "$(account balances) / $(account slowest)")" "<=" 1.6
