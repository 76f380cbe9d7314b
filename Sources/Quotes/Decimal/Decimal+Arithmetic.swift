extension Decimal {
  package var negated: Decimal { Decimal(exactly: -mantissa, exponent: exponent) }

  package var magnitude: Decimal { mantissa < 0 ? negated : self }

  package static prefix func - (value: Decimal) -> Decimal { value.negated }

  /// Returns the value times 10^power, with the same digits: `0.0123` by 2 is `1.23`, not `1.2300`.
  package func scaledByPowerOfTen(_ power: Int) -> Decimal {
    Decimal(exactly: mantissa, exponent: Int32(clamping: Int(exponent) + max(-100_000, min(100_000, power))))
  }

  /// The exponent if the value is a power of ten: 2 for `100`, -8 for `1e-8`; otherwise nil.
  package var powerOfTen: Int? {
    let shortest = normalized
    return shortest.mantissa == 1 ? Int(shortest.exponent) : nil
  }

  /// Returns the value times a factor. A factor that is a power of ten moves the point and keeps the digits.
  ///
  /// The place of the last digit then still tells the exchange's precision: `0.0123` scaled by `100` is `1.23`, whereas
  /// the product of the two would be `1.2300`.
  package func scaled(by factor: Decimal) -> Decimal { factor.powerOfTen.map(scaledByPowerOfTen) ?? self * factor }

  package static func + (left: Decimal, right: Decimal) -> Decimal {
    let (coarse, fine) = left.exponent >= right.exponent ? (left, right) : (right, left)
    let shift = Int(coarse.exponent) - Int(fine.exponent)
    if shift <= 18, let small = Int64(exactly: coarse.mantissa) {
      // At most 2^63 × 10^18 + 10^38, which is less than 2^127.
      let sum = Int128(small) * Int128(PowersOfTen.narrow[shift]) + fine.mantissa
      return Decimal(mantissa: sum, exponent: fine.exponent)
    }
    return wideSum(coarse, fine, shift: shift)
  }

  package static func - (left: Decimal, right: Decimal) -> Decimal { left + right.negated }

  /// Returns the sum of any two numbers, where the exponent of `coarse` is higher by `shift`.
  private static func wideSum(_ coarse: Decimal, _ fine: Decimal, shift: Int) -> Decimal {
    if coarse.isZero { return fine }
    if fine.isZero { return coarse }
    // Raise the coarse mantissa to the exponent of the fine one, or as far as 76 digits allow.
    let digits = coarse.significantDigits
    let raise = min(shift, 2 * maximumDigits - digits)
    let within = min(raise, maximumDigits - digits)
    let wide = WideMagnitude(
      coarse.mantissa.magnitude * PowersOfTen.wide(within), times: PowersOfTen.wide(raise - within))
    var addend = fine.mantissa.magnitude
    var isCut = false
    if raise < shift {
      let excess = shift - raise
      let divisor = excess <= maximumDigits ? PowersOfTen.wide(excess) : UInt128.max
      let (quotient, remainder) = addend.quotientAndRemainder(dividingBy: divisor)
      addend = quotient
      isCut = remainder != 0
    }
    var isNegative = coarse.mantissa < 0
    let sum: WideMagnitude
    if isNegative == (fine.mantissa < 0) {
      // What was cut off does not matter: it is far below the half that decides the rounding.
      sum = wide + addend
    } else {
      // Here it makes the difference smaller, so it counts as one and rounding sees the next integer below.
      if isCut { addend += 1 }
      if wide.high == 0, wide.low < addend {
        isNegative.toggle()
        sum = WideMagnitude(addend - wide.low, times: 1)
      } else {
        sum = wide - addend
      }
    }
    let (magnitude, dropped) = sum.roundedToMantissa()
    return Decimal(isNegative: isNegative, magnitude: magnitude, exponent: Int(fine.exponent) + shift - raise + dropped)
  }

  package static func * (left: Decimal, right: Decimal) -> Decimal {
    let exponent = Int(left.exponent) + Int(right.exponent)
    if let first = Int64(exactly: left.mantissa), let second = Int64(exactly: right.mantissa) {
      // At most 2^126, which is less than 10^38.
      return Decimal(exactly: Int128(first) * Int128(second), exponent: Int32(clamping: exponent))
    }
    let product = WideMagnitude(left.mantissa.magnitude, times: right.mantissa.magnitude)
    let (magnitude, dropped) = product.roundedToMantissa()
    return Decimal(
      isNegative: (left.mantissa < 0) != (right.mantissa < 0), magnitude: magnitude, exponent: exponent + dropped)
  }

  /// Returns the quotient, rounded to 38 significant digits, or nil if the divisor is zero.
  ///
  /// An exact quotient has no more trailing zeros than its operands imply: 1 / 4 is `0.25`.
  package func divided(by divisor: Decimal) -> Decimal? {
    if divisor.isZero { return nil }
    let preferredExponent = Int(exponent) - Int(divisor.exponent)
    if isZero { return Decimal(exactly: 0, exponent: Int32(clamping: preferredExponent)) }
    let denominator = divisor.mantissa.magnitude
    // A numerator of 38 digits times 10^(digits of the denominator - 1) gives a quotient of 37 or 38 digits.
    let lift = Decimal.maximumDigits - significantDigits
    let numerator = mantissa.magnitude * PowersOfTen.wide(lift)
    var raise = PowersOfTen.digitCount(denominator) - 1
    var wide = WideMagnitude(numerator, times: PowersOfTen.wide(raise))
    var (quotient, remainder) = denominator.dividingFullWidth((wide.high, wide.low))
    if quotient < PowersOfTen.wide(Decimal.maximumDigits - 1) {
      raise += 1
      wide = WideMagnitude(numerator, times: PowersOfTen.wide(raise))
      (quotient, remainder) = denominator.dividingFullWidth((wide.high, wide.low))
    }
    let isExact = remainder == 0
    if remainder >= denominator - remainder { quotient += 1 }
    let result = Decimal(
      isNegative: (mantissa < 0) != (divisor.mantissa < 0), magnitude: quotient,
      exponent: preferredExponent - lift - raise)
    return isExact ? result.strippingZeros(downTo: Int32(clamping: preferredExponent)) : result
  }

  /// Returns by how many percent the number is above another one; nil if that is zero.
  package func percent(above base: Decimal) -> Decimal? { (self - base).percent(of: base) }

  /// Returns how many percent of another number it is; nil if that is zero.
  package func percent(of whole: Decimal) -> Decimal? { scaledByPowerOfTen(2).divided(by: whole) }
}

