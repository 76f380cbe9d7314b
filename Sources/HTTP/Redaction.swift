import Quotes

/// Removes secrets from text and bytes before they are written or shown.
///
/// A secret is found in any encoding of its bytes: as they are, percent-encoded (RFC 3986 §2.1), with spaces as `+`, or
/// escaped as in a JSON string (RFC 8259 §7). Each character is matched on its own, so mixtures are found too. A secret
/// of six bytes or more is also found with other cases of its letters, as by a host that normalises what it was sent, and
/// in base64 (RFC 4648 §4 and §5, with or without padding), anywhere in the encoded text: alone, or as part of
/// `key:secret`. Hashes, hexadecimal, text split into lines and double encodings are not
/// found: code that derives them from a secret must declare them as secrets of their own.
package struct Redaction: Sendable {
  /// The replacement for a secret.
  package static let mark = "REDACTED"

  /// Longest first, as a secret may be part of another.
  private let secrets: [[UInt8]]
  /// The secrets in base64, in the same order.
  private let encoded: [Base64Image]

  /// - Parameter inBase64: false for texts that are never sent encoded.
  package init(_ secrets: [String], inBase64: Bool = true) {
    self.secrets = secrets.filter { !$0.isEmpty }.map { Array($0.utf8) }.sorted { $0.count > $1.count }
    encoded = inBase64 ? self.secrets.flatMap(Base64Image.all) : []
  }

  package func callAsFunction(_ text: String) -> String {
    secrets.isEmpty ? text : String(decoding: self(Array(text.utf8)), as: UTF8.self)
  }

  package func callAsFunction(_ bytes: [UInt8]) -> [UInt8] {
    secrets.isEmpty ? bytes : Array(parts(of: bytes).joined(separator: Self.mark.utf8))
  }

  /// Returns the text between secrets, which is one part more than there are secrets in it.
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

  /// Returns the error with its texts redacted.
  package func callAsFunction(_ error: TransportError) -> TransportError {
    let (code, detail) = error.parts
    return TransportError(code: code, detail: self(detail)) ?? error
  }

  /// Returns the end of the secret that starts at `start`, or nil if there is none.
  private func endOfSecret(in bytes: [UInt8], at start: Int) -> Int? {
    for secret in secrets {
      let ignoresCase = secret.count >= Self.minimumBytes
      if let end = Self.end(of: secret, in: bytes, at: start, ignoresCase: ignoresCase) { return end }
    }
    for image in encoded {
      if let end = image.end(in: bytes, at: start) { return end }
    }
    return nil
  }

  /// Other texts contain shorter secrets, too, in one case or another.
  fileprivate static let minimumBytes = 6

  /// Returns the end of a text that starts at `start` in any spelling, or nil if it does not start there.
  fileprivate static func end(of text: [UInt8], in bytes: [UInt8], at start: Int, ignoresCase: Bool = false) -> Int? {
    let spelled = endOfSpelling(of: text, in: bytes, at: start, ignoresCase: ignoresCase)
    // A secret may itself look like an escape: `%25`.
    guard bytes[start...].starts(with: text) else { return spelled }
    return max(spelled ?? 0, start + text.count)
  }

  private static func endOfSpelling(
    of text: [UInt8], in bytes: [UInt8], at start: Int, ignoresCase: Bool
  ) -> Int? {
    var index = start
    var place = 0
    while place < text.count {
      var length = lengthOfSpelling(of: text[place], in: bytes, at: index)
      if length == 0, ignoresCase, let other = otherCase(of: text[place]) {
        length = lengthOfSpelling(of: other, in: bytes, at: index)
      }
      if length > 0 {
        (index, place) = (index + length, place + 1)
      } else if let (length, count) = escape(of: text[place...], in: bytes, at: index) {
        (index, place) = (index + length, place + count)
      } else {
        return nil
      }
    }
    return index
  }

  /// Returns the same letter in the other case; nil for anything but a letter of ASCII.
  private static func otherCase(of byte: UInt8) -> UInt8? {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) ? byte ^ 0x20 : nil
  }

  /// Matches `\u00e9`, or a surrogate pair, at `index` with the non-ASCII character that starts the rest of a secret.
  /// Returns the length of the escape and the number of bytes in the character.
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

  /// Returns the number of bytes at `index` that spell `byte`, or 0 if they spell something else.
  fileprivate static func lengthOfSpelling(of byte: UInt8, in bytes: [UInt8], at index: Int) -> Int {
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

/// A secret in base64, with a given number of bytes before it in the encoded text, modulo three.
///
/// Three bytes are four characters, so the characters at its ends may also contain a neighbour's bits. Only those in
/// between are searched for, and up to one character on each side is removed with them.
///
///     bytes before   abcdef           its own characters
///     0              YWJj ZGVm        YWJjZGVm
///     1              .GFi Y2Rl Zg==   FiY2RlZ, with the G before and the g after them
///     2              ..Bh YmNk ZWY=   hYmNkZW, with the B before and the Y after them
private struct Base64Image {
  let characters: [UInt8]
  let isMixedBefore: Bool
  let isMixedBehind: Bool

  private static let signs = [Array("+/".utf8), Array("-_".utf8)]
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

  /// Returns the images in both alphabets, after any number of bytes.
  static func all(of secret: [UInt8]) -> [Base64Image] {
    guard secret.count >= Redaction.minimumBytes else { return [] }
    return signs.flatMap { signs in (0..<3).map { Base64Image(secret, behind: $0, letters + signs) } }
  }

  private init(_ secret: [UInt8], behind count: Int, _ alphabet: [UInt8]) {
    let bytes = [UInt8](repeating: 0, count: count) + secret
    func bits(at place: Int) -> Int {
      // Six of the sixteen bits of two bytes.
      let (byte, bit) = (place * 6 / 8, place * 6 % 8)
      let pair = Int(bytes[byte]) << 8 | (byte + 1 < bytes.count ? Int(bytes[byte + 1]) : 0)
      return pair >> (10 - bit) & 63
    }
    let own = (count * 8 + 5) / 6..<bytes.count * 8 / 6
    characters = own.map { alphabet[bits(at: $0)] }
    isMixedBefore = count * 8 % 6 != 0
    isMixedBehind = bytes.count * 8 % 6 != 0
  }

  /// Returns its end, including padding, if it starts at `start`, otherwise nil.
  func end(in bytes: [UInt8], at start: Int) -> Int? {
    guard mayBegin(in: bytes, at: start) else { return nil }
    let before = isMixedBefore ? Self.lengthOfCharacter(in: bytes, at: start) : 0
    let behind = before > 0 ? Redaction.end(of: characters, in: bytes, at: start + before) : nil
    // The character before it may already have been removed with an adjacent secret.
    guard var end = behind ?? Redaction.end(of: characters, in: bytes, at: start) else { return nil }
    guard isMixedBehind else { return end }
    end += Self.lengthOfCharacter(in: bytes, at: end)
    for _ in 0..<2 { end += Redaction.lengthOfSpelling(of: UInt8(ascii: "="), in: bytes, at: end) }
    return end
  }

  /// Rules out nearly all positions by looking at two bytes: one must be its first own character, or start an escape.
  private func mayBegin(in bytes: [UInt8], at start: Int) -> Bool {
    func fits(_ byte: UInt8) -> Bool {
      byte == characters[0] || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\")
    }
    return fits(bytes[start]) || start + 1 < bytes.count && fits(bytes[start + 1])
  }

  /// Returns the length of the spelling of a base64 character, or 0 if there is none.
  private static func lengthOfCharacter(in bytes: [UInt8], at index: Int) -> Int {
    guard index < bytes.count, bytes[index] < 0x80 else { return 0 }
    if bytes[index].isLetterOrDigit { return 1 }
    for sign in signs.joined() {
      let length = Redaction.lengthOfSpelling(of: sign, in: bytes, at: index)
      if length > 0 { return length }
    }
    return 0
  }
}
