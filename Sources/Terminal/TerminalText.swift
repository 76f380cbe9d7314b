/// Text as a terminal shows it: how wide it is, and what of it is safe to send.
package enum TerminalText {
  /// True for text of printable ASCII only, by far the most: one cell a byte, nothing to clean.
  static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 &- 0x20 < 0x5F }
  }
}
