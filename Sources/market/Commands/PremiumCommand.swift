import Asking
import Config
import MarketData
import Quotes
import Shell
import Views

/// `market premium ASSET`
enum PremiumCommand {
  private static let asset = Argument("ASSET", help: "the asset: BTC", kind: .asset)
  private static let local = Option(
    "local", value: "CURRENCY", help: "the local currency", default: "KRW", kind: .currency(hasDollars: false))
  private static let against = Option(
    "against", value: "A,B", help: "what counts as dollars on the other side (default: USDT,USD)",
    kind: .list(.dollar))
  private static let size = Option(
    "size", value: "AMOUNT", help: "walk the order books for this much local currency: 10M, 500k, 1억")
  private static let fees = Option("fees", help: "subtract the taker fees of both exchanges, as given in the config")
  private static let wallets = Option(
    "wallets", help: "show for each pair of exchanges whether the asset can be moved from one to the other")
  private static let open = Option(
    "open", help: "show only pairs of exchanges between which, by their own reports, the asset can be moved")
  private static let top = Option(
    "top", value: "N", help: "for each local exchange, show the N dollar exchanges with the largest premiums",
    default: "1", category: .output)
  private static let all = Option(
    "all", help: "show every pair of exchanges, at each dollar price", category: .output)

  static let command = Command(
    name: "premium",
    summary: "show how much more an asset costs in won than in dollars",
    examples: [
      .init("market premium BTC", "the largest premium of each KRW exchange over USDT and USD"),
      .init("market premium BTC --all", "each KRW exchange against each USDT and USD exchange"),
      .init("market premium ETH --against USDT -e upbit,bithumb,binance", "only three exchanges"),
      .init("market premium BTC --size 10M --fees", "what a trade of 10 million won would earn"),
      .init("market premium BTC --local JPY", "the same for yen"),
      .init("market premium XRP --wallets", "also whether the wallets on the route are open"),
      .init("market premium XRP --open", "only where the coin can be withdrawn and deposited"),
    ],
    arguments: [asset],
    options: [
      against, local, size, fees, wallets, open, .exchange, .basis, .maximumAge, .strict, top, all, .format,
      .textLanguage, .scheme, .glyphs,
    ], Option.asking,
    surplus: { words in
      words.count == 2 && words.allSatisfy(Pair.isName)
        ? notAlone(words.joined(separator: " "), Pair(asset: words[0], payment: words[1])) : nil
    },
    discussion: [
      "The kimchi premium is (local - dollars x price of a dollar) / (dollars x price of a dollar), at two "
        + "dollar prices: the official exchange rate, and the price of a dollar token on the local exchange itself "
        + "(USDT/KRW). In the tables of --all, a star marks figures where one shows a premium and the other "
        + "a reverse premium.",
      "The largest premiums are those at the official rate, or at the token's price if there is no rate. JSON "
        + "and CSV contain every pair of exchanges. Rows that are stale, flagged or too thin are left out, and "
        + "listed with the reason.",
      "With --fees and --size the figures are for buying in dollars and selling in local currency; the reverse premium is for "
        + "the opposite direction.",
      "A premium often persists because a wallet is closed. With --wallets, the exchanges are asked about the "
        + "asset's wallets: 'open' with a network that both sides list, 'closed' with the side, 'unknown' with the "
        + "reason ('no key': the exchange answers only account holders; market keys add NAME). --open leaves out "
        + "every pair whose route is not known to be open before the largest is found, and says how many and why.",
    ],
    work: .later(run))

  private struct Options: CommandOptions {
    let asset: String
    let local: String
    /// nil for those of USDT and USD that are dollars in the config.
    let dollars: [String]?
    let size: Decimal?
    let countsFees: Bool
    let rule: HeadlineRule
    let isStrict: Bool
    let asksWallets: Bool
    /// Whether only open routes are kept.
    let keepsOpen: Bool
    let extent: PremiumReport.Extent
    let format: OutputFormat
    /// nil for that of the locale.
    let language: Language?
    let asking: AskingOptions

