package import Config
import JSONPath
package import Quotes

/// Facts about a sample from someone who knows the exchange. They take precedence over inference, but are checked
/// against the sample like everything else.
package struct SampleHints: Sendable {
  /// A pair that the sample contains or is about.
  package var pair: Pair?
  /// Whether the rows are futures, whose volumes may be numbers of contracts.
  package var isFutures = false
  /// Whether the address of the sample says that its figures are of 24 hours: `/ticker/24hr`.
  package var addressSaysWindow = false
  /// When the sample arrived; nil if unknown.
  package var arrival: Instant?
  /// The JSONPath of the rows, or the text of a `zip` of several.
  package var rows: String?
  /// The conditions of `where`.
  package var conditions: [ConfigValue] = []
  /// Exchange codes and the uppercase names they stand for: XBT is BTC.
  package var aliases: [String: String] = [:]
  /// The JSONPath of each known role, relative to the row.
  package var paths: [Role: String] = [:]
  /// The roles that are given with how they are read: text without numbers, or a computation, is no objection to them.
  package var whole: Set<Role> = []

  package init(pair: Pair? = nil) { self.pair = pair }
}

extension SampleHints {
  /// Returns whether two pairs are the same, however their currencies are written.
  package func areSame(_ one: Pair, _ other: Pair) -> Bool { canonical(one) == canonical(other) }

  /// Returns the pair under the names that its currencies have everywhere.
  package func canonical(_ pair: Pair) -> Pair {
    Pair(asset: aliases[pair.asset] ?? pair.asset, payment: aliases[pair.payment] ?? pair.payment)
  }

  /// Returns whether a part of an address says that what it answers is of 24 hours. A number alone may be anything.
  package static func saysWindow(_ part: String) -> Bool {
    FieldName.chunks(of: part).contains { ["24h", "rolling"].contains($0.lowercased()) }
  }

  /// Returns whether a text is a valid path in the config.
  package static func isPath(_ text: String) -> Bool { (try? JSONPathQuery(text)) != nil }
}
