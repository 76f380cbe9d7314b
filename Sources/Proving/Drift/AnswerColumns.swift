import Config
import JSON
import JSONPath
import Mapping
import Quotes

/// Answers of one table as columns: what stands at each place of the rows, and what stands around them.
struct AnswerColumns: Sendable {
  struct Column: Sendable {
    let steps: [SingularStep]
    /// Below a row; else around the rows of the first answer, as a column of one row.
    let isInRow: Bool
    /// By the number of the row; a row without the member, or with null, has none.
    fileprivate(set) var values: [Int: AnswerValue] = [:]
    /// The column before it in the first row that has it; nil for the first.
    let neighbour: [SingularStep]?

    /// As a config would write it: `$.lastPr`.
    var path: String { steps.pathText }

    /// The first value, cut where it is long. Text of an exchange.
    var example: String {
      let text = values.min { $0.key < $1.key }?.value.text ?? "null"
      return text.count > 24 ? text.prefix(23) + "…" : text
    }
  }

  /// The first JSON value of each answer.
  let roots: [JSONNode]
  let rows: [TreeRow]
  /// In the order of the answer, those of the rows first.
  let columns: [Column]
  /// Whether the answer itself is a row, so that nothing stands around it.
  private let isRow: Bool
  private let index: [Place: Int]

  private struct Place: Hashable {
    let steps: [SingularStep]
    let isInRow: Bool
  }

  private static let columnLimit = 300

  /// - Parameters:
  ///   - rows: where the rows are; a list that is not there is a table without rows.
  ///   - limit: rows beyond these say nothing new.
  /// - Returns: nil where no answer is JSON.
  init?(_ bodies: [[UInt8]], rows spec: RowsSpec, limit: Int = 5000) {
    self.init(roots: bodies.compactMap { try? JSONDocument(parsing: $0).root }, rows: spec, limit: limit)
  }

  init?(roots: [JSONNode], rows spec: RowsSpec, limit: Int = 5000) {
    guard let first = roots.first else { return nil }
    let found = roots.flatMap { (try? TreeRow.rows(of: spec, in: $0.document)) ?? [] }
    let rows = Array(found.prefix(limit))
    var table = Columns(limit: Self.columnLimit)
    for (index, row) in rows.enumerated() {
      if row.nodes.count == 1 {
        table.visit(row.nodes[0], [], row: index)
      } else {
        // Zipped of many arrays.
        for (column, node) in row.nodes.enumerated() { table.visit(node, [.index(column)], row: index) }
      }
      table.last = nil
    }
    let starts = Set(found.flatMap(\.nodes).map { $0.byteRange.lowerBound })
    isRow = starts.contains(first.byteRange.lowerBound)
    // An answer that is one row has nothing around it, and is the response all the same.
    var around = Columns(
      limit: Self.columnLimit, isInRow: false, passed: starts.subtracting([first.byteRange.lowerBound]))
    around.visit(first, [], row: 0)
    columns = table.columns + around.columns
    index = Dictionary(
      uniqueKeysWithValues: columns.enumerated().map { (Place(steps: $1.steps, isInRow: $1.isInRow), $0) })
    self.roots = roots
    self.rows = rows
  }

  func column(_ steps: [SingularStep], isInRow: Bool) -> Column? {
    index[Place(steps: steps, isInRow: isInRow)].map { columns[$0] }
  }

  // MARK: What the mapping reads

