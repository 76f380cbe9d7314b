import Asking
import Config
import Mapping
import MarketData
import Quotes
import Shell
import Terminal
import Views

/// `market fx [ASSET] [PAYMENT] [AMOUNT]`
enum FxCommand {
  private static let asset = Argument(
    "ASSET", help: "the currency to price (default: USD); with --list, the provider", isOptional: true,
    kind: .currency(hasDollars: true), after: ["--list": .provider])
  private static let payment = Argument(
    "PAYMENT", help: "the currency to price it in (default: KRW)", isOptional: true, kind: .currency(hasDollars: true))
  private static let amount = Argument(
    "AMOUNT", help: "convert this much of the first: 100, 1.5M, 1억", isOptional: true, kind: .number)
  private static let moment = Option(
    "at", value: "TIME",
    help: "a time other than now: 03:00 (the next, in Seoul), 2026-11-19T03:00, 2026-11-18T18:00:00Z")
  private static let provider = Option(
    "provider", value: "NAME", help: "use only this provider, regardless of the route", kind: .provider)
  private static let list = Option(
    "list",
    help: "list all currencies of a provider (named as ASSET, or else the first that answers) in dollars and won")
  private static let explain = Option(
    "explain", help: "show for every rule of the route why it was or was not used", category: .output)

  static let command = Command(
    name: "fx",
    summary: "show exchange rates: USD/KRW by time of day, and any other pair",
    examples: [
      .init("market fx", "the dollar in won, now"),
      .init("market fx EUR KRW 250", "250 euros in won"),
      .init("market fx USD KRW --explain", "which source was used, and why not the others"),
      .init("market fx --at 03:00 --replay DIR --explain", "the rate at 3 a.m., and why"),
      .init("market fx --list OpenExchangeRates", "all currencies of one provider in dollars and won"),
    ],
    arguments: [asset, payment, amount],
    options: [moment, provider, list, explain, .format, .textLanguage, .scheme, .glyphs], Option.asking,
    discussion: [
      "By day the dollar in won is Hana Bank's rate. At night, at weekends and on holidays, when the bank does "
        + "not quote, it comes from Open Exchange Rates (with a key), or else from a daily source, and the change "
        + "is measured from the bank's last close. 'market fx --at 03:00 --explain' shows the rules of that hour.",
      "Answers are kept in $XDG_CACHE_HOME/market/rates, and no provider is called more often than the config "
        + "allows. With --at no provider is called: the answer comes from the recordings of --replay, or else from "
        + "the cache.",
      "Exits with 0 if there is a rate, with 1 if there is none.",
    ],
    work: .later(run))

  private struct Options: CommandOptions {
    let asset: String?
    let payment: String?
    let amount: Decimal?
    /// As typed: its meaning depends on the current time.
    let moment: String?
    let provider: String?
    let isList: Bool
    let isExplained: Bool
    let format: OutputFormat
    /// nil for that of the locale.
    let language: Language?
    let asking: AskingOptions

    init(_ words: Invocation) throws(UsageProblem) {
      isList = words.has(list)
      let typed = [FxCommand.asset, FxCommand.payment, FxCommand.amount].compactMap { words.optionalText(of: $0) }
      if isList, typed.count > 1 { throw .other("'--list' takes one provider, not a pair") }
      let (names, sum) = isList ? (typed, nil) : try Self.namesAndAmount(typed)
      asset = names.first
      payment = names.count > 1 ? names[1] : nil
      amount = try sum.map { text throws(UsageProblem) in try Self.amount(text) }
      moment = words.value(of: FxCommand.moment)
      provider = words.value(of: FxCommand.provider)
      isExplained = words.has(explain)
      if isList, asset != nil, provider != nil { throw .other("'--list' takes one provider") }
      if isList, isExplained { throw .conflict("--list", "--explain") }
      format = try words.choice(of: .format) ?? .text
      language = try words.textLanguage(for: format)
      if isExplained, format == .csv { throw .conflict("--explain", "--format csv") }
      asking = try AskingOptions(words)
      // Past rates are not requested.
      if moment != nil, asking.record != nil { throw .conflict("--at", "--record") }
    }

    /// Splits `USD KRW 100`, `100 USD KRW`, `USD/KRW 100`, `EUR 100`, `100`: a number is the amount, wherever it is.
    private static func namesAndAmount(
      _ typed: [String]
    ) throws(UsageProblem) -> (names: [String], amount: String?) {
      var names = typed
      var amount: String?
      if let place = names.firstIndex(where: AmountText.isMeant) ?? (names.count == 3 ? 2 : nil) {
        amount = names.remove(at: place)
      }
      guard names.count == 1, let word = names.first else { return (names, amount) }
      try PairArgument.refuseUnseparated(word, of: "fx")
      guard word.contains("/") else { return (names, amount) }
      names = word.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      guard names.count == 2, !names.contains("") else {
        throw .other("invalid pair '\(word)'; expected a pair such as USD/KRW")
      }
      return (names, amount)
    }

