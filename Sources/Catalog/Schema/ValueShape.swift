/// What may stand as the value of a key of the config language: as much of it as a schema can say.
package indirect enum ValueShape: Sendable {
  /// Any text, or one that fits a pattern (ECMA-262, as JSON Schema has it).
  case text(pattern: String? = nil)
  case boolean
  case integer(ClosedRange<Int>)
  case number
  /// An exact number above zero, as a number or a text.
  case positiveNumber
  /// A text, number or boolean.
  case scalar
  /// A text, number, boolean or null.
  case comparand
  case choice([String])
  case null
  case anything
  case list(ValueShape, ClosedRange<Int>? = nil)
  /// An object whose names the config chooses freely; null removes an inherited member.
  case map(ValueShape)
  case object(ShapeID)
  case any([ValueShape])

  /// `500ms`, `5s`, `1m`, `1h`, `1d`.
  static let duration = ValueShape.text(pattern: "^[0-9]+(ms|s|m|h|d)$")
  /// A path of RFC 9535.
  static let path = ValueShape.text(pattern: "^\\$")
  static let zone = ValueShape.text(pattern: "^(Z|UTC|[+-][0-9]{2}:[0-9]{2})$")
  static let day = ValueShape.text(pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$")
  /// `09:00`, `24:00`.
  static let timeOfDay = ValueShape.text(pattern: "^([01][0-9]|2[0-4]):[0-5][0-9](:[0-5][0-9])?$")
  static let texts = ValueShape.list(.text())

  /// A value of the language: a path, a constant, or an object that says more.
  static func value(_ id: ShapeID) -> ValueShape { .any([.text(), .number, .object(id)]) }
}
