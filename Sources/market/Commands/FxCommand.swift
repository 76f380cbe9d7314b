import Config
import Mapping
import MarketData
import Quotes
import Terminal
import Views

/// `market fx [ASSET] [PAYMENT] [AMOUNT]`
enum FxCommand {
  private static let asset = Argument("ASSET", help: "the currency to price (default: USD)", isOptional: true)
  private static let payment = Argument(
    "PAYMENT", help: "the currency to price it in (default: KRW)", isOptional: true)
  private static let amount = Argument(
    "AMOUNT", help: "convert this much of the first: 100, 1.5M, 1억", isOptional: true)
  private static let moment = Option(
    "at", value: "TIME",
    help: "a moment other than now: 03:00 (the next, in Seoul), 2026-11-19T03:00, 2026-11-18T18:00:00Z")
  private static let provider = Option(
    "provider", value: "NAME", help: "use this provider only, whatever the route says")
  private static let list = Option(
    "list", help: "list all currencies of a provider in dollars and won: the one named, else the first that answers")
  private static let explain = Option(
    "explain", help: "show for every rule of the route why it was taken or not", category: .output)

  static let command = Command(
    name: "fx",
    summary: "exchange rates: the dollar in won by the clock, and any other pair",
    examples: [
      .init("market fx", "the dollar in won, now"),
      .init("market fx EUR KRW 250", "250 euros in won"),
      .init("market fx USD KRW --explain", "which source was taken, and why not the others"),
      .init("market fx --at 03:00 --replay DIR --explain", "the rate at three at night, and why"),
      .init("market fx --list OpenExchangeRates", "all currencies of one provider in dollars and won"),
    ],
    arguments: [asset, payment, amount],
    options: [moment, provider, list, explain, .format, .scheme] + Option.asking,
    discussion: [
      "By day the dollar in won is Hana Bank's rate. At night, at weekends and on holidays, when the bank does not quote, it "
        + "comes from Open Exchange Rates (with a key), else from a daily source, and the change is measured from the bank's "
        + "last close. docs/fx.md has the whole schedule.",
      "Answers are kept in $XDG_CACHE_HOME/market/rates, and no provider is called more often than the config allows. With "
        + "--at none is called at all: the answer comes from the recordings of --replay, else from the cache.",
      "Exits with 0 if there is a rate, with 1 if there is none.",
    ],
    work: .awaiting(run))

  @Sendable private static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode {
    // Most often what is kept answers, and then libcurl is not needed at all: it is loaded when it is.
    let config = try LoadedConfig(invocation, in: context)
    let format = try invocation.choice(of: Option.format, as: OutputFormat.self) ?? .text
    if invocation.has(list) { return try await runList(invocation, config, format, in: context) }

    let names = Currencies(config.configuration)
    let words = try words(invocation)
    let pair = Pair(
      asset: try names.canonical(words.asset ?? "USD", config),
      payment: try names.canonical(words.payment ?? "KRW", config))
    let sum = try words.amount.map { text throws(UsageProblem) -> Decimal in
      guard let amount = MoneyAmount.parse(text) else {
        throw .other("invalid amount '\(text)'; expected a number such as 100, 1.5M or 1억")
      }
      return amount
    }
    let only = try invocation.value(of: provider).map { try providerName($0, config.configuration) }
    let session = try session(config, invocation, in: context)
    let report = await session.client.rate(of: pair, config.configuration, session.interpretation(pair: nil), only: only)
    session.close()

    if invocation.has(.verbose) { for note in report.notes { context.note(TerminalText.sanitized(note)) } }
    context.write(
      FxReport(report, amount: sum, isExplained: invocation.has(explain)), as: format,
      on: try page(session, invocation, in: context))
    if report.quote == nil, format != .text {
      context.note(TerminalText.sanitized("no rate of \(pair): \(report.reason ?? "")"))
    }
    return report.quote == nil ? .noAnswer : .answer
  }

  private static func runList(
    _ invocation: Invocation, _ config: LoadedConfig, _ format: OutputFormat, in context: Context
  ) async throws -> ExitCode {
    if invocation.optionalText(of: payment) != nil {
      throw UsageProblem.other("'--list' takes one provider, not a pair")
    }
    let named = try invocation.optionalText(of: asset).map { try providerName($0, config.configuration) }
    let session = try session(config, invocation, in: context)
    let candidates =
      named.map { [$0] } ?? config.configuration.routes.first { $0.pattern.exactness == 0 }?.providers ?? []
    var listing: RateListing?
    for name in candidates where listing == nil {
      do throws(TableFailure) {
        listing = try await session.client.listing(
          of: name, Currencies.codes.sorted(), config.configuration, session.interpretation(pair: nil))
      } catch {
        guard error.reason != .notOffered || named != nil else { continue }
        context.note(TerminalText.sanitized("\(name): \(error.message ?? error.reason.code)"))
      }
    }
    session.close()
    guard let listing else { return .noAnswer }
    context.write(
      FxListReport(listing, at: session.clock()), as: format, on: try page(session, invocation, in: context))
    return .answer
  }

  private static func session(_ config: LoadedConfig, _ invocation: Invocation, in context: Context) throws -> MarketSession {
    guard let text = invocation.value(of: moment) else { return try MarketSession(config, invocation, in: context) }
    if invocation.has(.record) {
      throw UsageProblem.other("'--at' cannot be combined with '--record': nothing is asked for another moment")
    }
    return try MarketSession(config, invocation, in: context) { now in
      guard let moment = MomentText.parse(text, after: now, offsetSeconds: 9 * 3600) else {
        throw UsageProblem.invalidValue(
          option: "--at", value: text, valid: ["a time such as 03:00, 2026-11-19T03:00 or 2026-11-18T18:00:00Z"])
      }
      return moment
    }
  }

  /// `USD KRW 100`, `USD/KRW 100`, `EUR 100`, `100`: a number is the amount, whatever stands before it.
  private static func words(
    _ invocation: Invocation
  ) throws(UsageProblem) -> (asset: String?, payment: String?, amount: String?) {
    var all = [asset, payment, amount].compactMap { invocation.optionalText(of: $0) }
    var sum: String?
    if let last = all.last, all.count == 3 || MoneyAmount.parse(last) != nil { sum = all.removeLast() }
    if all.count == 1, all[0].contains("/") {
      all = all[0].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      guard all.count == 2, !all.contains("") else {
        throw .other("invalid pair '\(all.joined(separator: "/"))'; expected a pair such as USD/KRW")
      }
    }
    return (all.first, all.count > 1 ? all[1] : nil, sum)
  }

  /// With what the answer has to say of itself where it is not live.
  private static func page(_ session: MarketSession, _ invocation: Invocation, in context: Context) throws -> Page {
    guard invocation.has(moment) else { return try session.page(invocation, at: session.clock(), in: context) }
    let origin = session.replay.map { "replay of \($0)" } ?? "from the cache"
    let note = TerminalText.sanitized("\(origin), as of \(ClockText.seoul(session.clock()))")
    return try context.page(invocation, preferring: session.config.preferredScheme, replayNote: note)
  }

  private static func providerName(_ name: String, _ configuration: Configuration) throws -> String {
    if let known = configuration.providerNames.first(where: { Spelling.folded($0) == Spelling.folded(name) }) {
      return known
    }
    let hint =
      Spelling.suggestion(for: name, among: configuration.providerNames).map { "; did you mean '\($0)'?" }
      ?? "; expected \(UsageProblem.alternatives(configuration.providerNames))"
    throw UsageProblem.other("unknown rate provider '\(name)'\(hint)")
  }
}
