import Asking
import MarketData
import Quotes
import Shell
import Terminal
import Views
import Watching

/// `market watch [PAIR...]`
enum WatchCommand {
  private enum Format: String, CaseIterable { case text, ndjson }

  private enum View: String, CaseIterable { case cards, table, pair, feeds }

  private static let pair = Argument(
    "PAIR", help: "the pairs to follow: BTC/USDT, or BTC USDT (default: the watchlist, then the favourites)",
    isOptional: true, isRepeating: true, kind: .pair)
  private static let sort = Option(
    "sort", value: "COLUMN", help: "sort the pairs by this column, largest first",
    default: WatchSort.list.rawValue, choices: WatchSort.names, category: .output)
  private static let view = Option(
    "view", value: "VIEW", help: "what to show: cards, a table, the first pair on all exchanges, or the feeds",
    default: View.cards.rawValue, choices: View.names, category: .output)
  private static let once = Option("once", help: "print one frame and exit", category: .output)
  private static let plain = Option(
    "plain", help: "print a line when a figure changes (the default without a terminal)", category: .output)
  private static let format = Option(
    "format", short: "f", value: "FORMAT",
    help: "output format; ndjson is one JSON object per line, the last five are lines for a status bar that reads a "
      + "running command",
    default: Format.text.rawValue, choices: Format.names + BarFormat.names, category: .output)
  private static let every = Option(
    "every", value: "TIME",
    help:
      "print a pair at most this often: 10s, 1m (default: 10s, for ndjson 1s); on the screen: change figures at "
      + "most this often",
    category: .output)
  private static let language = Option.language("the language of the screen's own words")
  private static let timeout = Option(
    "timeout", value: "SECONDS",
    help: "wait this long for an answer (default: the config's, 5 seconds); with --until: for the whole condition, up "
      + "to a week",
    category: .network)
  private static let alert = Option(
    "alert", value: "EXPR", help: "also watch for this: 'premium > 3% for 10s then bell'; may be repeated",
    category: .output)
  private static let until = Option(
    "until", value: "EXPR",
    help: "exit with 0 once this holds for a pair, or with 1 once --timeout has passed", category: .output)
  private static let exec = Option(
    "exec", value: "CMD",
    help: "run this in a shell when --alert or --until fires, with the figures in its environment",
    category: .output)
  private static let noFlash = Option(
    "no-flash", help: "do not flash changing prices on the screen", category: .output)

  static let command = Command(
    name: "watch",
    summary: "follow pairs on every exchange as they change",
    examples: [
      .init("market watch", "the watchlist and your favourites on a live screen; ? lists its keys"),
      .init("market watch --once", "the watchlist and your favourites, as one frame"),
      .init("market watch BTC/USDT BTC/KRW --plain", "a line when a printed figure changes"),
      .init("market watch BTC/USDT --once --view pair --screen 100x60", "one pair on all exchanges"),
      .init("market watch -f ndjson --every 5s", "one JSON object per line, for programs"),
      .init("market watch BTC/KRW -f waybar", "an object for a status bar whenever its text changes"),
      .init(
        "market watch XRP/KRW --plain --until 'premium > 3% for 10s' --timeout 300",
        "wait up to five minutes for a premium"),
    ],
    arguments: [pair],
    options: [
      .exchange, .basis, .maximumAge, .noRate, sort, view, once, ScreenOptions.size, plain, format, every, language,
      noFlash,
    ],
    [alert, until, exec], [.scheme, .glyphs, .config, .verbose, timeout, .record, .replay, .speed],
    discussion: [
      "Each exchange is queried as often as its config says ('refresh'), and never beyond its limit, which is "
        + "counted within this run. One that fails is retried after 1, 5, 15 and 60 seconds; its prices stay until "
        + "they are too old, and are then left out of the headlines.",
      "On a terminal it is a screen with keys, unless --once, --plain or --format says otherwise, or TERM is 'dumb' or not set.",
      "An alert is '[PAIR] EXPR [for TIME] [then bell,desktop,exec CMD]'; EXPR compares the figures "
        + AlertField.names.joined(separator: " ")
        + " with < <= > >= and or ( ), 'price@Upbit' is that of one exchange, and k M B T 만 억 조 % may follow a "
        + "number. It fires once, and again only after it has been false for that long (at least ten seconds); a "
        + "stale or flagged price never fires it. Permanent alerts are in ~/.config/market/alerts.json, whichever "
        + "config is in use.",
      "--once waits for the first answers and exits with 0 if there is a price, or else with 1. Otherwise the "
        + "command runs until it is stopped or nothing reads its output any more. --replay plays the answers, and then the "
        + "streams; without a screen it ends with the recordings, and --once shows their final state.",
    ],
    work: .later(run))

  private struct Options: CommandOptions {
    /// nil for those of the config, then the favorites.
    let pairs: [Pair]?
    let rule: HeadlineRule
    let asksRate: Bool
    let sort: WatchSort
    let view: View
    let screen: ScreenOptions
    let isEverySaid: Bool
    let flashes: Bool
    let alerts: [String]
    /// The condition that ends the run; nil if only the user does.
    let until: String?
    /// The time limit for that; nil for none.
    let endMilliseconds: Int?
    let command: String?
    let asking: AskingOptions

