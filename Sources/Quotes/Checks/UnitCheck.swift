/// A check of whether two sources of one row, seconds apart, count a figure in the same unit.
///
/// What a stream says first is compared with the table of a minute ago at most: a percentage that is a fraction in one of
/// them, or a volume in the asset that is one in money in the other, is plausible in each by itself.
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
      let moved = price.percent(above: before)?.magnitude ?? 0
      // Within a minute a change follows the price, and hardly anything else moves it.
      let isFar = (own - known).magnitude > moved * 2 + Decimal(exactly: 3, exponent: -1)
      let isScaled = [2, -2].contains { power in
        (own.scaledByPowerOfTen(power) - known).magnitude * 5 <= known.magnitude
      }
      if isFar, isScaled { return (.changePricePercent24, own, known) }
    }
    let factors = [TickerField.volume24, .turnover24].map { field in
      pair(field).flatMap { own, known in known.signum > 0 ? own.divided(by: known) : nil }
    }
    // A large trade in a quiet market multiplies both, but hardly by a power of ten.
    if let volume = factors[0], let turnover = factors[1], volume.isWithin(percent: 20, of: turnover) {
      let powers = [volume, turnover].map { $0.nearestPowerOfTen(withinPercent: Decimal(exactly: 5, exponent: -1)) }
      guard let power = powers[0], power == powers[1], power >= 100 || power * 100 <= 1 else { return nil }
      return pair(.volume24).map { (.volume24, $0, $1) }
    }
    for (field, factor) in zip([TickerField.volume24, .turnover24], factors) {
      guard let factor, factor.signum > 0, let inverse = Decimal(1).divided(by: factor),
        let (own, known) = pair(field)
      else { continue }
      let more = max(factor, inverse)
      guard more > 5 else { continue }
      let isOfPrice = [price, Decimal(1).divided(by: price) ?? 0].contains { more.isWithin(percent: 5, of: $0) }
      if isOfPrice || more.nearestPowerOfTen(withinPercent: 5) != nil { return (field, own, known) }
    }
    return nil
  }

  /// How many levels that have a price in common it takes to compare their sizes.
  private static let minimumLevels = 5

  /// Returns the sizes of two books at one price if those of one are counted in another unit than those of the other;
  /// nil if they are not, or if the books have too few prices in common. From one moment to the next most levels stay as
  /// they are, and contracts are ten times an amount or more, so the median of the ratios tells.
  package static func sizes(of book: OrderBook, _ other: OrderBook) -> (own: Decimal, other: Decimal)? {
    var found: [(ratio: Decimal, own: Decimal, other: Decimal)] = []
    for (levels, others) in [(book.bids, other.bids), (book.asks, other.asks)] {
      let known = Dictionary(others.prefix(50).map { ($0.price, $0.size) }) { first, _ in first }
      for level in levels.prefix(50) {
        guard let size = known[level.price], let ratio = level.size.divided(by: size) else { continue }
        found.append((ratio, level.size, size))
      }
    }
    guard found.count >= minimumLevels, let (ratio, own, size) = found.median(by: { $0.ratio }) else { return nil }
    return ratio >= 8 || ratio * 8 <= 1 ? (own, size) : nil
  }
}
