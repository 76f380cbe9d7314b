/// The kind of price that an exchange reports. By default only last trades enter headlines.
package enum PriceBasis: String, Sendable, Hashable, CaseIterable {
  /// The price of the last trade.
  case last
  /// The midpoint of bid and ask.
  case mid
  /// The price with which a futures exchange values positions.
  case mark
  /// A price taken from elsewhere.
  case oracle

  /// The label of the price; nil for a last trade, which needs none.
  package var label: String? { self == .last ? nil : rawValue }
}

/// The time span that a change, a high or a low covers.
package enum ChangeBasis: String, Sendable, Hashable, CaseIterable {
  /// The last 24 hours, up to now.
  case rolling24h
  /// Since midnight UTC.
  case utcDay
  /// Since midnight in Korea (UTC+9).
  case kstDay
  /// Since midnight in China and Singapore (UTC+8).
  case utc8Day
  /// Since the start of the exchange's own day, which is none of the above.
  case venueDay
  /// Since the last close, of an unknown day.
  case previousClose

  /// Whether the span begins 24 hours ago or later, whatever the time.
  package var beginsWithin24h: Bool {
    switch self {
    case .rolling24h, .utcDay, .kstDay, .utc8Day: true
    case .venueDay, .previousClose: false
    }
  }

  /// The label of a figure with this basis; nil for the rolling 24 hours, which need none.
  ///
  /// Only changes without a label are ranked.
  package var label: String? {
    switch self {
    case .rolling24h: nil
    case .utcDay: "UTC day"
    case .kstDay: "KST day"
    case .utc8Day: "UTC+8 day"
    case .venueDay: "exchange's day"
    case .previousClose: "since close"
    }
  }
}

/// What an exchange's timestamp refers to.
package enum TimeBasis: String, Sendable, Hashable, CaseIterable {
  /// The quote: it should be recent.
  case quote
  /// The last trade: it may be old while the price is still valid.
  case trade
}
