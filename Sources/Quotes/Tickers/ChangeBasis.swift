/// The span that a change, a high or a low belongs to.
package enum ChangeBasis: String, Sendable, Hashable, CaseIterable {
  /// The last 24 hours, up to now.
  case rolling24h
  /// Since midnight UTC.
  case utcDay
  /// Since midnight in Korea (UTC+9).
  case kstDay
  /// Since the last close; which day that belongs to is not known.
  case previousClose
}
