package import Mapping
package import Quotes

/// All feeds and the rate of the header at one moment: what a live screen is drawn from.
package struct BoardState: Sendable {
  /// In the order of the config.
  package internal(set) var feeds: [FeedState]
  /// nil before the first answer, and where no rate is asked for.
  package internal(set) var rate: RateReport?
  /// Grows with every change.
  package internal(set) var revision: UInt64 = 0

  package init(feeds: [FeedState], rate: RateReport? = nil) {
    self.feeds = feeds
    self.rate = rate
  }

  package subscript(key: FeedKey) -> FeedState? { feeds.first { $0.key == key } }

  /// Whether every feed that is asked has answered or failed.
  package var isSettled: Bool {
    feeds.allSatisfy { $0.rest != nil || $0.answered != nil || $0.failure != nil || $0.means.pairs.isEmpty }
  }

  /// One pair on every exchange, with what follows from it: the work of `market show`.
  package func snapshot(
    of pair: Pair, at now: Instant, check: MeaningCheck, rule: HeadlineRule, dollarTokens: [String]
  ) -> Snapshot {
    Snapshot(
      pair: pair, time: now, reports: feeds.compactMap { $0.report(of: pair, at: now) }, rate: rate, check: check,
      conversion: conversion(of: pair, dollarTokens: dollarTokens), rule: rule)
  }

  /// How prices of a pair are shown in the other currency of the header's rate; nil where that is of no use.
  private func conversion(of pair: Pair, dollarTokens: [String]) -> Conversion? {
    guard let rate else { return nil }
    let money = dollarTokens.contains(pair.payment) ? "USD" : pair.payment
    guard money == rate.pair.asset || money == rate.pair.payment else { return nil }
    let target = money == rate.pair.asset ? rate.pair.payment : rate.pair.asset
    return Conversion(currency: target, payment: pair.payment, countedAs: money, target: target, rate: rate)
  }
}

/// The figures of a followed pair at one moment.
package struct PairFigures: Sendable {
  package let snapshot: Snapshot
  /// Of the exchanges whose price may be used the one with the largest turnover, as an index in the snapshot's `spot`; the first
  /// where none says its turnover.
  package let lead: Int?
  /// How many exchanges have a price that may be used.
  package let usable: Int
  /// How far the asset is dearer in local money than in dollars, in percent: of the exchanges that lead there and here.
  package let localPremium: [DollarBasis: Decimal]

  package var pair: Pair { snapshot.pair }
  package var leadRow: TickerRow? { lead.map { snapshot.spot[$0] } }
}

extension BoardState {
  /// The pairs that have to be asked for as well, so that the premium of local money over dollars can be told: the same asset
  /// in the other money, and the dollar token in local money.
  ///
  /// - Parameters:
  ///   - local: the payment currency of the header's rate: KRW.
  ///   - dollarTokens: the first is the one that most exchanges have.
  package static func companions(of pairs: [Pair], local: String, dollarTokens: [String]) -> [Pair] {
    guard let token = dollarTokens.first else { return [] }
    var companions: [Pair] = []
    for pair in pairs {
      let other: Pair?
      if pair.payment == local {
        other = isDollar(pair.asset, dollarTokens) ? nil : Pair(asset: pair.asset, payment: token)
      } else {
        other = isDollar(pair.payment, dollarTokens) ? Pair(asset: pair.asset, payment: local) : nil
      }
      guard let other else { continue }
      companions += [other, Pair(asset: token, payment: local)]
    }
    var seen = Set(pairs)
    return companions.filter { $0.asset != $0.payment && seen.insert($0).inserted }
  }

  private static func isDollar(_ name: String, _ tokens: [String]) -> Bool { name == "USD" || tokens.contains(name) }

  /// The figures of some pairs, in their order.
  package func figures(
    of pairs: [Pair], at now: Instant, check: MeaningCheck, rule: HeadlineRule, dollarTokens: [String]
  ) -> [PairFigures] {
    var snapshots: [Pair: Snapshot] = [:]
    func snapshot(_ pair: Pair) -> Snapshot {
      if let known = snapshots[pair] { return known }
      let new = self.snapshot(of: pair, at: now, check: check, rule: rule, dollarTokens: dollarTokens)
      snapshots[pair] = new
      return new
    }
    func price(_ asset: String, _ payment: String) -> Decimal? {
      let own = snapshot(Pair(asset: asset, payment: payment))
      return own.leadPlace.flatMap { own.spot[$0].ticker.price.value }
    }
    return pairs.map { pair in
      let own = snapshot(pair)
      var premiums: [DollarBasis: Decimal] = [:]
      if let rate, let token = dollarTokens.first {
        let local = rate.pair.payment
        let isLocal = pair.payment == local
        let isOfDollars = Self.isDollar(pair.payment, dollarTokens)
        let isToken = isLocal && Self.isDollar(pair.asset, dollarTokens)
        if isLocal || isOfDollars, pair.asset != local {
          let dollars =
            isToken ? Decimal(1) : price(pair.asset, isLocal ? token : pair.payment)
          let localPrice = price(pair.asset, local)
          func percent(_ dollarPrice: Decimal?) -> Decimal? {
            guard let dollars, let localPrice, let dollarPrice else { return nil }
            return LocalPremium.percent(local: localPrice, dollars: dollars, dollarPrice: dollarPrice)
          }
          premiums[.official] = percent(rate.quote?.rate)
          // A dollar token has no premium over itself.
          if !isToken { premiums[.token] = percent(price(token, local)) }
        }
      }
      let usable = Set(own.spot.lazy.filter { $0.ticker.headlineObjection(rule) == nil }.map(\.ticker.exchange))
      return PairFigures(snapshot: own, lead: own.leadPlace, usable: usable.count, localPremium: premiums)
    }
  }
}

extension Snapshot {
  /// The usable spot row with the largest turnover; the first usable one where none says its turnover.
  fileprivate var leadPlace: Int? {
    var best: (place: Int, turnover: Decimal?)?
    for (place, row) in spot.enumerated() where row.ticker.headlineObjection(rule) == nil {
      let turnover = row.ticker.turnover24.value
      guard let known = best else {
        best = (place, turnover)
        continue
      }
      if let turnover, known.turnover.map({ turnover > $0 }) ?? true { best = (place, turnover) }
    }
    return best?.place
  }
}
