extension Decimal {
  package var negated: Decimal { Decimal(exactly: -mantissa, exponent: exponent) }

  package var magnitude: Decimal { mantissa < 0 ? negated : self }

  package static prefix func - (value: Decimal) -> Decimal { value.negated }

  /// The value times 10^power, with the same digits: `0.0123` by 2 is `1.23`, and not `1.2300`.
  package func scaledByPowerOfTen(_ power: Int) -> Decimal {
    Decimal(exactly: mantissa, exponent: Int32(clamping: Int(exponent) + max(-100_000, min(100_000, power))))
  }

  /// The power, when the value is a power of ten: 2 for `100`, -8 for `1e-8`; else nil.
  package var powerOfTen: Int? {
    let shortest = normalized
    return shortest.mantissa == 1 ? Int(shortest.exponent) : nil
  }

  /// The value times a factor; a factor that is a power of ten moves the point and leaves the digits alone.
  ///
  /// So the place of the last digit still tells how exact the exchange was: `0.0123` scaled by `100` is `1.23`, where the
  /// product of the two would be `1.2300`.
  package func scaled(by factor: Decimal) -> Decimal {
    factor.powerOfTen.map(scaledByPowerOfTen) ?? self * factor
  }

  package static func + (left: Decimal, right: Decimal) -> Decimal {
    let (coarse, fine) = left.exponent >= right.exponent ? (left, right) : (right, left)
    let shift = Int(coarse.exponent) - Int(fine.exponent)
    if shift <= 18, let small = Int64(exactly: coarse.mantissa) {
      // At most 2^63 × 10^18 + 10^38, which is below 2^127.
      let sum = Int128(small) * Int128(PowersOfTen.narrow[shift]) + fine.mantissa
      return Decimal(mantissa: sum, exponent: fine.exponent)
    }
    return wideSum(coarse, fine, shift: shift)
  }

  package static func - (left: Decimal, right: Decimal) -> Decimal {
    left + right.negated
  }

  /// The sum of any two numbers; `coarse` has the exponent that is higher by `shift`.
  private static func wideSum(_ coarse: Decimal, _ fine: Decimal, shift: Int) -> Decimal {
    if coarse.isZero { return fine }
    if fine.isZero { return coarse }
    // The coarse mantissa is raised to the exponent of the fine one, or as far as 76 digits go.
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
      // What was cut off cannot matter: it lies far below the half that decides the rounding.
      sum = wide + addend
    } else {
      // Here it makes the difference smaller, so it counts as one: the rounding then sees the next integer below.
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
      // At most 2^126, which is below 10^38.
      return Decimal(exactly: Int128(first) * Int128(second), exponent: Int32(clamping: exponent))
    }
    let product = WideMagnitude(left.mantissa.magnitude, times: right.mantissa.magnitude)
    let (magnitude, dropped) = product.roundedToMantissa()
    return Decimal(
      isNegative: (left.mantissa < 0) != (right.mantissa < 0), magnitude: magnitude, exponent: exponent + dropped)
  }

  /// The quotient, rounded to 38 significant digits; nil when the divisor is zero.
  ///
  /// A quotient that is exact has no more trailing zeros than its operands give it: 1 / 4 is `0.25`.
  package func divided(by divisor: Decimal) -> Decimal? {
    if divisor.isZero { return nil }
    let preferredExponent = Int(exponent) - Int(divisor.exponent)
    if isZero { return Decimal(exactly: 0, exponent: Int32(clamping: preferredExponent)) }
    let denominator = divisor.mantissa.magnitude
    // A numerator of 38 digits, times 10^(digits of the denominator - 1), gives a quotient of 37 or 38 digits.
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
}
