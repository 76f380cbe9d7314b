package import Formats
import JSON
import Mapping
package import MarketData
package import Quotes
import Terminal

/// The candles of one pair on one or more exchanges.
package struct CandlesReport: LineReport {
  let answers: [PairAnswer<CandleSeries>]
  /// The time used to decide whether a candle is complete.
  let time: Instant
  /// The time zone of times in the text.
  let zone: ClockZone
  let isExplained: Bool
  /// The closes of each answer in the currency of a chart; nil for the answer's own conversion.
  let closes: [ConvertedCloses]?

  package init(
    _ answers: [PairAnswer<CandleSeries>], at time: Instant, zone: ClockZone, isExplained: Bool = false,
    closes: [ConvertedCloses]? = nil
  ) {
    self.isExplained = isExplained
    self.closes = closes
    self.answers = answers
    self.time = time
    self.zone = zone
  }

  // MARK: Text

  package func text(on page: Page) -> String {
    let words = page.language
    let interval = answers.lazy.compactMap(\.value).first?.grid.interval
    let name = words("candles" + (interval.map { " \($0.rawValue)" } ?? ""), interval.map(words.bar) ?? "봉")
    return page.sections(
      [page.header("\(answers.pairTitle()) \(name)", time: time)]
        + answers.map { section($0, on: page) }
        + [
          page.remarks(answers.conversionNotes(at: time, isContemporaneous: false, words)),
          isExplained ? Explanation.text(of: answers, on: page) : "",
        ])
  }

  private func section(_ answer: PairAnswer<CandleSeries>, on page: Page) -> String {
    let words = page.language
    guard let series = answer.value, !series.candles.isEmpty else {
      return page.heading(answer.title(words)) + page.lines([answer.absence]) + page.remarks(answer.notes)
    }
    let zone = series.grid.zone(preferring: zone)
    let converted = answer.conversion.map { conversion in
      let currency = words.shown(in: conversion.currency)
      return words("close \(currency)", "\(currency) 종가")
    }
    var table = Table(columns: [
      TableColumn("\(words("start", "시작")) \(zone.name)"), TableColumn(words("open", "시가"), .decimal, dropping: 4),
      TableColumn(words("high", "고가"), .decimal, dropping: 3), TableColumn(words("low", "저가"), .decimal, dropping: 2),
      TableColumn(words("close", "종가"), .decimal), TableColumn(converted ?? "", .right),
      TableColumn(words("volume", "거래량"), .decimal, dropping: 1),
      TableColumn(words("turnover", "거래대금"), .right, dropping: 0), TableColumn(""),
    ])
    for candle in series.candles {
      table.addRow([
        StyledText(series.grid.text(of: candle.start, in: zone)),
        StyledText(page.number(candle.open)), StyledText(page.number(candle.high)), StyledText(page.number(candle.low)),
        StyledText(page.number(candle.close), Style(from: candle.open, to: candle.close)),
        answer.convertedCell(candle.close), candle.volume.text(page.number), candle.turnover.text(page.amount),
        StyledText(series.isComplete(candle, at: time) ? "" : words.running, .dim),
      ])
    }
    return page.heading(answer.title(words)) + page.table(table) + page.remarks(answer.candleNotes(zone, words))
  }

  package var notes: [String] { notes(.english) }

  func notes(_ language: Language) -> [String] {
    answers.named(language) { $0.candleNotes(zone, language) }
      + answers.conversionNotes(at: time, isContemporaneous: false, language)
  }

  // MARK: Data

  package func json() -> [UInt8] {
    var writer = JSONWriter(indent: 2, capacity: 400 * answers.reduce(0) { $0 + ($1.value?.candles.count ?? 0) })
    write(into: &writer)
    return writer.finished()
  }

  func write(into writer: inout JSONWriter) {
    let records = records
    writer.beginObject()
    writer.member("time", time.iso8601)
    writer.key("venues")
    writer.beginArray()
    for (index, answer) in answers.enumerated() {
      writer.beginObject()
      writer.members(answer.json(at: time) + answer.seriesJSON)
      writer.key("candles")
      writer.beginArray()
      for candle in answer.value?.candles ?? [] {
        writer.beginObject()
        records.write(candle, ofAnswer: index, into: &writer)
        writer.endObject()
      }
      writer.endArray()
      if isExplained { writer.member("explain", Explanation.json(of: answer)) }
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }

  package func ndjson() -> [UInt8] {
    let records = records
    var lines = LineWriter()
    for (index, answer) in answers.enumerated() {
      for candle in answer.value?.candles ?? [] {
        lines.object { writer in
          writer.member("type", "candle")
          answer.write(into: &writer)
          writer.member("interval", answer.value?.grid.interval.rawValue)
          records.write(candle, ofAnswer: index, into: &writer)
          writer.member("from", answer.value?.source?.rawValue)
        }
      }
    }
    return lines.finished(answers, isExplained: isExplained)
  }

  package func csv() -> [UInt8] { records.csv() }

  private var records: CandleRecords { CandleRecords(answers, at: time, closes: closes) }
}

extension PairAnswer<CandleSeries> {
  /// The members that apply to all candles.
  var seriesJSON: JSONValue {
    guard let series = value else { return [:] }
    return [
      "interval": .string(series.grid.interval.rawValue), "zone": .string(series.zone.offset),
      "from": .text(series.source?.rawValue),
      "gaps": .list(series.gaps, Self.json), "fromGaps": .list(series.sourceGaps, Self.json),
    ]
  }

  private static func json(_ gap: CandleSeries.Gap) -> JSONValue {
    ["start": .string(gap.start.iso8601), "count": .integer(gap.count)]
  }

  /// Returns what readers should know about the candles: how they were built, what is missing.
  func candleNotes(_ zone: ClockZone, _ language: Language) -> [String] {
    guard let series = value else { return notes }
    var lines: [String] = []
    if let source = series.source {
      let missing = series.sourceGaps.named(
        on: CandleGrid(source, zoneSeconds: series.grid.zoneSeconds), zone, language)
      let lack = missing.map { count, text in
        language(", of which \(count) \(count == 1 ? "is" : "are") missing: \(text)", ", 그중 \(count)개 없음: \(text)")
      }
      let built = language("built from candles of \(source.rawValue)", "\(language.bar(source))으로 만듦")
      lines.append(built + (lack ?? ""))
    }
    if let (count, text) = series.gaps.named(on: series.grid, zone, language) {
      let intervals = count.counted("interval has", plural: "intervals have")
      lines.append(language("\(intervals) no candle: \(text)", "봉 없는 구간 \(count)개: \(text)"))
    }
    if let reason = series.missingVolume { lines.append(language("volume", "거래량") + ": \(reason.code)") }
    return lines + notes
  }
}

extension [CandleSeries.Gap] {
  /// Returns the number of intervals and `17 from 2026-11-23 03:00, 2 from 2026-11-24 01:00 (UTC)`; nil for none.
  fileprivate func named(
    on grid: CandleGrid, _ preferred: ClockZone, _ language: Language
  ) -> (count: Int, text: String)? {
    if isEmpty { return nil }
    let zone = grid.zone(preferring: preferred)
    let named = map { gap in
      let start = grid.text(of: gap.start, in: zone)
      return language("\(gap.count) from \(start)", "\(start)부터 \(gap.count)개")
    }
    return (reduce(0) { $0 + $1.count }, "\(language.named(named, upTo: 3)) (\(zone.name))")
  }
}

extension CandleSeries {
  /// The time zone whose midnight starts a day.
  var zone: ClockZone { ClockZone(offsetSeconds: grid.zoneSeconds) }
}
