/// By how much the dearest exchange of a pair is above the cheapest: `(top - bottom) / bottom * 100`.
package struct Premium: Sendable, Hashable {
  /// Zero or more, unrounded.
  package let percent: Decimal

  /// The row of the dearest exchange: among equal prices the first of the config.
  package let high: Int

  /// The row of the cheapest exchange: among equal prices the last of the config.
  package let low: Int

  package init(percent: Decimal, high: Int, low: Int) {
    self.percent = percent
    self.high = high
    self.low = low
  }

  /// The figure as it is printed, with two decimals: `0.10`.
  package var percentText: String { percent.fixedText(places: 2) }

  /// The largest premium among the rows of one pair, or why there is none.
  ///
  /// - Parameters:
  ///   - rows: rows of one pair and one market, in the order of the config. Of two usable rows of one exchange the first
  ///     counts: an exchange has no premium over itself.
  ///   - anyPriceBasis: whether prices that are no last trades count, too.
  package static func largest(of rows: [Ticker], anyPriceBasis: Bool = false) -> Result<Premium, PremiumAbsence> {
    var high: (row: Int, price: Decimal)?
    var low: (row: Int, price: Decimal)?
    var exchanges: Set<String> = []
    var excluded: [PremiumAbsence.Exclusion] = []
    for (index, row) in rows.enumerated() {
      guard let price = row.headlinePrice(anyBasis: anyPriceBasis) else {
        if let objection = row.headlineObjection(anyBasis: anyPriceBasis) {
          excluded.append(PremiumAbsence.Exclusion(exchange: row.exchange, objection: objection))
        }
        continue
      }
      guard exchanges.insert(row.exchange).inserted else { continue }
      if high.map({ price > $0.price }) ?? true { high = (index, price) }
      if low.map({ price <= $0.price }) ?? true { low = (index, price) }
    }
    guard exchanges.count >= 2, let high, let low, let ratio = (high.price - low.price).divided(by: low.price) else {
      return .failure(PremiumAbsence(usable: exchanges.first, excluded: excluded))
    }
    return .success(Premium(percent: ratio.scaledByPowerOfTen(2), high: high.row, low: low.row))
  }
}
