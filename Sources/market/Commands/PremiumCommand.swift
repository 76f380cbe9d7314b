import Config
import Mapping
import MarketData
import Quotes
import Terminal
import Views

/// `market premium ASSET`
enum PremiumCommand {
  private static let asset = Argument("ASSET", help: "the asset: BTC")
  private static let local = Option(
    "local", value: "CURRENCY", help: "the local currency", default: "KRW")
  private static let against = Option(
    "against", value: "A,B", help: "what counts as dollars on the other side", default: "USDT,USD")
  private static let size = Option(
    "size", value: "AMOUNT", help: "walk the order books for this much local currency: 10M, 500k, 1억")
  private static let fees = Option("fees", help: "subtract the taker fees that the config has for both exchanges")
  private static let basis = Option(
    "basis", value: "BASIS", help: "compare last trades only, or any price (mid, mark, oracle)",
    default: "last", choices: ["last", "any"])
  private static let strict = Option("strict", help: "exit with 1 if any exchange failed")

  static let command = Command(
    name: "premium",
    summary: "how much more an asset costs in won than in dollars",
    examples: [
      .init("market premium BTC", "each KRW exchange against each USDT and USD exchange"),
      .init("market premium ETH --against USDT -e upbit,bithumb,binance", "three exchanges only"),
      .init("market premium BTC --size 10M --fees", "what a trade of 10 million won would earn"),
      .init("market premium BTC --local JPY", "the same for yen"),
    ],
    arguments: [asset],
    options: [against, local, size, fees, .exchange, basis, strict, .format, .scheme] + Option.asking,
    discussion: [
      "The kimchi premium is (local - dollars x price of a dollar) / (dollars x price of a dollar), on two prices of the dollar: "
        + "the official exchange rate, and what a dollar token costs on the local exchange itself (USDT/KRW). Where one shows "
        + "a premium and the other a discount, the figure has a star.",
      "Rows that are stale, flagged or too thin are left out, and listed with the reason.",
      "With --fees and --size the figures are for buying in dollars and selling in local currency; the reverse premium is for "
        + "the opposite direction.",
    ],
    work: .awaiting(run))

  @Sendable private static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode {
    let config = try LoadedConfig(invocation, in: context)
    let format = try invocation.choice(of: Option.format, as: OutputFormat.self) ?? .text
    let question = try question(invocation, config)
    let exchanges = try config.chosenExchanges(invocation, in: context)
    let session = try MarketSession(config, invocation, in: context)
    try session.requireNetwork()
    let snapshot = await session.client.premium(
      question, exchanges: exchanges, config.configuration, session.interpretation(pair: nil))
    session.close()

    let page = try session.page(invocation, at: snapshot.time, in: context)
    context.write(PremiumReport(snapshot), as: format, on: page)
    for line in snapshot.failures.compactMap(\.line) { context.note(TerminalText.sanitized(line)) }
    if invocation.has(strict), !snapshot.failures.isEmpty { return .noAnswer }
    return snapshot.table.premiums.contains { !$0.percents.isEmpty } ? .answer : .noAnswer
  }

  private static func question(_ invocation: Invocation, _ config: LoadedConfig) throws -> PremiumQuestion {
    let local = config.canonicalAsset(invocation.value(of: local) ?? "KRW")
    var dollars: [String] = []
    for name in (invocation.value(of: against) ?? "USDT,USD").split(separator: ",") {
      let currency = config.canonicalAsset(String(name))
      if !dollars.contains(currency) { dollars.append(currency) }
    }
    guard !dollars.isEmpty else {
      throw UsageProblem.other("missing currency in '--against'; write --against USDT,USD")
    }
    guard !dollars.contains(local) else {
      throw UsageProblem.other("invalid value '\(local)' for '--against'; it is the local currency itself")
    }
    var question = PremiumQuestion(
      asset: config.canonicalAsset(invocation.text(of: asset)), local: local, dollars: dollars,
      countsFees: invocation.has(fees), anyPriceBasis: invocation.value(of: basis) == "any")
    if let text = invocation.value(of: size) {
      guard let amount = MoneyAmount.parse(text) else {
        throw UsageProblem.invalidValue(
          option: "--size", value: text, valid: ["an amount of local currency such as 10M, 500k or 1억"])
      }
      question.size = amount
    }
    return question
  }
}
