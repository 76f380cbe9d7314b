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

  private static func taken(_ messages: [(second: Int, lag: Int)]) -> (LateMessages, [LateMessages.Verdict]) {
    var late = LateMessages()
    let verdicts = messages.map { second, lag in
      let arrival = StreamScript.start.advanced(by: .seconds(second))
      return late.take(sent: arrival.advanced(by: .milliseconds(-lag)), at: arrival)
    }
    return (late, verdicts)
  }

  /// Messages count that are equally late for ten seconds, as far as times in whole seconds and delays allow, in
  /// milliseconds. The lag of a stream that catches up shrinks on.
  @Test(
    arguments: [
      ([(0, 3100), (3, 4300), (6, 3200), (9, 4400), (12, 3100)], [.leftOut, .leftOut, .leftOut, .leftOut, .counts]),
      ([(0, 9000), (3, 8000), (6, 7000), (9, 6000), (12, 5000)], [.leftOut, .leftOut, .leftOut, .leftOut, .reported]),
      ([(0, 5000), (5, 5000), (11, 7000)], [.leftOut, .leftOut, .reported]),
    ] as [([(second: Int, lag: Int)], [LateMessages.Verdict])])
  func equallyLateMessagesCount(_ messages: [(second: Int, lag: Int)], _ verdicts: [LateMessages.Verdict]) {
    #expect(Self.taken(messages).1 == verdicts)
  }

  /// Between messages it is reported after ten seconds that they are late, but not before one that will count, as those
  /// before it were equally late from the first: that has ten seconds more.
  @Test(
    arguments: [
      ([(0, 4000)], 10), ([(0, 4000), (6, 4500)], 20), ([(0, 4000), (6, 9000)], 10),
      ([(0, 4000), (3, 9000), (6, 9000)], 10),
    ] as [([(second: Int, lag: Int)], Int)])
  func lateMessagesAreReportedBetween(_ messages: [(second: Int, lag: Int)], _ second: Int) {
    var (late, _) = Self.taken(messages)
    let due = (7...30).filter { late.isDue(at: StreamScript.start.advanced(by: .seconds($0))) }
    #expect(due == [second])
  }
}
