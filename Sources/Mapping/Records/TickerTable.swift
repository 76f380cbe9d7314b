package import Config
package import Quotes

/// The reason why a row was dropped deliberately.
package enum DropReason: String, Sendable, Hashable, Comparable, CustomStringConvertible {
  /// A condition of the config.
  case condition = "where"
  /// A rule of the symbol with `skip`.
  case symbolRule = "skip"
  /// The row is of another pair than the requested one.
  case otherPair = "other-pair"
  /// Its pair has occurred too often already.
  case duplicate

  package var description: String { rawValue }

  package static func < (left: DropReason, right: DropReason) -> Bool { left.rawValue < right.rawValue }
}

/// The content of one or more responses of a table.
package struct TickerTable: Sendable {
  /// A symbol that no rule could split.
  package struct Unsplit: Sendable, Hashable {
    package let product: String?
    package let symbol: String
    /// Why the row has no text for the rules to split, in which case `symbol` is where the row is; nil if it has one.
    let lack: Lack?
  }

  /// What a row has instead of a text.
  enum Lack: Sendable, Hashable {
    /// The path leads nowhere.
    case nothing
    /// The path leads to this, as a sentence names it: `null`, `an object`, `""`.
    case other(String)
    /// `capture` does not match this text, in quotes.
    case unmatched(String)

    /// Whether both are of one kind, whatever was found.
    func isLike(_ other: Lack) -> Bool {
      switch (self, other) {
      case (.nothing, .nothing), (.other, .other), (.unmatched, .unmatched): true
      case (.nothing, _), (.other, _), (.unmatched, _): false
      }
    }
  }

  /// A part of the table that yielded no rows.
  package struct PartFailure: Sendable {
    /// The part's `set`, as `type=USDT-FUTURES`; empty for a table with a single part.
    package let part: String
    package let failure: AnswerFailure

    package init(part: String, failure: AnswerFailure) {
      self.part = part
      self.failure = failure
    }
  }

  /// In response order.
  package var rows: [TickerRow] = []
  package var unsplit: [Unsplit] = []
  /// The number of rows dropped deliberately, by reason.
  package var dropped: [DropReason: Int] = [:]
  /// How many of the rows dropped by conditions are certainly of the requested pair.
  package var droppedOfPair = 0
  /// The pairs that were asked for by name in a table of all pairs, of which conditions have dropped a row.
  package var droppedPairs: Set<Pair> = []
  package var failures: [PartFailure] = []
  /// The number of parts that yielded rows.
  package var answered = 0

  package init() {}

  /// Creates the table of a part that yielded no rows.
  package init(failure: AnswerFailure, of part: TableSpec) {
    failures = [PartFailure(part: part.partName, failure: failure)]
  }

  /// Joins the parts of one table: their rows in config order, with flags on duplicates.
  ///
  /// - Parameter parts: the table of each part, in config order.
  package init(joining parts: [TickerTable]) {
    for (index, part) in parts.enumerated() {
      append(part)
      // The products of a part come after those of the parts before it.
      if index == 0 { continue }
      for row in rows.indices.suffix(part.rows.count) { rows[row].rank = rows[row].rank.inPart(index) }
    }
    flagDuplicates()
    flagScales()
  }

  /// Appends the table of another response to the same request.
  package mutating func append(_ other: TickerTable) {
    // Nearly every table comes from one response: its rows are shared, not copied.
    if rows.isEmpty { rows = other.rows } else { rows += other.rows }
    unsplit += other.unsplit
    dropped.merge(other.dropped) { $0 + $1 }
    droppedOfPair += other.droppedOfPair
    droppedPairs.formUnion(other.droppedPairs)
    failures += other.failures
    answered += other.answered
  }

  /// The number of rows kept per pair and product: more add nothing, and an exchange that repeats itself a hundred
  /// thousand times must not crowd out the others.
  private static let maximumDuplicates = 10

  /// Flags the rows of a table whose changes are of another scale than the mapping says.
  private mutating func flagScales() {
    var check = ChangeScaleCheck()
    for index in rows.indices { check.add(rows[index].ticker) }
    guard var flag = check.finding else { return }
    flag.isOfTable = true
    for index in rows.indices where check.concerns(rows[index].ticker) { rows[index].ticker.flags.append(flag) }
  }

  /// Flags rows whose pair and product occur more than once, since it is unclear which is meant. After the first ten,
  /// further ones are dropped and counted in `dropped` as `duplicate`.
  private mutating func flagDuplicates() {
    var places = RowIndex(capacity: rows.count)
    var repetitions: [Int: Int] = [:]
    var surplus: Set<Int> = []
    var flag = Flag(.duplicate, .repeatedPair)
    flag.isOfTable = true
    for index in rows.indices {
      let pair = rows[index].ticker.pair
      let hash = places.hash(pair.payment, after: places.hash(pair.asset))
      let first = places.place(hash) { place in
        rows[place].ticker.pair == pair && rows[place].ticker.product == rows[index].ticker.product
      }
      guard let first else {
        places.insert(index, hash)
        continue
      }
      if !rows[first].ticker.flags.contains(flag) { rows[first].ticker.flags.append(flag) }
      rows[index].ticker.flags.append(flag)
      repetitions[first, default: 1] += 1
      if repetitions[first, default: 1] > Self.maximumDuplicates { surplus.insert(index) }
    }
    if surplus.isEmpty { return }
    dropped[.duplicate, default: 0] += surplus.count
    rows = rows.indices.lazy.filter { !surplus.contains($0) }.map { rows[$0] }
  }
}

/// A row and what is known about its origin.
package struct TickerRow: Sendable {
  package var ticker: Ticker
  /// The order of its product in the config: of two rows with the same pair, the lower one appears in `dataFromAsset`.
  package internal(set) var rank: ProductRank
  /// How each cell was made; only if requested.
  package internal(set) var traces: [FieldTrace]
  /// The requested URL, without secrets; only if traces were requested.
  package var source: String?

  package init(ticker: Ticker, rank: ProductRank, traces: [FieldTrace]) {
    self.ticker = ticker
    self.rank = rank
    self.traces = traces
  }

  /// Returns the row with an updated ticker.
  package func renewed(_ ticker: Ticker) -> TickerRow { TickerRow(ticker: ticker, rank: rank, traces: []) }
}
