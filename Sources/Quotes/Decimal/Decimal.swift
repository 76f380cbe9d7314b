/// An exact decimal number: `mantissa × 10^exponent`.
///
/// It keeps the digits that it was created with (`1.50` stays `1.50`) but compares and hashes by value (`1.50 == 1.5`).
/// Every operation keeps 38 significant digits, exact up to there, and rounds half away from zero. No binary floating
/// point is involved.
///
///     Decimal("1.16539E8")?.description   // "116539000"
///     Decimal("0.10")! + Decimal("0.2")!  // 0.30
package struct Decimal: Sendable {
  /// The two halves of the mantissa: a single `Int128` would pad a cell from 24 bytes to 32.
  @usableFromInline let high: Int64
  @usableFromInline let low: UInt64

  /// The power of ten by which the mantissa is multiplied.
  package let exponent: Int32

  /// The digits as an integer; its magnitude is below 10^38.
  package var mantissa: Int128 { Int128(high) << 64 | Int128(low) }

  /// The mantissa if it fits 64 bits, as it nearly always does.
  var narrowMantissa: Int64? {
    let narrow = Int64(bitPattern: low)
    return narrow >> 63 == high ? narrow : nil
  }

  /// The number of significant digits that arithmetic keeps.
  package static let maximumDigits = 38

  /// The smallest magnitude with too many digits for a mantissa: 10^38.
  static let mantissaLimit = PowersOfTen.wide(maximumDigits)

  package static let zero = Decimal(0)

  package init(_ value: Int) { self.init(exactly: Int128(value), exponent: 0) }

  /// Creates `mantissa × 10^exponent`; a mantissa of 39 digits is rounded to 38.
  package init(mantissa: Int128, exponent: Int32) {
    self.init(isNegative: mantissa < 0, magnitude: mantissa.magnitude, exponent: Int(exponent))
  }

  /// Creates a number without rounding. The caller guarantees that the mantissa has at most 38 digits.
  init(exactly mantissa: Int128, exponent: Int32) {
    high = Int64(truncatingIfNeeded: mantissa >> 64)
    low = UInt64(truncatingIfNeeded: mantissa)
    self.exponent = exponent
  }

  /// Creates a number from a sign, a magnitude of up to 39 digits, rounded to 38, and an exponent, which is clamped.
  init(isNegative: Bool, magnitude: UInt128, exponent: Int) {
    var magnitude = magnitude
    var exponent = exponent
    if magnitude >= Decimal.mantissaLimit {
      magnitude = PowersOfTen.divide(magnitude, byPower: 1)
      exponent += 1
      if magnitude == Decimal.mantissaLimit {
        magnitude /= 10
        exponent += 1
      }
    }
    let mantissa = Int128(truncatingIfNeeded: magnitude)
    self.init(exactly: isNegative ? -mantissa : mantissa, exponent: Int32(clamping: exponent))
  }

  /// The value as an integer if it has a 64-bit mantissa and exponent zero; otherwise nil, even for `5.0` and `5e1`.
  package var wholeNumber: Int64? { exponent == 0 ? narrowMantissa : nil }

  package var isZero: Bool { mantissa == 0 }

  /// -1, 0 or 1.
  @inlinable package var signum: Int { high < 0 ? -1 : (UInt64(bitPattern: high) | low == 0 ? 0 : 1) }

  /// The number of digits in the mantissa: 5 for `123.40`, 0 for zero.
  package var significantDigits: Int { PowersOfTen.digitCount(mantissa.magnitude) }

  /// The power of ten of the first digit: 2 for `123.4`, -3 for `0.0012`. Meaningless for zero.
  package var leadingPower: Int { significantDigits - 1 + Int(exponent) }

  /// The same value with the shortest mantissa: `1.50` is 15 × 10^-1, `1500` is 15 × 10^2, zero is 0 × 10^0.
  package var normalized: Decimal {
    if mantissa == 0 { return .zero }
    return strippingZeros(downTo: Int32.max)
  }

  /// Returns the same value without trailing zeros in the mantissa, as long as the exponent stays at or below `limit`.
  func strippingZeros(downTo limit: Int32) -> Decimal {
    var magnitude = mantissa.magnitude
    var exponent = exponent
    // 128-bit divisions are slow: switch to 64 bits as soon as the number is small enough.
    while magnitude > UInt128(UInt64.max), exponent < limit {
      let (quotient, remainder) = magnitude.quotientAndRemainder(dividingBy: 10)
      if remainder != 0 { break }
      magnitude = quotient
      exponent += 1
    }
    if magnitude <= UInt128(UInt64.max), magnitude != 0 {
      var small = UInt64(truncatingIfNeeded: magnitude)
      while exponent < limit {
        let (quotient, remainder) = small.quotientAndRemainder(dividingBy: 10)
        if remainder != 0 { break }
        small = quotient
        exponent += 1
      }
      magnitude = UInt128(small)
    }
    return Decimal(isNegative: mantissa < 0, magnitude: magnitude, exponent: Int(exponent))
  }
}

