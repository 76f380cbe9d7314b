/// Whether the exchanges speak of the same coin: their prices of one pair against each other.
///
/// With three exchanges or more, a price is held against the median of the others. Of an even number of others the nearer
/// one of the two in the middle counts, and not their mean: among 100, 101 and 1000 only the last is odd, though the
/// mean of the others is 550 and more for each of the first two. With two exchanges nobody can tell which of them is odd,
/// so both are flagged.
package struct IdentityCheck: Sendable, Hashable {
  /// How far a price may be from the median of the others, in percent of it.
  package var limitPercent: Decimal

  package init(limitPercent: Decimal = 20) {
    self.limitPercent = limitPercent
  }

  /// The finding of each row, in the order of the rows; nil for a row that fits or that enters no headline.
  ///
  /// - Parameters:
  ///   - rows: rows of one pair.
  ///   - rule: which rows count.
  package func findings(_ rows: [Ticker], rule: HeadlineRule = HeadlineRule()) -> [Flag?] {
    findings(rows.map { ($0.exchange, $0.headlinePrice(rule)) })
  }

  /// The finding of each price, in their order; nil for one that fits, or that is not there.
  ///
  /// - Parameter prices: of one pair, in one currency.
  package func findings(_ prices: [(exchange: String, price: Decimal?)]) -> [Flag?] {
    var exchanges: [String: Int] = [:]
    var quotes: [Quote] = []
    for (index, row) in prices.enumerated() {
      guard let price = row.price else { continue }
      let exchange = exchanges[row.exchange] ?? exchanges.count
      exchanges[row.exchange] = exchange
      quotes.append(Quote(row: index, exchange: exchange, price: price))
    }
    quotes.sort { $0.price < $1.price }
    var findings = [Flag?](repeating: nil, count: prices.count)
    guard exchanges.count >= 2 else { return findings }
    for quote in quotes {
      let others = quotes.filter { $0.exchange != quote.exchange }
      findings[quote.row] =
        exchanges.count == 2
        ? pairFinding(quote.price, others: others, prices) : medianFinding(quote.price, others: others)
    }
    return findings
  }

  private struct Quote {
    let row: Int
    /// A number for the exchange: cheaper to compare than its name.
    let exchange: Int
    let price: Decimal
  }

  /// The one of the two in the middle that is nearer to a price, as a ratio; of an odd number the one in the middle.
  ///
  /// Expects the others in the order of their prices.
  private func median(of others: [Quote], nearestTo price: Decimal) -> Quote {
    let lower = others[(others.count - 1) / 2]
    let upper = others[others.count / 2]
    if price <= lower.price { return lower }
    if price >= upper.price { return upper }
    // price / lower against upper / price
    return price * price <= lower.price * upper.price ? lower : upper
  }

  private func medianFinding(_ price: Decimal, others: [Quote]) -> Flag? {
    let median = median(of: others, nearestTo: price).price
    let power = price.powerOfTen(over: median)
    if price.isWithin(percent: limitPercent, of: median), power == nil { return nil }
    let measure = "the median \(median) of the others"
    let message =
      power.map { "price \(price) is about \($0) times \(measure): a multiplier or another coin" }
      ?? "price \(price) is further than \(limitPercent.shortest) % from \(measure): another coin or a multiplier"
    return Flag(.identity, message)
  }

  private func pairFinding(
    _ price: Decimal, others: [Quote], _ prices: [(exchange: String, price: Decimal?)]
  ) -> Flag? {
    let other = median(of: others, nearestTo: price)
    return finding(price, beside: other.price, of: prices[other.row].exchange)
  }

  /// What is wrong with a price beside that of one other exchange; nil where both may be of one coin.
  package func finding(_ price: Decimal, beside other: Decimal, of exchange: String) -> Flag? {
    finding(price, beside: other, named: "\(exchange)'s \(other)")
  }

  /// The finding of each futures price beside the spot price of the same exchange, in their order; nil for one that may be of
  /// the same coin, or that has none beside it.
  ///
  /// - Parameters:
  ///   - futures: rows of one pair.
  ///   - spot: rows of the same pair; of two usable ones of an exchange the first counts.
  package func findings(
    _ futures: [Ticker], besideSpot spot: [Ticker], rule: HeadlineRule = HeadlineRule()
  ) -> [Flag?] {
    let prices = spot.reduce(into: [String: Decimal]()) { prices, row in
      guard prices[row.exchange] == nil, let price = row.headlinePrice(rule) else { return }
      prices[row.exchange] = price
    }
    return futures.map { row in
      guard let price = row.headlinePrice(rule), let other = prices[row.exchange] else { return nil }
      return finding(price, beside: other, named: "the exchange's own spot price \(other)")
    }
  }

  private func finding(_ price: Decimal, beside other: Decimal, named name: String) -> Flag? {
    let power = price.powerOfTen(over: other)
    if max(price, other).isWithin(percent: limitPercent, of: min(price, other)), power == nil { return nil }
    let message =
      power.map { "price \(price) is about \($0) times \(name): a multiplier or another coin" }
      ?? "price \(price) and \(name) are further apart than \(limitPercent.shortest) %: another coin or a multiplier"
    return Flag(.identity, message)
  }
}

extension Decimal {
  /// The power of ten, other than 1, that lies between two prices, to within 5 %; nil for all others.
  func powerOfTen(over other: Decimal) -> Decimal? {
    // Within a factor of 5 there is none; so the usual case costs no division.
    if self < other * 5, other < self * 5 { return nil }
    return divided(by: other)?.nearestPowerOfTen(withinPercent: 5)
  }

  /// Whether the value differs from a positive one by at most that part of it.
  func isWithin(percent: Decimal, of other: Decimal) -> Bool {
    (self - other).magnitude.scaledByPowerOfTen(2) <= other * percent
  }

  /// The power of ten, other than 1, that a positive value is that close to; else nil.
  func nearestPowerOfTen(withinPercent percent: Decimal) -> Decimal? {
    guard signum > 0 else { return nil }
    for power in [leadingPower, leadingPower + 1] where power != 0 {
      let candidate = Decimal(exactly: 1, exponent: Int32(power))
      if isWithin(percent: percent, of: candidate) { return candidate }
    }
    return nil
  }
}
