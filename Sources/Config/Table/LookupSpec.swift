package struct LookupSpec: Sendable {
  package let name: String
  /// nil: over the row's own response.
  package let request: RequestSpec?
  package let baseURLs: [String]
  package let headers: [(name: String, value: Template)]
  package let success: SuccessSpec
  package let rows: RowsSpec
  package let conditions: [ConditionSpec]
  package let key: ValueSpec
  /// The row's value to look for.
  package let match: ValueSpec
  package let timeToLiveSeconds: Int
  package let hook: String?
  package let node: ConfigNode
}
