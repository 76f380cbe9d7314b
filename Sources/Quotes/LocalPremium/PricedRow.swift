/// A row of an exchange with the price that it enters a comparison by, or why it enters none.
///
/// The price may differ from the row's own: a fee has been taken off, or an order book has been walked for a size.
package struct PricedRow: Sendable, Hashable {
  package let ticker: Ticker
  package let price: Result<Decimal, PriceObjection>

  package init(_ ticker: Ticker, price: Result<Decimal, PriceObjection>) {
    self.ticker = ticker
    self.price = price
  }

  /// The row at its own price.
  package init(_ ticker: Ticker, anyPriceBasis: Bool = false) {
    self.ticker = ticker
    price =
      if let objection = ticker.headlineObjection(anyBasis: anyPriceBasis) {
        .failure(.row(objection))
      } else if let price = ticker.price.value {
        .success(price)
      } else {
        .failure(.row(.missing(.zero)))
      }
  }
}
