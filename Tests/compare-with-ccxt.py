#!/usr/bin/env python3
"""Compares what `market` reads in saved answers with what ccxt reads in them, field by field.

Order books, trades and candles, from two places: the cassettes of the project, and the recordings of others in the
folder that MARKET_SHARED names (../shared without it). Nothing is asked: ccxt is given each answer in place of its
network, and `market` reads it with `--response`. An answer that one of the two refuses is not comparable, and counted.

    Tests/compare-with-ccxt.py [--market .build/debug/market] [--verbose]

Exit code 0: all are the same but for the differences in DIFFERENCES, each of which is ccxt's; 1: another one; 0 with a
line on stderr where ccxt is not installed (`pip install ccxt`).

Sizes are in the asset here, and in contracts in ccxt's books and trades of futures: they agree where one factor, or one
factor by the price of inverse contracts, leads from one to the other in every row. Volumes of candles of inverse contracts
are not compared.
"""

import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from decimal import Decimal

try:
    import ccxt
except ImportError:
    print("compare-with-ccxt: no ccxt for python3: the comparison is skipped", file=sys.stderr)
    sys.exit(0)

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Our name of an exchange, ccxt's class for its spot market, and for its futures.
EXCHANGES = {
    "Binance": ("binance", "binanceusdm"), "Bybit": ("bybit", "bybit"), "Bitget": ("bitget", "bitget"),
    "Okx": ("okx", "okx"), "Gate": ("gate", "gate"), "Mexc": ("mexc", "mexc"), "Htx": ("htx", "htx"),
    "Bingx": ("bingx", "bingx"), "Phemex": ("phemex", "phemex"), "Lbank": ("lbank", "lbank"),
    "Poloniex": ("poloniex", "poloniex"), "Woo": ("woo", "woo"), "Kraken": ("kraken", "krakenfutures"),
    "Upbit": ("upbit", None), "Bithumb": ("bithumb", None), "BithumbLegacy": ("bithumb", None),
    "Coinone": ("coinone", None), "Bitbank": ("bitbank", None), "Bitflyer": ("bitflyer", "bitflyer"),
    "Coincheck": ("coincheck", None), "Coinbase": ("coinbaseexchange", None), "Luno": ("luno", None),
    "Indodax": ("indodax", None), "Bitvavo": ("bitvavo", None), "Kucoin": ("kucoin", "kucoinfutures"),
    "Bitfinex": ("bitfinex", "bitfinex"), "Bitstamp": ("bitstamp", "bitstamp"), "Gemini": ("gemini", "gemini"),
    "Deribit": ("deribit", "deribit"), "Hyperliquid": ("hyperliquid", "hyperliquid"),
    "Cryptocom": ("cryptocom", "cryptocom"), "Whitebit": ("whitebit", "whitebit"), "Dydx": (None, "dydx"),
    "Backpack": ("backpack", "backpack"),
}

# What the recordings call an exchange, where that is not our name in lower case.
OTHER_NAMES = {
    "bithumb": "BithumbLegacy", "gateio": "Gate", "gatefutures": "Gate", "mxc": "Mexc", "huobi": "Htx", "okex": "Okx", "okexswap": "Okx",
    "gdax": "Coinbase", "coinbasepro": "Coinbase", "coinbaseexchange": "Coinbase", "kraken_futures": "Kraken",
    "krakenfutures": "Kraken", "kucoinfutures": "Kucoin", "kumex": "Kucoin",
}
NAMES = {**{name.lower(): name for name in EXCHANGES}, **OTHER_NAMES}

INTERVALS = {"1m": 60, "3m": 180, "5m": 300, "10m": 600, "15m": 900, "30m": 1800, "1h": 3600, "2h": 7200, "4h": 14400,
             "6h": 21600, "8h": 28800, "12h": 43200, "1d": 86400, "1w": 604800}


