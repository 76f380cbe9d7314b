import Asking
import Config
import MarketData
import Shell
import Views

/// `market balances [ASSET…]`
enum BalancesCommand {
  private enum Format: String, CaseIterable { case text, json, csv, ndjson, line }

  private static let assets = Argument(
    "ASSET", help: "only these assets", isOptional: true, isRepeating: true, kind: .asset)
  private static let currency = Option(
    "in", value: "CURRENCY", help: "show the value in this currency: KRW, USD", kind: .currency(hasDollars: true))
  private static let format = Option.format(
    as: Format.self, help: "output format; ndjson is one JSON object per line, line only the sum")
  private static let explain = Option(
    "explain", help: "show where every amount comes from: request, path, raw digits, value", category: .output)

  static let command = Command(
    name: "balances",
    summary: "show account balances and their value",
    examples: [
      .init("market balances", "the accounts on every exchange you have stored a key for"),
      .init("market balances --in KRW", "with each value in won, and the sum"),
      .init("market balances BTC ETH -e upbit,binance", "two assets on two exchanges"),
      .init("market balances --in USD -f line", "the sum in one line, for a status bar"),
      .init("market balances BTC --in KRW -f line", "amount, price and value of one asset in one line"),
      .init("market balances BTC --in KRW --explain", "where each amount and each value comes from"),
    ],
    arguments: [assets],
    options: [currency, .exchange, format, .digits, .textLanguage, .scheme, .glyphs, explain], Option.asking,
    live: "press B in: market watch",
    discussion: [
      "A read-only key is enough, and safest: market keys add NAME. The program never places or cancels "
        + "orders, or moves anything. Answers are never kept on disk, except with --record.",
      "National currencies are converted at their rate. Everything else is valued at the price of the "
        + "exchange's own pair with that currency, or else of its pair with dollars, a dollar token or another "
        + "currency, at the rate, or else at the median of other exchanges, if they agree. The column 'by' shows "
        + "which, and a line below the sum shows the rates. Assets without a price have no value, and the sum says "
        + "how many are not included.",
      "'locked' is in orders, used as margin, or being withdrawn.",
    ],
    work: .later(run))

  private struct Options: CommandOptions {
    let assets: [String]
    let currency: String?
    let format: Format
    /// nil for that of the locale.
    let language: Language?
    let isExplained: Bool
    let asking: AskingOptions

    init(_ words: Invocation) throws(UsageProblem) {
      assets = words.texts(of: BalancesCommand.assets)
      currency = words.value(of: BalancesCommand.currency)?.uppercased()
      format = try words.choice(of: BalancesCommand.format) ?? .text
      language = try words.textLanguage(for: format)
      isExplained = words.has(explain)
      asking = try AskingOptions(words)
      for other in [Format.csv, .line] where isExplained && format == other {
        throw .conflict(explain.spelling, "--format \(other.rawValue)")
      }
      if format == .line, currency == nil { throw .other("'--format line' prints a sum; write --in KRW or --in USD") }
    }
  }

  @Sendable private static func run(_ options: Options, in context: Context) async throws -> ExitCode {
    let config = try LoadedConfig(options.asking.config, in: context)
    let currency = try options.currency.map { try config.canonicalCurrency($0) }
    let (exchanges, invalid) = try config.exchangesWithAccount(options.asking.exchanges, in: context) {
      !$0.balances.isEmpty
    }
    let accounts = try AccountSession(config, options.asking, in: context)
    try accounts.session.requireNetwork()
    let aliases = config.configuration.aliases
    let prices = currency.map { BalancePrices(accounts, in: $0) }
    let all = await context.showing(accounts.session.journal) {
      await concurrently(exchanges) { exchange in
        let report = await accounts.client.balances(of: exchange, globalAliases: aliases, explains: options.isExplained)
        return (report, own: report.rows.isEmpty ? nil : await prices?.own(of: exchange, by: accounts.client))
      }
    }
    // Nobody has keys for every exchange, so missing ones only count if named.
    let isNamed = options.asking.exchanges != nil
    let replay = accounts.session.replay
    let reports =
      all.map(\.0).filter { isNamed || !$0.lacksSecrets }.map { replay == nil ? $0 : $0.ofReplay }
      + invalid.filter { isNamed || accounts.hasKey(of: $0) }.map { BalanceReport(invalid: $0) }
    let assets = options.assets.map(config.canonicalAsset)
    var valuation: Valuation?
    if let prices, reports.contains(where: { !$0.rows.isEmpty }) {
      valuation = await context.showing(accounts.session.journal) {
        await prices.valuation(of: reports, assets, own: all.compactMap(\.own), by: accounts.client, asksOthers: true)
      }
    }
    accounts.session.close()

    let time = accounts.session.clock()
    let report = BalancesReport(
      reports, assets: assets, in: currency, valuation, isExplained: options.isExplained,
      option: accounts.session.config.found.option, at: time)
    let page = accounts.session.page(
      options.asking, at: time, language: context.textLanguage(options.language, for: options.format), in: context)
    if let format = LineFormat(rawValue: options.format.rawValue) {
      context.write(report, as: format, on: page)
    } else {
      context.output.write(report.line)
    }
    for note in report.notes { context.note(note) }
    if options.format == .csv, let rates = report.rates(.english) { context.note(rates) }
    if options.asking.config.isVerbose { accounts.session.noteRequests(in: context) }
    if reports.isEmpty {
      context.note(
        replay.map { "\($0) has no answers about accounts" }
          ?? AccountAdvice.noKeys(accounts.session.config.found.option))
    }
    if report.isEmpty, report.hasAnswer { context.note(report.emptiness(.english)) }
    return report.hasAnswer ? .answer : .noAnswer
  }
}
