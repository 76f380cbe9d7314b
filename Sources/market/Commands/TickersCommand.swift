import Config
import Files
import JSON
import Mapping
import MarketData
import Quotes
import Terminal
import Views

/// `market tickers EXCHANGE`
enum TickersCommand {
  private enum Format: String, CaseIterable {
    case text, json, csv
    case dataFromAsset = "data-from-asset"
  }

  private static let exchange = Argument("EXCHANGE", help: "an exchange of the config, upper or lower case")
  private static let market = Option(
    "market", short: "m", value: "MARKET", help: "show this market only", choices: Market.allCases.map(\.rawValue))
  private static let pair = Option(
    "pair", value: "ASSET/PAYMENT", help: "ask for this pair only, with the request for one pair")
  private static let response = Option(
    "response", short: "r", value: "FILE",
    help:
      "read this saved answer instead of asking; '-' is standard input, NAME=FILE the answer of a lookup; repeat it "
      + "for each part of the table")
  private static let format = Option(
    "format", short: "f", value: "FORMAT", help: "output format", default: Format.text.rawValue,
    choices: Format.allCases.map(\.rawValue), category: .output)

  static let command = Command(
    name: "tickers",
    summary: "every pair of one exchange",
    examples: [
      .init("market tickers Upbit", "all pairs of Upbit"),
      .init("market tickers Binance -m futures -f json", "Binance's perpetual swaps as JSON"),
      .init("market tickers Okx -m spot --response tickers.json", "read a saved answer, offline"),
      .init("market tickers Kraken -m spot -r pairs=AssetPairs.json -r Ticker.json", "with the answer to a lookup"),
    ],
    arguments: [exchange],
    options: [market, pair, response, format, Option.scheme] + Option.asking,
    work: .depending { $0.has(response) ? .immediate(readSaved) : .awaiting(ask) })

  /// What the command line asks for.
  private struct Request {
    let config: LoadedConfig
    let exchange: Exchange
    let markets: [ExchangeMarket]
    let pair: Pair?

    init(_ invocation: Invocation, in context: Context) throws {
      config = try LoadedConfig(invocation, in: context)
      let source = try config.source(named: invocation.text(of: TickersCommand.exchange))
      guard let exchange = config.exchange(source, in: context) else {
        throw CommandError.invalidConfig("cannot ask \(source.name): its block in the config is invalid")
      }
      self.exchange = exchange
      let wanted = try invocation.choice(of: market, as: Market.self)
      markets = exchange.markets.filter { wanted == nil || $0.market == wanted }
      guard !markets.isEmpty else {
        throw UsageProblem.other("\(exchange.name) has no market '\(wanted?.rawValue ?? "")' in the config")
      }
      pair = try invocation.value(of: TickersCommand.pair).map { try parsePair($0) }
    }
  }

  /// Saved answers need neither a network nor a task.
  @Sendable private static func readSaved(_ invocation: Invocation, in context: Context) throws -> ExitCode {
    let request = try Request(invocation, in: context)
    let market = request.markets[0]
    let parts = request.pair == nil || market.ticker.isEmpty ? market.tickers : market.ticker
    let names = Set(parts.flatMap { $0.lookups.map(\.name) })
    let responses = try SavedResponses(invocation.values(of: response), lookupNames: names) { path in
      try path == "-" ? context.readInput(FileSystem.defaultLimit) : FileSystem.read(path)
    }
    let options = Interpretation(
      wanted: request.pair, globalAliases: request.config.configuration.aliases,
      check: MeaningCheck(request.config.configuration.settings), hooks: .shipped)
    let report = responses.report(
      on: market.market, of: request.exchange, parts: parts, pair: request.pair, now: context.now(), options)
    return try finish([report], request, invocation, in: context)
  }

  @Sendable private static func ask(_ invocation: Invocation, in context: Context) async throws -> ExitCode {
    let request = try Request(invocation, in: context)
    let session = try MarketSession(request.config, invocation, in: context)
    try session.requireNetwork()
    let question = TableQuestion(
      market: nil, pair: request.pair, fields: Set(TickerField.allCases),
      options: session.interpretation(pair: request.pair))
    let reports = await session.client.reports(on: request.markets.map { (request.exchange, $0) }, question)
    session.close()
    return try finish(reports, request, invocation, in: context)
  }

  private static func finish(
    _ reports: [ExchangeReport], _ request: Request, _ invocation: Invocation, in context: Context
  ) throws -> ExitCode {
    try write(reports, of: request.exchange, invocation, request.config, in: context)
    for line in reports.compactMap(\.line) { context.note(TerminalText.sanitized(line)) }
    return reports.contains { !$0.table.rows.isEmpty } ? .answer : .noAnswer
  }

  private static func parsePair(_ text: String) throws(UsageProblem) -> Pair {
    guard let pair = Pair(text) else {
      throw .invalidValue(option: "--pair", value: text, valid: ["a pair such as BTC/USDT"])
    }
    return pair
  }

  private static func write(
    _ reports: [ExchangeReport], of exchange: Exchange, _ invocation: Invocation, _ config: LoadedConfig,
    in context: Context
  ) throws {
    let report = TickerTableReport(exchange: exchange.name, reports: reports)
    let format = try invocation.choice(of: format, as: Format.self) ?? .text
    guard let common = OutputFormat(rawValue: format.rawValue) else {
      let (bytes, displaced) = report.dataFromAsset()
      context.write(json: bytes)
      for line in displaced { context.note(TerminalText.sanitized(line)) }
      return
    }
    context.write(report, as: common, on: try context.page(invocation, preferring: config.preferredScheme))
    if format == .text { for line in report.notes { context.note(TerminalText.sanitized(line)) } }
  }
}
