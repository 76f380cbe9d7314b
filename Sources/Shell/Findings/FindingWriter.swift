package import Config
import JSON
import Lint
package import Terminal

/// The output formats of findings.
package enum FindingFormat: String, CaseIterable, Sendable {
  /// Human-readable: the line with a caret.
  case text
  /// Machine-readable.
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
    let items = Array(zip(findings, Excerpt.excerpts(of: Array(findings.prefix(Excerpt.maximumShown)))))
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
    var writer = JSONWriter(indent: 2)
    writer.beginObject()
    writer.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
    writer.member("version", "2.1.0")
    writer.key("runs")
    writer.beginArray()
    writer.beginObject()
    writer.key("tool")
    writer.beginObject()
    writer.key("driver")
    writer.beginObject()
    writer.member("name", "market")
    writer.member("semanticVersion", Version.number)
    writer.key("rules")
    writer.beginArray()
    for code in FindingCode.allCases where items.contains(where: { $0.0.code == code }) { writeRule(code, to: &writer) }
    writer.endArray()
    writer.endObject()
    writer.endObject()
    writer.member("columnKind", "unicodeCodePoints")
    writer.key("results")
    writer.beginArray()
    for (finding, excerpt) in items { writeResult(finding, excerpt, to: &writer) }
    writer.endArray()
    writer.endObject()
    writer.endArray()
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self) + "\n"
  }

  private func writeRule(_ code: FindingCode, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", code.rawValue)
    if let explanation = DiagnosticExplanation.explanation(of: code) {
      writer.message("shortDescription", explanation.title)
      writer.message("fullDescription", explanation.text)
    }
    writer.endObject()
  }

  private func writeResult(_ finding: Finding, _ excerpt: Excerpt, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("ruleId", finding.code.rawValue)
    writer.member("level", severity(of: finding).rawValue)
    writer.message("message", finding.sentence + (finding.help.map { "; \($0)" } ?? ""))
    writer.key("locations")
    writer.beginArray()
    writer.beginObject()
    writer.key("physicalLocation")
    writer.beginObject()
    writer.key("artifactLocation")
    writer.beginObject()
    writer.member("uri", uri(of: excerpt.file))
    writer.endObject()
    writer.key("region")
    writer.beginObject()
    writer.member("startLine", excerpt.start.line)
    writer.member("startColumn", excerpt.start.column)
    writer.member("endLine", excerpt.start.line)
    writer.member("endColumn", excerpt.start.column + excerpt.length)
    writer.endObject()
    writer.endObject()
    writer.endObject()
    writer.endArray()
    writer.endObject()
  }

  /// Returns a path as an RFC 3986 reference, with reserved characters escaped.
  private func uri(of path: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var text = path.hasPrefix("/") ? "file://" : ""
    for byte in path.utf8 {
      let isPlain =
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || (0x30...0x39).contains(byte)
        || "-._~/".utf8.contains(byte)
      text +=
        isPlain
        ? String(Unicode.Scalar(byte))
        : String(decoding: [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]], as: UTF8.self)
    }
    return text
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

extension JSONWriter {
  /// Writes a text in SARIF form: an object with one member.
  fileprivate mutating func message(_ name: String, _ text: String) {
    key(name)
    beginObject()
    member("text", text)
    endObject()
  }
}
