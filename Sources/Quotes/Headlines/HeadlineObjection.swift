/// Why a row enters no headline.
package enum HeadlineObjection: Sendable, Hashable {
  /// It has no price.
  case missing(Missing)
  /// Its price is no last trade.
  case basis(PriceBasis)
  /// One of its flags excludes it.
  case flagged(Flag)

  /// `path-miss`, `mark`, `stale`: what stands in the place of a headline.
  package var code: String {
    switch self {
    case .missing(let reason): reason.code
    case .basis(let basis): basis.rawValue
    case .flagged(let flag): flag.code
    }
  }
}

extension Ticker {
  /// The first reason why the row enters no headline; nil when it does.
  package func headlineObjection(anyBasis: Bool = false) -> HeadlineObjection? {
    switch price {
    case .missing(let reason): return .missing(reason)
    case .value(let price) where price.signum <= 0: return .missing(.zero)
    case .value: break
    }
    if let flag = flags.first(where: \.excludes) { return .flagged(flag) }
    return priceBasis == .last || anyBasis ? nil : .basis(priceBasis)
  }

  /// The price, if the row enters headlines.
  package func headlinePrice(anyBasis: Bool = false) -> Decimal? {
    headlineObjection(anyBasis: anyBasis) == nil ? price.value : nil
  }
}
