package import JSONPath

/// A JSONPath of the config, parsed.
package struct PathSpec: Sendable {
  package let query: JSONPathQuery
  /// Member names that hold a template (`$['vol_{asset|lower}']`), by the index of their step: filled when a row's pair
  /// is known. Only singular paths have them.
  package let templates: [Int: Template]
  package let node: ConfigNode

  package var text: String { query.text }

  package init(query: JSONPathQuery, templates: [Int: Template], node: ConfigNode) {
    self.query = query
    self.templates = templates
    self.node = node
  }
}
