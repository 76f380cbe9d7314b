import JSON
import MarketData
import Quotes

extension ExchangeReport {
  /// `{"exchange": "Binance", "market": "spot", "status": "failed", "reason": "http-451", "message": …}`
  func write(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("exchange")
    writer.string(exchange)
    writer.key("market")
    writer.string(market.rawValue)
    writer.key("status")
    writer.string(status.rawValue)
    for (name, text) in [("reason", reason), ("message", message)] {
      writer.key(name)
      if let text { writer.string(text) } else { writer.null() }
    }
    writer.endObject()
  }

  /// One line for people, nil where nothing failed.
  var line: String? {
    guard status == .failed || status == .partial, let reason else { return nil }
    let detail = message.map { " (\($0))" } ?? ""
    let extent = status == .partial ? ", in part" : ""
    return "\(exchange) \(market.rawValue)\(extent): \(reason)\(detail)"
  }
}
