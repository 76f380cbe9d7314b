import Asking
import Config
import MarketData
import Quotes
import Shell
import Views

/// `market balances [ASSET…]`
enum BalancesCommand {
  private enum Format: String, CaseIterable { case text, json, csv, ndjson, line }

  private static let assets = Argument(
    "ASSET", help: "these assets only", isOptional: true, isRepeating: true, kind: .asset)
  private static let currency = Option(
    "in", value: "CURRENCY", help: "say what it is worth in this money: KRW, USD", kind: .payment)
  private static let format = Option.format(
    as: Format.self, help: "output format; ndjson is a JSON object a line, line the sum alone")
  private static let explain = Option(
    "explain", help: "show where every amount comes from: request, path, raw digits, value", category: .output)

  static let command = Command(
    name: "balances",
    summary: "what lies in your accounts, and what it is worth",
    examples: [
      .init("market balances", "every account of every exchange that you have stored a key of"),
      .init("market balances --in KRW", "with what each is worth in won, and the sum"),
      .init("market balances BTC ETH -e upbit,binance", "two assets on two exchanges"),
      .init("market balances --in USD -f line", "the sum in one line, for a status bar"),
      .init("market balances BTC --in KRW -f line", "amount, price and worth of one asset in one line"),
      .init("market balances BTC --in KRW --explain", "where each amount and each value comes from"),
    ],
    arguments: [assets],
    options: [currency, .exchange, format, .digits, .scheme, explain] + Option.asking,
    discussion: [
      "A key that may only read is enough, and the best there is: market keys add NAME. Nothing here places or cancels an "
        + "order, or moves anything. Answers are never kept on disk, but with --record.",
      "Money of a state counts by its rate. All else has the price of the exchange's own pair with that money; else of its "
        + "pair with dollars, a token of them or other money, by the rate; else the median of other exchanges, where these "
        + "agree. The column 'by' says which, and a line below the sum by which rates. What has no price has no value, and the "
        + "sum says how many are not in it.",
      "'locked' is in orders, serves as margin, or is on its way out.",
    ],
    work: .later(run))

  private struct Options: CommandOptions {
    let assets: [String]
    let currency: String?
    let exchanges: [String]?
    let format: Format
    let digits: Page.Digits
    let isExplained: Bool
    let asking: AskingOptions

    init(_ words: Invocation) throws(UsageProblem) {
      assets = words.texts(of: BalancesCommand.assets)
      currency = words.value(of: BalancesCommand.currency)?.uppercased()
      exchanges = try words.exchangeNames()
      format = try words.choice(of: BalancesCommand.format, as: Format.self) ?? .text
      digits = try words.choice(of: .digits, as: Page.Digits.self) ?? .short
      isExplained = words.has(explain)
      asking = try AskingOptions(words)
      for other in [Format.csv, .line] where isExplained && format == other {
        throw .conflict(explain.spelling, "--format \(other.rawValue)")
      }
      if format == .line, currency == nil { throw .other("'--format line' is a sum; write --in KRW or --in USD") }
    }
  }

  @Sendable private static func run(_ options: Options, in context: Context) async throws -> ExitCode {
    let config = try LoadedConfig(options.asking.config, in: context)
    let currency = try options.currency.map { try Currencies(config.configuration).canonical($0, config) }
    let exchanges = try config.chosenExchanges(
      options.exchanges, ExchangeExtent(hasAccount: true), in: context
    ).filter {
      options.exchanges != nil || $0.account?.balances.isEmpty == false
    }
    let accounts = try AccountSession(config, options.asking, in: context)
    try accounts.session.requireNetwork()
    let aliases = config.configuration.aliases
    let prices = currency.map { BalancePrices(accounts, in: $0) }
    let all = await context.showing(accounts.session.journal) {
      await accounts.client.concurrently(exchanges) { exchange in
        let report = await accounts.client.balances(
          of: exchange, globalAliases: aliases, explains: options.isExplained)
        return (report, own: report.rows.isEmpty ? nil : await prices?.own(of: exchange, by: accounts.client))
      }
    }
    // Nobody has keys for every exchange, so missing ones only count if named.
    let reports = all.map(\.0).filter { options.exchanges != nil || !$0.lacksSecrets }
    let assets = options.assets.map(config.canonicalAsset)
    var valuation: Valuation?
    if let prices, reports.contains(where: { !$0.rows.isEmpty }) {
      valuation = await context.showing(accounts.session.journal) {
        await prices.valuation(
          of: reports, assets, own: all.compactMap(\.own), by: accounts.client, asksOthers: true)
      }
    }
    accounts.session.close()

    let time = accounts.session.clock()
    let report = BalancesReport(
      reports, assets: assets, in: currency, valuation, isExplained: options.isExplained, at: time)
    let page = accounts.session.page(options.asking.colors, at: time, digits: options.digits, in: context)
    if let format = LineFormat(rawValue: options.format.rawValue) {
      context.write(report, as: format, on: page)
    } else {
      context.output.write(report.line)
    }
    for note in report.notes { context.note(note) }
    if options.format == .csv, let rates = report.rates() { context.note(rates) }
    if options.asking.config.isVerbose { accounts.session.noteRequests(in: context) }
    if reports.isEmpty {
      context.note("no key of yours is stored; add one that may only read with: market keys add NAME")
    }
    if report.isEmpty, report.hasAnswer {
      let isEmpty = assets.isEmpty || reports.allSatisfy(\.rows.isEmpty)
      context.note(
        isEmpty
          ? "the accounts are empty"
          : "nothing of \(assets.joined(separator: " or ")) lies in the accounts")
    }
    return report.hasAnswer ? .answer : .noAnswer
  }
}
