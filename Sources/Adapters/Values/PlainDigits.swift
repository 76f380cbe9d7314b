/// The digits of a number that is longer than a decimal holds, with its exponent written out.
enum PlainDigits {
  static func text(of bytes: UnsafeBufferPointer<UInt8>) -> String {
    var digits: [UInt8] = []
    var pointPlace: Int?
    var exponent = 0
    var index = 0
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative || bytes.first == UInt8(ascii: "+") { index = 1 }
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "."): pointPlace = digits.count
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        exponent = Int(String(decoding: bytes[(index + 1)...], as: UTF8.self)) ?? 0
        index = bytes.count
      default: digits.append(bytes[index])
      }
      index += 1
    }
    // Where the point stands once the exponent has moved it.
    let place = (pointPlace ?? digits.count) + exponent
    let zero = UInt8(ascii: "0")
    if place <= 0 { digits.insert(contentsOf: repeatElement(zero, count: 1 - place), at: 0) }
    if place > digits.count { digits.append(contentsOf: repeatElement(zero, count: place - digits.count)) }
    let whole = max(place, 1)
    var text = isNegative ? "-" : ""
    text += String(decoding: digits[..<whole], as: UTF8.self)
    if whole < digits.count { text += "." + String(decoding: digits[whole...], as: UTF8.self) }
    return text
  }
}
