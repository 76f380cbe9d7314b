import Mapping
package import Quotes

/// All feeds and the header's rate at one moment: the data of a live screen.
package struct BoardState: Sendable {
  /// In the order of the config.
  package internal(set) var feeds: [FeedState]
  /// nil before the first answer, and if no rate is wanted.
  package internal(set) var rate: RateReport?
  private var clock = LastMoment()

  package init(feeds: [FeedState], rate: RateReport? = nil) { (self.feeds, self.rate) = (feeds, rate) }

  /// How often the price or the change of any row was updated; answers that repeat both do not count.
  package var updates: UInt64 { feeds.reduce(0) { $0 + $1.rows.updates } }

  /// Takes what the clock shows now. If it was set back, that makes nothing younger.
  ///
  /// - Returns: Whether it was.
  mutating func advance(to now: Instant) -> Bool {
    let setBack = clock.take(now)
    guard setBack > .zero else { return false }
    for place in feeds.indices { feeds[place].follow(setBack: setBack) }
    return true
  }

  package subscript(key: FeedKey) -> FeedState? { feeds.first { $0.key == key } }

  /// Whether every active feed has answered or failed.
  package var isSettled: Bool {
    feeds.allSatisfy { $0.inactiveReason != nil || $0.answered != nil || $0.failure != nil || $0.capabilities.isIdle }
  }

  /// Returns whether time alone has changed a figure since a moment, because rows or all data became too old, or a day
  /// has ended.
  package func hasAged(since moment: Instant, by now: Instant) -> Bool {
    feeds.contains { feed in feed.rows.rows.contains { feed.hasAged($0, since: moment, by: now) } }
  }

  /// Returns one pair on every exchange with the derived figures, as for `market show`.
  package func snapshot(
    of pair: Pair, at now: Instant, check: MeaningCheck, rule: HeadlineRule, dollarTokens: [String]
  ) -> Snapshot {
    Snapshot(
      pair: pair, time: now, reports: feeds.compactMap { $0.report(of: pair, at: now) }, rate: rate, check: check,
      conversion: conversion(of: pair, dollarTokens: dollarTokens), rule: rule)
  }

  /// Returns the pairs of the tables that are followed as a whole.
  ///
  /// - Parameters:
  ///   - exchange: The exchange of the pairs; nil to combine all exchanges.
  ///   - market: The market that is followed.
  package func listing(
    of exchange: String?, _ market: Market, names: AssetNames, at now: Instant, check: MeaningCheck,
    rule: HeadlineRule
  ) -> PairListing {
    PairListing(
      of: exchange, market, feeds.compactMap { $0.report(at: now) }, names: names, rate: rate, check: check, rule: rule,
      joinsProducts: true)
  }

  /// Returns how to convert prices of a pair into the other currency of the header's rate; nil if that is not useful.
  private func conversion(of pair: Pair, dollarTokens: [String]) -> Conversion? {
    guard let rate else { return nil }
    let money = dollarTokens.contains(pair.payment) ? "USD" : pair.payment
    guard money == rate.pair.asset || money == rate.pair.payment else { return nil }
    let target = money == rate.pair.asset ? rate.pair.payment : rate.pair.asset
    return conversion(of: pair, to: target, dollarTokens: dollarTokens, at: rate.moment)
  }

  /// Returns how to convert prices of a pair into a currency by the header's rate, the only one available.
  package func conversion(
    of pair: Pair, to currency: String, dollarTokens: [String], at now: Instant
  ) -> Conversion {
    Conversion(from: pair.payment, to: currency, by: rate, dollarTokens: dollarTokens, at: now)
  }
}

extension BoardState {
  /// Returns the figures of some pairs, in their order.
  package func figures(
    of pairs: [Pair], at now: Instant, check: MeaningCheck, rule: HeadlineRule, dollarTokens: [String]
  ) -> [PairFigures] {
    PairFigures.all(
      of: pairs, rate: rate, rule: rule, dollarTokens: dollarTokens, identityPercent: check.identity.limitPercent
    ) {
      snapshot(of: $0, at: now, check: check, rule: rule, dollarTokens: dollarTokens)
    }
  }
}
