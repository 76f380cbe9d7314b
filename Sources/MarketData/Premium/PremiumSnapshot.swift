package import Mapping
package import Quotes

/// The premium of an asset in one country at one moment.
package struct PremiumSnapshot: Sendable {
  package let query: PremiumQuery
  package let time: Instant
  /// Buying for dollars and selling for local currency.
  package internal(set) var table: LocalPremiumTable
  /// Buying for local currency and selling for dollars. Without a size and fees, equivalent to `table`.
  package internal(set) var reverse: LocalPremiumTable
  /// The taker fees included in the figures, in percent; empty if not requested.
  package let fees: [RowKey: Decimal]
  /// The prices of dollar tokens on the local exchanges, in the order of the config.
  package let tokens: [TickerRow]
  /// The official price of a dollar.
  package let rate: RateReport
  /// What is wrong with it, in which case no figure is based on it; nil for nothing.
  package let rateFlag: Flag?
  /// The reports of all markets asked.
  package let reports: [ExchangeReport]
  /// Whether the coin can be transferred between exchanges; nil if not requested.
  package internal(set) var wallets: PremiumWallets?

  package init(
    query: PremiumQuery, time: Instant, table: LocalPremiumTable, reverse: LocalPremiumTable,
    fees: [RowKey: Decimal], tokens: [TickerRow], rate: RateReport, rateFlag: Flag? = nil, reports: [ExchangeReport]
  ) {
    (self.query, self.time, self.table, self.reverse) = (query, time, table, reverse)
    (self.fees, self.tokens, self.rate, self.rateFlag, self.reports) = (fees, tokens, rate, rateFlag, reports)
  }

  /// The markets that list the pair, but do not trade it now.
  package var halted: [ExchangeReport] { reports.filter { $0.isHalted && $0.pair?.asset == query.asset } }

  /// Returns those of the exchanges that have answered, and have no price of the asset.
  package func absent(of exchanges: [String]) -> [String] {
    let known = Set(
      reports.filter { $0.hasFailed || $0.isHalted }.map(\.exchange)
        + reports.flatMap { $0.table.rows.map(\.ticker) }.filter { $0.pair.asset == query.asset }.map(\.exchange))
    return exchanges.filter { !known.contains($0) }
  }

  /// The markets that failed, entirely or in part.
  package var failures: [ExchangeReport] { reports.filter(\.hasFailed) }
}

/// A query about the premium of an asset in one country.
package struct PremiumQuery: Sendable {
  package var asset: String
  /// The local currency: KRW.
  package var local: String
  /// What counts as dollars on the other side: the dollar and dollar tokens.
  package var dollars: [String]
  /// The amount to trade in local currency, for which the order books are walked; nil to compare last prices.
  package var size: Decimal?
  /// Whether taker fees are included.
  package var countsFees: Bool
  package var rule: HeadlineRule

  package init(
    asset: String, local: String, dollars: [String], size: Decimal? = nil, countsFees: Bool = false,
    rule: HeadlineRule
  ) {
    self.asset = asset
    self.local = local
    self.dollars = dollars
    self.size = size
    self.countsFees = countsFees
    self.rule = rule
  }

  /// Returns the token whose price on the local exchange stands for a payment currency: a dollar counts as one tether.
  package static func token(for payment: String) -> String { payment == "USD" ? "USDT" : payment }
}
