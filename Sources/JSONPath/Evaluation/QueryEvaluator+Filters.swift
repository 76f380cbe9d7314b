import JSON

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
    let left = value(of: comparison.left, for: current)
    let right = value(of: comparison.right, for: current)
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
    case .query(let query): FilterValue(node(ofSingular: query, current: current))
    case .function(let function): value(of: function, for: current)
    }
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
