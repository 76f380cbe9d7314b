package import Config
import HTTP
import JSON
import Lint
package import Terminal

/// The output formats of findings.
package enum FindingFormat: String, CaseIterable, Sendable {
  /// Human-readable: the line with a caret.
  case text
  case json
  /// The Static Analysis Results Interchange Format, 2.1.0, which code hosts show next to the code.
  case sarif
  /// GitHub workflow commands, which annotate the lines of a change.
  case github
}

/// Writes findings in human- and machine-readable formats.
package struct FindingWriter {
  let format: FindingFormat
  private let palette: Palette
  private let width: Int
  let warningsAreErrors: Bool

  /// - Parameter width: the width available for a line of the config, in cells.
  package init(format: FindingFormat, palette: Palette, width: Int, warningsAreErrors: Bool) {
    (self.format, self.palette) = (format, palette)
    (self.width, self.warningsAreErrors) = (width, warningsAreErrors)
  }

  package func text(of findings: [Finding]) -> String {
    // A reader stops after some; a program wants all.
    let shown = format == .text ? Array(findings.prefix(Excerpt.maximumShown)) : findings
    let items = Excerpt.excerpts(of: shown)
    return switch format {
    case .text: items.map(human).joined() + rest(of: findings)
    case .json: json(items)
    case .sarif: sarif(items)
    case .github: items.map(github).joined()
    }
  }

  private func rest(of findings: [Finding]) -> String {
    let count = findings.count - Excerpt.maximumShown
    return count > 0 ? "\(count) more are not shown\n" : ""
  }

  private func severity(of finding: Finding) -> Finding.Severity { warningsAreErrors ? .error : finding.severity }

  private func human(_ finding: Finding, _ excerpt: Excerpt) -> String {
    SourceDiagnostic(finding, excerpt, isError: warningsAreErrors).rendered(palette: palette, width: width)
  }

  private func json(_ items: [(Finding, Excerpt)]) -> String {
    let findings = JSONValue.list(items) { finding, excerpt in
      [
        "file": .string(excerpt.file), "line": .integer(excerpt.start.line), "column": .integer(excerpt.start.column),
        "endColumn": .integer(excerpt.start.column + excerpt.length), "code": .string(finding.code.rawValue),
        "severity": .string(severity(of: finding).rawValue), "message": .string(finding.sentence),
        "help": .text(finding.help),
      ]
    }
    return String(decoding: JSONValue.members([("findings", findings)]).document, as: UTF8.self) + "\n"
  }

  // MARK: SARIF

  private func sarif(_ items: [(Finding, Excerpt)]) -> String {
    let found = FindingCode.allCases.filter { code in items.contains { $0.0.code == code } }
    let driver: JSONValue = ["name": "market", "semanticVersion": .string(Version.number), "rules": .list(found, rule)]
    let log: JSONValue = [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
      "runs": [
        ["tool": ["driver": driver], "columnKind": "unicodeCodePoints", "results": .list(items, result)]
      ],
    ]
    return String(decoding: log.document, as: UTF8.self) + "\n"
  }

  private func rule(_ code: FindingCode) -> JSONValue {
    guard let explanation = DiagnosticExplanation.explanation(of: code) else { return ["id": .string(code.rawValue)] }
    return [
      "id": .string(code.rawValue), "shortDescription": ["text": .string(explanation.title)],
      "fullDescription": ["text": .string(explanation.text)],
    ]
  }

  private func result(_ finding: Finding, _ excerpt: Excerpt) -> JSONValue {
    let region: JSONValue = [
      "startLine": .integer(excerpt.start.line), "startColumn": .integer(excerpt.start.column),
      "endLine": .integer(excerpt.start.line), "endColumn": .integer(excerpt.start.column + excerpt.length),
    ]
    let uri = (excerpt.file.hasPrefix("/") ? "file://" : "") + PercentEncoding.path(excerpt.file)
    let location: JSONValue = ["artifactLocation": ["uri": .string(uri)], "region": region]
    return [
      "ruleId": .string(finding.code.rawValue), "level": .string(severity(of: finding).rawValue),
      "message": ["text": .string(finding.sentence + (finding.help.map { "; \($0)" } ?? ""))],
      "locations": [["physicalLocation": location]],
    ]
  }

  // MARK: GitHub

  /// Returns `::error file=…,line=…::message`, escaping characters that would end a property or the line.
  private func github(_ finding: Finding, _ excerpt: Excerpt) -> String {
    let properties = [
      ("file", excerpt.file), ("line", "\(excerpt.start.line)"), ("col", "\(excerpt.start.column)"),
      ("endColumn", "\(excerpt.start.column + excerpt.length - 1)"), ("title", finding.code.rawValue),
    ]
    let list = properties.map { "\($0)=\(escaped($1, [":": "%3A", ",": "%2C"]))" }.joined(separator: ",")
    let message = finding.sentence + (finding.help.map { "; \($0)" } ?? "")
    return "::\(severity(of: finding).rawValue) \(list)::\(escaped(message, [:]))\n"
  }

  private func escaped(_ text: String, _ more: [Unicode.Scalar: String]) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "%": "%25"
      case "\r": "%0D"
      case "\n": "%0A"
      default: more[scalar] ?? TerminalText.sanitized(String(scalar))
      }
    }.joined()
  }
}
