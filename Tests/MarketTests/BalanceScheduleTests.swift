import Mapping
import Quotes
import Testing

@testable import MarketData
@testable import Watching

/// When accounts and prices are requested for a live screen.
@Suite struct BalanceScheduleTests {
  private static let start = Instant(nanoseconds: 1_794_978_727_000_000_000)
  private static let refusal = AnswerFailure(.http(401), "Invalid API-key")

  private static func moment(_ seconds: Int) -> Instant { start.advanced(by: .seconds(seconds)) }

  private static func report(
    _ exchange: String, assets: [String] = [], answered: Int = 0, _ failures: AnswerFailure...
  ) -> BalanceReport {
    var report = BalanceReport(exchange: exchange)
    report.answered = answered
    report.failures = failures.map { .init(account: "spot", part: "", failure: $0) }
    report.rows = assets.map {
      Balance(account: "spot", asset: $0, free: .value(1), locked: .value(0), total: .value(1))
    }
    return report
  }

  /// Returns the seconds at which an exchange that always gives this report is asked within the time, looked at every
  /// second.
  private static func polls(_ report: BalanceReport, within seconds: Int) -> [Int] {
    var schedule = BalanceSchedule()
    return (0..<seconds).filter { second in
      guard schedule.isDue(report.exchange, at: moment(second)) else { return false }
      schedule.take(report, at: moment(second))
      return true
    }
  }

  /// A key that is refused is tried after 1, 5, 15 minutes, and then once an hour.
  @Test(arguments: [refusal, AnswerFailure(.http(403))])
  func refusedKeyIsTriedEverMoreRarely(_ failure: AnswerFailure) {
    #expect(
      Self.polls(Self.report("Binance", failure), within: 10_000) == [0, 60, 360, 1260, 4860, 8460])
  }

  /// What an exchange says in its own words may be maintenance, after which it is not left alone for an hour.
  @Test(
    arguments: [
      AnswerFailure(.http(429)), AnswerFailure(.exchangeError("EAPI:Invalid key")),
      AnswerFailure(.exchangeError("ERR-5201"), "MAINTENANCE"), AnswerFailure(.http(500), "apikey: invalid"),
    ])
  func wordsMayBeAboutMaintenance(_ failure: AnswerFailure) {
    #expect(Self.polls(Self.report("Kraken", failure), within: 1000) == [0, 60, 360, 660, 960])
  }

  /// Accounts that answer are still worth asking for, so the exchange is asked every five minutes.
  @Test func partialRefusal() {
    let report = Self.report("Binance", answered: 1, Self.refusal)
    #expect(Self.polls(report, within: 1000) == [0, 60, 360, 660, 960])
  }

  /// A lack of an answer says nothing about the key.
  @Test(arguments: [AnswerFailure(.timeout), AnswerFailure(.notJSON), AnswerFailure(.noAnswer(.unreachable))])
  func otherFailures(_ failure: AnswerFailure) {
    #expect(Self.polls(Self.report("Binance", failure), within: 200) == [0, 60, 120, 180])
  }

  /// A key of another text, or the user's own wish, begins anew.
  @Test func newBeginnings() {
    var schedule = BalanceSchedule()
    for second in [0, 60] { schedule.take(Self.report("Binance", Self.refusal), at: Self.moment(second)) }
    schedule.take(Self.report("Kraken", answered: 1), at: Self.moment(60))
    #expect(schedule.retries == ["Binance": Self.moment(360)])
    #expect(!schedule.isDue("Binance", at: Self.moment(300)))
    var wished = schedule
    wished.forgive()
    #expect(!wished.isDue("Binance", at: Self.moment(64)) && wished.isDue("Binance", at: Self.moment(65)))
    wished.take(Self.report("Binance", Self.refusal), at: Self.moment(65))
    #expect(wished.retries == ["Binance": Self.moment(125)])
    schedule.forget("Binance")
    #expect(schedule.isDue("Binance", at: Self.moment(61)) && schedule.retries.isEmpty)
  }

  /// Accounts use at most a quarter of the limit.
  @Test(arguments: [(1000.0, 5000), (10_000.0, 40_000), (2_592_000_000.0, 3_600_000)])
  func quarterOfTheLimit(_ need: Double, _ milliseconds: Int) {
    #expect(BalanceSchedule.pause(taking: need) == milliseconds)
  }

  /// Prices are a minute apart, however long an account takes to answer.
  @Test func pricesWaitForNoAccount() {
    var schedule = BalanceSchedule()
    let held = [Self.report("Upbit", assets: ["BTC"], answered: 1)]
    let priced = (0..<200).filter { schedule.takesPrices(of: held, at: Self.moment($0)) }
    #expect(priced == [0, 60, 120, 180])
    let isPricedEmpty = schedule.takesPrices(of: [], at: Self.moment(999))
    #expect(!isPricedEmpty)
  }

  /// What arrives between is valued at once: at the prices of an exchange that held nothing before, too.
  @Test func arrivalsAreValuedAtOnce() {
    var schedule = BalanceSchedule()
    let binance = Self.report("Binance", assets: ["BTC"], answered: 1)
    let upbit = Self.report("Upbit", assets: ["ABC"], answered: 1)
    let more = Self.report("Upbit", assets: ["ABC", "XYZ"], answered: 1)
    let arrivals: [(second: Int, report: BalanceReport, held: [BalanceReport])] = [
      (0, binance, [binance]), (5, binance, [binance]), (10, upbit, [binance, upbit]), (15, upbit, [binance, upbit]),
      (20, more, [binance, more]), (25, more, [binance, more]),
    ]
    let valued = arrivals.map { arrival in
      schedule.takesPrices(of: arrival.report, among: arrival.held, at: Self.moment(arrival.second))
    }
    #expect(valued == [true, false, true, false, true, false])
    // The round of all prices does not move.
    let rounds = [59, 60].map { schedule.takesPrices(of: [binance, more], at: Self.moment($0)) }
    #expect(rounds == [false, true])
  }
}