    private static func amount(_ text: String) throws(UsageProblem) -> Decimal {
      if let amount = AmountText.aboveZero(text) { return amount }
      throw .other(
        "invalid amount '\(text)'; expected a number above zero, of at most \(AmountText.maximumDigits) digits, such as "
          + "100, 1.5M or 1억")
    }
  }

  @Sendable private static func run(_ options: Options, in context: Context) async throws -> ExitCode {
    // The cache usually answers without libcurl, which is therefore loaded on demand.
    let config = try LoadedConfig(options.asking.config, in: context)
    if options.isList { return try await runList(options, config, in: context) }
    let pair = Pair(
      asset: try config.canonicalCurrency(options.asset ?? "USD"),
      payment: try config.canonicalCurrency(options.payment ?? "KRW"))
    guard options.payment != nil || pair.asset != pair.payment else {
      throw UsageProblem.other("a rate needs two currencies; write it like: market fx \(pair.asset) USD")
    }
    let only = try options.provider.map { try providerName($0, config.configuration) }
    let session = try session(config, options, in: context)
    let report = await context.showing(session.journal) {
      await session.client.rate(of: pair, config.configuration, session.interpretation(), only: only)
    }
    session.close()

    if options.asking.config.isVerbose {
      for note in report.notes { context.note(note) }
      session.noteRequests(in: context)
    }
    context.write(
      FxReport(report, amount: options.amount, isExplained: options.isExplained), as: options.format,
      on: page(session, options, in: context))
    if report.quote == nil, options.format != .text {
      context.note("no rate for \(pair): \(report.reason ?? "")")
    }
    let isCoin = [pair.asset, pair.payment].contains { $0 == "BTC" || !LoadedConfig.currencyCodes.contains($0) }
    if report.quote == nil, isCoin {
      context.note(
        "these are rates of currencies; for the price of a coin run: market show \(pair)\(session.config.found.option)")
    }
    return report.quote == nil ? .noAnswer : .answer
  }

  private static func runList(
    _ options: Options, _ config: LoadedConfig, in context: Context
  ) async throws -> ExitCode {
    let named = try (options.asset ?? options.provider).map { try providerName($0, config.configuration) }
    let session = try session(config, options, in: context)
    let candidates =
      named.map { [$0] } ?? config.configuration.routes.first { $0.pattern.exactness == 0 }?.providers ?? []
    var listing: RateListing?
    for name in candidates where listing == nil {
      do throws(AnswerFailure) {
        listing = try await session.client.listing(
          of: name, LoadedConfig.currencyCodes.sorted(), config.configuration, session.interpretation())
      } catch {
        guard error.reason != .notOffered || named != nil else { continue }
        let remedy = error.reason == .noSecret ? "; store it with: market keys add \(name)\(config.found.option)" : ""
        context.note("\(name): \(error.message ?? error.reason.code)\(remedy)")
      }
    }
    session.close()
    guard let listing else { return .noAnswer }
    context.write(
      FxListReport(listing, at: session.clock()), as: options.format, on: page(session, options, in: context))
    return .answer
  }

  private static func session(_ config: LoadedConfig, _ options: Options, in context: Context) throws -> MarketSession {
    guard let text = options.moment else { return try MarketSession(config, options.asking, in: context) }
    return try MarketSession(config, options.asking, in: context) { now in
      guard let moment = MomentText.parse(text, after: now, offsetSeconds: 9 * 3600) else {
        throw UsageProblem.invalidValue(
          option: "--at", value: text, valid: ["a time such as 03:00, 2026-11-19T03:00 or 2026-11-18T18:00:00Z"])
      }
      return moment
    }
  }

  /// Returns the page, with a note if the answer is not live.
  private static func page(_ session: MarketSession, _ options: Options, in context: Context) -> Page {
    let chosen = context.textLanguage(options.language, for: options.format)
    guard options.moment != nil else {
      return session.page(options.asking, at: session.clock(), language: chosen, in: context)
    }
    let language = chosen ?? .english
    let origin =
      session.replay.map { language("replay of \($0)", "\($0) 재생") } ?? language("from the cache", "캐시")
    let moment = ClockText.seoul(session.clock())
    let note = TerminalText.sanitized("\(origin), " + language("as of \(moment)", "\(moment) 기준"))
    return context.page(
      options.asking.colors, preferring: session.config.preferredScheme, replayNote: note, language: chosen)
  }

  private static func providerName(_ name: String, _ configuration: Configuration) throws(UsageProblem) -> String {
    if let known = configuration.providerName(spelled: name) { return known }
    let hint =
      Spelling.suggestion(for: name, among: configuration.providerNames).map { "; did you mean '\($0)'?" }
      ?? "; expected \(configuration.providerNames.listed("or"))"
    let file = configuration.files.last?.name ?? "the config"
    throw .other("unknown rate provider '\(name)' in \(file)\(hint)")
  }
}
