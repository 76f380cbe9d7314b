/// A check of the basis of exchanges' changes, highs and lows, which compares exchanges at one moment.
///
/// A change since midnight passed off as one of the last 24 hours passes every check of its own row: it is correct, but
/// for something else. Compared with other exchanges it is off by the same span in pair after pair, and it fits those
/// with the same basis.
package struct BasisComparison: Sendable {
  /// One market of one exchange.
  package struct Source: Sendable, Hashable {
    package let exchange: String
    package let market: Market

    package init(exchange: String, market: Market) { (self.exchange, self.market) = (exchange, market) }
  }

  /// A source's figures that do not match the basis declared in the config.
  package struct Finding: Sendable, Hashable {
    package let source: Source
    /// The change, the high or the low.
    package let field: TickerField
    package let declared: ChangeBasis
    /// What they fit instead; nil if they fit no basis of another exchange.
    package let fitting: Fit?
    /// The number of pairs compared.
    package let pairs: Int
    /// The difference from the others with the declared basis: the median over the pairs, in percentage points for a
    /// change, in percent for a high or low.
    package let difference: Decimal
  }

  package enum Fit: Sendable, Hashable {
    case basis(ChangeBasis)
    /// The declared basis, with the decimal point moved by `power` places.
    case scale(power: Int)
  }

  /// The number of pairs compared, those listed by the most exchanges.
  static let pairCount = 20
  /// Fewer pairs prove nothing.
  private static let minimumPairs = 5

  private let rows: [Ticker]
  /// Indexes into `rows`, by pair and by asset.
  private let byPair: [Pair: [Int]]
  private let byAsset: [String: [Int]]
  private let pairs: [Pair]

  /// - Parameter rows: The rows of all exchanges, markets and pairs, at one moment.
  package init(_ rows: [Ticker]) {
    self.rows = rows.filter { row in
      row.price.value != nil && row.multiplier == nil
        && !row.flags.contains { [.stale, .time, .dead, .duplicate, .identity, .malformed].contains($0.kind) }
    }
    byPair = Dictionary(grouping: self.rows.indices) { [rows = self.rows] in rows[$0].pair }
    byAsset = Dictionary(grouping: self.rows.indices) { [rows = self.rows] in rows[$0].pair.asset }
    let counts = byPair.mapValues { [rows = self.rows] places in Set(places.map { rows[$0].exchange }).count }
    pairs = counts.filter { $0.value >= 3 }
      .sorted { ($1.value, $0.key.description) < ($0.value, $1.key.description) }
      .prefix(Self.pairCount).map(\.key)
  }

  /// The figures that do not match the config, in the order of the rows' sources.
  package var findings: [Finding] {
    rows.map { Source(exchange: $0.exchange, market: $0.market) }.unique.flatMap { source in
      [TickerField.changePricePercent24, .high, .low].compactMap { finding(of: $0, source) }
    }
  }

  private func finding(of field: TickerField, _ source: Source) -> Finding? {
    let own = pairs.compactMap { pair in
      byPair[pair]?.first { Source(exchange: rows[$0].exchange, market: rows[$0].market) == source }
    }
    guard let declared = own.lazy.compactMap({ rows[$0].basis(of: field) }).first else { return nil }
    func difference(_ basis: ChangeBasis, power: Int = 0) -> (median: Decimal, pairs: Int)? {
      let differences = own.compactMap { place -> Decimal? in
        guard let value = rows[place].cell(field).value, let other = reference(field, basis, for: place) else {
          return nil
        }
        return Self.difference(value.scaledByPowerOfTen(power), other, of: field)
      }
      return differences.count < Self.minimumPairs
        ? nil : differences.median.map { (median: $0, pairs: differences.count) }
    }
    guard let plain = difference(declared), plain.median > Self.tolerance(of: field) else { return nil }
    func fits(_ other: (median: Decimal, pairs: Int)?) -> Bool {
      other.map { $0.median <= Self.tolerance(of: field) && $0.median * 4 <= plain.median } ?? false
    }
    var fitting: Fit?
    if field == .changePricePercent24 {
      // A fraction, a percentage multiplied by 100, or per mille: among small changes, several may fit.
      let scales = [2, -2, -1].compactMap { power in difference(declared, power: power).map { (power, $0) } }
      fitting = scales.filter { fits($0.1) }.min { $0.1.median < $1.1.median }.map { .scale(power: $0.0) }
    }
    let others = ChangeBasis.allCases.filter { $0 != declared }.compactMap { basis in
      difference(basis).map { (basis: basis, difference: $0) }
    }
    let nearest = others.filter { fits($0.difference) }.min { $0.difference.median < $1.difference.median }
    // A high may just be this exchange's own trades, so it is reported only if it fits another basis.
    guard field == .changePricePercent24 || nearest != nil else { return nil }
    return Finding(
      source: source, field: field, declared: declared, fitting: fitting ?? nearest.map { .basis($0.basis) },
      pairs: plain.pairs, difference: plain.median)
  }

  /// Returns the median figure of other exchanges with a basis for the same pair or, if none has the pair, for the same
  /// asset in other currencies. Returns nil without any, and for the rolling 24 hours with fewer than two.
  private func reference(_ field: TickerField, _ basis: ChangeBasis, for place: Int) -> Decimal? {
    let row = rows[place]
    func values(_ places: [Int]?) -> [Decimal] {
      (places ?? []).compactMap { other in
        guard rows[other].exchange != row.exchange, rows[other].basis(of: field) == basis else { return nil }
        return rows[other].cell(field).value
      }
    }
    var found = values(byPair[row.pair])
    if found.isEmpty, field == .changePricePercent24 { found = values(byAsset[row.pair.asset]) }
    return found.count >= (basis == .rolling24h ? 2 : 1) ? found.median : nil
  }

  private static func difference(_ value: Decimal, _ other: Decimal, of field: TickerField) -> Decimal? {
    let difference = (value - other).magnitude
    return field == .changePricePercent24 ? difference : difference.percent(of: other)
  }

  /// Returns how far figures of one basis may differ between exchanges: points for a change, percent for a high or low.
  private static func tolerance(of field: TickerField) -> Decimal {
    field == .changePricePercent24 ? Decimal(exactly: 4, exponent: -1) : Decimal(exactly: 6, exponent: -1)
  }
}

extension Ticker {
  /// Returns the basis of a change, a high or a low.
  fileprivate func basis(of field: TickerField) -> ChangeBasis? {
    switch field {
    case .high: highBasis
    case .low: lowBasis
    default: changeBasis
    }
  }
}
