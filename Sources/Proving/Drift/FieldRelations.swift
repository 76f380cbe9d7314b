import Inference
import Quotes

/// The relations of a candidate's numbers to the other fields of their rows.
struct FieldRelations {
  /// The numbers of the known fields, by row.
  private let numbers: [TickerField: [Int: Double]]

  init(_ numbers: [TickerField: [Int: Double]]) { self.numbers = numbers }

  /// Counts the rows with the most telling applicable relation of a field, and describes it; nil if there is none.
  func check(_ values: [Int: Double], as field: TickerField) -> (vote: RowRelations.Vote, text: String)? {
    for (text, others, holds) in Self.relations[field] ?? [] {
      var vote = RowRelations.Vote()
      for (row, value) in values {
        let known = others.compactMap { numbers[$0]?[row] }
        if known.count == others.count { vote.count(holds(value, known)) }
      }
      if vote.rows > 0 { return (vote, "\(text) in \(vote.holds) of \(vote.rows)") }
    }
    return nil
  }

  private typealias Relation = (text: String, others: [TickerField], holds: @Sendable (Double, [Double]) -> Bool)

  /// The most telling first.
  private static let relations: [TickerField: [Relation]] = [
    .price: [
      ("low <= price <= high", [.low, .high], { $0 >= $1[0] * 0.995 && $0 <= $1[1] * 1.005 }),
      ("bid <= price <= ask", [.bid, .ask], { $0 >= $1[0] * 0.97 && $0 <= $1[1] * 1.03 }),
      (
        "the price agrees with open and change", [.open, .changePricePercent24],
        { isChange($1[1], from: $1[0], to: $0) }
      ),
    ],
    .high: [("price <= high < 3 × price", [.price], { $0 >= $1[0] * 0.995 && $0 < $1[0] * 3 })],
    .low: [("price / 3 < low <= price", [.price], { $0 <= $1[0] * 1.005 && $0 * 3 > $1[0] })],
    .bid: [("bid <= ask", [.ask], { $0 <= $1[0] && $0 * 1.5 > $1[0] })],
    .ask: [("bid <= ask", [.bid], { $0 >= $1[0] && $0 < $1[0] * 1.5 })],
    .open: [
      ("open, price and change agree", [.price, .changePricePercent24], { isChange($1[1], from: $0, to: $1[0]) })
    ],
    .changePricePercent24: [
      ("change = (price - open) / open", [.price, .open], { isChange($0, from: $1[1], to: $1[0]) })
    ],
    .volume24: [("turnover / volume is a price", [.turnover24, .price], { isPrice($1[1], $1[0], $0) })],
    .turnover24: [("turnover / volume is a price", [.volume24, .price], { isPrice($1[1], $0, $1[0]) })],
  ]

  private static func isPrice(_ price: Double, _ turnover: Double, _ volume: Double) -> Bool {
    volume > 0 ? (0.5...2).contains(turnover / volume / price) : turnover == 0
  }

  private static func isChange(_ percent: Double, from open: Double, to price: Double) -> Bool {
    guard open > 0 else { return false }
    let change = (price - open) / open * 100
    return abs(percent - change) <= max(0.15, abs(change) * 0.03)
  }
}
