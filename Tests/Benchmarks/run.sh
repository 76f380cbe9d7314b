#!/usr/bin/env bash
# Measures the release binary against the tools that it is held against, and prints one table. Takes some three minutes.
#
#   MARKET=path/of/market RELEASE="options of swift build" Tests/Benchmarks/run.sh
#
# With MARKET_SOAK=1 ten minutes more, to see whether memory grows.
#
# Everything stays on this machine: the servers listen on 127.0.0.1, and each is asked a bounded number of times.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
exec </dev/null

swift=${SWIFT:-swift}
# Those of the Makefile, so that the binary that is measured is the one that is installed.
read -r -a options <<<"${RELEASE:--c release}"
export MARKET_BENCHMARKS=1

missing=()
for tool in jq hyperfine curl nginx g++; do command -v "$tool" >/dev/null || missing+=("$tool"); done
[ -e /usr/include/simdjson.h ] || missing+=(libsimdjson-dev)
if [ ${#missing[@]} -gt 0 ] && command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
  apt-get update -qq >&2
  # nginx must not begin to serve by itself.
  DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
elif [ ${#missing[@]} -gt 0 ]; then
  echo "bench: install these first: ${missing[*]}" >&2
  exit 1
fi
# The rows of streams want PyPI's websockets, and the comparison of one of them ccxt.
.ci/servers
.ci/ccxt

"$swift" build "${options[@]}" --product market >&2
"$swift" build "${options[@]}" --product benchmarks >&2
bin=$("$swift" build "${options[@]}" --show-bin-path)
benchmarks=$bin/benchmarks

work=$(mktemp -d)
server=
cleanup() {
  if [ -n "$server" ]; then kill "$server" 2>/dev/null && wait "$server" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap cleanup EXIT
# As `make install` leaves it. Of a file that the linker has written piece by piece the system keeps small pages, and every
# command takes up to a millisecond longer than with a copy; and a config that ships beside the program may ask for secrets
# of any name, while the names in one that a user names are compared first.
built=${MARKET:-$bin/market}
market=$work/installed/bin/market
config=exchanges.json
mkdir -p "$work/installed/bin" "$work/installed/share/market"
cp "$built" "$market"
cp "$config" "$work/installed/share/market"
export XDG_CONFIG_HOME=$work/nothing

"$benchmarks" generate 3400 >"$work/body.json"
"$benchmarks" generate 27200 >"$work/body8.json"
# 1.5 MB
"$benchmarks" generate 2720 >"$work/server.json"
read_table=("$market" tickers Binance -m spot --response)

# Prints the median of each command in milliseconds, one a line; all in one run, so that they meet the same machine.
medians() {
  hyperfine -N --warmup 5 --runs 40 --style none --export-json "$work/times.json" "$@" >/dev/null 2>&1
  jq -r '.results[].median * 1000' "$work/times.json"
}

rows=$work/rows
: >"$rows"
# what, ours, unit, rival's name, rival's, target, and whether the ratio must be at least or at most that
row() {
  local what=$1 ours=$2 unit=$3 rival=$4 theirs=$5 ratio=$6 sense=$7 target=$8
  awk -v what="$what" -v ours="$ours" -v unit="$unit" -v rival="$rival" -v theirs="$theirs" -v ratio="$ratio" \
    -v sense="$sense" -v target="$target" 'BEGIN {
      met = sense == ">=" ? ratio >= target : ratio <= target
      printf "| %s | %.2f %s | %s | %.2f | %s %s | %s |\n", what, ours, unit,
        (theirs == "" ? rival : sprintf("%s %.2f %s", rival, theirs, unit)), ratio, sense, target, (met ? "yes" : "no")
    }' >>"$rows"
}
calc() { awk "BEGIN { print $* }"; }

# 1. Whole processes against jq, and how the time grows.
fields='.[] | [.symbol, .lastPrice, .priceChangePercent, .volume, .quoteVolume]'
{
  read -r start; read -r jq_start; read -r jq_time; read -r table; read -r json; read -r csv; read -r table8
} < <(medians "$market --version" "jq --version" "jq -c '$fields' $work/body.json" \
  "${read_table[*]} $work/body.json -f data-from-asset" "${read_table[*]} $work/body.json -f json" \
  "${read_table[*]} $work/body.json -f csv" "${read_table[*]} $work/body8.json -f data-from-asset" | tr '\n' '\n')
row "start: \`market --version\`" "$start" ms "-" "" "$start" "<=" 6
row "3,400 rows, whole process" "$table" ms jq "$jq_time" "$(calc "$jq_time / $table")" ">=" 8
row "3,400 rows, after the start" "$(calc "$table - $start")" ms jq "$(calc "$jq_time - $jq_start")" \
  "$(calc "($jq_time - $jq_start) / ($table - $start)")" ">=" 15
row "3,400 rows as full JSON, after the start" "$(calc "$json - $start")" ms jq "$(calc "$jq_time - $jq_start")" \
  "$(calc "($jq_time - $jq_start) / ($json - $start)")" ">=" 4
row "3,400 rows as CSV, after the start" "$(calc "$csv - $start")" ms jq "$(calc "$jq_time - $jq_start")" \
  "$(calc "($jq_time - $jq_start) / ($csv - $start)")" ">=" 4
row "27,200 rows against 3,400, after the start" "$(calc "$table8 - $start")" ms "3,400 rows" \
  "$(calc "$table - $start")" "$(calc "($table8 - $start) / ($table - $start)")" "<=" 9

# 2. In one process, one core.
g++ -O3 -std=c++17 Tests/Benchmarks/simdjson.cpp -o "$work/simdjson" -lsimdjson
"$work/simdjson" "$work/body.json" >"$work/simdjson.times"
simdjson=$(awk -F '\t' '$1 == "texts" { print $2 }' "$work/simdjson.times")
simdjson_numbers=$(awk -F '\t' '$1 == "numbers" { print $2 }' "$work/simdjson.times")
"$benchmarks" pieces "$config" "$work/body.json" >"$work/pieces"
piece() { awk -F '\t' -v name="$1" '$1 == name { print $2 }' "$work/pieces"; }
row "bytes to table: 10 fields, exact, checked" "$(piece interpretation)" ms "simdjson, 4 numbers and a text" \
  "$simdjson_numbers" "$(calc "$simdjson_numbers / $(piece interpretation)")" ">=" 0.3
row "the same" "$(piece interpretation)" ms "simdjson, 5 texts unread" "$simdjson" \
  "$(calc "$simdjson / $(piece interpretation)")" ">=" 0.1
row "strict scan alone" "$(piece scan)" ms simdjson "$simdjson" "$(calc "$simdjson / $(piece scan)")" ">=" 0.2
row "document (tree)" "$(piece document)" ms - "" "$(piece document)" "<=" 5
row "one decimal" "$(calc "$(piece decimals) * 1e6 / $(piece rows)")" ns - "" \
  "$(calc "$(piece decimals) * 1e6 / $(piece rows)")" "<=" 20
row "all checks of a clean row" "$(calc "$(piece 'meaning checks') * 1e6 / $(piece rows)")" ns - "" \
  "$(calc "$(piece 'meaning checks') * 1e6 / $(piece rows)")" "<=" 200
row "a decision on USD/KRW at night" "$(piece 'thousand route decisions')" µs - "" \
  "$(piece 'thousand route decisions')" "<=" 5
row "a key of the filter over 5,000 pairs, the slowest of 14" "$(piece 'filter key')" ms - "" "$(piece 'filter key')" "<=" 5
row "a key of a filter by figures over 5,000 pairs" "$(piece 'figure filter key')" ms - "" \
  "$(piece 'figure filter key')" "<=" 50
row "a move of the cursor below it" "$(piece 'figure filter move')" ms - "" "$(piece 'figure filter move')" "<=" 5
row "removing secrets from an answer of 2 MB" "$(piece redaction)" ms - "" "$(piece redaction)" "<=" 20
row "config: read and compile every exchange" "$(piece config)" ms - "" "$(piece config)" "<=" 10
row "config: read it, compile one exchange" "$(piece 'config of one exchange')" ms - "" "$(piece 'config of one exchange')" "<=" 3

# What is asked about one pair: 1,000 candles, 1,000 trades, a book of 5,000 levels a side.
for pair in "candles 1000" "trades 1000" "book 5000"; do
  read -r kind count <<<"$pair"
  "$benchmarks" body "$kind" "$count" >"$work/$kind.json"
done
"$benchmarks" pairs "$config" "$work" >"$work/pairs"
for pair in "candles 1,000 candles" "trades 1,000 trades" "book a book of 2 x 5,000 levels"; do
  read -r kind name <<<"$pair"
  ours=$(awk -F '\t' -v name="$kind" '$1 == name { print $2 }' "$work/pairs")
  theirs=$("$work/simdjson" "$kind" "$work/$kind.json")
  row "$name: exact, in order" "$ours" ms "simdjson, doubles" "$theirs" "$(calc "$theirs / $ours")" ">=" 0.25
done

# A hundred pages of candles, which are kept, and their bodies are not.
"$benchmarks" pages "$config" >"$work/pages"
page() { awk -F '\t' -v name="$1" '$1 == name { print $2 }' "$work/pages"; }
row "100 pages of 1,000 candles against 10" "$(page 'hundred pages')" ms "10 pages" "$(page 'ten pages')" \
  "$(calc "$(page 'hundred pages') / $(page 'ten pages')")" "<=" 11
row "what each candle adds from page 10 to page 100" "$(page 'bytes a candle')" B - "" "$(page 'bytes a candle')" \
  "<=" 600

# Messages of streams: thousands a second of one core.
"$benchmarks" streams "$config" >"$work/streams"
"$benchmarks" stream-text "$config" >"$work/messages.txt"
stream() { awk -F '\t' -v name="$1" '$1 == name { print $2 }' "$work/streams"; }
theirs=$("$work/simdjson" messages "$work/messages.txt")
row "tickers of a stream, read and laid over their rows" "$(stream stream-ticker)" k/s "simdjson, doubles" "$theirs" \
  "$(calc "$(stream stream-ticker) / $theirs")" ">=" 0.25
row "the same" "$(stream stream-ticker)" k/s - "" "$(stream stream-ticker)" ">=" 500
row "changes of 20 levels of a book" "$(stream stream-book)" k/s - "" "$(stream stream-book)" ">=" 300
theirs=$(python3 Tests/Benchmarks/streams.py ccxt "$work/messages.txt" | cut -f 2)
if [ -n "$theirs" ]; then
  row "tickers of a stream" "$(stream stream-ticker)" k/s ccxt.pro "$theirs" \
    "$(calc "$(stream stream-ticker) / $theirs")" ">=" 100
fi
python3 Tests/Benchmarks/streams.py live "$market" >"$work/live"
live() { awk -F '\t' -v name="$1" '$1 == name { print $2 }' "$work/live"; }
if [ -s "$work/live" ]; then
  row "\`stream\`: 36 connections, $(live 'events a second') messages a second" "$(live 'cpu percent')" "% of a core" - "" \
    "$(live 'cpu percent')" "<=" 20
  row "\`stream\`: from the exchange's send to our line, median" "$(live 'median delay in ms')" ms - "" \
    "$(live 'median delay in ms')" "<=" 1
fi

# The living screen, nine pairs on 36 exchanges.
python3 Tests/Benchmarks/watch.py figures "$market" >"$work/watch"
watch() { awk -F '\t' -v name="$1" '$1 == name { print $2 }' "$work/watch"; }
row "\`watch\`: first frame" "$(watch 'first frame')" ms - "" "$(watch 'first frame')" "<=" 50
row "\`watch\`: 36 exchanges down" "$(watch 'down cpu')" "% of a core" - "" "$(watch 'down cpu')" "<=" 1
row "what it writes then" "$(watch 'down bytes')" B/s - "" "$(watch 'down bytes')" "<=" 60
row "\`watch\`: 36 exchanges asked once a second" "$(watch 'asked cpu')" "% of a core" - "" "$(watch 'asked cpu')" "<=" 5
row "what it writes then" "$(watch 'asked bytes')" B/s - "" "$(watch 'asked bytes')" "<=" 1500
if [ -n "$(watch 'streamed cpu')" ]; then
  row "\`watch\`: 36 connections, 2,000 messages a second" "$(watch 'streamed cpu')" "% of a core" - "" \
    "$(watch 'streamed cpu')" "<=" 25
fi
if [ -n "${MARKET_SOAK:-}" ]; then
  python3 Tests/Benchmarks/watch.py soak "$market" >"$work/soak"
  for name in watch stream; do
    growth=$(awk -F '\t' -v name="$name growth" '$1 == name { print $2 }' "$work/soak")
    row "\`$name\` for ten minutes: memory at the end against minute 1" "$growth" x - "" "$growth" "<=" 1.02
  done
fi

# Signatures, and the balances of twelve accounts.
. Tests/Benchmarks/accounts.sh

# A picture and a page of CSV from a recording.
mkdir "$work/recording"
jq -n '{url: "https://api.binance.com/api/v3/klines?symbol=BTCUSDT&interval=1m&startTime=FROM&endTime=TO&limit=1000",
  arrival: "2026-09-22T06:52:30Z", body: "01-candles.body"}' >"$work/recording/01-candles-1m-BTC-USDT.json"
cp "$work/candles.json" "$work/recording/01-candles.body"
pair=("$market" candles BTC USDT -e binance -i 1m -n 999 -f csv --replay "$work/recording")
chart=("$market" chart BTC USDT -e binance -i 1m -n 150 --replay "$work/recording")
if [ "$("${pair[@]}" 2>/dev/null | wc -l)" -lt 900 ]; then echo "bench: too few candles from the recording" >&2; fi
# The start as it is in the same minute: what ran before has left its traces.
{ read -r begun; read -r paged; read -r drawn; } < <(medians "$market --version" "${pair[*]}" "${chart[*]}")
row "1,000 candles as CSV, after the start" "$(calc "$paged - $begun")" ms - "" "$(calc "$paged - $begun")" "<=" 3
row "\`chart\` from a recording, whole process" "$drawn" ms - "" "$drawn" "<=" 20

# 3. Twelve servers at once.
port=${BENCH_PORT:-18700}
mkdir "$work/www"
cp "$work/server.json" "$work/www/body.json"
chmod 755 "$work" "$work/www"
jq -c '.[0] | .symbol = "BTCUSDT"' "$work/server.json" >"$work/www/one.json"
echo "{\"timestamp\": $(date +%s), \"rates\": {\"USD\": 1, \"KRW\": 1461.93}}" >"$work/www/rates.json"
chmod 644 "$work/www/body.json" "$work/www/one.json" "$work/www/rates.json"
{
  echo "daemon off; pid $work/nginx.pid; error_log $work/nginx.log; worker_processes 1;"
  [ "$(id -u)" = 0 ] && echo "user root;"
  echo "events { worker_connections 256; }"
  echo "http { access_log off; sendfile on; client_body_temp_path $work/t1; proxy_temp_path $work/t2;"
  echo "  fastcgi_temp_path $work/t3; uwsgi_temp_path $work/t4; scgi_temp_path $work/t5; default_type application/json;"
  # Asked for one pair, a server answers with that; else with all.
  echo '  map $arg_symbol $answer { "" /body.json; default /one.json; }'
  for index in $(seq 0 11); do
    echo "  server { listen 127.0.0.1:$((port + index)); root $work/www;"
    echo "    location = /rates.json {} location / { try_files \$answer =404; } }"
  done
  echo "}"
} >"$work/nginx.conf"
nginx -c "$work/nginx.conf" 2>"$work/nginx.start" &
server=$!
for _ in $(seq 50); do
  curl -sf -o /dev/null "http://127.0.0.1:$((port + 11))/" && break
  sleep 0.1
done
# A config of twelve exchanges like Binance, one at each server; the second word is what else to leave out.
servers() {
  jq --argjson port "$port" "
    .exchanges.Binance as \$binance
    | del(.fx, .watchlist, .retired)
    | .exchanges = ([range(12) as \$index | {key: \"Server\(\$index + 1)\", value: (
        \$binance | del(.markets.futures, .badge, .names, .limit $1)
        | .baseUrls = [\"http://127.0.0.1:\(\$port + \$index)\"])}] | from_entries)
  " "$config"
}
servers ", .markets.spot.ticker" >"$work/servers.json"
servers "" >"$work/servers1.json"
urls="" urls1=""
for index in $(seq 0 11); do
  url=http://127.0.0.1:$((port + index))/api/v3/ticker/24hr
  urls+=" -o /dev/null $url"
  urls1+=" -o /dev/null $url?symbol=BTCUSDT"
done
show=("$market" show BTC USDT -m spot -c "$work/servers.json" -f json)
"${show[@]}" >"$work/show.json" || true
answers=$(jq '[.. | objects | select(has("price"))] | length' "$work/show.json")
if [ "$answers" -lt 12 ]; then echo "bench: only $answers of 12 servers gave a row" >&2; fi
show1=("$market" show BTC USDT -m spot -c "$work/servers1.json" -f json)
{ read -r shown; read -r fetched; read -r shown1; read -r fetched1; } < <(medians \
  "${show[*]}" "curl -s --parallel --parallel-immediate$urls" \
  "${show1[*]}" "curl -s --parallel --parallel-immediate$urls1")
row "\`show\`, 12 servers asked for one pair" "$shown1" ms "curl --parallel" "$fetched1" \
  "$(calc "$shown1 / $fetched1")" "<=" 1.6
row "\`show\`, 12 servers with 1.5 MB each" "$shown" ms "curl --parallel" "$fetched" "$(calc "$shown / $fetched")" "<=" 1.6
peak=$("$benchmarks" peak "${show[@]}" 2>/dev/null)
row "its peak memory" "$peak" MB - "" "$peak" "<=" 40


# 4. The dollar in won from what is kept: one call fills the cache, the rest only read it.
cat >"$work/rates.json" <<END
{ "version": 1, "extends": "builtin", "fx": {
    "providers": { "Bench": { "baseUrls": ["http://127.0.0.1:$port"], "pairs": ["*/*"], "refresh": { "every": "1d" },
      "rate": { "request": { "path": "/rates.json" }, "rows": "\$", "symbol": "request",
        "fields": { "rate": "\$.rates['{payment}']", "time": { "path": "\$.timestamp", "unit": "s" } } } } },
    "routes": { "USD/KRW": { "zone": "+09:00", "rules": [
      { "from": "09:00", "to": "24:00", "use": "Bench", "when": { "date": "today" } }, { "use": "Bench" }] } } } }
END
export XDG_CACHE_HOME=$work/cache
fx=("$market" fx USD KRW -c "$work/rates.json")
"${fx[@]}" >"$work/fx.txt" || echo "bench: no rate from the server" >&2
read -r kept < <(medians "${fx[*]}")
row "\`fx USD KRW\` from what is kept" "$kept" ms - "" "$kept" "<=" 8

echo
echo "| what | ours | rival | ratio or value | target | met |"
echo "| --- | --- | --- | --- | --- | --- |"
cat "$rows"