class Answer:
    """A saved answer, and what is known of its request."""

    def __init__(self, exchange, kind, market, path, request, pair=None):
        self.exchange, self.kind, self.market, self.path, self.request = exchange, kind, market, path, request
        self.name = os.path.relpath(path, ROOT) if path.startswith(ROOT) else "/".join(path.split("/")[-2:])
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        self.asset, self.payment = pair or self._pair()

    def _pair(self):
        address = re.sub(r"^\S+ (https?://[^/]+)?", "", self.request)
        words = re.findall(r"(?:symbol|pair|market|instId|contract|currency_pair|contract_code|code)=([^&]+)", address)
        words += re.split(r"[/?]", address)[::-1]
        for word in words:
            word = word[1:] if re.fullmatch(r"t[A-Z0-9:]+", word) else word
            for payment in ["USDT", "USDC", "USD", "BTC", "ETH", "KRW", "EUR", "DAI", "UST", "XBT", "ZAR"]:
                found = re.match(r"(?:.*[^A-Z0-9])?([A-Z0-9]{2,8})[-_/:]?" + payment, word.upper())
                if found:
                    return found.group(1), payment
        return "BTC", "USD" if self.market.endswith("coinm") else "USDT"


def recorded():
    root = os.environ.get("MARKET_SHARED", os.path.join(ROOT, "..", "shared"))
    index = os.path.join(root, "recordings", "INDEX.tsv")
    if not os.path.exists(index):
        print("compare-with-ccxt: no recordings; the cassettes alone are compared", file=sys.stderr)
        return
    with open(index, encoding="utf-8") as file:
        for line in list(file)[1:]:
            fields = line.rstrip("\n").split("\t")
            kind = fields[1].split("-")[0]
            name = NAMES.get(fields[0])
            # Options, prices of an index, single trades where joined ones are asked: no block of ours asks for these.
            trades = r"/(historicalT|t)rades" if name == "Binance" else "aggTrades"
            other = re.search(trades + "|continuousKlines|indexPrice|/mark/|brokerage|/ua/|order/trades", fields[11])
            if name and kind in ("orderbook", "trades", "candles") and fields[2] != "options" and not other:
                request = "" if "::" in fields[11] else fields[11].strip('"')
                yield Answer(name, kind, fields[2], os.path.join(root, "recordings", fields[4]), request)


def cassettes():
    for path in sorted(glob.glob(os.path.join(ROOT, "Tests", "Cassettes", "*", "*.json"))):
        found = re.match(r"\d+-(?:(spot|futures)-)?(orderbook|trades|candles)(?:-\d+[mhdw])?-([A-Z0-9]+)-([A-Z0-9]+)",
                         os.path.basename(path))
        body = path[:-4] + "body"
        exchange = path.split("/")[-2]
        if found and exchange in EXCHANGES and os.path.exists(body):
            with open(path, encoding="utf-8") as file:
                url = json.load(file)["url"]
            yield Answer(exchange, found.group(2), found.group(1) or "", body, "GET " + url, found.groups()[2:])


# What `market` reads


def lookups(answer, folder):
    """The options that give answers of lookups, one choice after the other: those of the cassettes, told of the pair."""
    with open(os.path.join(ROOT, "exchanges.json"), encoding="utf-8") as file:
        names = sorted(lookup_names(json.load(file)["exchanges"][answer.exchange]))
    choices = []
    for path in sorted(glob.glob(os.path.join(ROOT, "Tests", "Cassettes", answer.exchange, "*.body"))):
        if names and re.search(r"-lookup-\w+|-futures(-\w+)?-tickers|-instruments", os.path.basename(path)):
            with open(path, encoding="utf-8") as file:
                text = file.read()
            if answer.asset not in ("BTC", "XBT"):
                text = text.replace(answer.asset, "OTHER").replace("BTC", answer.asset)
            copy = os.path.join(folder, os.path.basename(path))
            with open(copy, "w", encoding="utf-8") as file:
                file.write(text)
            choices += [["-r", f"{name}={copy}"] for name in names]
            choices += [["-r", f"{one}={copy}", "-r", f"{other}={copy}"] for one in names for other in names if one < other]
    return choices


def lookup_names(node):
    names = set()
    if isinstance(node, dict):
        for key, value in node.items():
            names |= set(value or {}) if key == "lookups" else lookup_names(value)
    elif isinstance(node, list):
        for value in node:
            names |= lookup_names(value)
    return names


