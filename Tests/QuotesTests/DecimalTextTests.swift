import Quotes
import Testing

struct DecimalTextTests {
  static func decimal(_ text: String) throws -> Decimal { try #require(Decimal(text)) }

  @Test(arguments: [
    ("1.50", "1.5"), ("2.00", "2"), ("100", "100"), ("100.0", "100"), ("0.00", "0"), ("-0.10", "-0.1"),
    ("1.16539E8", "116539000"), ("0.000000270", "0.00000027"),
  ])
  func shortestDropsTrailingZeros(text: String, shortest: String) throws {
    #expect(try Self.decimal(text).shortest == shortest)
  }

  @Test(arguments: [
    ("1.5", 2, "1.50"), ("1.005", 2, "1.01"), ("-1.005", 2, "-1.01"), ("1.004999", 2, "1.00"), ("0.5", 0, "1"),
    ("-0.5", 0, "-1"), ("0.49", 0, "0"), ("-0.004", 2, "0.00"), ("99.995", 2, "100.00"), ("1250", -2, "1300"),
    ("49", -2, "0"), ("1e3", 2, "1000.00"), ("0", 2, "0.00"), ("1e-1000", 2, "0.00"),
    ("0.00000000000000000000000000000000000000000005", 43, "0.0000000000000000000000000000000000000000001"),
  ])
  func roundsToPlaces(text: String, places: Int, rounded: String) throws {
    #expect(try Self.decimal(text).rounded(toPlaces: places).description == rounded)
  }

  @Test(arguments: [
    ("123456", 3, "123000"), ("0.99996", 4, "1.000"), ("9.9995", 4, "10.00"), ("1.5", 6, "1.5"), ("-1.25", 2, "-1.3"),
    ("0", 3, "0"), ("1234.5678", 12, "1234.5678"), ("0.66666666666666666666", 12, "0.666666666667"),
  ])
  func roundsToSignificantDigits(text: String, digits: Int, rounded: String) throws {
    #expect(try Self.decimal(text).rounded(toSignificantDigits: digits).description == rounded)
  }

  @Test func writesZerosBeyondTheMantissa() throws {
    let full = try Self.decimal("99999999999999999999999999999999999999")
    #expect(full.fixedText(places: 2) == "99999999999999999999999999999999999999.00")
    #expect(try Self.decimal("1e38").fixedText(places: 1) == "1" + DecimalParseTests.zeros(38) + ".0")
    #expect(
      try Self.decimal("-1234567890123456789012345678901234567.5").fixedText(places: 3)
        == "-1234567890123456789012345678901234567.500")
    #expect(
      try Self.decimal("9.9999999999999999999999999999999999999").fixedText(places: 37)
        == "9.9999999999999999999999999999999999999")
  }

  /// product.md: signed with two decimals, rounded from the exact value; -0.00 is shown as +0.00.
  @Test(arguments: [
    ("1.23", "+1.23"), ("-0.4", "-0.40"), ("0", "+0.00"), ("-0.00", "+0.00"), ("-0.004", "+0.00"), ("-0.005", "-0.01"),
    ("0.005", "+0.01"), ("0.0049999999999999999999999999999999999999", "+0.00"), ("1.005", "+1.01"),
    ("123", "+123.00"), ("-99.995", "-100.00"), ("1e3", "+1000.00"), ("-1e-1000", "+0.00"),
  ])
  func signsPercentages(text: String, signed: String) throws {
    #expect(try Self.decimal(text).signedPercentText == signed)
  }

  /// Zero is zero, but a thousand decimals of it are not a number of any market, and nobody can read them.
  @Test(arguments: [
    ("0", false), ("0.000", false), ("0e-80", false), ("0e-1000", true), ("0e1000", false), ("1e40", true),
    ("1e39", false), ("1e-40", false), ("1e-41", true),
  ])
  func beyondMarkets(text: String, isBeyond: Bool) throws {
    #expect(try Self.decimal(text).isBeyondMarkets == isBeyond)
  }

  /// A quotient has 12 digits and its integer part, and an exact one of its own has all of its digits.
  @Test(arguments: [
    ("0.66666666666666666666666666666666666667", "0.666666666667", "0.666666666667"),
    ("134512345.678912", "134512345.679", "134512345.678912"),
    ("1234567890123.45", "1234567890123", "1234567890123.45"),
    ("1234567890123.6666666666666666666666667", "1234567890124", "1234567890124"),
    ("999999999999.96", "1000000000000", "999999999999.96"), ("0", "0", "0"),
    ("1e15", "1000000000000000", "1000000000000000"),
  ])
  func quotients(text: String, quotient: String, exact: String) throws {
    #expect(try Self.decimal(text).quotientText == quotient)
    #expect(try Self.decimal(text).exactQuotientText == exact)
  }

  /// product.md, "Price digits": one decimal from 10,000 up, six significant digits below.
  @Test(arguments: [
    ("12345.67", "12345.7"), ("134512345.04", "134512345.0"), ("134512345", "134512345.0"), ("1385.2", "1385.20"),
    ("138.52", "138.520"), ("13.852", "13.8520"), ("0.0013852", "0.00138520"), ("0.000013852", "0.0000138520"),
    ("9999.996", "10000.0"), ("9999.995", "10000.0"), ("9999.994", "9999.99"), ("10000", "10000.0"),
    ("10000.04", "10000.0"), ("10000.05", "10000.1"), ("999999.95", "1000000.0"), ("0.9999996", "1.00000"),
    ("99.999995", "100.000"), ("1", "1.00000"), ("1272", "1272.00"), ("-1385.2", "-1385.20"), ("-9999.996", "-10000.0"),
    ("1e20", "100000000000000000000.0"), ("1e-10", "0.000000000100000"), ("0", "0"), ("1385.204", "1385.20"),
    ("1385.205", "1385.21"), ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678.0"),
  ])
  func formatsRates(text: String, rate: String) throws { #expect(try Self.decimal(text).rateText == rate) }

  @Test(arguments: [
    ("1.16539E8", "116539000"), ("+5", "5"), (".5", "0.5"), ("5.", "5"), ("007", "7"), ("-2.7E-7", "-0.00000027"),
    ("1.50e1", "15.0"), ("0.10", "0.10"),
    ("123.45678901234567890123456789012345678901", "123.45678901234567890123456789012345678901"),
    ("-1.2345678901234567890123456789012345678901E+5", "-123456.78901234567890123456789012345678901"),
    ("0E-3", "0.000"), ("1.5e3", "1500"), ("nan", nil), ("", nil), ("1e2000", nil), ("1.2.3", nil),
  ])
  func writesAnyNumberInPlainNotation(text: String, plain: String?) {
    #expect(Decimal.plainNotation(text) == plain)
  }

  @Test func plainNotationIsTheDescription() throws {
    for test in DecimalParseTests.cases where !test.wasRounded && test.text.count < 1000 {
      // Zero has no sign and no exponent beyond the range of numbers.
      guard let value = Decimal(test.text), !value.isZero else { continue }
      #expect(Decimal.plainNotation(test.text) == value.description, "\(test.text)")
    }
  }

  /// Percentages of tables are written without a `String`.
  @Test(arguments: [
    "1.23", "-0.40", "0.00", "-0.004", "-0.005", "0.005", "0.125", "1.005", "-99.995", "0.0049", "123.000",
  ])
  func writesSignedPercentages(text: String) throws {
    let value = try Self.decimal(text)
    let written = try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Decimal.writtenLength) { buffer in
      let base = try #require(buffer.baseAddress)
      let count = try #require(value.writeSignedPercent(to: base))
      return String(decoding: buffer.prefix(count), as: UTF8.self)
    }
    #expect(written == value.signedPercentText)
  }

  @Test(arguments: [
    ("999", "999"), ("999.4", "999.4"), ("999.94", "1.00K"), ("1000", "1.00K"), ("-1000", "-1.00K"), ("9999", "10.0K"),
    ("10000", "10.0K"), ("100000", "100K"), ("999500", "1.00M"), ("1840000000", "1.84B"), ("12.345", "12.35"),
    ("1000000000000000", "1000T"),
  ])
  func shortensAmounts(text: String, compact: String) throws {
    #expect(try Self.decimal(text).compactText == compact)
  }

  @Test(arguments: [
    ("123456.789012", "123456.789012", "123456.789012"), ("123456.7890123", "123456.789012", "123456.8"),
    ("0.6666666666666", "0.666666666667", "0.666667"), ("1.50", "1.5", "1.5"),
  ])
  func limitsDigits(text: String, quotient: String, price: String) throws {
    let value = try Self.decimal(text)
    #expect([value.quotientText, value.shownPrice] == [quotient, price])
  }

  @Test(arguments: [
    (1.0 / 3, 3, "0.333"), (-12345.6, 2, "-12000"), (1e-7, 1, "0.0000001"), (0, 3, "0"), (1e9, 2, "1000000000"),
    (.infinity, 3, "inf"), (-.infinity, 3, "-inf"), (.nan, 3, "nan"),
  ])
  func writesBinaryNumbers(number: Double, digits: Int, text: String) {
    #expect(number.text(digits: digits) == text)
  }
}
