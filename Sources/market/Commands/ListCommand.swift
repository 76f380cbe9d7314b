import Asking
import MarketData
import Quotes
import Shell
import Terminal
import Views
import Watching

/// `market list [EXCHANGE]`
enum ListCommand {
  private static let exchange = Argument(
    "EXCHANGE", help: "the exchange to list (default: all enabled exchanges, their pairs joined)", isOptional: true,
    kind: .exchange)
  private static let filter = Option(
    "filter", value: "WORDS",
    help: "only pairs whose symbol or name matches every word; '|' means or, and Korean may be typed in part: ㅂㅌ",
    category: .output)

  static let command = Command(
    name: "list",
    summary: "list pairs with the names of their assets, sorted",
    examples: [
      .init("market list Upbit", "every pair of Upbit, largest turnover first"),
      .init("market list Upbit --sort change --reverse --top 20", "the 20 that have fallen most"),
      .init("market list --filter 'krw ㅂㅌ|리플'", "search all exchanges, both sides of each pair"),
      .init("market list Bithumb -f csv", "for a spreadsheet"),
      .init("market list Upbit -w", "on a live screen; ? lists its keys"),
    ],
    arguments: [exchange],
    options: [.exchange, filter], ListOptions.all, [ListOptions.noTrend], ScreenOptions.ofLists,
    Option.asking(within: .timeout(isFollowed: true, hasPages: false)),
    surplus: { .other("'list' takes one exchange; for several, write -e \($0.joined(separator: ","))") },
    discussion: [
      "Above the pairs are the ten with the largest 24-hour turnover in the most common payment currency, each "
        + "with a day of closing prices.",
      "Names are the exchange's own if it sends any (Upbit and Bithumb do), or else those that other exchanges "
        + "use for the symbol; a note says so. Prices and turnovers are sorted within a payment currency, changes within "
        + "the span they are measured over.",
      "--watch follows all of them, by streams where these exist for that many pairs, or else as often as "
        + "'refresh' and 'limit' in the config allow. Without a terminal, with --plain, or if TERM is 'dumb' or not set, "
        + "it prints the list once.",
    ],
    work: .later(run))

  private struct Options: CommandOptions {
    let exchange: String?
    let filter: String?
    let list: ListOptions
    /// nil to ask just once.
    let watch: ScreenOptions?

    init(_ words: Invocation) throws(UsageProblem) {
      exchange = words.optionalText(of: ListCommand.exchange)
      // Nothing typed filters nothing.
      filter = words.value(of: ListCommand.filter).flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
      list = try ListOptions(words)
      watch = try ScreenOptions.read(words, ScreenOptions.ofLists)
      if watch != nil, list.top != nil { throw .conflict("--watch", "--top") }
      if watch == nil, let filter, WatchFilter.compares(filter) {
        throw .other("'--filter' takes names; comparisons such as '\(filter)' need the live list: add --watch")
      }
      if watch?.isNDJSON == true { throw .conflict("--watch", "--format ndjson") }
      let columns = ListSort.columns(ofMany: exchange == nil)
      if let sort = list.sort, !columns.contains(sort) {
        let known = columns.map(\.rawValue).listed("or")
        throw .other("invalid value '\(sort.rawValue)' for '--sort'; expected \(known)")
      }
      if exchange != nil, list.asking.exchanges != nil {
        throw .other("name the exchange once: as EXCHANGE, or with --exchange")
      }
    }
  }

  @Sendable private static func run(_ options: Options, in context: Context) async throws -> ExitCode {
    if let watch = options.watch {
      if watch.isOnce { return try await picture(options, watch.size, in: context) }
      if context.hasScreen, !watch.isPlain { return try await screen(options, watch, in: context) }
    }
    let lister = try PairLister(options.list, of: options.exchange, in: context)
    let order = PairListReport.Order(
      sort: options.list.sort ?? .turnover, isReversed: options.list.isReversed, top: options.list.top,
      filter: options.filter)
    typealias Found = (PairListing, [PairListing.Entry], [RowKey: TrendReading])
    let (listing, entries, trends) = await context.showing(lister.session.journal) { () async -> Found in
      let listing = await lister.listing(in: context)
      let found = options.filter.map { filter in
        NameFilter(filter).places(in: lister.subjects(of: listing.entries, listing)).map { listing.entries[$0] }
      }
      let entries = order.sort.ordered(
        found ?? listing.entries, reversed: order.isReversed, listing.rule, lister.language)
      return (listing, entries, await closes(of: entries, order, in: listing, options, lister.session, context))
    }
    lister.session.close()
    return lister.write(listing, entries, order: order, trends: trends, in: context)
  }

  /// Requests the closes that are drawn.
  private static func closes(
    of entries: [PairListing.Entry], _ order: PairListReport.Order, in listing: PairListing, _ options: Options,
    _ session: MarketSession, _ context: Context
  ) async -> [RowKey: TrendReading] {
    guard options.list.format == .text, options.list.asksTrend else { return [:] }
    let columns = context.terminal.columns
    let drawn = PairListReport.closesDrawn(of: listing, entries, order, columns: columns)
    return await session.trends(hours: Trend.hours(columns: columns), by: session.client) { trends in
      drawn.map { trends.row(among: $0.rows, lead: $0.leadRow, listing.rule) }
    }
  }

  // MARK: Live

  private static func followed(_ options: Options, in context: Context) async throws -> WatchRun {
    let list = options.list
    let run = try await WatchRun(
      pairs: nil, list: ListedMarket(list.market, of: options.exchange, digits: list.asking.digits),
      exchanges: list.asking.exchanges, rule: list.rule, asksRate: list.asksRate, language: list.language, list.asking,
      in: context)
    if let filter = options.filter, let problem = run.problem(inFilter: filter) {
      run.session.close()
      throw UsageProblem.other("invalid value '\(filter)' for '--filter', \(problem)")
    }
    return run
  }

  private static func state(_ options: Options, of run: WatchRun) -> WatchState {
    WatchState(
      listSortedBy: options.list.sort ?? .turnover, isReversed: options.list.isReversed, filter: options.filter ?? "",
      favorites: run.favorites)
  }

  private static func screen(_ options: Options, _ watch: ScreenOptions, in context: Context) async throws -> ExitCode {
    try options.list.asking.requireNoRecordings()
    let run = try await followed(options, in: context)
    defer { run.session.close() }
    var live = LiveWatch.Options(of: run, options.list.asking, in: context)
    live.state = state(options, of: run)
    live.hasAlerts = false
    live.asksTrends = options.list.asksTrend
    live.speed = watch.speed ?? live.speed
    return try await LiveWatch.show(run, live, in: context) { try await followed(options, in: $0) }
  }

  /// Draws the screen from the first answers, or from the end of the recordings.
  private static func picture(_ options: Options, _ size: ScreenSize?, in context: Context) async throws -> ExitCode {
    var run = try await followed(options, in: context)
    defer { run.session.close() }
    try await run.firstAnswers(in: context)
    run.take(await run.session.assetNames())
    let state = state(options, of: run)
    if options.list.asksTrend { await run.takeTrends(state, size ?? context.pictureSize) }
    return run.print(state, options.list.asking, size, in: context)
  }
}
