import Config
import JSONPath
import Mapping

/// Which rows of two answers are of the same pair.
struct RowPairing {
  /// The numbers of the rows: that of the recording, that of the answer.
  private(set) var rows: [(recorded: Int, current: Int)] = []
  /// Names of recorded rows that the answer does not have.
  private(set) var gone: [String] = []
  /// The place of the names in the answer; nil where they stand where they stood.
  private(set) var movedTo: [SingularStep]?

  /// No row of the one is a row of the other.
  init() {}

  /// - Parameter names: how the mapping names the rows of an answer.
  init(_ recorded: AnswerColumns, _ current: AnswerColumns, names: (AnswerColumns) -> [String?]) {
    if recorded.rows.count == 1, current.rows.count == 1 {
      rows = [(0, 0)]
      return
    }
    let written = names(recorded)
    let own = Self.folded(written)
    if let found = Self.match(own, Self.folded(names(current))) {
      let matched = Set(found.map(\.recorded))
      rows = found
      gone = zip(own.indices, written).compactMap { matched.contains($0) ? nil : $1 }
      return
    }
    // The names have moved, or are written in another way: any names that both answers have will do.
    let candidates = Self.nameColumns(of: current)
    for (place, texts) in [(nil, own)] + Self.nameColumns(of: recorded) where texts.contains(where: { $0 != nil }) {
      let matches = candidates.compactMap { other in Self.match(texts, other.1).map { (place: other.0, rows: $0) } }
      guard let best = matches.max(by: { $0.rows.count < $1.rows.count }) else { continue }
      rows = best.rows
      movedTo = place == nil ? best.place : nil
      return
    }
  }

  private static func folded(_ names: [String?]) -> [String?] { names.map { $0.map(Spelling.folded) } }

  /// The rows with the same name; nil where fewer than a third of those that are looked for are there.
  private static func match(_ names: [String?], _ others: [String?]) -> [(recorded: Int, current: Int)]? {
    var places: [String: Int] = [:]
    for (index, name) in others.enumerated() {
      if let name, places[name] == nil { places[name] = index }
    }
    var seen: Set<String> = []
    let found = names.enumerated().compactMap { index, name -> (recorded: Int, current: Int)? in
      guard let name, seen.insert(name).inserted else { return nil }
      return places[name].map { (index, $0) }
    }
    return found.count * 3 >= seen.count && !found.isEmpty ? found : nil
  }

  /// Columns of names that are each of one row, and the keys that led to the rows.
  private static func nameColumns(of answer: AnswerColumns) -> [([SingularStep]?, [String?])] {
    let keys: [([SingularStep]?, [String?])] = [(nil, answer.rows.map(\.key))]
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
