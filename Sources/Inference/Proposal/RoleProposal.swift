package import Quotes

/// What a field of the ticker block would be, and how sure that is.
package struct RoleProposal: Sendable {
  package struct RunnerUp: Hashable, Sendable {
    package let path: String
    package let confidence: Double
  }

  package let role: Role
  package var path: String
  /// The value is read from the response, not from the row.
  package var isFromResponse = false
  /// The first value that says something, as the exchange writes it.
  package var example: String
  /// 0…1.
  package var confidence: Double
  package var runnerUp: RunnerUp?
  package var evidence: [String]
  /// 100 for a change that is a ratio.
  package var scale: Decimal?
  /// Of a change, a high or a low: only where the name says so.
  package var basis: ChangeBasis?
  package var isTradeTime = false
  package var timeForm: TimeRole.Form?
  /// Characters to take out before it is a number.
  package var strip = ""
  /// Texts that stand for "no value", beyond those the language knows.
  package var missing: [String] = []

  /// At and above this a role is taken without a question.
  package static let threshold = 0.75

  /// A place that somebody gives.
  package init(role: Role, path: String) {
    self.init(role: role, path: path, example: "", confidence: 1, runnerUp: nil, evidence: [])
  }

  init(
    role: Role, path: String, example: String, confidence: Double, runnerUp: RunnerUp? = nil, evidence: [String]
  ) {
    self.role = role
    self.path = path
    self.example = example
    self.confidence = confidence
    self.runnerUp = runnerUp
    self.evidence = evidence
  }

  package var isSure: Bool { confidence >= Self.threshold }
}
