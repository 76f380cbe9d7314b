import Testing

@testable import Config
@testable import Inference
@testable import Quotes

/// Field names split into words and scored.
@Suite struct FieldNameTests {
  /// A word or code in two lists would mean whatever one of them happens to say.
  @Test(arguments: [NameWord.spellings.map(\.spelling), CurrencyCode.ranked.map(\.code)])
  func wordsAreInOneList(_ words: [String]) {
    #expect(Dictionary(grouping: words, by: \.self).filter { $0.value.count > 1 }.keys.sorted() == [])
  }

  @Test(arguments: [
    ("lowestAsk24hr", [NameWord.low, .ask, .rolling]), ("closing_price", [.close, .price]),
    ("lastprice", [.last, .price]), ("priceChangePercent", [.price, .change, .percent]),
    ("high24h", [.high, .rolling]), ("24h_low", [.rolling, .low]),
    ("rolling_24_hour_volume", [.rolling, .volume]), ("last24hMaxPrice", [.rolling, .maximum, .price]),
    ("volume_24h_usd", [.volume, .rolling, .code("USD")]), ("USDVol", [.code("USD"), .volume]),
    ("dollarVolume", [.code("USD"), .volume]), ("volumeineuros", [.volume, .filler, .code("EUR")]),
    ("upDownRate", [.change, .rate]), ("price_1h_pcnt", [.price, .otherWindow, .percent]),
    ("24h change %", [.rolling, .change, .percent]),
    ("24hhigh", [.rolling, .high]), ("24hourvolume", [.rolling, .volume]), ("hour_high", [.otherWindow, .high]),
    ("hr24_low", [.rolling, .low]), ("totalBid", [.total, .bid]), ("coinVolume", [.coin, .volume]),
    ("h24_trade_amount", [.rolling, .trade, .amount]), ("h24", [.letter("h"), .rolling]),
    ("sprd", [.unknown("sprd")]), ("", []), ("TimeStamp", [.time, .time]),
    // Windows, with their unit on either side; only a day is one of 24 hours.
    ("1d_volume", [.day, .volume]), ("1w_volume", [.otherWindow, .volume]), ("volume1m", [.volume, .otherWindow]),
    ("high_1min", [.high, .otherWindow]), ("month1High", [.otherWindow, .high]),
    ("m5_volume", [.otherWindow, .volume]),
    ("h1", [.otherWindow]), ("d7_high", [.otherWindow, .high]), ("52w_low", [.otherWindow, .low]),
    ("all_time_high", [.otherWindow, .high]), ("quarterly_low", [.otherWindow, .low]),
    ("min_24hrs", [.minimum, .rolling]), ("min_1", [.minimum, .filler]),
    ("high_mtd", [.high, .otherWindow]), ("historicalHigh", [.otherWindow, .high]),
    // The last of a day is the one before.
    ("last_close", [.previous, .close]), ("lastDayPrice", [.previous, .day, .price]),
    ("close_last_session", [.close, .previous, .today]), ("last_24h", [.last, .rolling]),
    ("closeLast", [.close, .last]),
    // Small units.
    ("last_price_e4", [.last, .price, .scaled]), ("priceE8", [.price, .scaled]), ("bid_x1e8", [.bid, .scaled]),
    ("highEp", [.high, .scaled]), ("high_price_24h_e4", [.high, .price, .rolling, .scaled]),
    ("high52", [.high, .level]),
    // Days, as far as the name says whose.
    ("todayHigh", [.today, .high]), ("SessionHigh", [.today, .high]), ("dayHigh", [.day, .high]),
    ("utcHigh", [.dayOf(.utcDay), .high]), ("open_utc0", [.open, .dayOf(.utcDay)]),
    ("lowUtc8", [.low, .dayOf(.utc8Day)]), ("high_kst", [.high, .dayOf(.kstDay)]),
  ])
  func words(_ name: String, _ words: [NameWord]) {
    #expect(FieldName(name).words == words)
  }

  struct Best: Sendable, CustomTestStringConvertible {
    let name: String
    let role: Role?
    var testDescription: String { name }
  }

