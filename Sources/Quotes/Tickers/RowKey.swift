/// What a row is known by: of two rows with one key, nobody can tell which is meant.
package struct RowKey: Sendable, Hashable {
  package let exchange: String
  package let market: Market
  package let pair: Pair
  package let product: String?
}

extension Ticker {
  package var key: RowKey {
    RowKey(exchange: exchange, market: market, pair: pair, product: product)
  }
}
