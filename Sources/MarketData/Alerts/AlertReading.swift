import Mapping
package import Quotes

/// The figures of a pair at one moment, for alerts and filters. A price that enters no headline gives none.
package struct AlertReading: Sendable {
  private let figures: PairFigures
  /// Of the feeds as a whole.
  private let shared: Shared

  /// What all pairs have in common, worked out once.
  package struct Shared: Sendable {
    fileprivate let isSettled: Bool
    fileprivate let failedFeeds: Int
    fileprivate let rate: Decimal?
    fileprivate let rateChange: Decimal?

    package init(_ state: BoardState, at now: Instant) {
      // Before everyone has answered, few exchanges are no news.
      isSettled = state.isSettled
      failedFeeds = state.feeds.count { feed in
        if case .failed = feed.phase(at: now) { true } else { false }
      }
      rate = state.rate?.quote?.rate
      rateChange = state.rate?.quote?.changePercent.value
    }
  }

  package init(_ figures: PairFigures, _ shared: Shared) {
    self.figures = figures
    self.shared = shared
  }

  /// nil where the figure is not known.
  package func callAsFunction(_ value: AlertValue) -> Decimal? {
    let snapshot = figures.snapshot
    return switch value.field {
    case .premium: (try? snapshot.premium.get())?.percent
    case .kimchi: figures.localPremium[.official]
    case .tokenKimchi: figures.localPremium[.token]
    case .firstDisparity: snapshot.ranking.first?.percent
    case .lastDisparity: snapshot.ranking.last?.percent
    case .price: row(of: value.exchange)?.price.value
    case .change: row(of: value.exchange)?.changePricePercent24.value
    case .turnover: row(of: value.exchange)?.turnover24.value
    case .exchanges: shared.isSettled ? Decimal(figures.usable) : nil
    case .rate: shared.rate
    case .rateChange: shared.rateChange
    case .failedFeeds: Decimal(shared.failedFeeds)
    }
  }

  private func row(of exchange: String?) -> Ticker? {
    guard let exchange else { return figures.leadRow?.ticker }
    return figures.snapshot.spot.lazy.map(\.ticker).first {
      $0.exchange == exchange && $0.headlineObjection(figures.snapshot.rule) == nil
    }
  }
}
