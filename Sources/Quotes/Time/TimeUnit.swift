/// The units in which exchanges count the time since 1970.
package enum TimeUnit: String, Sendable, Hashable, CaseIterable {
  case seconds = "s"
  case milliseconds = "ms"
  case microseconds = "us"
  case nanoseconds = "ns"

  /// The power of ten that makes nanoseconds of it.
  var powerToNanoseconds: Int {
    switch self {
    case .seconds: 9
    case .milliseconds: 6
    case .microseconds: 3
    case .nanoseconds: 0
    }
  }
}

extension Instant {
  /// The moment that lies so many units after 1970-01-01T00:00:00Z.
  ///
  /// A fraction is allowed (`1626342738.331497` seconds) and rounded to nanoseconds, half away from zero; nil when the
  /// moment lies outside the years 1677 to 2262.
  package init?(_ count: Decimal, unit: TimeUnit) {
    let nanoseconds = count.scaledByPowerOfTen(unit.powerToNanoseconds).rounded(toPlaces: 0)
    // What is too large for 38 digits keeps its exponent; it is far too large for a time, too.
    guard nanoseconds.exponent == 0, let value = Int64(exactly: nanoseconds.mantissa) else { return nil }
    self.init(nanoseconds: value)
  }

  /// The same for a whole count as it is sent, in ASCII; nil for any other text, too.
  package init?(plain bytes: UnsafeBufferPointer<UInt8>, unit: TimeUnit) {
    var wasRounded = false
    guard let count = Decimal.parse(bytes, wasRounded: &wasRounded)?.wholeNumber else { return nil }
    self.init(count, unit: unit)
  }

  /// The same for a whole count.
  package init?(_ count: Int64, unit: TimeUnit) {
    let scale = Int64(PowersOfTen.narrow[unit.powerToNanoseconds])
    let (nanoseconds, overflow) = count.multipliedReportingOverflow(by: scale)
    if overflow { return nil }
    self.init(nanoseconds: nanoseconds)
  }
}
