import Config
import JSON
import Lint
import Terminal

/// Writes findings in the formats that people and programs read.
struct FindingWriter {
  let format: FindingFormat
  let palette: Palette
  /// Cells that a line of the config may take.
  let width: Int
  let warningsAreErrors: Bool

  func text(of findings: [Finding]) -> String {
    switch format {
    case .human: findings.map(human).joined()
    case .json: json(findings)
    case .sarif: sarif(findings)
    case .github: findings.map(github).joined()
    }
  }

  private func severity(of finding: Finding) -> Diagnostic.Severity { warningsAreErrors ? .error : finding.severity }

  private func human(_ finding: Finding) -> String {
    SourceDiagnostic(finding, isError: warningsAreErrors).rendered(palette: palette, width: width)
  }

  private func json(_ findings: [Finding]) -> String {
    var writer = JSONWriter(indent: 2)
    writer.beginArray()
    for finding in findings {
      writer.beginObject()
      writer.member("file", finding.file)
      writer.member("line", finding.start.line)
      writer.member("column", finding.start.column)
      writer.member("endColumn", finding.start.column + finding.length)
      writer.member("code", finding.code)
      writer.member("severity", severity(of: finding).rawValue)
      writer.member("message", finding.message)
      writer.key("help")
      if let help = finding.help { writer.string(help) } else { writer.null() }
      writer.endObject()
    }
    writer.endArray()
    return String(decoding: writer.bytes, as: UTF8.self) + "\n"
  }

  // MARK: SARIF

  private func sarif(_ findings: [Finding]) -> String {
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
    for code in Set(findings.map(\.code)).sorted() { writeRule(code, to: &writer) }
    writer.endArray()
    writer.endObject()
    writer.endObject()
    writer.member("columnKind", "unicodeCodePoints")
    writer.key("results")
    writer.beginArray()
    for finding in findings { writeResult(finding, to: &writer) }
    writer.endArray()
    writer.endObject()
    writer.endArray()
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self) + "\n"
  }

  private func writeRule(_ code: String, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", code)
    if let story = DiagnosticStory.story(of: code) {
      writer.message("shortDescription", story.title)
      writer.message("fullDescription", story.text)
    }
    writer.endObject()
  }

  private func writeResult(_ finding: Finding, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("ruleId", finding.code)
    writer.member("level", severity(of: finding).rawValue)
    writer.message("message", finding.message + (finding.help.map { "; \($0)" } ?? ""))
    writer.key("locations")
    writer.beginArray()
    writer.beginObject()
    writer.key("physicalLocation")
    writer.beginObject()
    writer.key("artifactLocation")
    writer.beginObject()
    writer.member("uri", uri(of: finding.file))
    writer.endObject()
    writer.key("region")
    writer.beginObject()
    writer.member("startLine", finding.start.line)
    writer.member("startColumn", finding.start.column)
    writer.member("endLine", finding.start.line)
    writer.member("endColumn", finding.start.column + finding.length)
    writer.endObject()
    writer.endObject()
    writer.endObject()
    writer.endArray()
    writer.endObject()
  }

  /// A path as a reference of RFC 3986: all that has a meaning there is escaped.
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

  /// `::error file=…,line=…::message`, with the characters escaped that would end a property or the line.
  private func github(_ finding: Finding) -> String {
    let properties = [
      ("file", finding.file), ("line", "\(finding.start.line)"), ("col", "\(finding.start.column)"),
      ("endColumn", "\(finding.start.column + finding.length - 1)"), ("title", finding.code),
    ]
    let list = properties.map { "\($0)=\(escaped($1, [":": "%3A", ",": "%2C"]))" }.joined(separator: ",")
    let message = finding.message + (finding.help.map { "; \($0)" } ?? "")
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
  fileprivate mutating func member(_ name: String, _ text: String) {
    key(name)
    string(text)
  }

  fileprivate mutating func member(_ name: String, _ value: Int) {
    key(name)
    number(text: "\(value)")
  }

  /// A text as SARIF has it: an object with one member.
  fileprivate mutating func message(_ name: String, _ text: String) {
    key(name)
    beginObject()
    member("text", text)
    endObject()
  }
}
