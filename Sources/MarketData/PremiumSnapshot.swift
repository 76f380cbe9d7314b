package import Mapping
package import Quotes

/// The premium of an asset in one country at one moment.
package struct PremiumSnapshot: Sendable {
  package let question: PremiumQuestion
  package let time: Instant
  /// Buying for dollars and selling for local money.
  package internal(set) var table: LocalPremiumTable
  /// Buying for local money and selling for dollars. Without a size and without fees it says the same as `table`.
  package internal(set) var reverse: LocalPremiumTable
  /// The taker fees that went into the figures, in percent; empty where none were asked for.
  package let fees: [RowKey: Decimal]
  /// The prices of dollar tokens on the local exchanges, in the order of the config.
  package let tokens: [TickerRow]
  /// The official price of a dollar.
  package let rate: RateReport
  /// Every market that was asked.
  package let reports: [ExchangeReport]
  /// Whether the coin can be brought from exchange to exchange; nil where nobody asked.
  package internal(set) var wallets: PremiumWallets?

  package init(
    question: PremiumQuestion, time: Instant, table: LocalPremiumTable, reverse: LocalPremiumTable,
    fees: [RowKey: Decimal], tokens: [TickerRow], rate: RateReport, reports: [ExchangeReport]
  ) {
    (self.question, self.time, self.table, self.reverse) = (question, time, table, reverse)
    (self.fees, self.tokens, self.rate, self.reports) = (fees, tokens, rate, reports)
  }

  /// The code of a market that is held back.
  package static let heldBackCode = "halted"
  /// What that means.
  package static let heldBackReason = "halted: the exchange has it, and does not trade it now"

  /// The markets whose row of the pair the config's conditions leave out: it does not trade.
  package var heldBack: [ExchangeReport] { reports.filter { $0.isHeldBack && $0.pair?.asset == question.asset } }

  /// The markets that failed, in whole or in part.
  package var failures: [ExchangeReport] { reports.filter { $0.status == .failed || $0.status == .partial } }
}

/// What is asked of the premium of an asset in one country.
package struct PremiumQuestion: Sendable {
  package var asset: String
  /// The local money: KRW.
  package var local: String
  /// What counts as dollars on the other side: the dollar and tokens for it.
  package var dollars: [String]
  /// How much local money changes hands: the order books are walked for it. nil compares last prices.
  package var size: Decimal?
  /// Whether taker fees are taken off and put on.
  package var countsFees: Bool
  package var rule: HeadlineRule

  package init(
    asset: String, local: String, dollars: [String], size: Decimal? = nil, countsFees: Bool = false,
    rule: HeadlineRule = HeadlineRule()
  ) {
    self.asset = asset
    self.local = local
    self.dollars = dollars
    self.size = size
    self.countsFees = countsFees
    self.rule = rule
  }

  /// The token whose price on the local exchange stands for a payment currency: the dollar is taken as one tether.
  package static func token(for payment: String) -> String { payment == "USD" ? "USDT" : payment }
}
