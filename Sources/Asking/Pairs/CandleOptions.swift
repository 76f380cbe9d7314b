import Config
import Mapping
package import MarketData
package import Quotes
package import Shell
import Synchronization
import Terminal
import Views

/// The candles requested from a command.
package struct CandleOptions: Sendable {
  package static let interval = Option(
    "interval", short: "i", value: "INTERVAL", help: "the length of one candle",
    default: CandleInterval.oneHour.rawValue,
    choices: CandleInterval.allCases.map(\.rawValue))
  package static let since = Option(
    "since", value: "TIME",
    help: "start with the candle at this time: 2026-11-01, 2026-11-01T09:00, in the zone of --zone")
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
    _ = try moments(in: .utc, days: .utc)
    if since != nil, count != nil { throw .conflict("--since", "--number") }
  }

  /// - Parameters:
  ///   - zone: the time zone for moments without one.
  ///   - days: the same for plain dates.
  private func moments(in zone: ClockZone, days: ClockZone) throws(UsageProblem) -> (since: Instant?, until: Instant?) {
    func moment(_ text: String?, _ option: Option) throws(UsageProblem) -> Instant? {
      guard let text else { return nil }
      let isDate = !text.contains { "Tt ".contains($0) }
      guard let moment = Instant.iso8601(text, defaultOffsetSeconds: (isDate ? days : zone).offsetSeconds) else {
        throw .invalidValue(
          option: option.spelling, value: text, valid: ["a time such as 2026-11-01 or 2026-11-01T09:00Z"])
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
    let (since, until) = try moments(in: zone, days: days ?? zone)
    guard since != nil || until != nil else { return .newest(count) }
    if let since, let until, until <= since { throw .other("'--until' is not after '--since'") }
    if let since, since > now { throw .other("'--since' is in the future") }
    let end = min(until ?? now, now)
    return since.map { .between($0, end) } ?? .last(count, before: end)
  }
}

extension CandleOptions {
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

  /// Returns the candles of every source, with notes about them.
  ///
  /// - Parameter isNoted: whether to note that candles cannot be of the same coin as the others; false if the caller does
  ///   so.
  package func candles(
    _ interval: CandleInterval, zoneSeconds: Int?, _ span: CandleQuery.Span, isNoted: Bool = true, in context: Context
  ) async -> [PairAnswer<CandleSeries>] {
    let pages = PageProgress()
    let answers = await context.showing(pages.progress) {
      await concurrently(sources) { source in
        let conversion = await conversion(of: source)
        let query = CandleQuery(source.query, interval, zoneSeconds: zoneSeconds, span)
        let name = source.exchange.name
        let answer =
          if let saved { saved.candles(query, on: source.market, of: name, now: moment) } else {
            await session.client.candles(query, on: source.market, of: name) { pages.note($0, of: $1, name) }
          }
        return answer.series(conversion: conversion, savedBefore: saved == nil ? nil : moment)
      }
    }
    return isNoted ? answers.noting(identity) : answers
  }
}

/// The number of candle pages requested so far.
private final class PageProgress: Sendable {
  private struct Page {
    let exchange: String
    let number: Int
    let count: Int?
  }

  private let pages = Mutex<[Page]>([])

  func note(_ page: Int, of count: Int?, _ exchange: String) {
    pages.withLock { pages in
      pages.removeAll { $0.exchange == exchange }
      pages.append(Page(exchange: exchange, number: page, count: count))
    }
  }

  /// nil before the first page.
  @Sendable func progress() -> Progress? {
    let texts = pages.withLock { $0 }.map { page in
      "\(page.exchange) page \(page.number)" + (page.count.map { " of \($0)" } ?? "")
    }
    return texts.isEmpty ? nil : Progress(done: texts.joined(separator: ", "))
  }
}

extension PairAnswer<CandleList> {
  /// Returns the candles, with notes about their range and inconsistencies.
  ///
  /// - Parameter now: the current time if the answer was saved at an unknown one; nil if it has just arrived.
  func series(conversion: Conversion?, savedBefore now: Instant? = nil) -> PairAnswer<CandleSeries> {
    map(\.series).with(
      notes: value?.notes(savedBefore: now) ?? [], findings: value?.findings(arrival: arrival) ?? [],
      shortfall: value?.missingPage, conversion: conversion)
  }
}

extension CandleList {
  private var oldest: String { series.oldest?.iso8601 ?? "" }

  /// The failure of a page, and so which candles are missing; nil if none has failed.
  fileprivate var missingPage: TableFailure? {
    guard case .page(let failure)? = shortfall else { return nil }
    let reason = failure.message.map { ": \($0)" } ?? ""
    return TableFailure(failure.reason, "the candles before \(oldest) are missing\(reason)")
  }

  fileprivate func notes(savedBefore now: Instant?) -> [String] {
    let age = now.flatMap(noteOfAge)
    return [noteOfStart, noteOfTail, noteOfRest, noteOfClock, age, noteOfRows].compactMap(\.self)
  }

  private var noteOfStart: String? {
    switch shortfall {
    case .page: return nil
    case .notOffered: return "older candles are not offered; these begin at \(oldest)"
    case .notRecorded: return "older candles are not recorded; these begin at \(oldest)"
    case nil:
      guard let wantedStart, let first = series.oldest, first > wantedStart, series.coveredFrom == nil else {
        return nil
      }
      return "nothing before \(oldest) was sent, though \(wantedStart.iso8601) was requested"
    }
  }

  private var noteOfTail: String? {
    guard let tail else { return nil }
    let intervals = tail.count.counted("newer interval has", plural: "newer intervals have")
    return "nothing was sent from \(tail.start.iso8601) on: \(intervals) no candle"
  }

  private var noteOfRest: String? {
    guard let age = series.nanosecondsBehind, let source = series.source else { return nil }
    return "the last \(ClockText.age(nanoseconds: age)) are missing: no running candle of \(source.rawValue) was sent"
  }

  private var noteOfClock: String? {
    guard let clock, clock.isTooFar else { return nil }
    return
      "the answer is dated \(ClockText.age(nanoseconds: clock.ahead)) before it was requested: this machine's clock "
      + "is ahead, or the answer is an old copy; candles that had ended by that date count as complete"
  }

  private func noteOfAge(at now: Instant) -> String? {
    guard let newest = series.candles.last else { return nil }
    let age = now.nanoseconds(since: series.grid.end(of: newest.start))
    guard age > series.grid.interval.nanoseconds else { return nil }
    return "the newest candle ended \(ClockText.age(nanoseconds: age)) ago"
  }

  private var noteOfRows: String? {
    guard incomplete > 0 else { return nil }
    return incomplete.counted("row of the answers lacks", plural: "rows of the answers lack") + " a time or a price"
  }
}
