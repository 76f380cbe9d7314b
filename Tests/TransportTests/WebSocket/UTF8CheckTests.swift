import Testing

@testable import Transport

@Suite struct UTF8CheckTests {
  /// Returns whether the bytes are UTF-8 when they arrive in pieces of the given size.
  private static func isUTF8(_ bytes: [UInt8], pieces: Int) -> Bool {
    var check = UTF8Check()
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      let piece = Array(bytes[start..<min(start + pieces, bytes.count)])
      guard piece.withUnsafeBytes({ check.take($0) }) else { return false }
    }
    return check.isComplete
  }

  /// Every non-ASCII sequence of two bytes, and those of three and four that start with a boundary byte of RFC 3629 §4,
  /// compared with the standard library: in one piece and in pieces, alone and after ASCII that is checked eight bytes
  /// at a time.
  @Test func agreesWithTheStandardLibrary() {
    let borders: [UInt8] = [0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0]
    var sequences: [[UInt8]] = (0x7F00...0xFFFF).map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    for first in UInt8(0xC0)...0xFF {
      for second in borders {
        for third in borders {
          sequences.append([first, second, third])
          for fourth in borders where first >= 0xEF { sequences.append([first, second, third, fourth]) }
        }
      }
    }
    var wrong: [[UInt8]] = []
    for sequence in sequences {
      let expected = String(validating: sequence, as: UTF8.self) != nil
      let longer = Array("eight at a time".utf8) + sequence + Array("and again".utf8)
      let isRight =
        [1, 2, 3, 4].allSatisfy { Self.isUTF8(sequence, pieces: $0) == expected }
        && [1, 7, 64].allSatisfy {
          Self.isUTF8(longer, pieces: $0) == (String(validating: longer, as: UTF8.self) != nil)
        }
      if !isRight { wrong.append(sequence) }
    }
    #expect(wrong == [])
  }

  /// A wrong byte is detected when it arrives, not at the end of the text.
  @Test(
    arguments: [
      ([0x80], 0), ([0xC1], 0), ([0xF5], 0), ([0xFF], 0), ([0xE0, 0x9F], 1), ([0xED, 0xA0], 1), ([0xF0, 0x8F], 1),
      ([0xF4, 0x90], 1), ([0xC3, 0x28], 1), ([0xE2, 0x82, 0x28], 2), ([0xF0, 0x9F, 0x98, 0x20], 3),
    ] as [([UInt8], Int)])
  func findsTheFirstInvalidByte(_ bytes: [UInt8], _ place: Int) {
    var check = UTF8Check()
    let verdicts = bytes.map { byte in [byte].withUnsafeBytes { check.take($0) } }
    #expect(verdicts.firstIndex(of: false) == place)
  }
}
