/// What is traded, and what it is paid with: BTC (the base currency) in USDT (the quote currency).
package struct Pair: Sendable, Hashable, CustomStringConvertible {
  package var asset: String
  package var payment: String

  package init(asset: String, payment: String) {
    self.asset = asset
    self.payment = payment
  }

  /// `BTC/USDT`.
  package var description: String { "\(asset)/\(payment)" }
}
