import Config
import JSON
import Quotes
import Testing

/// Config texts built from a few members.
enum TestExchange {
  /// The minimum that an exchange needs.
  static let base = #""baseUrls": ["https://exchange.test"], "rows": "$[*]", "symbol": {"path": "$.s", "split": "-"}"#

  /// Returns a config with one exchange that has one spot table.
  static func config(
    tickers members: String = "", exchange: String = base, request: String = #"{"path": "/t"}"#
  ) -> String {
    let more = members.isEmpty ? "" : ", " + members
    return #"""
      {"version": 1, "exchanges": {"Exchange": {
        \#(exchange),
        "markets": {"spot": {"tickers": {"request": \#(request)\#(more)}}}}}}
      """#
  }

  static func configuration(_ text: String, over builtin: String? = nil, origin: SourceFile.Origin = .other) throws
    -> Configuration
  {
    let base = try builtin.map { try MarkedConfig($0, name: "builtin", origin: .shipped) }
    return try MarkedConfig(text, origin: origin).configuration(over: base)
  }

  /// Reads one exchange, which must be valid.
  static func read(_ name: String = "Exchange", in configuration: Configuration) throws -> Exchange {
    let (exchange, diagnostics) = configuration.read(try #require(configuration.exchange(named: name)))
    return try #require(exchange, Comment(rawValue: diagnostics.map(\.line).joined(separator: "\n")))
  }
}

extension Exchange {
  /// The parts of the table of all spot pairs.
  var spot: [TableSpec] { market(.spot)?.tickers ?? [] }
  var spotTicker: [TableSpec] { market(.spot)?.ticker ?? [] }
}

extension TableSpec {
  /// The members of a merging object after merging, like `price=$.last`.
  var fieldTexts: [String] { fields.map { "\($0.key)=\($0.value.node.json.text)" }.sorted() }
  var headerNames: [String] { headers.map(\.name) }
}
