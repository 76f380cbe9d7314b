import Config
import Files
import HTTP
import Inference
import JSON
import Mapping
import MarketData
import Onboarding
import Proving
import Quotes
import Shell
import Terminal
import Transport

/// `market add-exchange [NAME]`
enum AddExchangeCommand {
  private static let name = Argument(
    "NAME", help: "the name of the new exchange, or a file with a finished block", isOptional: true, kind: .file)
  private static let place = Argument("SOURCE", help: "an answer, as with --from-sample", isOptional: true, kind: .file)

  private static let sample = Option(
    "from-sample", value: "[PART=]SOURCE",
    help: "an answer with the tickers: a file, an address, or '-' for standard input; with --like, or as "
      + "ticker=SOURCE with --ticker, once per part", kind: .file, category: .source)
  private static let curl = Option(
    "from-curl", value: "LINE",
    help: "a pasted 'curl …', or '-' to read it from standard input and keep its keys private",
    category: .source)
  private static let streamSample = Option(
    "stream-sample", value: "[CHANNEL=]FILE",
    help:
      "recorded messages of a stream, one per line: proposes a channel for an existing exchange, 'ticker' or "
      + "trades=FILE, orderbook=FILE, candles=FILE",
    kind: .file, category: .source)
  private static let like = Option(
    "like", value: "EXCHANGE", help: "start from this exchange and write only what differs", kind: .exchange,
    category: .source)
  private static let baseURL = Option(
    "base-url", value: "URL", help: "the base URL: https://api.example.com; repeat for each further host",
    category: .request)
  private static let tickers = Option(
    "tickers", value: "PATH", help: "the path of the answer with its query, or the whole address", category: .request)
  private static let url = Option(
    "url", value: "URL", help: "the address that the answer with candles=, trades= or orderbook= came from",
    category: .request)
  private static let ticker = Option(
    "ticker", value: "PATH", help: "the path of the request for one pair: /ticker?s={asset}{payment}",
    category: .request)
  private static let market = Option(
    "market", short: "m", value: "MARKET", help: "the market of the answer (default: spot)",
    choices: Market.allCases.map(\.rawValue), category: .rows)
  private static let rows = Option("rows", value: "PATH", help: "where the rows are: $.data[*]", category: .rows)
  private static let symbol = Option(
    "symbol", value: "ASSET/PAYMENT", help: "a pair in the answer, or the pair it is about", kind: .pair,
    category: .rows)
  private static let price = Option("price", value: "PATH", help: "the path of a row's last price", category: .rows)
  private static let set = Option(
    "set", value: "KEY=JSON", help: "any other key of the block: fields.high=$.hi, docs=https://…; may be repeated",
    category: .rows)
  private static let yes = Option("yes", short: "y", help: "write without asking; leave out what is uncertain")
  private static let noInput = Option("no-input", help: "never ask; leave out what is uncertain")
  private static let dryRun = Option("dry-run", short: "n", help: "write nothing, show the block")
  private static let diff = Option("diff", help: "show the config lines that change")
  private static let format = Option.format(as: DocumentFormat.self, help: "how to write the proposal")

