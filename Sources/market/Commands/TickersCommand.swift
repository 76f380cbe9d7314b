import Asking
import Config
import Mapping
import MarketData
import Quotes
import Shell
import Terminal
import Views

/// `market tickers EXCHANGE`
enum TickersCommand {
  private enum Format: String, CaseIterable {
    case text, json, csv, ndjson
    case dataFromAsset = "data-from-asset"
  }

  private static let exchange = Argument(
    "EXCHANGE", help: "an exchange in the config (case-insensitive)", kind: .exchange)
  private static let market = Option.market("show only this market")
  private static let pair = Option(
    "pair", value: "ASSET/PAYMENT", help: "request only this pair, with the request for one pair", kind: .pair)
  private static let response = Option(
    "response", short: "r", value: "FILE",
    help:
      "read this saved answer instead of querying; '-' is standard input, NAME=FILE the answer of a lookup; "
      + "repeat it for each part of the table", kind: .file)
  private static let sort = Option(
    "sort", value: "COLUMN", help: "sort each market's rows, largest first", choices: ListSort.ofTables.map(\.rawValue),
    category: .output)
  private static let top = Option("top", value: "N", help: "show the first N rows of each market", category: .output)
  private static let columns = Option.columns(SnapshotColumn.ofTables)
  private static let format = Option.format(as: Format.self)

  static let command = Command(
    name: "tickers",
    summary: "show every pair of one exchange",
    examples: [
      .init("market tickers Upbit", "all pairs of Upbit"),
      .init("market tickers Binance -m futures -f json", "Binance's perpetual swaps as JSON"),
      .init("market tickers Bybit -m spot --sort turnover --top 20", "the 20 with the largest turnover"),
      .init("market tickers Binance -f data-from-asset", "its spot prices by asset and payment currency"),
      .init("market tickers Okx -m spot --response tickers.json", "read a saved answer, offline"),
      .init("market tickers Kraken -m spot -r pairs=AssetPairs.json -r Ticker.json", "with the answer to a lookup"),
    ],
    arguments: [exchange],
    options: [market, pair, response, sort, .reverse, top, columns, format, .digits, .textLanguage, .scheme, .glyphs],
    Option.asking,
    work: .depending { $0.has(response) ? .now(readSaved) : .later(ask) })

  private struct Options: CommandOptions {
    let exchange: String
    /// nil for all.
    let market: Market?
    let pair: Pair?
    let responses: [String]
    let order: RowSelection<ListSort>
    /// nil for the defaults.
    let columns: [SnapshotColumn]?
    let format: Format
    /// nil for that of the locale.
    let language: Language?
    let asking: AskingOptions

    init(_ words: Invocation) throws(UsageProblem) {
      exchange = words.text(of: TickersCommand.exchange)
      market = try words.choice(of: TickersCommand.market)
      pair = try words.value(of: TickersCommand.pair).map { word throws(UsageProblem) in
        try PairArgument.wholePair(word, of: "tickers \(words.text(of: TickersCommand.exchange)) --pair")
      }
      responses = words.values(of: response)
      order = RowSelection(
        key: try words.choice(of: sort), isReversed: words.has(.reverse),
        top: try words.integer(of: top, in: 1...100_000))
      if order.isReversed, order.key == nil { throw .other("'--reverse' needs '--sort'") }
      columns = try words.columns(of: TickersCommand.columns, among: SnapshotColumn.ofTables)
      format = try words.choice(of: TickersCommand.format) ?? .text
      language = try words.textLanguage(for: format)
      let form = "--format \(format.rawValue)"
      if columns != nil, ![.text, .csv].contains(format) { throw .conflict("--columns", form) }
      for option in [sort, top] where words.has(option) && format == .dataFromAsset {
        throw .conflict(option.spelling, form)
      }
      asking = try AskingOptions(words)
    }
  }

  private struct Subject {
    let config: LoadedConfig
    let exchange: Exchange
    let markets: [ExchangeMarket]
    /// In canonical names; nil for all.
    let pair: Pair?

