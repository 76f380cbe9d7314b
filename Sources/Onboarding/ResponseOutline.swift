import JSON
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

  /// - Parameters:
  ///   - depth: how many levels are shown.
  ///   - members: how many members of each level are shown.
  init(_ bytes: [UInt8], depth: Int = 3, members: Int = 24) {
    guard let document = try? JSONDocument(parsing: bytes) else {
      isJSON = false
      lines = ["not JSON: \(Self.firstWords(of: bytes))"]
      return
    }
    lines.append(Self.kind(of: document.root))
    open(document.root, indent: 1, depth: depth, members: members)
  }

  private mutating func open(_ node: JSONNode, indent: Int, depth: Int, members: Int) {
    guard depth > 0 else { return }
    let blanks = String(repeating: "  ", count: indent)
    switch node.kind {
    case .object:
      let all = Array(node.members)
      // If there is a member for each row, one is enough.
      let isTable = all.count > 6 && all.allSatisfy { [.object, .array].contains($0.value.kind) }
      let shown = all.prefix(isTable ? 1 : members)
      let width = min(24, shown.map { TerminalText.sanitized($0.name).count }.max() ?? 0)
      for member in shown {
        let name = TerminalText.sanitized(member.name)
        let padding = String(repeating: " ", count: max(0, width - name.count))
        lines.append("\(blanks)\(name)\(padding)  \(Self.kind(of: member.value))")
        open(member.value, indent: indent + 1, depth: depth - 1, members: members)
      }
      if shown.count < all.count { lines.append("\(blanks)… \(all.count - shown.count) more") }
    case .array:
      guard let first = node.elements.first(where: { _ in true }) else { return }
      if first.kind == .object {
        open(first, indent: indent, depth: depth - 1, members: members)
      } else if first.kind == .array {
        lines.append("\(blanks)\(Self.shortened(first.text))")
      }
    default: break
    }
  }

  private static func kind(of node: JSONNode) -> String {
    switch node.kind {
    case .object: return node.count == 1 ? "an object of 1 member" : "an object of \(node.count) members"
    case .array:
      guard let first = node.elements.first(where: { _ in true }) else { return "an empty list" }
      let what = first.kind == .object ? "objects" : first.kind == .array ? "lists" : "values"
      return "a list of \(node.count) \(what)" + (first.kind == .object ? ", such as" : "")
    default: return shortened(node.text)
    }
  }

  private static func shortened(_ text: String) -> String {
    let clean = TerminalText.sanitized(text)
    return clean.count > 60 ? clean.prefix(59) + "…" : clean
  }

  /// Returns the beginning of a text that is not an answer, on one line.
  static func firstWords(of bytes: [UInt8]) -> String {
    let text = String(decoding: bytes.prefix(400), as: UTF8.self)
    let words = text.split { $0.isWhitespace }.joined(separator: " ")
    return words.count > 120 ? words.prefix(119) + "…" : words
  }
}
