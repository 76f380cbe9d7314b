import Config

/// The numbers by which the changes of a book follow each other.
struct SequenceNumbers {
  /// A column of the rows, or of their messages.
  private struct Number {
    let column: SampleColumn
    let isInRow: Bool

    var value: ConfigValue {
      let path = ConfigValue.text(column.path.text)
      return isInRow ? path : .object([("from", .text("response")), ("path", path)])
    }
  }

  private let columns: [Number]
  private let rows: [Int]
  private let isWhole: [Int: Bool]
  /// The rows with changes, each with the row before it.
  private let changes: [(before: Int, row: Int)]

  /// - Parameters:
  ///   - rows: those of one pair.
  ///   - isWhole: whether a row is a whole book.
  init(_ table: StreamInference.RowTable, rows: [Int], isWhole: [Int: Bool]) {
    columns =
      table.inner.map { Number(column: $0, isInRow: true) } + table.outer.map { Number(column: $0, isInRow: false) }
    (self.rows, self.isWhole) = (rows, isWhole)
    changes = zip(rows, rows.dropFirst()).filter { isWhole[$1] == false }.map { (before: $0, row: $1) }
  }

  /// The number that increases with each change, and the one that refers to the previous change.
  var fields: [BlockField] {
    for sequence in columns where isInteger(sequence.column) && rises(sequence.column) {
      let field = BlockField(
        "sequence", path: sequence.column.path.text, value: sequence.value, 0.9, ["it rises with each change"])
      let others = columns.filter { $0.column.path != sequence.column.path }
      if let link = others.first(where: { repeats(sequence.column, in: $0.column) }) {
        let evidence = "it is the previous number in \(changes.count) of \(changes.count) changes"
        return [
          field, BlockField("previous", path: link.column.path.text, value: link.value, 0.95, [evidence]),
        ]
      }
      let isCounted = follows(sequence.column, in: sequence.column)
      if !isCounted, let first = others.first(where: { follows(sequence.column, in: $0.column) }) {
        return [field, previous(first, "it follows the last number of the change before")]
      }
      // Whatever it is called, nothing else counts the changes of a pair one by one.
      if isCounted, changes.count >= 8 || Self.isNamed(sequence) {
        return [field, previous(sequence, "it rises by one")]
      }
      if Self.isNamed(sequence) { return [field] }
    }
    return []
  }

  private static func isNamed(_ number: Number) -> Bool {
    BookInference.sequenceNames.contains(number.column.plainName)
  }

  private func isInteger(_ column: SampleColumn) -> Bool {
    column.moments == nil && rows.allSatisfy { column.texts[$0].flatMap(Int.init) != nil }
  }

  /// Returns whether a number is larger in each change than in the row before.
  private func rises(_ column: SampleColumn) -> Bool {
    zip(rows, rows.dropFirst()).allSatisfy { row, next in
      isWhole[next] == true || (Int(column.texts[row] ?? "") ?? 0) < (Int(column.texts[next] ?? "") ?? 0)
    }
  }

  /// Returns whether each change has the sequence number of the row before it.
  private func repeats(_ sequence: SampleColumn, in column: SampleColumn) -> Bool {
    changes.count >= 2
      && changes.allSatisfy { column.texts[$0.row] != nil && column.texts[$0.row] == sequence.texts[$0.before] }
  }

  /// Returns whether each change has the number after that of the row before it.
  private func follows(_ sequence: SampleColumn, in column: SampleColumn) -> Bool {
    changes.count >= 3
      && changes.allSatisfy { change in
        let number = Int(sequence.texts[change.before] ?? "")
        return number.flatMap { $0 < .max ? "\($0 + 1)" : nil } == column.texts[change.row]
      }
  }

  private func previous(_ number: Number, _ evidence: String) -> BlockField {
    BlockField(
      "previous", path: "\(number.column.path.text) - 1",
      value: .object([("difference", .list([number.value, .number("1")]))]), 0.9,
      ["\(evidence) in \(changes.count) of \(changes.count) changes"])
  }
}
