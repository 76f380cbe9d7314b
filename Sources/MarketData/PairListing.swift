package import Mapping
package import Quotes

/// The pairs of one exchange or of several, with the names of their assets.
package final class PairListing: Sendable {
  /// A pair with its rows: one on a single exchange, otherwise one per exchange that lists it.
  package struct Entry: Sendable {
    package let pair: Pair
    /// The rows in the order of the config; never empty.
    package let rows: [TickerRow]
    /// The index in `rows` of the row whose price represents the pair: the usable one with the largest turnover; the
    /// first row if none is usable.
    package let lead: Int
    /// The number of exchanges with a usable price.
    package let usable: Int
    /// nil with fewer than two usable exchanges; `high` and `low` are indexes in `rows`.
    package let premium: Premium?
    /// The combined turnover of the usable rows, in the payment currency; nil if none reports its turnover.
    package let turnover: Decimal?
    /// The number of exchanges whose turnover it contains.
    package let withTurnover: Int
    package let named: AssetNames.Named?

    package var leadRow: TickerRow { rows[lead] }

    /// Returns the rows that are in neither premium nor turnover, and why.
    package func leftOut(_ rule: HeadlineRule) -> [(row: TickerRow, objection: HeadlineObjection)] {
      rows.compactMap { row in row.ticker.headlineObjection(rule).map { (row, $0) } }
    }

    /// Returns the change of the lead, for ranking; nil for a row that enters no headline.
    package func change(_ rule: HeadlineRule) -> Decimal? {
      leadRow.ticker.headlineObjection(rule) == nil ? leadRow.ticker.changePricePercent24.value : nil
    }
  }

  /// nil for all of the config.
  package let exchange: String?
  package let market: Market
  /// In the exchange's order; for several exchanges, in the order of symbols.
  package let entries: [Entry]
  /// The pairs with several entries, which only their products tell apart.
  package let repeatedPairs: Set<Pair>
  package let names: AssetNames
  package let rate: RateReport?
  package let rule: HeadlineRule
  package let reports: [ExchangeReport]

  /// - Parameters:
  ///   - reports: The reports of one exchange, or of all that were asked.
  ///   - joinsProducts: Whether rows of the same pair form one entry even on a single exchange.
  package init(
    of exchange: String?, _ market: Market, _ reports: [ExchangeReport], names: AssetNames, rate: RateReport?,
    check: MeaningCheck, rule: HeadlineRule, joinsProducts: Bool = false
  ) {
    self.exchange = exchange
    self.market = market
    self.names = names
    self.rate = rate
    self.rule = rule
    self.reports = reports
    let rows = reports.filter { $0.market == market }.flatMap(\.table.rows)
    if exchange != nil {
      let groups = joinsProducts ? rows.grouped { $0.ticker.pair } : rows.map { [$0] }
      entries = groups.map { Entry($0, names, on: exchange, rule) }
      var seen: Set<Pair> = []
      repeatedPairs = Set(entries.map(\.pair).filter { !seen.insert($0).inserted })
      return
    }
    repeatedPairs = []
    let byPair = Dictionary(grouping: rows, by: \.ticker.pair)
    entries = byPair.map { pair, rows in
      let known = check.identity.flagged(rows, rule: rule)
      let flags = ChangeScaleCheck.findings(known.map(\.ticker))
      return Entry(zip(known, flags).map { $0.flagged($1) }, names, on: nil, rule)
    }.sorted { ($0.pair.asset, $0.pair.payment) < ($1.pair.asset, $1.pair.payment) }
  }

  /// The other exchanges whose names are used for this one's assets.
  package var lenders: [String] {
    names.exchanges.filter { lender in
      lender != exchange && entries.contains { $0.named?.exchange == lender }
    }
  }
}

extension PairListing.Entry {
  /// - Parameter rows: The rows of one pair; at least one.
  fileprivate init(_ rows: [TickerRow], _ names: AssetNames, on exchange: String?, _ rule: HeadlineRule) {
    let usable = rows.indices.filter { rows[$0].ticker.headlineObjection(rule) == nil }
    let turnovers = usable.compactMap { place in rows[place].ticker.turnover24.value.map { (place, $0) } }
    pair = rows[0].ticker.pair
    self.rows = rows
    lead = rows.lead(among: usable) ?? 0
    self.usable = Set(usable.map { rows[$0].ticker.exchange }).count
    premium = try? Premium.largest(of: rows.map(\.ticker), rule: rule).get()
    withTurnover = Set(turnovers.map { rows[$0.0].ticker.exchange }).count
    turnover = turnovers.isEmpty ? nil : turnovers.dropFirst().reduce(turnovers[0].1) { $0 + $1.1 }
    named = names[pair.asset, on: exchange]
  }
}
