import Catalog
import JSON
import JSONPath
import Quotes

/// Reads values of the config straight from a node: for the rows of lookups and for success rules, which are read too
/// seldom to compile.
struct NodeReader {
  let row: JSONNode
  var key: String?

  func holds(_ condition: ConditionSpec) -> Bool {
    var book = PathBook()
    return ConditionPlan(condition, book: &book, lookups: []).holds(for: scalar(condition.value))
  }

  /// The text of a value; nil where it is missing.
  func text(_ spec: ValueSpec) -> String? {
    guard case .text(let text) = scalar(spec) else { return nil }
    return spec.modified(text)
  }

  private func scalar(_ spec: ValueSpec) -> Scalar {
    switch spec.origin {
    case .constant(let text): return .text(text)
    case .path(_, .key): return key.map { .text($0) } ?? .missing(.pathMiss)
    case .path(let path, _):
      let nodes = path?.query.nodes(in: row) ?? [row]
      guard nodes.count <= 1 else { return .missing(.pathMany) }
      return nodes.first?.scalar ?? .missing(.pathMiss)
    case .first(let values):
      for value in values {
        if let text = text(value) { return .text(text) }
      }
      return .missing(.pathMiss)
    case .join(let values, let separator):
      let texts = values.map { text($0) }
      return texts.contains(nil) ? .missing(.pathMiss) : .text(texts.compactMap(\.self).joined(separator: separator))
    case .sum, .product, .difference, .quotient, .fromOpen: return .missing(.notANumber)
    }
  }
}

extension ValueSpec {
  /// The text after `capture`, `strip` and `missing`; nil where one of them leaves nothing.
  func modified(_ text: String) -> String? {
    var text = text
    if let capture {
      guard let value = capture.captures(text)?["value"] else { return nil }
      text = value
    }
    if let strip {
      let dropped = Set(strip.unicodeScalars)
      text = String(String.UnicodeScalarView(text.unicodeScalars.filter { !dropped.contains($0) }))
    }
    return missing.contains(text) ? nil : text
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
