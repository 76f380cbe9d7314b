/// A check across rows of whether changes are percentages: a fraction read as a percentage is a small change, plausible
/// on its own, and so is a percentage multiplied by 100, unless it is a fall.
///
/// Nearly all changes of a table are less than a twentieth of the range from low to high, and would fit there if
/// multiplied by 100: one in ten correct changes is that small. Only rows with a rolling 24-hour change, a range, and no
/// open to compare with count; at least eight are needed. Where rows have neither open nor range, two falls by 100 % or
/// more show that the rest is no better.
package struct ChangeScaleCheck {
  /// How many rows a proof takes.
  package static let least = 8

  /// How many rows have a change and what it can be compared with.
  package private(set) var count = 0
  private var (small, fitting) = (0, 0)
  private var (bare, falls) = (0, 0)

  package init() {}

  /// Takes a row of the table into account.
  package mutating func add(_ row: Ticker) {
    if let change = Self.bareChange(of: row) {
      bare += 1
      if change <= -100 { falls += 1 }
    }
    guard let (change, price, (low, high)) = Self.comparable(row) else { return }
    count += 1
    guard Self.isSmall(change, of: price, within: (low, high)) else { return }
    small += 1
    let rest = change * 100 + 100
    if low * 98 * rest <= price * 10_000, price * 10_000 <= high * 102 * rest { fitting += 1 }
  }

  private var hasFalls: Bool { falls >= 2 && falls * 20 >= bare }

  /// Returns whether the finding is about a row: that of falls only about rows that prove their change as little.
  package func concerns(_ row: Ticker) -> Bool {
    if hasFalls { return Self.bareChange(of: row) != nil }
    return row.changePricePercent24.value.map { $0.signum != 0 } ?? false
  }

  /// The finding for all rows so far; nil if they prove nothing.
  package var finding: Flag? {
    if hasFalls {
      return Flag(.change, .falls(falls, of: bare), advice: .scale(power: -2))
    }
    guard count >= Self.least, small * 10 >= count * 9, fitting * 20 >= small * 19 else { return nil }
    return Flag(.change, .smallChanges(small, of: count), advice: .scale(power: 2))
  }

  /// A change below this fraction of the 24-hour range is small.
  private static let smallPart: Decimal = 20

  /// Returns whether a change in percent is small for the range from low to high.
  static func isSmall(_ change: Decimal, of price: Decimal, within range: (low: Decimal, high: Decimal)) -> Bool {
    change.magnitude * price * smallPart < (range.high - range.low) * 100
  }

  /// Returns the change of a row and what it can be compared with; nil if nothing says how large it must be, or if an
  /// open does.
  private static func comparable(
    _ row: Ticker
  ) -> (change: Decimal, price: Decimal, range: (low: Decimal, high: Decimal))? {
    guard row.changeBasis == .rolling24h, row.lowBasis == .rolling24h, row.highBasis == .rolling24h,
      row.open.value == nil || row.derived.contains(.open), !row.derived.contains(.changePricePercent24),
      case .value(let change) = row.changePricePercent24, change.signum != 0, case .value(let price) = row.price,
      case .value(let low) = row.low, case .value(let high) = row.high, low < high
    else { return nil }
    return (change, price, (low, high))
  }

  /// Returns the change of a row that has nothing to compare it with; nil if it has.
  private static func bareChange(of row: Ticker) -> Decimal? {
    guard row.open.value == nil || row.derived.contains(.open), row.low.value == nil || row.high.value == nil,
      !row.derived.contains(.changePricePercent24), let change = row.changePricePercent24.value, change.signum != 0
    else { return nil }
    return change
  }

  /// Returns whether the change of a row may be a fraction, or a hundred times too large, which only other rows can tell.
  package static func isDoubtful(_ row: Ticker) -> Bool {
    comparable(row).map { isSmall($0.change, of: $0.price, within: $0.range) } ?? (bareChange(of: row) != nil)
  }

  /// Returns a finding for each row of one pair whose change is at least ten times or at most a tenth of that of the
  /// other exchanges at the same price, and nil for a row that fits, proves nothing, or proves its change by an open
  /// that the exchange sends.
  ///
  /// The same price means within 1 %, and at least three exchanges are needed, each of which counts once, by its first
  /// row, and three quarters of the others within a point, or a fifth, of their median. Changes with a basis other than
  /// the rolling 24 hours are not comparable, and those within one point of each other are not told apart.
  package static func findings(_ rows: [Ticker]) -> [Flag?] {
    let known = rows.enumerated().compactMap {
      index, row -> (index: Int, exchange: String, price: Decimal, change: Decimal)? in
      guard row.changeBasis == .rolling24h, row.priceBasis == .last, !row.flags.contains(where: \.excludes),
        let price = row.price.value, let change = row.changePricePercent24.value
      else { return nil }
      return (index, row.exchange, price, change)
    }
    var findings = [Flag?](repeating: nil, count: rows.count)
    guard known.count >= 3 else { return findings }
    for own in known where !isProven(rows[own.index]) {
      var exchanges: Set<String> = [own.exchange]
      let others = known.filter { other in
        (other.price - own.price).magnitude * 100 <= own.price && exchanges.insert(other.exchange).inserted
      }.map(\.change)
      guard others.count >= 2, let median = others.median else { continue }
      // Exchanges that disagree with each other prove nothing.
      guard others.count(where: { ($0 - median).magnitude * 5 <= max(5, median.magnitude) }) * 4 >= others.count * 3
      else { continue }
      let (less, more) = (min(own.change.magnitude, median.magnitude), max(own.change.magnitude, median.magnitude))
      guard more >= less * 10, (own.change - median).magnitude > 1 else { continue }
      let power = [2, -2].first { power in
        (own.change.scaledByPowerOfTen(power) - median).magnitude * 5 <= median.magnitude
      }
      findings[own.index] = Flag(
        .change,
        .unlikeOthers(change: own.change.rounded(toPlaces: 2), others: median.rounded(toPlaces: 2)),
        advice: power.map { .scale(power: $0) } ?? .otherOpen, excludes: false)
    }
    return findings
  }

  /// Returns whether the exchange sends an open from which the change leads to the price.
  private static func isProven(_ row: Ticker) -> Bool {
    guard !row.derived.contains(.open), !row.derived.contains(.changePricePercent24),
      case .value(let open) = row.open, open.signum > 0, case .value(let price) = row.price,
      case .value(let change) = row.changePricePercent24
    else { return false }
    return MeaningCheck.isChange(change, from: open, to: price)
  }
}
