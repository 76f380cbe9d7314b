/// The distance of a futures price from the spot price of the same exchange and pair: `(futures - spot) / spot * 100`.
package struct Disparity: Sendable, Hashable {
  /// The row of the futures price, which is shown next to the figure with its 24h change.
  package let futures: Int

  /// The row of the spot price.
  package let spot: Int

  /// Signed and unrounded.
  package let percent: Decimal

  /// `futures - spot`, in the payment currency.
  package let difference: Decimal

  /// Returns the disparity of each row, or why it has none; nil for a spot row.
  ///
  /// - Parameters:
  ///   - rows: Rows of any exchanges and pairs, in config order. If an exchange has two usable spot rows of a pair, the
  ///     first counts.
  ///   - rule: The rule for which rows count.
  package static func byRow(
    _ rows: [Ticker], rule: HeadlineRule
  ) -> [Result<Disparity, DisparityAbsence>?] {
    let spots = spotRows(rows, rule: rule)
    return rows.indices.map { index in
      let row = rows[index]
      guard row.market == .futures else { return nil }
      // What is wrong with the price itself says more than that there is nothing to compare it with.
      if let objection = row.headlineObjection(rule) { return .failure(.futures(objection)) }
      guard let spot = spots[Listing(exchange: row.exchange, pair: row.pair)] else { return .failure(.noSpot) }
      if let objection = rows[spot].headlineObjection(rule) { return .failure(.spot(objection)) }
      guard let price = row.price.value, let spotPrice = rows[spot].price.value,
        let percent = price.percent(above: spotPrice)
      else { return .failure(.spot(.missing(.zero))) }
      return .success(
        Disparity(futures: index, spot: spot, percent: percent, difference: price - spotPrice))
    }
  }

  /// The properties that a futures row and its spot row share.
  private struct Listing: Hashable {
    let exchange: String
    let pair: Pair
  }

  /// Returns the first usable spot row of each exchange and pair, or the first of all if none is usable.
  private static func spotRows(_ rows: [Ticker], rule: HeadlineRule) -> [Listing: Int] {
    var spots: [Listing: Int] = [:]
    for (index, row) in rows.enumerated() where row.market == .spot {
      let listing = Listing(exchange: row.exchange, pair: row.pair)
      let isUsable = row.headlineObjection(rule) == nil
      if let known = spots[listing] {
        guard isUsable, rows[known].headlineObjection(rule) != nil else { continue }
      }
      spots[listing] = index
    }
    return spots
  }
}

/// Why a futures row has no disparity. If the row itself is not usable, that is the reason, whatever its spot.
package enum DisparityAbsence: Error, Sendable, Hashable {
  /// The exchange has no spot row of the pair.
  case noSpot
  /// Spot prices were not requested.
  case spotNotRequested
  /// Its spot row is not usable.
  case spot(HeadlineObjection)
  /// The futures row itself is not usable.
  case futures(HeadlineObjection)

  /// The reason in data: `no-spot`, `spot-not-asked`, `spot stale`, `futures mark`.
  package var code: String {
    switch self {
    case .noSpot: "no-spot"
    case .spotNotRequested: "spot-not-asked"
    case .spot(let objection): "spot \(objection.code)"
    case .futures(let objection): "futures \(objection.code)"
    }
  }
}

/// The two ends of a list of disparities, by sign: +0.5 ranks above -2.0, and anything in between is neither.
package struct DisparityRanking: Sendable, Hashable {
  /// The greatest, the earliest if there are several; nil for an empty list.
  package let first: Disparity?

  /// The smallest, the latest if there are several; nil if the list has fewer than two.
  package let last: Disparity?

  /// - Parameter disparities: In config order.
  package init(_ disparities: [Disparity]) {
    var first = disparities.first
    var last = disparities.first
    for disparity in disparities.dropFirst() {
      if let best = first, disparity.percent > best.percent { first = disparity }
      if let worst = last, disparity.percent <= worst.percent { last = disparity }
    }
    self.first = first
    self.last = disparities.count > 1 ? last : nil
  }
}
