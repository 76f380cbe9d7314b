package import Quotes

/// How one cell came to be: what `--explain` prints.
package struct FieldTrace: Sendable {
  /// One value that the cell was made of.
  package struct Source: Sendable {
    /// `row`, `response`, `request`, `key`, `constant` or a lookup's name.
    package let from: String
    /// The JSONPath, where there is one.
    package let path: String?
    /// The exchange's own characters; nil when the path led nowhere.
    package let raw: String?
  }

  package let field: TickerField
  /// `sum`, `product`, `difference`, `quotient`, `from open`; nil for a value that was read as it is.
  package let operation: String?
  package let sources: [Source]
  package let scale: String?
  /// The digits shown, or the reason why there are none.
  package let result: String
}
