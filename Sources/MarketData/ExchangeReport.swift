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
    lookupFailures = gathered.lookupFailures.filter { $0.failure.reason != .notListed }
    status = Self.status(of: gathered.table, wanted: gathered.pair)
  }

  private static func status(of table: TickerTable, wanted: Pair?) -> Status {
    let failures = table.failures.filter { $0.failure.reason != .notListed }
    if !table.rows.isEmpty { return failures.isEmpty ? .ok : .partial }
    if !failures.isEmpty { return .failed }
    return wanted == nil && table.answered > 0 ? .ok : .notListed
  }

  /// Whether the exchange returned the pair but the config's conditions exclude it: it is halted, closed or not open
  /// yet. Only an answer for that pair alone can tell; in a table of all pairs, the excluded rows are unknown.
  package var isHalted: Bool {
    isSinglePairOnly && status == .notListed && table.dropped[.condition] != nil
  }

  /// Whether nothing was requested for the pair, since the config gives none of the tables its payment currency.
  package var isUnasked: Bool { status == .notListed && table.answered == 0 && table.failures.isEmpty }

  /// The parts that failed, and the lookups without which cells of the rows are empty; a pair that is not listed is not
  /// a failure.
  package var failures: [TickerTable.PartFailure] {
    table.failures.filter { $0.failure.reason != .notListed } + (table.rows.isEmpty ? [] : lookupFailures)
  }

  package var hasFailed: Bool { status == .failed || status == .partial || !failures.isEmpty }

  /// The status to show: `partial`, too, if lookups of the rows failed.
  package var shownStatus: Status { status == .ok && hasFailed ? .partial : status }

  /// The code for why rows or cells are missing: `http-451`, or `category=inverse: timeout` and `lookup sizes: timeout`
  /// for what failed of several; nil if nothing failed.
  package var reason: String? {
    if status == .notListed { return Missing.notListed.code }
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
