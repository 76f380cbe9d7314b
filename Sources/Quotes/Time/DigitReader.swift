/// Reads digits and marks from the front of a text, for the formats of times.
struct DigitReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var index = 0

  /// The bytes must outlive the reader.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { index == bytes.count }

  /// Takes one byte off if it is this one.
  mutating func skip(_ byte: UInt8) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  /// Takes these bytes off if all of them are next.
  mutating func skip(_ text: String) -> Bool {
    for byte in text.utf8 where !skip(byte) { return false }
    return true
  }

  /// The number of exactly that many digits; nil when there are fewer.
  mutating func number(digits: Int) -> Int? {
    let end = index + digits
    guard end <= bytes.count else { return nil }
    var value = 0
    for byte in bytes[index..<end] {
      let digit = byte &- ASCII.zero
      guard digit <= 9 else { return nil }
      value = value * 10 + Int(digit)
    }
    index = end
    return value
  }

  /// The fraction of a second in nanoseconds, of any number of digits from one; those beyond the ninth are cut off.
  mutating func fraction() -> Int? {
    var value = 0
    var count = 0
    while index < bytes.count {
      let digit = bytes[index] &- ASCII.zero
      if digit > 9 { break }
      if count < 9 { value = value * 10 + Int(digit) }
      count += 1
      index += 1
    }
    guard count > 0 else { return nil }
    return count < 9 ? value * Int(PowersOfTen.narrow[9 - count]) : value
  }
}
