import Quotes

/// The progress of a run and what it is waiting for, as one line of a terminal.
///
///     Progress(done: "24 of 60 answers", waitingFor: ["Slow", "Coinone"], waitNanoseconds: 2_140_000_000)
///       .text(cells: 80) == "24 of 60 answers, waiting for Slow, Coinone: 2.1 s"
package struct Progress: Hashable, Sendable {
  /// `24 of 60 answers`, `page 3 of 12`.
  package var done: String
  /// Longest wait first, each name once.
  package var waitingFor: [String]
  /// How long the first of them has been waited for; at least 0.
  package var waitNanoseconds: Int64

  package init(done: String, waitingFor: [String] = [], waitNanoseconds: Int64 = 0) {
    self.done = done
    self.waitingFor = waitingFor
    self.waitNanoseconds = waitNanoseconds
  }

  /// The line is only visible for a tenth of a second, too short to read more names.
  private static let maximumNames = 5

  /// Returns the line, with as many names as fit, truncated if it is too long even without names.
  package func text(cells: Int) -> String {
    guard !waitingFor.isEmpty else { return TerminalText.prefix(of: TerminalText.sanitized(done), cells: cells) }
    var line = ""
    for count in (0...min(Self.maximumNames, waitingFor.count)).reversed() {
      line = TerminalText.sanitized("\(done), waiting for \(names(count)): \(seconds) s")
      if TerminalText.width(of: line) <= cells { return line }
    }
    return TerminalText.prefix(of: line, cells: cells)
  }

  /// `Slow, Coinone and 3 more`
  private func names(_ count: Int) -> String {
    count == 0 ? "\(waitingFor.count)" : waitingFor.named(upTo: count)
  }

  /// Truncated rather than rounded, so that no wait is reported longer than it is.
  private var seconds: String {
    let tenths = waitNanoseconds / 100_000_000
    return "\(tenths / 10).\(tenths % 10)"
  }
}
