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
      notes: value?.notes(zone, savedBefore: now, language) ?? [], findings: value?.findings(arrival: arrival) ?? [],
      shortfall: value?.missingCandles(zone), conversion: conversion, language)
  }
}

extension CandleList {
  /// Returns a candle's start as charts show it: `2026-11-17 09:00 KST`.
  private func moment(_ start: Instant?, _ zone: ClockZone) -> String {
    start.map { ChartReport.moment($0, series.grid, zone) } ?? ""
  }

  /// Returns the failure of a page, and so which candles are missing; nil if none has failed.
  fileprivate func missingCandles(_ zone: ClockZone) -> AnswerFailure? {
    guard let failure = missingPage else { return nil }
    let reason = failure.message.map { ": \($0)" } ?? ""
    return AnswerFailure(failure.reason, "the candles before \(moment(series.oldest, zone)) are missing\(reason)")
  }

  fileprivate func notes(_ zone: ClockZone, savedBefore now: Instant?, _ language: Language) -> [String] {
    [
      noteOfStart(zone, language), noteOfTail(zone, language), noteOfRest(language), noteOfClock(language),
      now.flatMap { noteOfAge(at: $0, language) }, noteOfRows(language),
    ].compactMap(\.self)
  }

  private func noteOfStart(_ zone: ClockZone, _ language: Language) -> String? {
    let oldest = moment(series.oldest, zone)
    switch shortfall {
    case .page: return nil
    case .notOffered:
      return language("older candles are not offered; these begin at \(oldest)", "이전 봉은 제공하지 않음; \(oldest)부터 표시")
    case .notRecorded:
      return language("older candles are not recorded; these begin at \(oldest)", "이전 봉은 녹화되지 않음; \(oldest)부터 표시")
    case nil:
      guard let wantedStart, let first = series.oldest, first > wantedStart, series.coveredFrom == nil else {
        return nil
      }
      let wanted = moment(wantedStart, zone)
      return language(
        "no candle before \(oldest) was sent, though \(wanted) was requested", "\(wanted)부터 요청했으나 \(oldest) 전의 봉은 받지 못함"
      )
    }
  }

  private func noteOfTail(_ zone: ClockZone, _ language: Language) -> String? {
    guard let tail else { return nil }
    let intervals = tail.count.counted("newer interval has", plural: "newer intervals have")
    let start = moment(tail.start, zone)
    return language(
      "nothing was sent from \(start) on: \(intervals) no candle", "\(start)부터 받지 못함: 봉 없는 최근 구간 \(tail.count)개")
  }

  private func noteOfRest(_ language: Language) -> String? {
    guard let age = series.nanosecondsBehind, let source = series.source else { return nil }
    let span = language.age(nanoseconds: age)
    return language(
      "the last \(span) are missing: no running candle of \(source.rawValue) was sent",
      "마지막 \(span) 없음: 진행 중인 \(language.bar(source))을 받지 못함")
  }

  private func noteOfClock(_ language: Language) -> String? {
    guard let clock, clock.isTooFar else { return nil }
    let difference = language.age(nanoseconds: abs(clock.ahead))
    let words =
      clock.ahead > 0
      ? language(
        "\(difference) before it was requested: this machine's clock is ahead, or the answer is an old copy",
        "요청 시각보다 \(difference) 앞섬: 이 컴퓨터의 시계가 빠르거나 오래된 사본")
      : language(
        "\(difference) after it arrived: this machine's clock is behind, or the exchange's is ahead",
        "수신보다 \(difference) 늦음: 이 컴퓨터의 시계가 느리거나 거래소의 시계가 빠름")
    let decider =
      clock.ahead > 0 || series.whole != nil
      ? language("that had ended by that date", "그 시각까지")
      : language("that have ended by this machine's clock", "이 컴퓨터의 시계로")
    return language(
      "the answer is dated \(words); candles \(decider) count as complete",
      "응답 시각이 \(words); \(decider) 끝난 봉을 마감된 봉으로 봄")
  }

  private func noteOfAge(at now: Instant, _ language: Language) -> String? {
    guard let newest = series.candles.last else { return nil }
    let age = now.nanoseconds(since: series.grid.end(of: newest.start))
    guard age > series.grid.interval.nanoseconds else { return nil }
    let span = language.age(nanoseconds: age)
    return language("the newest candle ended \(span) ago", "마지막 봉은 \(span) 전에 끝남")
  }

  private func noteOfRows(_ language: Language) -> String? {
    guard incomplete > 0 else { return nil }
    let rows = incomplete.counted("row of the answers lacks", plural: "rows of the answers lack")
    return language("\(rows) a time or a price", "응답의 \(incomplete)행에 시각이나 가격 없음")
  }
}
