import Quotes

/// The result of an `auth` template: bytes, and whether they are secret.
struct SignedText: Sendable {
  var bytes: [UInt8]
  /// Whether it contains a secret, or was derived from one.
  var isSecret: Bool
}

extension SignedText {
  init(_ text: String, isSecret: Bool = false) { self.init(bytes: Array(text.utf8), isSecret: isSecret) }

  static let empty = SignedText("")

  /// The bytes as UTF-8 text; other bytes are never used as text.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func append(_ other: SignedText) {
    bytes += other.bytes
    isSecret = isSecret || other.isSecret
  }

  mutating func append(_ text: String) { bytes += text.utf8 }
}

extension Base64 {
  /// Encodes bytes as unpadded base64url (RFC 4648 §5).
  static func encodeForURL(_ bytes: [UInt8]) -> String {
    String(
      encode(bytes).compactMap { letter -> Character? in
        switch letter {
        case "+": "-"
        case "/": "_"
        case "=": nil
        default: letter
        }
      })
  }
}
