import Mapping
import MarketData
import Quotes
import Terminal
import Views

extension PairAnswer<CandleList> {
  /// Returns the candles, with notes about their range and inconsistencies.
  ///
  /// - Parameters:
  ///   - zone: the one in which times are shown.
  ///   - now: the current time if the answer was saved at an unknown one; nil if it has just arrived.
  func series(
    conversion: Conversion?, zone: ClockZone, savedBefore now: Instant? = nil, _ language: Language
  ) -> PairAnswer<CandleSeries> {
    map(\.series).with(
      notes: value?.notes(zone, savedBefore: now) ?? [], findings: value?.findings(arrival: arrival) ?? [],
      shortfall: value?.missingCandles(zone), conversion: conversion, language)
  }
}

extension CandleList {
  /// Returns a candle's start as charts show it: `2026-11-17 09:00 KST`.
  private func moment(_ start: Instant?, _ zone: ClockZone) -> String {
    start.map { ChartReport.moment($0, series.grid, zone) } ?? ""
  }

  /// Returns the failure of a page, and so which candles are missing; nil if none has failed.
  fileprivate func missingCandles(_ zone: ClockZone) -> TableFailure? {
    guard let failure = missingPage else { return nil }
    let reason = failure.message.map { ": \($0)" } ?? ""
    return TableFailure(failure.reason, "the candles before \(moment(series.oldest, zone)) are missing\(reason)")
  }

  fileprivate func notes(_ zone: ClockZone, savedBefore now: Instant?) -> [String] {
    let age = now.flatMap(noteOfAge)
    return [noteOfStart(zone), noteOfTail(zone), noteOfRest, noteOfClock, age, noteOfRows].compactMap(\.self)
  }

  private func noteOfStart(_ zone: ClockZone) -> String? {
    let oldest = moment(series.oldest, zone)
    switch shortfall {
    case .page: return nil
    case .notOffered: return "older candles are not offered; these begin at \(oldest)"
    case .notRecorded: return "older candles are not recorded; these begin at \(oldest)"
    case nil:
      guard let wantedStart, let first = series.oldest, first > wantedStart, series.coveredFrom == nil else {
        return nil
      }
      return "no candle before \(oldest) was sent, though \(moment(wantedStart, zone)) was requested"
    }
  }

  private func noteOfTail(_ zone: ClockZone) -> String? {
    guard let tail else { return nil }
    let intervals = tail.count.counted("newer interval has", plural: "newer intervals have")
    return "nothing was sent from \(moment(tail.start, zone)) on: \(intervals) no candle"
  }

  private var noteOfRest: String? {
    guard let age = series.nanosecondsBehind, let source = series.source else { return nil }
    return "the last \(ClockText.age(nanoseconds: age)) are missing: no running candle of \(source.rawValue) was sent"
  }

  private var noteOfClock: String? {
    guard let clock, clock.isTooFar else { return nil }
    let difference = ClockText.age(nanoseconds: abs(clock.ahead))
    let words =
      clock.ahead > 0
      ? "before it was requested: this machine's clock is ahead, or the answer is an old copy"
      : "after it arrived: this machine's clock is behind, or the exchange's is ahead"
    let decider =
      clock.ahead > 0 || series.whole != nil ? "that had ended by that date" : "that have ended by this machine's clock"
    return "the answer is dated \(difference) \(words); candles \(decider) count as complete"
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
