import JSON

/// Applies queries to a document: segment after segment, each to all nodes that the one before has selected
/// (RFC 9535 §2.1.2).
struct QueryEvaluator {
  /// What `$` means, in filters too.
  let root: JSONNode
  let memory = EvaluationMemory()

  /// The nodelist of a query; `current` is what `@` means.
  func nodes<Trail: NodeTrail>(
    of query: Query, current: JSONNode, tracking: Trail.Type = NoTrail.self
  ) -> [Located<Trail>] {
    let start = query.start == .root ? root : current
    var nodes = [Located(node: start, trail: Trail())]
    for segment in query.segments {
      if nodes.isEmpty { break }
      nodes = apply(segment, to: nodes)
    }
    return nodes
  }

  /// The one node that a singular query leads to.
  func node(ofSingular query: Query, current: JSONNode) -> JSONNode? {
    var place = Located(node: query.start == .root ? root : current, trail: NoTrail())
    for segment in query.segments {
      let next: Located<NoTrail>? =
        switch segment.singularStep {
        case .member(let name): place.member(name)
        case .index(let index): place.element(at: index)
        case nil: nil
        }
      guard let next else { return nil }
      place = next
    }
    return place.node
  }

  private func apply<Trail>(_ segment: Segment, to nodes: [Located<Trail>]) -> [Located<Trail>] {
    var selected: [Located<Trail>] = []
    switch segment {
    case .child(let selectors):
      for node in nodes {
        for selector in selectors { select(selector, in: node, into: &selected) }
      }
    case .descendant(let selectors):
      for node in nodes {
        visitWithDescendants(node) { visited in
          for selector in selectors { select(selector, in: visited, into: &selected) }
        }
      }
    }
    return selected
  }

  /// Visits a node and all below it, each before its children and these in order (RFC 9535 §2.5.2.2).
  ///
  /// Without recursion, so that no depth of a document is too much.
  private func visitWithDescendants<Trail>(_ node: Located<Trail>, _ visit: (Located<Trail>) -> Void) {
    // Scalars have no children that a selector could select.
    var waiting = node.isContainer ? [node] : []
    while let next = waiting.popLast() {
      visit(next)
      for child in next.children.reversed() where child.isContainer { waiting.append(child) }
    }
  }

  /// Adds the children of a node that a selector selects (RFC 9535 §2.3).
  private func select<Trail>(
    _ selector: Selector, in parent: Located<Trail>, into selected: inout [Located<Trail>]
  ) {
    switch selector {
    case .name(let name):
      if let member = parent.member(name.string) { selected.append(member) }
    case .index(let index):
      if let element = parent.element(at: index) { selected.append(element) }
    case .wildcard:
      selected.append(contentsOf: parent.children)
    case .slice(let slice):
      guard parent.node.kind == .array else { return }
      let elements = parent.children
      for index in slice.indexes(count: elements.count) { selected.append(elements[index]) }
    case .filter(let condition):
      for child in parent.children where isTrue(condition, for: child.node) { selected.append(child) }
    }
  }
}
