/// How a good answer is told from a refusal.
package struct SuccessSpec: Sendable {
  /// What an answer for one pair shows when the exchange does not list it.
  package enum UnlistedSign: Sendable {
    case body(ConditionSpec)
    /// The HTTP status, whatever the body is.
    case status(Int)

    package var condition: ConditionSpec? { if case .body(let condition) = self { condition } else { nil } }
  }

  package var conditions: [ConditionSpec] = []
  /// The exchange's own code of a refusal.
  package var code: ValueSpec?
  package var messages: [PathSpec] = []
  /// If all signs of one list are there, the exchange does not list the pair.
  package var unlisted: [[UnlistedSign]] = []

  package init() {}
}
