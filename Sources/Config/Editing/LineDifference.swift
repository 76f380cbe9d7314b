/// The one range of lines in which two texts differ.
package struct LineDifference {
  package let text: String

  /// The number of unchanged lines shown around the change.
  private static let context = 2

  package init(old: [UInt8], new: [UInt8]) {
    let before = Self.lines(old)
    let after = Self.lines(new)
    var head = 0
    while head < min(before.count, after.count), before[head] == after[head] { head += 1 }
    var tail = 0
    while tail < min(before.count, after.count) - head,
      before[before.count - 1 - tail] == after[after.count - 1 - tail]
    { tail += 1 }
    guard head < max(before.count, after.count) else {
      text = ""
      return
    }
    var lines = ["@@ line \(head + 1) @@"]
    lines += after[max(0, head - Self.context)..<head].map { "  " + $0 }
    lines += before[head..<(before.count - tail)].map { "- " + $0 }
    lines += after[head..<(after.count - tail)].map { "+ " + $0 }
    lines += after[(after.count - tail)..<min(after.count, after.count - tail + Self.context)].map { "  " + $0 }
    text = lines.joined(separator: "\n") + "\n"
  }

  private static func lines(_ bytes: [UInt8]) -> [String] {
    bytes.isEmpty
      ? [] : bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
  }
}
