/// What a dollar is taken to cost in local money when a local price is held against a dollar price.
///
/// The two differ: the official rate is what banks charge, and sleeps at night; the token's price is what a dollar costs
/// on the local exchange itself. A premium on one of them may be a discount on the other.
package enum DollarBasis: String, Sendable, Hashable, CaseIterable {
  /// The official exchange rate: USD/KRW.
  case official
  /// The price of a dollar token on the local exchange itself: USDT/KRW.
  case token
}
