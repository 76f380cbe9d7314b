import HTTP
import JSON
import Testing

@testable import Config
@testable import Lint

/// Mistakes in a config that is valid in form, and what only looks like one.
@Suite struct SilentMistakeTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let scene: DiagnosticExplanation.Scene
    let config: String
    /// Each finding with its place, in text order.
    var findings: [String] = []
  }

  /// Two numbers from one place, however its path is written.
  static let places = [
    Case(
      testDescription: "a path in another spelling", scene: .market,
      config: #"""
        "fields": { "bid": "$.b", "ask": { "path": "$['b']" }, "turnover24": { "path": "$.v", "scale": 10 }, "volume24": "$.v" }
        """#,
      findings: [
        "7:42 warning MKT081 'ask' is read from the same place as 'bid'; one number cannot be both; remove the one the exchange does not have",
        "7:78 warning MKT081 'turnover24' is read from the same place as 'volume24'; volume is in the asset, turnover in the payment currency; remove the one the exchange does not have",
      ]),
    Case(
      testDescription: "any two numbers of a row", scene: .market,
      config: #"""
        "fields": { "open": "$.o", "high": "$.o", "bid": "$.last", "changePricePercent24": { "path": "$.o", "basis": "utcDay" } }
        """#,
      findings: [
        "7:44 warning MKT081 'high' is read from the same place as 'open'; one number cannot be both; remove the one the exchange does not have",
        "7:58 warning MKT081 'bid' is read from the same place as 'price'; one number cannot be both; remove the one the exchange does not have",
        "7:92 warning MKT081 'changePricePercent24' is read from the same place as 'open'; one number cannot be both; remove the one the exchange does not have",
      ]),
    Case(
      testDescription: "parts of one string, and a factor of a part", scene: .market,
      config: #"""
        "fields": { "high": { "path": "$.r", "capture": "(?<value>.+)-.*" }, "low": { "path": "$.r", "capture": ".*-(?<value>.+)" }, "volume24": { "product": ["$.v", "$.n"] }, "turnover24": { "product": ["$.v", { "path": "$.n", "scale": 2 }] } }
        """#),
    Case(
      testDescription: "sizes that divide the price, and one that is divided by it", scene: .market,
      config: #"""
        "orderbook": { "request": { "path": "/b/{asset}{payment}" }, "bids": "$.b[*]", "asks": "$.a[*]", "price": "$[0]",
          "size": { "quotient": ["$[0]", { "product": ["$[1]", 100] }] } },
        "trades": { "request": { "path": "/t/{asset}{payment}" }, "rows": "$[*]",
          "fields": { "price": "$.p", "time": { "path": "$.t", "unit": "s" }, "size": { "quotient": ["$.q", "$.p"] } } }
        """#,
      findings: [
        "8:19 warning MKT081 'size' divides the price, so it falls as the amount rises; write the amount before the price in \"quotient\""
      ]),
    Case(
      testDescription: "a pair paid with itself", scene: .market,
      config: #"""
        "symbol": { "asset": "$.b", "payment": { "path": "$['b']" } }
        """#,
      findings: [
        "7:48 MKT081 'payment' is read from the same place as 'asset'; nothing is paid for with itself; use the member that names the payment currency"
      ]),
    Case(
      testDescription: "the key of elements of lists", scene: .market,
      config: #"""
        "rows": "$.data.*[*]", "symbol": { "from": "key", "split": "-" }
        """#,
      findings: [
        "7:52 MKT046 the key of '$.data.*[*]' is an index: each row is an element of a list; read a member of the row, or the name of its list with \"up\": 1; if each list is one row, end the rows in '.*' and read its elements as \"$[0]\""
      ]),
    Case(
      testDescription: "the name of a list of elements", scene: .market,
      config: #"""
        "rows": "$.data.*[*]", "symbol": { "from": "key", "up": 1, "split": "-" }
        """#),
    Case(
      testDescription: "two keys, one above the other", scene: .market,
      config: #"""
        "rows": "$.data.*.*", "symbol": { "asset": { "from": "key", "up": 1 }, "payment": { "from": "key" } }
        """#),
    Case(
      testDescription: "the keys of an object in brackets, and a member of elements", scene: .market,
      config: #"""
        "rows": "$.data.*[*]", "symbol": { "path": "$.s", "split": "-" }, "lookups": { "a": { "request": { "path": "/a" }, "rows": "$[*]", "key": { "from": "key" } } }, "where": [{ "from": "a", "is": "present" }]
        """#),
    Case(
      testDescription: "a pair in one member", scene: .market,
      config: #"""
        "symbol": { "asset": { "path": "$.s", "capture": "(?<value>.+)-.*" }, "payment": { "path": "$.s", "capture": ".*-(?<value>.+)" } }
        """#),
    Case(
      testDescription: "the same computation", scene: .market,
      config: #"""
        "fields": { "high": { "sum": ["$.a", "$.b"] }, "low": { "sum": ["$.a", "$['b']"] } }
        """#,
      findings: [
        "7:63 warning MKT081 'low' is read from the same place as 'high'; one number cannot be both; remove the one the exchange does not have"
      ]),
    Case(
      testDescription: "prices of a candle", scene: .market,
      config: #"""
        "candles": { "request": { "path": "/c/{interval}/{asset}{payment}" }, "rows": "$[*]", "intervals": { "1m": "1m" },
        "fields": { "time": { "path": "$[0]", "unit": "s" }, "open": "$[1]", "high": "$[1]", "low": "$[2]", "close": "$[2]" } }
        """#,
      findings: [
        "8:86 warning MKT081 'high' is read from the same place as 'open'; one number cannot be both; remove the one the exchange does not have",
        "8:101 warning MKT081 'low' is read from the same place as 'close'; one number cannot be both; remove the one the exchange does not have",
      ]),
    Case(
      testDescription: "amounts of a balance", scene: .account,
      config: #"""
        "balances": { "spot": { "request": { "path": "/b/{secret:k}" }, "rows": "$[*]", "asset": "$.c", "fields": { "free": "$.f", "locked": "$.f" } },
        "cash": { "request": { "path": "/c/{secret:k}" }, "rows": "$[*]", "asset": "$.c", "fields": { "free": "$.f", "total": "$.f" } } }
        """#,
      findings: [
        "6:140 warning MKT081 'locked' is read from the same place as 'free'; one number cannot be both; remove the one the exchange does not have"
      ]),
  ]

  /// Blocks whose request names no pair.
  static let unnamed = [
    Case(
      testDescription: "trades of several pairs", scene: .market,
      config: #"""
        "trades": { "request": { "path": "/trades" }, "rows": "$[*]", "fields": { "price": "$.p", "time": { "path": "$.t", "unit": "s" } } }
        """#,
      findings: [
        "7:32 MKT060 the request does not name its asset; write {asset} and {payment}, or {symbol}, where the exchange expects the pair"
      ]),
    Case(
      testDescription: "a table of all pairs, requested by one", scene: .wholeMarket,
      config: #"""
        "tickers": { "request": { "path": "/all", "query": { "s": "{asset}_{payment}" } } }
        """#,
      findings: [
        "7:33 MKT046 {asset} has no value here: 'tickers' requests all pairs at once; move a request for one pair to 'ticker'"
      ]),
    Case(
      testDescription: "a ticker of one pair", scene: .market,
      config: #"""
        "ticker": { "request": { "path": "/one/{asset}_{payment}" } }
        """#),
    Case(
      testDescription: "trades of the only pair", scene: .market,
      config: #"""
        "symbol": { "asset": "BTC", "payment": "KRW" },
        "trades": { "request": { "path": "/trades" }, "rows": "$[*]", "fields": { "price": "$.p", "time": { "path": "$.t", "unit": "s" } } }
        """#),
  ]

  /// Values that are each read from a member with the name of the other; one name alone proves nothing.
  static let exchanges = [
    Case(
      testDescription: "price and bid", scene: .market,
      config: #"""
        "fields": { "price": "$.bidPr", "bid": "$.lastPr", "ask": "$.askPr" }
        """#,
      findings: [
        "7:30 warning MKT083 by their names, 'price' and 'bid' are each read from the place of the other; exchange the two"
      ]),
    Case(
      testDescription: "names that fit, or say nothing", scene: .market,
      config: #"""
        "fields": { "price": "$.lastBid", "bid": "$.highestBid", "ask": "$.x", "high": "$.h", "low": "$.highest" }
        """#),
    Case(
      testDescription: "wallets", scene: .account,
      config: #"""
        "walletStatus": { "request": { "path": "/w" }, "rows": "$[*]", "asset": "$.c",
        "deposit": [{ "path": "$.canWithdraw", "equals": true }], "withdraw": [{ "path": "$.canDeposit", "equals": true }] }
        """#,
      findings: [
        "7:19 warning MKT083 by their names, 'deposit' and 'withdraw' are each read from the place of the other; exchange the two"
      ]),
  ]

  /// Values that the schema refuses.
  static let kinds = [
    Case(
      testDescription: "blocks of an account and of a pair", scene: .account,
      config: #"""
        "balances": 0,
        "candles": { "intervals": ["1m"], "fields": "$.c", "lookups": 3 }, "trades": { "fields": [1], "headers": "x" }
        """#,
      findings: [
        "6:19 MKT010 expected an object, found a number",
        #"7:33 MKT010 expected an object, found an array; write "intervals": { "1h": "60min" }, with the exchange's word for each"#,
        "7:51 MKT010 expected an object, found a string",
        "7:69 MKT010 expected an object, found a number",
        "7:96 MKT010 expected an object, found an array",
        #"7:112 MKT010 expected an object, found a string; write "headers": { "NAME": "VALUE" }"#,
      ]),
    Case(
      testDescription: "nulls that remove nothing", scene: .account,
      config: #"""
        "candles": { "fields": { "turnovr": null, "open": null } },
        "trades": { "fields": { "sise": null } }
        """#,
      findings: [
        "6:32 MKT021 unknown key 'turnovr'; did you mean 'turnover'?",
        "7:31 MKT021 unknown key 'sise'; did you mean 'size'?",
      ]),
    Case(
      testDescription: "accounts and their keys", scene: .account,
      config: #"""
        "balances": { "spot": [] },
        "walletStatus": { "request": { "path": "/w" }, "rows": "$[*]", "asset": 1.5,
        "deposit": [{ "path": "$.d", "equals": 1 }], "withdraw": [{ "path": "$.w", "equals": 1 }] }
        """#,
      findings: [
        "6:29 MKT010 expected an object, found an array",
        "7:79 MKT010 expected a string or an object, found a number",
      ]),
    Case(
      testDescription: "streams", scene: .market,
      config: #"""
        "streams": { "lookups": "x", "set": "x", "headers": "x", "aliases": "x",
        "ticker": { "fields": "$.c", "subscribe": "{symbol}" }, "urls": ["wss://stream.example"] }
        """#,
      findings: [
        "7:33 MKT010 expected an object, found a string",
        "7:45 MKT010 expected an object, found a string",
        #"7:61 MKT010 expected an object, found a string; write "headers": { "NAME": "VALUE" }"#,
        #"7:77 MKT010 expected an object, found a string; write "aliases": { "XBT": "BTC" }"#,
        "8:31 MKT010 expected an object, found a string",
      ]),
    Case(
      testDescription: "the only fields", scene: .exchanges,
      config: #"""
        "E": { "baseUrls": ["https://e.example"], "rows": "$[*]", "symbol": { "path": "$.s", "split": "-" },
        "markets": { "spot": { "tickers": { "request": { "path": "/t" }, "fields": ["$.a"], "aliases": 5 } } } }
        """#,
      findings: [
        "4:80 MKT010 expected an object, found an array",
        #"4:100 MKT010 expected an object, found a number; write "aliases": { "XBT": "BTC" }"#,
      ]),
    Case(
      testDescription: "fields of candles and of messages", scene: .market,
      config: #"""
        "candles": { "request": { "path": "/{asset}{payment}/{interval}" }, "rows": "$[*]", "intervals": { "1m": 1 },
          "fields": "$.c" },
        "streams": { "urls": ["wss://stream.example"], "symbol": "$.s", "trades": { "subscribe": ["{symbol}"], "fields": 5 } }
        """#,
      findings: [
        "8:21 MKT010 expected an object, found a string", "9:122 MKT010 expected an object, found a number",
      ]),
    Case(
      testDescription: "beside what is reported already", scene: .market,
      config: #"""
        "limit": { "requests": 1, "per": "1s" }, "ticker": { "limit": 5, "request": { "path": "/{asset}{payment}" } }, "orderbook": { "lookups": "x" }
        """#,
      findings: [
        #"7:71 MKT010 expected an object, found a number; write "limit": { "requests": 5, "per": "1s" }"#,
        "7:146 MKT010 expected an object, found a string",
      ]),
  ]

  /// Names that stand for something else than was meant.
  static let aliases = [
    Case(
      testDescription: "a name that everyone knows", scene: .top,
      config: #"""
        "aliases": { "BTC": "ETH", "KRW": "USD", "WBTC": "BTC" }
        """#,
      findings: [
        "2:16 warning MKT068 'BTC' is a currency of its own, not another name of 'ETH'; an alias is another name of the same asset; if one exchange uses it, write it there",
        "2:30 warning MKT068 'KRW' is a currency of its own, not another name of 'USD'; an alias is another name of the same asset; if one exchange uses it, write it there",
      ]),
    Case(
      testDescription: "an alias of an alias", scene: .top,
      config: #"""
        "aliases": { "A": "B", "B": "C", "D": "B" }
        """#,
      findings: [
        #"2:16 warning MKT068 'A' stands for 'B', which is itself an alias of 'C'; aliases are followed one step; write "A": "C", or remove the other"#,
        #"2:36 warning MKT068 'D' stands for 'B', which is itself an alias of 'C'; aliases are followed one step; write "D": "C", or remove the other"#,
      ]),
    Case(
      testDescription: "two networks that are one name, one that names itself, a cycle, a chain", scene: .top,
      config: #"""
        "networks": { "ERC-20": "TRX", "erc20": "SOL", "E T H": "ETH",
        "A": "B", "B": "A", "C": "D", "D": "F" }
        """#,
      findings: [
        "2:17 warning MKT064 the alias 'ERC-20' has no effect: 'erc20' is the same name, and takes precedence",
        "2:50 warning MKT064 the alias 'E T H' has no effect: it names itself",
        "3:3 MKT057 circular aliases: A -> B -> A",
        #"3:23 warning MKT068 'C' stands for 'D', which is itself an alias of 'F'; aliases are followed one step; write "C": "F", or remove the other"#,
      ]),
    Case(
      testDescription: "exchanges may swap names", scene: .exchanges,
      config: #"""
        "E": { "baseUrls": ["https://e.example"], "request": { "path": "/t" }, "rows": "$[*]", "symbol": { "path": "$.s", "split": "-" },
        "aliases": { "LUNA": "LUNC", "LUNA2": "LUNA" }, "fields": { "price": "$.p" }, "markets": { "spot": { "tickers": {} } } }
        """#),
  ]

  /// Lists with entries that cannot be, or are there twice.
  static let lists = [
    Case(
      testDescription: "pairs that cannot be", scene: .top,
      config: #"""
        "watchlist": [{ "asset": "BTC", "payment": "btc" }, { "asset": "", "payment": "K W" }, { "asset": "BTC/KRW", "payment": "KRW" },
        { "asset": "KRW", "payment": "BTC" }, { "asset": "EUR", "payment": "USD" }],   "exchanges": {
            "Example": {
              "baseUrls": ["https://api.exchange.example"],
              "rows": "$.data[*]", "symbol": { "path": "$.symbol", "split": "-" }, "fields": { "price": "$.last" },
              "markets": { "spot": {
                "paymentCurrencies": { "a": ["USD", "KRW", "BTC"] }, "tickers": { "request": { "path": "/tickers" } } } } } }
        """#,
      findings: [
        "2:17 warning MKT067 'BTC' cannot be paid in itself; 'payment' is the currency that the asset is priced in",
        #"2:66 MKT017 expected the symbol of an asset such as "BTC""#,
        #"2:81 MKT017 expected the symbol of an asset such as "BTC""#,
        #"2:101 MKT017 expected the symbol of an asset such as "BTC""#,
        "3:3 warning MKT067 no enabled exchange lists 'KRW/BTC'; did you mean 'BTC/KRW'?",
      ]),
    Case(
      testDescription: "one pair under two names", scene: .top,
      config: #"""
        "aliases": { "XBT": "BTC" }, "watchlist": [{ "asset": "XBT", "payment": "KRW" },
        { "asset": "btc", "payment": "KRW" }]
        """#,
      findings: [
        "2:46 warning MKT067 no enabled exchange lists 'XBT/KRW'; a market lists a pair if its 'paymentCurrencies' include the payment currency",
        "3:3 warning MKT066 duplicate pair 'BTC/KRW'; already on line 2",
      ]),
    Case(
      testDescription: "currencies listed twice, and an empty one", scene: .market,
      config: #"""
        "paymentCurrencies": { "a": ["KRW", "BTC", "KRW"],
        "b": { "currencies": ["USDT", "BTC", ""] } }
        """#,
      findings: [
        "7:52 warning MKT066 duplicate payment currency 'KRW'; already on line 7; remove one of the two",
        "8:39 warning MKT066 duplicate payment currency 'BTC'; already on line 7; remove one of the two",
        #"8:46 MKT017 expected the symbol of a currency such as "USDT""#,
      ]),
    Case(
      testDescription: "an exchange that is open and retired", scene: .exchanges,
      config: #"""
        "Example": { "names": ["예"], "baseUrls": ["https://e.example"], "request": { "path": "/t" }, "rows": "$[*]", "symbol": { "path": "$.s", "split": "-" }, "fields": { "price": "$.p" }, "markets": { "spot": { "tickers": {} } } } },
        "retired": { "EXAMPLE": { "since": "2025-02-29" }, "Gone": { "since": "2024-02-29", "names": ["예"] }
        """#,
      findings: [
        "4:18 warning MKT004 'EXAMPLE' has closed, but also names the exchange 'Example'; disable Example, or remove this",
        #"4:40 MKT017 expected a day such as "2026-01-31""#,
        "4:99 warning MKT004 '예' has closed, but also names the exchange 'Example'; disable Example, or remove this",
      ]),
    Case(
      testDescription: "one exchange twice, in two spellings", scene: .exchanges,
      config: #"""
        "Alpha": { "names": ["알파", "A1"], "baseUrls": ["https://e.example"], "request": { "path": "/t" }, "rows": "$[*]", "symbol": { "path": "$.s", "split": "-" }, "fields": { "price": "$.p" }, "markets": { "spot": { "tickers": {} } } },
        "al-pha": { "names": ["알파", "A2"], "baseUrls": ["https://e.example"], "request": { "path": "/t" }, "rows": "$[*]", "symbol": { "path": "$.s", "split": "-" }, "fields": { "price": "$.p" }, "markets": { "spot": { "tickers": {} } } }
        """#,
      findings: [
        "4:5 MKT004 'al-pha' also names the exchange 'Alpha'; names are compared ignoring case, spaces and punctuation; choose another"
      ]),
    Case(
      testDescription: "names that cannot be typed", scene: .exchanges,
      config: #"""
        " ": { "baseUrls": ["https://e.example"], "request": { "path": "/t" }, "rows": "$[*]", "symbol": { "path": "$.s", "split": "-" }, "fields": { "price": "$.p" }, "markets": { "spot": { "tickers": {} } } },
        "A\u0007b": { "baseUrls": ["https://e.example"], "request": { "path": "/t" }, "rows": "$[*]", "symbol": { "path": "$.s", "split": "-" }, "fields": { "price": "$.p" }, "markets": { "spot": { "tickers": {} } } },
        "A\u200bc": { "baseUrls": ["https://e.example"], "request": { "path": "/t" }, "rows": "$[*]", "symbol": { "path": "$.s", "split": "-" }, "fields": { "price": "$.p" }, "markets": { "spot": { "tickers": {} } } }
        """#,
      findings: [
        "3:10 MKT017 expected a name that can be typed", "4:17 MKT017 expected a name that can be typed",
        "5:17 MKT017 expected a name that can be typed",
      ]),
    Case(
      testDescription: "a request that costs more than its limit", scene: .market,
      config: #"""
        "limit": { "requests": 10, "per": "1s" }, "ticker": { "request": { "path": "/{asset}{payment}", "cost": 11 } },
        "trades": { "request": { "path": "/trades/{asset}{payment}", "cost": 10 }, "rows": "$[*]", "fields": { "price": "$.p", "time": { "path": "$.t", "unit": "s" } } }
        """#,
      findings: [
        "7:113 warning MKT013 a cost of 11 is more than the limit of 10 allows at once; lower the cost, or raise the 'requests' of the limit: the request waits until so much is allowed"
      ]),
  ]

  /// Rates that a provider cannot give.
  static let rates = [
    Case(
      testDescription: "a provider asked before", scene: .rates,
      config: #"""
        "providers": { "A": { "pairs": ["*/*"], "baseUrls": ["https://rates.example"], "rate": { "request": { "path": "/latest" }, "rows": "$", "symbol": "request", "fields": { "rate": "$.rate" } } } },
        "routes": { "USD/KRW": { "rules": [{ "from": "09:00", "use": "A" }, { "use": "A" },
        { "from": "10:00", "use": "A" }] } }
        """#,
      findings: [
        "11:5 warning MKT073 during 10:00-24:00 the rule on line 10 also applies, and takes precedence; end one where the other begins, or give both the same hours",
        "11:31 warning MKT076 this rule has no effect: the one on line 10 asks 'A' at any time; remove one of the two rules",
      ]),
    Case(
      testDescription: "a price of another pair", scene: .rates,
      config: #"""
        "providers": { "A": { "pairs": ["*/*"], "baseUrls": ["https://rates.example"], "rate": { "request": { "path": "/latest" }, "rows": "$", "symbol": "request", "fields": { "rate": "$.rate" } } },
        "B": { "pairs": ["USD/KRW"], "ticker": { "exchange": "Example", "asset": "BTC", "payment": "KRW" } },
        "C": { "pairs": ["USD/KRW"], "ticker": { "exchange": "Example", "asset": "USDC", "payment": "KRW" } } },
        "routes": { "USD/KRW": { "rules": [{ "use": "A" }, { "use": "B" }, { "use": "C" }] } }
        """#,
      findings: [
        "10:44 warning MKT076 'B' gives USD/KRW, but the price of BTC/KRW is another rate; write a pair of the same currencies; USD may be one of the 'dollarTokens'"
      ]),
    Case(
      testDescription: "a price that the exchange does not have", scene: .top,
      config: #"""
          "exchanges": {
            "Example": {
              "baseUrls": ["https://api.exchange.example"],
              "rows": "$.data[*]", "symbol": { "path": "$.symbol", "split": "-" }, "fields": { "price": "$.last" },
              "markets": { "spot": {
                "paymentCurrencies": { "a": ["USDT"] }, "tickers": { "request": { "path": "/tickers" } } } } } }, "fx": {
        "providers": { "B": { "pairs": ["USD/KRW"], "ticker": { "exchange": "Example", "asset": "USDT", "payment": "KRW" } } } }
        """#,
      findings: [
        "8:110 warning MKT067 the exchange 'Example' does not list 'USDT/KRW'; a market lists a pair if its 'paymentCurrencies' include the payment currency"
      ]),
  ]

  /// Keys of an exchange that starts from another, on levels that the other's own are nearer than.
  static let levels = [
    Case(
      testDescription: "keys hidden by those of another exchange", scene: .exchanges,
      config: #"""
        "Example": {
          "baseUrls": ["https://api.exchange.example"], "request": { "path": "/tickers" }, "rows": "$[*]",
          "symbol": { "path": "$.symbol", "split": "-" }, "fields": { "price": "$.p" },
          "markets": {
            "spot": { "refresh": "2s", "fields": { "price": "$.last", "bid": "$.b" }, "tickers": { "staleAfter": "9s" } },
            "futures": { "enabled": false, "takerFee": 0.1, "tickers": { "request": { "path": "/futures" } } } } },
        "Copy": {
          "like": "Example", "baseUrls": ["https://copy.exchange.example"], "refresh": "3s", "takerFee": 0.2,
          "fields": { "bid": "$.bid", "ask": "$.ask" },
          "markets": { "spot": { "staleAfter": "8s", "fields": { "price": "$.price" } }, "futures": { "enabled": false } } }
        """#,
      findings: [
        "10:73 warning MKT069 'refresh' has no effect on 'markets.spot', which has its own; the nearest level wins; write it in 'markets.spot'",
        "11:19 warning MKT069 'fields.bid' has no effect on 'markets.spot', which has its own; the nearest level wins; write it in 'markets.spot'",
        "12:30 warning MKT069 'staleAfter' has no effect on 'markets.spot.tickers', which has its own; the nearest level wins; write it in 'markets.spot.tickers'",
      ])
  ]

  @Test(arguments: [streams, places, unnamed, exchanges, kinds, aliases, lists, rates, levels].flatMap(\.self))
  func finds(
    _ sample: Case
  ) {
    let story = DiagnosticExplanation(.notJSON, "", "", in: sample.scene, wrong: sample.config, right: "")
    #expect(lines(story.config(of: sample.config)) == sample.findings)
  }

  func lines(_ text: String, over shipped: String = "", crypto: (any Cryptography)? = nil) -> [String] {
    review(text, over: shipped, crypto: crypto).findings.map(\.line)
  }

  func review(_ text: String, over shipped: String = "", crypto: (any Cryptography)? = nil) -> ConfigReview {
    ConfigReview(
      .init(name: "exchanges.json", bytes: Array(text.utf8)),
      builtin: .init(name: "builtin", bytes: Array(shipped.utf8), origin: .shipped), hooks: [],
      crypto: crypto)
  }
}

extension Finding {
  /// `3:14 MKT021 unknown key 'symbl'; did you mean 'symbol'?`
  var line: String {
    let kind = severity == .warning ? "warning " : ""
    return "\(startText) \(kind)\(code.rawValue) \(message)" + (help.map { "; \($0)" } ?? "")
  }
}