    func isLive(on context: Context) -> Bool {
      !screen.isOnce && !screen.isPlain && !screen.isNDJSON && screen.bar == nil && context.hasScreen
    }

    init(_ words: Invocation) throws(UsageProblem) {
      let named = try PairArgument.pairs(words.texts(of: WatchCommand.pair), of: "watch")
      pairs = named.isEmpty ? nil : named
      rule = try words.headlineRule()
      asksRate = !words.has(.noRate)
      sort = try words.choice(of: WatchCommand.sort) ?? .list
      view = try words.choice(of: WatchCommand.view) ?? .cards
      screen = try ScreenOptions(words)
      if words.has(WatchCommand.view), screen.isPlain { throw .conflict("--view", "--plain") }
      if words.has(WatchCommand.view), screen.isNDJSON { throw .conflict("--view", "--format ndjson") }
      if let bar = screen.bar {
        if words.has(WatchCommand.view) { throw .conflict("--view", "--format \(bar.rawValue)") }
        // Only lines say which pair they are about.
        if bar != .line, named.count != 1 {
          let format = "--format \(bar.rawValue)"
          throw .other("'\(format)' shows one pair; write: market watch BTC/USDT \(format)")
        }
      }
      flashes = !words.has(noFlash)
      alerts = words.values(of: alert)
      until = words.value(of: WatchCommand.until)
      command = words.value(of: exec)
      isEverySaid = words.has(every)
      // With --until, --timeout limits the whole run, up to a week, and requests use the config's timeout.
      var asking = try AskingOptions(words, longestTimeout: until == nil ? 600 : 7 * 86_400)
      endMilliseconds = until == nil ? nil : asking.timeoutMilliseconds
      if until != nil { asking.timeoutMilliseconds = nil }
      self.asking = asking
      if screen.isOnce, !alerts.isEmpty { throw .conflict("--once", "--alert") }
      if screen.isOnce, until != nil { throw .conflict("--once", "--until") }
      if command != nil, until == nil, alerts.isEmpty { throw .other("'--exec' needs '--alert' or '--until'") }
    }
  }

  @Sendable private static func run(_ options: Options, in context: Context) async throws -> ExitCode {
    if !options.screen.isOnce { try options.asking.requireNoRecordings() }
    var watch = try await run(of: options, in: context)
    let session = watch.session
    defer { session.close() }
    let alerts = try WatchAlerts(options.alerts, until: options.until, command: options.command, of: watch)
    if options.screen.isOnce {
      try await watch.firstAnswers(in: context)
      watch.take(await session.assetNames())
      return watch.print(state(of: watch, options), options.asking, options.screen.size, in: context)
    }
    if options.isLive(on: context) { return try await screen(of: watch, options, alerts, in: context) }
    var lines = WatchLines(
      every: options.screen.everyMilliseconds, speed: options.screen.speed, for: options.endMilliseconds, alerts,
      of: watch, in: context)
    if options.screen.isNDJSON { return try await lines.writeObjects(of: &watch, in: context) }
    let palette = context.palette(options.asking.colors, preferring: session.config.preferredScheme)
    let bars = options.screen.bar.map {
      WatchBars($0, everyMilliseconds: options.screen.everyMilliseconds, scheme: palette.scheme)
    }
    return try await lines.writeText(as: bars, of: &watch, in: context)
  }

  private static func run(of options: Options, in context: Context) async throws -> WatchRun {
    try await WatchRun(
      pairs: options.pairs, exchanges: options.asking.exchanges, rule: options.rule, asksRate: options.asksRate,
      language: options.screen.language, options.asking, in: context)
  }

  // MARK: Live

  private static func screen(
    of watch: WatchRun, _ options: Options, _ alerts: WatchAlerts, in context: Context
  ) async throws -> ExitCode {
    var live = LiveWatch.Options(of: watch, options.asking, in: context)
    live.state = state(of: watch, options)
    live.rules = alerts.rules
    live.timeoutMilliseconds = options.endMilliseconds
    live.speed = options.screen.speed ?? live.speed
    live.asksTrends = true
    live.live.until = alerts.until
    live.live.flashes = options.flashes && live.live.flashes
    live.live.everyMilliseconds = options.isEverySaid ? options.screen.everyMilliseconds : nil
    return try await LiveWatch.show(watch, live, in: context) { try await run(of: options, in: $0) }
  }

  private static func state(of watch: WatchRun, _ options: Options) -> WatchState {
    var screen = WatchState.Screen.pairs
    switch options.view {
    case .cards, .table: break
    case .pair: if let first = watch.pairs.first { screen = .pair(first) }
    case .feeds: screen = .feeds
    }
    return WatchState(favorites: watch.favorites, sort: options.sort, isTable: options.view == .table, screen: screen)
  }
}
