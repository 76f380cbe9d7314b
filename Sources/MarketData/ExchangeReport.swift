package import Mapping
package import Quotes

/// The result of asking one market of one exchange.
package struct ExchangeReport: Sendable {
  package enum Status: String, Sendable, Hashable {
    case ok
    /// Some parts returned rows, others failed.
    case partial
    case failed
    /// The exchange answered that it does not have the pair, which is not a failure.
    case notListed = "not-listed"
    /// The exchange lists the pair, but does not trade it now, which is not a failure either.
    case halted

    /// Whether the exchange has answered, and has no row of the pair.
    package var isAbsence: Bool { self == .notListed || self == .halted }
  }

  package let exchange: String
  package let market: Market
  /// The requested pair; nil for a table of all pairs.
  package let pair: Pair?
  package let status: Status
  package let table: TickerTable
  package let requests: [RequestReport]
  private let lookupFailures: [TickerTable.PartFailure]

  /// Whether the answer covers that pair only.
  package let isSinglePairOnly: Bool

  package init(
    exchange: String, market: Market, _ gathered: GatheredTable, isSinglePairOnly: Bool = false
  ) {
    self.exchange = exchange
    self.market = market
    pair = gathered.pair
    self.isSinglePairOnly = isSinglePairOnly
    table = gathered.table
    requests = gathered.requests
    lookupFailures = gathered.lookupFailures.filter { !$0.failure.reason.isAbsence }
    status = Self.status(of: gathered.table, wanted: gathered.pair, isSinglePairOnly)
  }

  private static func status(of table: TickerTable, wanted: Pair?, _ isSinglePairOnly: Bool) -> Status {
    let failures = table.failures.map(\.failure.reason)
    let isFailure = failures.contains { !$0.isAbsence }
    if !table.rows.isEmpty { return isFailure ? .partial : .ok }
    if isFailure { return .failed }
    if wanted == nil, table.answered > 0 { return .ok }
    // Of a table of all pairs, whatever else conditions exclude is another pair, or a contract of another kind.
    let isExcluded = table.droppedOfPair > 0 || isSinglePairOnly && table.dropped[.condition] != nil
    return isExcluded || failures.contains(.halted) ? .halted : .notListed
  }

  /// Whether the exchange has the pair but does not trade it: its answer says so, or the config's conditions exclude the
  /// pair's row. It is halted, closed or not open yet.
  package var isHalted: Bool { status == .halted }

  /// Whether nothing was requested for the pair, since the config gives none of the tables its payment currency.
  package var isUnasked: Bool { status == .notListed && table.answered == 0 && table.failures.isEmpty }

  /// The parts that failed, and the lookups without which cells of the rows are empty; a pair that is not listed is not
  /// a failure.
  package var failures: [TickerTable.PartFailure] {
    table.failures.filter { !$0.failure.reason.isAbsence } + (table.rows.isEmpty ? [] : lookupFailures)
  }

  /// The reason why there is no row, if there is none: the first failure, or that the pair is not listed or halted.
  package var absence: AnswerFailure {
    failures.first?.failure ?? AnswerFailure(isHalted ? .halted : .notListed)
  }

  package var hasFailed: Bool { status == .failed || status == .partial || !failures.isEmpty }

  /// The status to show: `partial`, too, if lookups of the rows failed.
  package var shownStatus: Status { status == .ok && hasFailed ? .partial : status }

  /// The code for why rows or cells are missing: `http-451`, or `category=inverse: timeout` and `lookup sizes: timeout`
  /// for what failed of several; nil if nothing failed.
  package var reason: String? {
    if status.isAbsence { return absence.reason.code }
    guard !failures.isEmpty else { return nil }
    return failures.map { $0.part.isEmpty ? $0.failure.reason.code : "\($0.part): \($0.failure.reason.code)" }
      .unique.joined(separator: "; ")
  }

  /// The message from the exchange or the transport, or why neither was asked. Untrusted text: sanitise it before
  /// display.
  package var message: String? {
    if isUnasked, let pair { return "not asked: its 'paymentCurrencies' do not include \(pair.payment)" }
    let texts = failures.compactMap(\.failure.message)
    if texts.isEmpty { return nil }
    // Each request of a batch may have failed alike.
    return texts.unique.map { text in
      let count = texts.count { $0 == text }
      return count == 1 ? text : "\(text) (\(count) times)"
    }.joined(separator: "; ")
  }
}
