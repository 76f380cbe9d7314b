import Quotes
import TestSupport

extension SeededGenerator {
  /// Returns a number of 1 to 38 digits, biased towards the edges of rounding and carrying.
  mutating func decimal() -> Decimal {
    let count = Int.random(in: 1...38, using: &self)
    let alphabets: [[Int128]] = [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [9], [0, 5], [0, 4, 5, 9], [0, 0, 0, 1]]
    let alphabet = alphabets[Int.random(in: 0..<alphabets.count, using: &self)]
    var mantissa: Int128 = 0
    for _ in 0..<count { mantissa = mantissa * 10 + (alphabet.randomElement(using: &self) ?? 0) }
    let spans: [ClosedRange<Int32>] = [-12 ... -2, -40...40, -90...90]
    let span = spans[Int.random(in: 0..<spans.count, using: &self)]
    return Decimal(
      mantissa: Bool.random(using: &self) ? mantissa : -mantissa, exponent: Int32.random(in: span, using: &self))
  }
}
