import Adapters
import Catalog
import JSON
import MarketData
import Quotes
import Terminal

/// `market tickers EXCHANGE`
enum TickersCommand {
  private enum Format: String, CaseIterable {
    case text, json, csv
    case dataFromAsset = "data-from-asset"
  }

  private static let exchange = Argument("EXCHANGE", help: "an exchange of the config, in any letters")
  private static let market = Option(
    "market", short: "m", value: "MARKET", help: "one market only", choices: Market.allCases.map(\.rawValue))
  private static let pair = Option("pair", value: "ASSET/PAYMENT", help: "one pair only, by the request for one pair")
  private static let response = Option(
    "response", short: "r", value: "FILE",
    help: "read this answer instead of asking; NAME=FILE is the answer of a lookup, '-' standard input; repeat it for "
      + "each part of the table")
  private static let format = Option(
    "format", short: "f", value: "FORMAT", help: "how to write the table", default: Format.text.rawValue,
    choices: Format.allCases.map(\.rawValue), category: .output)

  static let command = Command(
    name: "tickers",
    summary: "every pair of one exchange",
    examples: [
      .init("market tickers Upbit", "all pairs of Upbit"),
      .init("market tickers Binance -m futures -f json", "Binance's perpetual swaps as JSON"),
      .init("market tickers Okx -m spot --response tickers.json", "read a saved answer, without a network"),
      .init("market tickers Kraken -m spot -r pairs=AssetPairs.json -r Ticker.json", "with the answer of a lookup"),
    ],
    arguments: [exchange],
    options: [market, pair, response, format, Option.scheme] + Option.asking,
    work: .awaiting(run))

  @Sendable private static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode {
    let config = try ConfigLoader(invocation, in: context)
    let source = try config.source(named: invocation.text(of: exchange))
    guard let venue = config.venue(source, in: context) else {
      throw CommandError.invalidConfig("\(source.name) cannot be asked, its block is broken")
    }
    let wantedMarket = try invocation.choice(of: market, as: Market.self)
    let wantedPair = try invocation.value(of: pair).map { try parsePair($0) }
    let markets = venue.markets.filter { wantedMarket == nil || $0.market == wantedMarket }
    guard !markets.isEmpty else {
      throw UsageProblem.other("\(venue.name) has no market '\(wantedMarket?.rawValue ?? "")' in the config")
    }
    var reports: [VenueReport] = []
    if invocation.has(response) {
      reports = [try saved(invocation, venue, markets[0], wantedPair, config, in: context)]
    } else {
      let desk = try Desk(config, invocation, in: context)
      let question = TableQuestion(
        market: nil, pair: wantedPair, fields: Set(TickerField.allCases), options: desk.interpretation(pair: wantedPair))
      reports = await desk.gatherer.reports(on: markets.map { (venue, $0) }, question)
      desk.close()
    }
    try write(reports, of: venue, invocation, config, in: context)
    for line in reports.compactMap(\.line) { context.note(TerminalText.sanitized(line)) }
    return reports.contains { !$0.table.rows.isEmpty } ? .answer : .noAnswer
  }

  private static func parsePair(_ text: String) throws(UsageProblem) -> Pair {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw .invalidValue(option: "--pair", value: text, valid: ["a pair such as BTC/USDT"])
    }
    return Pair(asset: parts[0].uppercased(), payment: parts[1].uppercased())
  }

  private static func saved(
    _ invocation: Invocation, _ venue: Venue, _ market: VenueMarket, _ pair: Pair?, _ config: ConfigLoader,
    in context: Context
  ) throws -> VenueReport {
    let parts = pair == nil ? market.tickers : market.ticker.isEmpty ? market.tickers : market.ticker
    let names = Set(parts.flatMap { $0.lookups.map(\.name) })
    let responses = try SavedResponses(invocation.values(of: response), lookupNames: names, in: context)
    let options = Interpretation(
      wanted: pair, globalAliases: config.catalog.aliases, check: MeaningCheck(config.catalog.settings),
      hooks: Desk.hooks)
    return responses.report(
      on: market.market, of: venue, parts: parts, pair: pair, now: context.now(), options)
  }

  private static func write(
    _ reports: [VenueReport], of venue: Venue, _ invocation: Invocation, _ config: ConfigLoader, in context: Context
  ) throws {
    let writer = TickerTableWriter(venue: venue.name, reports: reports)
    switch try invocation.choice(of: format, as: Format.self) ?? .text {
    case .text:
      let palette = try context.palette(for: invocation, preferring: config.preferredScheme)
      context.output.write(writer.text(width: context.terminal.columns, palette: palette))
      for line in writer.notes { context.note(TerminalText.sanitized(line)) }
    case .csv: context.output.write(writer.csv())
    case .json: context.write(json: writer.json())
    case .dataFromAsset:
      let (bytes, displaced) = writer.dataFromAsset()
      context.write(json: bytes)
      for line in displaced { context.note(TerminalText.sanitized(line)) }
    }
  }
}

extension Context {
  /// Writes a JSON text and a line end. On a terminal invisible characters are shown as `\u` escapes, which mean the same.
  func write(json bytes: [UInt8]) {
    if terminal.outputIsTerminal {
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      output.write(lines.map { TerminalText.sanitized(String($0), escaping: .json) }.joined(separator: "\n"))
    } else {
      output.write(bytes: bytes)
    }
    output.write("\n")
  }
}

extension ConfigLoader {
  /// The colours that the config asks for; nil for those of the locale.
  var preferredScheme: ColorScheme? { ColorScheme(rawValue: catalog.settings.colors) }
}
