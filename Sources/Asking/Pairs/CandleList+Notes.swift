import Mapping
import MarketData
import Quotes
import Terminal

extension PairAnswer<CandleList> {
  /// Returns the candles, with notes about their range and inconsistencies.
  ///
  /// - Parameter now: the current time if the answer was saved at an unknown one; nil if it has just arrived.
  func series(conversion: Conversion?, savedBefore now: Instant? = nil) -> PairAnswer<CandleSeries> {
    map(\.series).with(
      notes: value?.notes(savedBefore: now) ?? [], findings: value?.findings(arrival: arrival) ?? [],
      shortfall: value?.missingCandles, conversion: conversion)
  }
}

extension CandleList {
  private var oldest: String { series.oldest?.iso8601 ?? "" }

  /// The failure of a page, and so which candles are missing; nil if none has failed.
  fileprivate var missingCandles: TableFailure? {
    guard let failure = missingPage else { return nil }
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
      return "no candle before \(oldest) was sent, though \(wantedStart.iso8601) was requested"
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
    let difference = ClockText.age(nanoseconds: abs(clock.ahead))
    let words =
      clock.ahead > 0
      ? "before it was requested: this machine's clock is ahead, or the answer is an old copy"
      : "after it arrived: this machine's clock is behind"
    return "the answer is dated \(difference) \(words); candles that had ended by that date count as complete"
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
