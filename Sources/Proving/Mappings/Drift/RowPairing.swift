import Config
import JSONPath
import Mapping
import Quotes

/// Which rows of two answers are of the same pair.
struct RowPairing {
  /// The numbers of the rows: that of the recording, that of the answer.
  let rows: [(recorded: Int, current: Int)]
  /// How many rows of the recording were looked for.
  let recordedCount: Int
  /// Names of recorded rows that the answer does not have.
  let gone: [String]
  /// The place of the names in the answer; nil where they stand where they stood.
  let movedTo: [SingularStep]?

  /// No row of the one is a row of the other.
  static let none = RowPairing()

  private init() { (rows, recordedCount, gone, movedTo) = ([], 0, [], nil) }

  /// - Parameter names: how the mapping names the rows of an answer.
  init(_ recorded: AnswerColumns, _ current: AnswerColumns, names: (AnswerColumns) -> [String?]) {
    recordedCount = recorded.rows.count
    if recorded.rows.count == 1, current.rows.count == 1 {
      (rows, gone, movedTo) = ([(0, 0)], [], nil)
      return
    }
    let own = Self.folded(names(recorded))
    if let found = Self.match(own, Self.folded(names(current))) {
      let matched = Set(found.map(\.0))
      rows = found.map { (recorded: $0.0, current: $0.1) }
      gone = zip(own.indices, names(recorded)).compactMap { matched.contains($0) ? nil : $1 }
      movedTo = nil
      return
    }
    // The names have moved, or are written in another way: any names that both answers have will do.
    let candidates = Self.nameColumns(of: current)
    for (place, texts) in [(nil, own)] + Self.nameColumns(of: recorded) where texts.contains(where: { $0 != nil }) {
      let matches = candidates.compactMap { other in Self.match(texts, other.1).map { (other.0, $0) } }
      guard let best = matches.max(by: { $0.1.count < $1.1.count }) else { continue }
      rows = best.1.map { (recorded: $0.0, current: $0.1) }
      gone = []
      movedTo = place == nil ? best.0 : nil
      return
    }
    (rows, gone, movedTo) = ([], [], nil)
  }

  private static func folded(_ names: [String?]) -> [String?] { names.map { $0.map(Spelling.folded) } }

  /// The rows with the same name; nil where fewer than a third of those that are looked for are there.
  private static func match(_ names: [String?], _ others: [String?]) -> [(Int, Int)]? {
    var places: [String: Int] = [:]
    for (index, name) in others.enumerated() {
      if let name, places[name] == nil { places[name] = index }
    }
    var seen: Set<String> = []
    let found = names.enumerated().compactMap { index, name -> (Int, Int)? in
      guard let name, seen.insert(name).inserted else { return nil }
      return places[name].map { (index, $0) }
    }
    return found.count * 3 >= seen.count && !found.isEmpty ? found : nil
  }

  /// Columns of names that are each of one row, and the keys that led to the rows.
  private static func nameColumns(of answer: AnswerColumns) -> [([SingularStep]?, [String?])] {
    var result: [([SingularStep]?, [String?])] = []
    func add(_ place: [SingularStep]?, _ texts: [String?]) {
      let names = texts.compactMap(\.self)
      let isName = names.count { $0.contains { $0.isLetter } } * 2 > names.count
      guard names.count * 2 >= answer.rows.count, isName, Set(names).count * 10 >= names.count * 9 else { return }
      result.append((place, folded(texts)))
    }
    add(nil, answer.rows.map(\.key))
    for column in answer.columns { add(column.steps, answer.rows.indices.map { column.values[$0]?.text }) }
    return result
  }
}
