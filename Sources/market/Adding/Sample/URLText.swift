/// The parts of addresses as text (RFC 3986).
enum URLText {
  /// `%20` and `+` as what they stand for; the text as it is where they stand for no UTF-8.
  static func decoded(_ text: String) -> String {
    guard text.contains("%") || text.contains("+") else { return text }
    var bytes: [UInt8] = []
    let source = Array(text.utf8)
    var index = 0
    while index < source.count {
      let digits = source[(index + 1)...].prefix(2)
      if source[index] == UInt8(ascii: "%"), digits.count == 2,
        let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        bytes.append(byte)
        index += 3
      } else {
        bytes.append(source[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : source[index])
        index += 1
      }
    }
    return String(validating: bytes, as: UTF8.self) ?? text
  }

  /// `name=value` with the value escaped, as curl's `--data-urlencode` does: `=value` and `value` have no name.
  ///
  /// - Parameter signs: what stays as it is: those of templates.
  static func encodedItem(_ item: String, keeping signs: String = "") -> String {
    guard let sign = item.firstIndex(of: "=") else { return encoded(item, keeping: signs) }
    let name = item[..<sign]
    let value = encoded(String(item[item.index(after: sign)...]), keeping: signs)
    return name.isEmpty ? value : "\(name)=\(value)"
  }

  /// Text with all escaped that may mean something in an address.
  ///
  /// - Parameter signs: what stays as it is.
  static func encoded(_ text: String, keeping signs: String = "") -> String {
    var result = ""
    for byte in text.utf8 {
      let scalar = Unicode.Scalar(byte)
      let isPlain =
        byte < 0x80 && (Character(scalar).isLetter || Character(scalar).isNumber || "-._~".utf8.contains(byte))
        || signs.utf8.contains(byte)
      if isPlain {
        result.unicodeScalars.append(scalar)
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        result += "%" + (digits.count < 2 ? "0" : "") + digits
      }
    }
    return result
  }

  /// The value of an Authorization header for `user:password` (RFC 7617).
  static func basic(_ credentials: String) -> String { "Basic " + base64(Array(credentials.utf8)) }

  /// `user:password` out of the value behind `Basic`; nil where it is none.
  static func plain(basic text: String) -> String? {
    var bytes: [UInt8] = []
    var value = 0
    var bits = 0
    for byte in text.utf8 where byte != UInt8(ascii: "=") {
      guard let digit = alphabet.firstIndex(of: Character(Unicode.Scalar(byte))) else { return nil }
      value = (value << 6 | digit) & 0xFFFF
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: value >> bits))
      }
    }
    return String(validating: bytes, as: UTF8.self).flatMap { $0.contains(":") ? $0 : nil }
  }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

  /// RFC 4648, section 4.
  private static func base64(_ bytes: [UInt8]) -> String {
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var value = 0
      for byte in group { value = value << 8 | Int(byte) }
      value <<= 8 * (3 - group.count)
      for place in 0..<4 {
        text.append(place <= group.count ? alphabet[value >> (6 * (3 - place)) & 63] : "=")
      }
    }
    return text
  }
}
