import Quotes

/// A text to search for, which is a secret or an encoding of one: characters, each of which may be spelled in many ways.
struct Needle: Hashable {
  /// In UTF-8.
  let bytes: [UInt8]
  /// Whether letters may have another case.
  let ignoresCase: Bool
  /// Whether the character before it may contain bits of it, and that behind it. Only base64 has such characters.
  var isMixedBefore = false
  var isMixedBehind = false

  /// Other texts contain shorter secrets, too, in one case or another.
  private static let minimumBytes = 6

  /// A secret as it is.
  init(text: String) {
    bytes = Array(text.utf8)
    ignoresCase = bytes.count >= Self.minimumBytes
  }

  private init(base64: [UInt8], isMixedBefore: Bool, isMixedBehind: Bool) {
    (bytes, ignoresCase) = (base64, false)
    (self.isMixedBefore, self.isMixedBehind) = (isMixedBefore, isMixedBehind)
  }

  /// Returns the secret as it is, and in all encodings.
  static func all(of secret: String) -> [Needle] {
    let plain = Needle(text: secret)
    guard plain.bytes.count >= minimumBytes else { return [plain] }
    return ([plain, Needle(text: plain.bytes.hexadecimal)] + base64(of: plain.bytes)).unique
  }

  // MARK: Cases

  /// Returns a character beyond ASCII and, if the case does not matter, those that differ from it only in case: `é` and `É`.
  func cases(of character: Unicode.Scalar) -> [Unicode.Scalar] {
    guard ignoresCase else { return [character] }
    func single(_ mapping: String) -> [Unicode.Scalar] {
      mapping.unicodeScalars.count == 1 ? Array(mapping.unicodeScalars) : []
    }
    let upper = single(character.properties.uppercaseMapping)
    return ([character] + upper + (upper + [character]).flatMap { single($0.properties.lowercaseMapping) }).unique
  }

  /// Returns the same letter of ASCII in the other case if the case does not matter, otherwise the byte.
  func otherCase(of byte: UInt8) -> UInt8 { ignoresCase && byte.isLetter ? byte ^ 0x20 : byte }

  // MARK: Base64

  private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
  private static let alphabets = ["+/", "-_"].map { Array((letters + $0).utf8) }

  /// Returns the images of a secret in base64, in both alphabets, with any number of bytes before it in the encoded
  /// text, modulo three.
  ///
  /// Three bytes are four characters, so the characters at its ends may also contain a neighbour's bits. Only those in
  /// between are searched for, and up to one character on each side is removed with them.
  ///
  ///     bytes before   abcdef           its own characters
  ///     0              YWJj ZGVm        YWJjZGVm
  ///     1              .GFi Y2Rl Zg==   FiY2RlZ, with the G before and the g after them
  ///     2              ..Bh YmNk ZWY=   hYmNkZW, with the B before and the Y after them
  private static func base64(of secret: [UInt8]) -> [Needle] {
    alphabets.flatMap { alphabet in (0..<3).map { base64(of: secret, behind: $0, alphabet) } }
  }

  private static func base64(of secret: [UInt8], behind count: Int, _ alphabet: [UInt8]) -> Needle {
    let bytes = [UInt8](repeating: 0, count: count) + secret
    func bits(at place: Int) -> Int {
      // Six of the sixteen bits of two bytes.
      let (byte, bit) = (place * 6 / 8, place * 6 % 8)
      let pair = Int(bytes[byte]) << 8 | (byte + 1 < bytes.count ? Int(bytes[byte + 1]) : 0)
      return pair >> (10 - bit) & 63
    }
    let own = (count * 8 + 5) / 6..<bytes.count * 8 / 6
    return Needle(
      base64: own.map { alphabet[bits(at: $0)] }, isMixedBefore: count * 8 % 6 != 0,
      isMixedBehind: bytes.count * 8 % 6 != 0)
  }
}
