import JSON

/// Applies queries to a document: segment after segment, each to all nodes that the one before has selected
/// (RFC 9535 §2.1.2).
struct QueryEvaluator {
  /// What `$` means, in filters too.
  let root: JSONNode
  let memory: EvaluationMemory

  init(root: JSONNode, keeping maximum: Int = .max) {
    self.root = root
    memory = EvaluationMemory(root, keeping: maximum)
  }

  /// The nodelist of a query; `current` is what `@` means.
  func nodes<Trail: NodeTrail>(
    of query: Query, current: JSONNode, tracking: Trail.Type = NoTrail.self
  ) -> [Located<Trail>] {
    let start = query.start == .root ? root : current
    var nodes = [Located(node: start, trail: Trail())]
    for segment in query.segments {
      if nodes.isEmpty || memory.excess != nil { break }
      nodes = apply(segment, to: nodes)
    }
    return memory.excess == nil ? nodes : []
  }

  /// The one node that a singular query leads to.
  func node(ofSingular query: Query, current: JSONNode) -> JSONNode? {
    var place = Located(node: query.start == .root ? root : current, trail: NoTrail())
    for segment in query.segments {
      guard memory.spend(1 + place.node.count) else { return nil }
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
      for node in nodes where memory.excess == nil {
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
    while let next = waiting.popLast(), memory.spend(1 + next.node.count) {
      visit(next)
      for child in next.children.reversed() where child.isContainer { waiting.append(child) }
    }
  }

  /// Adds the children of a node that a selector selects (RFC 9535 §2.3).
  private func select<Trail>(
    _ selector: Selector, in parent: Located<Trail>, into selected: inout [Located<Trail>]
  ) {
    // A name or an index is looked for from the first member on.
    guard memory.spend(1 + parent.node.count), memory.mayKeep(selected.count) else { return }
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
      for child in parent.children {
        guard memory.spend(1) else { return }
        if isTrue(condition, for: child.node) { selected.append(child) }
      }
    }
  }
}

extension QueryEvaluator {
  /// Whether a node satisfies the condition of a filter (RFC 9535 §2.3.5.2).
  func isTrue(_ condition: LogicalExpression, for current: JSONNode) -> Bool {
    switch condition {
    case .or(let operands): operands.contains { isTrue($0, for: current) }
    case .and(let operands): operands.allSatisfy { isTrue($0, for: current) }
    case .not(let operand): !isTrue(operand, for: current)
    case .comparison(let comparison): isTrue(comparison, for: current)
    case .exists(let query): exists(query, for: current)
    case .function(let function): isTrue(function, for: current)
    }
  }

  private func exists(_ query: Query, for current: JSONNode) -> Bool {
    if query.segments.allSatisfy({ $0.singularStep != nil }) {
      return node(ofSingular: query, current: current) != nil
    }
    return !nodes(ofInner: query, current: current).isEmpty
  }

  /// The nodes of a query in a filter. One that begins at the root selects the same for every node that the filter is
  /// asked of, so `$[?count($..*) > 3]` walks through the document once, not once for every element.
  private func nodes(ofInner query: Query, current: JSONNode) -> [JSONNode] {
    switch query.start {
    case .current: nodes(of: query, current: current).map(\.node)
    case .root: memory.nodes(ofAbsolute: query) { nodes(of: query, current: root).map(\.node) }
    }
  }

  private func isTrue(_ comparison: Comparison, for current: JSONNode) -> Bool {
    guard memory.excess == nil else { return false }
    let left = value(of: comparison.left, for: current)
    let right = value(of: comparison.right, for: current)
    if case .container(let left) = left, case .container(let right) = right {
      guard memory.spend(min(left.size, right.size)) else { return false }
    }
    return switch comparison.operator {
    case .equal: left == right
    case .notEqual: left != right
    case .less: left.isLess(than: right)
    case .greater: right.isLess(than: left)
    case .lessOrEqual: left.isLess(than: right) || left == right
    case .greaterOrEqual: right.isLess(than: left) || left == right
    }
  }

  private func value(of expression: ValueExpression, for current: JSONNode) -> FilterValue {
    switch expression {
    case .literal(let literal): FilterValue(literal)
    case .query(let query): value(of: node(ofSingular: query, current: current))
    case .function(let function): value(of: function, for: current)
    }
  }

  /// A text is decoded each time, however long it is.
  private func value(of node: JSONNode?) -> FilterValue {
    guard let node, memory.spend(node.kind == .string ? node.byteRange.count / 16 : 0) else { return .nothing }
    return FilterValue(node)
  }