/// An unsigned 256-bit integer: the product of two mantissas before it is rounded to one.
struct WideMagnitude {
  var high: UInt128
  var low: UInt128

  /// Creates the exact product.
  init(_ first: UInt128, times second: UInt128) { (high, low) = first.multipliedFullWidth(by: second) }

  static func + (wide: WideMagnitude, small: UInt128) -> WideMagnitude {
    var sum = wide
    let carry: Bool
    (sum.low, carry) = wide.low.addingReportingOverflow(small)
    if carry { sum.high += 1 }
    return sum
  }

  /// Returns the difference. Expects `small` to be the smaller operand.
  static func - (wide: WideMagnitude, small: UInt128) -> WideMagnitude {
    var difference = wide
    let borrow: Bool
    (difference.low, borrow) = wide.low.subtractingReportingOverflow(small)
    if borrow { difference.high -= 1 }
    return difference
  }

  /// Returns the first 38 digits, rounded half up, and how many digits were cut off. Expects at most 76 digits.
  ///
  /// The magnitude returned is at most 10^38, which 38 nines round up to.
  func roundedToMantissa() -> (magnitude: UInt128, dropped: Int) {
    if high == 0 {
      let excess = PowersOfTen.digitCount(low) - Decimal.maximumDigits
      return excess > 0 ? (PowersOfTen.divide(low, byPower: excess), excess) : (low, 0)
    }
    let bits = 256 - high.leadingZeroBitCount
    // The number of digits, or one more; see PowersOfTen.digitCount.
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

/// Powers of ten, and the functions built on them that count and cut decimal digits.
enum PowersOfTen {
  /// 10^0 to 10^19: all that fit 64 bits.
  static let narrow: [UInt64] = [
    1, 10, 100, 1000, 10000, 100000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
    100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
    10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
  ]

  /// Returns 10^power, for 0 to 38.
  static func wide(_ power: Int) -> UInt128 {
    if power <= 19 { return UInt128(narrow[power]) }
    return UInt128(narrow[19]) * UInt128(narrow[power - 19])
  }

  /// Returns the number of decimal digits; 0 for zero.
  static func digitCount(_ magnitude: UInt128) -> Int {
    let bits = 128 - magnitude.leadingZeroBitCount
    // 1233 / 4096 is slightly less than log10(2), which is exact enough for every width up to 128 bits.
    let estimate = (bits * 1233) >> 12
    return magnitude >= wide(estimate) ? estimate + 1 : estimate
  }

  /// Returns the number of decimal digits of a 64-bit number.
  static func digitCount(_ magnitude: UInt64) -> Int {
    let bits = UInt64.bitWidth - magnitude.leadingZeroBitCount
    let estimate = (bits * 1233) >> 12
    return magnitude >= narrow[estimate] ? estimate + 1 : estimate
  }

  /// Returns `magnitude / 10^power`, rounded half up, for any nonnegative power.
  static func divide(_ magnitude: UInt128, byPower power: Int) -> UInt128 {
    // 2^128 is below half of 10^39.
    if power > 38 { return 0 }
    let divisor = wide(power)
    let (quotient, remainder) = magnitude.quotientAndRemainder(dividingBy: divisor)
    return remainder >= divisor - remainder ? quotient + 1 : quotient
  }
}
