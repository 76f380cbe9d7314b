import Config
import HTTP
import Quotes
import Testing

/// The levels exchange, market, tickers and part; the nearest wins.
@Suite struct LevelTests {
  /// An exchange that sets the same keys at every level.
  static let nested = #"""
    {"version": 1, "exchanges": {"Exchange": {
      "baseUrls": ["https://exchange.test"], "rows": "$[*]", "symbol": {"path": "$.s", "split": "-"},
      "headers": {"A": "exchange", "B": "exchange"}, "limit": {"requests": 5, "per": "1s"},
      "fields": {"price": {"path": "$.p", "scale": 100}, "bid": "$.b", "ask": "$.a", "open": "$.o"},
      "aliases": {"XBT": "BTC"}, "multiplier": {"1000": 1000, "k": 1000}, "paymentCurrencies": {"a": ["USD"]},
      "where": [{"path": "$.x", "equals": 1}],
      "markets": {
        "spot": {
          "headers": {"B": "market", "C": "market"}, "fields": {"price": "$.q", "ask": null},
          "aliases": {"XDG": "DOGE"}, "multiplier": {"k": null}, "paymentCurrencies": {"b": ["EUR"]},
          "tickers": {
            "request": {"path": "/all", "query": {"n": "{n}"}}, "where": [],
            "lookups": {"l": {"request": {"path": "/l"}, "rows": "$[*]", "key": "$.s"}},
            "batch": {"of": "l"},
            "forEach": [
              {"set": {"n": 1}, "baseUrls": ["https://one.test"], "fields": {"bid": "$.bid"}},
              {"set": {"n": 2}, "headers": null, "fields": null, "limit": null}]},
          "ticker": {"request": {"path": "/one"}, "rows": "$", "fields": {"high": "$.h"}}}}}}}
    """#

  @Test func nearestWins() throws {
    let exchange = try TestExchange.read(in: TestExchange.configuration(Self.nested))
    try #require(exchange.spot.count == 2)
    let (one, two) = (exchange.spot[0], exchange.spot[1])
    // Members merge individually; a single value is replaced entirely, scale included; null removes.
    #expect(one.fieldTexts == [#"bid="$.bid""#, #"open="$.o""#, #"price="$.q""#])
    #expect(one.headerNames == ["A", "B", "C"])
    #expect(one.headers.map { $0.value.pieces.count } == [1, 1, 1])
    #expect(one.aliases.map(\.from) == ["XBT", "XDG"])
    #expect(one.multipliers.map(\.mark) == ["1000"])
    // Everything else is replaced entirely.
    #expect(one.paymentCurrencies.map(\.name) == ["b"])
    #expect(one.conditions.isEmpty)
    #expect(one.baseURLs == ["https://one.test"])
    #expect(one.limit.map { [$0.requests, $0.perMilliseconds] } == [5, 1000])
    #expect(one.set.map(\.value) == ["1"])
    #expect(one.batch?.maximum == 200)
    // A part without fields: null removes what is inherited.
    #expect(two.fieldTexts == [])
    #expect(two.headerNames == [])
    #expect(two.limit == nil)
    #expect(two.baseURLs == ["https://exchange.test"])
    #expect(two.set.map(\.value) == ["2"])
  }

  /// What an account holds are the coins of the spot market, under its names; all else is the exchange's.
  @Test func accountsTakeTheNamesOfTheSpotMarket() throws {
    let account = #"""
      "auth": {"headers": {"K": "{secret:apiKey}"}},
      "balances": {"futures": {"request": {"path": "/b"}, "asset": "$.a", "fields": {"free": "$.f"}, "rows": "$[*]",
        "aliases": {"XDG": null, "ZZ": "Z"}}},
      "walletStatus": {"request": {"path": "/w"}, "asset": "$.a", "rows": "$[*]",
        "deposit": [{"path": "$.d", "equals": 1}], "withdraw": [{"path": "$.w", "equals": 1}]},
      "markets"
      """#
    let text = Self.nested.replacing(#""markets""#, with: account)
    let spec = try #require(try TestExchange.read(in: TestExchange.configuration(text)).account)
    let tables = (spec.balances.flatMap(\.parts) + spec.wallets.map(\.part)).map(\.table)
    #expect(tables.map { $0.aliases.map(\.from) } == [["XBT", "ZZ"], ["XBT", "XDG"]])
    #expect(tables.map { $0.multipliers.map(\.mark) } == [["1000"], ["1000"]])
    #expect(tables.map(\.headerNames) == [["A", "B"], ["A", "B"]])
    #expect(tables.map(\.baseURLs) == [["https://exchange.test"], ["https://exchange.test"]])
  }

  /// `ticker` builds on its part, without the batch.
  @Test func tickerBuildsOnItsPart() throws {
    let exchange = try TestExchange.read(in: TestExchange.configuration(Self.nested))
    try #require(exchange.spotTicker.count == 2)
    let (one, two) = (exchange.spotTicker[0], exchange.spotTicker[1])
    #expect(one.fieldTexts == [#"bid="$.bid""#, #"high="$.h""#, #"open="$.o""#, #"price="$.q""#])
    #expect(one.baseURLs == ["https://one.test"])
    #expect(one.set.map(\.value) == ["1"])
    #expect(one.batch == nil)
    #expect(two.fieldTexts == [#"high="$.h""#])
  }

  /// An exchange may offer only single pairs, and a part may have its own request for one.
  @Test func singlePairTickersAlone() throws {
    let alone = try TestExchange.read(
      in: TestExchange.configuration(
        #"{"exchanges": {"Exchange": {\#(TestExchange.base), "markets": {"spot": {"ticker": {"request": {"path": "/{asset}"}}}}}}}"#
      ))
    #expect(alone.spot.isEmpty)
    #expect(alone.spotTicker.count == 1)
    let parts = try TestExchange.read(
      in: TestExchange.configuration(
        TestExchange.config(
          tickers: #""forEach": [{"set": {"n": 1}, "ticker": {"request": {"path": "/x"}}}, {"set": {"n": 2}}]"#)))
    #expect(parts.spot.count == 2)
    #expect(parts.spotTicker.map { $0.set.map(\.value) } == [["1"]])
  }

  @Test func exchangeAndMarketKeysApply() throws {
    let exchange = try TestExchange.read(
      in: TestExchange.configuration(
        #"""
        {"exchanges": {"Exchange": {\#(TestExchange.base), "names": ["V", "Han"], "badge": "한국소", "docs": "https://docs.test", "note": "n",
          "refresh": "5s", "verified": "2026-01-02",
          "markets": {"spot": {"tickers": {"request": {"path": "/t"}}},
            "futures": {"enabled": false, "refresh": "500ms", "tickers": {"request": {"path": "/f"}}}}}}}
        """#))
    #expect(exchange.names == ["V", "Han"])
    #expect(exchange.badge == "한국소")
    #expect(exchange.documentation == "https://docs.test")
    #expect(exchange.note == "n")
    #expect(exchange.isEnabled)
    #expect(exchange.markets.map(\.isEnabled) == [true, false])
    #expect(exchange.markets.map(\.refreshMilliseconds) == [5000, 500])
    #expect(exchange.spot.map(\.verified) == ["2026-01-02"])
  }

  /// A proof is of the mapping that it was written for, and not of what a user has made of it.
  @Test(arguments: [
    (#""refresh": "9s""#, "2026-01-02"), (#""limit": {"requests": 1, "per": "1s"}"#, "2026-01-02"),
    (#""fields": {"price": "$.other"}"#, nil), (#""baseUrls": ["https://other.test"]"#, nil),
    (#""fields": {"price": "$.other"}, "verified": "2026-03-04""#, "2026-03-04"),
  ])
  func proofOfChangedMapping(_ change: String, _ day: String?) throws {
    let shipped = TestExchange.config(exchange: TestExchange.base + #", "verified": "2026-01-02""#)
    let configuration = try TestExchange.configuration(
      #"{"version": 1, "extends": "builtin", "exchanges": {"Exchange": {\#(change)}}}"#, over: shipped)
    #expect(try TestExchange.read(in: configuration).spot.map(\.verified) == [day])
  }

  /// Every exchange has a badge of its own, whatever their names have in common.
  @Test(arguments: [
    (["Coinone=CO", "Cobit", "Coinalpha"], ["CO", "CB", "CI"]), (["Upbit=UP", "Upside=UP"], ["UP", "US"]),
    (["Aa", "Aaa", "Aaaa", "Aaaaa"], ["AA", "AAA", "A2", "A3"]), (["X"], ["X"]),
    (["Binance=BN", "BN"], ["BN", "B2"]), (["Ab12", "Ab21", "Ab11"], ["AB", "A2", "A1"]),
    (["Ab12", "A2=A2", "A1=A1", "Ab21", "Ab11"], ["AB", "A2", "A1", "AB2", "AB1"]),
    (["Ab1", "B=AB", "C=A1", "D=AB1", "Ab1x"], ["A2", "AB", "A1", "AB1", "AX"]), (["한국소", "한빛"], ["한국", "한빛"]),
  ])
  func badges(_ exchanges: [String], _ badges: [String]) {
    let parts = exchanges.map { $0.split(separator: "=").map(String.init) }
    let distinct = Badges.distinct(parts.map { ($0[0], $0.count > 1 ? $0[1] : nil) })
    #expect(parts.map { distinct[$0[0]] } == badges)
  }

  /// The letters are those among all, so that an invalid exchange keeps its own.
  @Test func badgesOfAll() throws {
    let text = #"{"exchanges": {"Alpha": {}, "Alps": {\#(TestExchange.base)}, "Beta": {}}}"#
    #expect(try TestExchange.configuration(text).badges == ["Alpha": "AL", "Alps": "AP", "Beta": "BE"])
  }

  /// An exchange is found by any of its names, regardless of case.
  @Test(arguments: [("exchange", true), ("EXCHANGE", true), ("han", true), ("hanx", false)])
  func names(_ name: String, isKnown: Bool) throws {
    let configuration = try TestExchange.configuration(
      TestExchange.config(exchange: TestExchange.base + #", "names": ["Han"]"#))
    #expect((configuration.exchange(named: name) != nil) == isKnown)
  }

  /// A part that cannot contain the wanted pair is not requested.
  @Test(arguments: [("USD", true), ("KRW", true), ("usd", false), ("EUR", false), ("BTC", true)])
  func partsThatCannotContainThePairAreSkipped(_ payment: String, isHeld: Bool) throws {
    let configuration = try TestExchange.configuration(
      TestExchange.config(tickers: #""paymentCurrencies": {"a": ["zusd", "krw", "XBT"]}, "aliases": {"zusd": "USD"}"#))
    let part = try #require(try TestExchange.read(in: configuration).spot.first)
    #expect(part.canHold(payment: payment, globalAliases: ["XBT": "BTC"]) == isHeld)
  }
}
