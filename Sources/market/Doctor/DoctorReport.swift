import Config
import JSON
import Terminal

/// Writes what the doctor found.
enum DoctorReport {
  static func text(of findings: [Finding], width: Int?, palette: Palette) -> String {
    var text = ""
    var topic: Finding.Topic?
    for finding in findings {
      let name = finding.topic == topic ? "" : finding.topic?.rawValue ?? ""
      topic = finding.topic
      let head =
        StyledText(padded(finding.severity.doctorWord, 9), finding.severity.style)
        + StyledText(padded(name, 10), .heading)
      let indent = 19
      let room = width.map { max(20, $0 - indent) }
      let lines = TerminalText.wrapped(TerminalText.sanitized(finding.message), cells: room)
      let help = finding.help.map { TerminalText.wrapped("help: " + TerminalText.sanitized($0), cells: room) } ?? []
      text +=
        head.painted(with: palette) + (lines + help).joined(separator: "\n" + String(repeating: " ", count: indent))
        + "\n"
    }
    return text + summary(of: findings) + "\n"
  }

  private static func summary(of findings: [Finding]) -> String {
    func count(_ status: Finding.Severity, _ noun: String) -> String {
      let number = findings.count { $0.severity == status }
      return "\(number == 0 ? "no" : "\(number)") \(noun)\(number == 1 ? "" : "s")"
    }
    return "\(count(.error, "problem")), \(count(.warning, "warning"))"
  }

  private static func padded(_ text: String, _ cells: Int) -> String {
    text + String(repeating: " ", count: max(1, cells - text.count))
  }

  static func json(of findings: [Finding]) -> JSONValue {
    [
      "checks": .list(findings) {
        [
          "topic": .text($0.topic?.rawValue), "status": .string($0.severity.doctorWord), "text": .string($0.message),
          "help": .text($0.help),
        ]
      }
    ]
  }
}

extension Finding {
  fileprivate var topic: Topic? { if case .topic(let topic) = subject { topic } else { nil } }
}

extension Finding.Severity {
  /// As `doctor` writes it; its JSON has it, too.
  fileprivate var doctorWord: String { self == .error ? "problem" : rawValue }

  fileprivate var style: Style {
    switch self {
    case .ok, .note: .dim
    case .warning: .warning
    case .error: .alert
    }
  }
}
