import Config
import Quotes

/// A time that is counted from 1970 in a unit, in UTC, and read as it stands.
struct PlainTime: Sendable {
  /// The path's place in the book.
  let path: Int
  let unit: TimeUnit

  /// nil for a time that is written otherwise.
  init?(_ value: ValuePlan) {
    guard case .row(let path) = value.origin, value.isPlain, value.missing == ValueSpec.defaultMissing,
      case .unit(let unit, 0)? = value.time
    else { return nil }
    self.path = path
    self.unit = unit
  }
}
