/// The value at the end of one path: its kind, and where it stands in the text.
package struct ScanSlot: Hashable, Sendable {
  /// The first byte of the value; of a string: of the text INSIDE the quotes.
  package var start: UInt32
  /// Behind the last byte of the value; of a string: the closing quote.
  package var end: UInt32
  package var kind: ScanKind
  /// True for a string that is written with escapes, and so must be decoded.
  package var hasEscapes: Bool

  package init(kind: ScanKind, start: UInt32, end: UInt32, hasEscapes: Bool = false) {
    self.start = start
    self.end = end
    self.kind = kind
    self.hasEscapes = hasEscapes
  }

  /// Nothing found.
  package static let missing = ScanSlot(kind: .missing, start: 0, end: 0)

  /// The bytes of the value in the text; a string without its quotes.
  package var range: Range<Int> { Int(start)..<Int(end) }

  @inline(__always)
  init(_ kind: ScanKind, from start: Int, to end: Int, hasEscapes: Bool = false) {
    self.init(
      kind: kind, start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end), hasEscapes: hasEscapes
    )
  }
}

/// The text of a slot: a string decoded, any other value as it is written, nothing for a missing one.
///
/// - Parameter bytes: the text that was scanned.
package func decodedString(_ bytes: [UInt8], slot: ScanSlot) -> String {
  decodedText(bytes[slot.range], hasEscapes: slot.hasEscapes)
}
