import HTTP
import Quotes

/// The orders in the book of one pair that is sent order by order. Those at one price make one level.
struct RestingOrders: Sendable {
  private struct Order: Sendable {
    let isBid: Bool
    let price: Decimal
    let size: Decimal
  }

  /// By their keys.
  private var orders: [String: Order] = [:]
  /// The sum of the sizes at each price.
  private var bids: [Decimal: Decimal] = [:]
  private var asks: [Decimal: Decimal] = [:]

  /// Several times the levels of any book.
  private static let maximumCount = 4 * AnswerLimit.rows

  /// Applies changes of orders: what one does not say stays as it is, and a size of zero removes the order.
  ///
  /// - Returns: The levels that have changed; those without orders have a size of zero.
  /// - Throws: `AnswerFailure` for a change that lacks what is not known of its order. The orders are no longer valid then.
  mutating func take(
    _ changes: [OrderChange]
  ) throws(AnswerFailure) -> (bids: [OrderBook.Level], asks: [OrderBook.Level]) {
    var changedBids: Set<Decimal> = []
    var changedAsks: Set<Decimal> = []
    for change in changes {
      let old = orders.removeValue(forKey: change.key)
      if let old {
        add(-old.size, at: old.price, isBid: old.isBid)
        if old.isBid { changedBids.insert(old.price) } else { changedAsks.insert(old.price) }
      }
      guard let size = change.size ?? old?.size else { throw Self.unknownOrder }
      if size.signum == 0 { continue }
      guard let price = change.price ?? old?.price else { throw Self.unknownOrder }
      guard size.signum > 0, price.signum > 0 else { throw .negativeLevel }
      let order = Order(isBid: old?.isBid ?? change.isBid, price: price, size: size)
      orders[change.key] = order
      add(size, at: price, isBid: order.isBid)
      if order.isBid { changedBids.insert(price) } else { changedAsks.insert(price) }
    }
    guard orders.count <= Self.maximumCount else { throw AnswerReader.tooLarge("\(Self.maximumCount) orders") }
    return (
      changedBids.map { OrderBook.Level(price: $0, size: bids[$0] ?? .zero) },
      changedAsks.map { OrderBook.Level(price: $0, size: asks[$0] ?? .zero) }
    )
  }

  private static let unknownOrder = AnswerFailure(.notANumber, "an order without a price or a size is not known")

  private mutating func add(_ size: Decimal, at price: Decimal, isBid: Bool) {
    let sum = ((isBid ? bids[price] : asks[price]) ?? .zero) + size
    let kept = sum.signum == 0 ? nil : sum
    if isBid { bids[price] = kept } else { asks[price] = kept }
  }
}
