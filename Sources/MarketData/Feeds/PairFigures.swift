package import Mapping
package import Quotes

/// The figures of a followed pair at one moment.
package struct PairFigures: Sendable {
  package let snapshot: Snapshot
  /// The exchange with the largest turnover among those with a usable price, as an index into the snapshot's `spot`;
  /// the first one if none reports its turnover.
  package let lead: Int?
  /// The number of exchanges with a usable price.
  package let usable: Int
  /// The premium of local currency over dollars in percent, between the leading exchanges of each, or why there is none
  /// although the prices exist.
  package let localPremium: [DollarBasis: Result<Decimal, PriceObjection>]
  /// Why a price or a rate for it is missing.
  package let localAbsence: [DollarBasis: LocalAbsence]
  /// The feeds of the prices in it.
  package let localFeeds: [DollarBasis: [FeedKey]]

  package var pair: Pair { snapshot.pair }
  package var leadRow: TickerRow? { lead.map { snapshot.spot[$0] } }

  /// Returns the premium of local currency over dollars in percent; nil if there is none.
  package func localPercent(on basis: DollarBasis) -> Decimal? { try? localPremium[basis]?.get() }

  /// Returns the code of why there is no such premium; nil if there is one.
  package func localReason(on basis: DollarBasis) -> String? {
    if case .failure(let objection) = localPremium[basis] { objection.code } else { localAbsence[basis]?.code }
  }
}

/// Why there is no premium of local currency over dollars.
package enum LocalAbsence: Error, Sendable, Hashable {
  /// The price of a dollar in local currency is unknown.
  case noRate
  /// No exchange has a usable price of the pair.
  case noPrice(Pair)
  /// The pair is paid neither in local currency nor in dollars, or its asset is local currency.
  case otherCurrency
  /// The asset is the dollar token that the price of a dollar would be from.
  case ofItself

  /// `no-rate`, `no-price`
  package var code: String {
    switch self {
    case .noRate: "no-rate"
    case .noPrice: "no-price"
    case .otherCurrency: "other-currency"
    case .ofItself: "of-itself"
    }
  }
}

extension PairFigures {
  /// Returns the additional pairs needed to calculate the premium of local currency over dollars: the same asset in the
  /// other currency, and the dollar token in local currency.
  ///
  /// - Parameters:
  ///   - local: The payment currency of the header's rate: KRW.
  ///   - dollarTokens: The dollar tokens; the first is the one that most exchanges have.
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

  fileprivate static func isDollar(_ name: String, _ tokens: [String]) -> Bool {
    name == "USD" || tokens.contains(name)
  }

  /// Returns the figures of some pairs, in their order.
  ///
  /// - Parameters:
  ///   - rate: The price of a dollar in local currency.
  ///   - identityPercent: If prices in local currency and in dollars differ by more, they are of different coins.
  ///   - snapshot: Returns a pair on all exchanges; called once for each pair and companion.
  package static func all(
    of pairs: [Pair], rate: RateReport?, rule: HeadlineRule, dollarTokens: [String], identityPercent: Decimal,
    _ snapshot: @escaping (Pair) -> Snapshot
  ) -> [PairFigures] {
    var comparison = LocalComparison(rate: rate, dollarTokens: dollarTokens, make: snapshot)
    return pairs.map { pair in
      let own = comparison.snapshot(of: pair)
      let usable = Set(own.spot.lazy.filter { $0.ticker.headlineObjection(rule) == nil }.map(\.ticker.exchange))
      // One basis may be wrong: a rate of another currency, or a token's price a power of ten too high.
      var premiums: [DollarBasis: FedFigure] = [:]
      var absences: [DollarBasis: LocalAbsence] = [:]
      for basis in DollarBasis.allCases {
        do throws(LocalAbsence) {
          premiums[basis] = try comparison.premium(of: pair, on: basis)
        } catch {
          absences[basis] = error
        }
      }
      let local = premiums.mapValues { percent in
        LocalPremium.objection(to: percent.figure, limitPercent: identityPercent).map(Result.failure)
          ?? .success(percent.figure)
      }
      return PairFigures(
        snapshot: own, lead: own.leadPlace, usable: usable.count, localPremium: local,
        localAbsence: absences, localFeeds: premiums.mapValues(\.feeds))
    }
  }
}

/// Compares prices in local currency with those in dollars. Each snapshot is made once.
private struct LocalComparison {
  let rate: RateReport?
  let dollarTokens: [String]
  let make: (Pair) -> Snapshot
  private var snapshots: [Pair: Snapshot] = [:]

  init(rate: RateReport?, dollarTokens: [String], make: @escaping (Pair) -> Snapshot) {
    (self.rate, self.dollarTokens, self.make) = (rate, dollarTokens, make)
  }

  mutating func snapshot(of pair: Pair) -> Snapshot {
    if let known = snapshots[pair] { return known }
    let new = make(pair)
    snapshots[pair] = new
    return new
  }

  /// Returns the premium of a pair in local currency, or of its asset there over the pair in dollars, in percent.
  mutating func premium(of pair: Pair, on basis: DollarBasis) throws(LocalAbsence) -> FedFigure {
    guard let rate, let token = dollarTokens.first else { throw .noRate }
    let local = rate.pair.payment
    let isLocal = pair.payment == local
    guard isLocal || isDollar(pair.payment), pair.asset != local else { throw .otherCurrency }
    let isToken = isLocal && isDollar(pair.asset)
    // A dollar token has no premium over itself.
    if isToken, basis == .token { throw .ofItself }
    let dollars = isToken ? FedFigure(figure: 1, feeds: []) : try price(pair.asset, isLocal ? token : pair.payment)
    let localPrice = try price(pair.asset, local)
    let dollarPrice: FedFigure
    switch basis {
    case .official:
      // The header's rate may be that of another currency.
      guard isDollar(rate.pair.asset), let quote = rate.quote else { throw .noRate }
      dollarPrice = FedFigure(figure: quote.rate, feeds: [])
    case .token: dollarPrice = try price(token, local)
    }
    let percent = LocalPremium.percent(
      local: localPrice.figure, dollars: dollars.figure, dollarPrice: dollarPrice.figure)
    guard let percent else { throw .noRate }
    return FedFigure(figure: percent, feeds: localPrice.feeds + dollars.feeds + dollarPrice.feeds)
  }

  private mutating func price(_ asset: String, _ payment: String) throws(LocalAbsence) -> FedFigure {
    let own = snapshot(of: Pair(asset: asset, payment: payment))
    guard let row = own.leadPlace.map({ own.spot[$0].ticker }), let price = row.price.value else {
      throw .noPrice(own.pair)
    }
    return FedFigure(figure: price, feeds: [row.feed])
  }

  private func isDollar(_ name: String) -> Bool { PairFigures.isDollar(name, dollarTokens) }
}

/// A price, or a percentage of prices, and the feeds that it is from.
private struct FedFigure {
  let figure: Decimal
  let feeds: [FeedKey]
}

extension Snapshot {
  fileprivate var leadPlace: Int? {
    spot.lead(among: spot.indices.filter { spot[$0].ticker.headlineObjection(rule) == nil })
  }
}

extension [TickerRow] {
  /// Returns the index of the usable row with the largest turnover; of the first usable one if none reports its
  /// turnover.
  package func lead(among usable: [Int]) -> Int? {
    let turnovers = usable.compactMap { place in self[place].ticker.turnover24.value.map { (place, $0) } }
    return turnovers.max { ($0.1, -$0.0) < ($1.1, -$1.0) }?.0 ?? usable.first
  }
}
