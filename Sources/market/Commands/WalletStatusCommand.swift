import Asking
import Config
import Mapping
import MarketData
import Quotes
import Shell
import Terminal
import Views

/// `market wallet-status [ASSET]`
enum WalletStatusCommand {
  private enum Format: String, CaseIterable { case text, json, csv, ndjson }

  private static let asset = Argument("ASSET", help: "this asset only", isOptional: true, kind: .asset)
  private static let format = Option(
    "format", short: "f", value: "FORMAT", help: "output format; ndjson is a JSON object a line",
    default: Format.text.rawValue, choices: Format.allCases.map(\.rawValue), category: .output)

  static let command = Command(
    name: "wallet-status",
    summary: "where an asset can be deposited and withdrawn",
    examples: [
      .init("market wallet-status XRP", "every exchange that says so, network by network"),
      .init("market wallet-status USDT -e upbit,bithumb", "two exchanges only"),
      .init("market wallet-status 리플", "by a name, also typed in part, in Korean or English"),
      .init("market wallet-status -e coinone -f csv", "all wallets of one exchange as CSV"),
    ],
    arguments: [asset],
    options: [.exchange, format, .scheme] + Option.asking,
    discussion: [
      "Most exchanges tell everybody; the others need a key that may read (market keys add NAME), and are left out without "
        + "one. 'unknown' is what an exchange does not say: it is never taken for closed.",
      "It is a sign, no promise: exchanges close wallets without a word.",
    ],
    work: .later(run))

  private struct Options: CommandOptions {
    let asset: String?
    let exchanges: [String]?
    let format: Format
    let asking: AskingOptions

    init(_ words: Invocation) throws(UsageProblem) {
      asset = words.optionalText(of: WalletStatusCommand.asset)
      exchanges = try words.exchangeNames()
      format = try words.choice(of: WalletStatusCommand.format, as: Format.self) ?? .text
      asking = try AskingOptions(words)
    }
  }

  @Sendable private static func run(_ options: Options, in context: Context) async throws -> ExitCode {
    let config = try LoadedConfig(options.asking.config, in: context)
    let asset = options.asset.map(config.canonicalAsset)
    let exchanges = try config.chosenExchanges(
      options.exchanges, ExchangeExtent(hasAccount: true), in: context
    ).filter {
      options.exchanges != nil || $0.account?.wallets.isEmpty == false
    }
    let accounts = try AccountSession(config, options.asking, in: context)
    try accounts.session.requireNetwork()
    let aliases = config.configuration.aliases
    let all = await context.showing(accounts.session.journal) {
      await accounts.client.concurrently(exchanges) { await accounts.client.wallets(of: $0, globalAliases: aliases) }
    }
    var assets = asset.map { Set([$0]) }
    if let asset, let found = await WalletSearch(accounts.session).assets(called: asset, in: all, context) {
      assets = found
    }
    accounts.session.close()

    // Nobody has keys everywhere: who was not named is not missed.
    let reports = all.filter { report in
      options.exchanges != nil || !report.rows.isEmpty || report.failures.contains { $0.reason != .noSecret }
    }
    let report = WalletsReport(reports, assets: assets)
    let page = accounts.session.page(options.asking.colors, at: accounts.session.clock(), in: context)
    switch options.format {
    case .text: context.write(report, as: .text, on: page)
    case .json: context.write(report, as: .json, on: page)
    case .csv: context.write(report, as: .csv, on: page)
    case .ndjson: context.write(lines: report.ndjson(), on: page)
    }
    for note in report.notes { context.note(TerminalText.sanitized(note)) }
    if options.asking.config.isVerbose {
      let hidden = all.filter { own in !reports.contains { $0.exchange == own.exchange } }.map(\.exchange)
      if !hidden.isEmpty {
        context.note(TerminalText.sanitized("only with a key: \(hidden.joined(separator: ", "))"))
      }
      accounts.session.noteRequests(in: context)
    }
    if report.isEmpty, let asset, reports.contains(where: { !$0.rows.isEmpty }) {
      context.note(TerminalText.sanitized("no exchange names a wallet of \(asset)"))
    }
    return report.isEmpty ? .noAnswer : .answer
  }
}

/// Finds the assets that a word names which is no symbol.
private struct WalletSearch {
  private let session: MarketSession

  init(_ session: MarketSession) { self.session = session }

  /// nil where an exchange has a wallet of that very symbol, or nothing fits.
  func assets(called word: String, in reports: [WalletReport], _ context: Context) async -> Set<String>? {
    var seen: Set<String> = []
    let assets = reports.flatMap(\.rows).map(\.asset).filter { seen.insert($0).inserted }
    guard !assets.isEmpty, !seen.contains(word) else { return nil }
    let names = await context.showing(session.journal) { await session.assetNames() }
    let subjects = assets.map { asset in
      let name = names[asset]?.name
      return NameFilter.Subject(symbol: asset, names: [name?.korean, name?.english].compactMap(\.self))
    }
    let found = NameFilter(word).places(in: subjects).map { assets[$0] }
    return found.isEmpty ? nil : Set(found)
  }
}
