import Quotes

/// The 1-2-5 series times powers of ten.
enum Steps {
  /// Returns the next step above a positive number.
  static func after(_ step: Decimal) -> Decimal {
    let (first, power) = parts(of: step)
    return (first < 2 ? 2 : first < 5 ? 5 : Decimal(10)).scaledByPowerOfTen(power)
  }

  /// Returns the next step below.
  static func before(_ step: Decimal) -> Decimal {
    let (first, power) = parts(of: step)
    let below: Decimal = first > 5 ? 5 : first > 2 ? 2 : first > 1 ? 1 : Decimal(5).scaledByPowerOfTen(-1)
    return below.scaledByPowerOfTen(power)
  }

  /// Splits a number into a mantissa from 1 to below 10 and a power of ten.
  private static func parts(of step: Decimal) -> (Decimal, Int) {
    (step.scaledByPowerOfTen(-step.leadingPower), step.leadingPower)
  }
}