  /// The role that a name suggests most strongly; nil if it suggests none.
  @Test(arguments: [
    Best(name: "last", role: .price), Best(name: "lastPrice", role: .price), Best(name: "current", role: .price),
    Best(name: "last_traded_price", role: .price), Best(name: "highest_buy_bid", role: .bid),
    Best(name: "lowest_sell_bid", role: .ask), Best(name: "max_price_24h", role: .high),
    Best(name: "min_24hrs", role: .low),
    Best(name: "prev_price_24h", role: .open), Best(name: "units_traded_24H", role: .volume),
    Best(name: "acc_trade_value_24H", role: .turnover), Best(name: "quoteVolume", role: .turnover),
    Best(name: "baseVolume", role: .volume), Best(name: "signed_change_rate", role: .change),
    Best(name: "timestamp", role: .time), Best(name: "bidQty", role: nil), Best(name: "ask_1_amount", role: nil),
    Best(name: "markPrice", role: nil), Best(name: "funding_rate", role: nil), Best(name: "openInterest", role: nil),
    Best(name: "weightedAvgPrice", role: nil), Best(name: "lastId", role: nil), Best(name: "minOrderAmount", role: nil),
    Best(name: "min_sell", role: nil), Best(name: "max_price", role: nil), Best(name: "mPx", role: nil),
    Best(name: "midPrice", role: nil), Best(name: "oraclePrice", role: nil), Best(name: "theoreticalPx", role: nil),
    Best(name: "prevPrice", role: nil), Best(name: "settlePrice", role: nil),
    Best(name: "openTime", role: nil), Best(name: "totalBid", role: nil), Best(name: "basePrice", role: nil),
    Best(name: "tokenPrice", role: .price), Best(name: "hourHigh", role: nil), Best(name: "todayVolume", role: nil),
    Best(name: "todayHigh", role: .high), Best(name: "createTime", role: nil), Best(name: "updateId", role: nil),
    Best(name: "haltTime", role: nil), Best(name: "maxLeverage", role: nil), Best(name: "assetVolume", role: .volume),
    Best(name: "quoteCoinVolume", role: .turnover), Best(name: "quote_asset_volume", role: .turnover),
    Best(name: "baseCoinVolume", role: .volume), Best(name: "utcHigh", role: .high), Best(name: "utcVolume", role: nil),
    Best(name: "sessionVolume", role: nil), Best(name: "volume_kst", role: nil),
    Best(name: "dailyVolume", role: .volume),
    Best(name: "long_short_ratio", role: nil), Best(name: "marginRatio", role: nil),
    Best(name: "last_price_e4", role: .price), Best(name: "lowE4", role: .low), Best(name: "openInt", role: nil),
    Best(name: "openPositions", role: nil), Best(name: "symbol", role: nil),
  ])
  func bestRole(_ best: Best) {
    let scores = Role.allCases.map { ($0, FieldLexicon.score($0, FieldName(best.name))) }
    let top = scores.max { $0.1 < $1.1 }.flatMap { $0.1 >= 0.5 ? $0.0 : nil }
    #expect(top == best.role)
  }

  /// A word that is not known is no price; beside `last` in one name it is that of which something is the last.
  @Test(
    arguments: [
      ("foo", 0), ("spread", 0), ("left", 0), ("fairness", 0), ("last_block", 0.2), ("currentPage", 0.2), ("last", 1),
      ("lastPr", 0.9),
    ] as [(String, Double)])
  func aWordThatIsUnknown(_ name: String, _ score: Double) {
    #expect((FieldLexicon.score(.price, FieldName(name)) - score).magnitude < 1e-9)
  }

  /// The name of what a last price is in says nothing against it.
  @Test(arguments: ["metrics", "attributes", "payload", "snapshot"])
  func aParentThatIsUnknown(_ parent: String) throws {
    let sample = MisleadingColumnTests.table { #""\#(parent)":{"last":\#($0.price),"volume":\#($0.coins)}"# }
    #expect(try MisleadingColumnTests.sure(sample)[.price] == "$.\(parent).last")
  }
}
