import Quotes
import Terminal
import Views

extension Context {
  /// The page that a command's text is written on.
  ///
  /// - Parameters:
  ///   - preferred: the config's colours.
  ///   - replayNote: what a replay says of itself.
  func page(
    _ invocation: Invocation, preferring preferred: ColorScheme? = nil, replayNote: String? = nil
  ) throws -> Page {
    Page(
      palette: try palette(for: invocation, preferring: preferred), width: terminal.columns,
      language: WeekdayNames(locale: timeLocale), replayNote: replayNote)
  }

  /// Writes a report to standard output; what a replay says of itself goes to standard error where the form has no place
  /// for it.
  func write(_ report: some Report, as format: OutputFormat, on page: Page) {
    switch format {
    case .text: output.write(report.text(on: page))
    case .json: write(json: report.json())
    case .csv: output.write(report.csv())
    }
    if format != .text, let note = page.replayNote { self.note(note) }
  }

  /// Writes a JSON text and a line end. On a terminal invisible characters are shown as `\u` escapes, which mean the same.
  func write(json bytes: [UInt8]) {
    if terminal.outputIsTerminal {
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      output.write(lines.map { TerminalText.sanitized(String($0), escaping: .json) }.joined(separator: "\n"))
    } else {
      output.write(bytes: bytes)
    }
    output.write("\n")
  }

  /// The locale for dates, as POSIX has it: `LC_ALL`, else `LC_TIME`, else `LANG`.
  private var timeLocale: String? {
    ["LC_ALL", "LC_TIME", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
  }
}
