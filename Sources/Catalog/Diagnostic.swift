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

  /// Further venues that the finding is about, since they start from the text that has it.
  package internal(set) var heirs: [String] = []

  package init(
    _ code: String, _ message: String, at place: Place, severity: Severity = .error, help: String? = nil
  ) {
    self.code = code
    self.severity = severity
    self.message = message
    self.place = place
    self.help = help
  }
}
