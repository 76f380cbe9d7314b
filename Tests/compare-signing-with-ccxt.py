#!/usr/bin/env python3
"""Holds the known answers of exchanges.json against ccxt's sign(), offline: nothing is sent.

    Tests/compare-signing-with-ccxt.py

Exit code 0: all are equal but for those in APART; 1: another one differs; 0 with a line on stderr where ccxt is not
installed (`pip install ccxt`).

Clock and uuid of ccxt are set to those of each answer. What is equal proves that two projects read an exchange's
documents alike, not that the exchange accepts it. An exchange that ccxt does not sign, or signs in another way, is named.
"""

import json
import os
import sys

try:
    import ccxt
except ImportError:
    print("compare-signing-with-ccxt: no ccxt for python3: the comparison is skipped", file=sys.stderr)
    sys.exit(0)

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NAMES = {
    "Coinbase": "coinbaseexchange", "Mexc": "mexc", "Kraken": "kraken", "Htx": "htx", "Okx": "okx", "Woo": "woo",
}
# Calls that fetch_balance() does not make as the answer has it.
CALLS = {
    "Bithumb": lambda e: e.sign("v1/accounts", ["private"], "GET", {}),
    "Poloniex": lambda e: e.sign("accounts/balances", ["private"], "GET", {}),
    "Mexc futures": lambda e: e.fetch_balance({"type": "swap"}),
}
# Where the documents and ccxt part, and what stands in exchanges.json is the documents'.
APART = {
    "Coinone": "v2.1 with a JSON body here, v2 there",
    "Cryptocom": "id and nonce are numbers here, texts there; the signature is equal",
    "Lbank": "the random text is made of the uuid here",
}


class Sent(Exception):
    pass


def sent_by_ccxt(name, vector):
    """What ccxt would send, as a dictionary; None where it has no such exchange."""
    base, _, account = name.partition(" ")
    kind = getattr(ccxt, "krakenfutures" if name == "Kraken futures" else NAMES.get(base, base.lower()), None)
    if kind is None:
        return None
    secrets = vector["secrets"]
    exchange = kind({
        "apiKey": secrets.get("apiKey") or secrets.get("futuresApiKey"),
        "secret": secrets.get("secret") or secrets.get("futuresSecret"), "password": secrets.get("passphrase"),
    })
    now, uuid = vector.get("now", 0), vector.get("uuid", "")
    exchange.milliseconds = lambda: now
    exchange.seconds = lambda: now // 1000
    exchange.uuid = exchange.uuid16 = exchange.uuid22 = lambda *_: uuid
    exchange.load_markets = lambda *_, **__: {}
    exchange.markets, exchange.currencies = {}, {}

    def fetch(url, method="GET", headers=None, body=None):
        raise Sent({"url": url, "method": method, "headers": headers or {}, "body": body})

    exchange.fetch = fetch
    try:
        return CALLS.get(name, lambda e: e.fetch_balance())(exchange)
    except Sent as sent:
        return sent.args[0]


def difference(vector, found):
    sent = vector["sent"]
    for member in ("method", "url", "body"):
        if member in sent and sent[member] != found[member]:
            return member
    headers = {name.lower(): value for name, value in found["headers"].items()}
    for name, value in sent.get("headers", {}).items():
        if headers.get(name.lower()) != value:
            return "header " + name
    return None


def vectors(exchanges):
    for name, exchange in exchanges.items():
        for vector in exchange.get("auth", {}).get("vectors", []):
            yield name, vector
        for account, block in exchange.get("balances", {}).items():
            for vector in block.get("auth", {}).get("vectors", []):
                yield "%s %s" % (name, account), vector


def main():
    with open(os.path.join(ROOT, "exchanges.json"), encoding="utf-8") as file:
        exchanges = json.load(file)["exchanges"]
    equal, wrong = 0, []
    for name, vector in vectors(exchanges):
        if not vector["source"].startswith("ccxt"):
            print("%-16s not from ccxt: %s" % (name, vector["source"]))
            continue
        found = sent_by_ccxt(name, vector)
        reason = "no such exchange" if found is None else difference(vector, found)
        if reason is None:
            equal += 1
        elif name in APART:
            print("%-16s apart (%s): %s" % (name, reason, APART[name]))
        else:
            wrong.append(name)
            print("%-16s DIFFERS: %s" % (name, reason))
    print("%d equal to ccxt %s, %d differ" % (equal, ccxt.__version__, len(wrong)))
    if equal == 0:
        print("compare-signing-with-ccxt: nothing was compared", file=sys.stderr)
    return 1 if wrong or equal == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
