/// Powers of ten, and the counting and cutting of decimal digits that is built on them.
enum PowersOfTen {
  /// 10^0 to 10^19: all that fit 64 bits.
  static let narrow: [UInt64] = [
    1, 10, 100, 1000, 10000, 100000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
    100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
    10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
  ]

  /// 10^power, for 0 to 38.
  static func wide(_ power: Int) -> UInt128 {
    if power <= 19 { return UInt128(narrow[power]) }
    return UInt128(narrow[19]) * UInt128(narrow[power - 19])
  }

  /// The number of decimal digits; zero has none.
  static func digitCount(_ magnitude: UInt128) -> Int {
    let bits = 128 - magnitude.leadingZeroBitCount
    // 1233 / 4096 is a little less than log10(2): right for every width up to 128 bits.
    let estimate = (bits * 1233) >> 12
    return magnitude >= wide(estimate) ? estimate + 1 : estimate
  }

  /// The same for a number of 64 bits.
  static func digitCount(_ magnitude: UInt64) -> Int {
    let bits = UInt64.bitWidth - magnitude.leadingZeroBitCount
    let estimate = (bits * 1233) >> 12
    return magnitude >= narrow[estimate] ? estimate + 1 : estimate
  }

  /// `magnitude / 10^power`, rounded half up, for any power from zero.
  static func divide(_ magnitude: UInt128, byPower power: Int) -> UInt128 {
    // 2^128 is below half of 10^39.
    if power > 38 { return 0 }
    let divisor = wide(power)
    let (quotient, remainder) = magnitude.quotientAndRemainder(dividingBy: divisor)
    return remainder >= divisor - remainder ? quotient + 1 : quotient
  }
}
