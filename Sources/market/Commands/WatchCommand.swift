import Config
import Mapping
import MarketData
import Quotes
import Terminal
import Views

/// `market watch [PAIR...]`
enum WatchCommand {
  private enum Format: String, CaseIterable { case text, ndjson }

  /// What a picture shows.
  private enum View: String, CaseIterable { case cards, table, pair, feeds }

  private static let pair = Argument(
    "PAIR", help: "the pairs to follow: BTC/USDT; without any: those of the watchlist, then the favourites",
    isOptional: true, isRepeating: true, kind: .pair)
  private static let sort = Option(
    "sort", value: "COLUMN", help: "sort the pairs by this column, the greatest number first",
    default: WatchSort.list.rawValue, choices: WatchSort.allCases.map(\.rawValue), category: .output)
  private static let view = Option(
    "view", value: "VIEW", help: "what to show: cards, a table, the first pair on all exchanges, or the feeds",
    default: View.cards.rawValue, choices: View.allCases.map(\.rawValue), category: .output)
  private static let once = Option("once", help: "print one picture and end", category: .output)
  private static let size = Option(
    "size", value: "COLUMNSxROWS", help: "how large that picture is; without it: as the terminal, else 80x24",
    category: .output)
  private static let plain = Option(
    "plain", help: "print a line when a figure changes; without a terminal that is the default", category: .output)
  private static let format = Option(
    "format", short: "f", value: "FORMAT", help: "output format; ndjson is a JSON object a line",
    default: Format.text.rawValue, choices: Format.allCases.map(\.rawValue), category: .output)
  private static let every = Option(
    "every", value: "TIME", help: "print a pair at most so often: 10s, 1m; without it: 10s, of ndjson 1s",
    category: .output)
  private static let language = Option(
    "lang", value: "LANG", help: "the language of the screen's own words (default: the locale's)",
    choices: Language.allCases.map(\.rawValue), category: .output)
  private static let timeout = Option(
    "timeout", value: "SECONDS", help: "wait so long for an answer; without it: the config's (5 seconds)",
    category: .network)
  private static let noRate = Option("no-rate", help: "ask for no exchange rate")

  static let command = Command(
    name: "watch",
    summary: "follow pairs on every exchange as they change",
    examples: [
      .init("market watch --once", "the watchlist and your favourites, as one picture"),
      .init("market watch BTC/USDT BTC/KRW --plain", "a line when a printed figure changes"),
      .init("market watch BTC/USDT --once --view pair --size 100x60", "one pair on all exchanges"),
      .init("market watch -f ndjson --every 5s", "a JSON object a line, for programs"),
    ],
    arguments: [pair],
    options: [.exchange, .basis, .maximumAge, noRate, sort, view, once, size, plain, format, every, language]
      + [.scheme, .config, .verbose, timeout, .replay],
    discussion: [
      "Each exchange is asked as often as its config says ('refresh'), and never beyond its limit. One that fails is asked again "
        + "after 1, 5, 15 and 60 seconds; its prices stay until they are too old, and then enter no headline.",
      "--once waits for the first answers and exits with 0 if there is a price, else with 1. Otherwise the command runs until it "
        + "is ended or its reader has gone. With --replay it ends with the recordings.",
    ],
    work: .later(run))

  private struct Options: CommandOptions {
    /// nil: those of the config, then the favourites.
    let pairs: [Pair]?
    let exchanges: [String]?
    let rule: HeadlineRule
    let asksRate: Bool
    let sort: WatchSort
    let view: View
    let isOnce: Bool
    /// nil: the terminal's.
    let size: ScreenSize?
    let format: Format
    let everyMilliseconds: Int
    /// nil: the locale's.
    let language: Language?
    let asking: AskingOptions

