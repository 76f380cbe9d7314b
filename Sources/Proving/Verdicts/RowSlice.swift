import Config
import JSON
import JSONPath
import Mapping

/// A finding about rows whose path takes only a part of their list, although the rest are rows as well: `$.result[0]`,
/// `$.result[1:]`.
struct RowSlice {
  let text: String
  let help: String

  /// - Returns: nil if the path takes all elements, or if the others are something else, such as a header.
  init?(_ table: TestedTable) {
    guard table.isWhole, case .path(let path) = table.spec.rows, path.text.hasSuffix("]"),
      let bracket = path.text.lastIndex(of: "["), let body = table.body, let document = try? JSONDocument(parsing: body)
    else { return nil }
    let selector = path.text[path.text.index(after: bracket)...].dropLast()
    guard !selector.isEmpty, selector.allSatisfy({ $0.isNumber || ":- ".contains($0) }),
      let lists = try? JSONPathQuery(String(path.text[..<bracket])).nodes(in: document.root), lists.count == 1,
      lists[0].kind == .array
    else { return nil }
    let kept = path.query.nodes(in: document.root)
    let starts = Set(kept.map(\.byteRange.lowerBound))
    let others = lists[0].elements.filter { !starts.contains($0.byteRange.lowerBound) }
    guard let row = kept.first, !others.isEmpty, others.allSatisfy({ Self.areAlike($0, row) }) else { return nil }
    text = "rows: \(path.text) leaves out \(others.count) of \(lists[0].count) elements, which look like rows as well"
    help = "write \"\(path.text[..<bracket])[*]\""
  }

  /// Returns whether two elements have the same members, or as many elements of the same kinds: a header has no numbers.
  private static func areAlike(_ one: JSONNode, _ other: JSONNode) -> Bool {
    guard one.kind == other.kind, one.count == other.count, one.count > 1 else { return false }
    switch one.kind {
    case .object: return Set(one.members.map(\.name)) == Set(other.members.map(\.name))
    case .array:
      return zip(one.elements, other.elements).allSatisfy { one, other in
        guard one.kind == other.kind, let text = one.scalarText, let otherText = other.scalarText else { return false }
        return (Double(text) == nil) == (Double(otherText) == nil)
      }
    default: return false
    }
  }
}
