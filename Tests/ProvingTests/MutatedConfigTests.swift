import Testing

/// Mistakes in the shipped config, and the problems that its recordings reveal: all of them, and no others.
@Suite struct MutatedConfigTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let exchange: String
    let edits: [MutatedConfig.Edit]
    /// With their help, behind a bar.
    let problems: [String]

    init(_ description: String, _ exchange: String, _ edits: [(String, String)], _ problems: String...) {
      (testDescription, self.exchange, self.problems) = ("\(exchange): \(description)", exchange, problems)
      self.edits = edits.map { MutatedConfig.Edit("exchanges.\(exchange).\($0.0)", $0.1) }
    }
  }

  @Test(arguments: MutatedConfig.exchangeNames)
  func shippedExchangeIsGood(_ name: String) async throws {
    #expect(try await MutatedConfig().problems(of: name) == [])
  }

  @Test func shippedProvidersAreGood() async throws {
    #expect(try await MutatedConfig().providerProblems() == [])
  }

  @Test(arguments: streams + blocks + tables)
  func finds(_ example: Case) async throws {
    let problems = try await MutatedConfig(example.edits).problems(of: example.exchange)
    #expect(problems == example.problems)
  }

  static let streams = [
    Case(
      "bids and asks of a stream swapped", "Binance",
      [("markets.spot.streams.orderbook", #"{"bids": "$.asks[*]", "asks": "$.bids[*]"}"#)],
      "spot: the orderbook stream of BTC/USDT: none of its data can be used: stream-bad (a bid is not below "
        + "the best ask)"),
    Case(
      "bids of a stream as asks", "Binance",
      [("markets.spot.streams.orderbook", #"{"asks": "$.bids[*]"}"#)],
      "spot: the orderbook stream of BTC/USDT: none of its data can be used: stream-bad (a bid is not below "
        + "the best ask)"),
    Case(
      "sizes of a stream as prices", "Binance",
      [("markets.spot.streams.orderbook", #"{"price": "$[1]"}"#)],
      "spot: the orderbook stream of BTC/USDT: none of its data can be used: stream-bad (a bid is not below "
        + "the best ask)"),
    Case(
      "prices of a stream as sizes", "Binance",
      [("markets.spot.streams.orderbook", #"{"size": "$[0]"}"#)],
      "spot: the orderbook stream of BTC/USDT: the size of every level is its price | check \"size\""),
    Case(
      "sizes of a streamed book in another unit", "Binance",
      [("markets.spot.streams.orderbook", #"{"size": {"path": "$[1]", "scale": 1000}}"#)],
      "spot: the orderbook stream of BTC/USDT: size: the median of its levels is 1531.52, and 2.4125 by "
        + "request | is it another unit, such as contracts or money?"),
    Case(
      "sizes of streamed trades in another unit", "Binance",
      [("markets.spot.streams.trades", #"{"fields": {"size": {"path": "$.q", "scale": 1000}}}"#)],
      "spot: the trades stream of BTC/USDT: size: the median of its trades is 342.54, and 0.03172 by request | "
        + "is it another unit, such as contracts or money?"),
    Case(
      "a lost number of streamed books", "Binance",
      [("markets.spot.streams.orderbook", #"{"sequence": "$.nothere"}"#)],
      "spot: the orderbook stream of BTC/USDT: sequence: $.nothere leads nowhere in the order book"),
    Case(
      "a lost number of streamed rows", "Coincheck",
      [("markets.spot.streams.ticker.sequence", #""$[9]""#)],
      "spot: the ticker stream of BTC/JPY: sequence: $[9] leads nowhere in any of 5 messages"),
    Case(
      "a lost size of streamed trades", "Binance",
      [("markets.spot.streams.trades", #"{"fields": {"size": "$.nothere"}}"#)],
      "spot: the trades stream of BTC/USDT: size: $.nothere leads nowhere in any of 6 trades"),
    Case(
      "a lost turnover of streamed candles", "Binance",
      [("markets.spot.streams.candles", #"{"fields": {"turnover": "$.nothere"}}"#)],
      "spot: the candles stream of BTC/USDT: turnover: $.nothere leads nowhere in the candle"),
    Case(
      "streamed trades in another zone", "Binance",
      [("markets.spot.streams.trades", #"{"fields": {"time": {"path": "$.T", "unit": "ms", "zone": "+09:00"}}}"#)],
      "spot: the trades stream of BTC/USDT: its newest trade is of 2026-11-17T20:12:12.442Z, but the newest by "
        + "request of 2026-11-18T05:12:06.955Z | check the unit and zone of \"time\""),
    Case(
      "a streamed high in another unit", "Binance",
      [("markets.spot.streams.candles", #"{"fields": {"high": {"path": "$.h", "scale": 100}}}"#)],
      "spot: the candles stream of BTC/USDT: high: 5 times open and close or more in 1 of 1 candles, 100 times "
        + "in the median | is it another member, or does it need a \"scale\"?"),
    Case(
      "streamed open and close swapped", "Binance",
      [("markets.spot.streams.candles", #"{"fields": {"open": "$.c", "close": "$.o"}}"#)],
      "spot: the candles stream of BTC/USDT: the open of its candle changes in 4 messages, and the close does "
        + "not | are open and close swapped?"),
    Case(
      "the start of a streamed candle as its end", "Binance",
      [("markets.spot.streams.candles", #"{"fields": {"time": {"path": "$.t", "unit": "ms", "basis": "end"}}}"#)],
      "spot: the candles stream of BTC/USDT: its candle of 2026-11-18T05:11:00Z is that of "
        + "2026-11-18T05:12:00Z by request | is the time the candle's start or its end?"),
    Case(
      "streamed candles in another zone", "Binance",
      [("markets.spot.streams.candles", #"{"fields": {"time": {"path": "$.t", "unit": "ms", "zone": "+09:00"}}}"#)],
      "spot: the candles stream of BTC/USDT: its last candle starts at 2026-11-17T20:12:00Z, but the last by "
        + "request at 2026-11-18T05:12:00Z | check the unit and zone of \"time\", and whether the time is the "
        + "candle's end"),
  ]

  static let blocks = [
    Case(
      "prices of trades in another unit", "Bithumb",
      [("markets.spot.trades.fields.price", #"{"path": "$.trade_price", "scale": 100}"#)],
      "spot: the trades of BTC/KRW: trade-far: the newest trade is at 13456600000, but the price is 134566000 "
        + "| another pair, or another unit?"),
    Case(
      "price and size of trades swapped", "Bithumb",
      [
        ("markets.spot.trades.fields.price", #""$.trade_volume""#),
        ("markets.spot.trades.fields.size", #""$.trade_price""#),
      ],
      "spot: the trades of BTC/KRW: trade-far: the newest trade is at 0.00511549, but the price is 134566000 | "
        + "another pair, or another unit?"),
    Case(
      "price and size of trades swapped", "Dydx",
      [
        ("markets.futures.trades.fields.price", #""$.size""#),
        ("markets.futures.trades.fields.size", #""$.price""#),
      ],
      "futures: the trades of BTC/USD: trade-far: the newest trade is at 0.2345, but the price is 91522.16849 "
        + "| another pair, or another unit?"),
    Case(
      "prices of trades five percent off", "Bitflyer",
      [("trades.fields.price", #"{"path": "$.price", "scale": "1.05"}"#)],
      "spot: the trades of BTC/JPY: trade-far: the newest trade is at 14931015.75, but the price is 14220015 | "
        + "another pair, or another unit?",
      "futures: the trades of BTC/JPY: trade-far: the newest trade is at 14928133.5, but the price is 14217270 "
        + "| another pair, or another unit?"),
    Case(
      "a lost volume of candles", "Bithumb",
      [("markets.spot.candles.fields.volume", #""$.nothere""#)],
      "spot: the 1m candles of BTC/KRW: volume: $.nothere leads nowhere in any of 19 candles",
      "spot: the 1h candles of BTC/KRW: volume: $.nothere leads nowhere in any of 30 candles",
      "spot: the 1d candles of BTC/KRW: volume: $.nothere leads nowhere in any of 9 candles"),
    Case(
      "a lost turnover of candles", "Binance",
      [("markets.spot.candles.fields", #"{"turnover": "$.nothere"}"#)],
      "spot: the 1m candles of BTC/USDT: turnover: $.nothere leads nowhere in any of 14 candles",
      "spot: the 1h candles of BTC/USDT: turnover: $.nothere leads nowhere in any of 13 candles",
      "spot: the 1d candles of BTC/USDT: turnover: $.nothere leads nowhere in any of 10 candles"),
    Case(
      "a lost size of trades", "Bithumb",
      [("markets.spot.trades.fields.size", #""$.nothere""#)],
      "spot: the trades of BTC/KRW: size: $.nothere leads nowhere in any of 12 trades"),
    Case(
      "a lookup without the pair of trades", "Poloniex",
      [
        (
          "markets.futures.trades.lookups",
          #"""
          {"contracts": {"request": {"path": "/v3/market/allInstruments"}, "rows": "$.data[*]", "key": "$.symbol",
            "match": "{asset}{payment}"}}
          """#
        )
      ],
      "futures: the trades of BTC/USDT: size: lookup-miss in all of 12 trades | check 'key' and 'match' of the "
        + "lookup 'contracts'"),
    Case(
      "a lost id of trades", "Bithumb",
      [("markets.spot.trades.fields.id", #""$.nothere""#)],
      "spot: the trades of BTC/KRW: id: $.nothere leads nowhere in any of 12 trades"),
    Case(
      "a lost side of trades", "Bithumb",
      [("markets.spot.trades.fields.side.path", #""$.nothere""#)],
      "spot: the trades of BTC/KRW: side: $.nothere leads nowhere in any of 12 trades"),
    Case(
      "sides with other words", "Bithumb",
      [
        ("markets.spot.trades.fields.side.buy", #""B""#),
        ("markets.spot.trades.fields.side.sell", #""S""#),
      ],
      "spot: the trades of BTC/KRW: side: none of 12 trades has one of its words; they have ASK, BID"),
    Case(
      "one side with another word", "Bithumb",
      [("markets.spot.trades.fields.side.sell", #""S""#)],
      "spot: the trades of BTC/KRW: side: no trade has S; others have ASK"),
    Case(
      "sizes without digits", "Bithumb",
      [("markets.spot.trades.fields.size", #"{"path": "$.trade_volume", "strip": "0123456789"}"#)],
      "spot: the trades of BTC/KRW: size: not-a-number in all of 12 trades"),
    Case(
      "a lost time of the book", "Bithumb",
      [("markets.spot.orderbook.time.path", #""$[0].nothere""#)],
      "spot: the order book of BTC/KRW: time: $[0].nothere leads nowhere in the order book"),
    Case(
      "a lost number of the book", "Binance",
      [("markets.spot.orderbook.sequence", #""$.nothere""#)],
      "spot: the order book of BTC/USDT: sequence: $.nothere leads nowhere in the order book"),
    Case(
      "a high of candles in another unit", "Dydx",
      [("markets.futures.candles.fields.high", #"{"path": "$.high", "scale": 100}"#)],
      "futures: the 1m candles of BTC/USD: high: 5 times open and close or more in 14 of 14 candles, 100 times "
        + "in the median | is it another member, or does it need a \"scale\"?",
      "futures: the 1h candles of BTC/USD: high: 5 times open and close or more in 27 of 27 candles, 100 times "
        + "in the median | is it another member, or does it need a \"scale\"?",
      "futures: the 1d candles of BTC/USD: high: 5 times open and close or more in 10 of 10 candles, 101 times "
        + "in the median | is it another member, or does it need a \"scale\"?"),
    Case(
      "a low of candles in another unit", "Kraken",
      [("markets.spot.candles.fields.low", #"{"path": "$[3]", "scale": "0.01"}"#)],
      "spot: the 1m candles of BTC/USDT: low: a fifth of open and close or less in 15 of 15 candles, 0.01 "
        + "times in the median | is it another member, or does it need a \"scale\"?",
      "spot: the 1h candles of BTC/USDT: low: a fifth of open and close or less in 27 of 27 candles, 0.00999 "
        + "times in the median | is it another member, or does it need a \"scale\"?",
      "spot: the 1d candles of BTC/USDT: low: a fifth of open and close or less in 10 of 10 candles, 0.00997 "
        + "times in the median | is it another member, or does it need a \"scale\"?"),
  ]

  static let tables = [
    Case(
      "a high in another unit", "Bithumb",
      [("fields.high.scale", #"100"#)],
      "high: 5 times the price or more in 6 of 6 rows, 101 times in the median | is it another member, or does "
        + "it need a \"scale\"?"),
    Case(
      "a low in another unit", "Bithumb",
      [("fields.low.scale", #""0.01""#)],
      "low: a fifth of the price or less in 6 of 6 rows, 0.00995 times in the median | is it another member, "
        + "or does it need a \"scale\"?"),
    Case(
      "a bid in another unit", "Gopax",
      [("markets.spot.ticker.fields.bid", #"{"path": "$.bid", "scale": "0.01"}"#)],
      "spot: bid of BTC/KRW is 1346500, and 134651000 in the order book"),
    Case(
      "an ask five percent off", "Poloniex",
      [("markets.spot.fields.ask", #"{"path": "$.ask", "scale": "1.05"}"#)],
      "spot: ask of BTC/USDT is 96086.2455, and 91510.71 in the order book",
      "ask: 1.05 times the price, within 1 %, in 5 of 5 rows | is its \"scale\" right?"),
    Case(
      "an ask five percent off, requested alone", "Bithumb",
      [("markets.spot.ticker.fields.ask.scale", #""1.05""#)],
      "spot: ask of BTC/KRW is 141298500, and 134570000 in the order book"),
    Case(
      "a bid without digits", "Htx",
      [("markets.spot.tickers.fields.bid", #"{"path": "$.bid", "strip": "0123456789"}"#)],
      "bid: in none of 6 rows: 5 not-a-number, 1 json-null"),
  ]
}

/// Mistakes in the mappings of rate providers, which the other providers reveal.
@Suite struct MutatedProviderTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let edit: MutatedConfig.Edit
    let problems: [String]

    init(_ description: String, _ path: String, _ text: String, _ problems: String...) {
      (testDescription, self.problems) = (description, problems)
      edit = MutatedConfig.Edit("fx.providers.\(path)", text)
    }
  }

  @Test(arguments: cases) func finds(_ example: Case) async throws {
    let problems = try await MutatedConfig([example.edit]).providerProblems()
    #expect(problems == example.problems)
  }

  /// Of two that contradict each other, there is no telling which is wrong.
  @Test func twoProvidersContradictEachOther() async throws {
    let edit = MutatedConfig.Edit(
      "fx.providers.Frankfurter.rate.fields.rate", #"{"path": "$.rates['{payment}']", "scale": 1000}"#)
    #expect(
      try await MutatedConfig([edit]).providerProblems(of: ["OpenExchangeRates", "Frankfurter"]) == [
        "OpenExchangeRates: USD/KRW: the rate is 1462.07 here, and 1462070 by Frankfurter | "
          + "check its path, \"scale\" and \"units\"",
        "OpenExchangeRates: EUR/JPY: the rate is 179.073 here, and 179070 by Frankfurter | "
          + "check its path, \"scale\" and \"units\"",
        "Frankfurter: USD/KRW: the rate is 1462070 here, and 1462.07 by OpenExchangeRates | "
          + "is it for 1000 units (\"units\"), or is its \"scale\" wrong?",
        "Frankfurter: EUR/JPY: the rate is 179070 here, and 179.073 by OpenExchangeRates | "
          + "is it for 1000 units (\"units\"), or is its \"scale\" wrong?",
      ])
  }

  /// Two that agree outvote the third, and neither of them is named.
  @Test func twoProvidersOutvoteAThird() async throws {
    let edit = MutatedConfig.Edit("fx.providers.Dunamu.rate.fields.units", "1")
    let names = ["OpenExchangeRates", "Dunamu", "KoreaEximbank"]
    #expect(
      try await MutatedConfig([edit]).providerProblems(of: names) == [
        "Dunamu: JPY/KRW: the rate is 946.11 here, and 9.46446 by OpenExchangeRates, KoreaEximbank | is it for 100 "
          + "units (\"units\"), or is its \"scale\" wrong?"
      ])
  }

  static let cases = [
    Case(
      "a quotient upside down", "ExchangeRateApi.rate.fields.rate.quotient",
      #"["$.rates['{asset}']", "$.rates['{payment}']"]"#,
      "ExchangeRateApi: USD/KRW: the rate is 0.000684027 here, and 1461.82 by Dunamu, OpenExchangeRates, "
        + "ExchangeRateHost, KoreaEximbank, Frankfurter | it is the rate of the reversed pair: swap the two of its "
        + "\"quotient\"",
      "ExchangeRateApi: EUR/USD: the rate is 0.8625 here, and 1.1592 by OpenExchangeRates, EuropeanCentralBank "
        + "| it is the rate of the reversed pair: swap the two of its \"quotient\"",
      "ExchangeRateApi: EUR/JPY: the rate is 0.00558578 here, and 179.07 by OpenExchangeRates, "
        + "EuropeanCentralBank, Frankfurter | it is the rate of the reversed pair: swap the two of its "
        + "\"quotient\"",
      "ExchangeRateApi: JPY/KRW: the rate is 0.105621 here, and 9.4611 by Dunamu, OpenExchangeRates, "
        + "KoreaEximbank | it is the rate of the reversed pair: swap the two of its \"quotient\""),
    Case(
      "no units", "Dunamu.rate.fields.units", #"1"#,
      "Dunamu: JPY/KRW: the rate is 946.11 here, and 9.46446 by OpenExchangeRates, KoreaEximbank, "
        + "ExchangeRateApi | is it for 100 units (\"units\"), or is its \"scale\" wrong?"),
    Case(
      "no units in an answer with all pairs", "KoreaEximbank.rate.fields.units", #"1"#,
      "KoreaEximbank: JPY/KRW: the rate is 945.98 here, and 9.46446 by Dunamu, OpenExchangeRates, "
        + "ExchangeRateApi | is it for 100 units (\"units\"), or is its \"scale\" wrong?"),
    Case(
      "another scale", "Frankfurter.rate.fields.rate", #"{"path": "$.rates['{payment}']", "scale": 100}"#,
      "Frankfurter: USD/KRW: the rate is 146207 here, and 1461.82 by Dunamu, OpenExchangeRates, "
        + "ExchangeRateHost, KoreaEximbank, ExchangeRateApi | is it for 100 units (\"units\"), or is its \"scale\" "
        + "wrong?",
      "Frankfurter: EUR/JPY: the rate is 17907 here, and 179.07 by OpenExchangeRates, EuropeanCentralBank, "
        + "ExchangeRateApi | is it for 100 units (\"units\"), or is its \"scale\" wrong?"),
    Case(
      "another scale behind a hook", "EuropeanCentralBank.rate.fields.rate",
      #"{"path": "$.rates['{payment}']", "scale": "0.01"}"#,
      "EuropeanCentralBank: EUR/USD: the rate is 0.011592 here, and 1.15942 by OpenExchangeRates, "
        + "ExchangeRateApi | check its path, \"scale\" and \"units\"",
      "EuropeanCentralBank: EUR/JPY: the rate is 1.7907 here, and 179.07 by OpenExchangeRates, "
        + "ExchangeRateApi, Frankfurter | check its path, \"scale\" and \"units\""),
    Case(
      "a time without its zone", "Dunamu.rate.fields.time.zone", #""+00:00""#,
      "Dunamu: USD/KRW: its time 2026-11-18T14:11:48Z is later than its arrival at 2026-11-18T05:12:07.421Z: "
        + "check unit and zone",
      "Dunamu: JPY/KRW: its time 2026-11-18T14:11:48Z is later than its arrival at 2026-11-18T05:12:07.422Z: "
        + "check unit and zone"),
  ]
}
