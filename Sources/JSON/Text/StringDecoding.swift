/// Returns the text of a validated JSON string, from the bytes between its quotes.
func decodedText(_ bytes: UnsafeBufferPointer<UInt8>, hasEscapes: Bool) -> String {
  hasEscapes ? String(decoding: unescaped(bytes), as: UTF8.self) : String(decoding: bytes, as: UTF8.self)
}

/// Returns the text of a slot: a string decoded, any other value as written, empty for a missing one.
///
/// - Parameter bytes: The text that was scanned.
package func decodedString(_ bytes: UnsafeBufferPointer<UInt8>, slot: ScanSlot) -> String {
  decodedText(UnsafeBufferPointer(rebasing: bytes[slot.range]), hasEscapes: slot.hasEscapes)
}

/// Returns the bytes of a validated JSON string with its escapes replaced (RFC 8259 §7).
///
/// An unpaired surrogate is not a character and becomes U+FFFD. For example, `a\u00e9\n` becomes `61 C3 A9 0A`.
func unescaped(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
  var result: [UInt8] = []
  result.reserveCapacity(bytes.count)
  var at = bytes.startIndex
  while at < bytes.endIndex {
    guard bytes[at] == ASCII.backslash, at + 1 < bytes.endIndex else {
      result.append(bytes[at])
      at += 1
      continue
    }
    let letter = bytes[at + 1]
    at += 2
    switch letter {
    case UInt8(ascii: "b"): result.append(0x08)
    case UInt8(ascii: "f"): result.append(0x0C)
    case UInt8(ascii: "n"): result.append(ASCII.lineFeed)
    case UInt8(ascii: "r"): result.append(ASCII.carriageReturn)
    case UInt8(ascii: "t"): result.append(ASCII.tab)
    case UInt8(ascii: "u"):
      let scalar = escapedScalar(bytes, &at)
      result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    default: result.append(letter)  // '"', '\' and '/' stand for themselves
    }
  }
  return result
}

/// Returns the length of the escape at a backslash of a validated JSON string, and that of the UTF-8 text it stands for.
func lengths(ofEscapeAt start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> (source: Int, decoded: Int) {
  guard bytes[start + 1] == UInt8(ascii: "u") else { return (2, 1) }
  var end = start + 2
  let scalar = escapedScalar(bytes, &end)
  return (end - start, UTF8.width(scalar))
}

/// Reads the four digits at `at`, and the low surrogate if they are a high one followed by it.
private func escapedScalar(_ bytes: UnsafeBufferPointer<UInt8>, _ at: inout Int) -> Unicode.Scalar {
  let replacement: Unicode.Scalar = "\u{FFFD}"
  guard let unit = codeUnit(bytes, at) else { return replacement }
  at += 4
  guard (0xD800..<0xDC00).contains(unit) else { return Unicode.Scalar(unit) ?? replacement }
  guard at + 1 < bytes.endIndex, bytes[at] == ASCII.backslash, bytes[at + 1] == UInt8(ascii: "u"),
    let low = codeUnit(bytes, at + 2), (0xDC00..<0xE000).contains(low)
  else { return replacement }
  at += 6
  return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) ?? replacement
}

/// Returns the four hexadecimal digits at `at` as a UTF-16 code unit.
private func codeUnit(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> UInt32? {
  guard at + 4 <= bytes.endIndex else { return nil }
  var value: UInt32 = 0
  for byte in bytes[at..<at + 4] {
    guard let digit = hexadecimalValue(byte) else { return nil }
    value = value << 4 | digit
  }
  return value
}
