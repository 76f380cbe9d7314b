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
  /// Whether the request names the pair that it is for.
  package var asksForPair: Bool {
    ([path] + query.map(\.value)).contains { $0.plainNames.contains { $0.name == "asset" } }
      || body?.asksForPair == true
  }
}

extension BodySpec {
  fileprivate var asksForPair: Bool {
    switch self {
    case .text(let template): template.plainNames.contains { $0.name == "asset" }
    case .literal: false
    case .array(let elements): elements.contains(where: \.asksForPair)
    case .object(let members): members.contains { $0.value.asksForPair }
    }
  }
}

extension RequestSpec {
  /// Stands in for a request that could not be read.
  static func placeholder(at node: ConfigNode) -> RequestSpec { RequestSpec(path: Template(text: "/"), node: node) }
}
