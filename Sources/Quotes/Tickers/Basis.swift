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

/// The span that a change, a high or a low belongs to.
package enum ChangeBasis: String, Sendable, Hashable, CaseIterable {
  /// The last 24 hours, up to now.
  case rolling24h
  /// Since midnight UTC.
  case utcDay
  /// Since midnight in Korea (UTC+9).
  case kstDay
  /// Since midnight in China and Singapore (UTC+8).
  case utc8Day
  /// Since the beginning of a day of the exchange's own, which is none of those days.
  case venueDay
  /// Since the last close; which day that belongs to is not known.
  case previousClose

  /// What a figure of this span is labelled with; nil for the rolling 24 hours, which need no label.
  ///
  /// Changes are ranked only among those without a label.
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

/// What an exchange's time is the time of.
package enum TimeBasis: String, Sendable, Hashable, CaseIterable {
  /// Of the quote: it should be recent.
  case quote
  /// Of the last trade: it may be old, and the price still be true.
  case trade
}
