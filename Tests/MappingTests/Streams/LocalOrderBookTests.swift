import Quotes
import TestSupport
import Testing

@testable import Mapping

/// A message of many changes has the same effect as its changes one by one.
@Suite struct LocalOrderBookTests {
  struct Case: Sendable {
    let levels: Int
    let changes: Int
    /// How many prices there are.
    let prices: UInt64
    var isSorted = false
  }

  private static func level(_ price: UInt64, _ size: UInt64) -> OrderBook.Level {
    OrderBook.Level(price: Decimal(mantissa: Int128(price), exponent: -1), size: Decimal(Int(size)))
  }

  /// Returns what a book has after the changes, best price first: the last size of each price, if above zero.
  private static func outcome(_ levels: [OrderBook.Level], _ isBid: Bool) -> [OrderBook.Level] {
    let sizes = Dictionary(levels.map { ($0.price, $0.size) }) { $1 }
    return sizes.filter { $0.key.signum > 0 && $0.value.signum > 0 }
      .map { OrderBook.Level(price: $0.key, size: $0.value) }
      .sorted { isBid ? $0.price > $1.price : $0.price < $1.price }
  }

  @Test(arguments: [
    Case(levels: 0, changes: 200, prices: 100), Case(levels: 50, changes: 65, prices: 20),
    Case(levels: 50, changes: 64, prices: 200), Case(levels: 400, changes: 100, prices: 100_000),
    Case(levels: 400, changes: 1000, prices: 500), Case(levels: 400, changes: 1000, prices: 500, isSorted: true),
    Case(levels: 1, changes: 300, prices: 2),
  ])
  func manyChangesAtOnce(_ sample: Case) {
    var generator = SeededGenerator(seed: UInt64(sample.levels + sample.changes))
    // Price 0 is padding, and a third of the sizes are 0.
    func side(_ count: Int, least: UInt64, isBid: Bool) -> [OrderBook.Level] {
      let levels = (0..<count).map { _ in
        let price = UInt64.random(in: least...sample.prices, using: &generator)
        return Self.level(price, UInt64.random(in: least...least + 2, using: &generator))
      }
      guard sample.isSorted else { return levels }
      return levels.sorted { isBid ? $0.price > $1.price : $0.price < $1.price }
    }
    let before = OrderBook(
      bids: side(sample.levels, least: 1, isBid: true), asks: side(sample.levels, least: 1, isBid: false))
    let changes = (
      bids: side(sample.changes, least: 0, isBid: true), asks: side(sample.changes, least: 0, isBid: false)
    )
    var (whole, single) = (Self.book(before), Self.book(before))
    whole.apply(changes)
    for level in changes.bids { single.apply((bids: [level], asks: [])) }
    for level in changes.asks { single.apply((bids: [], asks: [level])) }
    let expected = OrderBook(
      inOrder: Self.outcome(before.bids + changes.bids, true), Self.outcome(before.asks + changes.asks, false),
      time: nil, sequence: nil)
    #expect(whole.orderBook(of: nil, unread: nil, nil) == expected)
    #expect(single.orderBook(of: nil, unread: nil, nil) == expected)
  }

  private static func book(_ book: OrderBook) -> LocalOrderBook {
    LocalOrderBook(book, sequence: nil, sent: nil, at: Instant(nanoseconds: 0))
  }

  /// Bids may reach asks for ten seconds, counted anew each time.
  @Test func isCrossedForAWhileOnly() {
    let start = Instant(nanoseconds: 0)
    let book = OrderBook(bids: [Self.level(10, 1)], asks: [Self.level(20, 1)])
    var local = LocalOrderBook(book, sequence: nil, sent: nil, at: start)
    func after(_ seconds: Int64) -> Bool { local.isBrieflyCrossed(at: start.advanced(by: .seconds(seconds))) }
    #expect(!after(1) && local.fault == nil)
    local.apply((bids: [Self.level(20, 1)], asks: []))
    #expect(after(2) && after(11) && !after(12))
    #expect(local.fault == "a bid is not below the best ask")
    local.apply((bids: [], asks: [Self.level(20, 0)]))
    #expect(!after(13))
    local.apply((bids: [], asks: [Self.level(20, 1)]))
    #expect(after(14) && after(23) && !after(24))
  }
}
