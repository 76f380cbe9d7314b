import Adapters
import JSON
import Quotes

/// Writes a row as JSON: the same keys in every command.
struct RowWriter {
  /// A futures row's distance from its venue's spot price.
  struct Distance {
    let percent: String
    let difference: String
  }

  /// Whether `asset`, `payment`, `high`, `low`, `open` and `time` are written: where a table is of many pairs.
  let isFull: Bool

  func write(_ row: TickerRow, isExcluded: Bool, distance: Distance? = nil, into writer: inout JSONWriter) {
    let ticker = row.ticker
    writer.beginObject()
    member("exchange", ticker.exchange, &writer)
    member("market", ticker.market.rawValue, &writer)
    member("product", ticker.product, &writer)
    member("symbol", ticker.symbol, &writer)
    if isFull {
      member("asset", ticker.pair.asset, &writer)
      member("payment", ticker.pair.payment, &writer)
    }
    member("price", ticker.text(.price), &writer)
    if ticker.priceBasis != .last { member("priceBasis", ticker.priceBasis.rawValue, &writer) }
    member("changePricePercent24", ticker.text(.changePricePercent24), &writer)
    member("changeBasis", ticker.changeBasis?.rawValue, &writer)
    for field in isFull ? Self.fullFields : Self.fields { member(field.rawValue, ticker.text(field), &writer) }
    if isFull { member("time", ticker.time?.iso8601, &writer) }
    member("ageSeconds", row.ageText, &writer)
    writer.key("flags")
    writer.beginArray()
    for flag in ticker.flags { writer.string(flag.code) }
    writer.endArray()
    writer.key("excluded")
    writer.boolean(isExcluded)
    if !isFull {
      member("disparityPercent", distance?.percent, &writer)
      member("disparity", distance?.difference, &writer)
    }
    writeReasons(ticker, &writer)
    writer.key("derived")
    writer.beginArray()
    for field in ticker.derived { writer.string(field.rawValue) }
    writer.endArray()
    if !ticker.flags.isEmpty {
      writer.key("flagMessages")
      writer.beginObject()
      for flag in ticker.flags { member(flag.code, flag.message, &writer) }
      writer.endObject()
    }
    writer.endObject()
  }

  private static let fields: [TickerField] = [.volume24, .turnover24, .bid, .ask]
  private static let fullFields: [TickerField] = [.volume24, .turnover24, .bid, .ask, .high, .low, .open]

  private func writeReasons(_ ticker: Ticker, _ writer: inout JSONWriter) {
    writer.key("reasons")
    writer.beginObject()
    for field in TickerField.allCases where isFull || ![.open, .high, .low].contains(field) {
      if field == .time {
        if let reason = ticker.timeMissing { member(field.rawValue, reason.code, &writer) }
      } else if case .missing(let reason) = ticker.cell(field) {
        member(field.rawValue, reason.code, &writer)
      }
    }
    writer.endObject()
  }

  private func member(_ name: String, _ text: String?, _ writer: inout JSONWriter) {
    writer.key(name)
    if let text { writer.string(text) } else { writer.null() }
  }
}

extension TickerRow {
  /// Seconds with three decimals; nil without a time or an arrival.
  var ageText: String? {
    ageNanoseconds.map { Decimal(mantissa: Int128($0), exponent: -9).rounded(toPlaces: 3).description }
  }
}
