package import Config
package import Quotes

/// Why a row was left out on purpose.
package enum DropReason: String, Sendable, Hashable, Comparable, CustomStringConvertible {
  /// A condition of the config.
  case condition = "where"
  /// A rule of the symbol with `skip`.
  case symbolRule = "skip"
  /// It is of another pair than was asked for.
  case otherPair = "other-pair"
  /// Its pair has come too often already.
  case duplicate

  package var description: String { rawValue }

  package static func < (left: DropReason, right: DropReason) -> Bool { left.rawValue < right.rawValue }
}

/// What one or more answers of a table came to.
package struct TickerTable: Sendable {
  /// A symbol that no rule could take apart.
  package struct Unsplit: Sendable, Hashable {
    package let product: String?
    package let symbol: String
  }

  /// A part of the table that gave no rows.
  package struct PartFailure: Sendable {
    /// The part's `set`, as `type=USDT-FUTURES`; empty for a table of one part.
    package let part: String
    package let failure: TableFailure

    package init(part: String, failure: TableFailure) {
      self.part = part
      self.failure = failure
    }
  }

  /// In the order of the answers.
  package var rows: [TickerRow] = []
  package var unsplit: [Unsplit] = []
  /// How many rows were left out on purpose, by reason.
  package var dropped: [DropReason: Int] = [:]
  package var failures: [PartFailure] = []
  /// How many parts gave rows.
  package var answered = 0

  package init() {}

  /// The table of a part that gave no rows.
  package init(failure: TableFailure, of part: TableSpec) {
    failures = [PartFailure(part: part.partName, failure: failure)]
  }

  /// Puts the parts of one table together: their rows in the order of the config, with a flag on those that come twice.
  ///
  /// - Parameter parts: what each part came to, in the order of the config.
  package init(joining parts: [TickerTable]) {
    for (index, part) in parts.enumerated() {
      append(part)
      // The products of a part come behind those of the parts before it.
      if index > 0 { for row in rows.indices.suffix(part.rows.count) { rows[row].rank += index * 4096 } }
    }
    flagDuplicates()
    flagScales()
  }

  /// Adds what another answer to the same request came to.
  package mutating func append(_ other: TickerTable) {
    // Nearly every table is of one answer: its rows are shared, not copied.
    if rows.isEmpty { rows = other.rows } else { rows += other.rows }
    unsplit += other.unsplit
    dropped.merge(other.dropped) { $0 + $1 }
    failures += other.failures
    answered += other.answered
  }

  /// How many rows of one pair and product are kept: more say nothing more, and an exchange that repeats itself a hundred
  /// thousand times does not bury the others.
  private static let maximumDuplicates = 10

  /// Flags the rows of a table whose changes are fractions that the mapping reads as percentages.
  private mutating func flagScales() {
    guard let flag = ChangeScaleCheck.finding(rows.lazy.map(\.ticker)) else { return }
    for index in rows.indices where rows[index].ticker.changePricePercent24.value.map({ $0.signum != 0 }) ?? false {
      rows[index].ticker.flags.append(flag)
    }
  }

  /// Flags rows of one pair and product that come more than once: nobody can say which is meant. After the first ten,
  /// further ones are left out and counted in `dropped` as `duplicate`.
  private mutating func flagDuplicates() {
    var places = PlaceTable(capacity: rows.count)
    var repetitions: [Int: Int] = [:]
    var surplus: Set<Int> = []
    let flag = Flag(.duplicate, "the exchange sends this pair more than once")
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

/// A row with what is known of how it came to be.
package struct TickerRow: Sendable {
  package var ticker: Ticker
  /// The order of its product in the config: of two rows with one pair, the lower stands in `dataFromAsset`.
  package internal(set) var rank: Int
  /// How each cell came to be; only where it was asked for.
  package internal(set) var traces: [FieldTrace]
  /// The address that was asked, without secrets; only where traces were asked for.
  package var source: String?

  init(ticker: Ticker, rank: Int, traces: [FieldTrace]) {
    self.ticker = ticker
    self.rank = rank
    self.traces = traces
  }

  /// The same row as it has become since.
  package func renewed(_ ticker: Ticker) -> TickerRow { TickerRow(ticker: ticker, rank: rank, traces: []) }
}
