import Quotes
import Testing

@testable import MarketData

/// Messages that are older than an answer, by the exchange's times.
@Suite struct OlderMessagesTests {
  private static func row(_ price: Decimal, _ seconds: Int64?, _ basis: TimeBasis) -> Ticker {
    AnsweredTradeTests.row(price, seconds, basis)
  }

  @Test(
    arguments: [
      (row(3, 10, .quote), row(2, 8, .quote), true), (row(3, 10, .trade), row(2, 8, .trade), true),
      (row(3, 10, .trade), row(2, 8, .quote), true),
      // As much as clocks differ or times are rounded, the same price, and what is newer.
      (row(3, 10, .quote), row(2, 9, .quote), false), (row(3, 10, .trade), row(2, 9, .quote), false),
      (row(3, 10, .trade), row(2, 9, .trade), false), (row(3, 10, .quote), row(3, 8, .quote), false),
      (row(3, 10, .trade), row(2, 10, .trade), false),
      (row(3, 10, .trade), row(2, 11, .trade), false),
      // Times that cannot be compared.
      (row(3, 10, .quote), row(2, 8, .trade), false), (row(3, nil, .quote), row(2, 8, .quote), false),
      (row(3, 10, .quote), row(2, nil, .quote), false), (row(3, 200, .quote), row(2, 8, .quote), false),
      (row(3, 10, .quote), row(2, -1_700_000_000, .quote), false),
    ])
  func answersOutdateMessages(_ answer: Ticker, _ message: Ticker, _ isOutdated: Bool) {
    let arrival = StreamScript.start.advanced(by: .seconds(100))
    #expect(answer.outdates(message, in: TickerFields(.price), at: arrival) == isOutdated)
  }
}
