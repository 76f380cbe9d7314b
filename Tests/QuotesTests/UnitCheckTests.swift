import Quotes
import Testing

/// Figures of two rows that are seconds apart.
@Suite struct UnitCheckTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let table: [TickerField: String]
    let stream: [TickerField: String]
    let expected: String?

    init(_ name: String, _ table: [TickerField: String], _ stream: [TickerField: String], _ expected: String?) {
      (testDescription, self.table, self.stream, self.expected) = (name, table, stream, expected)
    }
  }

  static let cases = [
    Case(
      "the same", [.price: "65000", .changePricePercent24: "1.5625", .volume24: "12.5", .turnover24: "812500"],
      [.price: "65010", .changePricePercent24: "1.58", .volume24: "12.6", .turnover24: "819126"], nil),
    Case(
      "a fraction by stream", [.price: "65000", .changePricePercent24: "1.5625"],
      [.price: "65003", .changePricePercent24: "0.0157"], "changePricePercent24 0.0157 1.5625"),
    Case(
      "a fraction by REST", [.price: "65000", .changePricePercent24: "-0.0439"],
      [.price: "65003", .changePricePercent24: "-4.38"], "changePricePercent24 -4.38 -0.0439"),
    Case(
      "a change that the price explains", [.price: "100", .changePricePercent24: "0.03"],
      [.price: "103", .changePricePercent24: "3.03"], nil),
    Case(
      "changes too small to tell", [.price: "100", .changePricePercent24: "0.002"],
      [.price: "100", .changePricePercent24: "0.2"], nil),
    Case(
      "turnover in coins", [.price: "65000", .turnover24: "812500"], [.price: "65002", .turnover24: "12.5"],
      "turnover24 12.5 812500"),
    Case(
      "volume in money", [.price: "0.02", .volume24: "5000000"], [.price: "0.02", .volume24: "100100"],
      "volume24 100100 5000000"),
    Case(
      "volume in thousands", [.price: "2", .volume24: "5000"], [.price: "2", .volume24: "5.02"],
      "volume24 5.02 5000"),
    Case(
      "one large trade in a quiet market", [.price: "2", .volume24: "0.5", .turnover24: "1"],
      [.price: "2", .volume24: "5", .turnover24: "10"], nil),
    Case(
      "both in thousandths", [.price: "2", .volume24: "5000", .turnover24: "10000"],
      [.price: "2", .volume24: "5001000", .turnover24: "10002000"], "volume24 5001000 5000"),
    Case(
      "one trade of nearly a hundred times the day's", [.price: "2", .volume24: "0.5", .turnover24: "1"],
      [.price: "2", .volume24: "49.5", .turnover24: "99"], nil),
    Case(
      "one of both in thousandths", [.price: "2", .volume24: "5000", .turnover24: "10000"],
      [.price: "2", .volume24: "5", .turnover24: "13"], "volume24 5 5000"),
    Case(
      "a tenth of both", [.price: "2", .volume24: "5000", .turnover24: "10000"],
      [.price: "2", .volume24: "500", .turnover24: "1000"], nil),
    Case("a low price as the factor", [.price: "4", .volume24: "100"], [.price: "4", .volume24: "400"], nil),
    Case("not quite the price", [.price: "20", .volume24: "100"], [.price: "20", .volume24: "2150"], nil),
    Case("not quite a thousand", [.price: "2", .volume24: "5"], [.price: "2", .volume24: "5400"], nil),
    Case(
      "twice what the price explains", [.price: "100", .changePricePercent24: "0.02"],
      [.price: "101", .changePricePercent24: "2.3"], nil),
    Case(
      "a small change", [.price: "100", .changePricePercent24: "0.005"], [.price: "100", .changePricePercent24: "0.5"],
      "changePricePercent24 0.5 0.005"),
    Case(
      "a fifth off the scale", [.price: "100", .changePricePercent24: "2.5"],
      [.price: "100", .changePricePercent24: "0.02"], "changePricePercent24 0.02 2.5"),
    Case(
      "more than a fifth off the scale", [.price: "100", .changePricePercent24: "2.5"],
      [.price: "100", .changePricePercent24: "0.019"], nil),
    Case("volume of a few hours", [.price: "2", .volume24: "5000"], [.price: "2", .volume24: "700"], nil),
    Case("nothing traded", [.price: "2", .volume24: "0"], [.price: "2", .volume24: "700"], nil),
    Case("without a price", [.volume24: "5000"], [.price: "2", .volume24: "5"], nil),
  ]

  @Test(arguments: cases) func difference(_ test: Case) {
    func row(_ values: [TickerField: String]) -> Ticker { MeaningCheckTests.ticker(values, of: .rolling24h) }
    let fields = TickerFields(TickerField.allCases.filter { test.stream[$0] != nil })
    let found = UnitCheck.difference(of: row(test.stream), from: row(test.table), in: fields)
    #expect(found.map { "\($0.field.rawValue) \($0.own) \($0.other)" } == test.expected)
  }

  /// Figures that a message does not have are the table's own, and changes from different opens cannot be compared.
  @Test func whatIsNotCompared() {
    let table = MeaningCheckTests.ticker([.price: "65000", .changePricePercent24: "1.5625"], of: .rolling24h)
    var stream = MeaningCheckTests.ticker([.price: "65003", .changePricePercent24: "0.0157"], of: .rolling24h)
    #expect(UnitCheck.difference(of: stream, from: table, in: TickerFields(.price)) == nil)
    stream.changeBasis = .utcDay
    #expect(UnitCheck.difference(of: stream, from: table, in: TickerFields(.changePricePercent24)) == nil)
  }

  /// Sizes at the prices that two books have in common, of which some have changed.
  @Test(
    arguments: [
      (1, 10, nil), (100, 10, "300 3"), (100, 5, "300 3"), (100, 4, nil), (3, 10, nil),
      (Decimal(mantissa: 1, exponent: -2), 10, "0.03 3"), (10, 10, "30 3"), (8, 10, "24 3"),
      (Decimal(mantissa: 125, exponent: -3), 10, "0.375 3"), (Decimal(mantissa: 79, exponent: -1), 10, nil),
      (Decimal(mantissa: 126, exponent: -3), 10, nil),
    ] as [(Decimal, Int, String?)])
  func sizesOfBooks(_ factor: Decimal, _ shared: Int, _ expected: String?) {
    func level(_ index: Int, _ size: Decimal) -> OrderBook.Level { .init(price: 100 + Decimal(index), size: size) }
    let polled = OrderBook(bids: [], asks: (0..<20).map { level($0, 3) })
    // The first has changed in the meantime, and the last are new.
    let streamed = OrderBook(
      bids: [],
      asks: (0..<shared).map { level($0, $0 == 0 ? factor * 17 : factor * 3) } + (0..<9).map { level(30 + $0, factor) })
    let found = UnitCheck.sizes(of: streamed, polled)
    #expect(found.map { "\($0.own.shortest) \($0.other.shortest)" } == expected)
  }
}