    init(_ options: Options, in context: Context) throws {
      let config = try LoadedConfig(options.asking.config, in: context)
      self.config = config
      pair = options.pair.map { config.canonicalPair($0) }
      let source = try config.source(named: options.exchange)
      guard let exchange = config.exchange(source, ExchangeExtent(), in: context) else {
        throw CommandError.unreadableBlock(of: source.name)
      }
      self.exchange = exchange
      // `dataFromAsset` has one price per pair, and that of a future is no price of the asset.
      let isOfOneMarket = options.format == .dataFromAsset && exchange.market(.spot) != nil
      markets = try exchange.requireMarkets(options.market ?? (isOfOneMarket ? .spot : nil))
    }
  }

  /// Saved answers need neither a network nor a task.
  @Sendable private static func readSaved(_ options: Options, in context: Context) throws -> ExitCode {
    let subject = try Subject(options, in: context)
    let market = subject.markets[0]
    let parts = subject.pair == nil || market.ticker.isEmpty ? market.tickers : market.ticker
    let names = Set(parts.flatMap { $0.lookups.map(\.name) })
    let responses = try SavedResponses(options.responses, lookupNames: names, in: context)
    let interpretation = Interpretation(subject.config.configuration, hooks: .shipped)
    let report = responses.report(
      on: market.market, of: subject.exchange, parts: parts, pair: subject.pair, now: context.now(), interpretation)
    let page = context.page(
      options.asking.colors, preferring: subject.config.preferredScheme, digits: options.asking.digits,
      language: context.textLanguage(options.language, for: options.format))
    let code = write([report], of: subject, options, on: page, in: context)
    noteLacking([market], of: subject, in: context)
    if let line = report.line(subject.config.found.option) { context.note(line) }
    return code
  }

  @Sendable private static func ask(_ options: Options, in context: Context) async throws -> ExitCode {
    let subject = try Subject(options, in: context)
    let session = try MarketSession(subject.config, options.asking, in: context)
    try session.requireNetwork()
    let query = TableQuery(pair: subject.pair, options: session.interpretation())
    let reports = await context.showing(session.journal) {
      await session.client.reports(on: subject.markets.map { (subject.exchange, $0) }, query)
    }
    session.close()
    let page = session.page(
      options.asking, at: session.moment(of: reports, nil),
      language: context.textLanguage(options.language, for: options.format), in: context)
    let code = write(reports, of: subject, options, on: page, in: context)
    noteLacking(subject.markets, of: subject, in: context)
    for line in reports.failureLines(isVerbose: true, option: subject.config.found.option) { context.note(line) }
    if options.asking.config.isVerbose { session.noteRequests(in: context) }
    return code
  }

  /// Names the markets that were to be shown whole, but have no request for all pairs.
  private static func noteLacking(_ markets: [ExchangeMarket], of subject: Subject, in context: Context) {
    guard subject.pair == nil else { return }
    for market in markets { if let note = market.noteWithoutTable(of: subject.exchange.name) { context.note(note) } }
  }

  private static func write(
    _ reports: [ExchangeReport], of subject: Subject, _ options: Options, on page: Page, in context: Context
  ) -> ExitCode {
    let report = TickerTableReport(
      exchange: subject.exchange.name, reports: reports, order: options.order, columns: options.columns,
      option: subject.config.found.option)
    // The document in JSON says all this itself.
    var notes = options.format == .json ? [] : report.notes
    if let format = LineFormat(rawValue: options.format.rawValue) {
      context.write(report, as: format, on: page)
    } else {
      let (bytes, remarks) = report.dataFromAsset()
      context.write(json: bytes)
      notes = remarks
    }
    for line in notes { context.note(line) }
    let market = subject.markets.count == 1 ? subject.markets[0].market : options.market
    if let absence = options.pair.flatMap({ report.absence(of: $0, on: market) }) { context.note(absence) }
    return reports.contains { !$0.table.rows.isEmpty } ? .answer : .noAnswer
  }
}
