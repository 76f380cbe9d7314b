/// One finding about a config: a fact with its place. How it is printed is the printer's business.
package struct Diagnostic: Sendable, Hashable {
  package enum Severity: String, Sendable { case error, warning }

  /// `MKT0xx`; `Diagnostic+Catalogue.swift` lists them all.
  package let code: String
  package let severity: Severity
  /// Lower case, without a full stop, the user's text in double quotes.
  package let message: String
  package let place: Place
  /// What to write instead, where that is known.
  package let help: String?
  /// The edit that would put it right, where there is a safe one.
  package let fix: Fix?

  /// Further exchanges that the finding is about, since they start from the text that has it.
  package var heirs: [String] = []

  /// The keys that a table has on none of its levels; empty for any other finding.
  package var lackingKeys: [String] = []

  package init(
    _ code: String, _ message: String, at place: Place, severity: Severity = .error, help: String? = nil,
    fix: Fix? = nil
  ) {
    self.code = code
    self.severity = severity
    self.message = message
    self.place = place
    self.help = help
    self.fix = fix
  }

  /// New text for a stretch of the file in which the finding is.
  package struct Fix: Sendable, Hashable {
    /// Byte offsets.
    package let range: Range<Int>
    package let replacement: String

    package init(range: Range<Int>, replacement: String) {
      self.range = range
      self.replacement = replacement
    }
  }
}