extension Decimal: ExpressibleByIntegerLiteral {
  package init(integerLiteral value: Int) { self.init(value) }
}

extension Decimal: Comparable {
  // Inlined into other modules: order book levels are compared by the thousand.
  @inlinable package static func == (left: Decimal, right: Decimal) -> Bool {
    if left.exponent == right.exponent { return left.high == right.high && left.low == right.low }
    return left.compared(with: right) == 0
  }

  @inlinable package static func < (left: Decimal, right: Decimal) -> Bool {
    guard left.exponent == right.exponent else { return left.compared(with: right) < 0 }
    return left.high != right.high ? left.high < right.high : left.low < right.low
  }

  // The standard library's implementation goes through the protocol.
  @inlinable package static func > (left: Decimal, right: Decimal) -> Bool { right < left }

  /// Compares by value, for any two exponents: -1, 0 or 1 for less, equal or greater.
  @usableFromInline func compared(with other: Decimal) -> Int {
    let sign = signum
    guard sign == other.signum else { return sign < other.signum ? -1 : 1 }
    if sign == 0 { return 0 }
    let shift = Int(exponent) - Int(other.exponent)
    if shift >= 0 {
      if shift <= 18, let small = Int64(exactly: mantissa) {
        return Decimal.order(Int128(small) * Int128(PowersOfTen.narrow[shift]), other.mantissa)
      }
    } else if shift >= -18, let small = Int64(exactly: other.mantissa) {
      return Decimal.order(mantissa, Int128(small) * Int128(PowersOfTen.narrow[-shift]))
    }
    let power = leadingPower
    let otherPower = other.leadingPower
    if power != otherPower { return power < otherPower ? -sign : sign }
    // The first digits have the same place value, so the raised mantissa has as many digits as the other one.
    return shift >= 0
      ? Decimal.order(mantissa * Int128(PowersOfTen.wide(shift)), other.mantissa)
      : Decimal.order(mantissa, other.mantissa * Int128(PowersOfTen.wide(-shift)))
  }

  private static func order(_ left: Int128, _ right: Int128) -> Int { left == right ? 0 : (left < right ? -1 : 1) }
}

extension Decimal: Hashable {
  package func hash(into hasher: inout Hasher) {
    let shortest = normalized
    hasher.combine(shortest.mantissa)
    hasher.combine(shortest.exponent)
  }
}

extension Decimal {
  /// Returns the value with exactly that many decimal places, rounded half away from zero.
  ///
  /// `1.5` to 2 places is `1.50`, and `-0.005` is `-0.01`. Negative places round before the point. Zeros that would not
  /// fit 38 digits are not added; ``fixedText(places:)`` writes them.
  package func rounded(toPlaces places: Int) -> Decimal {
    let target = -Int(Int32(clamping: places))
    let shift = Int(exponent) - target
    if shift >= 0 {
      guard isZero || shift + significantDigits <= Decimal.maximumDigits else { return self }
      let raised = isZero ? 0 : mantissa * Int128(PowersOfTen.wide(shift))
      return Decimal(exactly: raised, exponent: Int32(target))
    }
    let magnitude = PowersOfTen.divide(mantissa.magnitude, byPower: -shift)
    return Decimal(isNegative: mantissa < 0, magnitude: magnitude, exponent: target)
  }

  /// Returns the value with at most that many significant digits, rounded half away from zero; no zeros are added.
  ///
  /// `123456` to 3 digits is `123000`, `0.99996` to 4 is `1.000`.
  package func rounded(toSignificantDigits digits: Int) -> Decimal {
    let excess = significantDigits - digits
    if excess <= 0 { return self }
    var magnitude = PowersOfTen.divide(mantissa.magnitude, byPower: excess)
    var exponent = Int(exponent) + excess
    if PowersOfTen.digitCount(magnitude) > digits {
      magnitude /= 10
      exponent += 1
    }
    return Decimal(isNegative: mantissa < 0, magnitude: magnitude, exponent: exponent)
  }

  /// Whether the value is too large or too small for any market: at least 10^40, or below 10^-40 but not zero. A text
  /// such as `1e400` is a number, but not a price or a size.
  @inline(__always)
  package var isBeyondMarkets: Bool {
    // A mantissa has 38 digits at most.
    exponent < -40 || exponent > 2 ? hasFarDigits : false
  }

  private var hasFarDigits: Bool {
    // A computed zero may have some eighty decimals, but nobody sends a thousand.
    guard mantissa != 0 else { return exponent < -128 }
    let leadingPower = PowersOfTen.digitCount(mantissa.magnitude) - 1 + Int(exponent)
    return !(-40..<40 ~= leadingPower)
  }
}
