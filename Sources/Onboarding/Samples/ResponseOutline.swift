import JSON
import Quotes
import Terminal

/// A human-readable outline of a response: its members down to the first row, with examples.
///
///     an object of 3 members
///       code    "0"
///       data    a list of 130 objects, such as
///         symbol  "BTC-KRW"
///         last    "100500000"
struct ResponseOutline {
  private(set) var lines: [String] = []
  private(set) var isJSON = true

  /// How many members of each level are shown.
  private static let memberLimit = 24

  init(_ bytes: [UInt8]) {
    guard let document = try? JSONDocument(parsing: bytes) else {
      isJSON = false
      lines = ["not JSON: \(Self.firstWords(of: bytes))"]
      return
    }
    lines.append(Self.kind(of: document.root))
    open(document.root, indent: 1, depth: 3)
  }

  /// - Parameter depth: How many levels are shown.
  private mutating func open(_ node: JSONNode, indent: Int, depth: Int) {
    guard depth > 0 else { return }
    let blanks = String(repeating: "  ", count: indent)
    switch node.kind {
    case .object:
      let all = Array(node.members)
      // If there is a member for each row, one is enough.
      let isTable = all.count > 6 && all.allSatisfy { [.object, .array].contains($0.value.kind) }
      let shown = all.prefix(isTable ? 1 : Self.memberLimit)
      let width = min(24, shown.map { TerminalText.sanitized($0.name).count }.max() ?? 0)
      for member in shown {
        let name = TerminalText.sanitized(member.name)
        let padding = String(repeating: " ", count: max(0, width - name.count))
        lines.append("\(blanks)\(name)\(padding)  \(Self.kind(of: member.value))")
        open(member.value, indent: indent + 1, depth: depth - 1)
      }
      if shown.count < all.count { lines.append("\(blanks)… \(all.count - shown.count) more") }
    case .array:
      guard let first = node.elements.first else { return }
      if first.kind == .object {
        open(first, indent: indent, depth: depth - 1)
      } else if first.kind == .array {
        lines.append("\(blanks)\(Self.shortened(first.text))")
      }
    default: break
    }
  }

  private static func kind(of node: JSONNode) -> String {
    switch node.kind {
    case .object: return "an object of \(node.count.counted("member"))"
    case .array:
      guard let first = node.elements.first else { return "an empty list" }
      let what = first.kind == .object ? "objects" : first.kind == .array ? "lists" : "values"
      return "a list of \(node.count) \(what)" + (first.kind == .object ? ", such as" : "")
    default: return shortened(node.text)
    }
  }

  private static func shortened(_ text: String) -> String {
    TerminalText.sanitized(text).shortened(to: 60)
  }

  /// Returns the beginning of a text that is not an answer, on one line.
  static func firstWords(of bytes: [UInt8]) -> String {
    let text = String(decoding: bytes.prefix(400), as: UTF8.self)
    return text.split { $0.isWhitespace }.joined(separator: " ").shortened(to: 120)
  }
}
