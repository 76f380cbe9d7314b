extension Decimal {
  /// The value with exactly that many digits behind the point, rounded half away from zero.
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

  /// The value with at most that many significant digits, rounded half away from zero; no zeros are added.
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
}
