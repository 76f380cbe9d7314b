package import Mapping
package import Quotes

/// What asking one market of one exchange came to.
package struct ExchangeReport: Sendable {
  package enum Status: String, Sendable, Hashable {
    case ok
    /// Some parts gave rows, others failed.
    case partial
    case failed
    /// The exchange answers and does not have the pair: no failure.
    case notListed = "not-listed"
  }

  package let exchange: String
  package let market: Market
  /// The pair that was asked for; nil for a table of all pairs.
  package let pair: Pair?
  package let status: Status
  package let table: TickerTable
  package let requests: [RequestReport]

  /// Whether the answer is about that pair alone.
  package let isOfPairAlone: Bool

  package init(
    exchange: String, market: Market, _ gathered: GatheredTable, isOfPairAlone: Bool = false
  ) {
    self.exchange = exchange
    self.market = market
    pair = gathered.pair
    self.isOfPairAlone = isOfPairAlone
    table = gathered.table
    requests = gathered.requests
    status = Self.status(of: gathered.table, wanted: gathered.pair)
  }

  private static func status(of table: TickerTable, wanted: Pair?) -> Status {
    let failures = table.failures.filter { $0.failure.reason != .notListed }
    if !table.rows.isEmpty { return failures.isEmpty ? .ok : .partial }
    if !failures.isEmpty { return .failed }
    return wanted == nil && table.answered > 0 ? .ok : .notListed
  }

  /// True where the exchange answers with the pair and the config's conditions leave it out: it is halted, closed or not open
  /// yet. Only an answer about that pair alone can tell: in a table of all pairs nobody knows whose rows were left out.
  package var isHeldBack: Bool {
    isOfPairAlone && status == .notListed && table.dropped[.condition] != nil
  }

  /// The parts that failed; a pair that is not listed is no failure.
  package var failures: [TickerTable.PartFailure] {
    table.failures.filter { $0.failure.reason != .notListed }
  }

  /// The code of why rows are missing: `http-451`, or `category=inverse: timeout` where the table has parts; nil when
  /// nothing failed.
  package var reason: String? {
    if status == .notListed { return Missing.notListed.code }
    guard !failures.isEmpty else { return nil }
    return failures.map { $0.part.isEmpty ? $0.failure.reason.code : "\($0.part): \($0.failure.reason.code)" }
      .joined(separator: "; ")
  }

  /// What the exchange or the wire says of it. Text of an exchange: clean it before it is shown.
  package var message: String? {
    let texts = failures.compactMap(\.failure.message)
    return texts.isEmpty ? nil : texts.joined(separator: "; ")
  }
}
