package import Quotes

extension Instant {
  /// Returns whether the two are no more seconds apart than this.
  func isWithin(seconds: UInt64, of other: Instant) -> Bool {
    nanoseconds(since: other).magnitude <= seconds * 1_000_000_000
  }
}

extension Ticker {
  /// Returns what the answer about one pair says that cannot be of the same pair as its row in the table of all pairs.
  package func disagreements(withTable row: Ticker) -> [String] {
    var texts: [String] = []
    if product != row.product {
      texts.append("product is \(product ?? "none") here and \(row.product ?? "none") in the table of all pairs")
    }
    for field in [TickerField.price, .open, .high, .low, .bid, .ask, .volume24, .turnover24] {
      guard let one = cell(field).value, let other = row.cell(field).value, one.signum > 0, other.signum > 0,
        one > other * 2 || other > one * 2
      else { continue }
      texts.append("\(field.rawValue) is \(one) here and \(other) in the table of all pairs")
    }
    if let (one, other) = changesInOtherUnits(row) {
      let name = TickerField.changePricePercent24.rawValue
      texts.append("\(name) is \(one) here and \(other) in the table of all pairs")
    }
    return texts
  }

  /// Returns the two changes if one of them is rather a fraction. A change near zero may be a multiple of itself a moment
  /// later, so the price must be about the same, and its move not account for the difference. Changes of different spans
  /// may be anything.
  private func changesInOtherUnits(_ row: Ticker) -> (one: Decimal, other: Decimal)? {
    guard changeBasis == row.changeBasis, let one = changePricePercent24.value,
      let other = row.changePricePercent24.value,
      let price = price.value, let before = row.price.value, price.signum > 0, before.signum > 0,
      (price - before).magnitude * 100 <= before, let ratio = price.divided(by: before)
    else { return nil }
    if let time, let other = row.time, !time.isWithin(seconds: 3600, of: other) { return nil }
    let (smaller, larger) =
      one.magnitude < other.magnitude ? (one.magnitude, other.magnitude) : (other.magnitude, one.magnitude)
    let unexplained = ((100 + other) * ratio - 100 - one).magnitude
    return larger > smaller * 30 && unexplained * 4 > 1 ? (one, other) : nil
  }
}
