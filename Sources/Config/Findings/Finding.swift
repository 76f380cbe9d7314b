/// A finding of `validate-config`, `test-exchange` or `doctor`: a fact, its subject and a remedy. Formatting is left to
/// the printer.
package struct Finding: Sendable, Hashable {
  package enum Severity: String, Sendable {
    /// Something does not work.
    case error
    /// It works, but may not do what was meant.
    case warning
    /// Worth knowing.
    case note
    /// Checked and correct.
    case ok
  }

  /// The subject of a finding.
  package enum Subject: Sendable, Hashable {
    /// A range of a config's text.
    case place(Place)
    /// An exchange or rate provider as a whole, by name.
    case exchange(String)
    /// A part of an exchange: its market, the part's name (both may be empty), and optionally one pair and one field.
    case table(exchange: String, market: String, part: String = "", pair: String? = nil, field: String? = nil)
    /// A topic that `doctor` checks.
    case topic(Topic)
  }

  package enum Topic: String, Sendable {
    case program, config, secrets, cache, budget, libcurl, clock, exchange, terminal
  }

  /// A replacement for a range of a config's text.
  package struct Edit: Sendable, Hashable {
    package let place: Place
    package let replacement: String

    package init(_ place: Place, _ replacement: String) { (self.place, self.replacement) = (place, replacement) }
  }

  package let code: FindingCode
  package let severity: Severity
  package var subject: Subject
  /// Lowercase, without a period, with the user's text in single quotes. Text from an exchange is sanitized when shown.
  package let message: String
  /// The remedy, if known.
  package var help: String?
  /// The edits that fix the problem when applied together; empty if unknown.
  package var fix: [Edit]
  /// Other exchanges affected because they inherit the text.
  package var inheritors: [String] = []
  /// The required keys that a table has on none of its levels; empty for any other finding.
  package var lackingKeys: [String] = []

  package init(
    _ code: FindingCode, _ severity: Severity, _ message: String, about subject: Subject, help: String? = nil,
    fix: [Edit] = []
  ) {
    self.code = code
    self.severity = severity
    self.subject = subject
    self.message = message
    self.help = help
    self.fix = fix
  }

  /// Creates a finding about a config.
  package init(
    _ code: FindingCode, _ severity: Severity, _ message: String, at place: Place, help: String? = nil, fix: [Edit] = []
  ) {
    self.init(code, severity, message, about: .place(place), help: help, fix: fix)
  }

  /// Creates an error about a config.
  package init(_ code: FindingCode, _ message: String, at place: Place, help: String? = nil, fix: [Edit] = []) {
    self.init(code, .error, message, about: .place(place), help: help, fix: fix)
  }

  /// The finding's place, if it is about a config.
  package var place: Place? { if case .place(let place) = subject { place } else { nil } }
}