    init(_ words: Invocation) throws(UsageProblem) {
      let named = words.texts(of: WatchCommand.pair)
      var pairs: [Pair] = []
      for word in named { pairs.append(try PairArgument.wholePair(word, of: "watch")) }
      self.pairs = named.isEmpty ? nil : pairs
      exchanges = try words.exchangeNames()
      rule = try words.headlineRule()
      asksRate = !words.has(noRate)
      sort = try words.choice(of: WatchCommand.sort, as: WatchSort.self) ?? .list
      view = try words.choice(of: WatchCommand.view, as: View.self) ?? .cards
      isOnce = words.has(once)
      size = try words.value(of: WatchCommand.size).map { text throws(UsageProblem) in try Self.size(text) }
      format = try words.choice(of: WatchCommand.format, as: Format.self) ?? .text
      language = try words.choice(of: WatchCommand.language, as: Language.self)
      asking = try AskingOptions(words)
      if isOnce, words.has(plain) { throw .conflict("--once", "--plain") }
      if isOnce, format == .ndjson { throw .conflict("--once", "--format ndjson") }
      if size != nil, !isOnce { throw .other("'--size' needs '--once'") }
      guard let text = words.value(of: every) else {
        everyMilliseconds = format == .ndjson ? 1000 : 10_000
        return
      }
      guard let milliseconds = DurationText.milliseconds(text) else {
        throw .invalidValue(option: "--every", value: text, valid: ["a duration such as 10s or 1m"])
      }
      everyMilliseconds = milliseconds
    }

    private static func size(_ text: String) throws(UsageProblem) -> ScreenSize {
      let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
      guard numbers.count == 2, let columns = numbers[0], let rows = numbers[1], (1...1000).contains(columns),
        (1...1000).contains(rows)
      else {
        throw .invalidValue(
          option: "--size", value: text, valid: ["columns and rows such as 80x24, each from 1 to 1000"])
      }
      return ScreenSize(columns: columns, rows: rows)
    }
  }

  @Sendable private static func run(_ options: Options, in context: Context) async throws -> ExitCode {
    var watch = try await WatchRun(
      pairs: options.pairs, exchanges: options.exchanges, rule: options.rule, asksRate: options.asksRate,
      language: options.language, options.asking, in: context)
    let session = watch.session
    defer { session.close() }
    if options.isOnce { return await picture(of: watch, options, in: context) }
    switch options.format {
    case .text:
      var log = WatchLog(everyMilliseconds: options.everyMilliseconds)
      return await watch.follow(in: context) { board, isWhole, isEnd in
        for line in log.lines(board, isWhole: isWhole || isEnd) { context.output.write(line + "\n") }
      }
    case .ndjson:
      var events = WatchEvents(everyMilliseconds: options.everyMilliseconds)
      context.output.write(
        bytes: events.start(watch.pairs, exchanges: watch.exchanges, at: watch.now()))
      return await watch.follow(in: context) { board, _, isEnd in
        context.output.write(bytes: events.lines(board))
        if isEnd { context.output.write(bytes: events.end("replay-ended", at: board.now)) }
      }
    }
  }

  private static func picture(of watch: WatchRun, _ options: Options, in context: Context) async -> ExitCode {
    await context.showing({ watch.progress }, during: { await watch.board.round() })
    let size =
      options.size
      ?? ScreenSize(columns: context.terminal.columns ?? 80, rows: max(1, (context.terminal.rows ?? 25) - 1))
    if let problem = watch.favoritesProblem { context.note(TerminalText.sanitized(problem)) }
    let board = watch.picture
    var screen = WatchState.Screen.pairs
    switch options.view {
    case .cards, .table: break
    case .pair: if let first = watch.pairs.first { screen = .pair(first) }
    case .feeds: screen = .feeds
    }
    var state = WatchState(
      favorites: watch.favorites, sort: options.sort, isTable: options.view == .table, screen: screen)
    state.take(board)
    let palette = context.palette(options.asking.colors, preferring: watch.session.config.preferredScheme)
    context.output.write(WatchScreen(board, state, size).frame().text(with: palette))
    return watch.hasPrice ? .answer : .noAnswer
  }
}
