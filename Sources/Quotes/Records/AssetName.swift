/// The common name of an asset, as given by an exchange.
package struct AssetName: Sendable, Hashable {
  /// Text from an exchange, to be sanitized before it is shown. Never empty, like `english`.
  package let korean: String?
  package let english: String?

  package init(korean: String?, english: String?) {
    self.korean = korean.flatMap { $0.isEmpty ? nil : $0 }
    self.english = english.flatMap { $0.isEmpty ? nil : $0 }
  }

  package var isEmpty: Bool { korean == nil && english == nil }
}

package enum AssetNameField: String, RecordField {
  case korean
  case english

  package var kind: FieldKind { .text }
}