    init(_ words: Invocation) throws(UsageProblem) {
      asset = words.text(of: PremiumCommand.asset)
      if let pair = PairArgument.joined(asset) { throw notAlone(asset, pair) }
      guard Pair.isName(asset) else {
        throw .other("invalid asset '\(asset)'; expected one name, for example: market premium BTC")
      }
      local = words.value(of: PremiumCommand.local) ?? "KRW"
      dollars = words.value(of: against)?.split(separator: ",").map(String.init)
      guard dollars?.isEmpty != true else { throw .other("missing currency in '--against'; write --against USDT,USD") }
      size = try words.value(
        of: PremiumCommand.size, as: "an amount of local currency such as 10M, 500k or 1억", AmountText.aboveZero)
      countsFees = words.has(fees)
      keepsOpen = words.has(open)
      asksWallets = keepsOpen || words.has(wallets)
      rule = try words.headlineRule()
      isStrict = words.has(.strict)
      if words.has(all), words.has(top) { throw .conflict("--top", "--all") }
      extent = words.has(all) ? .all : .best(try words.integer(of: top, in: 1...1000) ?? 1)
      format = try words.choice(of: .format) ?? .text
      language = try words.textLanguage(for: format)
      if words.has(top), format != .text { throw .other("'--top' needs '--format text'; json and csv have every pair") }
      asking = try AskingOptions(words)
    }
  }

  private static func notAlone(_ typed: String, _ pair: Pair) -> UsageProblem {
    let local = FiatCurrency.codes.contains(pair.payment.uppercased()) ? " --local \(pair.payment)" : ""
    return .other(
      "invalid asset '\(typed)'; expected an asset without a payment currency; run: market premium \(pair.asset)\(local)"
    )
  }

  @Sendable private static func run(_ options: Options, in context: Context) async throws -> ExitCode {
    let config = try LoadedConfig(options.asking.config, in: context)
    let query = try query(options, config)
    let extent = ExchangeExtent(blocks: [.orderbook], hasAccount: options.asksWallets)
    let exchanges = try config.chosenExchanges(options.asking.exchanges, extent, in: context)
    let accounts = options.asksWallets ? try AccountSession(config, options.asking, in: context) : nil
    let session = try accounts?.session ?? MarketSession(config, options.asking, in: context)
    try session.requireNetwork()
    let snapshot = await context.showing(session.journal) {
      let snapshot = await session.client.premium(
        query, exchanges: exchanges, config.configuration, session.interpretation())
      guard let client = accounts?.client else { return snapshot }
      let compared = exchanges.filter { snapshot.compared.contains($0.name) }
      let aliases = config.configuration.aliases
      let reports = await concurrently(compared) { await client.wallets(of: $0, globalAliases: aliases) }
      return snapshot.joined(with: reports, config.configuration.networks, keepsOpen: options.keepsOpen)
    }
    session.close()

    let language = context.textLanguage(options.language, for: options.format)
    let page = session.page(options.asking, at: snapshot.time, language: language, in: context)
    let report = PremiumReport(snapshot, options.extent)
    context.write(report, as: options.format, on: page)
    let notes = options.format == .csv ? report.notes() : []
    for note in notes + report.walletNotes { context.note(note) }
    if let absence = report.absence(
      areNamed: options.asking.exchanges != nil, option: session.config.found.option)
    {
      context.note(absence)
    }
    let absent = options.asking.exchanges == nil ? [] : snapshot.absent(of: exchanges.map(\.name))
    // If all lack it, the report says so.
    for name in absent where absent.count < exchanges.count {
      context.note("\(name) has no \(query.asset) in \(([query.local] + query.dollars).listed("or"))")
    }
    session.noteFailures(of: snapshot.reports, snapshot.rate, isVerbose: options.asking.config.isVerbose, in: context)
    if options.isStrict, !snapshot.failures.isEmpty { return .noAnswer }
    return snapshot.table.premiums.contains { !$0.percents.isEmpty } ? .answer : .noAnswer
  }

  private static func query(_ options: Options, _ config: LoadedConfig) throws(UsageProblem) -> PremiumQuery {
    let local = try config.canonicalCurrency(options.local)
    let known = ["USD"] + config.configuration.settings.dollarTokens
    let dollars = (options.dollars ?? ["USDT", "USD"].filter(known.contains)).map(config.canonicalAsset).unique
    guard !dollars.contains(local) else {
      if options.dollars == nil {
        throw .other("invalid value '\(local)' for '--local'; it counts as dollars, against which it would be compared")
      }
      throw .other("invalid value '\(local)' for '--against'; it is the local currency itself")
    }
    let asset = config.canonicalAsset(options.asset)
    guard asset != local else { throw .other("invalid asset '\(asset)'; it is the local currency itself") }
    guard dollars != [asset] else { throw .other("invalid value '\(asset)' for '--against'; it is the asset itself") }
    if let other = dollars.first(where: { $0 != asset && !known.contains($0) }) {
      throw .other("invalid value '\(other)' for '--against'; expected \(known.listed("or"))")
    }
    return PremiumQuery(
      asset: asset, local: local, dollars: dollars, size: options.size, countsFees: options.countsFees,
      rule: options.rule)
  }
}
