package import JSON
package import JSONPath

/// The scalars that stand at one place of many rows.
///
/// What an answer is to all that judges it by its names and numbers: to the inference, and to the comparison of two answers.
package struct ScalarColumn: Sendable {
  /// From the row.
  package let steps: [SingularStep]
  /// By row; nil where a row has nothing there.
  package private(set) var nodes: [JSONNode?]
  /// The place before it in the first row that has it; nil for the first.
  package let neighbour: [SingularStep]?

  /// The columns of rows, in the order in which their places come.
  ///
  /// - Parameters:
  ///   - rows: the nodes of each row; several where it is put together of the elements of many arrays.
  ///   - limit: places beyond these are left out.
  ///   - isInRow: false for what stands around rows.
  ///   - passed: where the nodes begin that are not entered.
  package static func columns(
    of rows: [[JSONNode]], limit: Int, isInRow: Bool = true, passing passed: Set<Int> = []
  ) -> [ScalarColumn] {
    var columns: [ScalarColumn] = []
    var places: [[SingularStep]: Int] = [:]
    for (row, nodes) in rows.enumerated() {
      var last: [SingularStep]?
      for (number, node) in nodes.enumerated() {
        node.visitScalars(isInRow: isInRow, passing: passed, nodes.count > 1 ? [.index(number)] : []) { node, steps in
          defer { last = steps }
          if places[steps] == nil, columns.count < limit {
            places[steps] = columns.count
            columns.append(
              ScalarColumn(steps: steps, nodes: Array(repeating: nil, count: rows.count), neighbour: last))
          }
          if let place = places[steps] { columns[place].nodes[row] = node }
        }
      }
    }
    return columns
  }
}

extension JSONNode {
  /// Goes through the scalars below, as far down as a mapping reads.
  ///
  /// - Parameters:
  ///   - isInRow: below a row; else around the rows, where two elements of a list are enough.
  ///   - passed: where the nodes begin that are not entered.
  package func visitScalars(
    isInRow: Bool = true, passing passed: Set<Int> = [], _ steps: [SingularStep] = [],
    _ take: (JSONNode, [SingularStep]) -> Void
  ) {
    guard !passed.contains(byteRange.lowerBound) else { return }
    switch kind {
    case .object where steps.count < 4:
      for member in members {
        member.value.visitScalars(isInRow: isInRow, passing: passed, steps + [.member(member.name)], take)
      }
    case .array where steps.count < 4 && (!isInRow || count <= 40):
      let most = !isInRow ? 2 : steps.isEmpty ? 40 : 8
      for (index, element) in elements.prefix(most).enumerated() {
        // A list of lists is an order book or a chart, and no field of a ticker.
        if !steps.isEmpty, element.kind == .array { return }
        element.visitScalars(isInRow: isInRow, passing: passed, steps + [.index(index)], take)
      }
    case .object, .array: break
    default: take(self, steps)
    }
  }
}

extension [SingularStep] {
  /// As a config would write it, in the short form where a name allows it: `$.data['24h']`.
  package var pathText: String {
    reduce("$") { text, step in
      if case .member(let name) = step, name.isPlainName { "\(text).\(name)" } else { text + step.description }
    }
  }

  /// The names of the members on the way.
  package var names: [String] { compactMap { if case .member(let name) = $0 { name } else { nil } } }
}

extension String {
  /// Whether a name can stand behind a point (RFC 9535 §2.5.1.1, the ASCII part of it).
  fileprivate var isPlainName: Bool {
    guard let first = utf8.first, !(0x30...0x39).contains(first) else { return false }
    return utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
    }
  }
}

/// Where a value or rows stand below the root or below a row.
struct SamplePath: Hashable, Sendable {
  var steps: [SingularStep] = []
  /// Whether every element or member of what stands there is meant.
  var isList = false
  /// A path that somebody wrote, where it is more than names and indexes.
  var written: String?

  init(_ steps: [SingularStep] = [], isList: Bool = false) { (self.steps, self.isList) = (steps, isList) }

  /// A path of the config language; nil where it is none.
  init?(_ text: String) {
    guard let query = try? JSONPathQuery(text) else { return nil }
    steps = query.singularSteps ?? []
    if query.singularSteps == nil || self.text != text { written = text }
  }

  func appending(_ step: SingularStep) -> SamplePath { SamplePath(steps + [step]) }
  /// The rows within.
  var list: SamplePath { SamplePath(steps, isList: true) }

  var names: [String] { steps.names }

  /// Whether this place lies in the container that another one's rows stand in, or is that place.
  func isBelow(_ rows: SamplePath) -> Bool { steps.starts(with: rows.steps) }

  /// As JSONPath.
  var text: String { written ?? steps.pathText + (isList ? "[*]" : "") }
}
