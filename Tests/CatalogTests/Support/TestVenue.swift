import Catalog
import JSON
import Quotes
import Testing

/// Texts of configs out of a few members.
enum TestVenue {
  /// All that a venue needs.
  static let base = #""baseUrls": ["https://venue.test"], "rows": "$[*]", "symbol": {"path": "$.s", "split": "-"}"#

  /// A config with one venue that has one spot table.
  static func config(
    tickers members: String = "", venue: String = base, request: String = #"{"path": "/t"}"#
  ) -> String {
    let more = members.isEmpty ? "" : ", " + members
    return #"""
      {"version": 1, "exchanges": {"Venue": {
        \#(venue),
        "markets": {"spot": {"tickers": {"request": \#(request)\#(more)}}}}}}
      """#
  }

  static func catalog(_ text: String, over builtin: String? = nil, isUntrusted: Bool = false) throws -> Catalog {
    let base = try builtin.map { try MarkedConfig($0, name: "builtin") }
    return try MarkedConfig(text, isUntrusted: isUntrusted).catalog(over: base)
  }

  /// Reads one venue, which must be whole.
  static func read(_ name: String = "Venue", in catalog: Catalog) throws -> Venue {
    let (venue, diagnostics) = catalog.read(try #require(catalog.venue(named: name)))
    return try #require(venue, Comment(rawValue: diagnostics.map(\.line).joined(separator: "\n")))
  }
}

extension Venue {
  /// The parts of the table of all spot pairs.
  var spot: [TableSpec] { market(.spot)?.tickers ?? [] }
  var spotTicker: [TableSpec] { market(.spot)?.ticker ?? [] }
}

extension TableSpec {
  /// The members of an object that merges, as they came to be: `price=$.last`.
  var fieldTexts: [String] { fields.map { "\($0.key)=\($0.value.node.json.text)" }.sorted() }
  var headerNames: [String] { headers.map(\.name) }
}
