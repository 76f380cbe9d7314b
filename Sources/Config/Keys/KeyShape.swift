/// One key of an object of the config language.
package struct KeyShape: Sendable {
  package let name: String
  /// One or two plain sentences: what the key means.
  package let summary: String
  package let value: ValueShape
  /// JSON text of the value that holds where the key is absent.
  package let defaultValue: String?
  /// JSON texts of values worth copying.
  package let examples: [String]
  /// Whether the object means nothing without it, and no other level can give it.
  package let isRequired: Bool
  /// Whether it is one of the block keys, which mean the same on every level.
  package let isBlockKey: Bool

  init(
    _ name: String, _ value: ValueShape, _ summary: String, default defaultValue: String? = nil,
    examples: [String] = [], isRequired: Bool = false, isBlockKey: Bool = false
  ) {
    self.name = name
    self.value = value
    self.summary = summary
    self.defaultValue = defaultValue
    self.examples = examples
    self.isRequired = isRequired
    self.isBlockKey = isBlockKey
  }
}
