import Config
import JSON
import JSONPath
import Mapping
import Quotes

/// The changes between a recorded answer and another one, as far as they affect a mapping.
struct Drift: Sendable {
  /// A path that had a value in the recording but has none now.
  struct Lost: Sendable {
    /// Its uses, in words: `price`, `symbol`.
    let uses: [String]
    let fields: [TickerField]
    let isInRow: Bool
    /// How many rows of the recording had it, out of how many.
    let recorded: (count: Int, of: Int)
    fileprivate(set) var replacement: Replacement
  }

  /// A path whose values have changed their meaning.
  struct Shift: Sendable, Hashable {
    /// Whether the mapping is wrong now; otherwise it is just informative.
    let isProblem: Bool
    let uses: [String]
    let fields: [TickerField]
    /// What was found, beginning with the path.
    let text: String
    let help: String?
  }

  /// Where the rows have moved; nil if they have not.
  private(set) var rows: Replacement?
  /// The paths that find nothing, in the order of the mapping.
  private(set) var lost: [Lost] = []
  private(set) var shifts: [Shift] = []
  /// The names of recorded rows that are gone, and how many rows were recorded.
  private(set) var goneRows: [String] = []
  private(set) var recordedRowCount = 0

  /// Finds the changes in the answers of a table.
  ///
  /// - Parameters:
  ///   - pair: The requested single pair; nil for a table of all pairs.
  ///   - isSamePair: Whether the recording is of the same pair.
  init(_ before: AnswerBodies, _ after: AnswerBodies, of spec: TableSpec, pair: Pair?, isSamePair: Bool = true) {
    let mapping = MappedAnswer(rows: spec.rows, paths: MappedPath.paths(of: spec), names: spec.symbol.names)
    self.init(before, after, mapping, pair: pair, comparesRows: isSamePair)
  }

  /// Finds the changes in the answers of a lookup.
  init(_ before: AnswerBodies, _ after: AnswerBodies, of lookup: LookupSpec, in spec: TableSpec) {
    let paths = MappedPath.paths(of: lookup, in: spec)
    self.init(before, after, MappedAnswer(rows: lookup.rows, paths: paths, names: { $0.texts(of: lookup.key) }))
  }

  /// Finds the changes in rows without names: trades and candles.
  ///
  /// - Parameter isSamePair: Whether the recording is of the same pair; if not, its amounts tell nothing about these.
  init(_ before: AnswerBodies, _ after: AnswerBodies, ofRowsOf table: TableSpec, isSamePair: Bool) {
    let mapping = MappedAnswer(rows: table.rows, paths: MappedPath.paths(of: table))
    self.init(before, after, mapping, comparesAmounts: isSamePair)
  }

  /// Returns the changes in messages of a channel, usually of one pair, and in the levels of their books.
  static func drifts(_ before: AnswerBodies, _ after: AnswerBodies, of spec: StreamSpec, isSamePair: Bool) -> [Drift] {
    let mapping = MappedAnswer(rows: spec.table.rows, paths: MappedPath.paths(of: spec))
    let messages = Drift(before, after, mapping, comparesAmounts: isSamePair)
    guard let book = spec.book else { return [messages] }
    // The paths of levels are relative to a message's row.
    let (old, new) = (before.rows(at: spec.table.rows), after.rows(at: spec.table.rows))
    return [messages]
      + [book.whole, book.changes].compactMap(\.self).flatMap {
        drifts(old, new, of: $0, isSamePair: isSamePair)
      }
  }

  /// Returns the changes in the two sides of an order book.
  static func drifts(_ before: AnswerBodies, _ after: AnswerBodies, of book: BookSpec, isSamePair: Bool) -> [Drift] {
    func drift(_ side: BookSpec.Side, _ name: String, besides taken: [String?]) -> Drift {
      let mapping = MappedAnswer(
        rows: side.rows, paths: MappedPath.paths(of: side, name), taken: taken.compactMap(\.self))
      return Drift(before, after, mapping, comparesAmounts: isSamePair)
    }
    let bids = drift(book.bids, "bids", besides: [book.asks.rows.text])
    return [bids, drift(book.asks, "asks", besides: [book.bids.rows.text, bids.rows?.chosen?.path])]
  }

