import JSON
import Mapping
import Quotes

extension TickerRow {
  /// Writes everything a row says, for a golden file: values as text, with the reasons for missing ones.
  func write(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("symbol", ticker.symbol)
    writer.member("pair", "\(ticker.pair.asset)/\(ticker.pair.payment)")
    if let product = ticker.product { writer.member("product", product) }
    if let multiplier = ticker.multiplier { writer.member("multiplier", multiplier.description) }
    for field in TickerField.allCases where field != .time {
      if let text = ticker.text(field) { writer.member(field.rawValue, text) }
    }
    if let time = ticker.time { writer.member("time", time.iso8601) }
    writer.key("missing")
    writer.beginObject()
    for field in TickerField.allCases {
      let reason = field == .time ? ticker.timeMissing : ticker.cell(field).missing
      if let reason { writer.member(field.rawValue, reason.code) }
    }
    writer.endObject()
    writer.member("bases", bases)
    writer.member("derived", ticker.derived.map(\.rawValue).joined(separator: " "))
    for flag in ticker.flags { writer.member("flag \(flag.code)", flag.message) }
    writer.endObject()
  }

  /// The bases of change, high, low, price and time.
  private var bases: String {
    [
      ticker.changeBasis?.rawValue ?? "-", ticker.highBasis?.rawValue ?? "-", ticker.lowBasis?.rawValue ?? "-",
      ticker.priceBasis.rawValue, ticker.timeBasis.rawValue,
    ].joined(separator: " ")
  }
}

extension JSONWriter {
  mutating func member(_ name: String, _ text: String) {
    key(name)
    string(text)
  }
}

extension TickerTable {
  /// The whole table, for a golden file.
  var json: [UInt8] {
    var writer = JSONWriter(indent: 1)
    writer.beginObject()
    writer.key("rows")
    writer.beginArray()
    for row in rows { row.write(into: &writer) }
    writer.endArray()
    writer.key("unsplit")
    writer.beginArray()
    for item in unsplit { writer.string("\(item.symbol) \(item.product ?? "")") }
    writer.endArray()
    writer.key("dropped")
    writer.beginObject()
    for (reason, count) in dropped.sorted(by: { $0.key < $1.key }) { writer.member(reason.rawValue, "\(count)") }
    writer.endObject()
    writer.key("failures")
    writer.beginArray()
    for item in failures { writer.string("\(item.part) \(item.failure.reason.code)") }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }
}
