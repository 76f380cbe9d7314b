package import Mapping
package import Quotes

/// The pairs of one exchange, or of many, with what people call their assets.
package struct PairListing: Sendable {
  /// A pair with its rows: one of one exchange, one for each that lists it of many.
  package struct Entry: Sendable {
    package let pair: Pair
    /// In the order of the config; never empty.
    package let rows: [TickerRow]
    /// The row whose price stands for the pair: the usable one with the largest turnover, as an index in `rows`; the first
    /// row where none may be used.
    package let lead: Int
    /// How many exchanges have a price that may be used.
    package let usable: Int
    /// nil with fewer than two usable exchanges; `high` and `low` are indexes in `rows`.
    package let premium: Premium?
    /// In the payment currency: of the usable rows together; nil where none says its turnover.
    package let turnover: Decimal?
    package let named: AssetNames.Named?

    package var leadRow: TickerRow { rows[lead] }

    /// The change of the lead where it may be ranked; nil for a row that enters no headline.
    package func change(_ rule: HeadlineRule) -> Decimal? {
      leadRow.ticker.headlineObjection(rule) == nil ? leadRow.ticker.changePricePercent24.value : nil
    }
  }

  /// nil: all of the config.
  package let exchange: String?
  package let market: Market
  /// In the order of the exchange; of many in the order of symbols.
  package let entries: [Entry]
  package let names: AssetNames
  package let rate: RateReport?
  package let rule: HeadlineRule
  package let reports: [ExchangeReport]

  /// - Parameters:
  ///   - reports: those of one exchange, or of all that are asked.
  ///   - joinsProducts: whether rows of one pair are one entry on a single exchange too.
  package init(
    of exchange: String?, _ market: Market, _ reports: [ExchangeReport], names: AssetNames, rate: RateReport?,
    check: MeaningCheck, rule: HeadlineRule = HeadlineRule(), joinsProducts: Bool = false
  ) {
    self.exchange = exchange
    self.market = market
    self.names = names
    self.rate = rate
    self.rule = rule
    self.reports = reports
    let rows = reports.filter { $0.market == market }.flatMap(\.table.rows)
    if exchange != nil {
      entries = (joinsProducts ? Self.joined(rows) : rows.map { [$0] }).map { Entry($0, names, on: exchange, rule) }
      return
    }
    let byPair = Dictionary(grouping: rows, by: \.ticker.pair)
    entries = byPair.map { pair, rows in
      let known = check.identity.flagged(rows, rule: rule)
      let flags = ChangeScaleCheck.findings(known.map(\.ticker))
      return Entry(zip(known, flags).map { $0.flagged($1) }, names, on: nil, rule)
    }.sorted { ($0.pair.asset, $0.pair.payment) < ($1.pair.asset, $1.pair.payment) }
  }

  /// Rows of one pair together, in the order of the first of each.
  private static func joined(_ rows: [TickerRow]) -> [[TickerRow]] {
    var places: [Pair: Int] = [:]
    return rows.reduce(into: []) { joined, row in
      if let place = places[row.ticker.pair] {
        joined[place].append(row)
      } else {
        places[row.ticker.pair] = joined.count
        joined.append([row])
      }
    }
  }

  /// Names that other exchanges lend to the pairs of this one.
  package var lenders: [String] {
    names.exchanges.filter { lender in
      lender != exchange && entries.contains { $0.named?.exchange == lender }
    }
  }
}

extension PairListing.Entry {
  /// - Parameter rows: of one pair; at least one.
  fileprivate init(_ rows: [TickerRow], _ names: AssetNames, on exchange: String?, _ rule: HeadlineRule) {
    let usable = rows.indices.filter { rows[$0].ticker.headlineObjection(rule) == nil }
    let turnovers = usable.compactMap { place in rows[place].ticker.turnover24.value.map { (place, $0) } }
    pair = rows[0].ticker.pair
    self.rows = rows
    lead = turnovers.max { ($0.1, -$0.0) < ($1.1, -$1.0) }?.0 ?? usable.first ?? 0
    self.usable = Set(usable.map { rows[$0].ticker.exchange }).count
    premium = try? Premium.largest(of: rows.map(\.ticker), rule: rule).get()
    turnover = turnovers.isEmpty ? nil : turnovers.dropFirst().reduce(turnovers[0].1) { $0 + $1.1 }
    named = names[pair.asset, on: exchange]
  }
}
