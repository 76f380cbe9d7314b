import Quotes
import Testing

/// Walking a book for a size.
@Suite struct OrderBookTests {
  private static func level(_ price: Decimal, _ size: Decimal) -> OrderBook.Level { .init(price: price, size: size) }

  /// 1 at 100, 2 at 110 are asked; 1 at 90, 2 at 80 are bid.
  private let book = OrderBook(
    bids: [level(80, 2), level(90, 1), level(0, 5)], asks: [level(110, 2), level(100, 1), level(120, 0)])

  @Test func isInOrderWithoutPadding() {
    #expect(book.bids.map(\.price) == [90, 80])
    #expect(book.asks.map(\.price) == [100, 110])
    #expect(!book.isCrossed)
    #expect(OrderBook(bids: [Self.level(101, 1)], asks: [Self.level(100, 1)]).isCrossed)
    #expect(!OrderBook(bids: [Self.level(100, 1)], asks: []).isCrossed)
  }

  @Test(
    arguments: [
      (50, "100"), (100, "100"),
      // 100 for one, 110 for another.
      (210, "105"), (320, "106.666666666667"), (321, nil),
    ] as [(Decimal, String?)])
  func buys(_ money: Decimal, _ price: String?) {
    #expect(book.averagePrice(buyingFor: money)?.rounded(toSignificantDigits: 15).shortest == price)
  }

  @Test(
    arguments: [(45, "90"), (90, "90"), (170, "85"), (250, "83.3333333333333"), (251, nil)] as [(Decimal, String?)])
  func sells(_ money: Decimal, _ price: String?) {
    #expect(book.averagePrice(sellingFor: money)?.rounded(toSignificantDigits: 15).shortest == price)
  }

  @Test func anEmptySideSellsNothing() {
    let empty = OrderBook(bids: [], asks: [])
    #expect(empty.averagePrice(buyingFor: 1) == nil)
    #expect(empty.averagePrice(sellingFor: 1) == nil)
  }
}
