import Testing

@testable import Transport

@Suite struct GunzipTests {
  typealias Problem = Gunzip.Problem

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    var limit = 1 << 20
    let expected: Result<[UInt8], Problem>
  }

  private static let text = Array(CompressedBodies.text.utf8)
  private static let gzip = CompressedBodies.gzip
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
    Case(testDescription: "zlib's own format", bytes: [0x78, 0x9C, 3, 0, 0, 0, 0, 1], expected: .failure(.damaged)),
  ]

  private static func inflated(_ bytes: [UInt8], limit: Int) -> Result<[UInt8], Problem> {
    do throws(Problem) { return .success(try Gunzip.inflate(bytes, limit: limit)) } catch { return .failure(error) }
  }

  @Test(arguments: cases) func inflates(_ example: Case) {
    #expect(Self.inflated(example.bytes, limit: example.limit) == example.expected)
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
  func isGzip(_ bytes: [UInt8], _ expected: Bool) { #expect(Gunzip.isGzip(bytes) == expected) }
}