  private func value(of function: ValueFunction, for current: JSONNode) -> FilterValue {
    switch function {
    case .length(let argument):
      value(of: argument, for: current).length.map { .number(ExactNumber($0)) } ?? .nothing
    case .count(let query):
      .number(ExactNumber(nodes(ofInner: query, current: current).count))
    case .value(let query):
      FilterValue(nodes(ofInner: query, current: current).onlyElement)
    }
  }

  /// False also where an argument is no string, or the pattern no I-Regexp (RFC 9535 §2.4.6).
  private func isTrue(_ function: LogicalFunction, for current: JSONNode) -> Bool {
    switch function {
    case .match(let text, let pattern):
      guard let (text, pattern) = strings(text, pattern, for: current) else { return false }
      return memory.pattern(pattern)?.matchesWhole(text.string) ?? false
    case .search(let text, let pattern):
      guard let (text, pattern) = strings(text, pattern, for: current) else { return false }
      return memory.pattern(pattern)?.matchesAnywhere(text.string) ?? false
    }
  }

  private func strings(
    _ first: ValueExpression, _ second: ValueExpression, for current: JSONNode
  ) -> (ScalarText, ScalarText)? {
    guard case .string(let first) = value(of: first, for: current),
      case .string(let second) = value(of: second, for: current)
    else { return nil }
    return (first, second)
  }
}

extension Array {
  /// The element of an array that has just one.
  fileprivate var onlyElement: Element? { count == 1 ? self[0] : nil }
}

/// What a filter would work out again at every node, although it is the same for all of them; and how much has been
/// looked at.
final class EvaluationMemory {
  /// Why the query is given up; nil while it is not.
  private(set) var excess: QueryTooCostly?
  private let maximumLooks: Int
  private let maximumNodes: Int
  private var looks = 0

  /// A query may look at every value below `root` some times, and at a few as often as it likes.
  init(_ root: JSONNode, keeping maximum: Int) {
    maximumLooks = 1_000_000 + 8 * root.size
    maximumNodes = min(maximum, 10_000 + root.size)
  }

  /// Counts values that are about to be looked at; false once they are too many.
  func spend(_ count: Int) -> Bool {
    looks += count
    if looks > maximumLooks, excess == nil { excess = .looks(maximumLooks) }
    return excess == nil
  }

  /// Whether a nodelist may grow beyond so many nodes.
  func mayKeep(_ count: Int) -> Bool {
    if count > maximumNodes, excess == nil { excess = .keeps(maximumNodes) }
    return excess == nil
  }

  private var patterns: [ScalarText: IRegexp?] = [:]
  private var absoluteNodes: [Query: [JSONNode]] = [:]

  /// The compiled pattern, nil where the text is no I-Regexp.
  func pattern(_ text: ScalarText) -> IRegexp? {
    if let known = patterns[text] { return known }
    let pattern = try? IRegexp(text.string)
    patterns[text] = .some(pattern)
    return pattern
  }

  /// The nodes of a query that begins at the root, found the first time that they are asked for.
  func nodes(ofAbsolute query: Query, find: () -> [JSONNode]) -> [JSONNode] {
    if let known = absoluteNodes[query] { return known }
    let nodes = find()
    absoluteNodes[query] = nodes
    return nodes
  }
}

/// What is kept of the way to a node: nothing, where only the nodes are asked for, or all of it.
protocol NodeTrail {
  /// The trail of the root.
  init()
  func entering(member name: String) -> Self
  func entering(element index: Int) -> Self
}

/// The trail of those who need none: it takes no room and no time.
struct NoTrail: NodeTrail {
  func entering(member name: String) -> NoTrail { self }
  func entering(element index: Int) -> NoTrail { self }
}

/// The whole way to a node. Ways share their beginnings, so a step more costs the same on every depth.
struct FullTrail: NodeTrail {
  private final class Link {
    let step: SingularStep
    let previous: Link?

    init(step: SingularStep, after previous: Link?) {
      self.step = step
      self.previous = previous
    }
  }

  private var last: Link?

  func entering(member name: String) -> FullTrail { adding(.member(name)) }

  func entering(element index: Int) -> FullTrail { adding(.index(index)) }

  private func adding(_ step: SingularStep) -> FullTrail {
    var longer = self
    longer.last = Link(step: step, after: last)
    return longer
  }

  var path: NormalizedPath {
    var steps: [SingularStep] = []
    var link = last
    while let present = link {
      steps.append(present.step)
      link = present.previous
    }
    return NormalizedPath(steps: steps.reversed())
  }
}
