package struct SuccessSpec: Sendable {
  package var conditions: [ConditionSpec] = []
  package var code: PathSpec?
  package var messages: [PathSpec] = []
  /// If one holds, the venue does not list the pair.
  package var unlisted: [ConditionSpec] = []
}
