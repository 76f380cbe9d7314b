import Asking
import Config
import Mapping
import MarketData
import Quotes
import Shell
import Views

/// `market show ASSET PAYMENT`
enum ShowCommand {
  private static let market = Option.market(
    "show only this market; futures alone have no disparity, which compares them with spot")
  private static let inCurrency = Option(
    "in", value: "CURRENCY", help: "also show prices in this currency (for won, yen and the like: USD)",
    kind: .currency(hasDollars: true))
  private static let explain = Option(
    "explain", help: "show where every cell comes from: request, path, raw digits, scale, value", category: .output)
  private static let noRate = Option(
    "no-rate", help: "do not request exchange rates (neither USD/KRW nor dollar prices)")
  private static let sort = Option(
    "sort", value: "KEY", help: "sort each market's rows, largest first", choices: RowSort.names,
    category: .output)
  private static let top = Option("top", value: "N", help: "show the first N rows of each market", category: .output)
  private static let columns = Option.columns(SnapshotColumn.allCases)
  private static let format = Option(
    "format", short: "f", value: "FORMAT", help: "output format; the last five are one line for a status bar",
    default: OutputFormat.text.rawValue, choices: OutputFormat.names + BarFormat.names, category: .output)

  static let command = Command(
    name: "show",
    summary: "show the price of an asset on every exchange",
    examples: [
      .init("market show BTC USDT", "spot and futures, largest premium, disparity"),
      .init("market show BTC KRW -e upbit,bithumb", "only two exchanges"),
      .init("market show BTC USDT --in KRW", "with the price in won as well"),
      .init("market show ETH USDT -m futures -f json", "as JSON, for scripts"),
      .init("market show BTC USDT --sort turnover --top 5", "the five largest of each market"),
      .init("market show BTC USDT --explain", "where every number comes from"),
      .init("market show BTC KRW -f waybar", "one line for a status bar"),
      .init("market show BTC KRW -f line --timeout 0", "at once, from what --cache 30s has kept, for a prompt"),
      .init("market show BTC USDT --record DIR", "keep the answers; --replay DIR shows them again"),
    ],
    arguments: [.pairAsset, .pairPayment],
    options: [market, .exchange, inCurrency, noRate, .basis, .maximumAge, Option.strict, sort, .reverse, top, columns],
    [format, .digits, .textLanguage, .scheme, .glyphs, explain], Option.asking(within: .timeoutOrNone), [.cache],
    live: "run: market watch BTC/USDT",
    discussion: [
      "Prices are compared as the exchanges send them. A row that fails a check is shown with the reason, and left out "
        + "of the largest premium and the disparity. Exchanges that fail are listed on stderr.",
      "--sort, --reverse and --top apply to every format; the largest premium and the disparities are those of "
        + "all rows. Rows left out of them are sorted last.",
      "Exits with 0 if there is a price, 1 if there is none, 2 if the command line is wrong, 3 if the config "
        + "cannot be used.",
    ],
    work: .later(run))

  private struct Options: CommandOptions {
    /// As typed; the config has the canonical names.
    let asset: String
    /// nil for the most common one.
    let payment: String?
    let markets: [Market]
    let currency: String?
    let asksRate: Bool
    let rule: HeadlineRule
    let rows: RowSelection<RowSort>
    /// nil for that of the locale.
    let language: Language?
    /// nil for the defaults.
    let columns: [SnapshotColumn]?
    let isStrict: Bool
    let isExplained: Bool
    let format: OutputFormat
    /// The format of a single line for a status bar; nil for the full answer.
    let bar: BarFormat?
    let asking: AskingOptions

    init(_ words: Invocation) throws(UsageProblem) {
      (asset, payment) = try PairArgument.pair(
        words.text(of: .pairAsset), words.optionalText(of: .pairPayment), of: command.name)
      let market: Market? = try words.choice(of: market)
      markets = Market.allCases.filter { market == nil || $0 == market }
      currency = words.value(of: inCurrency)
      asksRate = !words.has(noRate)
      if currency != nil, !asksRate { throw .conflict("--in", "--no-rate") }
      rule = try words.headlineRule()
      isStrict = words.has(.strict)
      isExplained = words.has(explain)
      bar = words.value(of: ShowCommand.format).flatMap { BarFormat(rawValue: $0) }
      format = bar == nil ? try words.choice(of: .format) ?? .text : .text
      asking = try AskingOptions(words, hasCache: true)
      rows = RowSelection(
        key: try words.choice(of: sort), isReversed: words.has(.reverse),
        top: try words.integer(of: top, in: 1...1000))
      if rows.isReversed, rows.key == nil { throw .other("'--reverse' needs '--sort'") }
      columns = try words.columns(of: ShowCommand.columns, among: SnapshotColumn.allCases)
      if columns?.contains(.converted) == true, !asksRate { throw .conflict("--columns converted", "--no-rate") }
      language = try words.textLanguage(for: format)
      if isExplained, format == .csv { throw .conflict("--explain", "--format csv") }
      if columns != nil, format == .json { throw .conflict("--columns", "--format json") }
      if let bar {
        let ofText = [ShowCommand.columns, .textLanguage, explain, sort, top, inCurrency, .strict]
        for option in ofText where words.has(option) {
          throw .conflict(option.spelling, "--format \(bar.rawValue)")
        }
        // The line is about spot prices.
        guard markets.contains(.spot) else { throw .conflict("--market futures", "--format \(bar.rawValue)") }
      }
    }
  }

