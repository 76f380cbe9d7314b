/// Why a feed is not polled at all. The raw values are shown and written.
package enum InactiveReason: String, Sendable, CaseIterable {
  /// Disabled in the config.
  case disabled
  /// Its block of the config cannot be read.
  case unreadable
  /// It lists none of the followed pairs: nothing in their payment currencies, or according to its answers, in which
  /// case they are looked for again every ten minutes.
  case noPair = "no-pair"
  case paused
}
