package import Config
package import JSON

/// A finding as it is told: the place as line and column, and the line itself.
package struct Finding: Sendable, Hashable {
  package let file: String
  package let start: SourcePosition
  /// Behind the last character.
  package let end: SourcePosition
  package let code: String
  package let severity: Diagnostic.Severity
  package let message: String
  package let help: String?
  /// The line in which it begins. Secrets in it are masked: reports are pasted and logged.
  package let line: String

  /// How many characters of the line are meant, one at least.
  package var length: Int {
    max(1, end.line == start.line ? end.column - start.column : line.unicodeScalars.count - start.column + 1)
  }
}

extension Finding {
  /// Tells one finding of a config that could be read.
  package init(_ diagnostic: Diagnostic) {
    let place = diagnostic.place
    let heirs = diagnostic.heirs.isEmpty ? "" : " (inherited by \(diagnostic.heirs.joined(separator: ", ")))"
    let map = SourceMap(place.file.document.bytes.masked(diagnostic.secrets))
    self.init(
      file: place.file.name, start: map.position(of: place.range.lowerBound),
      end: map.position(of: place.range.upperBound), code: diagnostic.code, severity: diagnostic.severity,
      message: diagnostic.message + heirs, help: diagnostic.help,
      line: map.line(map.position(of: place.range.lowerBound).line))
  }

  /// The one finding of a text that is no JSON.
  package static func brokenText(_ error: ConfigSyntaxError) -> Finding {
    let mistake = BrokenText.mistake(in: error.bytes, error.error)
    return Finding(
      file: error.file, range: mistake.range, code: "MKT001", severity: .error, message: mistake.message,
      help: mistake.help, in: SourceMap(error.bytes.masked(SecretCheck.ranges(in: error.bytes))), of: error.bytes)
  }

  /// A finding in a text that is shown by a map of it.
  init(
    file: String, range: Range<Int>, code: String, severity: Diagnostic.Severity, message: String, help: String?,
    in map: SourceMap, of bytes: [UInt8]
  ) {
    self.file = file
    start = map.position(of: range.lowerBound)
    end =
      range.isEmpty
      ? SourcePosition(line: start.line, column: start.column + 1) : map.position(of: range.upperBound)
    self.code = code
    self.severity = severity
    self.message = message
    self.help = help
    line =
      UTF16Order(of: bytes)?.beginning(of: bytes, units: 100).prefix { !$0.isNewline }.description
      ?? map.line(start.line)
  }
}