  /// What a path leads to, by row; around the rows that is one value.
  func nodes(at path: MappedPath, _ pair: Pair?) -> [Int: [JSONNode]] {
    var place = RowPlace(index: 0)
    place.asset = pair?.asset ?? ""
    place.payment = pair?.payment ?? ""
    guard path.isInRow else { return [0: (try? path.path.nodes(in: roots[0], place)) ?? []] }
    return Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($0, (try? $1.nodes(at: path.path, place)) ?? []) })
  }

  /// The text of a value of the mapping in each row.
  func texts(of value: ValueSpec) -> [String?] {
    let value = TreeValue(value)
    return rows.map { value.text(of: $0) }
  }

  /// How many rows pass a condition.
  func count(passing condition: ConditionSpec) -> Int {
    let condition = TreeCondition(condition)
    return rows.count { condition.holds(for: $0) }
  }

  // MARK: Members

  /// What a person would call the members of the answer.
  var members: [Column] { Array(columns.filter { $0.isInRow || !isRow }.prefix(200)) }

  /// Whether a path leads to something in some row, or in the answer around the rows; true of a path that selects more
  /// than one place.
  func holds(_ path: PathSpec, inRow: Bool) -> Bool {
    guard path.templates.isEmpty, let steps = path.query.singularSteps else { return true }
    return columns.contains { $0.isInRow == inRow && (inRow || !isRow) && $0.steps.starts(with: steps) }
  }

  /// The members that another answer does not have at the same place.
  func members(missingIn other: AnswerColumns) -> [Column] {
    members.filter { other.column($0.steps, isInRow: $0.isInRow) == nil }
  }
}

/// Gathers the scalars below nodes, as far down as a mapping reads.
private struct Columns {
  let limit: Int
  var isInRow = true
  /// Where the nodes begin that are not entered.
  var passed: Set<Int> = []
  /// The place before in the same row.
  var last: [SingularStep]?
  private(set) var columns: [AnswerColumns.Column] = []
  private var places: [[SingularStep]: Int] = [:]

  init(limit: Int, isInRow: Bool = true, passed: Set<Int> = []) {
    (self.limit, self.isInRow, self.passed) = (limit, isInRow, passed)
  }

  mutating func visit(_ node: JSONNode, _ steps: [SingularStep], row: Int) {
    node.visitScalars(isInRow: isInRow, passing: passed, steps) { node, steps in take(node, steps, row: row) }
  }

  private mutating func take(_ node: JSONNode, _ steps: [SingularStep], row: Int) {
    defer { last = steps }
    if places[steps] == nil {
      guard columns.count < limit else { return }
      places[steps] = columns.count
      columns.append(AnswerColumns.Column(steps: steps, isInRow: isInRow, neighbour: last))
    }
    if let place = places[steps], let value = AnswerValue(node) { columns[place].values[row] = value }
  }
}

extension JSONNode {
  /// Goes through the scalars below, as far down as a mapping reads.
  ///
  /// - Parameters:
  ///   - isInRow: below a row; else around the rows, where two elements of a list are enough.
  ///   - passed: where the nodes begin that are not entered.
  func visitScalars(
    isInRow: Bool = true, passing passed: Set<Int> = [], _ steps: [SingularStep] = [],
    _ take: (JSONNode, [SingularStep]) -> Void
  ) {
    guard !passed.contains(byteRange.lowerBound) else { return }
    switch kind {
    case .object where steps.count < 4:
      for member in members {
        member.value.visitScalars(isInRow: isInRow, passing: passed, steps + [.member(member.name)], take)
      }
    case .array where steps.count < 4:
      // A list of lists is an order book or a chart; of long lists the first elements stand for all.
      for (index, element) in elements.enumerated() where index < (isInRow ? 24 : 2) {
        if !steps.isEmpty, element.kind == .array { return }
        element.visitScalars(isInRow: isInRow, passing: passed, steps + [.index(index)], take)
      }
    case .object, .array: break
    default: take(self, steps)
    }
  }
}

/// A scalar of an answer.
struct AnswerValue: Hashable, Sendable {
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

  /// How a text with digits is written, such as `9999-99-99`; nil for a word.
  var shape: String? {
    guard kind == .text, text.utf8.count >= 6, text.contains(where: \.isNumber) else { return nil }
    return String(text.map { $0.isNumber ? "9" : $0.isLetter ? "a" : $0 })
  }

  /// Letters and digits alone: `BTC-USDT` and `btc_usdt` are one name.
  var folded: String { Spelling.folded(text) }
}

extension [SingularStep] {
  /// As a config would write it, in the short form where a name allows it: `$.data['24h']`.
  var pathText: String {
    reduce("$") { text, step in
      if case .member(let name) = step, name.isPlainName { "\(text).\(name)" } else { text + step.description }
    }
  }

  /// The names of the members on the way.
  var names: [String] { compactMap { if case .member(let name) = $0 { name } else { nil } } }
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
