package import Config
package import JSON
import Quotes
package import Terminal

extension Finding {
  /// Creates a result of `doctor` for a topic.
  package init(_ topic: Topic, _ code: FindingCode, _ severity: Severity, _ message: String, help: String? = nil) {
    self.init(code, severity, message, about: .topic(topic), help: help)
  }
}

/// Writes the findings of `doctor`.
package enum DoctorReport {
  package static func text(of findings: [Finding], width: Int?, palette: Palette) -> String {
    let lines = findings.map { finding in
      StatusLine(
        status: finding.severity.status, topic: finding.topic?.rawValue ?? "", text: finding.message, help: finding.help
      )
    }
    return lines.text(width: width, palette: palette) + summary(of: findings) + "\n"
  }

  private static func summary(of findings: [Finding]) -> String {
    func count(_ status: Finding.Severity, _ noun: String) -> String {
      let number = findings.count { $0.severity == status }
      return number == 0 ? "no \(noun)s" : number.counted(noun)
    }
    return "\(count(.error, "problem")), \(count(.warning, "warning"))"
  }

  package static func json(of findings: [Finding]) -> JSONValue {
    [
      "checks": .list(findings) {
        [
          "topic": .text($0.topic?.rawValue), "status": .string($0.severity.status.rawValue),
          "text": .string($0.message),
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
  /// As written by `doctor` and its JSON.
  fileprivate var status: StatusLine.Status {
    switch self {
    case .ok: .ok
    case .note: .note
    case .warning: .warning
    case .error: .problem
    }
  }
}
