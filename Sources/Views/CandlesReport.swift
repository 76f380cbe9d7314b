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
    let interval = answers.lazy.compactMap(\.value).first.map { " \($0.grid.interval.rawValue)" } ?? ""
    return page.sections(
      [page.header("\(answers.pairTitle()) candles\(interval)", time: time)]
        + answers.map { section($0, on: page) }
        + [
          page.remarks(answers.conversionNotes(at: time, isContemporaneous: false, .english)),
          isExplained ? Explanation.text(of: answers, on: page) : "",
        ])
  }

  private func section(_ answer: PairAnswer<CandleSeries>, on page: Page) -> String {
    guard let series = answer.value, !series.candles.isEmpty else {
      return page.heading(answer.title) + page.lines([answer.absence]) + page.remarks(answer.notes)
    }
    let zone = series.grid.zone(preferring: zone)
    let converted = answer.conversion.map { "close in \($0.currency)" } ?? ""
    var table = Table(columns: [
      TableColumn("start \(zone.name)"), TableColumn("open", .decimal, dropping: 4),
      TableColumn("high", .decimal, dropping: 3), TableColumn("low", .decimal, dropping: 2),
      TableColumn("close", .decimal), TableColumn(converted, .right),
      TableColumn("volume", .decimal, dropping: 1), TableColumn("turnover", .right, dropping: 0), TableColumn(""),
    ])
    for candle in series.candles {
      table.addRow([
        StyledText(series.grid.text(of: candle.start, in: zone)),
        StyledText(page.number(candle.open)), StyledText(page.number(candle.high)), StyledText(page.number(candle.low)),
        StyledText(page.number(candle.close), Style(from: candle.open, to: candle.close)),
        answer.convertedCell(candle.close), candle.volume.text(page.number), candle.turnover.text(page.amount),
        StyledText(series.isComplete(candle, at: time) ? "" : "running", .dim),
      ])
    }
    return page.heading(answer.title) + page.table(table) + page.remarks(answer.candleNotes(zone))
  }

  package var notes: [String] {
    answers.named(.english) { $0.candleNotes(zone) }
      + answers.conversionNotes(at: time, isContemporaneous: false, .english)
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
  func candleNotes(_ zone: ClockZone) -> [String] {
    guard let series = value else { return notes }
    var lines: [String] = []
    if let source = series.source {
      let missing = series.sourceGaps.named(on: CandleGrid(source, zoneSeconds: series.grid.zoneSeconds), zone)
      lines.append(
        "built from candles of \(source.rawValue)"
          + (missing.map { ", of which \($0.count) \($0.count == 1 ? "is" : "are") missing: \($0.text)" } ?? ""))
    }
    if let missing = series.gaps.named(on: series.grid, zone) {
      lines.append("\(missing.count.counted("interval has", plural: "intervals have")) no candle: \(missing.text)")
    }
    if let reason = series.missingVolume { lines.append("volume: \(reason.code)") }
    return lines + notes
  }
}

extension [CandleSeries.Gap] {
  /// Returns the number of intervals and `17 from 2026-11-23 03:00, 2 from 2026-11-24 01:00 (UTC)`; nil for none.
  fileprivate func named(on grid: CandleGrid, _ preferred: ClockZone) -> (count: Int, text: String)? {
    if isEmpty { return nil }
    let zone = grid.zone(preferring: preferred)
    let named = map { "\($0.count) from \(grid.text(of: $0.start, in: zone))" }
    return (reduce(0) { $0 + $1.count }, "\(named.named(upTo: 3)) (\(zone.name))")
  }
}

extension CandleSeries {
  /// The time zone whose midnight starts a day.
  var zone: ClockZone { ClockZone(offsetSeconds: grid.zoneSeconds) }
}
