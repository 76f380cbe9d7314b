import Config
import Mapping
package import MarketData
package import Quotes
package import Shell
import Views

/// The candles requested from a command.
package struct CandleOptions: Sendable {
  package static let interval = Option(
    "interval", short: "i", value: "INTERVAL", help: "the length of one candle",
    default: CandleInterval.oneHour.rawValue,
    choices: CandleInterval.allCases.map(\.rawValue))
  package static let since = Option(
    "since", value: "TIME",
    help:
      "start with the candle at this time: 2026-11-01, 2026-11-01T09:00 or yesterday, in the zone of --zone; or that "
      + "long ago: 12h, 2d")
  package static let until = Option(
    "until", value: "TIME", help: "end with the candle before this time (default: now)")

  package let interval: CandleInterval
  /// As typed: the time zone they mean may depend on the payment currency.
  private let since: String?
  private let until: String?
  private let count: Int

  /// - Parameters:
  ///   - count: how many are wanted; nil if not on the command line.
  ///   - usual: the default.
  package init(_ words: Invocation, count: Int?, usual: Int) throws(UsageProblem) {
    interval = try words.choice(of: Self.interval) ?? .oneHour
    since = words.value(of: Self.since)
    until = words.value(of: Self.until)
    self.count = count ?? usual
    // Only how they are written is checked here, whatever the time.
    _ = try moments(before: Instant(nanoseconds: 0), in: .utc, days: .utc)
    if since != nil, count != nil { throw .conflict("--since", "--number") }
  }

  /// - Parameters:
  ///   - zone: the time zone for moments without one.
  ///   - days: the same for plain dates.
  private func moments(
    before now: Instant, in zone: ClockZone, days: ClockZone
  ) throws(UsageProblem) -> (since: Instant?, until: Instant?) {
    func moment(_ text: String?, _ option: Option) throws(UsageProblem) -> Instant? {
      guard let text else { return nil }
      guard let moment = MomentText.parse(text, before: now, in: zone, days: days) else {
        throw .invalidValue(
          option: option.spelling, value: text,
          valid: ["a time such as 2026-11-01, 2026-11-01T09:00Z, 12h, 2d or yesterday"])
      }
      return moment
    }
    return (try moment(since, Self.since), try moment(until, Self.until))
  }

  /// Returns the requested time span.
  ///
  /// - Parameters:
  ///   - zone: the time zone for moments without one.
  ///   - days: the same for plain dates; nil if it is that of `zone`.
  /// - Throws: `UsageProblem` if it begins in the future, or ends before it begins.
  package func span(
    at now: Instant, in zone: ClockZone, days: ClockZone? = nil
  ) throws(UsageProblem) -> CandleQuery.Span {
    let (since, until) = try moments(before: now, in: zone, days: days ?? zone)
    guard since != nil || until != nil else { return .newest(count) }
    if let since, let until, until <= since { throw .other("'--until' is not after '--since'") }
    if let since, since > now { throw .other("'--since' is in the future") }
    let end = min(until ?? now, now)
    return since.map { .between($0, end) } ?? .last(count, before: end)
  }
}

extension CandleOptions {
  /// Rejects a span for which nothing was requested, as it would take too many requests.
  package func requireShortSpan(_ answers: [PairAnswer<CandleSeries>]) throws(UsageProblem) {
    let failures = answers.compactMap { $0.value == nil ? $0.failure : nil }
    guard let failure = failures.first, failures.count == answers.count,
      failures.allSatisfy({ $0.reason == .noAnswer(.tooManyRequests) })
    else { return }
    let remedy = "begin later" + (interval < .oneDay ? ", or use longer candles such as -i 1d" : "")
    throw .other("the span is too long: \(failure.message ?? failure.reason.code); \(remedy)")
  }

  /// Returns the time zone whose midnight starts a day, if on the command line. Shorter candles keep the exchange's own
  /// grid and are only displayed in that zone.
  package func zoneSeconds(_ pair: PairOptions) -> Int? { interval >= .oneDay ? pair.zoneSeconds : nil }
}

extension PairSession {
  /// Returns the zone in which a plain date is a day of the table: for days and weeks, that of the exchanges' own days if
  /// they agree; nil for shorter candles, and with `--zone`.
  ///
  /// - Parameter zoneSeconds: the offset of the midnights at which days begin; nil for the exchange's own.
  package func dayZone(_ interval: CandleInterval, zoneSeconds: Int?) -> ClockZone? {
    guard interval >= .oneDay, options.zoneSeconds == nil else { return nil }
    if let zoneSeconds { return ClockZone(offsetSeconds: zoneSeconds) }
    let zones = Set(
      sources.compactMap { source in
        source.market.candles.lazy.compactMap { ($0[interval] ?? $0[.oneDay])?.zoneSeconds }.first
      })
    return zones.count == 1 ? zones.first.map { ClockZone(offsetSeconds: $0) } : nil
  }
}
