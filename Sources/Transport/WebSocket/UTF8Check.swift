/// Validates UTF-8 (RFC 3629) in text that arrives in pieces, and detects the first invalid byte immediately.
struct UTF8Check {
  /// The number of bytes still missing from the current character.
  private var missing = 0
  /// The valid range of the next byte. The first continuation byte is restricted to exclude overlong forms, surrogates
  /// and values beyond U+10FFFF.
  private var next: ClosedRange<UInt8> = 0x80...0xBF

  /// Whether the text may end here.
  var isComplete: Bool { missing == 0 }

  /// Takes a piece; returns false if it contains an invalid byte. Must not be called again after that.
  mutating func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index < bytes.count {
      if missing == 0 {
        index = Self.endOfASCII(in: bytes, from: index)
        if index == bytes.count { break }
      }
      guard take(bytes[index]) else { return false }
      index += 1
    }
    return true
  }

  /// Returns the end of a run of ASCII, checking the high bits of eight bytes at a time.
  private static func endOfASCII(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start
    while index + 8 <= bytes.count,
      bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
    {
      index += 8
    }
    while index < bytes.count, bytes[index] < 0x80 { index += 1 }
    return index
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    if missing > 0 {
      guard next.contains(byte) else { return false }
      missing -= 1
      next = 0x80...0xBF
      return true
    }
    switch byte {
    case 0x00...0x7F: break
    case 0xC2...0xDF: missing = 1
    case 0xE0: (missing, next) = (2, 0xA0...0xBF)
    case 0xED: (missing, next) = (2, 0x80...0x9F)
    case 0xE1...0xEF: missing = 2
    case 0xF0: (missing, next) = (3, 0x90...0xBF)
    case 0xF1...0xF3: missing = 3
    case 0xF4: (missing, next) = (3, 0x80...0x8F)
    default: return false
    }
    return true
  }
}