def run(binary, answer, market, payment, options):
    words = [binary, answer.kind, answer.asset, payment, "-e", answer.exchange, "-m", market, "-f", "json",
             "-c", os.path.join(ROOT, "exchanges.json"), "-r", answer.path] + options
    out = subprocess.run(words, capture_output=True, text=True, check=False)
    try:
        return json.loads(out.stdout)["venues"][0]
    except (ValueError, LookupError):
        return {"status": "failed", "reason": "not-asked"}


def read_by_market(binary, answer, market, interval):
    options = {"orderbook": ["--depth", "5000"], "trades": ["-n", "10000"],
               "candles": ["-n", "100000", "-i", interval]}[answer.kind]
    read = {"orderbook": our_book, "trades": our_trades, "candles": our_candles}[answer.kind]
    for payment in dict.fromkeys([answer.payment, "USDT", "USD", "USDC", "KRW"]):
        venue = run(binary, answer, market, payment, options)
        if venue["reason"] == "not-listed":
            continue
        ours = read(venue) if venue["status"] == "ok" else None
        if ours and is_sized(answer.kind, ours) or not ours and not (venue["reason"] or "").startswith("lookup"):
            return ours
        with tempfile.TemporaryDirectory() as folder:
            for choice in lookups(answer, folder):
                venue = run(binary, answer, market, payment, options + choice)
                if venue["status"] == "ok" and is_sized(answer.kind, read(venue)):
                    return read(venue)
        return ours
    return None


def is_sized(kind, ours):
    return kind == "orderbook" or all(row[2 if kind == "trades" else 5] is not None for row in ours)


def milliseconds(text):
    if text is None:
        return None
    whole, _, fraction = text.rstrip("Z").partition(".")
    moment = datetime.strptime(whole, "%Y-%m-%dT%H:%M:%S").replace(tzinfo=timezone.utc)
    return int(moment.timestamp()) * 1000 + int((fraction + "000")[:3])


def our_book(venue):
    sides = {side: [(float(level["price"]), float(level["size"])) for level in venue[side]] for side in ("bids", "asks")}
    return {**sides, "time": milliseconds(venue.get("bookTime"))}


def our_trades(venue):
    return [(milliseconds(trade["time"]), float(trade["price"]), number(trade["size"]), trade["side"])
            for trade in venue["trades"]]


def our_candles(venue):
    return [(milliseconds(candle["start"]),) + tuple(number(candle[key]) for key in ("open", "high", "low", "close", "volume"))
            for candle in venue["candles"]]


def number(value):
    return None if value is None else float(value)


# What ccxt reads


def read_by_ccxt(answer, market):
    name = EXCHANGES[answer.exchange][market == "futures"]
    if not name:
        return None
    inverse = market == "futures" and answer.payment == "USD"
    if inverse and name == "binanceusdm":
        name = "binancecoinm"
    exchange = getattr(ccxt, name)()
    settle = answer.asset if inverse else answer.payment
    symbol = f"{answer.asset}/{answer.payment}" + (f":{settle}" if market == "futures" else "")
    structure = exchange.safe_market_structure({
        "id": f"{answer.asset}{answer.payment}", "lowercaseId": f"{answer.asset}{answer.payment}".lower(),
        "symbol": symbol, "base": answer.asset, "quote": answer.payment, "baseId": answer.asset,
        "quoteId": answer.payment, "active": True, "taker": 0.001, "maker": 0.001,
        "type": "swap" if market == "futures" else "spot", "spot": market == "spot", "swap": market == "futures",
        "future": False, "option": False, "contract": market == "futures",
        "linear": not inverse if market == "futures" else None, "inverse": inverse if market == "futures" else None,
        "settle": settle if market == "futures" else None, "settleId": settle if market == "futures" else None,
        "contractSize": 1 if market == "futures" else None, "info": {},
        "precision": {"amount": 1e-8, "price": 1e-8}, "limits": {"amount": {}, "price": {}, "cost": {}}})
    # Some rows are found by the exchange's own name of the pair.
    names = {"Upbit": f"{answer.payment}-{answer.asset}"}
    body = exchange.parse_json(answer.text)
    if answer.exchange == "Kraken" and isinstance(body, dict) and isinstance(body.get("result"), dict):
        names["Kraken"] = next(iter(body["result"]))
    structure["id"] = names.get(answer.exchange, structure["id"])
    if answer.exchange == "Phemex":
        structure.update({"priceScale": 4 if inverse else 8 if market == "spot" else 0, "valueScale": 8, "ratioScale": 8})
    exchange.set_markets([structure])
    # Levels, as our blocks ask for, and not single orders.
    if answer.exchange == "Bitfinex":
        exchange.options["fetchOrderBook"]["precision"] = "P0"
    exchange.options["defaultType"] = "swap" if market == "futures" else "spot"
    exchange.fetch = lambda *words, **options: body
    exchange.load_markets = lambda *words, **options: exchange.markets
    if answer.kind == "orderbook":
        try:
            book = exchange.fetch_order_book(symbol)
        except (ccxt.BaseError, TypeError):
            # It wants a time, which older answers do not have.
            book = exchange.parse_order_book(body, symbol)
        sides = {side: [(float(level[0]), float(level[1])) for level in book[side] if level[0] and level[1]]
                 for side in ("bids", "asks")}
        return {**sides, "time": book["timestamp"]} if sides["bids"] or sides["asks"] else None
    if answer.kind == "trades":
        trades = exchange.fetch_trades(symbol)
        return [(trade["timestamp"], trade["price"], trade["amount"], trade["side"]) for trade in trades] or None
    candles = exchange.fetch_ohlcv(symbol, "1m", None, 1000 if answer.exchange == "Binance" else None)
    return [tuple(row[:6]) for row in candles] or None


