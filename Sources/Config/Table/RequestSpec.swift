package struct RequestSpec: Sendable {
  package var method = "GET"
  package var path: Template
  package var query: [(name: String, value: Template)] = []
  /// Compact JSON text, with templates inside.
  package var body: BodySpec?
  package var cost = 1
  package let node: ConfigNode
}

extension RequestSpec {
  /// Every template that has to be filled before it can be sent: path, query, body.
  package var templates: [Template] { [path] + query.map(\.value) + (body?.templates ?? []) }

  /// Whether the request names the pair that it is for.
  package var asksForPair: Bool { templates.contains { $0.plainNames.contains { $0.name == "asset" } } }
}

extension RequestSpec {
  /// Stands in for a request that could not be read.
  static func placeholder(at node: ConfigNode) -> RequestSpec { RequestSpec(path: Template(text: "/"), node: node) }
}
