/// An unsigned integer of 256 bits: what two mantissas multiply to, before it is rounded back to one.
struct WideMagnitude {
  var high: UInt128
  var low: UInt128

  /// The exact product.
  init(_ first: UInt128, times second: UInt128) {
    (high, low) = first.multipliedFullWidth(by: second)
  }

  static func + (wide: WideMagnitude, small: UInt128) -> WideMagnitude {
    var sum = wide
    let carry: Bool
    (sum.low, carry) = wide.low.addingReportingOverflow(small)
    if carry { sum.high += 1 }
    return sum
  }

  /// Expects `small` to be the smaller one.
  static func - (wide: WideMagnitude, small: UInt128) -> WideMagnitude {
    var difference = wide
    let borrow: Bool
    (difference.low, borrow) = wide.low.subtractingReportingOverflow(small)
    if borrow { difference.high -= 1 }
    return difference
  }

  /// The first 38 digits, rounded half up, and how many digits were cut off. Expects at most 76 digits.
  ///
  /// The magnitude returned is at most 10^38, which is what 38 nines round up to.
  func roundedToMantissa() -> (magnitude: UInt128, dropped: Int) {
    if high == 0 {
      let excess = PowersOfTen.digitCount(low) - Decimal.maximumDigits
      return excess > 0 ? (PowersOfTen.divide(low, byPower: excess), excess) : (low, 0)
    }
    let bits = 256 - high.leadingZeroBitCount
    // At least the number of digits, and at most one more; see PowersOfTen.digitCount.
    let digits = (bits * 1233) >> 12 + 1
    var excess = min(digits, 2 * Decimal.maximumDigits) - Decimal.maximumDigits
    var divisor = PowersOfTen.wide(excess)
    var (quotient, remainder) = divisor.dividingFullWidth((high, low))
    if quotient < PowersOfTen.wide(Decimal.maximumDigits - 1) {
      // The estimate was one too high.
      excess -= 1
      divisor = PowersOfTen.wide(excess)
      (quotient, remainder) = divisor.dividingFullWidth((high, low))
    }
    return (remainder >= divisor - remainder ? quotient + 1 : quotient, excess)
  }
}
