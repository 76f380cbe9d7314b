import Config
import Mapping
import Quotes

/// Rows of different assets with the same figures: the answer is about one pair, whatever is requested.
struct AlikeRows {
  /// The pairs of the rows, at least two.
  let pairs: [Pair]

  /// - Returns: nil if a table of all pairs has no such rows, or few.
  init?(in table: TestedTable) {
    let rows = table.rows.map(\.ticker).filter { $0.figures.count >= 3 }
    let groups = Dictionary(grouping: rows) { $0.figures.map(\.shortest) }
    guard let most = groups.values.max(by: { $0.count < $1.count }), most.count * 2 > table.rows.count,
      Set(most.map(\.pair.asset)).count >= 3
    else { return nil }
    pairs = most.map(\.pair)
  }

  /// - Returns: nil if the answer about one pair is not that about another one. A moment may lie between them.
  init?(_ table: TestedTable, besides others: [TestedTable]) {
    guard let pair = table.pair, let own = table.rows.first?.ticker, own.figures.count >= 3 else { return nil }
    let other = others.first { other in
      guard let otherPair = other.pair, otherPair.asset != pair.asset, otherPair.payment == pair.payment,
        other.market == table.market, other.part == table.part, let row = other.rows.first?.ticker
      else { return false }
      return row.figures.count == own.figures.count && zip(row.figures, own.figures).allSatisfy(Self.isNear)
    }
    guard let other = other?.pair else { return nil }
    pairs = [pair, other]
  }

  private static func isNear(_ one: Decimal, _ other: Decimal) -> Bool {
    (one - other).magnitude.scaledByPowerOfTen(2) <= other.magnitude
  }

  var text: String {
    "the rows of \(pairs.map { "\($0)" }.list(upTo: 3)) have the same figures: the answer seems to be about one pair, "
      + "whatever is requested"
  }
}

extension Ticker {
  /// The figures that differ from pair to pair; of a percentage many may be the same.
  fileprivate var figures: [Decimal] {
    [price, volume24, turnover24, open, high, low, bid, ask].compactMap { $0.value }
  }
}
