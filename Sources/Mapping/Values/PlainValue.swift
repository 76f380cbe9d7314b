import Config
import Quotes

/// A number that is read as it stands: nearly all fields of nearly all exchanges.
struct PlainNumber: Sendable {
  /// The number of its path in the path list.
  let path: Int
  /// The scale, as a power of ten: 2 for a ratio that becomes a percentage.
  let power: Int
  let mustBePositive: Bool

  /// nil where more than a power of ten stands between the digits and the value.
  init?(_ value: ValuePlan, _ kind: FieldKind) {
    guard kind == .number || kind == .positiveNumber, case .row(let path) = value.origin, !value.editsText,
      value.decimals == nil, value.spec.missing == ValueSpec.defaultMissing,
      let power = (value.spec.scale ?? 1).powerOfTen
    else { return nil }
    self.path = path
    self.power = power
    mustBePositive = kind == .positiveNumber
  }
}

/// A time that is counted from 1970 in a unit, in UTC, and read as it stands.
struct PlainTime: Sendable {
  /// The number of its path in the path list.
  let path: Int
  let unit: TimeUnit

  /// nil for a time that is written otherwise.
  init?(_ value: ValuePlan) {
    guard case .row(let path) = value.origin, value.isPlain, value.spec.missing == ValueSpec.defaultMissing,
      case .unit(let unit, 0)? = value.spec.time
    else { return nil }
    self.path = path
    self.unit = unit
  }
}
