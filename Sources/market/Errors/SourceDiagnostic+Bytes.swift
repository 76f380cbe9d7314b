import JSON
import Terminal

extension SourceDiagnostic {
  /// A problem at a byte of a text; line and column are counted now, because only an error needs them.
  ///
  /// - Parameters:
  ///   - offset: of the byte, from 0; the length of the text points behind its end.
  ///   - length: how many scalars are underlined.
  init(
    source: String, bytes: [UInt8], offset: Int, length: Int = 1, severity: Severity = .error, code: String? = nil,
    message: String, help: [String] = []
  ) {
    let map = SourceMap(bytes)
    let position = map.position(of: offset)
    let excerpt = SourceExcerpt(
      line: position.line, column: position.column, length: length, text: map.line(position.line))
    self.init(source: source, excerpt: excerpt, severity: severity, code: code, message: message, help: help)
  }
}
