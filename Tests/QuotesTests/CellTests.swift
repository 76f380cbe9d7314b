import Quotes
import TestSupport
import Testing

/// The fast path from digits to a cell agrees with the parser.
struct CellTests {
  private func plain(_ text: String, power: Int = 0, mustBePositive: Bool = false) -> Cell? {
    var text = text
    return text.withUTF8 { Cell(plain: $0, power: power, mustBePositive: mustBePositive) }
  }

  @Test(arguments: DecimalParseTests.cases)
  func cellsAgreeWithParser(_ test: DecimalParseTests.Case) {
    let expected = test.wasRounded ? nil : Decimal(test.text).flatMap { $0.isBeyondMarkets ? nil : $0 }
    #expect(plain(test.text)?.value?.description == expected?.description)
    let hundredfold = test.wasRounded ? nil : Decimal(test.text)?.scaledByPowerOfTen(2)
    #expect(
      plain(test.text, power: 2)?.value?.description
        == hundredfold.flatMap { $0.isBeyondMarkets ? nil : $0 }?.description)
  }

  /// Whether a number is acceptable for a market depends on its value, not on its digits.
  @Test(arguments: [
    ("9.9e37", 2, "9900000000000000000000000000000000000000"), ("1e38", 2, nil), ("-1e38", 2, nil),
    ("1e41", -2, "1000000000000000000000000000000000000000"),
    ("1e-38", -2, "0." + String(repeating: "0", count: 39) + "1"),
    ("1e-39", -2, nil), ("0", 60, "0"),
  ])
  func limits(_ text: String, _ power: Int, _ number: String?) {
    #expect(plain(text, power: power)?.value?.shortest == number)
  }

  /// Digits of every length around the word size in which they are read. Leading zeros force the slow path.
  @Test func readsEveryLength() throws {
    var random = SeededGenerator(seed: 3)
    func digits(_ count: Int) -> String {
      String((0..<count).map { _ in "0123456789".randomElement(using: &random) ?? "0" })
    }
    for before in 1...24 {
      for behind in 0...12 {
        let text = behind == 0 ? digits(before) : "\(digits(before)).\(digits(behind))"
        let long = try #require(Decimal("00000000000000000000" + text))
        #expect(plain(text)?.value?.description == long.description, "\(text)")
      }
    }
  }

  @Test(arguments: [
    ("0", Missing.zero), ("0.00000000", .zero), ("00000000000", .zero), ("-0", .zero), ("0e5", .zero),
    ("-0.5", .negative), ("-1", .negative), ("-12345678.00000000", .negative),
  ])
  func nonPositiveValuesAreMissing(_ text: String, _ reason: Missing) {
    #expect(plain(text, mustBePositive: true) == .missing(reason))
    #expect(plain(text, power: 2, mustBePositive: true) == .missing(reason))
    #expect(plain(text)?.positive == .missing(reason))
    #expect(plain(text)?.value == Decimal(text))
  }
}
