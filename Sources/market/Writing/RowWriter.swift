import JSON
import Mapping
import MarketData
import Quotes

/// Writes a row as JSON: the same keys in every command.
struct RowWriter {
  /// Whether `asset`, `payment`, `high`, `low`, `open` and `time` are written: where a table is of many pairs.
  let isFull: Bool

  /// - Parameters:
  ///   - distance: a futures row's distance from its exchange's spot price; nil for a spot row.
  ///   - conversion: another currency that the price is written in as well: only then is there a key for it.
  func write(
    _ row: TickerRow, isExcluded: Bool, distance: Result<Disparity, DisparityAbsence>? = nil,
    conversion: Conversion? = nil, isExplained: Bool = false, into writer: inout JSONWriter
  ) {
    let ticker = row.ticker
    writer.beginObject()
    writer.member("exchange", ticker.exchange)
    writer.member("market", ticker.market.rawValue)
    writer.member("product", ticker.product)
    writer.member("symbol", ticker.symbol)
    if isFull {
      writer.member("asset", ticker.pair.asset)
      writer.member("payment", ticker.pair.payment)
    }
    writer.member("price", ticker.text(.price))
    if let conversion {
      writer.member("converted", conversion.text(ticker.price.value))
    }
    if ticker.priceBasis != .last { writer.member("priceBasis", ticker.priceBasis.rawValue) }
    writer.member("changePricePercent24", ticker.text(.changePricePercent24))
    writer.member("changeBasis", ticker.changeBasis?.rawValue)
    for field in isFull ? Self.fullFields : Self.fields { writer.member(field.rawValue, ticker.text(field)) }
    if isFull { writer.member("time", ticker.time?.iso8601) }
    writer.member("ageSeconds", row.ageText)
    writer.key("flags")
    writer.beginArray()
    for flag in ticker.flags { writer.string(flag.code) }
    writer.endArray()
    writer.key("excluded")
    writer.boolean(isExcluded)
    if !isFull {
      let disparity = distance.flatMap { try? $0.get() }
      writer.member("disparityPercent", disparity?.percent.signedPercentText)
      writer.member("disparity", disparity?.difference.shortest)
    }
    writeReasons(row, distance, &writer)
    writer.key("derived")
    writer.beginArray()
    for field in ticker.derived { writer.string(field.rawValue) }
    writer.endArray()
    if !ticker.flags.isEmpty {
      writer.key("flagMessages")
      writer.beginObject()
      for flag in ticker.flags { writer.member(flag.code, flag.message) }
      writer.endObject()
    }
    if isExplained { writeTraces(row, &writer) }
    writer.endObject()
  }

  private static let fields: [TickerField] = [.volume24, .turnover24, .bid, .ask]
  private static let fullFields: [TickerField] = [.volume24, .turnover24, .bid, .ask, .high, .low, .open]

  private func writeReasons(
    _ row: TickerRow, _ distance: Result<Disparity, DisparityAbsence>?, _ writer: inout JSONWriter
  ) {
    let ticker = row.ticker
    writer.key("reasons")
    writer.beginObject()
    for field in TickerField.allCases where isFull || ![.open, .high, .low].contains(field) {
      if field == .time {
        if let reason = ticker.timeMissing, isFull { writer.member("time", reason.code) }
        if let reason = row.reasonForNoAge { writer.member("ageSeconds", reason) }
      } else if case .missing(let reason) = ticker.cell(field) {
        writer.member(field.rawValue, reason.code)
      }
    }
    if case .failure(let absence)? = distance { writer.member("disparityPercent", "\(absence)") }
    writer.endObject()
  }

  /// How each cell came to be.
  private func writeTraces(_ row: TickerRow, _ writer: inout JSONWriter) {
    writer.key("explain")
    writer.beginObject()
    writer.member("request", row.source)
    for trace in row.traces {
      writer.key(trace.field.rawValue)
      writer.beginObject()
      writer.member("result", trace.result)
      writer.member("operation", trace.operation)
      writer.member("scale", trace.scale)
      writer.key("sources")
      writer.beginArray()
      for source in trace.sources {
        writer.beginObject()
        writer.member("from", source.from)
        writer.member("path", source.path)
        writer.member("raw", source.raw)
        writer.endObject()
      }
      writer.endArray()
      writer.endObject()
    }
    writer.endObject()
  }
}

extension TickerRow {
  /// Why the row has no age: it has no time of its own, or nobody knows when its answer came (a saved file); nil when it
  /// has one.
  fileprivate var reasonForNoAge: String? {
    guard ageNanoseconds == nil else { return nil }
    return ticker.timeMissing?.code ?? "arrival-unknown"
  }

  /// Seconds with three decimals; nil without a time or an arrival.
  var ageText: String? { ageNanoseconds.map { Decimal.seconds(nanoseconds: $0) } }
}