  /// - Parameters:
  ///   - comparesRows: Whether the two answers can have the same rows, unlike answers for different pairs.
  ///   - comparesAmounts: Whether prices and amounts of rows that are matched by position are of the same pair.
  private init(
    _ before: AnswerBodies, _ after: AnswerBodies, _ mapping: MappedAnswer, pair: Pair? = nil,
    comparesRows: Bool = true, comparesAmounts: Bool = true
  ) {
    guard let recorded = AnswerColumns(before.bodies, rows: mapping.rows),
      var current = AnswerColumns(after.bodies, rows: mapping.rows)
    else { return }
    rows = MovedRows(recorded: recorded, current: current, mapping: mapping).replacement
    if let path = rows?.candidates.first?.path, case .path(let old) = mapping.rows,
      let query = try? JSONPathQuery(path),
      let there = AnswerColumns(
        roots: current.roots, rows: .path(PathSpec(query: query, templates: [:], node: old.node)))
    {
      current = there
    }
    let pairing = comparesRows ? RowPairing(recorded, current, names: mapping.names) : RowPairing()
    let comparison = Comparison(
      recorded: recorded, current: current, pairing: pairing, paths: mapping.paths, pair: pair,
      comparesAmounts: comparesAmounts, arrivals: (before.arrival, after.arrival))

    // Without any rows all their paths find nothing, so only the rows are reported.
    let hasRows = !recorded.rows.isEmpty && !current.rows.isEmpty
    let gone = comparison.readings.filter { reading in
      !reading.old.isEmpty && reading.old.count * 2 >= (reading.isInRow ? recorded.rows.count : 1)
        && (hasRows || !reading.isInRow) && reading.new.isEmpty && !reading.hasNull
    }
    lost = zip(gone, ReplacementSearch(comparison).replacements(of: gone)).map { reading, replacement in
      Lost(
        uses: reading.uses, fields: reading.fields, isInRow: reading.isInRow,
        recorded: (reading.old.count, reading.isInRow ? recorded.rows.count : 1), replacement: replacement)
    }
    shifts = comparison.readings.filter { reading in !gone.contains { $0.path.isSame(as: reading.path) } }
      .compactMap { ShiftSearch(comparison, $0).shift }
    goneRows = pairing.gone
    recordedRowCount = hasRows && pairing.movedTo == nil ? recorded.rows.count : 0
  }

  /// Returns the drift with missing proposals taken from another answer.
  ///
  /// - Parameter has: Returns whether this answer contains the other one's proposal.
  func completed(by other: Drift, has: (Replacement.Candidate) -> Bool) -> Drift {
    var drift = self
    for (index, lost) in lost.enumerated() where lost.replacement.chosen == nil {
      let same = other.lost.first {
        $0.replacement.lost == lost.replacement.lost && $0.isInRow == lost.isInRow
      }
      if let chosen = same?.replacement.chosen, has(chosen) { drift.lost[index].replacement.candidates = [chosen] }
    }
    return drift
  }
}

/// The bodies of recordings, or of current answers.
struct AnswerBodies: Sendable {
  /// As JSON.
  let bodies: [[UInt8]]
  let arrival: Instant?

  /// Returns each row as a separate body.
  fileprivate func rows(at place: RowsSpec) -> AnswerBodies {
    let rows = bodies.flatMap { body -> [[UInt8]] in
      guard let document = try? JSONDocument(parsing: body) else { return [] }
      let found = (try? TreeRow.rows(of: place, in: document)) ?? []
      return found.flatMap(\.nodes).map { Array(body[$0.byteRange]) }
    }
    return AnswerBodies(bodies: rows, arrival: arrival)
  }
}

/// How a mapping reads answers: the location of the rows, the relevant paths, and how rows are identified.
struct MappedAnswer {
  let rows: RowsSpec
  let paths: [MappedPath]
  /// Rows without names, such as trades and levels, are matched by position.
  var names: (AnswerColumns) -> [String?] = \.rowNumbers
  /// Places that are read for other purposes.
  var taken: [String] = []
}

extension RowsSpec {
  /// The path as written; nil for zipped ones.
  fileprivate var text: String? { if case .path(let path) = self { path.text } else { nil } }
}

extension SymbolSpec {
  /// Returns the names of an answer's rows, as far as they can be determined without the rules.
  fileprivate func names(in answer: AnswerColumns) -> [String?] {
    guard case .rules(let text, let rules) = self else { return answer.rowNumbers }
    var values: [ValueSpec] = [text].compactMap(\.self)
    if values.isEmpty, let rule = rules.first(where: { $0.asset != nil || $0.payment != nil }) {
      values = [rule.asset, rule.payment].compactMap(\.self)
    }
    let columns = values.map { answer.texts(of: $0) }
    return answer.rows.indices.map { row in
      let parts = columns.map { $0[row] }
      return parts.isEmpty || parts.contains(nil) ? nil : parts.compactMap(\.self).joined(separator: "/")
    }
  }
}
