/// A check of whether exchanges mean the same coin, which compares their prices of one pair.
///
/// With three exchanges or more, each price is compared with the median of the others. If their number is even, the
/// nearer of the two middle prices is used instead of the mean: among 100, 101 and 1000 only the last is odd, though
/// the mean of the others is at least 550 for each of the first two. With two exchanges there is no telling which one
/// is odd, so both are flagged; a third that fits neither does not decide it.
///
/// If half of the prices or more do not fit, the medians may be of wrong ones: then the worst is taken away, multiples
/// first, and the rest compared again. Those that remain stand if they are more than any that agree among the others:
/// among 100, 101, 127 and 1000 the first two.
///
/// Two prices on either side of the median can be near it and yet too far from each other. The one further from the
/// median is flagged, until the dearest and the cheapest may be of one coin.
package struct IdentityCheck: Sendable, Hashable {
  /// How far a price may be from the median of the others, in percent of the median.
  package var limitPercent: Decimal

  package init(limitPercent: Decimal) { self.limitPercent = limitPercent }

  /// The check of a config that sets no limit.
  package static let standard = IdentityCheck(limitPercent: 20)

  /// Returns the finding of each row, in order; nil for a row that fits or that enters no headline.
  ///
  /// - Parameters:
  ///   - rows: The rows of one pair.
  ///   - rule: The rule for which rows count.
  package func findings(_ rows: [Ticker], rule: HeadlineRule) -> [Flag?] {
    findings(rows.map { ($0.exchange, $0.headlinePrice(rule)) })
  }

  /// Returns the finding of each price, in order; nil for one that fits or is missing.
  ///
  /// - Parameter prices: The prices of one pair, in one currency.
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
    for (row, flag) in oddOnes(among: quotes, prices) { findings[row] = flag }
    let standing = quotes.filter { findings[$0.row] == nil }
    var fitting = standing
    while let low = fitting.first, let high = fitting.last, !high.price.isWithin(percent: limitPercent, of: low.price) {
      func median(beside quote: Quote) -> Decimal {
        Self.median(of: standing.filter { $0.exchange != quote.exchange }, nearestTo: quote.price, \.price).price
      }
      // Compares high / median with median / low.
      let isHighOdd = high.price * low.price >= median(beside: high) * median(beside: low)
      let odd = isHighOdd ? fitting.removeLast() : fitting.removeFirst()
      let other = isHighOdd ? low : high
      findings[odd.row] = finding(odd.price, beside: other.price, of: prices[other.row].exchange)
    }
    return findings
  }

  /// Returns the findings of the prices that do not fit, by their rows.
  ///
  /// - Parameter quotes: Sorted by price.
  private func oddOnes(among quotes: [Quote], _ prices: [(exchange: String, price: Decimal?)]) -> [Int: Flag] {
    let all = compared(quotes, prices)
    // If most prices fit, the medians are theirs.
    guard all.count * 2 >= quotes.count else { return all }
    var (standing, odd) = (quotes, all)
    var dropped: [Int: Flag] = [:]
    while !odd.isEmpty {
      // There is no telling which of two exchanges is odd.
      guard Set(standing.map(\.exchange)).count > 2 else { return all }
      let distances = standing.filter { odd[$0.row] != nil }.map { ($0.row, distance(of: $0, in: standing)) }
      guard let worst = distances.max(by: { $0.1 < $1.1 })?.0 else { return all }
      dropped[worst] = odd[worst]
      standing.removeAll { $0.row == worst }
      odd = compared(standing, prices)
    }
    let others = quotes.filter { dropped[$0.row] != nil }
    let groups = others.indices.map { low in
      others[low...].prefix { $0.price.isWithin(percent: limitPercent, of: others[low].price) }.map(\.exchange)
    }
    // As many that agree on another price may as well be right.
    guard groups.allSatisfy({ Set($0).count < Set(standing.map(\.exchange)).count }) else { return all }
    return dropped.merging(all.filter { dropped[$0.key] != nil }) { $1 }
  }

  /// Returns the finding of each price that does not fit the median of other exchanges, or the only other one.
  private func compared(_ quotes: [Quote], _ prices: [(exchange: String, price: Decimal?)]) -> [Int: Flag] {
    let areTwo = Set(quotes.map(\.exchange)).count == 2
    return quotes.reduce(into: [:]) { findings, quote in
      let others = quotes.filter { $0.exchange != quote.exchange }
      findings[quote.row] =
        areTwo ? pairFinding(quote.price, others: others, prices) : medianFinding(quote.price, others: others)
    }
  }

  /// Returns how far a price is from the median of the others: whether it is a multiple (1) or not (0), then the ratio
  /// of the larger to the smaller.
  private func distance(of quote: Quote, in quotes: [Quote]) -> (Int, Decimal) {
    let others = quotes.filter { $0.exchange != quote.exchange }
    let median = Self.median(of: others, nearestTo: quote.price, \.price).price
    let ratio = max(quote.price, median).divided(by: min(quote.price, median)) ?? 0
    return (quote.price.powerOfTen(over: median) == nil ? 0 : 1, ratio)
  }

  /// The prices of one source over time, to compare with those of others.
  package struct Line: Sendable {
    /// What tells the source apart, as messages name it.
    let source: String
    let grid: CandleGrid
    /// The start of each interval that has a price, oldest first.
    let starts: [Instant]
    /// Returns the price of an interval, by its index; nil if there is none in the common currency.
    let price: @Sendable (Int) -> Decimal?

    package init(
      _ source: String, on grid: CandleGrid, starts: [Instant], price: @escaping @Sendable (Int) -> Decimal?
    ) {
      self.source = source
      self.grid = grid
      self.starts = starts
      self.price = price
    }

    /// Returns the index of the interval that contains a moment.
    fileprivate func index(at moment: Instant) -> Int? {
      var (low, high) = (0, starts.count)
      while low < high {
        let middle = (low + high) / 2
        if starts[middle] <= moment { low = middle + 1 } else { high = middle }
      }
      return low > 0 && moment < grid.end(of: starts[low - 1]) ? low - 1 : nil
    }
  }

  /// Returns the finding of each line, in order; nil for one that fits or that shares no moment with another.
  ///
  /// Prices of the same moment are compared, if it is one of the newest: where all lines have one, else where a line not
  /// yet compared and another have one. An exchange may leave out its running candle; one that last traded the pair long
  /// ago is not compared. Of days that begin at different hours, which end hours apart, only multiples are noticed.
  ///
  /// - Parameter lines: The prices of one pair, in one currency.
  package func findings(_ lines: [Line]) -> [Flag?] {
    var findings = [Flag?](repeating: nil, count: lines.count)
    let all = lines.indices.filter { !lines[$0].starts.isEmpty }
    guard all.count > 1, let newest = all.compactMap({ lines[$0].starts.last }).max(),
      let grid = all.first(where: { lines[$0].starts.last == newest }).map({ lines[$0].grid })
    else { return findings }
    let oldest = grid.moment(-2, after: newest)
    let moments = Set(lines.flatMap { $0.starts.suffix(4) }).filter { $0 >= oldest }.sorted(by: >)
    func present(at moment: Instant) -> [Int] { all.filter { lines[$0].index(at: moment) != nil } }
    var open = Set(all)
    var next = moments.first { present(at: $0).count == all.count }
    while !open.isEmpty {
      next =
        next
        ?? moments.first { moment in
          let present = present(at: moment)
          return present.count > 1 && present.contains(where: open.contains)
        }
      guard let moment = next else { break }
      next = nil
      let prices = lines.map { line in (exchange: line.source, price: line.index(at: moment).flatMap(line.price)) }
      let ends = Set(present(at: moment).map { lines[$0].grid.end(of: lines[$0].grid.start(containing: moment)) })
      let flags = (ends.count > 1 ? ofMultiples : self).findings(prices)
      for (place, flag) in flags.enumerated() where open.contains(place) { findings[place] = flag }
      open.subtract(present(at: moment))
    }
    return findings
  }

  /// The same check of prices that are not of one time, or not converted at the rate of their time: only a multiple of
  /// one can belong to another coin.
  package var ofMultiples: IdentityCheck { IdentityCheck(limitPercent: max(limitPercent, 400)) }

  private struct Quote {
    let row: Int
    /// A number for the exchange: cheaper to compare than its name.
    let exchange: Int
    let price: Decimal
  }

  /// Returns the median of `others`; of two middle prices, the one whose ratio to `price` is smaller.
  ///
  /// - Parameter others: Not empty, and sorted by price.
  static func median<Element>(
    of others: [Element], nearestTo price: Decimal, _ value: (Element) -> Decimal
  ) -> Element {
    let (lower, upper) = (others[(others.count - 1) / 2], others[others.count / 2])
    let (least, most) = (value(lower), value(upper))
    if price <= least { return lower }
    if price >= most { return upper }
    // Compares price / lower with upper / price.
    return price * price <= least * most ? lower : upper
  }

  private func medianFinding(_ price: Decimal, others: [Quote]) -> Flag? {
    let median = Self.median(of: others, nearestTo: price, \.price).price
    let (lower, upper) = (others[(others.count - 1) / 2].price, others[others.count / 2].price)
    // Two middle prices that are not of one coin have no middle: what the nearer one says counts both ways.
    guard upper.isWithin(percent: limitPercent, of: lower) else {
      return finding(price, beside: median, .nearerMiddle(median))
    }
    let power = price.powerOfTen(over: median)
    if price.isWithin(percent: limitPercent, of: median), power == nil { return nil }
    return flag(price, power, .median(median))
  }

  private func pairFinding(
    _ price: Decimal, others: [Quote], _ prices: [(exchange: String, price: Decimal?)]
  ) -> Flag? {
    let other = Self.median(of: others, nearestTo: price, \.price)
    return finding(price, beside: other.price, of: prices[other.row].exchange)
  }

  /// Returns what is wrong with a price compared with one other exchange's, or nil if both may be of the same coin.
  package func finding(_ price: Decimal, beside other: Decimal, of exchange: String) -> Flag? {
    finding(price, beside: other, .exchange(exchange, other))
  }

  /// Returns the finding of each futures price, in order; nil for one that may be of the same coin as the others.
  ///
  /// It is compared with the same exchange's spot price, then with the prices of all other exchanges, spot and futures:
  /// many exchanges have only futures, and the two differ far less than coins do.
  ///
  /// - Parameters:
  ///   - futures: Rows of one pair.
  ///   - spot: Rows of the same pair. If an exchange has two usable ones, the first counts.
  package func findings(
    _ futures: [Ticker], besideSpot spot: [Ticker], rule: HeadlineRule
  ) -> [Flag?] {
    let prices = spot.reduce(into: [String: Decimal]()) { prices, row in
      guard prices[row.exchange] == nil, let price = row.headlinePrice(rule) else { return }
      prices[row.exchange] = price
    }
    return zip(futures, findings(futures + spot, rule: rule)).map { row, amongOthers in
      guard let price = row.headlinePrice(rule), let other = prices[row.exchange] else { return amongOthers }
      return finding(price, beside: other, .ownSpot(other)) ?? amongOthers
    }
  }

  private func finding(_ price: Decimal, beside other: Decimal, _ reference: Flag.Reference) -> Flag? {
    let power = price.powerOfTen(over: other)
    if max(price, other).isWithin(percent: limitPercent, of: min(price, other)), power == nil { return nil }
    return flag(price, power, reference)
  }

  private func flag(_ price: Decimal, _ power: Decimal?, _ reference: Flag.Reference) -> Flag {
    Flag(
      .identity,
      power.map { .multiple(price: price, factor: $0, of: reference) }
        ?? .far(price: price, percent: limitPercent, from: reference))
  }
}

