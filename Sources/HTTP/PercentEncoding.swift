import Quotes

/// Percent-encoding (RFC 3986, section 2.1) of everything except letters, digits, `-._~`, and what a place allows besides.
package enum PercentEncoding {
  /// Encodes a value within a path: nothing that could end its segment is kept.
  package static func pathValue(_ text: String) -> String { encode(text, keeping: ",:@") }

  package static func path(_ text: String) -> String { encode(text, keeping: "/") }

  /// Encodes a query name or value. Commas and colons are kept: exchanges write lists with them, and some do not decode
  /// them.
  package static func query(_ text: String) -> String { encode(text, keeping: ",:@/") }

  /// Encodes everything that may have a meaning in a URL, since exchanges verify signed text byte by byte.
  package static func strict(_ text: String) -> String { encode(text, keeping: "") }

  /// Decodes `%20`; whatever is not the number of a byte is kept.
  package static func decoded(_ text: some StringProtocol) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2,
        digits.allSatisfy(\.isLetterOrDigit),
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }

  private static func encode(_ text: String, keeping extra: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    for byte in text.utf8 {
      if byte.isLetterOrDigit || "-._~".utf8.contains(byte) || extra.utf8.contains(byte) {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
