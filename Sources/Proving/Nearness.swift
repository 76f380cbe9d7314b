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
    return texts
  }
}
