extension Decimal: Comparable {
  package static func == (left: Decimal, right: Decimal) -> Bool {
    if left.exponent == right.exponent { return left.mantissa == right.mantissa }
    return left.compared(with: right) == 0
  }

  package static func < (left: Decimal, right: Decimal) -> Bool {
    if left.exponent == right.exponent { return left.mantissa < right.mantissa }
    return left.compared(with: right) < 0
  }

  /// -1, 0 or 1: less, equal or greater, by value and for any two exponents.
  private func compared(with other: Decimal) -> Int {
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
    // The first digits stand at the same place, so the raised mantissa has as many digits as the other one.
    return shift >= 0
      ? Decimal.order(mantissa * Int128(PowersOfTen.wide(shift)), other.mantissa)
      : Decimal.order(mantissa, other.mantissa * Int128(PowersOfTen.wide(-shift)))
  }

  private static func order(_ left: Int128, _ right: Int128) -> Int {
    left == right ? 0 : (left < right ? -1 : 1)
  }
}

extension Decimal: Hashable {
  package func hash(into hasher: inout Hasher) {
    let shortest = normalized
    hasher.combine(shortest.mantissa)
    hasher.combine(shortest.exponent)
  }
}
