/// What `validate-config`, `test-exchange` and `doctor` find: a fact, what it is about, and what to do. How it is printed
/// is the printer's business.
package struct Finding: Sendable, Hashable {
  package enum Severity: String, Sendable {
    /// Something does not work.
    case error
    /// It works, and may not do what was meant.
    case warning
    /// Worth knowing.
    case note
    /// Looked at, and as it should be.
    case ok
  }

  /// What a finding is about.
  package enum Subject: Sendable, Hashable {
    /// A stretch of a config's text.
    case place(Place)
    /// An exchange or rate provider as a whole, by its name.
    case exchange(String)
    /// A part of an exchange: its market, the part's name (both may be empty), one pair where it is about one, and a field.
    case table(exchange: String, market: String, part: String = "", pair: String? = nil, field: String? = nil)
    /// Something that `doctor` looks at.
    case topic(Topic)
  }

  package enum Topic: String, Sendable {
    case program, config, secrets, cache, budget, libcurl, clock, exchange, terminal
  }

  /// New text for a stretch of a config.
  package struct Edit: Sendable, Hashable {
    package let place: Place
    package let replacement: String

    package init(_ place: Place, _ replacement: String) {
      self.place = place
      self.replacement = replacement
    }
  }

  package let code: FindingCode
  package let severity: Severity
  package var subject: Subject
  /// Lower case, without a full stop, the user's text in single quotes. Text of an exchange in it is cleaned when shown.
  package let message: String
  /// The remedy, where it is known.
  package var help: String?
  /// The edits that would put it right, to be made together; empty where none is known.
  package var fix: [Edit]
  /// Further exchanges that the finding is about, since they start from the text that has it.
  package var heirs: [String] = []
  /// The keys that a table has on none of its levels; empty for any other finding.
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

  /// A finding about a config.
  package init(
    _ code: FindingCode, _ severity: Severity, _ message: String, at place: Place, help: String? = nil, fix: [Edit] = []
  ) {
    self.init(code, severity, message, about: .place(place), help: help, fix: fix)
  }

  /// An error of a config.
  package init(_ code: FindingCode, _ message: String, at place: Place, help: String? = nil, fix: [Edit] = []) {
    self.init(code, .error, message, about: .place(place), help: help, fix: fix)
  }

  /// Where the finding is, if it is about a config.
  package var place: Place? {
    if case .place(let place) = subject { place } else { nil }
  }
}
