import Asking
package import Config
import Mapping
package import MarketData
package import Quotes
import Terminal
import Views

/// A change to the pair screen that is not caused by a key.
enum DetailChange: Sendable {
  /// - Parameters:
  ///   - pair: What it is about.
  ///   - row: The row that it was opened from; nil if that was a pair.
  case open(any PairDetail, pair: Pair, row: RowKey?)
  /// Closes the screen and ends its requests.
  case close
}

/// The watch screen, and the pair screen opened from it, which is shown in front.
///
/// The watch screen still receives all events: its alerts keep working, and it is unchanged when the user returns.
struct StackedScreen: LiveScreen, Sendable {
  private var watch: WatchLive
  private var visit: (any PairDetail)?
  private var size = ScreenSize(columns: 80, rows: 24)
  /// Takes the pending change to the pair screen; nil if there is none.
  private let change: @Sendable () -> DetailChange?

  init(_ watch: WatchLive, change: @escaping @Sendable () -> DetailChange?) {
    (self.watch, self.change) = (watch, change)
  }

  var isLineOpen: Bool { visit?.isLineOpen ?? watch.isLineOpen }

  mutating func handle(_ event: LiveEvent, at now: Instant) -> LiveOutcome {
    switch event {
    case .key(let key): return press(key, at: now)
    case .paste, .hangulIsOn, .mouse, .mouseSwitched, .colorsSwitched:
      return visit?.handle(event, at: now) ?? watch.handle(event, at: now)
    case .resized(let size):
      self.size = size
      return both(event, at: now)
    case .news:
      guard let change = change() else { return both(event, at: now) }
      leave()
      if case .open(let new, let pair, let row) = change {
        visit = new
        watch.follow(visit: (pair, row))
        _ = visit?.handle(.resized(size), at: now)
      }
      var outcome = both(event, at: now)
      outcome.isChanged = true
      return outcome
    case .second, .awoke: return both(event, at: now)
    }
  }

  func picture(in size: ScreenSize, at now: Instant) -> LivePicture {
    guard let visit else { return watch.picture(in: size, at: now) }
    let notices = watch.notices(in: size, at: now)
    // Notices go above the key line, which may be open. If there is no room for more lines, they replace existing ones.
    let hasRoom = size.rows - notices.count >= ScreenSize.smallest.rows
    var picture = visit.picture(
      in: hasRoom ? ScreenSize(columns: size.columns, rows: size.rows - notices.count) : size, at: now)
    let place = max(0, picture.lines.count - 1)
    if hasRoom {
      picture.lines.insert(contentsOf: notices, at: place)
      if let cursor = picture.cursor, cursor.row >= place { picture.cursor?.row += notices.count }
    } else {
      for (row, notice) in zip(picture.lines.indices.dropLast().reversed(), notices) { picture.lines[row] = notice }
    }
    return picture
  }

  private mutating func both(_ event: LiveEvent, at now: Instant) -> LiveOutcome {
    var outcome = watch.handle(event, at: now)
    guard let seen = visit?.handle(event, at: now) else { return outcome }
    outcome.isChanged = outcome.isChanged || seen.isChanged
    outcome.effects += seen.effects
    return outcome
  }

  private mutating func press(_ key: Key, at now: Instant) -> LiveOutcome {
    guard visit != nil else { return watch.handle(.key(key), at: now) }
    // Esc first dismisses a visible alert.
    if watch.clearNotices(alerts: key.code == .escape && !isLineOpen) { return .changed }
    if !isLineOpen, let command = WatchKey.command(key) {
      switch command {
      // They are about the visited pair, wherever the cursor of the watch is by now.
      case .visit, .favorite, .copyRow, .silence: return watch.handle(.key(key), at: now)
      case .detail, .feeds, .alerts:
        let outcome = watch.handle(.key(key), at: now)
        // A list has no alerts.
        if outcome.isChanged { leave() }
        return outcome
      default: break
      }
    }
    let outcome = visit?.handle(.key(key), at: now) ?? .end
    guard outcome.isEnd else { return outcome }
    leave()
    return .changed
  }

