extension UInt8 {
  /// Whether it is a digit of ASCII.
  package var isDigit: Bool { 0x30...0x39 ~= self }

  /// Whether it is a letter of ASCII.
  package var isLetter: Bool { 0x61...0x7A ~= self | 0x20 }

  /// Whether it is a letter or a digit of ASCII.
  package var isLetterOrDigit: Bool { isDigit || isLetter }
}

extension [UInt8] {
  /// Two hexadecimal digits for each byte, in lower case.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

extension FixedWidthInteger {
  /// In hexadecimal, with zeros before it, up to so many digits: `00ff`.
  package func hexadecimal(digits: Int, uppercase: Bool = false) -> String {
    let text = String(self, radix: 16, uppercase: uppercase)
    return String(repeating: "0", count: Swift.max(0, digits - text.utf8.count)) + text
  }
}
