package import JSON
package import MarketData
package import Quotes

/// Candles as records.
package struct CandleRecords {
  private let answers: [PairAnswer<CandleSeries>]
  /// The time by which candles are judged to be complete.
  private let time: Instant

  package init(_ answers: [PairAnswer<CandleSeries>], at time: Instant) {
    self.answers = answers
    self.time = time
  }

  private static let open = JSONKey("open")
  private static let high = JSONKey("high")
  private static let low = JSONKey("low")
  private static let close = JSONKey("close")
  private static let volume = JSONKey("volume")
  private static let turnover = JSONKey("turnover")

  /// Writes the members of a candle's object.
  package func write(_ candle: Candle, of answer: PairAnswer<CandleSeries>, into writer: inout JSONWriter) {
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

/// Trades as records.
package struct TradeRecords {
  private let answers: [PairAnswer<[Trade]>]

  package init(_ answers: [PairAnswer<[Trade]>]) { self.answers = answers }

  package func csv() -> String {
    let currencies = answers.conversionCurrencies()
    var writer = CSVWriter(
      titles: PairAnswer<[Trade]>.fieldTitles + ["time", "price", "size", "side", "id"] + currencies.map { "in\($0)" }
    )
    for answer in answers {
      let names = CSVWriter.part(answer.fields)
      for trade in answer.value ?? [] {
        writer.add(part: names)
        writer.add(trade.time)
        writer.add(trade.price)
        writer.add(trade.size.value)
        writer.add(.text(trade.side?.rawValue ?? ""))
        writer.add(.text(trade.id ?? ""))
        for currency in currencies {
          let conversion = answer.conversion.flatMap { $0.currency == currency ? $0 : nil }
          writer.add(.number(conversion?.text(trade.price) ?? ""))
        }
        writer.end()
      }
    }
    return writer.text
  }
}

// MARK: - Common fields

extension PairAnswer {
  /// The first columns of a record.
  package var fields: [CSVWriter.Field] { [.text(exchange), .text(market.rawValue), .text("\(pair)")] }
  package static var fieldTitles: [String] { ["exchange", "market", "pair"] }

  /// Writes the members that identify the exchange, market and pair.
  package func write(into writer: inout JSONWriter) {
    writer.member("exchange", exchange)
    writer.member("market", market.rawValue)
    writer.member("pair", "\(pair)" as String)
  }
}

extension Conversion {
  /// Why there is no converted price; nil if there is one.
  package var missing: Missing? { reason == nil ? nil : .noRate }
}

extension Array {
  /// Returns the distinct currencies that prices are converted into.
  package func conversionCurrencies<Value>() -> [String] where Element == PairAnswer<Value> {
    var currencies: [String] = []
    for case let conversion? in map(\.conversion) where !currencies.contains(conversion.currency) {
      currencies.append(conversion.currency)
    }
    return currencies
  }
}
