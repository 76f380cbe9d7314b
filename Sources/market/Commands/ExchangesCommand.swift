import Config
import Mapping
import MarketData
import Proving
import Quotes
import Shell
import Views

/// `market exchanges`
enum ExchangesCommand {
  private enum Format: String, CaseIterable { case text, json, csv, md }

  private static let format = Option.format(as: Format.self)

  private static let name = Argument(
    "NAME", help: "show everything about this exchange", isOptional: true, kind: .exchange)

  static let command = Command(
    name: "exchanges",
    summary: "list the exchanges of the config and what each offers",
    examples: [
      .init("market exchanges", "every exchange"),
      .init("market exchanges Upbit", "everything about one: notes, documentation, hosts, limits, pairs"),
      .init("market exchanges -f md", "as a Markdown table"),
      .init("market exchanges -f csv", "one record per market, with turnover, volume and time"),
    ],
    arguments: [name],
    options: [format, .config, .verbose],
    discussion: [
      "'badge': what stands for the exchange where its name does not fit.",
      "'book', 'trades', 'candles': what 'market orderbook', 'market trades' and 'market candles' can request; "
        + "for candles, the shortest and the longest interval (for all of them: market exchanges NAME).",
      "If the markets of an exchange differ, spot comes before futures. 'pair': one pair can be requested "
        + "alone, without the table of all pairs. 'apart': this takes a second request, which is made only if the "
        + "value is needed. 'pair' under 'bid/ask': only the request for one pair has it.",
      "'proof' is the date of the recorded live answer on which a mapping passed every check ('spot': that market only, "
        + "'pair': the answer for one pair); 'documented' mappings follow the exchange's documentation and have not been "
        + "checked against an answer. 'here': test-exchange --live found nothing wrong on this machine on that day.",
    ],
    work: .depending { $0.optionalText(of: name) == nil ? .now(run) : .later(runOne) })

  private struct Options: CommandOptions {
    let name: String
    let format: Format
    let config: ConfigOptions
    let colors: ColorOptions

    init(_ words: Invocation) throws(UsageProblem) {
      name = words.text(of: ExchangesCommand.name)
      format = try words.choice(of: ExchangesCommand.format) ?? .text
      config = ConfigOptions(words)
      colors = try ColorOptions(words)
    }
  }

  @Sendable private static func run(_ options: Options, in context: Context) throws -> ExitCode {
    let config = try LoadedConfig(options.config, in: context)
    let exchanges = config.configuration.exchanges.compactMap { config.exchange($0, in: context) }
    // A page in a repository must be the same on every machine.
    let proofs = options.format == .md ? [:] : provedHere(config.configuration.exchanges, in: context)
    let matrix = ExchangeMatrix(
      exchanges, badges: config.configuration.badges, retired: config.configuration.retired, provedHere: proofs)
    if let format = OutputFormat(rawValue: options.format.rawValue) {
      context.write(matrix, as: format, on: context.page(options.colors))
    } else {
      context.output.write(matrix.markdown())
    }
    return matrix.isEmpty ? .noAnswer : .answer
  }

  private static func provedHere(_ sources: [ExchangeSource], in context: Context) -> [String: String] {
    let proofs = LocalProofs(in: context.paths.cache)
    return Dictionary(sources.compactMap { source in proofs.day(of: source).map { (source.name, $0) } }) { $1 }
  }

  /// Shows one exchange; its pairs are counted from its recordings.
  @Sendable private static func runOne(_ options: Options, in context: Context) async throws -> ExitCode {
    let config = try LoadedConfig(options.config, in: context)
    let source = try config.source(named: options.name)
    guard let exchange = config.exchange(source, in: context) else {
      throw CommandError.invalidConfig("cannot show \(source.name): its block in \(config.found.path) is invalid")
    }
    let badges = config.configuration.badges
    guard let format = OutputFormat(rawValue: options.format.rawValue) else {
      context.output.write(ExchangeMatrix([exchange], badges: badges, retired: []).markdown())
      return .answer
    }
    let run = TestRun(of: config, ConfigLocator(context), hooks: .shipped)
    let recorded = await run.results(of: [.exchange(exchange)]).first.flatMap(\.self)
    let detail = ExchangeDetail(
      exchange, badge: badges[exchange.name], pairs: recorded.map(pairCounts) ?? [], file: config.found.path,
      provedHere: provedHere([source], in: context)[source.name])
    context.write(detail, as: format, on: context.page(options.colors))
    return .answer
  }

  private static func pairCounts(of recorded: TestedExchange) -> [ExchangeDetail.PairCount] {
    guard let day = recorded.recordings?.last.iso8601.prefix(10) else { return [] }
    return Market.allCases.compactMap { market in
      let tables = recorded.tables.filter { $0.market == market && $0.pair == nil }
      let pairs = Set(tables.flatMap { $0.gathered.table.rows.map(\.ticker.pair) })
      return pairs.isEmpty ? nil : (market, pairs.count, String(day))
    }
  }
}
