#!/usr/bin/env python3
"""Compares what `market` reads in messages of streams with what ccxt.pro reads in them, field by field.

The messages come from two places: recorded streams of the project (Tests/Cassettes/*/streams), and the recordings of others
in the folder that MARKET_SHARED names (../shared without it). Nothing is asked: ccxt is given each message as if its
connection had brought it, and `market` reads the same message in a test that writes what it comes to. A message that one of
the two does not take is not comparable, and counted.

    Tests/compare-streams-with-ccxt.py [--swift swift] [--package .] [--verbose] [--write]

Exit code 0: all are the same but for the differences in DIFFERENCES, and docs/coverage.md has the figures of this run; 1
otherwise; 0 with a line on stderr where ccxt is not installed (`pip install ccxt`). Without recordings the figures of the
cassettes alone are held against the page. `--write` writes the figures.

Volumes and sizes are in the asset here, and in contracts in many of ccxt's futures: they agree where one factor, or one factor
by the price, leads from one to the other.
"""

import argparse
import asyncio
import base64
import glob
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

try:
    import ccxt.pro
except ImportError:
    print("compare-streams-with-ccxt: no ccxt for python3: the comparison is skipped", file=sys.stderr)
    sys.exit(0)

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Our name of an exchange, ccxt's class for its spot market, and for its futures.
EXCHANGES = {
    "Binance": ("binance", "binanceusdm"), "Bybit": ("bybit", "bybit"), "Bitget": ("bitget", "bitget"), "Okx": ("okx", "okx"),
    "Gate": ("gate", "gate"), "Mexc": ("mexc", "mexc"), "Htx": ("htx", "htx"), "Bingx": ("bingx", "bingx"),
    "Phemex": ("phemex", "phemex"), "Lbank": ("lbank", None), "Poloniex": ("poloniex", "poloniex"), "Woo": ("woo", "woo"),
    "Kraken": ("kraken", "krakenfutures"), "Upbit": ("upbit", None), "Bithumb": ("bithumb", None), "Coinone": ("coinone", None),
    "Bitflyer": (None, None), "Coincheck": ("coincheck", None), "Coinbase": ("coinbaseexchange", None), "Luno": ("luno", None),
    "Bitvavo": ("bitvavo", None), "Kucoin": ("kucoin", "kucoinfutures"), "Bitfinex": ("bitfinex", "bitfinex"),
    "Bitstamp": ("bitstamp", None), "Gemini": ("gemini", None), "Deribit": ("deribit", "deribit"),
    "Hyperliquid": ("hyperliquid", "hyperliquid"), "Cryptocom": ("cryptocom", "cryptocom"), "Whitebit": ("whitebit", "whitebit"),
    "Dydx": (None, "dydx"), "Backpack": ("backpack", "backpack"), "Korbit": (None, None), "Gopax": (None, None),
    "Gmo": (None, None), "Indodax": (None, None),
}

# What the recordings call an exchange, where that is not our name in lower case.
OTHER_NAMES = {"gateio": "Gate", "huobi": "Htx", "okx_v3": "Okx", "krakenfutures": "Kraken", "coinbase_pro": "Coinbase"}
NAMES = {**{name.lower(): name for name in EXCHANGES}, **OTHER_NAMES}

# Our fields of a row and ccxt's. ccxt computes what an exchange does not send: those are compared where both have a value.
FIELDS = {"price": "last", "changePricePercent24": "percentage", "volume24": "baseVolume", "turnover24": "quoteVolume",
          "open": "open", "high": "high", "low": "low", "bid": "bid", "ask": "ask", "time": "timestamp"}
AMOUNTS = {"volume24", "turnover24"}


# The messages


class Recording:
    """Messages in their order, and where they came from."""

    def __init__(self, name, exchange, market, kind, messages):
        self.name, self.exchange, self.market, self.kind, self.messages = name, exchange, market, kind, messages


def texts_of(text):
    """One JSON text, or one a line."""
    try:
        return [json.dumps(json.loads(text), separators=(",", ":"), ensure_ascii=False)]
    except ValueError:
        return [line for line in text.split("\n") if line.strip()]