  static let command = Command(
    name: "add-exchange",
    summary: "add an exchange from one answer",
    examples: [
      .init("market add-exchange", "step by step, on a terminal"),
      .init(
        "market add-exchange Newex https://host/tickers",
        "send one request, infer the block, ask about what is uncertain, write it"),
      .init("market add-exchange Newex --from-sample a.json --tickers https://host/tickers", "from a saved answer"),
      .init("market add-exchange Newex --from-curl -", "paste a curl line; its keys stay out of the config"),
      .init("market add-exchange Newex --like Binance --from-sample https://host/all", "a look-alike"),
      .init(
        "market add-exchange Newex -m futures --like Bybit --from-sample linear=a.json",
        "one answer for each part; repeat for the next"),
      .init(
        "market add-exchange Newex URL --set fields.high=$.hi --set takerFee=0.1",
        "give a field and a key that no answer shows"),
      .init("market add-exchange Newex --from-sample a.json --dry-run -f json", "for use by another program"),
      .init(
        "market add-exchange Newex --symbol BTC/KRW --from-sample candles=URL",
        "candles for an existing exchange; likewise trades= and orderbook="),
      .init(
        "market add-exchange Newex --stream-sample messages.ndjson",
        "propose its stream; requests its table to compare the numbers"),
      .init("market add-exchange block.json", "merge a finished block"),
    ],
    arguments: [name, place],
    options: [
      sample, curl, streamSample, like, baseURL, tickers, ticker, url, market, rows, symbol, price, set, yes, noInput,
      dryRun, diff,
      format,
      .config, .scheme, .timeout,
    ],
    discussion: [
      "Names suggest a mapping, and the numbers of all rows confirm it: low <= price <= high, bid <= ask, "
        + "turnover / volume is a price, the change fits the open. What remains uncertain is asked on a terminal, "
        + "and left out with --yes or --no-input. A path given on the command line takes precedence over an "
        + "inferred one, and is rejected if the sample has nothing there.",
      "Keys and passwords in an address or curl line are never written or shown: {secret:name} takes their "
        + "place, and a message says where to store them.",
      "The config is edited in place: every other byte stays the same, and nothing is written until the result "
        + "has been read without errors. If only the shipped config is in use, a file of your own is created that "
        + "extends it.",
      "The sample is kept, without secrets, in the folder 'cassettes' beside the config: from then on, "
        + "test-exchange checks the exchange against it.",
      "candles=SOURCE, trades=SOURCE and orderbook=SOURCE add a block to an exchange in your own file. Columns "
        + "are identified by how they relate: low <= open, close <= high, times on a grid, turnover / volume within "
        + "the candle, all bids below all asks. The pair, the interval, the count and the times in the address "
        + "become templates. What the numbers do not prove is left out or rejected. Prices are compared with the pair's "
        + "ticker in the recording beside the config, or in tickers=SOURCE.",
      "--stream-sample requests the table of an existing exchange and looks for its numbers in the messages: "
        + "what names the pair, where the rows are, which member is which field, and what only these messages have. "
        + "The lines are the messages themselves, or a recording made by 'market stream --record'. The block is "
        + "shown, not written; a field that no number proves is null, and keeps the table's value. Trades, order "
        + "books and candles are identified by how their columns relate, as in an answer; for a book also which "
        + "messages are whole, which change it, and what numbers them.",
      "With --like, each part of the table, the request for one pair and each lookup is proved by its own "
        + "answer: linear=a.json, ticker=b.json, contracts=c.json. Those without one are listed as taken on trust.",
    ],
    work: .awaiting { try await run($0, in: $1) })

  /// - Parameter handler: sends requests; nil for the program's transport.
  static func run(
    _ invocation: Invocation, in context: Context, by handler: HTTPHandler? = nil
  ) async throws -> ExitCode {
    do {
      var options = try options(invocation)
      let isAsking = try isAsking(options, invocation, in: context)
      if options.curl == "-" { options.curl = String(decoding: try context.input(limit: 1 << 20), as: UTF8.self) }
      // A run's clock starts with it, and the user may take long to answer, so each request is a run with its retries.
      let limit = Duration.milliseconds(try invocation.timeout() ?? 5_000)
      let client = HTTPClient(HTTPClient.Options(userAgent: Version.userAgent, limit: limit))
      defer { client.shutDown() }
      let network: HTTPHandler = { request throws(TransportError) in try await client.newRun(deadline: limit)(request) }
      var onboarding = try Onboarding(
        options, ConfigDraft(ConfigLocator(context), named: options.config),
        in: try world(invocation, in: context, by: handler ?? network, isAsking: isAsking))
      return try await onboarding.run() ? .answer : .noAnswer
    } catch let problem as OnboardingProblem {
      throw problem.asError
    }
  }

  /// Returns whether there is a user to ask.
  ///
  /// - Throws: `UsageProblem` if a user is needed but there is none.
  private static func isAsking(
    _ options: OnboardingOptions, _ invocation: Invocation, in context: Context
  ) throws(UsageProblem) -> Bool {
    if options.readyBlocks != nil { return context.terminal.inputIsTerminal && !invocation.has(noInput) }
    let readers = options.sources.count(where: SampleWord.readsInput) + (options.curl == "-" ? 1 : 0)
    guard readers <= 1 else { throw .other("standard input can be used only once; give the others as files") }
    let isTerminal = context.terminal.inputIsTerminal && context.terminal.errorIsTerminal
    let readsInput = readers > 0 && (options.curl != "-" || !isTerminal)
    let isAsking = isTerminal && !readsInput && ![noInput, yes, dryRun].contains(where: invocation.has)
    guard !options.isBare || isAsking else {
      throw .other(
        "missing answer of the exchange; add --from-sample FILE, URL or -, --from-curl LINE, or --like EXCHANGE")
    }
    guard options.name != nil || isAsking else { throw .missingArgument(name.name) }
    return isAsking
  }

