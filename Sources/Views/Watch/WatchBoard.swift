import Mapping
package import MarketData
package import Quotes
import Terminal

/// What holds for a live view as long as it runs.
package struct WatchSettings: Sendable {
  package var language: Language
  package var alert: PremiumAlert
  package var rule: HeadlineRule
  package var check: MeaningCheck
  package var dollarTokens: [String]
  /// Names of pairs for people, where the config has any: `Bitcoin`.
  package var names: [Pair: String]
  /// What exchanges call assets; none before they have said so.
  package var assetNames = AssetNames()
  /// The rate of the header: what prices are shown in on the key `w` are its two moneys.
  package var headerRate = Pair(asset: "USD", payment: "KRW")
  /// Other names of assets, as the config has them: `XBT` is `BTC`.
  package var aliases: [String: String] = [:]
  /// The clock on the reader's wall at a moment; nil where that is UTC.
  package var localClock: @Sendable (Instant) -> ClockZone?
  /// Whether recordings answer: the screen says so.
  package var isReplay = false
  /// What all pairs are listed of; nil: those of a watchlist are shown.
  package var list: ListedMarket?
  /// Of a list: the pairs with the largest turnover, as they were an hour ago at most.
  package var leaders = Leaders()

  package init(
    language: Language, alert: PremiumAlert = PremiumAlert(), rule: HeadlineRule = HeadlineRule(),
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
  /// nil joins the pairs of many.
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
  /// What people call a pair: in the config, else on exchanges; nil where nobody says.
  func name(of pair: Pair) -> String? { names[pair] ?? assetNames[pair.asset]?.name.text(first: language) }
}

/// The feeds at one moment, with the figures of the pairs that are shown: all that screens are drawn from.
package struct WatchBoard: Sendable {
  package let state: BoardState
  /// Of the pairs that are followed one by one, in the order of the watchlist.
  package let figures: [PairFigures]
  /// All pairs of a market; nil of a watchlist.
  package let listing: PairListing?
  /// Those that are shown, in the order of the watchlist or of the market.
  package let pairs: [Pair]
  /// What ages are counted to. Figures are those of when the board was made.
  package var now: Instant
  /// What the clocks of the header show.
  package var clock: Instant
  /// By the clock that runs even where that of the board stands, as it does between two recordings.
  package var time: Instant
  /// The prices that flash.
  var ticks: [RowKey: PriceTick] = [:]
  /// What prices are shown in.
  var money = PriceMoney.sent
  let settings: WatchSettings
  private let badges: [String: String]
  private let places: [Pair: Int]
  /// When the figures were worked out.
  private let made: Instant

  package init(_ state: BoardState, pairs: [Pair], at now: Instant, _ settings: WatchSettings) {
    self.state = state
    (self.now, clock, time) = (now, now, now)
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

  /// The same with its prices in this money.
  func shown(in money: PriceMoney) -> WatchBoard {
    var board = self
    board.money = money
    return board
  }

  /// The figures of a pair that is shown. Of a list they are worked out for those that somebody looks at.
  package subscript(pair: Pair) -> PairFigures? {
    guard let place = places[pair] else { return nil }
    guard listing != nil else { return figures[place] }
    return state.figures(
      of: [pair], at: made, check: settings.check, rule: settings.rule, dollarTokens: settings.dollarTokens
    ).first
  }

  /// The pair of a list.
  func entry(of pair: Pair) -> PairListing.Entry? {
    listing.flatMap { listing in places[pair].map { listing.entries[$0] } }
  }

  /// `14:12:07`, by the reader's clock.
  func clockText(_ moment: Instant) -> String {
    String(ClockText.plain(moment, offsetSeconds: settings.localClock(moment)?.offsetSeconds ?? 0).suffix(8))
  }

  /// Up to three letters for an exchange.
  func badge(_ exchange: String) -> String { badges[exchange] ?? String(exchange.prefix(2)).uppercased() }

  /// The names of the exchanges that are asked, in the order of the config.
  package var exchanges: [String] {
    state.feeds.map(\.key.exchange).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  // MARK: Feeds

  func phase(_ feed: FeedState) -> FeedPhase { feed.phase(at: now) }

  /// The exchanges that list this pair and whose streams do not bring it, and why, each in a few words.
  func filledIn(_ figures: PairFigures) -> [(exchange: String, reason: String)] {
    state.feeds.compactMap { feed in
      guard case .substituted(let reason, _) = feed.phase(of: figures.pair, at: now), !feed.rows[figures.pair].isEmpty
      else { return nil }
      return (feed.key.exchange + (feed.key.market == .futures ? " \(feed.key.market.rawValue)" : ""), reason)
    }
  }

  /// The phases of all feeds that are of use, in the order of the config.
  var phases: [(feed: FeedState, phase: FeedPhase)] {
    state.feeds.filter { $0.rest != .noPair }.map { ($0, phase($0)) }
  }

  /// Since when every feed that has been asked fails for want of a network; nil while one answers.
  var offlineSince: (time: Instant, count: Int)? {
    let asked = state.feeds.filter { $0.rest == nil && ($0.answered != nil || $0.failure != nil) }
    let failures = asked.compactMap { feed in feed.failure.flatMap { $0.isPartial ? nil : $0 } }
    guard !asked.isEmpty, failures.count == asked.count, failures.allSatisfy(\.isOfTheWire) else { return nil }
    return failures.map(\.since).max().map { ($0, failures.count) }
  }

  // MARK: Rows

  /// The row's feed, for its age and where it comes from.
  func feed(of ticker: Ticker) -> FeedState? {
    state[FeedKey(exchange: ticker.exchange, market: ticker.market)]
  }

  /// Why rows of a pair enter no headline, and which exchanges fail, each in a few words: `Luno stale 6m`; of a pair that
  /// nobody lists, who does not.
  func leftOut(of figures: PairFigures) -> [(exchange: String, reason: String)] {
    let rows = figures.snapshot.spot + figures.snapshot.futures
    let objections = rows.compactMap { row -> (exchange: String, reason: String)? in
      guard let objection = row.ticker.headlineObjection(settings.rule) else { return nil }
      return (row.ticker.nameInMarket, reason(objection, row))
    }
    func reasons(_ status: ExchangeReport.Status) -> [(exchange: String, reason: String)] {
      figures.snapshot.reports.filter { $0.status == status }.map { report in
        let market = report.market == .futures ? " \(Market.futures.rawValue)" : ""
        return (report.exchange + market, report.reason ?? status.rawValue)
      }
    }
    // Who does not list a pair is missed by nobody, unless that is everybody.
    return objections + reasons(.failed) + (rows.isEmpty ? reasons(.notListed) : [])
  }

  private func reason(_ objection: HeadlineObjection, _ row: TickerRow) -> String {
    switch objection {
    case .flagged(let flag) where flag.kind == .stale:
      guard let time = row.ticker.time ?? row.ticker.arrival else { return objection.code }
      return "\(objection.code) \(settings.language.age(nanoseconds: now.nanoseconds(since: time)))"
    case .basis(let basis): return "\(basis.rawValue) (\(settings.language("no last trade", "체결가 아님")))"
    default: return objection.code
    }
  }
}

extension Ticker {
  var nameInMarket: String { key.nameInMarket }
}

extension RowKey {
  /// The exchange, with the market where that is not spot: `Okx futures`.
  var nameInMarket: String { market == .spot ? exchange : "\(exchange) \(market.rawValue)" }
}

extension FeedState.Failure {
  /// Whether there was no answer at all, rather than a bad one.
  var isOfTheWire: Bool {
    switch failure.reason {
    case .timeout: true
    case .noAnswer(let reason): reason == "unreachable"
    default: false
    }
  }
}
