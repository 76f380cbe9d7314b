package import Quotes

/// How much of an exchange's block is read. What is left out stays text: it costs nothing, and nobody is told of its faults.
package struct ExchangeExtent: Sendable {
  package var markets: [Market]
  /// Whether the tables of all pairs and the order book are left out of a market that can be asked for one pair.
  package var isOfOnePair: Bool

  package init(markets: [Market] = Market.allCases, isOfOnePair: Bool = false) {
    self.markets = markets
    self.isOfOnePair = isOfOnePair
  }

  /// All of it: what a reader needs who wants to know that the block is right.
  package static let whole = ExchangeExtent()
}
