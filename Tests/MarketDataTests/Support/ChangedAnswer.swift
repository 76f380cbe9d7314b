import JSON
import JSONPath
import TestSupport

/// Rewrites a response with some of it changed, like a later response after an API change.
struct ChangedAnswer {
  enum Change: Hashable {
    case none
    case renamed(String)
    /// Moved into its own object: `$.last` becomes `$.last.value`.
    case nested(String)
    /// Moved into an object beside the others: `$.last` becomes `$.prices.last`.
    case gathered(String)
    case removed
  }

  /// Where the rows begin.
  let rows: Set<Int>
  /// The path of the changed member, below a row.
  let target: [SingularStep]
  let change: Change
  /// Returns each row's later value of a number.
  let moved: (_ steps: [SingularStep], _ row: Int, _ text: String) -> String?

  func text(_ node: JSONNode) -> String { text(node, nil, 0) }

  private func text(_ node: JSONNode, _ steps: [SingularStep]?, _ row: Int) -> String {
    var steps = steps
    var row = row
    if rows.contains(node.byteRange.lowerBound) {
      steps = []
      row = node.byteRange.lowerBound
    }
    switch node.kind {
    case .object:
      var members: [String] = []
      var gathered: [String] = []
      for member in node.members {
        let below = steps.map { $0 + [.member(member.name)] }
        let value = text(member.value, below, row)
        guard below == target else {
          members.append("\(Self.quoted(member.name)):\(value)")
          continue
        }
        switch change {
        case .none: members.append("\(Self.quoted(member.name)):\(value)")
        case .renamed(let name): members.append("\(Self.quoted(name)):\(value)")
        case .nested(let name): members.append("\(Self.quoted(member.name)):{\(Self.quoted(name)):\(value)}")
        case .gathered(let name): gathered.append("\(Self.quoted(name)):{\(Self.quoted(member.name)):\(value)}")
        case .removed: break
        }
      }
      return "{\((members + gathered).joined(separator: ","))}"
    case .array:
      let elements = node.elements.enumerated().map { index, element in
        text(element, steps.map { $0 + [.index(index)] }, row)
      }
      return "[\(elements.joined(separator: ","))]"
    case .string, .number:
      guard let steps, let value = node.scalarText, let other = moved(steps, row, value) else { return node.text }
      return node.kind == .string ? Self.quoted(other) : other
    default: return node.text
    }
  }

  static func quoted(_ text: String) -> String {
    var writer = JSONWriter()
    writer.string(text)
    return String(decoding: writer.finished(), as: UTF8.self)
  }
}
