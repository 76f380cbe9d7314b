/// Which rows enter headlines: the largest premium, the disparities, what is ranked.
package struct HeadlineRule: Sendable, Hashable {
  /// Whether prices that are no last trades count, too.
  package var allowsAnyPriceBasis: Bool
  /// How old a last trade may be when its answer comes; nil for any age. The price of an older one is true, and nobody may
  /// be willing to trade at it any more.
  package var maximumTradeAgeSeconds: Int?

  /// Last trades of the last five minutes, unless asked for more.
  package init(allowsAnyPriceBasis: Bool = false, maximumTradeAgeSeconds: Int? = 300) {
    self.allowsAnyPriceBasis = allowsAnyPriceBasis
    self.maximumTradeAgeSeconds = maximumTradeAgeSeconds
  }

  /// Every row that has a price and no flag that excludes it.
  package static let anyPrice = HeadlineRule(allowsAnyPriceBasis: true, maximumTradeAgeSeconds: nil)
}

/// Why a row enters no headline.
package enum HeadlineObjection: Sendable, Hashable {
  /// It has no price.
  case missing(Missing)
  /// Its price is no last trade.
  case basis(PriceBasis)
  /// One of its flags excludes it.
  case flagged(Flag)
  /// Its last trade was so many seconds old when the answer came.
  case oldTrade(seconds: Int)

  /// `path-miss`, `mark`, `stale`, `old-trade`: what stands in the place of a headline.
  package var code: String {
    switch self {
    case .missing(let reason): reason.code
    case .basis(let basis): basis.rawValue
    case .flagged(let flag): flag.code
    case .oldTrade: "old-trade"
    }
  }

  /// For people.
  package var explanation: String {
    switch self {
    case .missing(let reason): "its price is missing: \(reason.code)"
    case .basis(let basis): "its price is not a last trade but \(basis.rawValue); --basis any includes it"
    case .flagged(let flag): flag.message
    case .oldTrade(let seconds): "its last trade is \(seconds / 60) min old; --max-age includes it"
    }
  }
}

extension Ticker {
  /// The first reason why the row enters no headline; nil when it does.
  package func headlineObjection(_ rule: HeadlineRule = HeadlineRule()) -> HeadlineObjection? {
    switch price {
    case .missing(let reason): return .missing(reason)
    case .value(let price) where price.signum <= 0: return .missing(.zero)
    case .value: break
    }
    if let flag = flags.first(where: \.excludes) { return .flagged(flag) }
    if priceBasis != .last, !rule.allowsAnyPriceBasis { return .basis(priceBasis) }
    guard timeBasis == .trade, let limit = rule.maximumTradeAgeSeconds, let age = ageNanoseconds else { return nil }
    let seconds = Int(age / 1_000_000_000)
    return seconds > limit ? .oldTrade(seconds: seconds) : nil
  }

  /// The price, if the row enters headlines.
  package func headlinePrice(_ rule: HeadlineRule = HeadlineRule()) -> Decimal? {
    headlineObjection(rule) == nil ? price.value : nil
  }
}
