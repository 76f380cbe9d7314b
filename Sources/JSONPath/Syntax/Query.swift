import JSON

/// A query: the node it starts at, and its segments (RFC 9535 §2.1).
struct Query: Hashable, Sendable {
  /// The node that a query starts at.
  enum Start: Sendable {
    /// The root of the document: `$`.
    case root
    /// The node that a filter is testing: `@`.
    case current
  }

  var start: Start
  var segments: [Segment]

  /// The steps of a singular query (RFC 9535 §2.3.5.1); nil for any other.
  var singularSteps: [SingularStep]? {
    var steps: [SingularStep] = []
    steps.reserveCapacity(segments.count)
    for segment in segments {
      guard let step = segment.singularStep else { return nil }
      steps.append(step)
    }
    return steps
  }
}

/// A segment of a query: selectors that apply to the children of a node or to all its descendants (RFC 9535 §2.5).
enum Segment: Hashable, Sendable {
  case child([Selector])
  case descendant([Selector])

  /// The step of a segment that selects at most one node: a child segment with a single name or index.
  var singularStep: SingularStep? {
    guard case .child(let selectors) = self, selectors.count == 1 else { return nil }
    switch selectors[0] {
    case .name(let name): return .member(name.string)
    case .index(let index): return .index(index)
    case .wildcard, .slice, .filter: return nil
    }
  }
}

/// A selector of children of a node (RFC 9535 §2.3).
enum Selector: Hashable, Sendable {
  case name(ScalarText)
  case wildcard
  /// A negative index counts from the end.
  case index(Int)
  case slice(Slice)
  case filter(LogicalExpression)
}

/// An array slice `start:end:step` (RFC 9535 §2.3.4). Its integers are within ±(2^53 - 1).
struct Slice: Hashable, Sendable {
  var start: Int?
  var end: Int?
  var step: Int?

  /// Returns the indexes that the slice selects in an array of `count` elements, in result order.
  ///
  /// `Slice(step: -2).indexes(count: 5)` is 4, 2, 0.
  func indexes(count: Int) -> StrideTo<Int> {
    let step = step ?? 1
    guard step != 0 else { return stride(from: 0, to: 0, by: 1) }

    func clamped(_ index: Int, to bounds: ClosedRange<Int>) -> Int {
      let fromStart = index >= 0 ? index : count + index
      return min(max(fromStart, bounds.lowerBound), bounds.upperBound)
    }

    if step > 0 {
      let bounds = 0...count
      return stride(
        from: start.map { clamped($0, to: bounds) } ?? 0, to: end.map { clamped($0, to: bounds) } ?? count, by: step)
    }
    let bounds = -1...(count - 1)
    return stride(
      from: start.map { clamped($0, to: bounds) } ?? (count - 1), to: end.map { clamped($0, to: bounds) } ?? -1,
      by: step)
  }
}

/// The condition of a filter selector (RFC 9535 §2.3.5).
///
/// The parser only accepts well-typed expressions, and these types cannot represent any others.
indirect enum LogicalExpression: Hashable, Sendable {
  /// True if one of the two or more operands is.
  case or([LogicalExpression])
  /// True if all of the two or more operands are.
  case and([LogicalExpression])
  case not(LogicalExpression)
  case comparison(Comparison)
  /// True if the query selects at least one node.
  case exists(Query)
  case function(LogicalFunction)
}

/// A comparison of two values (RFC 9535 §2.3.5.2.2).
struct Comparison: Hashable, Sendable {
  enum Operator: Sendable {
    case equal, notEqual, lessOrEqual, greaterOrEqual, less, greater
  }

  var left: ValueExpression
  var `operator`: Operator
  var right: ValueExpression
}

/// The functions whose result is true or false (RFC 9535 §2.4).
enum LogicalFunction: Hashable, Sendable {
  /// Whether the whole of a string matches an I-Regexp (§2.4.6).
  case match(ValueExpression, pattern: ValueExpression)
  /// Whether a string contains a match of an I-Regexp (§2.4.7).
  case search(ValueExpression, pattern: ValueExpression)
}

/// An expression with a value or Nothing: "comparable" in RFC 9535's grammar, "ValueType" as the argument of a function
/// (§2.4.1).
indirect enum ValueExpression: Hashable, Sendable {
  case literal(Literal)
  /// A singular query.
  case query(Query)
  case function(ValueFunction)
}

/// The functions whose result is a value or Nothing (RFC 9535 §2.4).
enum ValueFunction: Hashable, Sendable {
  /// The number of scalars in a string, elements in an array or members in an object; Nothing for other values
  /// (§2.4.4).
  case length(ValueExpression)
  /// The number of nodes that a query selects (§2.4.5).
  case count(Query)
  /// The value of the one node that a query selects; Nothing if there are none or several (§2.4.8).
  case value(Query)
}

/// A value written in a filter (RFC 9535 §2.3.5.1).
enum Literal: Hashable, Sendable {
  case null
  case boolean(Bool)
  /// The number as written.
  case number(String)
  case string(ScalarText)
}
