import Config
import Inference
import JSON
import JSONPath
import Mapping
import Quotes

/// The answers of a table as columns: the values at each place of the rows, and around them.
struct AnswerColumns: Sendable {
  struct Column: Sendable {
    let steps: [SingularStep]
    /// Relative to a row; otherwise around the rows of the first answer, as a column of one row.
    let isInRow: Bool
    /// By row index; rows without the member, or with null, have none.
    let values: [Int: AnswerValue]
    /// The preceding column in the first row that has it; nil for the first.
    let neighbor: [SingularStep]?

    fileprivate init(_ column: ScalarColumn, isInRow: Bool) {
      (steps, neighbor, self.isInRow) = (column.steps, column.neighbor, isInRow)
      let values = column.nodes.enumerated().compactMap { row, node in node.flatMap(AnswerValue.init).map { (row, $0) }
      }
      self.values = Dictionary(uniqueKeysWithValues: values)
    }

    /// In config form: `$.lastPr`.
    var path: String { steps.pathText }

    /// The first value, truncated if long. Text from an exchange.
    var example: String {
      (values.min { $0.key < $1.key }?.value.text ?? "null").shortened(to: 24)
    }
  }

  /// The first JSON value of each answer.
  let roots: [JSONNode]
  let rows: [TreeRow]
  /// In the order of the answer, with those of the rows first.
  let columns: [Column]
  /// Whether the answer itself is a row, so that there is nothing around it.
  private let isRow: Bool
  private let index: [Place: Int]

  private struct Place: Hashable {
    let steps: [SingularStep]
    let isInRow: Bool
  }

  private static let columnLimit = 300

  /// - Parameters:
  ///   - rows: The location of the rows; a missing list is a table without rows.
  ///   - limit: The number of rows beyond which more add nothing.
  /// - Returns: nil if no answer is JSON.
  init?(_ bodies: [[UInt8]], rows spec: RowsSpec, limit: Int = 5000) {
    self.init(roots: bodies.compactMap { try? JSONDocument(parsing: $0).root }, rows: spec, limit: limit)
  }

  init?(roots: [JSONNode], rows spec: RowsSpec, limit: Int = 5000) {
    guard let first = roots.first else { return nil }
    let found = roots.flatMap { (try? TreeRow.rows(of: spec, in: $0.document)) ?? [] }
    let rows = Array(found.prefix(limit))
    let starts = Set(found.flatMap(\.nodes).map { $0.byteRange.lowerBound })
    isRow = starts.contains(first.byteRange.lowerBound)
    // An answer that is a single row has nothing around it, but is also the response.
    let inner = ScalarColumn.columns(of: rows.map(\.nodes), limit: Self.columnLimit)
    let outer = ScalarColumn.columns(
      of: [[first]], limit: Self.columnLimit, isInRow: false, passing: starts.subtracting([first.byteRange.lowerBound]))
    columns = inner.map { Column($0, isInRow: true) } + outer.map { Column($0, isInRow: false) }
    index = Dictionary(
      uniqueKeysWithValues: columns.enumerated().map { (Place(steps: $1.steps, isInRow: $1.isInRow), $0) })
    self.roots = roots
    self.rows = rows
  }

  func column(_ steps: [SingularStep], isInRow: Bool) -> Column? {
    index[Place(steps: steps, isInRow: isInRow)].map { columns[$0] }
  }

  /// The positions of the rows, in place of names.
  var rowNumbers: [String?] { rows.indices.map { "\($0)" } }

  // MARK: Mapped values

  /// Returns the nodes at a path, by row; outside of rows there is just one.
  func nodes(at path: MappedPath, _ pair: Pair?) -> [Int: [JSONNode]] {
    var place = RowPlace(index: 0)
    place.asset = pair?.asset ?? ""
    place.payment = pair?.payment ?? ""
    guard path.isInRow else { return [0: (try? path.path.nodes(in: roots[0], place)) ?? []] }
    return Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($0, (try? $1.nodes(at: path.path, place)) ?? []) })
  }

  /// Returns the text of a mapped value in each row.
  func texts(of value: ValueSpec) -> [String?] {
    let value = TreeValue(value)
    return rows.map { value.text(of: $0) }
  }

  /// Returns the number of a mapped value in each row.
  func numbers(of value: ValueSpec) -> [Double?] { texts(of: value).map { $0.flatMap { Double($0) } } }

  /// Returns the number of a member in each row.
  func numbers(of column: Column) -> [Double?] { rows.indices.map { column.values[$0]?.number } }

  /// Returns how many rows pass a condition.
  func count(passing condition: ConditionSpec) -> Int {
    let condition = TreeCondition(condition)
    return rows.count { condition.holds(for: $0) }
  }

  // MARK: Members

  /// The answer's members as a user would see them.
  var members: [Column] { Array(columns.filter { $0.isInRow || !isRow }.prefix(200)) }

  /// Returns whether a path finds something in any row, or in the answer around the rows; true for a path that selects
  /// more than one place.
  func holds(_ path: PathSpec, inRow: Bool) -> Bool {
    guard path.templates.isEmpty, let steps = path.query.singularSteps else { return true }
    return columns.contains { $0.isInRow == inRow && (inRow || !isRow) && $0.steps.starts(with: steps) }
  }

  /// Returns the members that another answer does not have at the same place.
  func members(missingIn other: AnswerColumns) -> [Column] {
    members.filter { other.column($0.steps, isInRow: $0.isInRow) == nil }
  }
}

/// A scalar of an answer.
struct AnswerValue: Hashable, Sendable {
  enum Kind { case text, number, boolean }

  let kind: Kind
  let text: String
  /// For comparisons only: votes over rows need no exact digits.
  let number: Double?

  /// Returns nil for null, an empty text, and containers.
  init?(_ node: JSONNode) {
    guard let text = node.scalarText, !text.isEmpty else { return nil }
    self.text = text
    switch node.kind {
    case .number: kind = .number
    case .string: kind = .text
    default: kind = .boolean
    }
    number = kind == .boolean ? nil : SampleColumn.number(text)
  }

  /// The form of a text with digits, such as `9999-99-99`; nil for a word.
  var shape: String? {
    guard kind == .text, text.utf8.count >= 6, text.contains(where: \.isNumber) else { return nil }
    return String(text.map { $0.isNumber ? "9" : $0.isLetter ? "a" : $0 })
  }

  /// Only letters and digits: `BTC-USDT` and `btc_usdt` are the same name.
  var folded: String { Spelling.folded(text) }
}