def recorded():
    root = os.environ.get("MARKET_SHARED", os.path.join(ROOT, "..", "shared"))
    index = os.path.join(root, "recordings", "INDEX.tsv")
    if not os.path.exists(index):
        print("compare-streams-with-ccxt: no recordings; the cassettes alone are compared", file=sys.stderr)
        return
    with open(index, encoding="utf-8") as file:
        for line in list(file)[1:]:
            fields = line.rstrip("\n").split("\t")
            name = NAMES.get(fields[0])
            if name and fields[1].startswith("ws-") and fields[2] != "options":
                with open(os.path.join(root, "recordings", fields[4]), encoding="utf-8") as body:
                    market = "" if not fields[2] else "spot" if fields[2] == "spot" else "futures"
                    yield Recording(fields[4][4:], name, market, fields[1][3:], texts_of(body.read()))


def cassettes():
    for path in sorted(glob.glob(os.path.join(ROOT, "Tests", "Cassettes", "*", "streams", "*.ndjson"))):
        found = re.match(r"\d+-(spot|futures)-([a-z]+)-", os.path.basename(path))
        exchange = path.split("/")[-3]
        messages = []
        with open(path, encoding="utf-8") as file:
            for line in map(json.loads, file):
                if "got" in line:
                    messages.append(line["got"])
                elif "binary" in line:
                    data = base64.b64decode(line["binary"])
                    messages.append((gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode())
        if found and exchange in EXCHANGES:
            name = f"{exchange}/{os.path.basename(path)}"
            yield Recording(name, exchange, found.group(1), found.group(2), [text for message in messages for text in texts_of(message)])


# What `market` reads


def read_by_market(recordings, options):
    """By recording and message: the updates."""
    with tempfile.TemporaryDirectory() as folder:
        lines = []
        for number, recording in enumerate(recordings):
            path = os.path.join(folder, f"{number}.ndjson")
            with open(path, "w", encoding="utf-8") as file:
                file.write("".join(message + "\n" for message in recording.messages))
            lines.append("\t".join([recording.exchange, recording.market, recording.kind, path]) + "\n")
        wanted, found = os.path.join(folder, "list"), os.path.join(folder, "readings")
        with open(wanted, "w", encoding="utf-8") as file:
            file.writelines(lines)
        environment = {**os.environ, "MARKET_STREAM_MESSAGES": wanted, "MARKET_STREAM_READINGS": found}
        test = [options.swift, "test", "--package-path", options.package, "--skip-build", "--filter", "StreamReadingsFile"]
        done = subprocess.run(test, env=environment, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0 or not os.path.exists(found):
            print(done.stdout[-2000:], file=sys.stderr)
            sys.exit("compare-streams-with-ccxt: the test that reads the messages failed; "
                     "is it built? 'swift build --build-tests'")
        updates = {}
        with open(found, encoding="utf-8") as file:
            for line in file:
                update = json.loads(line)
                number = int(os.path.basename(update["file"]).split(".")[0])
                updates.setdefault((number, update["message"]), []).append(update)
        return updates


# What ccxt reads


class Client:
    """Takes what a handler of ccxt hands on."""

    def __init__(self, url):
        self.url, self.resolved = url, []
        self.subscriptions, self.futures, self.rejections = Anything(), {}, {}
        self.keepAlive, self.lastPong, self.isConnected = 10000, 0, True

    def resolve(self, result, name=None):
        # ccxt goes on to change what it hands on.
        self.resolved.append((name, copied(result)))
        return result

    def reject(self, error, name=None):
        pass

    def future(self, name):
        return asyncio.get_event_loop().create_future()

    def reusableFuture(self, name):
        return self.future(name)

    async def send(self, message):
        pass

    def on_pong(self, message):
        pass


def copied(value):
    """As it is now."""
    if isinstance(value, dict):
        return {name: copied(one) for name, one in value.items()}
    return [copied(one) for one in value] if isinstance(value, (list, tuple)) else value


class Anything(dict):
    """Subscriptions: whatever is looked for was asked for."""

    def __contains__(self, name):
        return True

    def __missing__(self, name):
        return {"limit": 50, "symbol": None, "messageHash": name}


def market_of(update):
    """The market as ccxt knows it."""
    asset, payment, is_futures = update["asset"], update["payment"], update["market"] == "futures"
    inverse = is_futures and payment == "USD"
    settle = asset if inverse else payment
    return {
        "id": update["symbol"], "lowercaseId": update["symbol"].lower(), "symbol": f"{asset}/{payment}" + (f":{settle}" if is_futures else ""),
        "base": asset, "quote": payment, "baseId": asset, "quoteId": payment, "active": True, "taker": 0.001, "maker": 0.001,
        "type": "swap" if is_futures else "spot", "spot": not is_futures, "swap": is_futures, "future": False, "option": False,
        "contract": is_futures, "linear": not inverse if is_futures else None, "inverse": inverse if is_futures else None,
        "settle": settle if is_futures else None, "settleId": settle if is_futures else None,
        "contractSize": 1 if is_futures else None, "info": {}, "precision": {"amount": 1e-8, "price": 1e-8},
        "limits": {"amount": {}, "price": {}, "cost": {}}}


def class_of(update):
    name = EXCHANGES[update["exchange"]][update["market"] == "futures"]
    return "binancecoinm" if name == "binanceusdm" and update["payment"] == "USD" else name


def url_of(update):
    with open(os.path.join(ROOT, "exchanges.json"), encoding="utf-8") as file:
        urls = re.findall(r'"(wss://[^"]+)"', json.dumps(json.load(file)["exchanges"][update["exchange"]]))
    return urls[0] if urls else ""


async def read_by_ccxt(recording, updates):
    """By message: what its handlers resolved."""
    result = {}
    by_class = {}
    for update in updates:
        if class_of(update):
            by_class.setdefault(class_of(update), []).append(update)
    for name, own in by_class.items():
        exchange = getattr(ccxt.pro, name)()
        exchange.set_markets(list({update["symbol"]: market_of(update) for update in own}.values()))
        exchange.options["defaultType"] = "swap" if own[0]["market"] == "futures" else "spot"
        exchange.spawn = lambda *words: None
        exchange.delay = lambda *words: None
        client = Client(url_of(own[0]))
        for number, message in enumerate(recording.messages):
            client.resolved = []
            try:
                answer = exchange.handle_message(client, json.loads(message))
                if asyncio.iscoroutine(answer):
                    await answer
            except Exception as error:  # Whatever ccxt throws at a message, it does not read it.
                result.setdefault(number, []).append(("error", f"{type(error).__name__}: {str(error)[:80]}"))
            result.setdefault(number, []).extend(client.resolved)
        await exchange.close()
    return result


def values_of(channel, symbol, resolved):
    """What ccxt made of a message that is of the kind of a channel."""
    for _, value in resolved:
        candidates = list(value.values()) if isinstance(value, dict) and all(isinstance(one, dict) for one in value.values()) else [value]
        if isinstance(value, list) and value and isinstance(value[0], dict) and "last" in value[0]:
            candidates = list(value)
        for one in candidates:
            kind = kind_of(one)
            if kind == channel and (not isinstance(one, dict) or one.get("symbol") in (None, symbol)):
                return one
            if kind == "several" and channel == "candles":
                return one[2]
    return None


def kind_of(value):
    if isinstance(value, dict):
        return "orderbook" if "asks" in value and "last" not in value else "rows" if "last" in value and "baseVolume" in value else None
    if isinstance(value, (list, tuple)) and value:
        if isinstance(value[0], dict):
            return "trades" if "amount" in value[0] else None
        if isinstance(value[0], (list, tuple)):
            return "candles"
        if len(value) == 3 and isinstance(value[2], (list, tuple)):
            return "several"
    return None


# The comparison


def close(one, other, tolerance=1e-9):
    return abs(one - other) <= tolerance * max(abs(one), abs(other))


def sizes_agree(rows, is_futures):
    """Of (price, our size, ccxt's size)."""
    rows = [(float(price), float(one), float(other)) for price, one, other in rows if one and other]
    if all(close(one, other) for _, one, other in rows):
        return True
    if not is_futures or not rows:
        return False
    factors = [one / other for _, one, other in rows]
    inverse = [one * price / other for price, one, other in rows]
    return any(max(values) - min(values) <= 1e-6 * max(values) for values in (factors, inverse))


def difference(update, theirs):
    """What differs, by field: (ours, ccxt's); nil where nothing could be compared."""
    is_futures = update["market"] == "futures"
    found = {}
    if "bids" in update:
        for side in ("bids", "asks"):
            ours = [(float(price), float(size)) for price, size in update[side]]
            other = sorted(((float(level[0]), float(level[1])) for level in theirs[side] if level[1]), reverse=side == "bids")
            if [level[0] for level in ours] != [level[0] for level in other]:
                found[side] = (ours[:3], other[:3])
            elif not sizes_agree([(one[0], one[1], two[1]) for one, two in zip(ours, other)], is_futures):
                found["size"] = (ours[:3], other[:3])
        return found
    if "trades" in update:
        ours = update["trades"]
        other = list(theirs)[-len(ours):]

        def key(row):
            return (float(row["price"]), float(row.get("size", row.get("amount")) or 0))

        ours, other = sorted(ours, key=key), sorted(other, key=key)
        for name, theirs_name in (("price", "price"), ("time", "timestamp"), ("side", "side")):
            rows = [(one[name], two[theirs_name]) for one, two in zip(ours, other)
                    if one[name] is not None and two[theirs_name] is not None]
            if any(one != two if name == "side" else float(one) != float(two) for one, two in rows):
                found[name] = next(row for row in rows if row[0] != row[1])
        if not sizes_agree([(one["price"], one["size"], two["amount"]) for one, two in zip(ours, other)], is_futures):
            found["size"] = (ours[0]["size"], other[0]["amount"])
        return found
    if "candle" in update:
        ours, other = update["candle"], list(theirs)[-1]
        for index, name in enumerate(("time", "open", "high", "low", "close")):
            if other[index] is not None and float(ours[index]) != float(other[index]):
                found[name] = (ours[index], other[index])
        if not is_futures and ours[5] and other[5] and not close(float(ours[5]), float(other[5])):
            found["volume"] = (ours[5], other[5])
        return found
    for name, theirs_name in FIELDS.items():
        ours, other = update.get(name), theirs.get(theirs_name)
        if ours is None or other is None or name in AMOUNTS and is_futures:
            continue
        tolerance = 1e-3 if name == "changePricePercent24" else 1e-9
        if not close(float(ours), float(other), tolerance) and not (name == "changePricePercent24" and abs(float(ours) - float(other)) < 0.01):
            found[name] = (ours, other)
    return found


# Where ccxt 4.5.90 reads otherwise: exchange, channel, fields, why, and who is right.
DIFFERENCES = [
    ("Binance", "ticker", {"time"}, "ccxt is wrong: it takes C, where the statistics end; E is when the message was sent"),
    ("Backpack", "trades", {"time"}, "ccxt is wrong: it takes E, when the message was sent; T is the trade's"),
    ("Bingx", "ticker", {"time"}, "ccxt is wrong: it takes C, where the statistics end; E is when the message was sent"),
    ("Bingx", "candles", {"time"}, "ccxt is wrong: it takes T, where the candle ends; t is its start"),
    ("Coinone", "trades", {"side"},
     "two readings: is_seller_maker is taken by its name here, the taker bought; ccxt reads it the other way round, by REST too"),
    ("Cryptocom", "orderbook", {"bids", "asks"},
     "ccxt leaves out levels whose number of orders is 0: the sample of the documentation has no other"),
    ("Gate", "candles", {"volume"}, "ccxt is wrong: it takes v, which is in the payment currency; a is in the asset"),
    ("Kraken", "ticker", {"changePricePercent24", "open"},
     "ccxt is wrong: it takes 'change' of futures for a price, and computes the open of it; from 1734.8 to 1751.7 it is 0.97, in "
     "percent"),
    ("Kucoin", "trades", {"time"},
     "ccxt is wrong: it divides nanoseconds as a float; of 1794978730746000000 it makes 1794978730745"),
    ("Lbank", "trades", {"time"}, "ccxt takes a time without a zone for UTC; ours is that of arrival"),
    ("Upbit", "ticker", {"open", "changePricePercent24", "time"},
     "two meanings: ccxt takes the opening price and the time of the last trade; ours is what signed_change_rate is measured from, "
     "and the time of the message"),
    ("Upbit", "trades", {"time"}, "ccxt is wrong: it takes the time of the message; trade_timestamp is the trade's"),
]


def reason(update, found):
    for exchange, channel, fields, cause in DIFFERENCES:
        if exchange in (None, update["exchange"]) and channel in (None, update["channel"]) and set(found) <= fields:
            return cause
    return None


class Figures:
    """What became of the messages of one exchange and channel."""

    def __init__(self):
        self.messages, self.updates, self.same, self.known, self.other, self.none = set(), 0, 0, 0, 0, 0

    def cells(self):
        if not self.updates:
            return ["-", "-", "-", "-"]
        return [str(len(self.messages)), str(self.updates), str(self.same), str(self.known)]


async def compare(recording, number, updates, figures, options):
    """Counts into figures, by exchange and channel."""
    own = [update for message in range(len(recording.messages)) for update in updates.get((number, message), [])
           if "unusable" not in update]
    if not own:
        return
    read = await read_by_ccxt(recording, own)
    # Two parts of a market may hold a pair of one name.
    for update in {(one["message"], one["channel"], one["symbol"]): one for one in own}.values():
        channel = update["channel"]
        kind = "rows" if channel in ("ticker", "tickers", "offers") else channel
        symbol = market_of(update)["symbol"]
        theirs = values_of(kind, symbol, read.get(update["message"], []))
        place = f"{recording.name}:{update['message'] + 1}"
        counts = figures.setdefault((update["exchange"], channel), Figures())
        counts.messages.add((number, update["message"]))
        counts.updates += 1
        if not theirs:
            counts.none += 1
            if options.verbose:
                errors = [value for name, value in read.get(update["message"], []) if name == "error"]
                print(f"none  {channel:9} {place}: {errors[0] if errors else 'ccxt reads nothing'}")
            continue
        found = difference(update, theirs)
        cause = reason(update, found) if found else None
        verdict = "same" if not found else "known" if cause else "other"
        setattr(counts, verdict, getattr(counts, verdict) + 1)
        if verdict == "other" or verdict == "known" and options.verbose:
            print(f"{verdict:5} {channel:9} {place}: {cause or found}"[:300])


# The page of figures

PAGE = os.path.join(ROOT, "docs", "coverage.md")
START, END = "<!-- streams -->\n", "<!-- end -->"
TITLES = ["exchange", "channel"] + ["messages", "updates", "same", "known"] * 2
CHANNELS = ["ticker", "tickers", "offers", "trades", "orderbook", "candles"]
# The release of ccxt that the figures are of: what is comparable is its affair.
CCXT = "4.5.90"


def rows_of(own, others):
    names = sorted(set(own) | set(others), key=lambda name: (name[0], CHANNELS.index(name[1])))
    return [list(name) + own.get(name, Figures()).cells() + others.get(name, Figures()).cells() for name in names]


def line_of(cells):
    return "| " + " | ".join(cells) + " |\n"


def page_is_true(own, others, options):
    """Whether the page has these figures; others is None without recordings."""
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    start = page.index(START) + len(START)
    end = page.index(END, start)
    if others is not None:
        wanted = line_of(TITLES) + line_of(["---", "---"] + ["---:"] * 8) + "".join(map(line_of, rows_of(own, others)))
        if options.write:
            with open(PAGE, "w", encoding="utf-8") as file:
                file.write(page[:start] + wanted + page[end:])
            return True
        return page[start:end] == wanted
    there = {tuple(cells[:2]): cells[2:6] for cells in
             ([cell.strip() for cell in line.strip("|\n").split("|")] for line in page[start:end].splitlines()[2:])}
    return all(there.get(name) == figures.cells() for name, figures in own.items()) and all(
        name in own or cells == Figures().cells() for name, cells in there.items())


async def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--swift", default="swift")
    parser.add_argument("--package", default=ROOT, help="where the tests are built")
    parser.add_argument("--verbose", action="store_true", help="name the messages that are not comparable, and known differences, too")
    parser.add_argument("--write", action="store_true", help="write the figures into docs/coverage.md")
    options = parser.parse_args()
    wrong, found = False, {}
    for title, recordings in (("recordings", list(recorded())), ("cassettes", list(cassettes()))):
        if not recordings:
            continue
        updates = read_by_market(recordings, options)
        figures = found[title] = {}
        for number, recording in enumerate(recordings):
            await compare(recording, number, updates, figures, options)
        for channel in CHANNELS:
            own = [counts for name, counts in figures.items() if name[1] == channel]
            same, known, other, none = (sum(getattr(counts, word) for counts in own) for word in ("same", "known", "other", "none"))
            print(f"{title}: {channel}: {same} of {same + known + other} the same, {known} differ as is known, {other} otherwise; "
                  f"{none} that ccxt does not read")
            wrong = wrong or other > 0
        if not any(counts.same for counts in figures.values()):
            print(f"compare-streams-with-ccxt: nothing of the {title} could be compared", file=sys.stderr)
            wrong = True
    if ccxt.__version__ != CCXT:
        print(f"compare-streams-with-ccxt: the figures of docs/coverage.md are of ccxt {CCXT}: they are not looked at", file=sys.stderr)
    elif not page_is_true(found.get("cassettes", {}), found.get("recordings"), options):
        print("compare-streams-with-ccxt: docs/coverage.md has other figures; --write writes these", file=sys.stderr)
        wrong = True
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    asyncio.run(main())
