import Adapters
import Catalog
import MarketData
import Quotes
import Terminal

/// `market show ASSET PAYMENT`
enum ShowCommand {
  private static let asset = Argument("ASSET", help: "what is traded: BTC")
  private static let payment = Argument("PAYMENT", help: "what it is paid with: USDT")
  private static let market = Option(
    "market", short: "m", value: "MARKET", help: "one market only", choices: Market.allCases.map(\.rawValue))
  private static let exchange = Option(
    "exchange", short: "e", value: "A,B", help: "these exchanges only, in any letters")
  private static let basis = Option(
    "basis", value: "BASIS", help: "which prices enter the headlines: last trades, or any (mid, mark, oracle)",
    default: "last", choices: ["last", "any"])
  private static let explain = Option(
    "explain", help: "say of every cell how it came to be: request, path, raw digits, scale, value", category: .output)
  private static let strict = Option("strict", help: "exit with 1 when any exchange failed")

  static let command = Command(
    name: "show",
    summary: "what an asset costs on every exchange",
    examples: [
      .init("market show BTC USDT", "spot and futures, largest premium, disparity"),
      .init("market show BTC KRW -e upbit,bithumb", "two exchanges only"),
      .init("market show ETH USDT -m futures -f json", "as JSON, for scripts"),
      .init("market show BTC USDT --explain", "where every number comes from"),
      .init("market show BTC USDT --record DIR", "keep the answers; --replay DIR shows them again"),
    ],
    arguments: [asset, payment],
    options: [market, exchange, basis, strict, Option.format, Option.scheme, explain] + Option.asking,
    discussion: [
      "Prices are compared as the exchanges send them. A row that fails a check is shown with the reason and left out "
        + "of the largest premium and the disparity. Exchanges that fail are named on stderr.",
      "Exits with 0 when there is a price, 1 when there is none, 2 when the command line is wrong, 3 when the config is.",
    ],
    work: .awaiting(run))

  @Sendable private static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode {
    Desk.prepare(for: invocation)
    let config = try ConfigLoader(invocation, in: context)
    let format = try invocation.choice(of: Option.format, as: OutputFormat.self) ?? .text
    let wantedMarket = try invocation.choice(of: market, as: Market.self)
    let markets = Market.allCases.filter { wantedMarket == nil || $0 == wantedMarket }
    let pair = Pair(
      asset: canonical(invocation.text(of: asset), config), payment: canonical(invocation.text(of: payment), config))
    let venues = try venues(invocation, config, in: context)
    let desk = try Desk(config, invocation, in: context)

    let isExplained = invocation.has(explain)
    var options = desk.interpretation(pair: pair, traces: isExplained)
    options.namesUnsplit = invocation.has(Option.verbose)
    let fields = isExplained || format != .text ? Set(TickerField.allCases) : shownFields
    let question = TableQuestion(market: nil, pair: pair, fields: fields, options: options)
    let asked = venues.flatMap { venue in
      venue.markets.filter { $0.isEnabled && markets.contains($0.market) }.map { (venue, $0) }
    }
    async let rate = desk.gatherer.rate(
      of: Pair(asset: "USD", payment: "KRW"), config.catalog, question.options)
    let reports = await desk.gatherer.reports(on: asked, question)
    let snapshot = Snapshot(
      pair: pair, time: desk.moment(reports, await rate), reports: reports, rate: await rate, check: options.check,
      anyPriceBasis: invocation.value(of: basis) == "any")
    desk.close()

    try write(snapshot, format, markets, desk, invocation, in: context)
    for line in snapshot.failures.compactMap(\.line) { context.note(TerminalText.sanitized(line)) }
    if invocation.has(Option.verbose) { noteUnsplit(snapshot, in: context) }
    return exitCode(snapshot, isStrict: invocation.has(strict), in: context)
  }

  /// What the text shows, and so what lookups are worth asking for.
  private static let shownFields: Set<TickerField> = [.price, .changePricePercent24, .turnover24, .time]

  /// The canonical name of an asset that the user wrote in any letters.
  private static func canonical(_ name: String, _ config: ConfigLoader) -> String {
    let upper = name.uppercased()
    return config.catalog.aliases[upper] ?? upper
  }

