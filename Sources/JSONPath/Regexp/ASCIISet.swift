/// A set of ASCII characters as 128 bits.
struct ASCIISet: Hashable, Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// The members below U+0080 of a set.
  init(_ set: ScalarSet) {
    for bit in 0..<UInt32(64) {
      if set.contains(bit) { low |= 1 << UInt64(bit) }
      if set.contains(bit + 64) { high |= 1 << UInt64(bit) }
    }
  }

  /// - Parameter scalar: below 0x80.
  func contains(_ scalar: UInt32) -> Bool {
    (scalar < 64 ? low : high) & (1 << UInt64(scalar & 63)) != 0
  }
}
