package struct RequestSpec: Sendable {
  package var method = "GET"
  package var path: Template
  package var query: [(name: String, value: Template)] = []
  /// Compact JSON text, with templates inside.
  package var body: BodySpec?
  package var cost = 1
  package let node: ConfigNode
}
