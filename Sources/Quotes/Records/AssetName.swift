/// What people call an asset, as an exchange says it.
package struct AssetName: Sendable, Hashable {
  /// Text of an exchange: it is cleaned where it is shown. Never empty, as `english`.
  package let korean: String?
  package let english: String?

  package init(korean: String?, english: String?) {
    self.korean = korean.flatMap { $0.isEmpty ? nil : $0 }
    self.english = english.flatMap { $0.isEmpty ? nil : $0 }
  }

  package var isEmpty: Bool { korean == nil && english == nil }
}

/// The names of one asset.
package enum AssetNameField: String, RecordField {
  case korean
  case english

  package var kind: FieldKind { .text }
}
