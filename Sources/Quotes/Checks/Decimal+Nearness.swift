extension Decimal {
  /// Whether the value differs from a positive one by at most that part of it.
  func isWithin(percent: Decimal, of other: Decimal) -> Bool {
    (self - other).magnitude.scaledByPowerOfTen(2) <= other * percent
  }

  /// The power of ten, other than 1, that a positive value is that close to; else nil.
  func nearestPowerOfTen(withinPercent percent: Decimal) -> Decimal? {
    guard signum > 0 else { return nil }
    for power in [leadingPower, leadingPower + 1] where power != 0 {
      let candidate = Decimal(exactly: 1, exponent: Int32(power))
      if isWithin(percent: percent, of: candidate) { return candidate }
    }
    return nil
  }
}
