/// Each local price against each dollar price, on both prices of the dollar.
package struct LocalPremiumTable: Sendable {
  /// A row that does not count, and why.
  package struct Exclusion: Sendable, Hashable {
    package let exchange: String
    package let pair: Pair
    package let objection: PriceObjection

    package init(exchange: String, pair: Pair, objection: PriceObjection) {
      self.exchange = exchange
      self.pair = pair
      self.objection = objection
    }
  }

  /// In the order given.
  package let local: [PricedRow]
  /// In the order given.
  package let dollar: [PricedRow]
  /// The usable pairs of rows: by dollar row, then by local row.
  package let premiums: [LocalPremium]
  /// The rows that count for nothing: local ones first.
  package let exclusions: [Exclusion]

  /// - Parameters:
  ///   - local: rows of one asset paid for in local money, in the order of the config.
  ///   - dollar: rows of that asset paid for in dollars or dollar tokens, each token taken as one dollar.
  ///   - official: what a dollar costs by the official rate; nil where there is none.
  ///   - token: what a dollar costs on each local exchange, in the guise in which the dollar price is paid: by exchange,
  ///     then by payment currency.
  ///   - identityPercent: a local row further than this from the middle of the dollar rows is another coin.
  package init(
    local: [PricedRow], dollar: [PricedRow], official: Decimal?, token: [String: [String: Decimal]],
    identityPercent: Decimal
  ) {
    let middle = dollar.compactMap { try? $0.price.get() }.sorted().middle
    let local = local.map { $0.checked(againstDollars: middle, official: official, limitPercent: identityPercent) }
    self.local = local
    self.dollar = dollar
    exclusions = (local + dollar).compactMap { row in
      guard case .failure(let objection) = row.price else { return nil }
      return Exclusion(exchange: row.ticker.exchange, pair: row.ticker.pair, objection: objection)
    }
    premiums = dollar.indices.flatMap { dollarIndex in
      local.indices.compactMap { localIndex in
        guard let price = try? local[localIndex].price.get(), let dollars = try? dollar[dollarIndex].price.get() else {
          return nil
        }
        var percents: [DollarBasis: Decimal] = [:]
        for basis in DollarBasis.allCases {
          let dollarPrice =
            basis == .official
            ? official : token[local[localIndex].ticker.exchange]?[dollar[dollarIndex].ticker.pair.payment]
          percents[basis] = dollarPrice.flatMap {
            LocalPremium.percent(local: price, dollars: dollars, dollarPrice: $0)
          }
        }
        return LocalPremium(local: localIndex, dollar: dollarIndex, percents: percents)
      }
    }
  }

  /// The pair of exchanges with the greatest premium on a basis: among equal ones the first. nil where there is none.
  package func best(on basis: DollarBasis) -> LocalPremium? {
    premiums.reduce(nil) { best, next in
      guard let percent = next.percents[basis] else { return best }
      guard let known = best?.percents[basis] else { return next }
      return percent > known ? next : best
    }
  }

  /// The pair of exchanges with the smallest premium on a basis; nil where there are not two.
  package func worst(on basis: DollarBasis) -> LocalPremium? {
    premiums.count { $0.percents[basis] != nil } > 1 ? lowest(on: basis) : nil
  }

  /// The pair of exchanges with the smallest premium on a basis: among equal ones the last. nil where there is none.
  package func lowest(on basis: DollarBasis) -> LocalPremium? {
    premiums.reduce(nil) { lowest, next in
      guard let percent = next.percents[basis] else { return lowest }
      guard let known = lowest?.percents[basis] else { return next }
      return percent <= known ? next : lowest
    }
  }

  /// The pairs whose local price is below the dollar price on a basis, as printed.
  package func reverse(on basis: DollarBasis) -> [LocalPremium] {
    premiums.filter { ($0.percents[basis]?.rounded(toPlaces: 2).signum ?? 0) < 0 }
  }

  /// The pairs that one basis calls a premium and the other a discount.
  package var disagreements: [LocalPremium] { premiums.filter(\.basesDisagree) }
}

extension PricedRow {
  /// The row without its price where that is too far from the dollar prices to be of the same coin.
  fileprivate func checked(againstDollars middle: Decimal?, official: Decimal?, limitPercent: Decimal) -> PricedRow {
    guard let middle, let official, let price = try? price.get(),
      let percent = LocalPremium.percent(local: price, dollars: middle, dollarPrice: official),
      percent.magnitude > limitPercent
    else { return self }
    return PricedRow(ticker, price: .failure(.identity(percent: percent)))
  }
}

extension [Decimal] {
  /// The element in the middle of a sorted list: of two the lower.
  fileprivate var middle: Decimal? { isEmpty ? nil : self[(count - 1) / 2] }
}
