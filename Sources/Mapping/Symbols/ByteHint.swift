/// Some bytes, known by their low five bits, which are the same in both cases of a letter: a quick test that most fail.
struct ByteHint: Sendable {
  private let bits: UInt32

  init(_ bytes: [UInt8]) {
    bits = bytes.reduce(0) { $0 | 1 << UInt32($1 & 31) }
  }

  /// False for a byte that is surely none of them.
  func mayHold(_ byte: UInt8) -> Bool { bits & 1 << UInt32(byte & 31) != 0 }
}
