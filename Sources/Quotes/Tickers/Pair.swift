/// What is traded, and what it is paid with: BTC (the base currency) in USDT (the quote currency).
package struct Pair: Sendable, Hashable, CustomStringConvertible {
  package var asset: String
  package var payment: String

  package init(asset: String, payment: String) {
    self.asset = asset
    self.payment = payment
  }

  /// The pair that a text such as `BTC/USDT` names, in any letters; nil for any other text.
  package init?(_ text: some StringProtocol) {
    let names = text.split(separator: "/", omittingEmptySubsequences: false)
    guard names.count == 2, names.allSatisfy({ !$0.isEmpty && !$0.contains(where: \.isWhitespace) }) else { return nil }
    self.init(asset: names[0].uppercased(), payment: names[1].uppercased())
  }

  /// `BTC/USDT`.
  package var description: String { "\(asset)/\(payment)" }
}
