package import Quotes

/// A mapping suggested by a sample.
package struct ExchangeProposal: Sendable {
  /// The JSONPath of the rows.
  package var rows: String
  /// A description of the rows.
  package var shape: String
  /// The number of rows that the block reads, among those examined.
  package var rowCount: Int
  /// The number of rows in the answer, those of other markets included.
  package var totalRowCount: Int
  /// The maximum number of rows examined.
  package static let maximumExaminedRows = SampleRows.rowLimit
  /// The names of the members that lead to the rows; empty if there are none.
  package var keys: [String]
  /// Whether the response is about a single pair.
  package var isSingle: Bool
  /// The type of the rows, `object` or `array`, if siblings of another type must be skipped.
  package var rowKind: String?
  package var symbol: SymbolProposal?
  /// In the order of `Role.allCases`, without roles that have no candidate.
  package var roles: [RoleProposal]
  package var success: SuccessProposal
  /// Other places that look like rows, best first.
  package var otherRows: [String]
  /// The lists of which these rows are one, and how many rows the others have; nil if there are no others.
  package var unread: (rows: String, count: Int)?
  /// Contradictory numbers in the sample, which is therefore made up and proves nothing.
  package var contradictions: [String]

  /// The unused columns, each with its first meaningful value.
  package var unused: [(path: String, example: String)]
  /// The column with the change in money, and the evidence; nil if none is proved to be it.
  package var changeInMoney: (path: String, evidence: String)?
  /// An unused column that is a time by its name, in no form that is known, and the format that fits it or, if the moment
  /// is a number among other characters, its unit.
  package var unreadTime: (path: String, example: String, format: String?, unit: TimeUnit?)?
  /// Unused columns with the state of each pair, if it is not the same for all.
  package var states: [PairStates] = []

  /// The column that tells the rows from those of another market, which are left out.
  package var market: MarketColumn?
  /// A column that tells apart rows with the same pair, in words that say nothing.
  package var repeats: MarketColumn.Repeats?

  /// The evidence that the rows are futures: an ending of all symbols, or a member that only futures have.
  package var futuresSign: String?

  package subscript(_ role: Role) -> RoleProposal? { roles.first { $0.role == role } }

  /// Whether the sample comes from documentation, with the right names but fictitious numbers.
  package var looksInvented: Bool { !contradictions.isEmpty }
}

/// The words of a column that distinguishes traded pairs from others, most frequent first.
package struct PairStates: Sendable, Hashable {
  package let path: String
  package let words: [String]
  /// The number of rows with each of the words.
  package let counts: [Int]
  /// The word for pairs that are traded; nil if none of them is known, or several are. In some tables most pairs are not
  /// traded any more, so it need not be the most frequent one.
  package let traded: String?

  private static let names: Set<String> = [
    "state", "status", "active", "enabled", "enable", "tradable", "tradeable", "trading", "listed", "online",
  ]
  /// The names of columns that say the opposite.
  private static let namesOfStopped: Set<String> = ["frozen", "delisted", "halted", "suspended"]
  private static let wordsOfTraded: Set<String> = [
    "trading", "traded", "tradable", "tradeable", "open", "opened", "online", "active", "enabled", "enable", "live",
    "normal", "listed", "on", "ok", "up", "started", "true", "yes", "1",
  ]
  private static let denials: Set<String> = ["false", "no", "off", "none", "0"]

  /// Returns nil if the column is something else, or the same for all pairs.
  init?(_ column: SampleColumn) {
    let chunks = FieldName.chunks(of: column.title).map { $0.lowercased() }
    let isOfStopped = chunks.contains(where: Self.namesOfStopped.contains)
    guard isOfStopped || chunks.contains(where: Self.names.contains) else { return nil }
    var counts: [String: Int] = [:]
    for text in column.texts { if let text, !text.isEmpty { counts[text, default: 0] += 1 } }
    guard (2...6).contains(counts.count) else { return nil }
    let sorted = counts.byFrequency
    path = column.path.text
    words = sorted.map(\.key)
    self.counts = sorted.map(\.value)
    let found = words.filter { (isOfStopped ? Self.denials : Self.wordsOfTraded).contains($0.lowercased()) }
    traded = found.count == 1 ? found[0] : nil
  }
}

/// A field of the ticker block, and how certain it is.
package struct RoleProposal: Sendable {
  package struct RunnerUp: Hashable, Sendable {
    package let path: String
    package let confidence: Double
  }

  package let role: Role
  package var path: String
  /// Whether the value is read from the response instead of the row.
  package var isFromResponse = false
  /// The first meaningful value, as written by the exchange.
  package var example: String
  /// 0…1.
  package var confidence: Double
  package var runnerUp: RunnerUp?
  package var evidence: [String]
  /// What speaks against it, which is in the evidence too.
  package var doubts: [String] = []
  package var unitDoubt: UnitDoubt?
  /// Whether it is a change that is computed from the open at `path`.
  package var isFromOpen = false
  /// 100 for a change that is a ratio.
  package var scale: Decimal?
  /// For a change, high or low: only if the name reveals it.
  package var basis: ChangeBasis?
  /// For a price, only if it is not that of the last trade.
  package var priceBasis: PriceBasis?
  package var isTradeTime = false
  package var timeForm: TimeRole.Form?
  /// For a time without a zone, the offset of the clock that its numbers are of.
  package var zone: String?
  /// Characters to strip before parsing the number.
  package var strip = ""
  /// Texts that mean "no value", in addition to the built-in ones.
  package var missing: [String] = []

  /// The confidence from which a role is accepted without asking.
  package static let threshold = 0.75

  package var isSure: Bool { confidence >= Self.threshold }
}

extension RoleProposal {
  package init(role: Role, path: String) {
    self.init(role: role, path: path, example: "", confidence: 1, evidence: [])
  }
}
