/// The result of one check, either ok, a warning or a problem, with what to do about it.
package struct StatusLine: Hashable, Sendable {
  package enum Status: String, Sendable {
    case ok, note, warning, problem
  }

  package let status: Status
  /// The subject, in one word. It is not repeated if it is the same as on the previous line.
  package let topic: String
  package let text: String
  package var help: String?

  package init(status: Status, topic: String, text: String, help: String? = nil) {
    self.status = status
    self.topic = topic
    self.text = text
    self.help = help
  }
}

extension [StatusLine] {
  /// - Parameter width: The line width in cells; nil disables wrapping.
  package func text(width: Int?, palette: Palette) -> String {
    var text = ""
    var topic = ""
    for line in self {
      let name = line.topic == topic ? "" : line.topic
      topic = line.topic
      let head =
        StyledText(Self.padded(line.status.rawValue, 9), line.status.style)
        + StyledText(Self.padded(name, 10), .heading)
      let indent = 19
      let room = width.map { Swift.max(20, $0 - indent) }
      let lines = TerminalText.wrapped(TerminalText.sanitized(line.text), cells: room)
      let help = line.help.map { TerminalText.wrapped("help: " + TerminalText.sanitized($0), cells: room) } ?? []
      text +=
        head.painted(with: palette) + (lines + help).joined(separator: "\n" + String(repeating: " ", count: indent))
        + "\n"
    }
    return text
  }

  private static func padded(_ text: String, _ cells: Int) -> String {
    text + String(repeating: " ", count: Swift.max(1, cells - text.count))
  }
}

extension StatusLine.Status {
  fileprivate var style: Style {
    switch self {
    case .ok, .note: .dim
    case .warning: .warning
    case .problem: .alert
    }
  }
}
