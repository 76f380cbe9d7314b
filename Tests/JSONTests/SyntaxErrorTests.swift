import Testing

@testable import JSON

/// Every error at its exact position: the marker precedes the offending byte.
@Suite("JSON errors")
struct SyntaxErrorTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var marked: String
    var message: String

    init(_ marked: String, _ message: String) {
      self.marked = marked
      self.message = message
    }

    var testDescription: String { marked.debugDescription }
  }

  static let cases = [
    Case("▶️", "the text has no value"),
    Case(" \n▶️", "the text has no value"),
    Case("▶️\u{FEFF}1", "a byte order mark is not allowed"),
    Case("▶️x", "expected a value"),
    Case("▶️+1", "expected a value"),
    Case("▶️.5", "expected a value"),
    Case("▶️NaN", "expected a value"),
    Case("▶️'a'", "expected a value"),
    Case("▶️]", "expected a value"),
    Case("▶️\u{0}", "expected a value"),
    Case("[▶️,1]", "expected a value"),
    Case("[▶️", "the text ends inside an array"),
    Case("[1▶️", "the text ends inside an array"),
    Case("[1, ▶️", "the text ends inside an array"),
    Case("[1,▶️]", "expected a value after ','"),
    Case("[1,▶️,2]", "expected a value after ','"),
    Case("[1 ▶️2]", "expected ',' or ']' after an array element"),
    Case("[1▶️}", "expected ',' or ']' after an array element"),
    Case("[0▶️x10]", "expected ',' or ']' after an array element"),
    Case("[\"a\"▶️:1]", "expected ',' or ']' after an array element"),
    Case("[[1]▶️\"", "expected ',' or ']' after an array element"),
    Case("{▶️", "the text ends inside an object"),
    Case("{\"a\"▶️", "the text ends inside an object"),
    Case("{\"a\":▶️", "the text ends inside an object"),
    Case("{\"a\":1▶️", "the text ends inside an object"),
    Case("{\"a\":1,▶️", "the text ends inside an object"),
    Case("{▶️a:1}", "expected a member name in double quotes or '}'"),
    Case("{▶️,}", "expected a member name in double quotes or '}'"),
    Case("{\"a\":1,▶️}", "expected a member name in double quotes after ','"),
    Case("{\"a\":1,▶️1}", "expected a member name in double quotes after ','"),
    Case("{\"a\" ▶️1}", "expected ':' after a member name"),
    Case("{\"a\"▶️}", "expected ':' after a member name"),
    Case("{\"a\":▶️}", "expected a value"),
    Case("{\"a\":1▶️]", "expected ',' or '}' after a member"),
    Case("{\"a\":1 ▶️\"b\":2}", "expected ',' or '}' after a member"),
    // The previous row's first name, with its brace, where a comma should be.
    Case("[{\"a\":1},{\"x\":1▶️{\"a\":2}}]", "expected ',' or '}' after a member"),
    Case("[{\"a\":1,\"b\":2},{\"a\":1▶️\"b\":2}]", "expected ',' or '}' after a member"),
    Case("1 ▶️2", "expected nothing after the value"),
    Case("{}▶️}", "expected nothing after the value"),
    Case("[]▶️,", "expected nothing after the value"),
    Case("0▶️x1", "expected nothing after the value"),
    Case("n▶️il", "expected 'null'"),
    Case("nul▶️", "expected 'null'"),
    Case("[tru▶️]", "expected 'true'"),
    Case("fals▶️E", "expected 'false'"),
    Case("true▶️s", "expected nothing after the value"),
    Case("▶️True", "expected a value"),
    Case("0▶️1", "a number must not begin with an unnecessary zero"),
    Case("-0▶️0", "a number must not begin with an unnecessary zero"),
    Case("-▶️", "expected a digit after '-'"),
    Case("[-▶️a]", "expected a digit after '-'"),
    Case("1.▶️", "expected a digit after '.'"),
    Case("[1.▶️e3]", "expected a digit after '.'"),
    Case("1e▶️", "expected a digit in the exponent"),
    Case("[1E+▶️]", "expected a digit in the exponent"),
    Case("1e5▶️.5", "expected nothing after the value"),
    Case("\"▶️", "the text ends inside a string"),
    Case("\"abcdefghijkl▶️", "the text ends inside a string"),
    Case("\"a\\▶️", "the text ends inside a string"),
    Case("\"\\u12▶️", "the text ends inside a string"),
    Case("\"a\\\"▶️", "the text ends inside a string"),
    Case("\"bell ▶️\u{7}\"", "control character U+0007 in a string must be escaped"),
    Case("\"▶️\n\"", "control character U+000A in a string must be escaped"),
    Case("\"twelve bytes▶️\u{1F}and more\"", "control character U+001F in a string must be escaped"),
    Case("{\"▶️\u{0}\":1}", "control character U+0000 in a string must be escaped"),
    Case("\"\\▶️q\"", "unknown escape '\\q'"),
    Case("\"\\▶️\n\"", "unknown escape"),
    Case("\"\\▶️é\"", "unknown escape"),
    Case("\"\\▶️U0041\"", "unknown escape '\\U'"),
    Case("\"\\u00▶️g0\"", "expected four hexadecimal digits after '\\u'"),
    Case("\"\\u123▶️\"", "expected four hexadecimal digits after '\\u'"),
    Case("[{\"a\":[▶️é]}]", "expected a value"),
  ]

  @Test(arguments: cases)
  func place(_ testCase: Case) throws {
    let parts = testCase.marked.unicodeScalars.split(separator: "▶", omittingEmptySubsequences: false)
    let before = try #require(parts.first)
    let after = try #require(parts.last).dropFirst()  // the marker is two scalars
    let readers = BothReaders(reading: Array(String(before).utf8) + Array(String(after).utf8))
    let error = try #require(readers.document)
    #expect(error.offset == String(before).utf8.count)
    #expect(error.problem.description == testCase.message)
    #expect(readers.agree, "\(readers)")
  }

  /// Digits are read eight at a time; a non-digit must be detected with any value at any of the eight positions.
  @Test func everyNonDigitByteIsFound() {
    let number = Array("[1234567890123456789,1.2345678901234567]".utf8)
    let mayStand = Set("0123456789.,]eE+- \t\r\n".utf8)
    for place in 2..<number.count - 1 where ![number[place], number[place - 1]].contains(UInt8(ascii: ",")) {
      for byte in UInt8.min...UInt8.max where !mayStand.contains(byte) {
        var text = number
        text[place] = byte
        let readers = BothReaders(reading: text)
        #expect(readers.document?.offset == place && readers.agree, "byte \(byte) at \(place)")
      }
    }
  }

  /// Ill-formed UTF-8 according to RFC 3629 §4, between quotes; the error is at its first byte.
  @Test(
    arguments: [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x20], [0xE0, 0x9F, 0xBF], [0xE1, 0x80],
      [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xEF, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF], [0xF1, 0x80, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
    ] as [[UInt8]])
  func invalidUTF8(_ sequence: [UInt8]) {
    let quote = UInt8(ascii: "\"")
    for before in ["", "a", "1234567", "12345678", "é", "비트"] {
      let readers = BothReaders(reading: [quote] + Array(before.utf8) + sequence + [quote])
      #expect(readers.document == JSONSyntaxError(offset: 1 + before.utf8.count, problem: .invalidUTF8))
      #expect(readers.agree)
    }
  }

  @Test(arguments: ["\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}"])
  func validUTF8(_ text: String) throws {
    let document = try JSONDocument(parsing: Array("[\"\(text)\"]".utf8))
    #expect(document.root[0]?.string == text)
  }

  // MARK: Depth

  @Test(arguments: ["[", "{\"a\":", "[{\"a\":", "{\"b\":["])
  func depth(_ opening: String) {
    let brackets = opening.utf8.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }
    let deep = BothReaders(reading: Array(String(repeating: opening, count: 1_000_000 / brackets).utf8))
    let offset = String(repeating: opening, count: 512 / brackets).utf8.count
    #expect(deep.document == JSONSyntaxError(offset: offset, problem: .nestingTooDeep(limit: 512)))
    #expect(deep.document?.problem.description == "nesting deeper than 512")
    #expect(deep.agree)
  }

  @Test func depthLimitIsExact() {
    let text = Array("[{\"a\":[1]}]".utf8)
    #expect(BothReaders(reading: text, maximumDepth: 3) == BothReaders(reading: Array("1".utf8)))
    let refused = BothReaders(reading: text, maximumDepth: 2)
    #expect(refused.document == JSONSyntaxError(offset: 6, problem: .nestingTooDeep(limit: 2)))
    #expect(refused.agree)
    #expect(BothReaders(reading: [UInt8(ascii: "1")], maximumDepth: 0).document == nil)
  }

  /// If the limit allows it, depth is bounded by memory and not by the stack.
  @Test func millionLevelsDoNotOverflowTheStack() {
    let text = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
    let closed = text + [UInt8](repeating: UInt8(ascii: "]"), count: 1_000_000)
    let readers = BothReaders(reading: closed, maximumDepth: .max)
    #expect(readers.document == nil)
    #expect(readers.agree)
    #expect(
      BothReaders(reading: text, maximumDepth: .max).document
        == JSONSyntaxError(offset: 1_000_000, problem: .endInside(.array)))
  }

  @Test func tooLong() {
    let limit = (1 << 28) - 1
    let readers = BothReaders(reading: [UInt8](repeating: UInt8(ascii: " "), count: limit + 1))
    #expect(readers.document == JSONSyntaxError(offset: limit, problem: .textTooLong(limit: limit)))
    #expect(readers.document?.problem.description == "text longer than 268435455 bytes")
    #expect(readers.agree)
  }
}