def interval_of(candles):
    starts = sorted({row[0] for row in candles})
    steps = [after - before for before, after in zip(starts, starts[1:])]
    for name, seconds in INTERVALS.items():
        if steps and min(steps) == seconds * 1000:
            return name
    return "1m"


# The comparison


def close(one, other):
    if one is None or other is None:
        return one is other
    return abs(one - other) <= 1e-9 * max(abs(one), abs(other))


def sizes_agree(ours, theirs, is_futures):
    """Of (price, size) rows in one order."""
    if all(close(one[1], other[1]) for one, other in zip(ours, theirs)):
        return True
    pairs = [(one[0], one[1], other[1]) for one, other in zip(ours, theirs) if one[1] and other[1]]
    if not is_futures or not pairs:
        return False
    factors = [size / contracts for _, size, contracts in pairs]
    inverse = [size * price / contracts for price, size, contracts in pairs]
    return any(max(values) - min(values) <= 1e-6 * max(values) for values in (factors, inverse))


def difference(kind, ours, theirs, is_futures):
    """What differs: names of fields, `rows` where there are more of one than of the other."""
    if kind == "orderbook":
        found = set()
        for side in ("bids", "asks"):
            one = ours[side]
            other = sorted(theirs[side], reverse=side == "bids")
            if [level[0] for level in one] != [level[0] for level in other]:
                found.add("price" if len(one) == len(other) else "rows")
            elif not sizes_agree(one, other, is_futures):
                found.add("size")
        if theirs["time"] is not None and ours["time"] is not None and theirs["time"] != ours["time"]:
            found.add("time")
        return found
    if len(ours) != len(theirs):
        return {"rows"}
    if kind == "trades":
        # Of one time each has its own order.
        def key(row):
            return (row[1] or 0, row[2] or 0, row[0], row[3] or "")
        ours, theirs = sorted(ours, key=key), sorted(theirs, key=key)
        names = ("time", "price", None, "side")
        rows = [(row[1], row[2]) for row in ours], [(row[1], row[2]) for row in theirs]
    else:
        theirs = sorted(theirs)
        names = ("time", "open", "high", "low", "close", None)
        rows = [(row[4], row[5]) for row in ours], [(row[4], row[5]) for row in theirs]
    found = set()
    for index, name in enumerate(names):
        if name and any(one[index] != other[index] for one, other in zip(ours, theirs)):
            found.add(name)
    if not sizes_agree(*rows, is_futures):
        found.add("size" if kind == "trades" else "volume")
    return found


def repeats_a_start(answer, ours, theirs):
    return len({row[0] for row in theirs}) == len(ours)


def is_a_millisecond_off(answer, ours, theirs):
    return all(abs(one[0] - other[0]) <= 1 for one, other in zip(sorted(ours), sorted(theirs)))