  /// Returns the parsed options of the command line.
  private static func options(_ invocation: Invocation) throws -> OnboardingOptions {
    let name = invocation.optionalText(of: name)
    if let name, name.contains("://") {
      throw UsageProblem.other("the name of the exchange comes first: market add-exchange NAME ADDRESS")
    }
    func path(_ option: Option) throws(UsageProblem) -> String? {
      try invocation.value(of: option, as: "a JSONPath such as $.last") { SampleHints.isPath($0) ? $0 : nil }
    }
    let pair = try invocation.value(of: symbol, as: "a pair such as BTC/KRW") { Pair($0) }
    var options = OnboardingOptions(
      keys: try BlockOverrides(invocation.values(of: set)), pair: pair, rows: try path(rows), price: try path(price),
      market: try invocation.choice(of: market, as: Market.self))
    options.name = name
    options.sources = invocation.texts(of: place) + invocation.values(of: sample)
    options.curl = invocation.value(of: curl)
    options.streamSample = invocation.value(of: streamSample)
    options.like = invocation.value(of: like)
    options.baseURLs = invocation.values(of: baseURL)
    options.tickers = invocation.value(of: tickers)
    options.ticker = invocation.value(of: ticker)
    options.url = invocation.value(of: url)
    options.isDry = invocation.has(dryRun)
    options.isJSON = invocation.value(of: format) == DocumentFormat.json.rawValue
    options.showsDifference = invocation.has(diff)
    options.writesUnasked = invocation.has(yes)
    options.config = invocation.value(of: .config)
    return options
  }

  private static func world(
    _ invocation: Invocation, in context: Context, by handler: @escaping HTTPHandler, isAsking: Bool
  ) throws -> OnboardingContext {
    let palette = try context.palette(ColorOptions(invocation))
    return OnboardingContext(
      program: context.program, write: { context.output.write($0) },
      writeJSON: { context.write(json: $0.written(indent: 2)) },
      writeError: { text in
        context.output.flush()
        context.errorOutput.write(text)
      },
      readLine: context.readLine,
      readInput: { () throws(OnboardingProblem) in
        do throws(FileError) { return try context.input() } catch { throw .file(error) }
      },
      now: context.now,
      handler: handler, hooks: .shipped,
      trial: { try await trial(of: $0, keepsRows: $1, invocation, in: context) }, palette: palette,
      columns: context.terminal.columns, errorColumns: context.terminal.errorColumns,
      credentialsFile: context.paths.config.map { "\($0)/credentials.json" } ?? "credentials.json",
      isAsking: isAsking)
  }

  /// Proves the new exchange against its recording.
  ///
  /// - Parameter keepsRows: whether to save the recording's rows with it if there are no problems.
  private static func trial(
    of name: String, keepsRows: Bool, _ invocation: Invocation, in context: Context
  ) async throws -> [String] {
    let config = try LoadedConfig(ConfigOptions(invocation), in: context)
    let run = TestRun(of: config, ConfigLocator(context), hooks: .shipped, accepts: keepsRows)
    let exchange = config.exchange(try config.source(named: name), in: context)
    return await run.results(of: [exchange.map { .exchange($0) }]).flatMap { $0?.problems ?? [] }.map(\.message)
  }
}

extension OnboardingProblem {
  /// The corresponding error for the user, with its exit code.
  var asError: any Error {
    switch self {
    case .configSyntax(let error): ConfigProblem.syntax(error)
    case .configFindings(let findings): CommandError.diagnostics(SourceDiagnostic.list(findings), .invalidConfig)
    case .file(let error): error
    default:
      switch kind {
      case .usage: UsageProblem.other("\(self)")
      case .noAnswer: CommandError.noAnswer("\(self)")
      case .config: CommandError.invalidConfig("\(self)")
      }
    }
  }
}
