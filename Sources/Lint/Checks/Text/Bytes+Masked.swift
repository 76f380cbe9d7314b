extension [UInt8] {
  /// The text with asterisks for all characters of some stretches that are ASCII, so that nothing moves.
  func masked(_ ranges: [Range<Int>]) -> [UInt8] {
    var bytes = self
    for range in ranges {
      for index in range.clamped(to: indices) where bytes[index] < 0x80 && bytes[index] > 0x20 {
        bytes[index] = UInt8(ascii: "*")
      }
    }
    return bytes
  }
}
