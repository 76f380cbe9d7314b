import Quotes

/// How numbers that may be a field's stand to the other fields of their rows.
struct FieldRelations {
  /// The numbers of the fields that the answer still has, by row.
  let numbers: [TickerField: [Int: Double]]

  /// How many rows keep the relation, of those that can be told, and the relation in words; nil where nothing can be
  /// told.
  func check(_ values: [Int: Double], as field: TickerField) -> (kept: Int, of: Int, text: String)? {
    relations(of: field).lazy.compactMap { relation -> (Int, Int, String)? in
      var told = 0
      var kept = 0
      for (row, value) in values {
        let others = relation.others.map { numbers[$0]?[row] }
        guard !others.contains(nil) else { continue }
        told += 1
        if relation.holds(value, others.compactMap(\.self)) { kept += 1 }
      }
      return told == 0 ? nil : (kept, told, relation.text)
    }.first
  }

  private struct Relation {
    let text: String
    let others: [TickerField]
    let holds: (Double, [Double]) -> Bool
  }

  /// The most telling first.
  private func relations(of field: TickerField) -> [Relation] {
    switch field {
    case .price:
      [
        Relation(text: "low <= price <= high", others: [.low, .high]) { $0 >= $1[0] * 0.995 && $0 <= $1[1] * 1.005 },
        Relation(text: "bid <= price <= ask", others: [.bid, .ask]) { $0 >= $1[0] * 0.97 && $0 <= $1[1] * 1.03 },
        Relation(text: "the price agrees with open and change", others: [.open, .changePricePercent24]) {
          Self.isChange($1[1], from: $1[0], to: $0)
        },
      ]
    case .high:
      [Relation(text: "price <= high < 3 × price", others: [.price]) { $0 >= $1[0] * 0.995 && $0 < $1[0] * 3 }]
    case .low:
      [Relation(text: "price / 3 < low <= price", others: [.price]) { $0 <= $1[0] * 1.005 && $0 * 3 > $1[0] }]
    case .bid: [Relation(text: "bid <= ask", others: [.ask]) { $0 <= $1[0] && $0 * 1.5 > $1[0] }]
    case .ask: [Relation(text: "bid <= ask", others: [.bid]) { $0 >= $1[0] && $0 < $1[0] * 1.5 }]
    case .open:
      [
        Relation(text: "open, price and change agree", others: [.price, .changePricePercent24]) {
          Self.isChange($1[1], from: $0, to: $1[0])
        }
      ]
    case .changePricePercent24:
      [
        Relation(text: "change = (price - open) / open", others: [.price, .open]) {
          Self.isChange($0, from: $1[1], to: $1[0])
        }
      ]
    case .volume24:
      [
        Relation(text: "turnover / volume is a price", others: [.turnover24, .price]) {
          $0 > 0 ? (0.5...2).contains($1[0] / $0 / $1[1]) : $1[0] == 0
        }
      ]
    case .turnover24:
      [
        Relation(text: "turnover / volume is a price", others: [.volume24, .price]) {
          $1[0] > 0 ? (0.5...2).contains($0 / $1[0] / $1[1]) : $0 == 0
        }
      ]
    case .time: []
    }
  }

  private static func isChange(_ percent: Double, from open: Double, to price: Double) -> Bool {
    guard open > 0 else { return false }
    let change = (price - open) / open * 100
    return abs(percent - change) <= max(0.15, abs(change) * 0.03)
  }
}
