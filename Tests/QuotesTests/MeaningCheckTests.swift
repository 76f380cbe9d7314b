import Quotes
import Testing

struct MeaningCheckTests {
  /// 2023-07-27T02:58:51Z.
  static let arrival = Instant(nanoseconds: 1_690_426_731_000_000_000)

  /// A row that undergoes and passes every check.
  static let clean = Ticker(
    exchange: "Bitget", market: .spot, symbol: "BTCUSDT", pair: Pair(asset: "BTC", payment: "USDT"),
    price: cell("101.23"), changePricePercent24: cell("1.23"), volume24: cell("10"), turnover24: cell("1005"),
    open: cell("100"), high: cell("102"), low: cell("99"), bid: cell("101.22"), ask: cell("101.24"),
    time: Instant(nanoseconds: 1_690_426_730_000_000_000), changeBasis: .rolling24h, highBasis: .rolling24h,
    lowBasis: .rolling24h)

  /// Returns a row with only these cells.
  static func ticker(_ values: [TickerField: String], of basis: ChangeBasis? = nil, price: PriceBasis = .last) -> Ticker
  {
    func value(_ field: TickerField) -> Cell { values[field].map(cell) ?? .missing(.notOffered) }
    return Ticker(
      exchange: "Bitget", market: .spot, symbol: "BTCUSDT", pair: Pair(asset: "BTC", payment: "USDT"),
      price: value(.price), changePricePercent24: value(.changePricePercent24), volume24: value(.volume24),
      turnover24: value(.turnover24), open: value(.open), high: value(.high), low: value(.low), bid: value(.bid),
      ask: value(.ask), changeBasis: basis, highBasis: basis, lowBasis: basis, priceBasis: price)
  }

  static func findings(
    _ ticker: Ticker, arrival: Instant? = nil, changeIsFromOpen: Bool = false, turnoverIsComputed: Bool = false
  ) -> [Written] {
    MeaningCheck().findings(
      ticker, arrival: arrival, changeIsFromOpen: changeIsFromOpen, turnoverIsComputed: turnoverIsComputed
    ).map { Written(code: $0.code, message: $0.message, excludes: $0.excludes) }
  }

  /// A flag as printed.
  struct Written: Equatable {
    let code: String
    let message: String
    var excludes = true
  }

  static func flag(_ code: String, _ message: String?) -> [Written] {
    message.map { [Written(code: code, message: $0)] } ?? []
  }

  @Test func findsNothingInACleanRow() {
    #expect(Self.findings(Self.clean, arrival: Self.arrival) == [])
  }

  @Test func findsNothingInAnEmptyRow() {
    #expect(Self.findings(Self.ticker([:]), arrival: Self.arrival) == [])
  }

  @Test func findsEverythingAtOnce() {
    var row = Self.clean
    row.price = cell("110")
    row.bid = cell("111")
    row.ask = cell("110.5")
    row.turnover24 = cell("10050")
    row.time = Instant(nanoseconds: 1_690_426_000_000_000_000)
    let codes = Self.findings(row, arrival: Self.arrival).map(\.code)
    #expect(codes == ["range", "bid-ask", "change", "turnover", "stale"])
  }

  // MARK: Range

  @Test(arguments: [
    ("100", nil), ("110", nil), ("105.123", nil), ("99.5", nil), ("110.55", nil),
    ("99.4999", "price 99.4999 is more than 0.5 % below the low 100"),
    ("110.5501", "price 110.5501 is more than 0.5 % above the high 110"),
  ])
  func comparesPriceWithRange(price: String, message: String?) {
    #expect(Self.findings(Self.ticker([.price: price, .low: "100", .high: "110"])) == Self.flag("range", message))
  }

