package import Config
import JSON
import JSONPath
import Mapping
package import Quotes

extension AnswerShape {
  /// Whether a path leads to something in some row, or in the answer around the rows; true of a path of which that cannot
  /// be told beforehand.
  package func holds(_ path: PathSpec, inRow: Bool) -> Bool {
    guard path.templates.isEmpty, let steps = path.query.singularSteps else { return true }
    return members.contains { $0.isInRow == inRow && $0.steps.starts(with: steps) }
  }

  /// The members that another answer does not have at the same place.
  package func members(missingIn other: AnswerShape) -> [Member] {
    let places = Set(other.members.map(\.place))
    return members.filter { !places.contains($0.place) }
  }
}

extension AnswerShape.Member {
  fileprivate struct Place: Hashable {
    let isInRow: Bool
    let steps: [SingularStep]
  }

  fileprivate var place: Place { Place(isInRow: isInRow, steps: steps) }
}

extension TableSpec {
  /// The fields that read a member of the row.
  package func fields(reading member: AnswerShape.Member) -> [TickerField] {
    TickerField.allCases.filter { field in
      (fields[field.rawValue]?.paths(from: .row) ?? []).compactMap { ReadPath($0) }.contains { $0.covers(member.steps) }
    }
  }
}

extension SuccessSpec {
  /// The exchange's code and words in an answer that is an error; nil where the body is no JSON object.
  package func words(in body: [UInt8]) -> (code: String?, message: String?)? {
    guard let document = try? JSONDocument(parsing: body), document.root.kind == .object else { return nil }
    let texts = messages.lazy.compactMap { $0.query.nodes(in: document.root).first?.scalarText }
    return (code.flatMap { TreeValue($0).text(of: TreeRow(document.root)) }, texts.first { !$0.isEmpty })
  }
}
