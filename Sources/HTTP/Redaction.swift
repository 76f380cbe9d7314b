/// Takes secrets out of text and bytes before either is written or shown.
///
/// A secret is found whatever its bytes were made into on the way: as they are, percent-encoded (RFC 3986 §2.1), a
/// space as `+`, or escaped as in a JSON string (RFC 8259 §7), each character on its own, so mixtures are found too.
/// A secret of six bytes or more is found in base64 as well (RFC 4648 §4 and §5, with padding or without), wherever in the encoded
/// text it stands: alone, or as part of `key:secret`. What is hashed, in hexadecimal, in lines, or encoded twice is another text:
/// who makes such a thing of a secret names it as a secret of its own.
package struct Redaction: Sendable {
  /// What stands in the place of a secret.
  package static let mark = "REDACTED"

  /// Longest first: a secret may be part of another.
  private let secrets: [[UInt8]]
  /// The same in base64, in the same order.
  private let encoded: [Base64Image]

  /// - Parameter inBase64: false for texts that nobody encodes.
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
      if let end = Self.end(of: secret, in: bytes, at: start) { return end }
    }
    for image in encoded {
      if let end = image.end(in: bytes, at: start) { return end }
    }
    return nil
  }

  /// Where a text ends that begins at `start` in whatever spelling; nil where it does not begin there.
  fileprivate static func end(of text: [UInt8], in bytes: [UInt8], at start: Int) -> Int? {
    var index = start
    var place = 0
    while place < text.count {
      let length = lengthOfSpelling(of: text[place], in: bytes, at: index)
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

/// A secret in base64, where so many bytes stand before it in the encoded text, modulo three.
///
/// Three bytes are four characters, so the characters at its ends may be made of a neighbour's bits as well. Those between are its
/// own alone: they are what is looked for, and up to one character on each side goes with them.
///
///     bytes before   abcdef           its own characters
///     0              YWJj ZGVm        YWJjZGVm
///     1              .GFi Y2Rl Zg==   FiY2RlZ, with the G before and the g behind them
///     2              ..Bh YmNk ZWY=   hYmNkZW, with the B before and the Y behind them
private struct Base64Image {
  let characters: [UInt8]
  let isMixedBefore: Bool
  let isMixedBehind: Bool

  /// Of fewer bytes than these, so few characters are left that other texts have them, too.
  private static let fewestBytes = 6
  private static let signs = [Array("+/".utf8), Array("-_".utf8)]
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

  /// In both alphabets, behind any number of bytes.
  static func all(of secret: [UInt8]) -> [Base64Image] {
    guard secret.count >= fewestBytes else { return [] }
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

  /// Where it ends, its padding included, if it begins at `start`; else nil.
  func end(in bytes: [UInt8], at start: Int) -> Int? {
    guard mayBegin(in: bytes, at: start) else { return nil }
    let before = isMixedBefore ? Self.lengthOfCharacter(in: bytes, at: start) : 0
    let behind =
      before > 0 ? Redaction.end(of: characters, in: bytes, at: start + before) : nil
    // The character before may have gone with a secret that stands there.
    guard var end = behind ?? Redaction.end(of: characters, in: bytes, at: start) else { return nil }
    guard isMixedBehind else { return end }
    end += Self.lengthOfCharacter(in: bytes, at: end)
    for _ in 0..<2 { end += Redaction.lengthOfSpelling(of: UInt8(ascii: "="), in: bytes, at: end) }
    return end
  }

  /// False for nearly all places, at the cost of a look at two bytes: its first own character stands in one of them, or an escape.
  private func mayBegin(in bytes: [UInt8], at start: Int) -> Bool {
    func fits(_ byte: UInt8) -> Bool {
      byte == characters[0] || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\")
    }
    return fits(bytes[start]) || start + 1 < bytes.count && fits(bytes[start + 1])
  }

  /// How long the spelling of a character of base64 is; 0 where there is none.
  private static func lengthOfCharacter(in bytes: [UInt8], at index: Int) -> Int {
    guard index < bytes.count else { return 0 }
    switch bytes[index] {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      return 1
    case let byte where byte >= 0x80: return 0
    default:
      for sign in signs.joined() {
        let length = Redaction.lengthOfSpelling(of: sign, in: bytes, at: index)
        if length > 0 { return length }
      }
      return 0
    }
  }
}
