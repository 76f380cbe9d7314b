import Quotes
import Testing

/// Filling an order of a given size from a book.
@Suite struct OrderBookTests {
  private static func level(_ price: Decimal, _ size: Decimal) -> OrderBook.Level { .init(price: price, size: size) }

  /// Asks: 1 at 100, 2 at 110. Bids: 1 at 90, 2 at 80.
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

  @Test func emptySideSellsNothing() {
    let empty = OrderBook(bids: [], asks: [])
    #expect(empty.averagePrice(buyingFor: 1) == nil)
    #expect(empty.averagePrice(sellingFor: 1) == nil)
  }

  private let deep = OrderBook(
    bids: [level(99.5, 1), level(99.4, 2), level(98, 4)], asks: [level(100.5, 1), level(100.6, 2), level(101.2, 3)])

  /// Levels with the same price are merged, whatever their order.
  @Test func levelsWithSamePriceAreMerged() {
    let book = OrderBook(bids: [Self.level(90, 1), Self.level(91, 2), Self.level(90, 3)], asks: [])
    #expect(book.bids == [Self.level(91, 2), Self.level(90, 4)])
  }

  /// Bids are rounded down and asks up when merged: no price looks better than it is.
  @Test func mergedLevelsNeverLookBetter() {
    let stepped = deep.stepped(by: 1)
    #expect(stepped.bids == [Self.level(99, 3), Self.level(98, 4)])
    #expect(stepped.asks == [Self.level(101, 3), Self.level(102, 3)])
    #expect(
      deep.stepped(by: Decimal("0.25") ?? 1).asks.map(\.price) == ["100.5", "100.75", "101.25"].map { Decimal($0) })
  }

  /// A last group may hold more than was received, unless the book reaches its far end.
  @Test(
    arguments: [
      ("1", nil, false, true), ("0.5", nil, false, true), ("0.1", nil, false, false), ("0.25", nil, false, true),
      ("4", nil, true, true), ("1", 1, false, false), ("4", 1, true, true), ("0.3", 2, true, false),
    ] as [(String, Int?, Bool, Bool)])
  func groupAtTheEndIsInPart(_ step: String, _ depth: Int?, _ bids: Bool, _ asks: Bool) throws {
    let stepped = deep.stepped(by: try #require(Decimal(step)))
    let shown = depth.map { stepped.best($0) } ?? stepped
    #expect(shown.endsWithinStep.bids == bids && shown.endsWithinStep.asks == asks)
  }

  /// A step above every bid still leaves bids.
  @Test func stepAboveAllPrices() {
    let stepped = deep.stepped(by: 1000)
    #expect(stepped.best(1).bids == [Self.level(0, 7)])
    #expect(stepped.best(1).asks == [Self.level(1000, 6)])
  }

  @Test func middlePrice() {
    #expect(deep.middle == 100)
    #expect(deep.spread == 1)
    #expect(deep.spreadPercent == 1)
    let near = deep.sizes(within: Decimal("0.6"))
    #expect([near.bids, near.asks] == [3, 3])
    #expect([deep.sizes().bids, deep.sizes().asks] == [7, 6])
    #expect(OrderBook(bids: [Self.level(1, 1)], asks: []).middle == nil)
  }

  @Test(
    arguments: [
      ("1", "100.5", 1, true), ("3", "100.566666666667", 2, true), ("6", "100.883333333333", 3, true),
      ("7", "100.883333333333", 3, false),
    ]
      as [(String, String, Int, Bool)])
  func orderInAssetIsFilled(_ size: String, _ average: String, _ levels: Int, _ isWhole: Bool) throws {
    let amount = try #require(Decimal(size))
    let fill = try #require(deep.buying(amount))
    #expect(fill.averagePrice.rounded(toSignificantDigits: 15).shortest == average)
    #expect(fill.levels == levels)
    #expect(fill.isWhole == isWhole)
  }
}

extension Decimal: ExpressibleByFloatLiteral {
  package init(floatLiteral value: Double) { self = Decimal("\(value)") ?? 0 }
}
