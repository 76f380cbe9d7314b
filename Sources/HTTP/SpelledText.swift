import Quotes

/// A text in which any character may be spelled as an escape: `A`, `%41`, `\u0041`, `\x41`, `&#65;`, `&#x41;`.
///
/// Each function looks at a bounded number of bytes.
struct SpelledText {
  let bytes: UnsafeBufferPointer<UInt8>

  /// The lengths of the spellings of a character at one place, of which there are at most two, as of `%` in `%25`: 3 and
  /// 1. 0 stands for none; the second is 0 if the first is.
  struct Lengths {
    var first = 0
    var second = 0

    fileprivate init(_ first: Int = 0, _ second: Int = 0) {
      (self.first, self.second) = first == 0 || first == second ? (second, 0) : (first, second)
    }
  }

  /// The bytes that begin an escape. `+` is one for a space.
  static let introducers = [UInt8(ascii: "%"), UInt8(ascii: "\\"), UInt8(ascii: "&")]

  private static func isIntroducer(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "&")
  }

  // MARK: Characters

  /// Returns the lengths of what is at `index`, if it spells `byte`, or its other case.
  func lengths(of byte: UInt8, or other: UInt8, at index: Int) -> Lengths {
    guard index < bytes.count else { return Lengths() }
    let first = bytes[index]
    let plain = first == byte || first == other || first == UInt8(ascii: "+") && byte == UInt8(ascii: " ") ? 1 : 0
    guard Self.isIntroducer(first) else { return Lengths(plain) }
    func isMeant(_ value: Int?) -> Bool { value == Int(byte) || value == Int(other) }
    if first == UInt8(ascii: "%") { return Lengths(isMeant(hexadecimal(index + 1, digits: 2)) ? 3 : 0, plain) }
    if first == UInt8(ascii: "&") {
      guard let (value, length) = entity(at: index), value < 0x80, isMeant(value) else { return Lengths(plain) }
      return Lengths(length, plain)
    }
    guard index + 1 < bytes.count else { return Lengths(plain) }
    let next = bytes[index + 1]
    if next == UInt8(ascii: "u") { return Lengths(isMeant(hexadecimal(index + 2, digits: 4)) ? 6 : 0, plain) }
    // Only `\x78` has three readings: `\x` may be an x, too.
    let escaped = next == byte || next == other ? 2 : 0
    if next == UInt8(ascii: "x"), isMeant(hexadecimal(index + 2, digits: 2)) {
      return Lengths(4, escaped == 0 ? plain : escaped)
    }
    return Lengths(escaped, plain)
  }

  /// Returns the lengths of what is at `index`, if it spells one of the cases of a character: each byte of its UTF-8 on
  /// its own, or the character as a whole.
  func lengths(of cases: [Unicode.Scalar], at index: Int) -> Lengths {
    var byBytes = 0
    for character in cases where byBytes == 0 { byBytes = length(ofBytesOf: character, at: index) }
    guard let (value, length) = character(at: index), cases.contains(where: { Int($0.value) == value }) else {
      return Lengths(byBytes)
    }
    return Lengths(byBytes, length)
  }

  private func length(ofBytesOf character: Unicode.Scalar, at index: Int) -> Int {
    var end = index
    for byte in UTF8.encode(character) ?? UTF8.encodedReplacementCharacter {
      let length = lengths(of: byte, or: byte, at: end).first
      if length == 0 { return 0 }
      end += length
    }
    return end - index
  }

  // MARK: Base64

  /// Returns the length of a character of base64, or 0 if there is none.
  func lengthOfBase64(at index: Int) -> Int {
    guard index < bytes.count else { return 0 }
    if bytes[index].isLetterOrDigit { return 1 }
    for sign in "+/-_".utf8 {
      let length = lengths(of: sign, or: sign, at: index).first
      if length > 0 { return length }
    }
    return 0
  }

  /// Returns the length of the character of base64 that ends at `end` and does not begin before `start`, or 0 if there
  /// is none.
  func lengthOfBase64(from start: Int, upTo end: Int) -> Int {
    // `\u002f`
    var length = min(6, end - start)
    while length > 0, lengthOfBase64(at: end - length) != length { length -= 1 }
    return max(0, length)
  }

  /// Returns the length of the padding at `index`, up to two characters.
  func lengthOfPadding(at index: Int) -> Int {
    var end = index
    for _ in 0..<2 { end += lengths(of: UInt8(ascii: "="), or: UInt8(ascii: "="), at: end).first }
    return end - index
  }

  // MARK: Escapes

  /// Calls `body` with each byte that an escape at `index` may stand for, or that begins the character it may stand for,
  /// and with the length of the escape; with 0 for a character that may as well be several escapes.
  func forEachReading(at index: Int, _ body: (UInt8, Int) -> Void) {
    switch bytes[index] {
    case UInt8(ascii: "+"): return body(UInt8(ascii: " "), 1)
    case UInt8(ascii: "%"):
      if let value = hexadecimal(index + 1, digits: 2) { body(UInt8(truncatingIfNeeded: value), 3) }
      return
    case UInt8(ascii: "\\") where index + 1 < bytes.count:
      let next = bytes[index + 1]
      if next != UInt8(ascii: "u") { body(next, 2) }
      let isShort = next == UInt8(ascii: "x")
      guard isShort || next == UInt8(ascii: "u") else { return }
      if let value = hexadecimal(index + 2, digits: isShort ? 2 : 4), value < 0x100 {
        body(UInt8(truncatingIfNeeded: value), isShort ? 4 : 6)
      }
    default: break
    }
    guard let (value, length) = character(at: index), let scalar = Unicode.Scalar(UInt32(value)) else { return }
    if scalar.isASCII {
      if bytes[index] == UInt8(ascii: "&") { body(UInt8(truncatingIfNeeded: value), length) }
    } else if let first = UTF8.encode(scalar)?.first {
      body(first, 0)
    }
  }

  /// Returns the character that an escape at `index` stands for, except by `%`, which stands for a byte.
  private func character(at index: Int) -> (value: Int, length: Int)? {
    guard index + 1 < bytes.count else { return nil }
    if bytes[index] == UInt8(ascii: "&") { return entity(at: index) }
    guard bytes[index] == UInt8(ascii: "\\") else { return nil }
    if bytes[index + 1] == UInt8(ascii: "x") { return hexadecimal(index + 2, digits: 2).map { ($0, 4) } }
    guard bytes[index + 1] == UInt8(ascii: "u"), let unit = hexadecimal(index + 2, digits: 4) else { return nil }
    guard 0xD800...0xDFFF ~= unit else { return (unit, 6) }
    // Characters beyond the first plane are two.
    guard unit < 0xDC00, index + 12 <= bytes.count, bytes[index + 6] == UInt8(ascii: "\\"),
      bytes[index + 7] == UInt8(ascii: "u"), let low = hexadecimal(index + 8, digits: 4), 0xDC00...0xDFFF ~= low
    else { return nil }
    return (0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00), 12)
  }

  private static let entities: [(name: StaticString, value: Int)] = [
    ("amp;", 0x26), ("lt;", 0x3C), ("gt;", 0x3E), ("quot;", 0x22), ("apos;", 0x27),
  ]

  /// The largest number of a character has seven digits; some write more zeros before it.
  private static let maximumDigits = 8

  /// Returns the character of `&#65;`, `&#x41;` or `&amp;`.
  private func entity(at index: Int) -> (value: Int, length: Int)? {
    guard index + 3 < bytes.count else { return nil }
    guard bytes[index + 1] == UInt8(ascii: "#") else { return namedEntity(at: index) }
    let isHexadecimal = bytes[index + 2] | 0x20 == UInt8(ascii: "x")
    let start = index + (isHexadecimal ? 3 : 2)
    var (end, value) = (start, 0)
    while end < min(bytes.count, start + Self.maximumDigits), let digit = Self.digit(bytes[end]),
      isHexadecimal || digit < 10
    {
      value = value * (isHexadecimal ? 16 : 10) + digit
      end += 1
    }
    guard end > start, end < bytes.count, bytes[end] == UInt8(ascii: ";"), value <= 0x10FFFF else { return nil }
    return (value, end + 1 - index)
  }

  private func namedEntity(at index: Int) -> (value: Int, length: Int)? {
    for (name, value) in Self.entities {
      let count = name.utf8CodeUnitCount
      guard index + 1 + count <= bytes.count else { continue }
      let isNamed = (0..<count).allSatisfy { bytes[index + 1 + $0] == name.utf8Start[$0] }
      if isNamed { return (value, 1 + count) }
    }
    return nil
  }

  private func hexadecimal(_ start: Int, digits: Int) -> Int? {
    guard start + digits <= bytes.count else { return nil }
    var value = 0
    for index in start..<start + digits {
      guard let digit = Self.digit(bytes[index]) else { return nil }
      value = value * 16 + digit
    }
    return value
  }

  private static func digit(_ byte: UInt8) -> Int? {
    if byte.isDigit { return Int(byte - 0x30) }
    let letter = (byte | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? Int(letter) + 10 : nil
  }
}
