import Config
import Hooks
import Mapping
import MarketData
import Quotes
import Terminal
import TestSupport
import Views

/// The board of a live view after all feeds have responded from the shipped recordings.
struct WatchReplay {
  static let pairs = ["BTC/USDT", "ETH/USDT", "PEPE/USDT", "BTC/KRW", "USDT/KRW"].compactMap { Pair($0) }

  let board: BoardState
  let now: Instant
  let session: MarketSession

  /// - Parameter tables: the tables that are followed as a whole.
  init(_ pairs: [Pair] = Self.pairs, tables: WholeTables? = nil) async throws {
    let locator = ConfigLocator(environment: { _ in nil }, userFolder: nil, executablePath: { nil })
    let config = try LoadedConfig(locator.find(named: Checkout.path("exchanges.json")), locator)
    var options = MarketSession.Options(userAgent: "test")
    options.replay = Checkout.path("Tests/Cassettes")
    session = try MarketSession(
      config, options, credentials: Credentials(nil) { $0.hasSuffix("_APP_ID") ? "key" : nil },
      hooks: HookRegistry(shippedHooks), now: { Instant(nanoseconds: 0) })
    let exchanges = config.configuration.exchanges.compactMap { config.configuration.read($0).exchange }
    var selection = FeedSelection(
      pairs: pairs, exchanges: exchanges,
      fields: tables == nil ? [.price, .changePricePercent24, .turnover24, .time] : Set(TickerField.allCases))
    selection.tables = tables
    let settings = config.configuration.settings
    selection.companions = PairFigures.companions(
      of: pairs, local: settings.headerRate.payment, dollarTokens: settings.dollarTokens)
    let (board, now) = FeedBoard.following(selection, in: session, session.interpretation())
    await board.round()
    self.board = board.state
    self.now = now()
  }

  static func settings(_ language: Language) -> WatchSettings {
    var settings = WatchSettings(
      language: language, alert: .standard, rule: .standard, check: MeaningCheck(),
      dollarTokens: Settings().dollarTokens,
      names: Dictionary(
        zip(pairs, ["Bitcoin", "Ether", "Pepe", "비트코인", "Tether"]).map { ($0, $1) },
        uniquingKeysWith: { first, _ in first }),
      localClock: { _ in ClockZone.seoul })
    settings.aliases = ["XBT": "BTC"]
    return settings
  }

  func watch(_ language: Language = .english, pairs: [Pair] = Self.pairs, later seconds: Int = 0) -> WatchBoard {
    watch(board, language, pairs: pairs, later: seconds)
  }

  /// Returns the board of other feeds.
  func watch(
    _ state: BoardState, _ language: Language = .english, pairs: [Pair] = Self.pairs, later seconds: Int = 0
  ) -> WatchBoard {
    WatchBoard(state, pairs: pairs, at: now.advanced(by: .seconds(seconds)), Self.settings(language))
  }

  /// Returns the board after an exchange has sent other spot prices.
  ///
  /// - Parameter pair: whose price has changed; nil for all.
  func moved(_ exchange: String, by change: Decimal, of pair: Pair? = nil) async -> BoardState {
    let key = FeedKey(exchange: exchange, market: .spot)
    let feeds = FeedBoard(board.feeds, now: { now }, ask: { _, _ in [] })
    let rows = (board[key]?.rows.rows ?? []).map { row in
      var row = row
      if pair == nil || row.ticker.pair == pair, let price = row.ticker.price.value {
        row.ticker.price = .value(price + change)
      }
      row.ticker.time = nil
      return row
    }
    await feeds.take(.rows(rows), of: key)
    return feeds.state
  }
}

extension WatchState {
  /// Returns the state after it has seen a board.
  func taking(_ board: WatchBoard) -> WatchState {
    var state = self
    state.take(board)
    return state
  }
}

extension WatchBoard {
  /// Returns the lines of a screen, without the blanks at their ends.
  func texts(_ state: WatchState, columns: Int = 80, rows: Int = 24) -> [String] {
    WatchScreen(self, state, ScreenSize(columns: columns, rows: rows)).frame().texts
  }
}

extension WatchFrame {
  /// The lines without the blanks at their ends.
  var texts: [String] { lines.map { $0.painted(with: .plain).trimmed } }
}
