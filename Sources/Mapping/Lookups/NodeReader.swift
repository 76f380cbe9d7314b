package import Config
package import JSON
import JSONPath
import Quotes

/// Reads values of the config straight from a tree: for the rows of lookups and for success rules, which are read too
/// seldom to compile.
package struct NodeReader {
  let row: TreeRow
  /// What `from: "response"` means.
  let response: JSONNode

  package init(row: TreeRow, response: JSONNode) {
    self.row = row
    self.response = response
  }

  package func holds(_ condition: ConditionSpec) -> Bool {
    condition.test.holds(for: modified(condition.value))
  }

  /// The text of a value; nil where it is missing.
  package func text(_ spec: ValueSpec) -> String? { modified(spec).comparedText }

  /// The number of a value; nil where it is missing or none.
  func number(_ spec: ValueSpec) -> Decimal? {
    switch modified(spec) {
    case .number(let number): number
    case let scalar: scalar.comparedText.flatMap { Decimal($0) }
    }
  }

  private func modified(_ spec: ValueSpec) -> Scalar {
    let scalar = scalar(spec)
    guard let text = scalar.comparedText else { return scalar }
    let kept = spec.modified(text)
    guard spec.scale != nil || !spec.decimals.isEmpty, let digits = kept.comparedText else { return kept }
    guard var number = Decimal(digits) else { return .missing(.notANumber) }
    for decimals in spec.decimals {
      guard let places = self.number(decimals).flatMap({ Int($0.shortest) }), (-100...100).contains(places) else {
        return .missing(.notANumber)
      }
      number = number.scaledByPowerOfTen(-places)
    }
    return .number(spec.scale.map { number.scaled(by: $0) } ?? number)
  }

  private func scalar(_ spec: ValueSpec) -> Scalar {
    switch spec.origin {
    case .constant(let text): return .text(text)
    case .path(_, .key): return row.key.map { .text($0) } ?? .missing(.pathMiss)
    case .path(let path, .response): return scalar(path.map { $0.query.nodes(in: response) } ?? [response])
    case .path(nil, _): return row.scalar
    case .path(let path?, _): return scalar(row.nodes(at: path))
    case .first(let values):
      for value in values {
        let scalar = modified(value)
        guard case .missing = scalar else { return scalar }
      }
      return .missing(.pathMiss)
    case .join(let values, let separator):
      let texts = values.map { text($0) }
      return texts.contains(nil) ? .missing(.pathMiss) : .text(texts.compactMap(\.self).joined(separator: separator))
    case .sum(let values): return fold(values) { $0 + $1 }
    case .product(let values): return fold(values) { $0 * $1 }
    case .difference(let values): return fold(values) { $0 - $1 }
    case .quotient(let values): return fold(values) { $0.divided(by: $1) }
    case .fromOpen: return .missing(.notANumber)
    }
  }

  private func scalar(_ nodes: [JSONNode]) -> Scalar {
    nodes.count > 1 ? .missing(.pathMany) : nodes.first?.scalar ?? .missing(.pathMiss)
  }

  private func fold(_ values: [ValueSpec], _ combine: (Decimal, Decimal) -> Decimal?) -> Scalar {
    var total: Decimal?
    for value in values {
      guard let number = number(value) else { return .missing(.notANumber) }
      total = total.map { combine($0, number) } ?? number
      if total == nil { return .missing(.zero) }
    }
    return total.map { .number($0) } ?? .missing(.pathMiss)
  }
}

extension ValueSpec {
  /// A text after `capture`, `strip` and `missing`, in this order.
  func modified(_ text: String) -> Scalar {
    var text = text
    if let capture {
      // What the expression does not fit is something else than was expected, not nothing.
      guard let value = capture.captures(text)?["value"] else { return .missing(.notANumber) }
      text = value
    }
    if let strip {
      let dropped = Set(strip.unicodeScalars)
      text = String(String.UnicodeScalarView(text.unicodeScalars.filter { !dropped.contains($0) }))
    }
    return missing.contains(text) ? .missing(.jsonNull) : .text(text)
  }
}

extension JSONNode {
  /// The node as a value of its own text.
  var scalar: Scalar {
    switch kind {
    case .null: .missing(.jsonNull)
    case .array: .container(isArray: true, isEmpty: count == 0)
    case .object: .container(isArray: false, isEmpty: count == 0)
    default: .text(scalarText ?? "")
    }
  }
}
