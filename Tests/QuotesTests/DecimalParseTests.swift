import Quotes
import TestSupport
import Testing

struct DecimalParseTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    /// The value in plain notation; nil if it is not a number.
    let value: String?
    var wasRounded = false

    var testDescription: String { text.count < 60 ? "'\(text)'" : "'\(text.prefix(50))…' (\(text.count))" }
  }

  /// Both the value and its digits: trailing zeros are kept, exponents are expanded.
  static let cases: [Case] = [
    Case(text: "0", value: "0"), Case(text: "1", value: "1"), Case(text: "-1", value: "-1"),
    Case(text: "12345.67890123", value: "12345.67890123"), Case(text: "1.50", value: "1.50"),
    Case(text: "100", value: "100"), Case(text: "0.00", value: "0.00"), Case(text: "-0", value: "0"),
    Case(text: "-0.00", value: "0.00"), Case(text: "007", value: "7"), Case(text: "000.5", value: "0.5"),
    Case(text: "+5", value: "5"), Case(text: ".5", value: "0.5"), Case(text: "5.", value: "5"),
    Case(text: "-.5", value: "-0.5"), Case(text: "+.5e1", value: "5"), Case(text: "5.e1", value: "50"),
    Case(text: "1.16539E8", value: "116539000"), Case(text: "0E-8", value: "0.00000000"),
    Case(text: "-2.7E-7", value: "-0.00000027"), Case(text: "2.70e-7", value: "0.000000270"),
    Case(text: "1e+2", value: "100"), Case(text: "1.50e1", value: "15.0"), Case(text: "0e5", value: "0"),
    Case(text: "1e000000000000000000000000000002", value: "100"), Case(text: "0e99999999999999999999", value: "0"),
    Case(text: "9223372036854775807", value: "9223372036854775807"),
    Case(text: "9999999999999999999", value: "9999999999999999999"),
    Case(text: "-9999999999999999999", value: "-9999999999999999999"),
    Case(text: "99999999999999999999", value: "99999999999999999999"),
    Case(text: "18446744073709551616", value: "18446744073709551616"),
    Case(text: "0.00000000000000000000000001", value: "0.00000000000000000000000001"),
    Case(text: "00000000000000000000000000000000000000000000000001.50", value: "1.50"),
    Case(text: "12345678901234567890123456789012345678", value: "12345678901234567890123456789012345678"),
    Case(text: "-1234567890123456789.0123456789012345678", value: "-1234567890123456789.0123456789012345678"),
    // 41 digits, as found in recordings, and the edges of rounding half away from zero.
    Case(
      text: "123.45678901234567890123456789012345678901", value: "123.45678901234567890123456789012345679",
      wasRounded: true),
    Case(
      text: "1.23456789012345678901234567890123456785", value: "1.2345678901234567890123456789012345679",
      wasRounded: true),
    Case(
      text: "-1.23456789012345678901234567890123456785", value: "-1.2345678901234567890123456789012345679",
      wasRounded: true),
    Case(
      text: "1.23456789012345678901234567890123456784999", value: "1.2345678901234567890123456789012345678",
      wasRounded: true),
    Case(
      text: "123456789012345678901234567890123456785", value: "123456789012345678901234567890123456790",
      wasRounded: true),
    Case(
      text: "99999999999999999999999999999999999999.5", value: "100000000000000000000000000000000000000",
      wasRounded: true),
    Case(
      text: "9.99999999999999999999999999999999999995e-3",
      value: "0.010000000000000000000000000000000000000", wasRounded: true),
    // Cutting zeros loses digits, though not value.
    Case(
      text: "1.50000000000000000000000000000000000000000", value: "1.5000000000000000000000000000000000000",
      wasRounded: true),
    Case(text: "1e1000", value: "1" + zeros(1000)), Case(text: "-1e1000", value: "-1" + zeros(1000)),
    Case(text: "1e-1000", value: "0." + zeros(999) + "1"), Case(text: "0.1e1001", value: "1" + zeros(1000)),
    Case(text: "1" + zeros(1000), value: "1" + zeros(1000), wasRounded: true),
    Case(text: "0." + zeros(999) + "1", value: "0." + zeros(999) + "1"),
    Case(text: "0." + zeros(2000), value: "0." + zeros(1000)),
    Case(text: "1" + zeros(2000) + "e-2000", value: "1." + zeros(37), wasRounded: true),
    Case(text: "0." + zeros(1999) + "1e2000", value: "1"),
    Case(text: "1e1001", value: nil), Case(text: "1e-1001", value: nil), Case(text: "10e1000", value: nil),
    Case(text: "1" + zeros(1001), value: nil), Case(text: "0." + zeros(1000) + "1", value: nil),
    Case(text: "1e99999999999999999999", value: nil), Case(text: "1e-99999999999999999999", value: nil),
    Case(text: "1e9223372036854775807", value: nil), Case(text: "1e-9223372036854775808", value: nil),
    Case(text: "", value: nil), Case(text: "nan", value: nil), Case(text: "NaN", value: nil),
    Case(text: "inf", value: nil), Case(text: "1.2.3", value: nil), Case(text: "0x10", value: nil),
    Case(text: "１", value: nil), Case(text: "1１", value: nil), Case(text: "٣", value: nil),
    Case(text: "+", value: nil), Case(text: "-", value: nil), Case(text: ".", value: nil), Case(text: "-.", value: nil),
    Case(text: "e5", value: nil), Case(text: ".e5", value: nil), Case(text: "1e", value: nil),
    Case(text: "1e+", value: nil), Case(text: "1e-", value: nil), Case(text: "1e1.5", value: nil),
    Case(text: "1e1e1", value: nil), Case(text: "1e 1", value: nil), Case(text: "--1", value: nil),
    Case(text: "+-1", value: nil), Case(text: "1-", value: nil), Case(text: " 1", value: nil),
    Case(text: "1 ", value: nil), Case(text: "1\n", value: nil), Case(text: "1,234.5", value: nil),
    Case(text: "1_000", value: nil), Case(text: "1%", value: nil), Case(text: "$1", value: nil),
    Case(text: "1/2", value: nil), Case(text: "1:2", value: nil), Case(text: "\u{0}", value: nil),
    Case(text: "1\u{0}", value: nil), Case(text: "1%5", value: nil), Case(text: "null", value: nil),
    Case(text: "true", value: nil), Case(text: "12345678901234567890123456789x", value: nil),
    Case(text: "1234567890.1234567890.1234567890", value: nil), Case(text: "123456789012345678901e", value: nil),
    Case(text: "....................", value: nil), Case(text: "-...................", value: nil),
    Case(text: "+-234567890123456789012", value: nil),
  ]

  static func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }

  @Test(arguments: cases)
  func reads(_ test: Case) {
    var text = test.text
    var wasRounded = false
    let value = text.withUTF8 { Decimal.parse($0, wasRounded: &wasRounded) }
    #expect(value?.description == test.value)
    #expect(wasRounded == test.wasRounded)
    #expect(Decimal(test.text)?.description == test.value)
  }

  /// Eight bytes are checked at once; a non-digit must be detected with any value at any of the eight positions.
  @Test(arguments: [
    "1", "12", "123", "1.", ".5", "1.5", "1234", "12.45", "123456", "1234.67", ".2345678", "1234567.", "12345678",
    "123456789", "1234567890123456", "1234.5678", "12345.678", "67250.10000000", "123456789012345.67",
    "12345678901234567890.123456789",
  ])
  func findsEveryNonDigitByte(_ text: String) {
    let allowed = Set("0123456789.eE+-".utf8)
    var wasRounded = false
    for place in 0..<text.utf8.count {
      for byte in UInt8.min...UInt8.max where !allowed.contains(byte) {
        var bytes = Array(text.utf8)
        bytes[place] = byte
        let value = bytes.withUnsafeBufferPointer { Decimal.parse($0, wasRounded: &wasRounded) }
        #expect(value == nil, "byte \(byte) at \(place) of \(text)")
      }
    }
  }

  /// Few bytes are read at once, many one by one: leading zeros change the path, but not the result.
  @Test func readsFewBytesLikeMany() {
    let zeros = String(repeating: "0", count: 20)
    for count in 1...8 {
      for point in 0...count {
        var text = String("12305678".prefix(count))
        if point < count {
          text.remove(at: text.index(text.startIndex, offsetBy: point))
          text.insert(".", at: text.index(text.startIndex, offsetBy: point))
        }
        let isNumber = text != "."
        #expect((Decimal(text) != nil) == isNumber)
        #expect(Decimal(text)?.description == (isNumber ? Decimal(zeros + text)?.description : nil), "\(text)")
      }
    }
  }

  @Test(arguments: ["１００", "１２３４", "12345.6７８", "٣٣٣٣٣", "1234567８９０1234", "６７２５０.１"])
  func digitsOfOtherScriptsAreRefused(_ text: String) { #expect(Decimal(text) == nil) }

  @Test func neverClearsTheRoundedFlag() {
    var text = "1"
    var wasRounded = true
    _ = text.withUTF8 { Decimal.parse($0, wasRounded: &wasRounded) }
    #expect(wasRounded)
  }

  /// The fast path (up to 19 bytes) and the slow path agree: leading zeros make any text long.
  @Test func readsShortAndLongTextsAlike() throws {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<500 {
      let digits = String(Int.random(in: 0...99_999_999, using: &random))
      let fraction = String(Int.random(in: 0...9999, using: &random))
      let text = "\(digits).\(fraction)e\(Int.random(in: -9...9, using: &random))"
      let short = try #require(Decimal(text))
      let long = try #require(Decimal("00000000000000000000" + text))
      #expect(short.mantissa == long.mantissa && short.exponent == long.exponent, "\(text)")
    }
  }

  /// Written numbers can be read again, digit by digit.
  @Test func readsItsOwnDescription() {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<1000 {
      let value = random.decimal()
      let again = Decimal(value.description)
      #expect(again == value)
      if value.exponent <= 0 { #expect(again?.exponent == value.exponent && again?.mantissa == value.mantissa) }
    }
  }

  /// Every text of up to four of these characters, compared with the grammar as a regular expression.
  @Test func acceptsExactlyTheGrammar() throws {
    let grammar = /[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?/
    var texts = [""]
    for _ in 0..<4 {
      texts = texts.flatMap { text in ["", "0", "7", ".", "-", "+", "e", "E", "x"].map { text + $0 } }
    }
    for text in Set(texts) {
      let isNumber = try grammar.wholeMatch(in: text) != nil
      #expect((Decimal(text) != nil) == isNumber, "'\(text)'")
    }
  }
}
