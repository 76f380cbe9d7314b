import Config
import Mapping
package import MarketData
package import Quotes
import Terminal

/// The fixed settings of a live view.
package struct WatchSettings: Sendable {
  package var language: Language
  package var alert: PremiumAlert
  package var rule: HeadlineRule
  package var check: MeaningCheck
  package var dollarTokens: [String]
  /// Human-readable names of pairs, if the config has any: `Bitcoin`.
  package var names: [Pair: String]
  /// The exchanges' names for assets; empty until received.
  package var assetNames = AssetNames()
  /// The pair of the header's rate; the `w` key switches between its two currencies.
  package var headerRate = Pair(asset: "USD", payment: "KRW")
  /// Other names of exchanges, folded, with their names in the config.
  package var otherExchangeNames: [String: String] = [:]
  /// Other names of assets, as in the config: `XBT` is `BTC`.
  package var aliases: [String: String] = [:]
  /// Returns the reader's local time zone at a moment; nil if that is UTC.
  package var localClock: @Sendable (Instant) -> ClockZone?
  /// Whether answers are replayed from recordings, which the screen shows.
  package var isReplay = false
  /// What another command needs to find the same config: ` -c FILE`.
  package var configOption = ""
  /// The market whose pairs are listed; nil to show a watchlist.
  package var list: ListedMarket?
  /// What is known of the closes of rows that have been on the screen; nil if none are requested.
  package var trends: [RowKey: TrendReading]?

  package init(
    language: Language, alert: PremiumAlert, rule: HeadlineRule,
    check: MeaningCheck, dollarTokens: [String], names: [Pair: String] = [:],
    localClock: @escaping @Sendable (Instant) -> ClockZone? = { _ in nil }
  ) {
    self.language = language
    self.alert = alert
    self.rule = rule
    self.check = check
    self.dollarTokens = dollarTokens
    self.names = names
    self.localClock = localClock
  }
}

/// A market whose pairs are all listed.
package struct ListedMarket: Sendable {
  /// nil joins the pairs of many exchanges.
  package let exchange: String?
  package let market: Market
  package let digits: Page.Digits

  package init(_ market: Market, of exchange: String?, digits: Page.Digits) {
    self.market = market
    self.exchange = exchange
    self.digits = digits
  }
}

extension WatchSettings {
  /// Returns the display name of a pair, from exchanges in the reader's language or else from the config; nil if unknown.
  func name(of pair: Pair) -> String? { assetNames[pair.asset]?.name.text(first: language) ?? names[pair] }
}

