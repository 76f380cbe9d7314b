import JSON
import Testing

@testable import Config
@testable import Lint

/// What the checks of the whole config report, and what they accept.
@Suite struct ValidatorTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let scene: DiagnosticExplanation.Scene
    let config: String
    /// The `line:column code` of each finding, in text order.
    var findings: [String] = []
  }

  @Test(arguments: [
    Case(
      testDescription: "a cycle of three is one finding", scene: .top,
      config: #""aliases": { "A": "B", "B": "C", "C": "A", "D": "A" }"#, findings: ["2:16 MKT057"]),
    Case(
      testDescription: "an exchange's alias and a global one may form a cycle", scene: .top,
      config: #""aliases": { "A": "B" }, "exchanges": {"# + "\n"
        + #""E": { "baseUrls": ["https://e.example"], "request": { "path": "/{asset}{payment}" }, "rows": "$", "symbol": "request","#
        + "\n"
        + #""aliases": { "B": "A" }, "fields": { "price": "$.p" }, "markets": { "spot": { "ticker": {} } } } }"#,
      findings: ["4:16 MKT057"]),
    Case(
      testDescription: "an alias that every market replaces", scene: .exchanges,
      config:
        #""E": { "baseUrls": ["https://e.example"], "request": { "path": "/{asset}{payment}" }, "rows": "$", "symbol": "request","#
        + "\n"
        + #""aliases": { "A": "B" }, "fields": { "price": "$.p" },"# + "\n"
        + #""markets": { "spot": { "aliases": { "A": "C" }, "ticker": {} } } }"#,
      findings: ["4:18 MKT064"]),
    Case(
      testDescription: "constants, list names and templates are not secrets", scene: .wholeMarket,
      config:
        #""tickers": { "request": { "path": "/t", "query": { "api_key": "{secret:api_key}", "keys": "BTC-USDT,ETH-USDT,XRP-USDT", "token": "BTC", "cursor": "a1b2c3d4e5f6a7b8c9d0" } } }"#
    ),
    Case(
      testDescription: "a secret in a header and in a body", scene: .wholeMarket,
      config: #""headers": { "Authorization": "Bearer a1B2c3D4e5F6a7B8c9D0" },"# + "\n"
        + #""tickers": { "request": { "method": "POST", "path": "/t", "body": { "auth": { "secret": "a1B2c3D4e5F6a7B8c9D0" } } } }"#,
      findings: ["7:39 MKT054", "8:97 MKT054"]),
    Case(
      testDescription: "secrets in what is signed, but not those of known answers", scene: .account,
      config: #"""
        "auth": { "values": { "sign": { "hmac-sha256": "{now.ms}9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c{body}", "key": "hunter2" },
        "token": { "jwt-hs256": { "nonce": "{uuid}", "access_key": "a1B2c3D4e5F6a7B8c9D0" }, "key": "{secret:secret}" } },
        "headers": { "X-KEY": "{secret:apiKey}", "X-SIGN": "{sign|hex}", "X-TOKEN": "{token}" },
        "vectors": [{ "secrets": { "apiKey": "9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c", "secret": "hunter2" }, "request": { "path": "/x" },
        "sent": { "headers": { "X-KEY": "9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c", "X-SIGN": "00", "X-TOKEN": "t" } } }] }
        """#, findings: ["6:54 MKT054", "6:111 MKT054", "7:66 MKT054"]),
    Case(
      testDescription: "parts that send one request", scene: .wholeMarket,
      config:
        #""tickers": { "request": { "path": "/t" }, "forEach": [{ "set": { "page": "1" } }, { "set": { "page": "2" } }] }"#,
      findings: ["7:33 MKT061"]),
    Case(
      testDescription: "parts with requests of their own", scene: .wholeMarket,
      config:
        #""tickers": { "request": { "path": "/t/{page}" }, "forEach": [{ "set": { "page": "1" } }, { "set": { "page": "2" } }] }"#
    ),
    Case(
      testDescription: "parts with rows of their own", scene: .wholeMarket,
      config:
        #""tickers": { "request": { "path": "/t" }, "forEach": [{ "where": [{ "path": "$.k", "equals": 1 }] }, { "where": [{ "path": "$.k", "equals": 2 }] }] }"#
    ),
    Case(
      testDescription: "spot prices as those of futures", scene: .exchanges,
      config: #"""
        "E": { "baseUrls": ["https://e.example"], "request": { "path": "/t" }, "rows": "$[*]", "symbol": { "path": "$.s", "split": "-" },
        "fields": { "price": "$.p" }, "markets": { "spot": { "tickers": {} }, "futures": { "paymentCurrencies": { "a": ["USDT"] }, "tickers": {} } } }
        """#, findings: ["3:58 MKT061"]),
    Case(
      testDescription: "a price of each market in one row", scene: .exchanges,
      config: #"""
        "E": { "baseUrls": ["https://e.example"], "request": { "path": "/t" }, "rows": "$[*]", "symbol": { "path": "$.s", "split": "-" },
        "fields": { "price": "$.p" }, "markets": { "spot": { "tickers": {} }, "futures": { "fields": { "price": "$.last" }, "tickers": {} } } }
        """#),
    Case(
      testDescription: "pairs of each market in one answer", scene: .exchanges,
      config: #"""
        "E": { "baseUrls": ["https://e.example"], "request": { "path": "/t" }, "rows": "$[*]", "symbol": { "path": "$.s", "split": "-" },
        "fields": { "price": "$.p" }, "markets": { "spot": { "paymentCurrencies": { "a": ["KRW"] }, "tickers": {} }, "futures": { "paymentCurrencies": { "a": ["USDT"] }, "tickers": {} } } }
        """#),
    Case(
      testDescription: "a constant in place of a missing number, but not of a factor", scene: .market,
      config: #"""
        "fields": { "volume24": { "first": ["$.v", 0] }, "open": { "first": ["$.o", "$.c"] }, "turnover24": { "product": ["$.v", { "first": ["$.n", 1] }] } }
        """#, findings: ["7:52 MKT059"]),
    Case(
      testDescription: "the side of a maker read the wrong way round", scene: .market,
      config: #"""
        "trades": { "request": { "path": "/t/{asset}{payment}" }, "rows": "$[*]",
        "fields": { "price": "$.p", "time": { "path": "$.t", "unit": "s" }, "side": { "path": "$.isBuyerMaker", "buy": ["True", "y"], "sell": "false" } } }
        """#, findings: ["8:85 MKT082"]),
    Case(
      testDescription: "a seller who is the maker", scene: .market,
      config: #"""
        "trades": { "request": { "path": "/t/{asset}{payment}" }, "rows": "$[*]",
        "fields": { "price": "$.p", "time": { "path": "$.t", "unit": "s" }, "side": { "path": "$.is_seller_maker", "buy": true, "sell": false } } }
        """#),
    Case(
      testDescription: "a flag that does not say whose it is, and one that may be left out", scene: .market,
      config: #"""
        "trades": { "request": { "path": "/t/{asset}{payment}" }, "rows": "$[*]",
        "fields": { "price": "$.p", "time": { "path": "$.t", "unit": "s" }, "side": { "first": ["$.isMaker", "false"], "buy": true, "sell": false } } }
        """#),
    Case(
      testDescription: "members whose names say something else, alone and as alternatives", scene: .market,
      config: #"""
        "fields": { "price": { "first": ["$.last", "$.index_price"] }, "volume24": "$.vol7d" },
        "ticker": { "fields": { "price": { "path": "$.mid" }, "volume24": null } }
        """#, findings: ["7:52 MKT083", "7:84 MKT083", "8:42 MKT083"]),
    Case(
      testDescription: "a price with the basis that its name says, and names that say nothing", scene: .market,
      config: #"""
        "fields": { "price": { "first": ["$.p", { "path": "$.ctx.markPx", "basis": "mark" }] }, "volume24": "$.volume24h" },
        "ticker": { "fields": { "price": { "path": "$.mark", "basis": "last" }, "open": "$.open7d" } }
        """#),
    Case(
      testDescription: "JSON braces in a string are balanced", scene: .wholeMarket,
      config: #""ticker": { "request": { "method": "POST", "path": "/t", "body": "{{\"s\": \"{asset}\"}" } }"#),
    Case(
      testDescription: "an extra brace in a path's name", scene: .market,
      config: #""fields": { "volume24": "$['vol_asset}']" }"#, findings: ["7:46 MKT030"]),
    Case(
      testDescription: "a narrower rule may come first", scene: .market,
      config:
        #""symbol": { "path": "$.s", "rules": [{ "prefix": "X", "skip": true }, { "suffix": "P", "split": "-" }, { "split": "-" }] }"#
    ),
    Case(
      testDescription: "everything is dropped before", scene: .market,
      config: #""symbol": { "path": "$.s", "rules": [{ "skip": true }, { "split": "-" }] }"#,
      findings: ["7:64 MKT056"]),
    Case(
      testDescription: "the same expression twice", scene: .market,
      config:
        #""symbol": { "path": "$.s", "rules": [{ "match": "(?<asset>.+)-(?<payment>U.+)" }, { "match": "(?<asset>.+)-(?<payment>U.+)", "product": "x" }] }, "paymentCurrencies": { "a": ["USDT", "EUR"] }"#,
      findings: ["7:91 MKT056", "7:192 MKT055"]),
    Case(
      testDescription: "a factor of a part and of the whole", scene: .market,
      config: #""fields": { "turnover24": { "product": ["$.a", { "path": "$.b", "scale": "0.1" }], "scale": 10 } }"#,
      findings: ["7:101 MKT058"]),
    Case(
      testDescription: "a factor of each part alone", scene: .market,
      config: #""fields": { "turnover24": { "product": ["$.a", { "path": "$.b", "scale": "0.1" }] } }"#),
    Case(
      testDescription: "levels that are not objects", scene: .wholeMarket,
      config: #""fields": 5, "aliases": [],"# + "\n"
        + #""tickers": { "request": { "path": "/t" }, "forEach": [{ "set": [] }] }, "ticker": "x""#,
      findings: ["7:19 MKT010", "7:33 MKT010", "8:72 MKT010", "8:91 MKT010"]),
    Case(
      testDescription: "all problems of a table in one run", scene: .market,
      config:
        #""request": { "path": "/{" }, "rows": "$[", "baseUrls": [], "symbol": { "path": "$.s", "rules": [{}, { "match": "(" }] },"#
        + "\n"
        + #""fields": { "price": { "sum": [] }, "bid": "x" }, "limit": { "requests": 0, "per": "x" }"#,
      findings: [
        "7:32 MKT033", "7:49 MKT031", "7:64 MKT010", "7:105 MKT011", "7:121 MKT035", "8:39 MKT010", "8:52 MKT037",
        "8:82 MKT013",
        "8:92 MKT014",
      ]),
    Case(
      testDescription: "a malformed day, address and hour", scene: .rates,
      config:
        #""providers": { "Example": { "pairs": ["USD/*"], "baseUrls": ["https://rates.example"], "docs": "rates.example","#
        + "\n"
        + #""refresh": { "every": "1h", "at": "00:30" },"# + "\n"
        + #""rate": { "verified": "2026-13-01", "request": { "path": "/latest" }, "rows": "$", "symbol": "request", "fields": { "rate": "$.rate" } } } }"#,
      findings: ["9:100 MKT017", "10:39 MKT017", "11:27 MKT017"]),
    Case(
      testDescription: "overridden blocks are read too", scene: .wholeMarket,
      config: #""rows": "$[", "limit": { "requests": 1 }, "fields": { "bid": { "path": "$.b", "scale": "hundred" } },"#
        + "\n"
        + #""tickers": { "request": { "path": "/t" }, "rows": "$", "limit": null, "fields": { "bid": null } }"#,
      findings: ["7:20 MKT031", "7:32 MKT011", "7:96 MKT013"]),
    Case(
      testDescription: "more lookups than needed", scene: .market,
      config: #""lookups": {"#
        + (0...200).map { #""l\#($0)": { "rows": "$[*]", "key": "$.k" }"# }.joined(separator: ", ") + "}",
      findings: ["7:8311 MKT013"]),
    Case(
      testDescription: "a misspelt key is one finding, whatever it makes missing", scene: .wholeMarket,
      config: #""tikcers": { "request": { "path": "/t" }, "forEach": [{ "set": { "a": "x" } }] },"# + "\n"
        + #""ticker": { "request": { "path": "/{a}/{asset}" } }"#,
      findings: ["7:9 MKT021"]),
    Case(
      testDescription: "problems inside a misspelt block are found", scene: .market,
      config: #""feilds": { "pirce": "$.last", "bid": "$.[" }"#,
      findings: ["7:9 MKT021", "7:21 MKT021", "7:50 MKT031"]),
    Case(
      testDescription: "a key missing from several tables is one finding", scene: .exchanges,
      config: #""E": { "baseUrls": ["https://e.example"], "symbol": "request", "fields": { "price": "$.p" },"# + "\n"
        + #""markets": { "spot": { "tickers": { "request": { "path": "/a" } } },"# + "\n"
        + #""futures": { "tickers": { "request": { "path": "/b" } } } } }"#,
      findings: ["4:16 MKT011"]),
    Case(
      testDescription: "all keys missing from one table are one finding", scene: .exchanges,
      config: #""E": { "baseUrls": ["https://e.example"], "markets": { "spot": { "tickers": {} } } }"#,
      findings: ["3:81 MKT011"]),
    Case(
      testDescription: "rules after one that removes a listed currency", scene: .market,
      config:
        #""paymentCurrencies": { "a": ["USDT", "EUR"] }, "symbol": { "path": "$.s", "rules": [{ "split": "payment" },"#
        + "\n" + #"{ "split": "-" },"# + "\n" + #"{ "suffix": "USDT", "payment": "USDT" },"# + "\n"
        + #"{ "match": "(?<asset>.+)_(?<payment>USDT|EUR)" },"# + "\n"
        + #"{ "match": "(?<asset>.+)_(?<payment>USDT|KRW)" },"# + "\n" + #"{ "suffix": "PERP", "payment": "EUR" },"#
        + "\n" + #"{ "split": "-", "order": "payment-asset" }] }"#,
      findings: ["8:9 MKT056", "9:9 MKT056", "10:9 MKT056", "13:9 MKT056"]),
    Case(
      testDescription: "a doubled brace before a placeholder, in a request, a book and a path", scene: .wholeMarket,
      config: #""ticker": { "request": { "path": "/t", "query": { "s": "{{asset}{payment}" } } },"# + "\n"
        + #""orderbook": { "request": { "path": "/b/{{asset}}" }, "bids": "$..b", "asks": "$.a", "price": "$[0]", "size": "$[1]" },"#
        + "\n" + #""fields": { "bid": "$['{{asset}']" }"#,
      findings: ["7:65 MKT049", "8:49 MKT049", "8:73 MKT050", "9:32 MKT049"]),
    Case(
      testDescription: "two dots in a quoted name are no descent", scene: .wholeMarket,
      config: #""ticker": { "request": { "path": "/t" } },"# + "\n"
        + #""orderbook": { "request": { "path": "/b/{asset}-{payment}" }, "bids": "$['a\\'..b']", "asks": "$.a", "price": "$[0]", "size": "$[1]" }"#,
      findings: []),
    Case(
      testDescription: "a day with a day of the year", scene: .market,
      config: #""paymentCurrencies": { "a": ["USDT"] }, "verified": "2026-001-1""#, findings: ["7:61 MKT017"]),
    Case(
      testDescription: "an unknown source and an invalid name", scene: .market,
      config: #""symbol": { "path": "$.s", "payment": 1.5 }, "fields": { "bid": { "scale": 100 } }"#,
      findings: ["7:47 MKT010", "7:73 MKT011"]),
  ])
  func finds(_ sample: Case) {
    let story = DiagnosticExplanation(.notJSON, "", "", in: sample.scene, wrong: sample.config, right: "")
    let found = ConfigReview(of: story.config(of: sample.config)).findings
    #expect(found.map { "\($0.startText) \($0.code.rawValue)" } == sample.findings)
  }

  /// An account's lookups are used by its rows, by conditions and by the values read for a network.
  @Test(arguments: [
    (#""asset": { "from": "names", "path": "$.n" }"#, true),
    (#""asset": "$.a", "message": { "from": "names", "path": "$.n" }"#, true),
    (#""asset": "$.a""#, false),
  ])
  func accountLookupsCountAsUsed(_ asset: String, isUsed: Bool) {
    let text = #"""
      { "version": 1, "exchanges": { "A": { "baseUrls": ["https://a.example"], "rows": "$[*]", "symbol": "request",
        "fields": { "price": "$.p" }, "markets": { "spot": { "ticker": { "request": { "path": "/{asset}{payment}" } } } },
        "walletStatus": { "request": { "path": "/w" }, "rows": "$[*]", \#(asset),
          "lookups": { "names": { "request": { "path": "/n" }, "rows": "$[*]", "key": "$.a" } },
          "deposit": [{ "path": "$.d", "equals": 1 }], "withdraw": [{ "path": "$.w", "equals": 1 }] } } } }
      """#
    #expect(ConfigReview(of: text).findings.map(\.code) == (isUsed ? [] : [.unusedLookup]))
  }

  /// A value used only by an heir counts as used; one that is used by none is reported where it is defined.
  @Test func heirsUseWhatTheyInherit() {
    let base =
      #""A": { "baseUrls": ["https://a.example"], "request": { "path": "/{asset}{payment}" }, "rows": "$[*]", "symbol": "request","#
      + "\n"
      + #""lookups": { "book": { "request": { "path": "/b" }, "rows": "$[*]", "key": "$.s" } },"# + "\n"
      + #""fields": { "price": "$.p" }, "markets": { "spot": { "ticker": {} } } }"#
    let heir =
      #""B": { "like": "A", "baseUrls": ["https://b.example"], "fields": { "bid": { "from": "book", "path": "$.b" } } }"#
    #expect(ConfigReview(of: "{ \"version\": 1, \"exchanges\": {\n\(base) } }").findings.map(\.code) == [.unusedLookup])
    #expect(ConfigReview(of: "{ \"version\": 1, \"exchanges\": {\n\(base),\n\(heir) } }").findings == [])
  }
}
