/// Reads digits and marks from the front of a text, for the formats of times.
struct DigitReader {
  private var rest: Substring.UTF8View

  init(_ text: String) {
    rest = Substring(text).utf8
  }

  var isAtEnd: Bool { rest.isEmpty }

  var next: UInt8? { rest.first }

  /// Takes one byte off if it is one of these.
  mutating func take(_ bytes: UInt8...) -> UInt8? {
    guard let next, bytes.contains(next) else { return nil }
    rest.removeFirst()
    return next
  }

  /// Takes one byte off if it is this one.
  mutating func skip(_ byte: UInt8) -> Bool {
    take(byte) != nil
  }

  /// The number of exactly that many digits; nil when there are fewer.
  mutating func number(digits: Int) -> Int? {
    let head = rest.prefix(digits)
    guard head.count == digits else { return nil }
    var value = 0
    for byte in head {
      let digit = byte &- ASCII.zero
      guard digit <= 9 else { return nil }
      value = value * 10 + Int(digit)
    }
    rest = rest.dropFirst(digits)
    return value
  }

  /// The fraction of a second in nanoseconds, of any number of digits from one; those beyond the ninth are cut off.
  mutating func fraction() -> Int? {
    var value = 0
    var count = 0
    while let next, next &- ASCII.zero <= 9 {
      if count < 9 { value = value * 10 + Int(next - ASCII.zero) }
      count += 1
      rest.removeFirst()
    }
    guard count > 0 else { return nil }
    return count < 9 ? value * Int(PowersOfTen.narrow[9 - count]) : value
  }
}
