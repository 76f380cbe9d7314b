/// What kind of price an exchange's price is. Only a last trade enters a headline unasked.
package enum PriceBasis: String, Sendable, Hashable, CaseIterable {
  /// The price of the last trade.
  case last
  /// The middle between bid and ask.
  case mid
  /// The price that a futures exchange values positions with.
  case mark
  /// A price that was taken from elsewhere.
  case oracle

  /// What the price is labelled with; nil for a last trade, which needs no label.
  package var label: String? {
    self == .last ? nil : rawValue
  }
}