  @Test func comparesPriceWithAvailableBounds() {
    #expect(
      Self.findings(Self.ticker([.price: "90", .low: "100"]))
        == Self.flag("range", "price 90 is more than 0.5 % below the low 100"))
    #expect(
      Self.findings(Self.ticker([.price: "120", .high: "110"]))
        == Self.flag("range", "price 120 is more than 0.5 % above the high 110"))
    #expect(Self.findings(Self.ticker([.low: "100", .high: "90"])) == [])
  }

  @Test(arguments: [
    ("100", "100", nil), ("99", "100", nil), ("100.0", "100", nil),
    ("100.01", "100", "bid 100.01 is above the ask 100"),
  ])
  func comparesBidWithAsk(bid: String, ask: String, message: String?) {
    #expect(Self.findings(Self.ticker([.bid: bid, .ask: ask])) == Self.flag("bid-ask", message))
  }

  /// The price is 100.
  @Test(arguments: [
    ("98.9", "99", "price 100 is 1.0 % above the ask 99: is it of an old trade, or not the last price?"),
    ("96", "97", nil),
    ("96.3", "97", "price 100 is 3.1 % above the ask 97: is it of an old trade, or not the last price?"),
    ("99", "99.1", nil),
    ("103", "103.7", "price 100 is 2.9 % below the bid 103: is it of an old trade, or not the last price?"),
    ("101", "101.1", nil), ("103", "104", nil), ("99", "101", nil),
    ("101.5", "101.6", "price 100 is 1.5 % below the bid 101.5: is it of an old trade, or not the last price?"),
  ])
  func comparesPriceWithCloseOffers(bid: String, ask: String, message: String?) {
    let values: [TickerField: String] = [.price: "100", .bid: bid, .ask: ask]
    #expect(Self.findings(Self.ticker(values)) == Self.flag("offers", message))
    #expect(Self.findings(Self.ticker(values, price: .mark)) == [])
    #expect(Self.findings(Self.ticker(values.filter { $0.key != (bid > "100" ? .ask : .bid) })) == [])
  }

  /// A last trade that is known to be old stays out of headlines for that, unless its age is allowed.
  @Test(arguments: [(TimeBasis.trade, Int64(301), false), (.trade, 299, true), (.quote, 20, true)])
  func oldTradesMayBeBesideTheirOffers(basis: TimeBasis, age: Int64, excludes: Bool) {
    var row = Self.ticker([.price: "100", .bid: "97", .ask: "97.1"])
    (row.time, row.timeBasis, row.arrival) = (Self.arrival.advanced(by: .seconds(-age)), basis, Self.arrival)
    let found = Self.findings(row, arrival: Self.arrival).filter { $0.code == "offers" }
    #expect(found.map(\.excludes) == [excludes])
  }

  @Test(arguments: [PriceBasis.mid, .mark, .oracle])
  func checksTheRangeOfLastTradesOnly(basis: PriceBasis) {
    let values: [TickerField: String] = [.price: "50", .low: "100", .high: "110", .bid: "119", .ask: "120"]
    #expect(Self.findings(Self.ticker(values, price: basis)) == [])
    // Bid and ask are compared with each other, whatever the price is.
    let crossed = values.merging([.ask: "90"]) { $1 }
    #expect(Self.findings(Self.ticker(crossed, price: basis)) == Self.flag("bid-ask", "bid 119 is above the ask 90"))
  }

  // MARK: Change

  /// The price is 1.23 % above the open.
  @Test(arguments: [
    ("1.23", nil), ("1.2300", nil), ("1.2", nil), ("1", nil),
    (
      "2",
      "change +2 % but (price - open) / open is +1.23 %: "
        + "is it measured from another open?"
    ),
    // 0.1 points and half a unit of the last digit.
    ("1.33", nil), ("1.13", nil),
    (
      "1.3305",
      "change +1.3305 % but (price - open) / open is +1.23 %: is it measured "
        + "from another open?"
    ),
    ("1.34", "change +1.34 % but (price - open) / open is +1.23 %: is it measured from another open?"),
    ("1.12", "change +1.12 % but (price - open) / open is +1.23 %: is it measured from another open?"),
    ("0.0123", "change +0.0123 % but (price - open) / open is +1.23 %: scale it by 100"),
    ("0.012", "change +0.012 % but (price - open) / open is +1.23 %: scale it by 100"),
    ("123", "change +123 % but (price - open) / open is +1.23 %: scale it by 0.01"),
    ("123.4", "change +123.4 % but (price - open) / open is +1.23 %: scale it by 0.01"),
    ("12.3", "change +12.3 % but (price - open) / open is +1.23 %: scale it by 0.1"),
    ("-1.23", "change -1.23 % but (price - open) / open is +1.23 %: the sign is inverted"),
    ("0.00", "change +0.00 % but (price - open) / open is +1.23 %: is it measured from another open?"),
  ])
  func comparesChangeWithOpen(change: String, message: String?) {
    let row = Self.ticker([.price: "101.23", .open: "100", .changePricePercent24: change])
    #expect(Self.findings(row) == Self.flag("change", message))
  }

  /// Any change is near zero if divided by 100, and proves nothing where the price has not moved.
  @Test(arguments: ["4.39", "-9.8", "0.2"]) func unmovedPricesProveNoScale(change: String) {
    let row = Self.ticker([.price: "100", .open: "100", .changePricePercent24: change])
    let written = change.hasPrefix("-") ? change : "+" + change
    #expect(
      Self.findings(row)
        == Self.flag(
          "change", "change \(written) % but (price - open) / open is +0.00 %: is it measured from another open?"))
  }

  /// From 5 % up, the limit is 2 % of the change.
  @Test(arguments: [
    ("150", "51.02", true), ("150", "51.03", false), ("150", "49.02", true), ("150", "49.01", false),
    ("150", "49", true),
    ("50", "-50.00", true), ("50", "-51.02", true), ("50", "-51.03", false), ("50", "-0.5", false),
    ("100.55", "0", true), ("100.6", "0", true), ("100.61", "0", false), ("100.55", "0.00", false),
    ("100", "0.00", true),
    ("100", "-0.10", true),
    ("100", "-0.11", false),
  ])
  func allowsMoreForLargeChanges(price: String, change: String, fits: Bool) {
    let row = Self.ticker([.price: price, .open: "100", .changePricePercent24: change])
    #expect(Self.findings(row).isEmpty == fits)
  }

  /// A ratio of `0` is not rounded to hundreds of percent.
  @Test(arguments: [("1.45", true), ("1.004", false)]) func zeroRatioIsCompared(price: String, isFlagged: Bool) {
    var row = Self.ticker([.price: price, .open: "1"])
    row.changePricePercent24 = .value(Decimal(mantissa: 0, exponent: 2))
    #expect(Self.findings(row).map(\.code) == (isFlagged ? ["change"] : []))
  }

  @Test func skipsChangeComputedFromOpen() {
    let row = Self.ticker([.price: "101.23", .open: "100", .changePricePercent24: "7"])
    #expect(Self.findings(row, changeIsFromOpen: true) == [])
    #expect(Self.findings(row).map(\.code) == ["change"])
  }

  @Test(arguments: [TickerField.price, .open, .changePricePercent24])
  func skipsChangeWithMissingValues(missing: TickerField) {
    var values: [TickerField: String] = [.price: "101.23", .open: "100", .changePricePercent24: "7"]
    values[missing] = nil
    #expect(Self.findings(Self.ticker(values)) == [])
  }

  /// Only for the range does the table in product.md require a last trade.
  @Test func checksTheChangeOfAnyPrice() {
    let row = Self.ticker([.price: "101.23", .open: "100", .changePricePercent24: "7"], price: .mark)
    #expect(Self.findings(row).map(\.code) == ["change"])
  }

  // MARK: Turnover

  /// Low 90 and high 110 over a rolling 24 hours, price 100, volume 10.
  @Test(arguments: [
    ("1000", nil), ("900", nil), ("1100", nil), ("891", nil), ("1111", nil),
    ("890.99", "turnover / volume = 89.099 is outside low 90 to high 110: contract size, or another currency?"),
    ("1111.01", "turnover / volume = 111.101 is outside low 90 to high 110: contract size, or another currency?"),
    ("0.1", "turnover / volume = 0.01 is outside low 90 to high 110: volume and turnover look swapped"),
    (
      "1000000",
      "turnover / volume = 100000 is outside low 90 to high 110: off by a factor of 1000: wrong unit or "
        + "contract size"
    ),
    (
      "1.05",
      "turnover / volume = 0.105 is outside low 90 to high 110: off by a factor of 0.001: wrong unit or "
        + "contract size"
    ),
    ("0", "turnover is 0 and volume 10"),
    // Within 10 % of a factor, or of none.
    ("0.115", "turnover / volume = 0.0115 is outside low 90 to high 110: contract size, or another currency?"),
    (
      "1080000",
      "turnover / volume = 108000 is outside low 90 to high 110: off by a factor of 1000: wrong unit or "
        + "contract size"
    ),
  ])
  func comparesTurnoverWithRange(turnover: String, message: String?) {
    let values: [TickerField: String] = [
      .price: "100", .low: "90", .high: "110", .volume24: "10", .turnover24: turnover,
    ]
    #expect(Self.findings(Self.ticker(values, of: .rolling24h)) == Self.flag("turnover", message))
  }

  /// Of the day, as with Bithumb and Upbit: within a factor of 2 of the price is all that can be required.
  @Test(arguments: [
    ("500", nil), ("2000", nil), ("890", nil),
    (
      "499.9",
      "turnover / volume = 49.99 is not within a factor 2 of the price 100 (high and low are of the KST day, not of 24 "
        + "hours): contract size, or another currency?"
    ),
    (
      "2000.1",
      "turnover / volume = 200.01 is not within a factor 2 of the price 100 (high and low are of the KST day, not of 24 "
        + "hours): contract size, or another currency?"
    ),
  ])
  func comparesTurnoverWithPriceForCalendarDayRanges(turnover: String, message: String?) {
    let values: [TickerField: String] = [
      .price: "100", .low: "90", .high: "110", .volume24: "10", .turnover24: turnover,
    ]
    #expect(Self.findings(Self.ticker(values, of: .kstDay)) == Self.flag("turnover", message))
  }

  /// A price that moved by more than a factor of 2 within the range of the day: within 1 % of that range.
  @Test(arguments: [
    ("300", "990", nil), ("300", "989.9", "turnover / volume = 98.99 is not within a factor 2 of the price 300"),
    ("130", "3232", nil), ("130", "3232.1", "turnover / volume = 323.21 is not within a factor 2 of the price 130"),
  ])
  func comparesTurnoverWithRangeOfTheDay(price: String, turnover: String, start: String?) {
    let values: [TickerField: String] = [
      .price: price, .low: "100", .high: "320", .volume24: "10", .turnover24: turnover,
    ]
    let end = " (high and low are of the KST day, not of 24 hours): contract size, or another currency?"
    #expect(Self.findings(Self.ticker(values, of: .kstDay)) == Self.flag("turnover", start.map { $0 + end }))
  }

  @Test func saysWhyPriceWasUsed() {
    let values: [TickerField: String] = [.price: "100", .volume24: "10", .turnover24: "5000"]
    let start = "turnover / volume = 500 is not within a factor 2 of the price 100 "
    let end = ": contract size, or another currency?"
    #expect(Self.findings(Self.ticker(values)) == Self.flag("turnover", start + "(high and low are missing)" + end))
    let withRange = values.merging([.low: "90", .high: "110"]) { $1 }
    #expect(
      Self.findings(Self.ticker(withRange))
        == Self.flag("turnover", start + "(the basis of high and low is unknown)" + end))
    var mixed = Self.ticker(withRange, of: .rolling24h)
    mixed.lowBasis = .utcDay
    #expect(
      Self.findings(mixed)
        == Self.flag("turnover", start + "(high and low are of the UTC day, not of 24 hours)" + end))
  }

  @Test func skipsComputedTurnover() {
    let row = Self.ticker([.price: "100", .volume24: "10", .turnover24: "5000"])
    #expect(Self.findings(row, turnoverIsComputed: true) == [])
  }

  @Test(
    arguments: [
      [.price: "100", .volume24: "10"], [.price: "100", .turnover24: "10"], [.volume24: "1", .turnover24: "5"],
      [.price: "100", .volume24: "0", .turnover24: "0"],
    ] as [[TickerField: String]])
  func skipsTurnoverWithMissingValues(values: [TickerField: String]) {
    #expect(Self.findings(Self.ticker(values)) == [])
  }

  @Test func needsNoPriceForRollingRanges() {
    let values: [TickerField: String] = [.low: "90", .high: "110", .volume24: "10", .turnover24: "2000"]
    #expect(
      Self.findings(Self.ticker(values, of: .rolling24h))
        == Self.flag(
          "turnover", "turnover / volume = 200 is outside low 90 to high 110: contract size, or another currency?"))
  }

  /// A zero change has no scale, however it is written.
  @Test(arguments: ["0", "-0", "0.00", "-0.00"]) func zeroChangeHasNoScale(change: String) {
    let row = Self.ticker([.price: "110", .open: "100", .changePricePercent24: change])
    let written = "+" + change.drop { $0 == "-" }
    #expect(
      Self.findings(row)
        == Self.flag(
          "change", "change \(written) % but (price - open) / open is +10.00 %: is it measured from another open?"))
  }

  // MARK: Time

  @Test(
    arguments: [
      (.quote, 0, nil), (.quote, 60_000, nil), (.quote, -5000, nil), (.trade, 0, nil), (.trade, 60_001, nil),
      (.trade, 3_600_000, nil), (.trade, -5000, nil),
      (.quote, 60_001, "its quote is 60.001 s old, more than 60 s"),
      (.quote, 75_000, "its quote is 75 s old, more than 60 s"),
      (.quote, 3_540_000, "its quote is 59 min old, more than 60 s"),
      (.quote, 32_400_000, "its quote is 9 h old, more than 60 s"),
      (.trade, 3_600_001, "its last trade is 60 min 1 s old, more than 1 h"),
      (.trade, 7_300_000, "its last trade is 2 h 2 min old, more than 1 h"),
      (.quote, 120_000, "its quote is 2 min old, more than 60 s"),
      (.trade, 7_200_000, "its last trade is 2 h old, more than 1 h"),
      (.quote, 172_800_000, "its quote is 2 d old, more than 60 s"),
      (.quote, 473_040_000_000, "its quote is 5475 d old, more than 60 s"),
      (.quote, 800_000_000_000, "its quote is 9259 d old, more than 60 s: check unit and zone"),
      (.trade, 864_000_000, "its last trade is 10 d old, more than 1 h"),
      (.quote, -5001, "its timestamp is 5.001 s later than its arrival: check unit and zone"),
      (.trade, -32_400_000, "its timestamp is 9 h later than its arrival: check unit and zone"),
      (.quote, -32_399_100, "its timestamp is 9 h later than its arrival: check unit and zone"),
    ] as [(TimeBasis, Int64, String?)])
  func comparesTimeWithArrival(basis: TimeBasis, ageInMilliseconds: Int64, message: String?) {
    var row = Self.ticker([:])
    row.timeBasis = basis
    row.time = Instant(nanoseconds: Self.arrival.nanoseconds - ageInMilliseconds * 1_000_000)
    #expect(Self.findings(row, arrival: Self.arrival) == Self.flag("stale", message))
    #expect(Self.findings(row, arrival: nil) == [])
  }

  @Test func survivesExtremeTimes() {
    var row = Self.ticker([:])
    row.time = Instant(nanoseconds: .max)
    let first = Self.findings(row, arrival: Instant(nanoseconds: .min))
    #expect(first == Self.flag("stale", "its timestamp is 106752 d later than its arrival: check unit and zone"))
    row.time = Instant(nanoseconds: .min)
    let second = Self.findings(row, arrival: Instant(nanoseconds: .max))
    #expect(second == Self.flag("stale", "its quote is 106752 d old, more than 60 s: check unit and zone"))
  }

  @Test func takesTheAgeFromTheSettings() {
    var row = Self.ticker([:])
    row.time = Instant(nanoseconds: Self.arrival.nanoseconds - 75_000_000_000)
    let check = MeaningCheck(staleAfterMilliseconds: 90_000, identityPercent: 5)
    #expect(check.findings(row, arrival: Self.arrival, changeIsFromOpen: false, turnoverIsComputed: false) == [])
    #expect(check.identity.limitPercent == 5)
    #expect(MeaningCheck().identity.limitPercent == 20)
  }
}