/// The feeds at one moment, with the figures of the shown pairs: everything that screens are drawn from.
package struct WatchBoard: Sendable {
  package let state: BoardState
  /// The state of the feeds, which may be newer than the figures.
  private(set) var newest: BoardState
  /// The figures of pairs followed individually, in watchlist order.
  package let figures: [PairFigures]
  /// All pairs of a market; nil for a watchlist.
  package let listing: PairListing?
  /// The shown pairs, in the order of the watchlist or market.
  package let pairs: [Pair]
  /// The reference time for ages, which the header's clocks show. Figures are as of the board's creation.
  package var now: Instant
  /// A clock that keeps running when the board's stands still, as between two recordings.
  package var time: Instant
  var ticks: [RowKey: PriceTick] = [:]
  var money = DisplayCurrency.sent
  let settings: WatchSettings
  /// Up to three letters per exchange.
  let badges: [String: String]
  private let places: [Pair: Int]
  /// When the figures were computed.
  let made: Instant

  package init(_ state: BoardState, pairs: [Pair], at now: Instant, _ settings: WatchSettings) {
    (self.state, newest) = (state, state)
    (self.now, time) = (now, now)
    self.settings = settings
    made = now
    figures = state.figures(
      of: settings.list == nil ? pairs : [], at: now, check: settings.check, rule: settings.rule,
      dollarTokens: settings.dollarTokens)
    listing = settings.list.map {
      state.listing(
        of: $0.exchange, $0.market, names: settings.assetNames, at: now, check: settings.check, rule: settings.rule)
    }
    self.pairs = listing?.entries.map(\.pair) ?? figures.map(\.pair)
    badges = Dictionary(state.feeds.map { ($0.key.exchange, $0.badge) }) { first, _ in first }
    places = Dictionary(self.pairs.enumerated().map { ($1, $0) }) { first, _ in first }
  }

  func shown(in money: DisplayCurrency) -> WatchBoard {
    var board = self
    board.money = money
    return board
  }

  /// Follows the feeds of a newer board, and keeps the figures.
  mutating func follow(feedsOf board: WatchBoard) { newest = board.newest }

  /// The figures of a shown pair. For a list, they are computed on demand.
  package subscript(pair: Pair) -> PairFigures? { shownFigures(of: [pair]).first }

  /// Returns the figures of those of the pairs that are shown, in their order. All of many at once is less work than one
  /// by one.
  func shownFigures(of pairs: [Pair]) -> [PairFigures] {
    guard listing != nil else { return pairs.compactMap { pair in places[pair].map { figures[$0] } } }
    return state.figures(
      of: pairs.filter { places[$0] != nil }, at: made, check: settings.check, rule: settings.rule,
      dollarTokens: settings.dollarTokens)
  }

  func entry(of pair: Pair) -> PairListing.Entry? {
    listing.flatMap { listing in places[pair].map { listing.entries[$0] } }
  }

  /// Returns the reader's time zone at a moment.
  func zone(at moment: Instant) -> ClockZone { settings.localClock(moment) ?? .utc }

  /// `14:12:07` in the reader's time zone.
  func clockText(_ moment: Instant) -> String { zone(at: moment).clock(moment) }

  /// Returns up to three letters for an exchange.
  func badge(_ exchange: String) -> String { badges[exchange] ?? Badges.initials(of: exchange) }

  /// The names of the polled exchanges, in the order of the config.
  package var exchanges: [String] { newest.feeds.map(\.key.exchange).unique }

  /// Returns the help, with the names of the exchanges that may be on the screens as letters.
  func help(width: Int) -> [StyledText] {
    let exchanges = newest.feeds.filter(\.isFollowed).map(\.key.exchange).unique
    let names = exchanges.map { StyledText("\(badge($0)) ", .heading) + StyledText($0) }
    return WatchKey.help(
      settings.language, isList: settings.list != nil, exchanges: names.count > 1 ? names : [], width: width)
  }

  // MARK: Feeds

  /// Returns the exchanges that list this pair but do not stream it, with a short reason each.
  func polledExchanges(_ figures: PairFigures) -> [(exchange: String, reason: String)] {
    newest.feeds.compactMap { feed in
      guard case .substituted(let reason, _) = feed.phase(of: figures.pair, at: now), !feed.rows[figures.pair].isEmpty
      else { return nil }
      return (feed.key.market.name(of: feed.key.exchange, settings.language), reason.code)
    }
  }

  /// The phases of all relevant feeds, in the order of the config.
  var phases: [(feed: FeedState, phase: FeedPhase)] {
    newest.feeds.filter { $0.inactiveReason != .noPair }.map { ($0, $0.phase(at: now)) }
  }

  /// The first failure to connect since which no queried feed has answered, and how many there are; nil if any answers,
  /// or if they are of one exchange, which may itself be down.
  var offlineSince: (time: Instant, count: Int)? {
    let asked = newest.feeds.filter { $0.inactiveReason == nil && ($0.answered != nil || $0.failure != nil) }
    let failures = asked.compactMap { $0.failure?.offlineSince }
    guard Set(asked.map(\.key.exchange)).count > 1, failures.count == asked.count,
      !asked.contains(where: \.isStreaming)
    else { return nil }
    let contact = asked.compactMap(\.contacted).max()
    let later = failures.filter { failure in contact.map { failure >= $0 } ?? true }
    return (later.min() ?? failures.max()).map { ($0, failures.count) }
  }

  /// Why no exchange is asked for a pair: none has its payment currency in the config. nil if one is, or if nothing is
  /// known of any, as those that are disabled or invalid.
  func absence(of pair: Pair) -> String? {
    let feeds = newest.feeds.filter { $0.inactiveReason != .disabled && $0.inactiveReason != .unreadable }
    let isAsked = feeds.contains { $0.capabilities.isWhole || $0.capabilities.pairs.contains(pair) }
    guard !feeds.isEmpty, !isAsked else { return nil }
    let count = feeds.map(\.key.exchange).unique.count
    return settings.language(
      "none of \(count.counted("exchange")) has \(pair.payment) in the config",
      "거래소 \(count)곳의 설정에 \(pair.payment) 마켓 없음")
  }

  /// How far behind this machine's clock seems to be, below zero if ahead, by the times of several exchanges; nil if it
  /// seems right. The first pairs show it as well as all.
  var clockLag: (seconds: Int64, exchanges: Int)? { figures.prefix(5).lazy.compactMap(\.snapshot.clockLag).first }

  // MARK: Rows

  func feed(of ticker: Ticker) -> FeedState? {
    newest[FeedKey(exchange: ticker.exchange, market: ticker.market)]
  }

  /// Returns the feed as it was when the figures were taken.
  func pictured(_ ticker: Ticker) -> FeedState? { state[FeedKey(exchange: ticker.exchange, market: ticker.market)] }

  /// Returns the age of a row's price in nanoseconds; nil if unknown.
  func age(of row: TickerRow) -> Int64? { feed(of: row.ticker)?.age(of: row, at: now) }

  /// Returns exchanges whose rows of a pair are excluded from headlines, or that fail or do not trade it, with reasons:
  /// `Luno stale 6m`. If all have answered and no exchange lists the pair, those that do not are included.
  func leftOut(of figures: PairFigures) -> [(exchange: String, reason: String)] {
    let rows = figures.snapshot.rows
    let objections = rows.compactMap { row -> (exchange: String, reason: String)? in
      guard let objection = row.ticker.headlineObjection(settings.rule) else { return nil }
      return (row.ticker.key.nameInMarket(settings.language), reason(objection, row))
    }
    func reasons(_ statuses: ExchangeReport.Status...) -> [(exchange: String, reason: String)] {
      figures.snapshot.reports.filter { statuses.contains($0.status) }.map {
        ($0.market.name(of: $0.exchange, settings.language), $0.reason ?? $0.status.rawValue)
      }
    }
    // Exchanges that do not list a pair are only mentioned if none does, which is unknown while one is loading.
    return objections + reasons(.failed, .halted) + (rows.isEmpty && state.isSettled ? reasons(.notListed) : [])
  }

  private func reason(_ objection: HeadlineObjection, _ row: TickerRow) -> String {
    switch objection {
    case .flagged(let flag) where flag.kind == .stale:
      if let age = row.ticker.ageNanoseconds, age < 0 {
        return "\(objection.code) (\(settings.language("dated in the future", "미래 시각")))"
      }
      let isPaused = flag.cause == .inactive(.paused)
      let word = isPaused ? settings.language("paused", "일시중지") : objection.code
      guard let time = row.ticker.timeByClock ?? row.ticker.priceArrival else { return word }
      return "\(word) \(settings.language.age(nanoseconds: now.nanoseconds(since: time)))"
    case .basis(let basis): return "\(basis.rawValue) (\(settings.language("no last trade", "체결가 아님")))"
    default: return objection.code
    }
  }
}
