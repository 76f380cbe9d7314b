import Config
import Quotes

/// A field that is read as it stands: nearly all fields of nearly all exchanges.
struct PlainColumn: Sendable {
  let field: TickerField
  /// The path's place in the book.
  let path: Int
  /// The scale, as a power of ten: 2 for a ratio that becomes a percentage.
  let power: Int
  let mustBePositive: Bool

  /// nil where more than a scale stands between the digits and the value.
  init?(_ field: TickerField, _ value: ValuePlan) {
    guard case .row(let path) = value.origin, field != .time, value.capture == nil, value.strip.isEmpty,
      value.decimals.isEmpty, value.missing == ValueSpec.defaultMissing, let power = (value.scale ?? 1).powerOfTen
    else { return nil }
    self.field = field
    self.path = path
    self.power = power
    mustBePositive = field.mustBePositive
  }
}
