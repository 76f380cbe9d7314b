/// A check of whether two sources of one row, seconds apart, count a figure in the same unit.
///
/// The first message of a stream is compared with the table: a percentage that is a fraction in one of them, or a volume
/// in the asset that is one in money in the other, is plausible in each by itself.
package enum UnitCheck {
  /// Returns the first figure that one row counts in another unit than the other; nil if none is known to be.
  ///
  /// - Parameters:
  ///   - row: The row of which figures are looked at.
  ///   - other: A row of the same pair, of about the same time.
  ///   - fields: The fields to compare.
  package static func difference(
    of row: Ticker, from other: Ticker, in fields: TickerFields
  ) -> (field: TickerField, own: Decimal, other: Decimal)? {
    guard let price = row.price.value, let before = other.price.value, before.signum > 0 else { return nil }
    func pair(_ field: TickerField) -> (Decimal, Decimal)? {
      guard fields.contains(TickerFields(field)), case .value(let own) = row.cell(field),
        case .value(let known) = other.cell(field)
      else { return nil }
      return (own, known)
    }
    if row.changeBasis == other.changeBasis, let (own, known) = pair(.changePricePercent24) {
      let moved = ((price - before) * 100).divided(by: before)?.magnitude ?? 0
      // A change follows the price; nothing else moves it by whole points within seconds.
      let isFar = (own - known).magnitude > moved * 2 + Decimal(exactly: 3, exponent: -1)
      let isScaled = [2, -2].contains { power in
        (own.scaledByPowerOfTen(power) - known).magnitude * 5 <= known.magnitude
      }
      if isFar, isScaled { return (.changePricePercent24, own, known) }
    }
    for field in [TickerField.volume24, .turnover24] {
      guard let (own, known) = pair(field), own.signum > 0, known.signum > 0 else { continue }
      let (less, more) = (min(own, known), max(own, known))
      guard more > less * 5, let factor = more.divided(by: less) else { continue }
      let isOfPrice = [price, Decimal(1).divided(by: price) ?? 0].contains { factor.isWithin(percent: 20, of: $0) }
      if isOfPrice || factor.nearestPowerOfTen(withinPercent: 20) != nil { return (field, own, known) }
    }
    return nil
  }
}
