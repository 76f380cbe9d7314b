/// A problem at a place of a text: what compilers print.
///
///     exchanges.json:3:14: error[MKT021]: unknown key "symbl"
///       3 |     "symbl": {
///         |     ^^^^^^^
///       help: did you mean 'symbol'?
package struct SourceDiagnostic: Hashable, Sendable {
  /// How grave it is.
  package enum Severity: String, Sendable {
    case error, warning, note
  }

  /// The name of the text: a path, `<query>`, `<stdin>`.
  package var source: String
  /// The place, and the line itself.
  package var excerpt: SourceExcerpt
  package var severity: Severity
  /// The identifier of the diagnostic, shown in brackets.
  package var code: String?
  /// Lower case, no full stop.
  package var message: String
  /// Remedies, one a line below the excerpt.
  package var help: [String]

  package init(
    source: String, excerpt: SourceExcerpt, severity: Severity = .error, code: String? = nil, message: String,
    help: [String] = []
  ) {
    self.source = source
    self.excerpt = excerpt
    self.severity = severity
    self.code = code
    self.message = message
    self.help = help
  }

  /// The diagnostic as lines, each ended by a newline.
  ///
  /// - Parameters:
  ///   - width: cells that a line of the excerpt may take.
  package func rendered(palette: Palette, width: Int = 100) -> String {
    let place = TerminalText.sanitized("\(source):\(excerpt.line):\(excerpt.column):")
    let identifier = code.map { "[\($0)]" } ?? ""
    let label = palette.paint("\(severity.rawValue)\(identifier):", as: severity == .error ? .alert : .warning)
    var text = palette.paint(place, as: .heading) + " \(label) " + TerminalText.sanitized(message) + "\n"
    text += excerpt.rendered(palette: palette, width: width)
    for line in help {
      text += "  \(palette.paint("help:", as: .heading)) \(TerminalText.sanitized(line))\n"
    }
    return text
  }
}
