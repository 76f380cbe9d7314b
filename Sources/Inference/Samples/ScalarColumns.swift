package import JSON
import JSONPath
import Quotes

/// The scalars at one place of many rows.
///
/// The common basis for judging an answer by its names and numbers: for inference, and for comparing two answers.
package struct ScalarColumn: Sendable {
  /// Relative to the row.
  package let steps: [SingularStep]
  /// By row; nil if a row has nothing there.
  package private(set) var nodes: [JSONNode?]
  /// The preceding place in the first row that has it; nil for the first.
  package let neighbor: [SingularStep]?

  /// Returns the columns of rows, in order of appearance.
  ///
  /// - Parameters:
  ///   - rows: the nodes of each row; several if it is assembled from the elements of many arrays.
  ///   - limit: the maximum number of places.
  ///   - isInRow: false for what is outside of rows.
  ///   - passed: the start offsets of nodes to skip.
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
              ScalarColumn(steps: steps, nodes: Array(repeating: nil, count: rows.count), neighbor: last))
          }
          if let place = places[steps] { columns[place].nodes[row] = node }
        }
      }
    }
    return columns
  }
}

extension JSONNode {
  /// Returns the text of the first scalar at a path; nil if there is none.
  func scalar(at path: String) -> String? { (try? JSONPathQuery(path))?.nodes(in: self).first?.scalarText }

  /// Whether it is a list of both values and what contains some.
  private var isOfParts: Bool { Set(elements.prefix(8).map { [.object, .array].contains($0.kind) }).count == 2 }

  /// Visits the scalars below, as deep as a mapping reads.
  ///
  /// - Parameters:
  ///   - isInRow: whether it is below a row; otherwise, two elements of a list are enough, unless it is a message as a list
  ///     of its parts: `[340, {…}, "ticker", "XBT/USD"]`.
  ///   - passed: the start offsets of nodes to skip.
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
      let most = isInRow ? (steps.isEmpty ? 40 : 8) : isOfParts ? 8 : 2
      for (index, element) in elements.prefix(most).enumerated() {
        // A list of lists is an order book or a chart, not a field of a ticker.
        if !steps.isEmpty, element.kind == .array { return }
        element.visitScalars(isInRow: isInRow, passing: passed, steps + [.index(index)], take)
      }
    case .object, .array: break
    default: take(self, steps)
    }
  }
}

extension [SingularStep] {
  /// The config form, abbreviated if names allow it: `$.data['24h']`.
  package var pathText: String {
    reduce("$") { text, step in
      if case .member(let name) = step, name.isPlainName { "\(text).\(name)" } else { text + step.description }
    }
  }

  package var names: [String] { compactMap { if case .member(let name) = $0 { name } else { nil } } }
}

extension String {
  /// Whether a name can follow a dot (RFC 9535 §2.5.1.1, its ASCII part).
  fileprivate var isPlainName: Bool {
    guard let first = utf8.first, !first.isDigit else { return false }
    return utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }
  }
}

/// The location of a value or rows below the root or a row.
struct SamplePath: Hashable, Sendable {
  var steps: [SingularStep] = []
  /// Whether it means every element or member at this place.
  var isList = false
  /// A given path, if it is more than names and indexes.
  var written: String?

  init(_ steps: [SingularStep] = [], isList: Bool = false) { (self.steps, self.isList) = (steps, isList) }

  /// Creates a path from its config form; nil if it is invalid.
  init?(_ text: String) {
    guard let query = try? JSONPathQuery(text) else { return nil }
    steps = query.singularSteps ?? []
    if query.singularSteps == nil || self.text != text { written = text }
  }

  func appending(_ step: SingularStep) -> SamplePath { SamplePath(steps + [step]) }
  /// The rows within.
  var list: SamplePath { SamplePath(steps, isList: true) }

  var names: [String] { steps.names }

  /// Whether it leads to or through an element of a list.
  var isInList: Bool { steps.contains { if case .index = $0 { true } else { false } } }

  /// Whether it leads through an element of a list of objects within the row: `$.trades[0].amount`.
  var isInInnerRow: Bool {
    zip(steps.dropFirst(), steps.dropFirst(2)).contains { step, next in
      if case (.index, .member) = (step, next) { true } else { false }
    }
  }

  /// Returns whether this place is within the container of another one's rows, or is that place.
  func isBelow(_ rows: SamplePath) -> Bool { steps.starts(with: rows.steps) }

  /// The JSONPath.
  var text: String { written ?? steps.pathText + (isList ? "[*]" : "") }
}
