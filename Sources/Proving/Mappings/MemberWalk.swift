import JSON
import JSONPath
import Mapping

/// Goes through the scalars below a node, as far down as a mapping reads.
struct MemberWalk {
  /// Below a row; else around the rows.
  let isInRow: Bool
  /// Where the nodes begin that are not entered.
  var passed: Set<Int> = []

  func visit(_ node: JSONNode, _ steps: [SingularStep] = [], _ take: (JSONNode, [SingularStep]) -> Void) {
    guard !passed.contains(node.byteRange.lowerBound) else { return }
    switch node.kind {
    case .object where steps.count < 4:
      for member in node.members { visit(member.value, steps + [.member(member.name)], take) }
    case .array where steps.count < 4:
      // A list of lists is an order book or a chart; of long lists the first elements stand for all.
      for (index, element) in node.elements.enumerated() where index < (isInRow ? 24 : 2) {
        if !steps.isEmpty, element.kind == .array { return }
        visit(element, steps + [.index(index)], take)
      }
    case .object, .array: break
    default: take(node, steps)
    }
  }

  /// The same for a row, which may be zipped of many arrays.
  func visit(row: TreeRow, _ take: (JSONNode, [SingularStep]) -> Void) {
    if row.nodes.count == 1 {
      visit(row.nodes[0], [], take)
    } else {
      for (index, node) in row.nodes.enumerated() { visit(node, [.index(index)], take) }
    }
  }
}
