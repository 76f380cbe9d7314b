/// Takes secrets out of text and bytes before either is written or shown.
///
/// A secret is found whatever its bytes were made into on the way: as they are, percent-encoded (RFC 3986 §2.1), a
/// space as `+`, or escaped as in a JSON string (RFC 8259 §7), each character on its own, so mixtures are found too.
/// What is hashed or in base64 is another text: who makes such a thing of a secret names it as a secret of its own.
package struct Redaction: Sendable {
  /// What stands in the place of a secret.
  package static let mark = "REDACTED"

  /// Longest first: a secret may be part of another.
  private let secrets: [[UInt8]]

  package init(_ secrets: [String]) {
    self.secrets = secrets.filter { !$0.isEmpty }.map { Array($0.utf8) }.sorted { $0.count > $1.count }
  }

  package func callAsFunction(_ text: String) -> String {
    secrets.isEmpty ? text : String(decoding: self(Array(text.utf8)), as: UTF8.self)
  }

  package func callAsFunction(_ bytes: [UInt8]) -> [UInt8] {
    secrets.isEmpty ? bytes : Array(parts(of: bytes).joined(separator: Self.mark.utf8))
  }

  /// What stands between the secrets of a text: one part more than there are secrets in it.
  package func parts(of text: String) -> [String] {
    secrets.isEmpty ? [text] : parts(of: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
  }

  private func parts(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    var (start, index) = (0, 0)
    while index < bytes.count {
      if let end = endOfSecret(in: bytes, at: index) {
        parts.append(bytes[start..<index])
        (start, index) = (end, end)
      } else {
        index += 1
      }
    }
    return parts + [bytes[start...]]
  }

  /// The error with its texts redacted.
  package func callAsFunction(_ error: TransportError) -> TransportError {
    let (code, detail) = error.parts
    return TransportError(code: code, detail: self(detail)) ?? error
  }

  /// Where the secret ends that begins at `start`, or nil where none begins.
  private func endOfSecret(in bytes: [UInt8], at start: Int) -> Int? {
    for secret in secrets {
      var index = start
      var place = 0
      while place < secret.count {
        let length = Self.lengthOfSpelling(of: secret[place], in: bytes, at: index)
        if length > 0 {
          (index, place) = (index + length, place + 1)
        } else if let (length, count) = Self.escape(of: secret[place...], in: bytes, at: index) {
          (index, place) = (index + length, place + count)
        } else {
          break
        }
      }
      if place == secret.count { return index }
    }
    return nil
  }

  /// Where `\u00e9`, or a pair of surrogates, at `index` spells the character beyond ASCII that begins a secret's rest:
  /// how long the escape is, and how many bytes the character has.
  private static func escape(
    of rest: ArraySlice<UInt8>, in bytes: [UInt8], at index: Int
  ) -> (length: Int, count: Int)? {
    guard let first = rest.first, first >= 0xC2, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\") else {
      return nil
    }
    let count = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    let character = String(decoding: rest.prefix(count), as: UTF8.self)
    var length = 0
    for unit in character.utf16 {
      let start = index + length
      guard start + 6 <= bytes.count, bytes[start] == UInt8(ascii: "\\"), bytes[start + 1] == UInt8(ascii: "u"),
        hexadecimal(bytes, start + 2, digits: 4) == Int(unit)
      else { return nil }
      length += 6
    }
    return length == 0 ? nil : (length, count)
  }

  /// How many bytes at `index` spell `byte`; 0 where they spell something else.
  private static func lengthOfSpelling(of byte: UInt8, in bytes: [UInt8], at index: Int) -> Int {
    guard index < bytes.count else { return 0 }
    switch bytes[index] {
    case UInt8(ascii: "%") where hexadecimal(bytes, index + 1, digits: 2) == Int(byte): return 3
    case UInt8(ascii: "\\") where index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "u"):
      return hexadecimal(bytes, index + 2, digits: 4) == Int(byte) ? 6 : 0
    case UInt8(ascii: "\\") where index + 1 < bytes.count && bytes[index + 1] == byte: return 2
    case byte: return 1
    case UInt8(ascii: "+") where byte == UInt8(ascii: " "): return 1
    default: return 0
    }
  }

  private static func hexadecimal(_ bytes: [UInt8], _ start: Int, digits: Int) -> Int? {
    guard start + digits <= bytes.count else { return nil }
    var value = 0
    for byte in bytes[start..<start + digits] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      value = value * 16 + digit
    }
    return value
  }
}
