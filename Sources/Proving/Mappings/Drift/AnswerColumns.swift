import Config
import JSON
import JSONPath
import Mapping
import Quotes

/// The answers of one table as columns: what stands at each place of the rows, and what stands around them.
struct AnswerColumns {
  struct Column {
    let steps: [SingularStep]
    /// By the number of the row; a row without the member, or with null, has none.
    var values: [Int: AnswerValue] = [:]
    /// The column before it in the first row that has it; nil for the first.
    let neighbour: [SingularStep]?
  }

  let roots: [JSONNode]
  let rows: [TreeRow]
  /// In the order of the answer.
  private(set) var columns: [Column] = []
  /// What stands around the rows of the first answer, as columns of one row.
  private(set) var around: [Column] = []

  private static let rowLimit = 5000
  private static let columnLimit = 300

  /// - Parameter rows: where the rows are; a list that is not there is a table without rows.
  /// - Returns: nil where no answer is JSON.
  init?(_ bodies: [[UInt8]], rows spec: RowsSpec) {
    roots = bodies.compactMap { try? JSONDocument(parsing: $0).root }
    guard let first = roots.first else { return nil }
    let rows = roots.flatMap { (try? TreeRow.rows(of: spec, in: $0.document)) ?? [] }
    self.rows = Array(rows.prefix(Self.rowLimit))
    columns = Self.columns(self.rows.count) { index, take in MemberWalk(isInRow: true).visit(row: rows[index], take) }
    // An answer that is one row has nothing around it, and is the response all the same.
    let nodes = rows.flatMap(\.nodes).map { $0.byteRange.lowerBound }
    let walk = MemberWalk(isInRow: false, passed: Set(nodes).subtracting([first.byteRange.lowerBound]))
    around = Self.columns(1) { _, take in walk.visit(first, [], take) }
  }

  private static func columns(
    _ count: Int, _ visit: (Int, (JSONNode, [SingularStep]) -> Void) -> Void
  ) -> [Column] {
    var columns: [Column] = []
    var places: [[SingularStep]: Int] = [:]
    for index in 0..<count {
      var last: [SingularStep]?
      visit(index) { node, steps in
        defer { last = steps }
        if places[steps] == nil {
          guard columns.count < columnLimit else { return }
          places[steps] = columns.count
          columns.append(Column(steps: steps, neighbour: last))
        }
        if let place = places[steps], let value = AnswerValue(node) { columns[place].values[index] = value }
      }
    }
    return columns
  }

  func column(_ steps: [SingularStep], isInRow: Bool) -> Column? {
    (isInRow ? columns : around).first { $0.steps == steps }
  }

  /// What a path of the mapping leads to, by row; around the rows that is one value.
  func values(at path: PathSpec, isInRow: Bool, _ pair: Pair?) -> [Int: AnswerValue] {
    var place = RowPlace(index: 0)
    place.asset = pair?.asset ?? ""
    place.payment = pair?.payment ?? ""
    var values: [Int: AnswerValue] = [:]
    if isInRow {
      for (index, row) in rows.enumerated() {
        values[index] = row.nodes(at: path, place).lazy.compactMap { AnswerValue($0) }.first
      }
    } else {
      values[0] = roots.first.flatMap { path.nodes(in: $0, place).lazy.compactMap { AnswerValue($0) }.first }
    }
    return values
  }

  /// The text of a value of the mapping in each row.
  func texts(of value: ValueSpec) -> [String?] {
    let value = TreeValue(value)
    return rows.map { value.text(of: $0) }
  }
}

/// A scalar of an answer.
struct AnswerValue: Hashable {
  enum Kind { case text, number, boolean }

  let kind: Kind
  let text: String
  /// For comparisons only: votes over rows need no exact digits.
  let number: Double?

  /// nil for null, an empty text, and containers.
  init?(_ node: JSONNode) {
    guard let text = node.scalarText, !text.isEmpty else { return nil }
    self.text = text
    switch node.kind {
    case .number: kind = .number
    case .string: kind = .text
    default: kind = .boolean
    }
    let digits = kind == .boolean ? nil : Self.digits(of: text)
    number = digits.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
  }

  /// `1,234.5` and `0.31%` are numbers that need a `strip`.
  private static func digits(of text: String) -> String? {
    guard let first = text.utf8.first, text.utf8.count <= 64, first < 0x3A, first >= 0x2B else { return nil }
    return text.contains { $0 == "," || $0 == "%" } ? text.filter { $0 != "," && $0 != "%" } : text
  }

  /// The digits behind the point.
  var places: Int {
    guard number != nil, let point = text.firstIndex(of: ".") else { return 0 }
    return text[text.index(after: point)...].prefix { $0.isNumber }.count
  }

  /// How a text with digits is written, such as `9999-99-99`; nil for a word.
  var shape: String? {
    guard kind == .text, text.utf8.count >= 6, text.contains(where: \.isNumber) else { return nil }
    return String(text.map { $0.isNumber ? "9" : $0.isLetter ? "a" : $0 })
  }

  /// Letters and digits alone: `BTC-USDT` and `btc_usdt` are one name.
  var folded: String { Spelling.folded(text) }
}
