import Quotes

/// How numbers that may be a field's stand to the other fields of their rows.
struct FieldRelations {
  /// How many rows keep a relation.
  struct Kept {
    let share: Double
    /// Of how many rows that can be said.
    let count: Int
    /// `low <= price <= high in 12 of 12`.
    let text: String
  }

  /// The numbers of the fields that the answer still has, by row.
  let numbers: [TickerField: [Int: Double]]

  /// How many rows keep the most telling relation of a field that can be checked; nil where none can.
  func check(_ values: [Int: Double], as field: TickerField) -> Kept? {
    relations(of: field).lazy.compactMap { relation -> Kept? in
      let rows = values.compactMap { row, value -> Bool? in
        let others = relation.others.compactMap { numbers[$0]?[row] }
        return others.count == relation.others.count ? relation.holds(value, others) : nil
      }
      let kept = rows.count { $0 }
      return rows.isEmpty
        ? nil
        : Kept(
          share: Double(kept) / Double(rows.count), count: rows.count,
          text: "\(relation.text) in \(kept) of \(rows.count)")
    }.first
  }

  private struct Relation {
    let text: String
    let others: [TickerField]
    let holds: (Double, [Double]) -> Bool

    init(_ text: String, _ others: [TickerField], _ holds: @escaping (Double, [Double]) -> Bool) {
      (self.text, self.others, self.holds) = (text, others, holds)
    }
  }

  /// The most telling first.
  private func relations(of field: TickerField) -> [Relation] {
    switch field {
    case .price:
      [
        Relation("low <= price <= high", [.low, .high]) { $0 >= $1[0] * 0.995 && $0 <= $1[1] * 1.005 },
        Relation("bid <= price <= ask", [.bid, .ask]) { $0 >= $1[0] * 0.97 && $0 <= $1[1] * 1.03 },
        Relation("the price agrees with open and change", [.open, .changePricePercent24]) {
          Self.isChange($1[1], from: $1[0], to: $0)
        },
      ]
    case .high: [Relation("price <= high < 3 × price", [.price]) { $0 >= $1[0] * 0.995 && $0 < $1[0] * 3 }]
    case .low: [Relation("price / 3 < low <= price", [.price]) { $0 <= $1[0] * 1.005 && $0 * 3 > $1[0] }]
    case .bid: [Relation("bid <= ask", [.ask]) { $0 <= $1[0] && $0 * 1.5 > $1[0] }]
    case .ask: [Relation("bid <= ask", [.bid]) { $0 >= $1[0] && $0 < $1[0] * 1.5 }]
    case .open:
      [
        Relation("open, price and change agree", [.price, .changePricePercent24]) {
          Self.isChange($1[1], from: $0, to: $1[0])
        }
      ]
    case .changePricePercent24:
      [Relation("change = (price - open) / open", [.price, .open]) { Self.isChange($0, from: $1[1], to: $1[0]) }]
    case .volume24:
      [Relation("turnover / volume is a price", [.turnover24, .price]) { Self.isPrice($1[1], $1[0], $0) }]
    case .turnover24:
      [Relation("turnover / volume is a price", [.volume24, .price]) { Self.isPrice($1[1], $0, $1[0]) }]
    case .time: []
    }
  }

  private static func isPrice(_ price: Double, _ turnover: Double, _ volume: Double) -> Bool {
    volume > 0 ? (0.5...2).contains(turnover / volume / price) : turnover == 0
  }

  private static func isChange(_ percent: Double, from open: Double, to price: Double) -> Bool {
    guard open > 0 else { return false }
    let change = (price - open) / open * 100
    return abs(percent - change) <= max(0.15, abs(change) * 0.03)
  }
}
