import Config
import JSON
import JSONPath
import Mapping

/// Matches the rows of two answers that are of the same pair.
struct RowPairing {
  /// The row indexes in the recording and in the answer.
  private(set) var rows: [(recorded: Int, current: Int)] = []
  /// The names of recorded rows that the answer lacks; empty if most of its rows have no name.
  private(set) var gone: [String] = []
  /// The new place of the names in the answer; nil if they have not moved.
  private(set) var movedTo: [SingularStep]?

  /// Creates a pairing without matching rows.
  init() {}

  /// - Parameter names: Returns the mapping's names for the rows of an answer.
  init(_ recorded: AnswerColumns, _ current: AnswerColumns, names: (AnswerColumns) -> [String?]) {
    if recorded.rows.count == 1, current.rows.count == 1 {
      rows = [(0, 0)]
      return
    }
    let (written, others) = (names(recorded), Self.folded(names(current)))
    let own = Self.folded(written)
    let found = Self.match(own, others)
    if others.count(where: { $0 != nil }) * 2 >= others.count {
      let matched = Set(found.rows.map(\.recorded))
      gone = zip(own.indices, written).compactMap { matched.contains($0) ? nil : $1 }
    }
    if found.isEnough {
      rows = found.rows
      return
    }
    // The names have moved or are spelled differently: any names that both answers have will do. A few rows would prove
    // less than none.
    let candidates = Self.nameColumns(of: current)
    for (place, texts) in [(nil, own)] + Self.nameColumns(of: recorded) where texts.contains(where: { $0 != nil }) {
      let matches = candidates.map { (place: $0.0, found: Self.match(texts, $0.1)) }.filter(\.found.isEnough)
        .map { (place: $0.place, rows: $0.found.rows) }
      guard let best = matches.max(by: { $0.rows.count < $1.rows.count }) else { continue }
      rows = best.rows
      movedTo = place == nil ? best.place : nil
      return
    }
  }

  private static func folded(_ names: [String?]) -> [String?] { names.map { $0.map(Spelling.folded) } }

  /// Returns the rows with the same name, and whether they are a third of the names or more.
  private static func match(
    _ names: [String?], _ others: [String?]
  ) -> (rows: [(recorded: Int, current: Int)], isEnough: Bool) {
    var places: [String: Int] = [:]
    for (index, name) in others.enumerated() {
      if let name, places[name] == nil { places[name] = index }
    }
    var seen: Set<String> = []
    let found = names.enumerated().compactMap { index, name -> (recorded: Int, current: Int)? in
      guard let name, seen.insert(name).inserted else { return nil }
      return places[name].map { (index, $0) }
    }
    return (found, found.count * 3 >= seen.count && !found.isEmpty)
  }

  /// Returns columns of names that are unique to a row, and the keys of the rows.
  private static func nameColumns(of answer: AnswerColumns) -> [([SingularStep]?, [String?])] {
    let keys: [([SingularStep]?, [String?])] = [
      (nil, answer.rows.map { $0.key() }),
      // Of members of members, only both names together are unique.
      (nil, answer.rows.map { row in row.key(levelsUp: 1).flatMap { outer in row.key().map { "\(outer) \($0)" } } }),
    ]
    let columns = answer.columns.filter(\.isInRow).map { column in
      (column.steps as [SingularStep]?, answer.rows.indices.map { column.values[$0]?.text })
    }
    return (keys + columns).compactMap { place, texts in
      let names = texts.compactMap(\.self)
      let isName = names.count { $0.contains { $0.isLetter } } * 2 > names.count
      guard names.count * 2 >= answer.rows.count, isName, Set(names).count * 10 >= names.count * 9 else { return nil }
      return (place, folded(texts))
    }
  }
}
