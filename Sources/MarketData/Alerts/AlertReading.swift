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
    /// Whether all feeds have answered or failed: before, a small number of exchanges means nothing.
    fileprivate let isSettled: Bool
    /// The feeds whose last prices are kept for some seconds, but must not trigger alerts, and why: `failed`, `paused`, or
    /// `stale` if they have not been heard since the machine slept.
    fileprivate let silent: [FeedKey: String]
    fileprivate let failedCount: Int
    fileprivate let feeds: [FeedState]
    fileprivate let ratePair: Pair?
    fileprivate let rate: Decimal?
    fileprivate let rateChange: Decimal?
    /// Why the rate is not used: `rate-old` or `rate-unconfirmed`; nil if it is, or if there is none.
    fileprivate let rateObjection: String?

    /// - Parameters:
    ///   - awake: When the machine woke up after having slept; nil if it has not.
    ///   - isForFilter: Whether a figure of all exchanges is known before all have answered: what a filter hides on that
    ///     account comes back with the next answer, while an alert cannot be taken back.
    package init(_ state: BoardState, at now: Instant, awake: Instant? = nil, isForFilter: Bool = false) {
      isSettled = isForFilter || state.isSettled
      feeds = state.feeds
      let objections = state.feeds.map { feed -> String? in
        if case .failed(let reason, _) = feed.phase(at: now) { return reason.code }
        if feed.inactiveReason == .paused { return InactiveReason.paused.rawValue }
        return awake.map(feed.isHeard(since:)) == false ? Missing.stale.code : nil
      }
      failedCount = state.feeds.count { if case .failed = $0.phase(at: now) { true } else { false } }
      silent = Dictionary(
        zip(state.feeds, objections).compactMap { feed, objection in objection.map { (feed.key, $0) } },
        uniquingKeysWith: { first, _ in first })
      ratePair = state.rate?.pair
      let quote = state.rate?.quote
      rateObjection = quote.flatMap { quote in
        quote.isOld(at: now) ? "rate-old" : quote.isUnconfirmed ? "rate-unconfirmed" : nil
      }
      rate = rateObjection == nil ? quote?.rate : nil
      rateChange = rateObjection == nil ? quote?.changePercent.value : nil
    }
  }

  package init(_ figures: PairFigures, _ shared: Shared) { (self.figures, self.shared) = (figures, shared) }

  /// Returns what an alert is about: the pair or, if it compares nothing that each pair has, that of the rate; nil if it
  /// compares the feeds.
  package func subject(of rule: AlertRule) -> Pair? {
    if rule.isPerPair { return figures.pair }
    return rule.condition.values.contains { [.rate, .rateChange].contains($0.field) } ? shared.ratePair : nil
  }

  /// Returns the figure; nil if unknown.
  package func callAsFunction(_ value: AlertValue) -> Decimal? {
    let snapshot = figures.snapshot
    // Neither the highest nor the leading price is known from some of the exchanges.
    if !shared.isSettled, value.isOfAllExchanges { return nil }
    if silence(of: value) != nil { return nil }
    return switch value.field {
    case .premium: (try? snapshot.premium.get())?.percent
    case .kimchi: shared.rateObjection == nil ? figures.localPercent(on: .official) : nil
    case .tokenKimchi: figures.localPercent(on: .token)
    case .firstDisparity: snapshot.ranking.first?.percent
    case .lastDisparity: snapshot.ranking.last?.percent
    case .price: row(of: value.exchange)?.price.value
    case .change: row(of: value.exchange)?.changePricePercent24.value
    case .turnover: row(of: value.exchange)?.turnover24.value
    case .exchanges: Decimal(figures.usable)
    case .rate: shared.rate
    case .rateChange: shared.rateChange
    case .failedFeeds: Decimal(shared.failedCount)
    }
  }

  /// Returns why a figure is unknown, such as `rate-old`, `stale`, `identity`, `one-exchange`; nil if it is known.
  package func reason(_ value: AlertValue) -> String? {
    guard self(value) == nil else { return nil }
    if !shared.isSettled, value.isOfAllExchanges { return "loading" }
    let snapshot = figures.snapshot
    switch value.field {
    case .rate: return shared.rateObjection ?? "no-rate"
    case .rateChange: return shared.rateObjection ?? (shared.rate == nil ? "no-rate" : Missing.notOffered.code)
    case .kimchi: return figures.localReason(on: .official) ?? shared.rateObjection ?? silence(of: value)
    case .tokenKimchi: return figures.localReason(on: .token) ?? silence(of: value)
    case .price, .change, .turnover:
      if let row = row(of: value.exchange) {
        let field: TickerField =
          switch value.field {
          case .change: .changePricePercent24
          case .turnover: .turnover24
          default: .price
          }
        return row.cell(field).missing?.code
      }
      let rows = rows(of: value.exchange)
      if rows.isEmpty { return value.exchange.map { absence(of: $0).code } ?? "no-price" }
      return rows.lazy.compactMap { $0.headlineObjection(figures.snapshot.rule)?.code }.first
        ?? rows.lazy.compactMap { silence(of: $0) }.first
    case .premium:
      guard case .failure(let absence) = snapshot.premium else { return silence(of: value) }
      if absence.usable != nil { return "one-exchange" }
      let codes = absence.excluded.map(\.objection.code).unique
      return codes.count == 1 ? codes[0] : "no-price"
    case .firstDisparity, .lastDisparity:
      if let reason = silence(of: value) { return reason }
      // The smallest of a single disparity is none.
      if snapshot.ranking.first != nil { return "one-exchange" }
      let absences = snapshot.disparities.lazy.compactMap { result in
        if case .failure(let absence) = result { absence.code } else { nil }
      }
      return absences.first ?? "no-futures"
    case .exchanges, .failedFeeds: return nil
    }
  }

  /// Returns why the figure of a named exchange will not be known before anything else changes: the exchange does not list
  /// the pair, or is not asked; nil if it is, or may be.
  package func lastingAbsence(of value: AlertValue) -> String? {
    guard let exchange = value.exchange, rows(of: exchange).isEmpty else { return nil }
    let absence = absence(of: exchange)
    return absence.mayEnd ? nil : absence.code
  }

  /// Returns why an exchange has no row of the pair: the state of its feed.
  private func absence(of exchange: String) -> RowAbsence {
    let own = shared.feeds.filter { $0.key.exchange == exchange }
    if own.isEmpty { return .notFollowed }
    return own.first { $0.key.market == .spot }?.absence(of: figures.pair) ?? .notListed
  }

  private func row(of exchange: String?) -> Ticker? {
    guard let exchange else { return figures.leadRow.flatMap { silence(of: $0.ticker) == nil ? $0.ticker : nil } }
    return rows(of: exchange).first { $0.headlineObjection(figures.snapshot.rule) == nil && silence(of: $0) == nil }
  }

  /// Returns why the price of a row may not be the latest.
  private func silence(of ticker: Ticker) -> String? { shared.silent[ticker.feed] }

  /// Returns why one of the prices in a figure of several may not be the latest.
  private func silence(of value: AlertValue) -> String? {
    let snapshot = figures.snapshot
    let feeds =
      switch value.field {
      case .premium: (try? snapshot.premium.get()).map { [$0.high, $0.low].map { snapshot.spot[$0].ticker.feed } }
      case .kimchi: figures.localFeeds[.official]
      case .tokenKimchi: figures.localFeeds[.token]
      case .firstDisparity: snapshot.ranking.first.map(self.feeds)
      case .lastDisparity: snapshot.ranking.last.map(self.feeds)
      case .price, .change, .turnover, .exchanges, .rate, .rateChange, .failedFeeds: [FeedKey]?.none
      }
    return feeds?.lazy.compactMap { shared.silent[$0] }.first
  }

  private func feeds(of disparity: Disparity) -> [FeedKey] {
    let snapshot = figures.snapshot
    return [snapshot.futuresRow(of: disparity).ticker.feed, snapshot.spot[disparity.spot].ticker.feed]
  }

  /// Returns the rows of an exchange; of all exchanges if nil.
  private func rows(of exchange: String?) -> [Ticker] {
    figures.snapshot.spot.map(\.ticker).filter { exchange == nil || $0.exchange == exchange }
  }
}

extension Ticker {
  /// The feed that the row is from.
  var feed: FeedKey { FeedKey(exchange: exchange, market: market) }
}
