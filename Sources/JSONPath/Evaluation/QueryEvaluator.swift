import JSON

/// An evaluator of queries on a document, segment by segment, each for all nodes that the previous one selected (RFC
/// 9535 §2.1.2).
struct QueryEvaluator {
  /// The node that `$` refers to, in filters too.
  let root: JSONNode
  let memory: EvaluationMemory

  init(root: JSONNode, keeping maximum: Int = .max) {
    self.root = root
    memory = EvaluationMemory(root, keeping: maximum)
  }

  /// Returns the nodelist of a query; `current` is the node that `@` refers to.
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

  /// Returns the first value from which a query that starts at the root does not get on: see
  /// ``JSONPathQuery/deadEnd(in:keeping:)``.
  func deadEnd(of query: Query) -> JSONPathQuery.DeadEnd? {
    var nodes = [Located(node: root, trail: NoTrail())]
    for segment in query.segments {
      var selected: [Located<NoTrail>] = []
      for node in nodes {
        let own = apply(segment, to: [node])
        guard memory.excess == nil, memory.mayKeep(selected.count + own.count) else { return nil }
        if case .child = segment, segment.singularStep == nil {
          if !node.isContainer { return .value(node.node.kind) }
        } else if own.isEmpty {
          return .nothing
        }
        selected += own
      }
      nodes = selected
    }
    return nil
  }

  /// Returns the one node that a singular query selects.
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

  /// Visits a node and its descendants, parents before children and children in order (RFC 9535 §2.5.2.2).
  ///
  /// Not recursive, so that deeply nested documents are no problem.
  private func visitWithDescendants<Trail>(_ node: Located<Trail>, _ visit: (Located<Trail>) -> Void) {
    // Scalars have no children to select.
    var waiting = node.isContainer ? [node] : []
    while let next = waiting.popLast(), memory.spend(1 + next.node.count) {
      visit(next)
      for child in next.children.reversed() where child.isContainer { waiting.append(child) }
    }
  }

  /// Appends the children of a node that a selector selects (RFC 9535 §2.3).
  private func select<Trail>(_ selector: Selector, in parent: Located<Trail>, into selected: inout [Located<Trail>]) {
    // Names and indexes are searched from the first member on.
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

  /// Returns whether a node satisfies the condition of a filter (RFC 9535 §2.3.5.2).
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

  /// Returns the nodes of a query in a filter. A query that starts at the root selects the same nodes every time, so
  /// `$[?count($..*) > 3]` walks the document once instead of once for every element.
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

  /// Returns the value of a node. The text of a string or number is read each time, however long it is.
  private func value(of node: JSONNode?) -> FilterValue {
    guard let node else { return .nothing }
    let isText = node.kind == .string || node.kind == .number
    return memory.spend(isText ? node.byteRange.count / 16 : 0) ? FilterValue(node) : .nothing
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

  /// Returns the result of a function: false also if an argument is not a string, or the pattern not an I-Regexp (RFC
  /// 9535 §2.4.6).
  private func isTrue(_ function: LogicalFunction, for current: JSONNode) -> Bool {
    switch function {
    case .match(let text, let pattern):
      guard let (text, pattern) = strings(text, pattern, for: current) else { return false }
      return memory.mayMatch(text, pattern)?.matchesWhole(text.string) ?? false
    case .search(let text, let pattern):
      guard let (text, pattern) = strings(text, pattern, for: current) else { return false }
      return memory.mayMatch(text, pattern)?.matchesAnywhere(text.string) ?? false
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
  /// The element of an array with exactly one.
  fileprivate var onlyElement: Element? { count == 1 ? self[0] : nil }
}

/// A cache of what is the same at every node that a filter tests, and a count of the values visited.
final class EvaluationMemory {
  /// Why the evaluation was abandoned; nil if it was not.
  private(set) var excess: QueryTooCostly?
  private let maximumVisits: Int
  private let maximumNodes: Int
  private var visits = 0

  /// Allows a query to visit every value below `root` several times, and small documents as often as it likes.
  init(_ root: JSONNode, keeping maximum: Int) {
    maximumVisits = 1_000_000 + 8 * root.size
    maximumNodes = min(maximum, 10_000 + root.size)
  }

  /// Counts values about to be visited, and returns false once there are too many.
  func spend(_ count: Int) -> Bool {
    visits = visits.addingReportingOverflow(count).overflow ? .max : visits + count
    if visits > maximumVisits, excess == nil { excess = .tooManyVisits(maximumVisits) }
    return excess == nil
  }

  /// Returns whether a nodelist may hold this many nodes.
  func mayKeep(_ count: Int) -> Bool {
    if count > maximumNodes, excess == nil { excess = .tooManyNodes(maximumNodes) }
    return excess == nil
  }

  private var patterns: [ScalarText: IRegexp?] = [:]
  private var absoluteNodes: [Query: [JSONNode]] = [:]

  /// Returns the compiled pattern, or nil if the text is not an I-Regexp.
  func pattern(_ text: ScalarText) -> IRegexp? {
    if let known = patterns[text] { return known }
    let pattern = try? IRegexp(text.string)
    patterns[text] = .some(pattern)
    return pattern
  }

  /// Returns the compiled pattern to match a text with; nil also if that would take too long: at worst, each character
  /// is compared with each state.
  func mayMatch(_ text: ScalarText, _ pattern: ScalarText) -> IRegexp? {
    guard let compiled = self.pattern(pattern) else { return nil }
    let (cost, isEndless) = text.string.utf8.count.multipliedReportingOverflow(by: compiled.stateCount)
    return spend(isEndless ? .max : cost / 64) ? compiled : nil
  }

  /// Returns the nodes of a query that starts at the root, found on first use.
  func nodes(ofAbsolute query: Query, find: () -> [JSONNode]) -> [JSONNode] {
    if let known = absoluteNodes[query] { return known }
    let nodes = find()
    absoluteNodes[query] = nodes
    return nodes
  }
}
