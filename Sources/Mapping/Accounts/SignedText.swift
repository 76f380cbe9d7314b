import HTTP

/// What a text of `auth` has come to: bytes, and whether anybody may see them.
struct SignedText: Sendable {
  var bytes: [UInt8]
  /// Whether a secret is in it, or it was made of one.
  var isSecret: Bool

  init(_ text: String, isSecret: Bool = false) {
    bytes = Array(text.utf8)
    self.isSecret = isSecret
  }

  init(bytes: [UInt8], isSecret: Bool) {
    self.bytes = bytes
    self.isSecret = isSecret
  }

  static let empty = SignedText("")

  /// The text of its UTF-8; bytes that are none never stand where a text is asked for.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func append(_ other: SignedText) {
    bytes += other.bytes
    isSecret = isSecret || other.isSecret
  }

  mutating func append(_ text: String) { bytes += text.utf8 }
}

extension Base64 {
  /// The alphabet that URLs need no escape for, without `=` (RFC 4648 §5).
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
