import Quotes
import Testing

struct TickerTests {
  static let pair = Pair(asset: "BTC", payment: "USDT")
  static let empty = Ticker(exchange: "Bitget", market: .spot, symbol: "BTCUSDT", pair: pair)

  @Test func startsWithoutValues() {
    for field in TickerField.allCases {
      #expect(Self.empty.cell(field) == .missing(.notOffered))
      #expect(Self.empty.text(field) == nil)
    }
    #expect(Self.empty.timeMissing == .notOffered)
    #expect(Self.pair.description == "BTC/USDT")
  }

  @Test func findsTheCellOfEachField() {
    let ticker = Ticker(
      exchange: "Bitget", market: .spot, symbol: "BTCUSDT", pair: Self.pair, price: cell("1"),
      changePricePercent24: cell("2"), volume24: cell("3"), turnover24: cell("4"), open: cell("5"), high: cell("6"),
      low: cell("7"), bid: cell("8"), ask: cell("9"), time: Instant(nanoseconds: 1_500_000_000))
    let expected = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "1.5"].map(cell)
    #expect(TickerField.allCases.map(ticker.cell) == expected)
    #expect(TickerField.allCases.map(\.index) == Array(0...9))
    #expect(ticker.timeMissing == nil)
    #expect(ticker.text(.time) == "1970-01-01T00:00:01.5Z")
  }

  /// product.md, "Words": the exchange's digits, computed values in their shortest exact form, quotients to 12 digits.
  @Test(arguments: [
    ("67250.10", false, false, "67250.10"), ("1.16539E8", false, false, "116539000"),
    ("0E-8", false, false, "0.00000000"),
    ("-2.70E-7", false, false, "-0.000000270"), ("67250.10", true, false, "67250.1"), ("2.00", true, false, "2"),
    ("0.333333333333333333333333333", true, true, "0.333333333333"),
    ("1234567890.98765432", true, true, "1234567890.99"),
    ("0.25", true, true, "0.25"), ("0.123456789012345", true, false, "0.123456789012345"),
    ("1234567890123456", true, true, "1234567890120000"),
  ])
  func writesDigits(text: String, isDerived: Bool, isQuotient: Bool, shown: String) {
    var ticker = Self.empty
    ticker.turnover24 = cell(text)
    ticker.derived = isDerived ? [.turnover24] : []
    ticker.quotients = isQuotient ? [.turnover24] : []
    #expect(ticker.text(.turnover24) == shown)
  }

  @Test(arguments: [("1.23", "+1.23"), ("-0.4", "-0.40"), ("0", "+0.00"), ("-0.0049", "+0.00"), ("1.2349999", "+1.23")])
  func signsTheChange(text: String, shown: String) {
    var ticker = Self.empty
    ticker.changePricePercent24 = cell(text)
    #expect(ticker.text(.changePricePercent24) == shown)
    ticker.derived = [.changePricePercent24]
    ticker.quotients = [.changePricePercent24]
    #expect(ticker.text(.changePricePercent24) == shown)
  }

  @Test func showsMoreDigitsThanItComputesWith() throws {
    let digits = "123.45678901234567890123456789012345678901"
    var ticker = Self.empty
    ticker.volume24 = cell(digits)
    ticker.exactText = [.volume24: digits]
    #expect(ticker.text(.volume24) == digits)
    ticker.exactText = [.volume24: "1.2345678901234567890123456789012345678901E+2"]
    #expect(ticker.text(.volume24) == digits)
  }

  @Test func showsNoTextForAMissingValue() {
    var ticker = Self.empty
    ticker.price = .missing(.jsonNull)
    ticker.exactText = [.price: "1"]
    #expect(ticker.text(.price) == nil)
  }

  /// JSON has one member for each.
  @Test func joinsMessagesOfOneKind() {
    let flags = [
      Flag(.range, .belowZero(.price, -90)), Flag(.change, .repeatedMember, advice: .otherSign),
      Flag(.range, .belowZero(.open, -50)),
    ]
    #expect(
      flags.messagesByCode.map { "\($0.code): \($0.message)" } == [
        "range: price -90 is below zero; open -50 is below zero",
        "change: a member of the row is repeated: the sign is inverted",
      ])
  }

  @Test func namesMatchConfig() {
    #expect(Market.allCases.map(\.rawValue) == ["spot", "futures"])
    #expect(
      TickerField.allCases.map(\.rawValue) == [
        "price", "changePricePercent24", "volume24", "turnover24", "open", "high", "low", "bid", "ask", "time",
      ])
    #expect(
      ChangeBasis.allCases.map(\.rawValue) == [
        "rolling24h", "utcDay", "kstDay", "utc8Day", "venueDay", "previousClose",
      ])
    #expect(PriceBasis.allCases.map(\.rawValue) == ["last", "mid", "mark", "oracle"])
    #expect(TimeBasis.allCases.map(\.rawValue) == ["quote", "trade"])
  }

  /// product.md, "Labels".
  @Test func labelsUnusualValues() {
    #expect(PriceBasis.allCases.map(\.label) == [nil, "mid", "mark", "oracle"])
    #expect(
      ChangeBasis.allCases.map(\.label) == [nil, "UTC day", "KST day", "UTC+8 day", "exchange's day", "since close"])
  }
}
