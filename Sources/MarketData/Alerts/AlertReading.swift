import Mapping
package import Quotes

/// The figures of a pair at one moment, for alerts and filters. Excludes prices that enter no headline, and a rate that
/// is too old to be current or far from the last one, without another provider that confirms it.
package struct AlertReading: Sendable {
  private let figures: PairFigures
  /// The state shared by all pairs.
  private let shared: Shared

  /// The state that all pairs have in common, calculated once.
  package struct Shared: Sendable {
    fileprivate let isSettled: Bool
    /// Feeds known to be failing: their last prices are kept for some seconds, but must not trigger alerts.
    fileprivate let failing: Set<FeedKey>
    fileprivate let rate: Decimal?
    fileprivate let rateChange: Decimal?
    /// Why the rate is not used: `rate-old` or `rate-unconfirmed`; nil if it is, or if there is none.
    fileprivate let rateObjection: String?

    package init(_ state: BoardState, at now: Instant) {
      // Before all feeds have answered, a small number of exchanges means nothing.
      isSettled = state.isSettled
      failing = Set(
        state.feeds.lazy.filter { feed in
          if case .failed = feed.phase(at: now) { true } else { false }
        }.map(\.key))
      let quote = state.rate?.quote
      rateObjection = quote.flatMap { quote in
        quote.isOld(at: now) ? "rate-old" : quote.isUnconfirmed ? "rate-unconfirmed" : nil
      }
      rate = rateObjection == nil ? quote?.rate : nil
      rateChange = rateObjection == nil ? quote?.changePercent.value : nil
    }
  }

  package init(_ figures: PairFigures, _ shared: Shared) {
    self.figures = figures
    self.shared = shared
  }

  /// Returns the figure; nil if unknown.
  package func callAsFunction(_ value: AlertValue) -> Decimal? {
    let snapshot = figures.snapshot
    return switch value.field {
    case .premium: hasFailedEnd ? nil : (try? snapshot.premium.get())?.percent
    case .kimchi: shared.rateObjection != nil || isLocalFailing(.official) ? nil : figures.localPercent(on: .official)
    case .tokenKimchi: isLocalFailing(.token) ? nil : figures.localPercent(on: .token)
    case .firstDisparity: snapshot.ranking.first.flatMap { isFailing($0) ? nil : $0.percent }
    case .lastDisparity: snapshot.ranking.last.flatMap { isFailing($0) ? nil : $0.percent }
    case .price: row(of: value.exchange)?.price.value
    case .change: row(of: value.exchange)?.changePricePercent24.value
    case .turnover: row(of: value.exchange)?.turnover24.value
    case .exchanges: shared.isSettled ? Decimal(figures.usable) : nil
    case .rate: shared.rate
    case .rateChange: shared.rateChange
    case .failedFeeds: Decimal(shared.failing.count)
    }
  }

  /// Returns why a figure is unknown although there is data, such as `rate-old`, `stale`, `identity`; nil if there is no
  /// data, or the figure is known.
  package func reason(_ value: AlertValue) -> String? {
    guard self(value) == nil else { return nil }
    switch value.field {
    case .rate, .rateChange: return shared.rateObjection
    case .kimchi:
      return figures.localObjection(on: .official)?.code ?? shared.rateObjection
        ?? (isLocalFailing(.official) ? "failed" : nil)
    case .tokenKimchi:
      return figures.localObjection(on: .token)?.code ?? (isLocalFailing(.token) ? "failed" : nil)
    case .price, .change, .turnover:
      let rows = rows(of: value.exchange)
      return rows.lazy.compactMap { $0.headlineObjection(figures.snapshot.rule)?.code }.first
        ?? (rows.contains(where: isFailing) ? "failed" : nil)
    case .premium: return hasFailedEnd ? "failed" : nil
    case .firstDisparity, .lastDisparity:
      let ranking = figures.snapshot.ranking
      let disparity = value.field == .firstDisparity ? ranking.first : ranking.last
      return disparity.map(isFailing) == true ? "failed" : nil
    case .exchanges, .failedFeeds: return nil
    }
  }

  private func row(of exchange: String?) -> Ticker? {
    guard let exchange else { return figures.leadRow.flatMap { isFailing($0.ticker) ? nil : $0.ticker } }
    return rows(of: exchange).first { $0.headlineObjection(figures.snapshot.rule) == nil && !isFailing($0) }
  }

  private func isFailing(_ ticker: Ticker) -> Bool {
    shared.failing.contains(FeedKey(exchange: ticker.exchange, market: ticker.market))
  }

  private func isFailing(_ disparity: Disparity) -> Bool {
    let snapshot = figures.snapshot
    return isFailing(snapshot.futuresRow(of: disparity).ticker) || isFailing(snapshot.spot[disparity.spot].ticker)
  }

  /// Whether one of the prices in the premium of local currency is the last one of a failing feed.
  private func isLocalFailing(_ basis: DollarBasis) -> Bool {
    figures.localFeeds[basis]?.contains(where: shared.failing.contains) == true
  }

  /// Whether the premium's high or low is the last price of a failing feed.
  private var hasFailedEnd: Bool {
    guard let premium = try? figures.snapshot.premium.get() else { return false }
    return [premium.high, premium.low].contains { isFailing(figures.snapshot.spot[$0].ticker) }
  }

  /// Returns the rows of an exchange; of all exchanges if nil.
  private func rows(of exchange: String?) -> [Ticker] {
    figures.snapshot.spot.map(\.ticker).filter { exchange == nil || $0.exchange == exchange }
  }
}
