import Config
import Inference
import Mapping
import Quotes

/// A verdict on the sizes of the levels of an order book, or of trades: whether they are the price times another member
/// of the same row, and thus money, or the sum of another member up to the row.
///
/// A size alone may be anything; a product to the last digit, or a running sum, in every row is no chance. Binary
/// floating point suffices: these are votes, and no number is kept.
struct SizeReading {
  let text: String
  let help: String

  private static let least = 5

  /// nil if nothing speaks against the sizes.
  init?(_ bodies: [[UInt8]], rows: RowsSpec, price: ValueSpec, size: ValueSpec) {
    guard let columns = AnswerColumns(bodies, rows: rows, limit: 500), columns.rows.count >= Self.least,
      case .path(let sizePath?, .row) = size.origin
    else { return nil }
    let (prices, sizes) = (columns.numbers(of: price), columns.numbers(of: size))
    var known = [sizePath]
    if case .path(let pricePath?, .row) = price.origin { known.append(pricePath) }
    let others = columns.columns.filter { column in column.isInRow && !known.contains { $0.covers(column.steps) } }
    /// Returns the member whose product with the price these numbers are.
    func factor(of amounts: [Double?]) -> AnswerColumns.Column? {
      others.first { Self.isProduct(amounts, prices, columns.numbers(of: $0)) }
    }
    if let coins = factor(of: sizes) {
      text = "size: \(sizePath.text) is the price times \(coins.path) in every row, so it is money"
      help = "use \"\(coins.path)\""
      return
    }
    if let part = others.first(where: { Self.isRunningSum(sizes, columns.numbers(of: $0)) }) {
      text = "size: \(sizePath.text) is the sum of \(part.path) up to the row"
      help = "use \"\((factor(of: columns.numbers(of: part)) ?? part).path)\""
      return
    }
    return nil
  }

  /// Creates a verdict on the sizes of a book as read; nil if they are not the running totals of their sides.
  init?(totalsOf book: OrderBook) {
    let sides = [book.bids, book.asks].map { $0.map(\.size) }
    guard sides.allSatisfy({ $0.count > 1 && zip($0, $0.dropFirst()).allSatisfy { $0 < $1 } }) else { return nil }
    guard RunningTotals.orders(of: sides) >= 1e6 else { return nil }
    text = "size: \(RunningTotals.evidence)"
    help = "is another member the size of each level alone?"
  }

  private static func isProduct(_ sizes: [Double?], _ prices: [Double?], _ others: [Double?]) -> Bool {
    var count = 0
    for (size, (price, other)) in zip(sizes, zip(prices, others)) {
      guard let size, let price, let other, size > 0, price > 0, other > 0 else { continue }
      // At a price of about 1, money and coins are the same number.
      guard abs(price - 1) > 0.05, abs(price * other / size - 1) <= 1e-3 else { return false }
      count += 1
    }
    return count >= least
  }

  private static func isRunningSum(_ sizes: [Double?], _ others: [Double?]) -> Bool {
    let (totals, parts) = (sizes.compactMap(\.self), others.compactMap(\.self))
    return totals.count == sizes.count && totals.count >= least && parts.allSatisfy { $0 > 0 }
      && RunningTotals.areSums(totals, of: parts, within: 1e-4)
  }
}
