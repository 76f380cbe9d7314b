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
  /// Without a symbol, an unused column that is one by its name, and its first text.
  package var unreadSymbol: (path: String, example: String)?
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

  /// What speaks for futures, an ending of all symbols or a member that futures have, and whether it proves them.
  package var futuresSign: (text: String, isProof: Bool)?
  /// Whether the only row may be a candle as well: nothing says of what span its range and amounts are.
  package var mayBeOneCandle = false

  package subscript(_ role: Role) -> RoleProposal? { roles.first { $0.role == role } }

  /// Whether the sample comes from documentation, with the right names but fictitious numbers.
  package var looksInvented: Bool { !contradictions.isEmpty }
}
