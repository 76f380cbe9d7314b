package import JSON
package import MarketData
package import Quotes

/// Closing prices in another currency, by the start of their candles, each at a rate of its own.
package struct ConvertedCloses: Sendable {
  fileprivate let currency: String
  fileprivate let points: [Instant: PriceLine.Point]

  package init(_ line: PriceLine, in currency: String) {
    self.currency = currency
    points = Dictionary(
      line.points.map { point in
        let value = line.written(point.value)
        return (
          point.start,
          PriceLine.Point(start: point.start, value: value, isContemporaneous: point.isContemporaneous)
        )
      }
    ) { $1 }
  }
}

/// Candles as records.
package struct CandleRecords {
  private let answers: [PairAnswer<CandleSeries>]
  /// The time by which candles are judged to be complete.
  private let time: Instant
  /// The closes of each answer in another currency; nil if they are converted at one rate, or not at all.
  private let closes: [ConvertedCloses]?
  /// What is wrong with the candles of each answer.
  private let faults: [CandleFaults]
  /// The starts of the candles of each answer that are in its line; empty without lines.
  private let startsInLine: [Set<Instant>]

  /// - Parameter closes: The closes of each answer in a currency of the caller's choice.
  package init(_ answers: [PairAnswer<CandleSeries>], at time: Instant, closes: [ConvertedCloses]? = nil) {
    self.answers = answers
    self.time = time
    self.closes = closes
    faults = answers.map { CandleFaults(of: $0) }
    startsInLine = closes == nil ? [] : answers.map { Set(($0.value?.currentCandles ?? []).map(\.start)) }
  }

  private static let open = JSONKey("open")
  private static let high = JSONKey("high")
  private static let low = JSONKey("low")
  private static let close = JSONKey("close")
  private static let volume = JSONKey("volume")
  private static let turnover = JSONKey("turnover")

  /// Writes the members of a candle's object.
  ///
  /// - Parameter index: The index of the answer that the candle is from.
  package func write(_ candle: Candle, ofAnswer index: Int, into writer: inout JSONWriter) {
    let answer = answers[index]
    let converted = conversion(ofAnswer: index).map { $0(candle) }
    writer.member("start", candle.start.iso8601)
    writer.member(Self.open, candle.open)
    writer.member(Self.high, candle.high)
    writer.member(Self.low, candle.low)
    writer.member(Self.close, candle.close)
    if let converted { writer.member("converted", converted) }
    if let closes {
      writer.member("rateOfItsTime", (closes[index].points[candle.start]?.isContemporaneous).map { .bool($0) } ?? nil)
    }
    writer.member(Self.volume, candle.volume.value)
    writer.member(Self.turnover, candle.turnover.value)
    writer.key("complete")
    writer.boolean(answer.value?.isComplete(candle, at: time) ?? false)
    writer.key("reasons")
    writer.beginObject()
    if converted == .some(nil) { writer.member("converted", lineAbsence(of: candle, ofAnswer: index).code) }
    if let reason = candle.volume.missing { writer.member("volume", reason.code) }
    if let reason = candle.turnover.missing { writer.member("turnover", reason.code) }
    if let fault = faults[index].fault(of: candle) { writer.member("candle", fault.rawValue) }
    writer.endObject()
  }

  /// Why a candle's close is not converted: lines leave out one that was built without the running candle.
  private func lineAbsence(of candle: Candle, ofAnswer index: Int) -> Missing {
    guard closes != nil else { return .noRate }
    return startsInLine[index].contains(candle.start) ? .noRate : .stale
  }

  /// Returns what writes a candle's close in another currency, nil where there is no rate; nil if that was not
  /// requested.
  private func conversion(ofAnswer index: Int) -> ((Candle) -> String?)? {
    if let closes = closes?[index] { return { closes.points[$0.start]?.value.shortest } }
    return answers[index].conversion.map { conversion in { conversion.text($0.close) } }
  }

  package func csv() -> [UInt8] {
    let currencies = closes.map { Array($0.map(\.currency).prefix(1)) } ?? answers.conversionCurrencies()
    var writer = CSVWriter(
      titles: PairAnswer<CandleSeries>.fieldTitles
        + ["interval", "start", "open", "high", "low", "close", "volume", "turnover", "complete", "from"]
        + currencies.map { "in\($0)" } + (closes == nil ? [] : ["rateOfItsTime"])
        + PairAnswer<CandleSeries>.lastTitles,
      capacity: 160 * answers.reduce(1) { $0 + ($1.value?.candles.count ?? 0) })
    for (index, answer) in answers.enumerated() {
      guard let series = answer.value else { continue }
      let names = CSVWriter.part(answer.fields + [.text(series.grid.interval.rawValue)])
      let source = CSVWriter.part([.text(series.source?.rawValue)])
      let product = CSVWriter.part([answer.lastField])
      let converted = conversion(ofAnswer: index)
      let currency = closes?[index].currency ?? answer.conversion?.currency
      for candle in series.candles {
        writer.add(part: names)
        write(candle, of: series, into: &writer)
        writer.add(part: source)
        var isWithoutRate = false
        for column in currencies {
          let text = column == currency ? converted?(candle) : ""
          isWithoutRate = isWithoutRate || text == nil
          writer.add(.number(text))
        }
        if let closes {
          let isOfItsTime = closes[index].points[candle.start]?.isContemporaneous
          writer.add(.flag(isOfItsTime))
        }
        writer.add(reasons(of: candle, ofAnswer: index, unconverted: isWithoutRate ? "in\(currency ?? "")" : nil))
        writer.add(part: product)
        writer.end()
      }
    }
    return writer.finished()
  }

  /// Writes the fields of a candle that need no other.
  private func write(_ candle: Candle, of series: CandleSeries, into writer: inout CSVWriter) {
    writer.add(candle.start)
    writer.add(candle.open)
    writer.add(candle.high)
    writer.add(candle.low)
    writer.add(candle.close)
    writer.add(candle.volume.value)
    writer.add(candle.turnover.value)
    writer.add(series.isComplete(candle, at: time))
  }

  /// - Parameter column: The title of the column of the converted close if it is empty.
  private func reasons(of candle: Candle, ofAnswer index: Int, unconverted column: String?) -> CSVWriter.Field {
    let (volume, turnover) = (candle.volume.missing, candle.turnover.missing)
    let fault = faults[index].fault(of: candle)
    // Almost all candles have everything.
    if volume == nil, turnover == nil, fault == nil, column == nil { return .text("") }
    return .reasons([
      ("volume", volume?.code), ("turnover", turnover?.code), ("candle", fault?.rawValue),
      (column ?? "", column == nil ? nil : lineAbsence(of: candle, ofAnswer: index).code),
    ])
  }
}
