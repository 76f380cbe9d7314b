/// A config of exchanges on this machine that respond with
/// `{"ok": true, "list": [{"s": "BTC-USDT", "p": "100.5", "o": "99", "q": "1005"}]}`, or whatever a test wants.
struct LocalExchanges {
  /// The names of the exchanges, each with its base address and the path of its request.
  let exchanges: [(name: String, base: String, path: String)]

  var config: String {
    let blocks = exchanges.map { exchange in
      """
      "\(exchange.name)": { "baseUrls": ["\(exchange.base)"],
        "success": { "where": [{ "path": "$.ok", "equals": true }], "code": "$.code", "message": ["$.message"] },
        "rows": "$.list[*]", "symbol": { "path": "$.s", "split": "-" },
        "fields": { "price": "$.p", "open": "$.o", "turnover24": "$.q" },
        "markets": { "spot": { "tickers": { "request": { "path": "\(exchange.path)" } } } } }
      """
    }
    return #"{ "version": 1, "exchanges": { \#(blocks.joined(separator: ",\n")) } }"#
  }

  /// Returns a response with one or more rows.
  static func answer(_ rows: String...) -> String { #"{"ok":true,"list":[\#(rows.joined(separator: ","))]}"# }

  static func row(_ price: String, symbol: String = "BTC-USDT") -> String {
    #"{"s":"\#(symbol)","p":"\#(price)","o":"99","q":"1005"}"#
  }

  static let good = answer(row("100.5"), row("3000", symbol: "ETH-USDT"))
}