  private mutating func leave() {
    visit?.end()
    visit = nil
    watch.follow(visit: nil)
  }
}

extension BlockKind {
  /// Returns the screen about a pair, which starts its feeds at once.
  ///
  /// - Parameters:
  ///   - sources: At least one source.
  ///   - areChosen: Whether the user has chosen to compare them. Otherwise a chart has the candles of the first alone, until
  ///     a key adds the others.
  func screen(
    _ sources: [PairPoller.Source], areChosen: Bool, _ settings: PairSettings, _ session: MarketSession, speed: Int,
    wake: @escaping @Sendable () -> Void
  ) -> any PairDetail {
    func following(_ interval: CandleInterval, _ subjects: [PairPoller.Subject]) -> PairFollowing {
      PairFollowing(session: session, sources: sources, subjects: subjects, interval: interval, speed: speed)
    }
    switch self {
    case .candles:
      // Days that start at different midnights cannot be compared.
      let candles = PairPoller.Subject.candles(.oneHour, count: 200, zoneSeconds: sources.count > 1 ? 0 : nil)
      let chart = CandleScreen(showsLines: areChosen)
      return PairLive(chart, following(.oneHour, [candles, .ticker]), settings, wake: wake)
    case .orderbook:
      return PairLive(BookScreen(), following(.oneHour, [.orderbook(100), .ticker]), settings, wake: wake)
    case .trades:
      let subjects: [PairPoller.Subject] = [.tape, .days(30), .ticker]
      return PairLive(TapeScreen(), following(.oneDay, subjects), settings, wake: wake)
    }
  }
}

extension WatchRun {
  private static let maximumSources = 2

  /// Returns the sources of a pair screen: the row under the cursor or the leading one, and those that the user has put
  /// beside it; without any of these, the exchanges with the largest turnover.
  ///
  /// - Returns: The sources, and the chosen rows that do not offer what the screen shows.
  package func sources(
    of visit: BlockKind, _ pair: Pair, first row: RowKey?, beside: [RowKey]
  ) -> (sources: [PairPoller.Source], absent: [RowKey]) {
    guard let figures = picture[pair] else { return ([], []) }
    var sources: [PairPoller.Source] = []
    var absent: [RowKey] = []
    guard beside.isEmpty else {
      let own = row ?? figures.leadRow?.ticker.key
      for key in [own].compactMap(\.self) + beside.filter({ $0 != own }) where sources.count < WatchState.maximumPinned
      {
        if let source = source(of: visit, key) { sources.append(source) } else { absent.append(key) }
      }
      return (sources, absent)
    }
    let market = row?.market ?? tables?.market ?? .spot
    let rows = market == .futures ? figures.snapshot.futures : figures.snapshot.spot
    let traded = rows.map(\.ticker).filter { $0.pair == pair }.sorted { left, right in
      (left.turnover24.value ?? 0) > (right.turnover24.value ?? 0)
    }.map(\.key)
    for key in traded.filter({ $0 == row }) + traded.filter({ $0 != row }) where sources.count < Self.maximumSources {
      guard !sources.contains(where: { $0.exchange.name == key.exchange }), let source = source(of: visit, key) else {
        if key == row { absent.append(key) }
        continue
      }
      sources.append(source)
    }
    return (sources, absent)
  }

  /// Returns nil if that market of the exchange does not offer the data.
  private func source(of visit: BlockKind, _ key: RowKey) -> PairPoller.Source? {
    let (configuration, options) = (session.configuration, session.interpretation())
    let extent = ExchangeExtent(blocks: BlockKind.allCases, hasStreams: true)
    guard
      let exchange = configuration.exchange(named: key.exchange).flatMap({ configuration.read($0, extent).exchange }),
      let market = exchange.market(key.market)
    else { return nil }
    let query = PairQuery(key.pair, product: key.product, options)
    return market.offers(visit, for: query) ? PairPoller.Source(exchange, market, query) : nil
  }
}
