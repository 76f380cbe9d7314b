/// The rule for which rows enter headlines: the largest premium, the disparities, the rankings.
package struct HeadlineRule: Sendable, Hashable {
  /// Whether prices other than last trades count, too.
  package var allowsAnyPriceBasis: Bool
  /// The maximum age of a last trade when its answer arrives; nil for any age. An older price is true, but it may no
  /// longer be possible to trade at it.
  package var maximumTradeAgeMilliseconds: Int?

  package init(allowsAnyPriceBasis: Bool, maximumTradeAgeMilliseconds: Int?) {
    (self.allowsAnyPriceBasis, self.maximumTradeAgeMilliseconds) = (allowsAnyPriceBasis, maximumTradeAgeMilliseconds)
  }

  /// The rule without options: last trades of the last five minutes.
  package static let standard = HeadlineRule(allowsAnyPriceBasis: false, maximumTradeAgeMilliseconds: 300_000)

  /// The rule that allows every row with a price and no excluding flag.
  package static let anyPrice = HeadlineRule(allowsAnyPriceBasis: true, maximumTradeAgeMilliseconds: nil)
}

/// Why a row does not enter headlines.
package enum HeadlineObjection: Sendable, Hashable {
  /// It has no price.
  case missing(Missing)
  /// Its price is not a last trade.
  case basis(PriceBasis)
  case flagged(Flag)
  /// Its last trade was that old when the answer arrived.
  case oldTrade(nanoseconds: Int64)
  /// Nothing was traded in 24 hours, so its last trade is older.
  case noTrades

  /// The code shown in place of a headline: `path-miss`, `mark`, `stale`, `http-503`, `old-trade`.
  package var code: String {
    switch self {
    case .missing(let reason): reason.code
    case .basis(let basis): basis.rawValue
    case .flagged(let flag): flag.reason
    case .oldTrade, .noTrades: "old-trade"
    }
  }

  package var explanation: String {
    switch self {
    case .missing(let reason): "its price is missing: \(reason.code)"
    case .basis(let basis): "its price is not a last trade but \(basis.rawValue); --basis any includes it"
    case .flagged(let flag): flag.message
    case .oldTrade(let age): "its last trade is \(DurationText.text(nanoseconds: age)) old; --max-age includes it"
    case .noTrades: "nothing was traded in 24 hours, so its last trade is older; --max-age includes it"
    }
  }
}

extension HeadlineObjection {
  /// The reason for a missing figure that would be made of the price.
  package var missing: Missing {
    switch self {
    case .missing(let reason): reason
    case .basis: .noPrice
    case .oldTrade, .noTrades: .stale
    case .flagged(let flag):
      switch flag.kind {
      case .stale, .time, .dead, .offers: .stale
      case .identity: .identity
      case .range, .change, .turnover, .duplicate, .bidAsk, .malformed: .contradictory
      }
    }
  }
}

extension Ticker {
  /// Returns the first reason that the row does not enter headlines, or nil if it does.
  package func headlineObjection(_ rule: HeadlineRule) -> HeadlineObjection? {
    if let reason = price.positive.missing { return .missing(reason) }
    if let flag = flags.first(where: \.excludes) { return .flagged(flag) }
    if priceBasis != .last, !rule.allowsAnyPriceBasis { return .basis(priceBasis) }
    guard let limit = rule.maximumTradeAgeMilliseconds else { return nil }
    if hasNoTrades { return Int64(limit) < Self.day ? .noTrades : nil }
    guard timeBasis == .trade, let age = ageNanoseconds, Int128(age) > Int128(limit) * 1_000_000 else { return nil }
    return .oldTrade(nanoseconds: age)
  }

  /// 24 hours in milliseconds.
  private static let day: Int64 = 86_400_000

  /// Whether the exchange's own amounts say that nothing was traded in 24 hours, so that the last price is older.
  ///
  /// The time of a trade knows better. Where the change begins at midnight, the amounts may begin there as well.
  package var hasNoTrades: Bool {
    guard priceBasis == .last, timeBasis != .trade || time == nil, changeBasis ?? .rolling24h == .rolling24h else {
      return false
    }
    let amounts = [volume24.value, turnover24.value].compactMap(\.self)
    return !amounts.isEmpty && amounts.allSatisfy(\.isZero)
  }

  /// Returns the price if the row enters headlines.
  package func headlinePrice(_ rule: HeadlineRule) -> Decimal? {
    headlineObjection(rule) == nil ? price.value : nil
  }
}