# Where ccxt 4.5.90 reads otherwise, and is wrong: exchange, kind, what differs, whether it is this difference, why.
DIFFERENCES = [
    ("Gate", "orderbook", {"time"}, lambda answer, ours, theirs: ours["time"] // 1000 == theirs["time"] // 1000,
     "ccxt cuts the fraction of a time in seconds: the answer says 1684930166.384, ccxt 1684930166000"),
    ("Poloniex", "trades", {"time"}, lambda answer, ours, theirs: '"createTime"' in answer.text,
     "ccxt takes 'ts', the moment of sending; 'createTime' is the trade's, months earlier in one answer"),
    ("Lbank", "trades", {"side"}, lambda answer, ours, theirs: "isBuyerMaker" in answer.text,
     "ccxt gives no side; 'isBuyerMaker' is there"),
    ("Kucoin", "trades", {"time"}, is_a_millisecond_off,
     "ccxt divides nanoseconds as a float: of 1794978706354000000 it makes 1794978706353"),
    (None, "candles", {"rows"}, repeats_a_start, "ccxt keeps two candles of one start; the later in the answer counts"),
]


def reason(answer, found, ours, theirs):
    for exchange, kind, fields, holds, cause in DIFFERENCES:
        if exchange in (None, answer.exchange) and kind == answer.kind and found == fields and holds(answer, ours, theirs):
            return cause
    return None


def compare(binary, answer):
    """(`same`, `known`, `other` or `none`, why)"""
    wanted = answer.market.split("-")[0]
    markets = [wanted] if wanted in ("spot", "futures") else ["spot", "futures"]
    outcome = ("none", "neither reads it")
    for market in markets:
        try:
            theirs = read_by_ccxt(answer, market)
        except Exception as error:  # Whatever ccxt throws at an answer, it does not read it.
            outcome = ("none", f"ccxt: {type(error).__name__}: {str(error)[:80]}")
            continue
        if not theirs:
            outcome = ("none", "ccxt reads nothing")
            continue
        ours = read_by_market(binary, answer, market, interval_of(theirs) if answer.kind == "candles" else None)
        if not ours:
            outcome = ("none", "market refuses it")
            continue
        found = difference(answer.kind, ours, theirs, market == "futures")
        if answer.kind == "candles" and market == "futures" and answer.payment == "USD":
            # Contracts of a dollar: a candle has no one price to turn them into coins by.
            found.discard("volume")
        if not found:
            return "same", ""
        cause = reason(answer, found, ours, theirs)
        if cause:
            return "known", cause
        outcome = ("other", f"{market} differs in {', '.join(sorted(found))}: {sample(ours)} here, {sample(theirs)} in ccxt")
    return outcome


def sample(value):
    return json.dumps(value)[:150]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--market", default=os.path.join(ROOT, ".build", "debug", "market"))
    parser.add_argument("--verbose", action="store_true", help="name the answers that are not comparable, too")
    options = parser.parse_args()
    if not os.access(options.market, os.X_OK):
        sys.exit(f"compare-with-ccxt: no program at '{options.market}'; build it, or name it with --market")
    wrong = 0
    for title, answers in (("recordings", list(recorded())), ("cassettes", list(cassettes()))):
        counts = {}
        with ThreadPoolExecutor(2) as pool:
            outcomes = list(pool.map(lambda answer: compare(options.market, answer), answers))
        for answer, (verdict, cause) in zip(answers, outcomes):
            counts.setdefault(answer.kind, {}).setdefault(verdict, []).append(answer)
            if verdict in ("known", "other") or options.verbose and verdict == "none":
                print(f"{verdict:5} {answer.kind:9} {answer.name}: {cause}")
            wrong += verdict == "other"
        for kind, found in counts.items():
            number_of = {verdict: len(found.get(verdict, [])) for verdict in ("same", "known", "other", "none")}
            comparable = number_of["same"] + number_of["known"] + number_of["other"]
            print(f"{title}: {kind}: {number_of['same']} of {comparable} the same, {number_of['known']} differ by ccxt's fault, "
                  f"{number_of['other']} otherwise; {number_of['none']} not comparable")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
