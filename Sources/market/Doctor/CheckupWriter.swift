import JSON
import Terminal

/// Writes what the doctor found.
enum CheckupWriter {
  static func text(of checkups: [Checkup], width: Int?, palette: Palette) -> String {
    var text = ""
    var topic: Checkup.Topic?
    for checkup in checkups {
      let name = checkup.topic == topic ? "" : checkup.topic.rawValue
      topic = checkup.topic
      let head =
        StyledText(padded(checkup.status.rawValue, 9), checkup.status.style) + StyledText(padded(name, 10), .heading)
      let indent = 19
      let room = width.map { max(20, $0 - indent) }
      let lines = TerminalText.wrapped(TerminalText.sanitized(checkup.text), cells: room)
      let help = checkup.help.map { TerminalText.wrapped("help: " + TerminalText.sanitized($0), cells: room) } ?? []
      text +=
        head.painted(with: palette) + (lines + help).joined(separator: "\n" + String(repeating: " ", count: indent))
        + "\n"
    }
    return text + summary(of: checkups) + "\n"
  }

  private static func summary(of checkups: [Checkup]) -> String {
    func count(_ status: Checkup.Status, _ noun: String) -> String {
      let number = checkups.count { $0.status == status }
      return "\(number == 0 ? "no" : "\(number)") \(noun)\(number == 1 ? "" : "s")"
    }
    return "\(count(.problem, "problem")), \(count(.warning, "warning"))"
  }

  private static func padded(_ text: String, _ cells: Int) -> String {
    text + String(repeating: " ", count: max(1, cells - text.count))
  }

  static func json(of checkups: [Checkup]) -> [UInt8] {
    var writer = JSONWriter(indent: 2)
    writer.beginArray()
    for checkup in checkups {
      writer.beginObject()
      writer.member("topic", checkup.topic.rawValue)
      writer.member("status", checkup.status.rawValue)
      writer.member("text", checkup.text)
      writer.member("help", checkup.help)
      writer.endObject()
    }
    writer.endArray()
    return writer.finished()
  }
}

extension Checkup.Status {
  fileprivate var style: Style {
    switch self {
    case .ok: .dim
    case .warning: .warning
    case .problem: .alert
    }
  }
}
