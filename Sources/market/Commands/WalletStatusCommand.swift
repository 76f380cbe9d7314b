import Asking
import Config
import Mapping
import MarketData
import Quotes
import Shell
import Views

/// `market wallet-status [ASSET]`
enum WalletStatusCommand {
  private static let asset = Argument("ASSET", help: "only this asset", isOptional: true, kind: .asset)
  private static let format = Option.format(
    as: LineFormat.self, help: "output format; ndjson is one JSON object per line")

  static let command = Command(
    name: "wallet-status",
    summary: "show where an asset can be deposited and withdrawn",
    examples: [
      .init("market wallet-status XRP", "every exchange that reports it, network by network"),
      .init("market wallet-status USDT -e upbit,bithumb", "only two exchanges"),
      .init("market wallet-status 리플", "by name or part of it, in Korean or English"),
      .init("market wallet-status -e coinone -f csv", "all wallets of one exchange as CSV"),
    ],
    arguments: [asset],
    options: [.exchange, format, .textLanguage, .scheme, .glyphs], Option.asking,
    discussion: [
      "Some exchanges publish this, others report it only to the owner of an account (market keys add NAME) and are "
        + "left out without a key. 'unknown' means the exchange does not say: it is never treated as closed.",
      "This is an indication, not a promise: exchanges close wallets without notice.",
    ],
    work: .later(run))

  private struct Options: CommandOptions {
    let asset: String?
    let format: LineFormat
    /// nil for that of the locale.
    let language: Language?
    let asking: AskingOptions

    init(_ words: Invocation) throws(UsageProblem) {
      asset = words.optionalText(of: WalletStatusCommand.asset)
      format = try words.choice(of: WalletStatusCommand.format) ?? .text
      language = try words.textLanguage(for: format)
      asking = try AskingOptions(words)
    }
  }

  @Sendable private static func run(_ options: Options, in context: Context) async throws -> ExitCode {
    let config = try LoadedConfig(options.asking.config, in: context)
    let asset = options.asset.map(config.canonicalAsset)
    let isNamed = options.asking.exchanges != nil
    let chosen = try config.chosenExchanges(options.asking.exchanges, ExchangeExtent(hasAccount: true), in: context)
    let exchanges = chosen.filter { isNamed || $0.account?.wallets.isEmpty == false }
    let accounts = try AccountSession(config, options.asking, in: context)
    try accounts.session.requireNetwork()
    let aliases = config.configuration.aliases
    let all = await context.showing(accounts.session.journal) {
      await concurrently(exchanges) { await accounts.client.wallets(of: $0, globalAliases: aliases) }
    }
    var assets = asset.map { Set([$0]) }
    if let asset, let found = await accounts.assets(called: asset, in: all, context) { assets = found }
    accounts.session.close()

    let isReplay = accounts.session.replay != nil
    // Nobody has keys for every exchange, so missing ones only count if named.
    let unkeyed = isNamed ? [] : all.filter(\.lacksKeyAlone).map(\.exchange)
    let reports = all.filter { !unkeyed.contains($0.exchange) }.map { isReplay ? $0.ofReplay : $0 }
    let unable = chosen.map(\.name).filter { name in !exchanges.contains { $0.name == name } }
    let report = WalletsReport(
      reports, assets: assets, unkeyed: unkeyed, unable: unable, isReplay: isReplay,
      option: accounts.session.config.found.option)
    let page = accounts.session.page(
      options.asking, at: accounts.session.clock(),
      language: context.textLanguage(options.language, for: options.format), in: context)
    context.write(report, as: options.format, on: page)
    for note in report.notes { context.note(note) }
    if options.asking.config.isVerbose { accounts.session.noteRequests(in: context) }
    let answered = reports.filter { !$0.rows.isEmpty }.map(\.exchange)
    if report.isEmpty, let asset, !answered.isEmpty {
      context.note(NoListing(by: answered).text("a wallet for \(asset)", .english))
    }
    return report.isEmpty ? .noAnswer : .answer
  }
}