  /// The venues to ask: those named, else all that are enabled.
  private static func venues(
    _ invocation: Invocation, _ config: ConfigLoader, in context: Context
  ) throws -> [Venue] {
    let named = invocation.values(of: exchange).flatMap { $0.split(separator: ",") }.map(String.init)
    guard invocation.has(exchange) else {
      return config.catalog.venues.compactMap { config.venue($0, in: context) }.filter(\.isEnabled)
    }
    guard !named.isEmpty else { throw UsageProblem.other("--exchange names no exchange") }
    var venues: [Venue] = []
    var closed: [RetiredVenue] = []
    for name in named {
      if config.catalog.venue(named: name) == nil, let retired = config.catalog.retiredVenue(named: name) {
        closed.append(retired)
        continue
      }
      let source = try config.source(named: name)
      guard let venue = config.venue(source, in: context), !venues.contains(where: { $0.name == venue.name }) else {
        continue
      }
      guard venue.isEnabled else { throw UsageProblem.other("\(venue.name) is switched off in the config") }
      venues.append(venue)
    }
    // A closed exchange among others takes nothing away from them.
    let sentences = closed.map { TerminalText.sanitized($0.sentence) }
    if venues.isEmpty, !sentences.isEmpty { throw CommandError.noAnswer(sentences.joined(separator: "; ")) }
    for sentence in sentences { context.note(sentence) }
    return venues
  }

  private static func write(
    _ snapshot: Snapshot, _ format: OutputFormat, _ markets: [Market], _ desk: Desk, _ invocation: Invocation,
    in context: Context
  ) throws {
    switch format {
    case .json:
      context.write(json: SnapshotJSON(snapshot: snapshot, isExplained: invocation.has(explain)).bytes())
      if let note = desk.replayNote(at: snapshot.time) { context.note(note) }
    case .csv:
      context.output.write(SnapshotCSV(snapshot: snapshot).text())
      if let note = desk.replayNote(at: snapshot.time) { context.note(note) }
    case .text:
      let palette = try context.palette(for: invocation, preferring: desk.config.preferredScheme)
      let limits = desk.catalog.settings.premiumAlert
      let view = SnapshotText(
        snapshot: snapshot, palette: palette, width: context.terminal.columns,
        alert: PremiumAlert(grey: limits[0], orange: limits[1]),
        language: WeekdayNames(locale: context.timeLocale), replayNote: desk.replayNote(at: snapshot.time),
        markets: markets)
      context.output.write(view.text())
      if invocation.has(explain) {
        context.output.write("\n" + ExplainText(snapshot: snapshot, palette: palette).text())
      }
    }
  }

  private static func noteUnsplit(_ snapshot: Snapshot, in context: Context) {
    for report in snapshot.reports {
      let notes = TickerTableWriter(venue: report.exchange, reports: [report]).notes
      for note in notes { context.note(TerminalText.sanitized(note)) }
    }
  }

  private static func exitCode(_ snapshot: Snapshot, isStrict: Bool, in context: Context) -> ExitCode {
    let hasPrice = (snapshot.spot + snapshot.futures).contains { $0.ticker.price.value != nil }
    if !hasPrice, snapshot.failures.isEmpty {
      context.note("no exchange lists \(TerminalText.sanitized("\(snapshot.pair)"))")
    }
    if isStrict, !snapshot.failures.isEmpty { return .noAnswer }
    return hasPrice ? .answer : .noAnswer
  }
}

extension Desk {
  /// The moment that a snapshot shows: now, or that of the recording.
  fileprivate func moment(_ reports: [VenueReport], _ rate: RateReport?) -> Instant {
    guard replay != nil else { return clock() }
    return Snapshot.latestArrival(reports, rate) ?? clock()
  }

  /// What a replay says of itself on the screen.
  fileprivate func replayNote(at time: Instant) -> String? {
    replay.map { TerminalText.sanitized("replay of \($0), recorded \(ClockText.plain(time, offsetSeconds: 0)) UTC") }
  }
}

extension Context {
  /// The locale for dates, as POSIX has it: `LC_ALL`, else `LC_TIME`, else `LANG`.
  fileprivate var timeLocale: String? {
    ["LC_ALL", "LC_TIME", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
  }
}
