import Testing

@testable import Transport

@Suite struct DeflateTests {
  typealias Problem = Deflate.Problem

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    var format = Deflate.Format.gzip
    var limit = 1 << 20
    let expected: Result<[UInt8], Problem>
  }

  private static let text = Array(CompressedBodies.text.utf8)
  private static let gzip = CompressedBodies.gzip
  private static let bare = Array(gzip[10...].dropLast(8))
  /// With the checksum of RFC 1950 §2.2 instead of that of gzip.
  private static let zlib = [0x78, 0x9C] + bare + [0x36, 0x9F, 0x04, 0xF7]
  /// An empty text.
  private static let empty: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]
  /// A header with every optional field (RFC 1952 §2.3): extra bytes, a name, a comment, and a header checksum.
  private static let decorated: [UInt8] =
    [0x1F, 0x8B, 8, 0x1C, 0, 0, 0, 0, 0, 3, 2, 0, 9, 9] + Array("name\0words\0".utf8) + gzip[10...]

  static let cases = [
    Case(testDescription: "one member", bytes: gzip, expected: .success(text)),
    Case(testDescription: "several members", bytes: gzip + empty + gzip, expected: .success(text + text)),
    Case(testDescription: "an empty member", bytes: empty, expected: .success([])),
    Case(testDescription: "a header with every field", bytes: decorated, expected: .success(text)),
    Case(testDescription: "exactly at the limit", bytes: gzip, limit: text.count, expected: .success(text)),
    Case(
      testDescription: "longer than the limit", bytes: gzip, limit: text.count - 1,
      expected: .failure(.tooLarge(limit: text.count - 1))),
    Case(
      testDescription: "members that together exceed the limit", bytes: gzip + gzip, limit: 2 * text.count - 1,
      expected: .failure(.tooLarge(limit: 2 * text.count - 1))),
    Case(
      testDescription: "a decompression bomb", bytes: CompressedBodies.bomb, limit: 99_999,
      expected: .failure(.tooLarge(limit: 99_999))),
    Case(
      testDescription: "a decompression bomb within the limit", bytes: CompressedBodies.bomb, limit: 100_000,
      expected: .success([UInt8](repeating: UInt8(ascii: "0"), count: 100_000))),
    Case(testDescription: "no bytes", bytes: [], expected: .failure(.damaged)),
    Case(testDescription: "not gzip", bytes: Array("{}".utf8), expected: .failure(.damaged)),
    Case(testDescription: "trailing bytes", bytes: gzip + [0], expected: .failure(.damaged)),
    Case(testDescription: "a truncated member", bytes: gzip + gzip.dropLast(), expected: .failure(.damaged)),
    Case(
      testDescription: "a wrong checksum", bytes: gzip.dropLast(5) + [gzip[gzip.count - 5] ^ 1] + gzip.suffix(4),
      expected: .failure(.damaged)),
    Case(testDescription: "a wrong length", bytes: gzip.dropLast(4) + [1, 0, 0, 0], expected: .failure(.damaged)),
    Case(testDescription: "zlib's own format as gzip", bytes: zlib, expected: .failure(.damaged)),
    Case(testDescription: "zlib's own format", bytes: zlib, format: .zlib, expected: .success(text)),
    Case(
      testDescription: "an empty text in it", bytes: [0x78, 0x9C, 3, 0, 0, 0, 0, 1], format: .zlib,
      expected: .success([])),
    Case(testDescription: "zlib's own format twice", bytes: zlib + zlib, format: .zlib, expected: .failure(.damaged)),
    Case(
      testDescription: "a wrong checksum of zlib's own format", bytes: zlib.dropLast() + [0xF8], format: .zlib,
      expected: .failure(.damaged)),
    Case(
      testDescription: "zlib's own format, longer than the limit", bytes: zlib, format: .zlib, limit: text.count - 1,
      expected: .failure(.tooLarge(limit: text.count - 1))),
    Case(testDescription: "bare data", bytes: bare, format: .bare, expected: .success(text)),
    Case(testDescription: "bare data twice", bytes: bare + bare, format: .bare, expected: .failure(.damaged)),
    Case(testDescription: "truncated bare data", bytes: bare.dropLast(), format: .bare, expected: .failure(.damaged)),
    Case(
      testDescription: "a bare decompression bomb", bytes: Array(CompressedBodies.bomb[10...].dropLast(8)),
      format: .bare, limit: 99_999, expected: .failure(.tooLarge(limit: 99_999))),
  ]

  private static func inflated(
    _ bytes: [UInt8], _ format: Deflate.Format = .gzip, limit: Int
  ) -> Result<[UInt8], Problem> {
    do throws(Problem) {
      return .success(try Deflate.inflate(bytes, format, limit: limit))
    } catch {
      return .failure(error)
    }
  }

  @Test(arguments: cases) func inflates(_ example: Case) {
    #expect(Self.inflated(example.bytes, example.format, limit: example.limit) == example.expected)
  }

  @Test func everyTruncationIsAnError() {
    for length in Self.gzip.indices {
      #expect(Self.inflated(Array(Self.gzip[..<length]), limit: 1_000) == .failure(.damaged), "\(length) bytes")
    }
  }

  /// Whatever one byte is changed to, the result is the text or an error, and nothing traps.
  @Test func everyChangedByteIsDetected() {
    var seen = 0
    for place in Self.gzip.indices {
      for bit in 0..<8 {
        var bytes = Self.gzip
        bytes[place] ^= 1 << bit
        let result = Self.inflated(bytes, limit: 1_000)
        // Some bits are ignored: those of the time and the machine type, and those after the last significant one.
        let isRight = result == .failure(.damaged) || result == .success(Self.text)
        #expect(isRight, "bit \(bit) of byte \(place)")
        if result == .failure(.damaged) { seen += 1 }
      }
    }
    #expect(seen > 240)
  }

  @Test(arguments: [
    ([0x1F, 0x8B, 8], true), ([0x1F, 0x8B], true), ([0x1F], false), ([], false), ([0x7B, 0x8B], false),
  ])
  func isGzip(_ bytes: [UInt8], _ expected: Bool) { #expect(Deflate.isGzip(bytes) == expected) }

  @Test(arguments: [
    ([0x78, 0x01], true), ([0x78, 0x5E, 0], true), ([0x78, 0x9C], true), ([0x78, 0xDA], true), ([0x78], false),
    // A preset dictionary, a wrong check, and a smaller window, which no exchange uses.
    ([], false), ([0x78, 0xBB], false), ([0x78, 0x9D], false), ([0x48, 0x89], false),
  ])
  func hasZlibHeader(_ bytes: [UInt8], _ expected: Bool) { #expect(Deflate.hasZlibHeader(bytes) == expected) }

  /// Bytes, and the text in them; nil if there is none.
  static let texts: [([UInt8], [UInt8]?)] = [
    (text, text), ([], []), (gzip, text), (zlib, text), (bare, text),
    // A text may start like zlib's own format.
    (Array("x^2".utf8), Array("x^2".utf8)),
    // Truncated, and bytes of another kind.
    (zlib.dropLast(), nil), (bare.dropLast(), nil), ([0xFF], nil), ([0x0A, 0x03, 0xE2, 0x28, 0xA1], nil),
    // Bare data that is no text inside.
    ([0xFB, 0xFF, 0xEF, 0xFF, 0xBF, 0xFF, 0xFF, 0x01], nil),
  ]

  @Test(arguments: texts) func findsText(_ bytes: [UInt8], _ text: [UInt8]?) throws {
    #expect(try Deflate.text(bytes, limit: 1 << 20) == text)
  }

  @Test(arguments: [gzip, zlib, bare]) func textIsLimited(_ bytes: [UInt8]) {
    #expect(throws: Problem.tooLarge(limit: 10)) { try Deflate.text(bytes, limit: 10) }
  }

  /// Other compressed data may be another kind of message; gzip has a signature.
  @Test func damagedGzipIsAnError() {
    #expect(throws: Problem.damaged) { try Deflate.text(Self.gzip.dropLast(), limit: 1 << 20) }
  }
}
