import Quotes
import TestSupport
import Testing

struct DecimalArithmeticTests {
  static let seeds: [UInt64] = [11, 12, 13, 14]

  @Test(arguments: seeds)
  func sumsAndDifferencesMatchLongArithmetic(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let (left, right) = (random.decimal(), random.decimal())
      let sum = NaiveNumber(left) + NaiveNumber(right)
      #expect((left + right).shortest == sum.rounded(toDigits: 38).description, "\(left) + \(right)")
      let difference = NaiveNumber(left) + NaiveNumber(right).negated
      #expect((left - right).shortest == difference.rounded(toDigits: 38).description, "\(left) - \(right)")
    }
  }

  @Test(arguments: seeds)
  func productsMatchLongArithmetic(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let (left, right) = (random.decimal(), random.decimal())
      let product = NaiveNumber(left) * NaiveNumber(right)
      #expect((left * right).shortest == product.rounded(toDigits: 38).description, "\(left) * \(right)")
    }
  }

  @Test(arguments: seeds)
  func quotientsMatchLongArithmetic(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<30 {
      let (left, right) = (random.decimal(), random.decimal())
      guard !right.isZero else {
        #expect(left.divided(by: right) == nil)
        continue
      }
      let quotient = NaiveNumber(left).divided(by: NaiveNumber(right))
      #expect(left.divided(by: right)?.shortest == quotient.rounded(toDigits: 38).description, "\(left) / \(right)")
    }
  }

  @Test(arguments: seeds)
  func comparisonMatchesSignOfDifference(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let left = random.decimal()
      // A close neighbour every other time.
      let near = left + Decimal(mantissa: Int128.random(in: -1...1, using: &random), exponent: left.exponent)
      let right = Bool.random(using: &random) ? near : random.decimal()
      let difference = NaiveNumber(left) + NaiveNumber(right).negated
      #expect((left < right) == (difference.isNegative && !difference.digits.isEmpty), "\(left) < \(right)")
      #expect((left == right) == difference.digits.isEmpty, "\(left) == \(right)")
      if left == right { #expect(left.hashValue == right.hashValue) }
    }
  }

  @Test(arguments: seeds)
  func roundingMatchesLongArithmetic(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let value = random.decimal()
      let places = Int.random(in: -45...45, using: &random)
      let digits = Int.random(in: 1...38, using: &random)
      let naive = NaiveNumber(value)
      #expect(
        value.rounded(toPlaces: places).shortest == naive.rounded(toPlaces: places).description,
        "\(value) to \(places) places")
      #expect(
        value.rounded(toSignificantDigits: digits).shortest == naive.rounded(toDigits: digits).description,
        "\(value) to \(digits) digits")
    }
  }

  @Test func keepsDigitsOfExactResults() throws {
    let tenth = try #require(Decimal("0.10"))
    let fifth = try #require(Decimal("0.2"))
    #expect((tenth + fifth).description == "0.30")
    #expect((fifth - tenth).description == "0.10")
    #expect((tenth - tenth).description == "0.00")
    #expect((tenth * fifth).description == "0.020")
    #expect((-tenth).description == "-0.10")
    #expect((-tenth).magnitude.description == "0.10")
  }

  @Test(arguments: [
    ("1", "4", "0.25"), ("10", "2", "5"), ("1.50", "0.5", "3.0"), ("100", "10", "10"), ("0", "7", "0"),
    ("0.00", "7", "0.00"), ("-1", "8", "-0.125"), ("1", "3", "0.33333333333333333333333333333333333333"),
    ("2", "3", "0.66666666666666666666666666666666666667"), ("-2", "3", "-0.66666666666666666666666666666666666667"),
    ("1000", "7", "142.85714285714285714285714285714285714"), ("1e500", "1e-500", "1" + DecimalParseTests.zeros(1000)),
    ("99999999999999999999999999999999999999", "1", "99999999999999999999999999999999999999"),
    (
      "1", "99999999999999999999999999999999999999",
      "0." + DecimalParseTests.zeros(37) + "1" + DecimalParseTests.zeros(37)
    ),
  ])
  func divides(left: String, right: String, quotient: String) throws {
    let dividend = try #require(Decimal(left))
    let divisor = try #require(Decimal(right))
    #expect(dividend.divided(by: divisor)?.description == quotient)
  }

  @Test func divisionByZeroIsNil() {
    #expect(Decimal(1).divided(by: 0) == nil)
    #expect(Decimal(0).divided(by: Decimal(mantissa: 0, exponent: -2)) == nil)
  }

  @Test(arguments: [
    ("1e1000", "1e-1000", false), ("1e-1000", "1e1000", true), ("-1e1000", "1e-1000", true),
    ("-1e-1000", "-1e1000", false), ("-1e1000", "-1e-1000", true), ("0", "1e-1000", true), ("-1e-1000", "0", true),
    ("1.49", "1.5", true), ("1.50", "1.5", false), ("9", "10", true), ("0e-8", "-0", false),
    ("99999999999999999999999999999999999999", "1e38", true),
    ("1e38", "99999999999999999999999999999999999999", false),
    ("0.99999999999999999999999999999999999999", "1", true),
    ("1", "0.99999999999999999999999999999999999999", false),
  ])
  func compares(left: String, right: String, isLess: Bool) throws {
    let first = try #require(Decimal(left))
    let second = try #require(Decimal(right))
    #expect((first < second) == isLess)
  }

  @Test(arguments: [
    ["1.5", "1.50", "15e-1", "0.15E1", "1.50000000000000000000000000000000000000000"],
    ["0", "0.00", "-0", "0e-8", "0e500"],
    ["100", "1e2", "100.00"],
    ["1e1000", "10e999", "0.1e1001"],
    ["10000000000000000000000000000000000000", "1e37"],
  ])
  func isEqualAndHashesByValue(texts: [String]) throws {
    let values = try texts.map { try #require(Decimal($0)) }
    #expect(Set(values).count == 1)
    for value in values { #expect(value == values[0] && !(value < values[0]) && !(values[0] < value)) }
  }

  /// Rounding a sum considers all of the smaller number, however far below it lies.
  @Test(arguments: [
    ("1e40", "1e-40", "1" + DecimalParseTests.zeros(40)),
    ("1e1000", "-1e-1000", "1" + DecimalParseTests.zeros(1000)),
    ("1e37", "0.5", "10000000000000000000000000000000000001"),
    ("1e37", "0.4999", "10000000000000000000000000000000000000"),
    ("1e37", "-0.05", "10000000000000000000000000000000000000"),
    ("1e37", "-0.0500001", "9999999999999999999999999999999999999.9"),
    ("99999999999999999999999999999999999999", "0.5", "1" + DecimalParseTests.zeros(38)),
    (
      "99999999999999999999999999999999999999", "99999999999999999999999999999999999999",
      "2" + DecimalParseTests.zeros(38)
    ),
  ])
  func addsFarApart(left: String, right: String, sum: String) throws {
    let first = try #require(Decimal(left))
    let second = try #require(Decimal(right))
    #expect((first + second).shortest == sum)
    #expect((second + first).shortest == sum)
  }

  @Test func scalesByPowersOfTenWithoutNewDigits() throws {
    let change = try #require(Decimal("0.0123"))
    #expect(change.scaledByPowerOfTen(2).description == "1.23")
    #expect(change.scaled(by: 100).description == "1.23")
    #expect(change.scaled(by: try #require(Decimal("1e-2"))).description == "0.000123")
    #expect(change.scaled(by: 25).description == "0.3075")
  }

  @Test(arguments: [
    ("100", 2), ("1", 0), ("0.01", -2), ("1e-8", -8), ("10.00", 1), ("20", nil), ("0", nil), ("-10", nil),
  ])
  func knowsPowersOfTen(text: String, power: Int?) throws {
    #expect(try #require(Decimal(text)).powerOfTen == power)
  }

  @Test func countsSignificantDigits() {
    #expect(Decimal.zero.significantDigits == 0)
    var mantissa: Int128 = 1
    for count in 1...38 {
      #expect(Decimal(mantissa: mantissa, exponent: 3).significantDigits == count)
      #expect(Decimal(mantissa: mantissa - 1, exponent: 3).significantDigits == count - 1)
      #expect(Decimal(mantissa: -mantissa, exponent: 3).significantDigits == count)
      if count < 38 { mantissa *= 10 }
    }
  }

  @Test func roundsAMantissaOf39Digits() {
    let value = Decimal(mantissa: Int128.max, exponent: -2)
    #expect(value.description == "1701411834604692317316873037158841057.3")
    #expect(Decimal(mantissa: Int128.min, exponent: 0).description == "-170141183460469231731687303715884105730")
  }
}
