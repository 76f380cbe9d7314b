/// Something that a trial of a mapping found.
package struct TrialFinding: Sendable, Hashable {
  package enum Severity: String, Sendable {
    /// The mapping, or what it is tried on, is not right.
    case problem
    /// Worth knowing, and no failure.
    case note
  }

  package let severity: Severity
  /// One sentence, in lower case and without a full stop. It may hold text of an exchange: clean it before it is shown.
  package let text: String
  /// What would put it right, where that is known.
  package let help: String?
  /// What may be written in the place of lost paths, or was looked for in vain.
  package let replacements: [Replacement]

  package init(
    _ severity: Severity, _ text: String, help: String? = nil, replacements: [Replacement] = []
  ) {
    self.replacements = replacements
    self.severity = severity
    self.text = text
    self.help = help
  }
}
