package import Config
import JSON
package import Lint
package import MarketData
package import Terminal

extension SourceDiagnostic {
  package init(_ finding: Finding, _ excerpt: Excerpt, isError: Bool = false) {
    self.init(
      source: excerpt.file,
      excerpt: SourceExcerpt(
        line: excerpt.start.line, column: excerpt.start.column, length: excerpt.length, text: excerpt.line),
      severity: isError || finding.severity == .error ? .error : .warning, code: finding.code.rawValue,
      message: finding.sentence, help: [finding.help].compactMap(\.self))
  }

  package static func list(_ findings: [Finding]) -> [SourceDiagnostic] {
    Excerpt.excerpts(of: findings).map { SourceDiagnostic($0.finding, $0.excerpt) }
  }
}

extension ConfigProblem {
  package var commandError: CommandError {
    switch self {
    case .syntax(let error): return .diagnostics(SourceDiagnostic.list([Finding(error)]), .invalidConfig)
    case .invalid(let findings):
      return .diagnostics(SourceDiagnostic.list(Array(findings.prefix(Excerpt.maximumShown))), .invalidConfig)
    case .notFound, .nothingToExtend, .unreadable, .isCredentials: return .invalidConfig("\(self)")
    }
  }
}