extension Decimal {
  /// Returns the power of ten, other than 1, that the ratio of two prices is within 5 % of, or nil if there is none.
  func powerOfTen(over other: Decimal) -> Decimal? {
    // Ratios below 5 have none, so the usual case costs no division.
    if self < other * 5, other < self * 5 { return nil }
    return divided(by: other)?.nearestPowerOfTen(withinPercent: 5)
  }

  /// Returns whether the value differs from a positive one by at most `percent` of it.
  package func isWithin(percent: Decimal, of other: Decimal) -> Bool {
    (self - other).magnitude.scaledByPowerOfTen(2) <= other * percent
  }

  /// Returns the power of ten, other than 1, that a positive value is within `percent` of, or nil if there is none.
  func nearestPowerOfTen(withinPercent percent: Decimal) -> Decimal? {
    guard signum > 0 else { return nil }
    for power in [leadingPower, leadingPower + 1] where power != 0 {
      let candidate = Decimal(exactly: 1, exponent: Int32(power))
      if isWithin(percent: percent, of: candidate) { return candidate }
    }
    return nil
  }
}

extension Instant {
  /// Whether an exchange rate of `now` may be far from that of this moment: a month or more before.
  package func isOld(for now: Instant) -> Bool { now.nanoseconds(since: self) > 30 * Self.day }
}
