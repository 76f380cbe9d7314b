/// Percent-encoding (RFC 3986, section 2.1) of everything except letters, digits, `-._~`, and what a place allows besides.
package enum PercentEncoding {
  /// Encodes a value within a path: nothing that could end its segment is kept.
  package static func pathValue(_ text: String) -> String { encode(text, keeping: ",:@") }

  /// Encodes a whole path.
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
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      case _ where byte < 0x80 && extra.utf8.contains(byte):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = Array("0123456789ABCDEF".unicodeScalars)
        result += "%"
        result.unicodeScalars.append(digits[Int(byte >> 4)])
        result.unicodeScalars.append(digits[Int(byte & 15)])
      }
    }
    return result
  }
}
