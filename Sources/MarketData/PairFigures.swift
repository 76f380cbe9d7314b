package import Mapping
package import Quotes

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
  /// Why there is none, though both prices are there.
  package let localObjection: PriceObjection?

  package var pair: Pair { snapshot.pair }
  package var leadRow: TickerRow? { lead.map { snapshot.spot[$0] } }
}

extension PairFigures {
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
  ///
  /// - Parameters:
  ///   - rate: the price of a dollar in local money.
  ///   - identityPercent: further than this apart, the prices in local money and in dollars are of two coins.
  ///   - snapshot: a pair on all exchanges; asked once for each pair and each companion.
  package static func all(
    of pairs: [Pair], rate: RateReport?, rule: HeadlineRule, dollarTokens: [String], identityPercent: Decimal,
    _ snapshot: (Pair) -> Snapshot
  ) -> [PairFigures] {
    var snapshots: [Pair: Snapshot] = [:]
    func known(_ pair: Pair) -> Snapshot {
      if let known = snapshots[pair] { return known }
      let new = snapshot(pair)
      snapshots[pair] = new
      return new
    }
    func price(_ asset: String, _ payment: String) -> Decimal? {
      let own = known(Pair(asset: asset, payment: payment))
      return own.leadPlace.flatMap { own.spot[$0].ticker.price.value }
    }
    func premiums(_ pair: Pair) -> [DollarBasis: Decimal] {
      guard let rate, let token = dollarTokens.first else { return [:] }
      let local = rate.pair.payment
      let isLocal = pair.payment == local
      guard isLocal || isDollar(pair.payment, dollarTokens), pair.asset != local else { return [:] }
      let isToken = isLocal && isDollar(pair.asset, dollarTokens)
      let dollars = isToken ? Decimal(1) : price(pair.asset, isLocal ? token : pair.payment)
      guard let dollars, let localPrice = price(pair.asset, local) else { return [:] }
      func percent(_ dollarPrice: Decimal?) -> Decimal? {
        dollarPrice.flatMap { LocalPremium.percent(local: localPrice, dollars: dollars, dollarPrice: $0) }
      }
      var premiums: [DollarBasis: Decimal] = [:]
      premiums[.official] = percent(rate.quote?.rate)
      // A dollar token has no premium over itself.
      if !isToken { premiums[.token] = percent(price(token, local)) }
      return premiums
    }
    return pairs.map { pair in
      let own = known(pair)
      let usable = Set(own.spot.lazy.filter { $0.ticker.headlineObjection(rule) == nil }.map(\.ticker.exchange))
      let local = premiums(pair)
      let objection = (local[.official] ?? local[.token]).flatMap {
        LocalPremium.objection(to: $0, limitPercent: identityPercent)
      }
      return PairFigures(
        snapshot: own, lead: own.leadPlace, usable: usable.count, localPremium: objection == nil ? local : [:],
        localObjection: objection)
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
