/// What an exchange's time is the time of.
package enum TimeBasis: String, Sendable, Hashable, CaseIterable {
  /// Of the quote: it should be recent.
  case quote
  /// Of the last trade: it may be old, and the price still be true.
  case trade
}