  @Sendable private static func run(_ options: Options, in context: Context) async throws -> ExitCode {
    let config = try LoadedConfig(options.asking.config, in: context)
    let isVerbose = options.asking.config.isVerbose
    let shown = try options.currency.map { try config.canonicalCurrency($0) }
    let named =
      options.asking.exchanges == nil
      ? nil : try config.chosenExchanges(options.asking.exchanges, ExchangeExtent(), in: context)
    let asset = config.canonicalAsset(options.asset)
    let usual = options.payment == nil ? try config.defaultPayment(of: asset, named, command.name) : nil
    let pair = Pair(asset: asset, payment: options.payment.map(config.canonicalPayment) ?? usual?.payment ?? "")
    let session = try MarketSession(config, options.asking, in: context)
    if options.asking.mayAsk { try session.requireNetwork() }

    if let bar = options.bar {
      if let usual { context.note(usual.note) }
      return try await session.writeBar(
        of: pair, on: named, options.rule, asksRate: options.asksRate, as: bar, options.asking, in: context)
    }
    let snapshot = try await snapshot(of: pair, on: named, in: shown, session, options, context)
    session.close()
    try session.requireKept(snapshot.reports, of: pair, options.asking)

    // Where no exchange has the asset, the choice of its currency does not matter.
    if let usual, snapshot.hasPrice || !snapshot.failures.isEmpty { context.note(usual.note) }
    let report = SnapshotReport(
      snapshot, markets: options.markets, alert: session.configuration.settings.premiumAlert,
      rows: options.rows, columns: options.columns, option: config.found.option, isExplained: options.isExplained)
    let language = context.textLanguage(options.language, for: options.format)
    let page = session.page(
      options.asking, at: snapshot.time, note: snapshot.keptNote(language ?? .english), language: language, in: context)
    context.write(report, as: options.format, on: page)
    session.noteFailures(of: snapshot.reports, snapshot.rate, isVerbose: isVerbose, in: context)
    let payments = snapshot.hasPrice ? [] : config.payments(of: asset, on: named)
    let called = snapshot.hasPrice || !snapshot.failures.isEmpty ? [] : await session.keptAssets(called: options.asset)
    let notes = report.notes(
      isVerbose: isVerbose, areNamed: named != nil, payments: payments, reversed: PairArgument.reversed(pair),
      called: called)
    for note in notes { context.note(note) }
    if options.isStrict, !snapshot.failures.isEmpty { return .noAnswer }
    return snapshot.hasPrice ? .answer : .noAnswer
  }

  /// - Parameter shown: the currency of `--in`; nil for the customary one, if there is one.
  private static func snapshot(
    of pair: Pair, on named: [Exchange]?, in shown: String?, _ session: MarketSession, _ options: Options,
    _ context: Context
  ) async throws -> Snapshot {
    let configuration = session.configuration
    var interpretation = session.interpretation(traces: options.isExplained)
    interpretation.namesUnsplit = options.asking.config.isVerbose
    let showsAll =
      options.isExplained || options.format != .text || options.columns != nil || options.rows.key == .volume
    let fields = showsAll ? Set(TickerField.allCases) : usualFields
    let query = TableQuery(pair: pair, fields: fields, options: interpretation)
    let currency =
      options.asksRate
      ? shown ?? Conversion.customary(for: pair.payment, dollarTokens: configuration.settings.dollarTokens) : nil
    if currency == nil, options.columns?.contains(.converted) == true {
      throw UsageProblem.other("'--columns converted' needs '--in CURRENCY' for prices in \(pair.payment)")
    }
    return await context.showing(session.journal) {
      async let rate = options.asksRate ? session.client.headerRate(configuration, query.options) : nil
      async let conversion = conversion(of: pair, to: currency, session, query.options)
      let reports = await session.reports(of: named, on: options.markets, query, in: context)
      return Snapshot(
        pair: pair, time: session.moment(of: reports, await rate), reports: reports, rate: await rate,
        check: query.options.check, conversion: await conversion, rule: options.rule)
    }
  }

  private static func conversion(
    of pair: Pair, to currency: String?, _ session: MarketSession, _ options: Interpretation
  ) async -> Conversion? {
    guard let currency else { return nil }
    return await session.client.conversion(from: pair.payment, to: currency, session.configuration, options)
  }

  /// The fields shown in text, which determine the worthwhile lookups.
  private static let usualFields: Set<TickerField> = [.price, .changePricePercent24, .turnover24, .time]
}
