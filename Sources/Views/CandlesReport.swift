import JSON
import Mapping
package import MarketData
package import Quotes
import Terminal

/// Candles of one pair, of one exchange or several.
package struct CandlesReport: LineReport {
  let answers: [PairAnswer<CandleSeries>]
  /// The moment by which a candle is complete.
  let time: Instant
  /// By whose clock the text writes times.
  let zone: ClockZone
  let isExplained: Bool

  package init(
    _ answers: [PairAnswer<CandleSeries>], at time: Instant, zone: ClockZone, isExplained: Bool = false
  ) {
    self.isExplained = isExplained
    self.answers = answers
    self.time = time
    self.zone = zone
  }

  package var isEmpty: Bool { answers.allSatisfy { $0.value?.candles.isEmpty ?? true } }

  // MARK: Text

  package func text(on page: Page) -> String {
    let interval = answers.lazy.compactMap(\.value).first.map { " \($0.grid.interval.rawValue)" } ?? ""
    let sections =
      [page.header("\(answers.pairTitle()) candles\(interval)", time: time, rate: nil)]
      + answers.map { section($0, on: page) }
      + [page.remarks(answers.conversionNotes(at: time, isOfItsTime: false))].filter { !$0.isEmpty }
      + (isExplained ? [Explanation.text(of: answers, on: page)] : [])
    return sections.joined(separator: "\n")
  }

  private func section(_ answer: PairAnswer<CandleSeries>, on page: Page) -> String {
    guard let series = answer.value, !series.candles.isEmpty else {
      return page.heading(answer.title) + page.lines([answer.absence]) + page.remarks(answer.notes)
    }
    let zone = series.grid.interval < .oneDay ? zone : series.zone
    let converted = answer.conversion.map { "close in \($0.currency)" } ?? ""
    var table = Table(columns: [
      TableColumn("start \(zone.name)"), TableColumn("open", .decimal), TableColumn("high", .decimal),
      TableColumn("low", .decimal), TableColumn("close", .decimal), TableColumn(converted, .right),
      TableColumn("volume", .decimal, dropping: 1), TableColumn("turnover", .right, dropping: 0), TableColumn(""),
    ])
    for candle in series.candles {
      let change = candle.close - candle.open
      let style: Style = change.signum > 0 ? .up : change.signum < 0 ? .down : .neutral
      table.addRow([
        StyledText(
          series.grid.interval < .oneDay
            ? "\(zone.day(candle.start)) \(zone.hourAndMinute(candle.start))" : zone.day(candle.start)),
        StyledText(page.number(candle.open)), StyledText(page.number(candle.high)), StyledText(page.number(candle.low)),
        StyledText(page.number(candle.close), style),
        StyledText(answer.conversion.map { $0.converted(candle.close)?.rateText ?? "-" } ?? ""),
        candle.volume.text(page.number), candle.turnover.text(page.amount),
        StyledText(series.isComplete(candle, at: time) ? "" : "running", .dim),
      ])
    }
    return page.heading(answer.title) + page.table(table) + page.remarks(answer.candleNotes(zone))
  }

  package var notes: [String] {
    answers.flatMap { answer in
      answer.candleNotes(zone).map { "\(answer.exchange) \(answer.market.rawValue): \($0)" }
    } + answers.conversionNotes(at: time, isOfItsTime: false)
  }

  // MARK: Data

  package func json() -> [UInt8] {
    var writer = JSONWriter(indent: 2, capacity: 400 * answers.reduce(0) { $0 + ($1.value?.candles.count ?? 0) })
    write(into: &writer)
    return writer.finished()
  }

  /// The whole, as one value.
  func write(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("time", time.iso8601)
    writer.key("venues")
    writer.beginArray()
    for answer in answers {
      writer.beginObject()
      writer.members(answer.json(at: time) + answer.seriesJSON)
      writer.key("candles")
      writer.beginArray()
      for candle in answer.value?.candles ?? [] {
        writer.beginObject()
        write(candle, of: answer, into: &writer)
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
    var lines = LineWriter()
    for answer in answers {
      for candle in answer.value?.candles ?? [] {
        lines.object { writer in
          writer.member("type", "candle")
          answer.write(into: &writer)
          writer.member("interval", answer.value?.grid.interval.rawValue)
          write(candle, of: answer, into: &writer)
          writer.member("from", answer.value?.source?.rawValue)
        }
      }
    }
    if isExplained { lines.explanations(answers) }
    lines.failures(answers)
    return lines.bytes
  }

  private static let open = JSONKey("open")
  private static let high = JSONKey("high")
  private static let low = JSONKey("low")
  private static let close = JSONKey("close")
  private static let volume = JSONKey("volume")
  private static let turnover = JSONKey("turnover")

  private func write(_ candle: Candle, of answer: PairAnswer<CandleSeries>, into writer: inout JSONWriter) {
    writer.member("start", candle.start.iso8601)
    writer.member(Self.open, candle.open)
    writer.member(Self.high, candle.high)
    writer.member(Self.low, candle.low)
    writer.member(Self.close, candle.close)
    if let conversion = answer.conversion { writer.member("converted", conversion.text(candle.close)) }
    writer.member(Self.volume, candle.volume.value)
    writer.member(Self.turnover, candle.turnover.value)
    writer.key("complete")
    writer.boolean(answer.value?.isComplete(candle, at: time) ?? false)
    writer.key("reasons")
    writer.beginObject()
    if let reason = answer.conversion?.missing { writer.member("converted", reason.code) }
    if let reason = candle.volume.missing { writer.member("volume", reason.code) }
    if let reason = candle.turnover.missing { writer.member("turnover", reason.code) }
    writer.endObject()
  }

  package func csv() -> String {
    let currencies = answers.conversionCurrencies()
    var writer = CSVWriter(
      titles: PairAnswer<CandleSeries>.fieldTitles
        + ["interval", "start", "open", "high", "low", "close", "volume", "turnover", "complete", "from"]
        + currencies.map { "in\($0)" })
    for answer in answers {
      guard let series = answer.value else { continue }
      let names = CSVWriter.part(answer.fields + [.text(series.grid.interval.rawValue)])
      let source = CSVWriter.part([.text(series.source?.rawValue ?? "")])
      for candle in series.candles {
        writer.add(part: names)
        writer.add(candle.start)
        writer.add(candle.open)
        writer.add(candle.high)
        writer.add(candle.low)
        writer.add(candle.close)
        writer.add(candle.volume.value)
        writer.add(candle.turnover.value)
        writer.add(series.isComplete(candle, at: time))
        writer.add(part: source)
        for currency in currencies {
          let conversion = answer.conversion.flatMap { $0.currency == currency ? $0 : nil }
          writer.add(.number(conversion?.text(candle.close) ?? ""))
        }
        writer.end()
      }
    }
    return writer.text
  }
}

extension PairAnswer<CandleSeries> {
  /// What holds for all candles.
  var seriesJSON: JSONValue {
    guard let series = value else { return [:] }
    return [
      "interval": .string(series.grid.interval.rawValue), "zone": .string(series.zone.offset),
      "from": .text(series.source?.rawValue),
      "gaps": .list(series.gaps) { ["start": .string($0.start.iso8601), "count": .integer($0.count)] },
    ]
  }

  /// What the reader of candles should know: how they were built, what is missing.
  func candleNotes(_ zone: ClockZone) -> [String] {
    guard let series = value else { return notes }
    var lines = series.source.map { ["built from candles of \($0.rawValue)"] } ?? []
    let gaps = series.gaps
    if !gaps.isEmpty {
      let count = gaps.reduce(0) { $0 + $1.count }
      let zone = series.grid.interval < .oneDay ? zone : series.zone
      let named = gaps.prefix(3).map { gap in
        let moment = series.grid.interval < .oneDay ? " \(zone.hourAndMinute(gap.start))" : ""
        return "\(gap.count) from \(zone.day(gap.start))\(moment)"
      }
      let more = gaps.count > 3 ? " and \(gaps.count - 3) more" : ""
      lines.append(
        "\(count) \(count == 1 ? "interval has" : "intervals have") no candle: "
          + named.joined(separator: ", ") + "\(more) (\(zone.name))")
    }
    if series.candles.contains(where: { $0.volume.value == nil }),
      let reason = series.candles.lazy.compactMap(\.volume.missing).first
    {
      lines.append("volume: \(reason.code)")
    }
    return lines + notes
  }
}

extension CandleSeries {
  /// The zone at whose midnight days begin.
  var zone: ClockZone { ClockZone(offsetSeconds: grid.zoneSeconds) }
}

extension Array {
  /// The pairs that were asked for, each once: `BTC/USDT, BTC/KRW`.
  func pairTitle<Value>() -> String where Element == PairAnswer<Value> {
    var pairs: [Pair] = []
    for answer in self where !pairs.contains(answer.pair) { pairs.append(answer.pair) }
    return pairs.map { "\($0)" }.joined(separator: ", ")
  }

  /// The currencies that prices are converted into, each once.
  func conversionCurrencies<Value>() -> [String] where Element == PairAnswer<Value> {
    var currencies: [String] = []
    for case let conversion? in map(\.conversion) where !currencies.contains(conversion.currency) {
      currencies.append(conversion.currency)
    }
    return currencies
  }
}
