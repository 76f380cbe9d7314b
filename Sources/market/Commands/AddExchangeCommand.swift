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
  private enum Format: String, CaseIterable { case text, json }

  private static let name = Argument(
    "NAME", help: "the name of the new exchange, or a file with a ready block", isOptional: true, kind: .file)
  private static let place = Argument("SOURCE", help: "an answer, as with --from-sample", isOptional: true, kind: .file)

  private static let sample = Option(
    "from-sample", value: "[PART=]SOURCE",
    help: "an answer with the tickers: a file, an address, or '-' for standard input; with --like, or as ticker=SOURCE "
      + "with --ticker, once for each part", kind: .file, category: .source)
  private static let curl = Option(
    "from-curl", value: "LINE",
    help: "a pasted 'curl …', or '-' to read it from standard input and keep its keys private",
    category: .source)
  private static let streamSample = Option(
    "stream-sample", value: "[CHANNEL=]FILE",
    help:
      "recorded messages of a stream, one per line: what a channel of an exchange that is there would be, 'ticker' or "
      + "trades=FILE, orderbook=FILE, candles=FILE",
    kind: .file, category: .source)
  private static let like = Option(
    "like", value: "EXCHANGE", help: "start from this exchange and write only what differs", kind: .exchange,
    category: .source)
  private static let baseURL = Option(
    "base-url", value: "URL", help: "where it answers: https://api.example.com; repeat for each other host",
    category: .request)
  private static let tickers = Option(
    "tickers", value: "PATH", help: "the path of the answer with its query, or the whole address", category: .request)
  private static let url = Option(
    "url", value: "URL", help: "the address that the answer with candles=, trades= or orderbook= came from",
    category: .request)
  private static let ticker = Option(
    "ticker", value: "PATH", help: "the path that asks for one pair: /ticker?s={asset}{payment}", category: .request)
  private static let market = Option(
    "market", short: "m", value: "MARKET", help: "the market of the answer (default: spot)",
    choices: Market.allCases.map(\.rawValue), category: .rows)
  private static let rows = Option("rows", value: "PATH", help: "where the rows are: $.data[*]", category: .rows)
  private static let symbol = Option(
    "symbol", value: "ASSET/PAYMENT", help: "a pair that is in the answer, or that it is about", kind: .pair,
    category: .rows)
  private static let price = Option("price", value: "PATH", help: "where the last price of a row is", category: .rows)
  private static let set = Option(
    "set", value: "KEY=JSON", help: "any other key of the block: fields.high=$.hi, docs=https://…; may be repeated",
    category: .rows)
  private static let yes = Option("yes", short: "y", help: "write without a question; leave out what is unsure")
  private static let noInput = Option("no-input", help: "never ask; leave out what is unsure")
  private static let dryRun = Option("dry-run", short: "n", help: "write nothing, show the block")
  private static let diff = Option("diff", help: "show the lines of the config that change")
  private static let format = Option(
    "format", short: "f", value: "FORMAT", help: "how to write the proposal", default: Format.text.rawValue,
    choices: Format.allCases.map(\.rawValue), category: .output)

  static let command = Command(
    name: "add-exchange",
    summary: "add an exchange from one answer",
    examples: [
      .init("market add-exchange", "step by step, on a terminal"),
      .init(
        "market add-exchange Newex https://host/tickers",
        "ask once, infer the block, ask what is unsure, write it"),
      .init("market add-exchange Newex --from-sample a.json --tickers https://host/tickers", "from a saved answer"),
      .init("market add-exchange Newex --from-curl -", "paste a curl line; its keys stay out of the config"),
      .init("market add-exchange Newex --like Binance --from-sample https://host/all", "a look-alike"),
      .init(
        "market add-exchange Newex -m futures --like Bybit --from-sample linear=a.json",
        "one answer for each part; repeat for the next"),
      .init(
        "market add-exchange Newex URL --set fields.high=$.hi --set takerFee=0.1",
        "give a field and a key that no answer shows"),
      .init("market add-exchange Newex --from-sample a.json --dry-run -f json", "for a program"),
      .init(
        "market add-exchange Newex --symbol BTC/KRW --from-sample candles=URL",
        "candles for an exchange that is there; trades= and orderbook= alike"),
      .init(
        "market add-exchange Newex --stream-sample messages.ndjson",
        "what its stream would be; asks for its table, to hold the numbers against it"),
      .init("market add-exchange block.json", "merge a block that is written already"),
    ],
    arguments: [name, place],
    options: [
      sample, curl, streamSample, like, baseURL, tickers, ticker, url, market, rows, symbol, price, set, yes, noInput,
      dryRun, diff,
      format,
      .config, .scheme, .timeout,
    ],
    discussion: [
      "Names propose, the numbers of all rows decide: low <= price <= high, bid <= ask, turnover / volume is a price, the "
        + "change fits the open. What stays unsure is asked on a terminal, and left out with --yes or --no-input. A path "
        + "that is given goes before what is inferred, and is refused where the sample has nothing there.",
      "Keys and passwords of an address or a curl line are never written or shown: {secret:name} takes their place, and a "
        + "message says where to put them.",
      "The config is edited in place: every other byte stays as it was, and nothing is written before the result has been "
        + "read without an error. Where only the shipped config is in use, a file of your own is made that extends it.",
      "The sample is kept, without secrets, in the folder 'cassettes' beside the config: test-exchange holds the exchange "
        + "to it from then on.",
      "candles=SOURCE, trades=SOURCE and orderbook=SOURCE add a block to an exchange of your own file. Columns are found by "
        + "how they relate: low <= open, close <= high, times on a grid, turnover / volume within the candle, all bids below all "
        + "asks. In the address the pair, the interval, the count and the times become templates. What the numbers do not "
        + "prove is left out, or refused.",
      "--stream-sample asks for the table of an exchange that is there and looks for its numbers in the messages: what names "
        + "the pair, where the rows are, which member is which field, and what only these messages have. The lines "
        + "are the messages themselves, or a recording of 'market stream --record'. The block is shown and not written; "
        + "what no number proves is null, and stays the table's. Trades, order books and candles are found by how their "
        + "columns relate, as in an answer: of a book also which messages are whole, which change it, and what numbers them.",
      "With --like each part of the table, the request for one pair and each lookup is proved by an answer of its own: "
        + "linear=a.json, ticker=b.json, contracts=c.json. What has none is listed as taken on trust.",
    ],
    work: .awaiting { try await run($0, in: $1) })

  /// - Parameter handler: asks the network; nil: with the transport of the program.
  static func run(
    _ invocation: Invocation, in context: Context, by handler: HTTPHandler? = nil
  ) async throws -> ExitCode {
    var options = try options(invocation)
    let isTerminal = context.terminal.inputIsTerminal && context.terminal.errorIsTerminal
    let asksNothing = [noInput, yes, dryRun].contains(where: invocation.has)
    if options.isBare, let file = options.name, file.hasSuffix(".json") {
      return try await merge(file, options, invocation, in: context, by: handler)
    }
    let readers = options.sources.count(where: SampleWord.readsInput) + (options.curl == "-" ? 1 : 0)
    guard readers <= 1 else {
      throw UsageProblem.other("standard input holds one thing only; give the others as files")
    }
    let readsInput = readers > 0 && (options.curl != "-" || !isTerminal)
    let isAsking = isTerminal && !readsInput && !asksNothing
    guard !options.isBare || isAsking else {
      throw UsageProblem.other(
        "missing answer of the exchange; add --from-sample FILE, URL or -, --from-curl LINE, or --like EXCHANGE")
    }
    guard options.name != nil || isAsking else { throw UsageProblem.missingArgument(name.name) }
    if options.curl == "-" { options.curl = String(decoding: try context.input(limit: 1 << 20), as: UTF8.self) }
    let client = handler == nil ? try client(invocation) : nil
    defer { client?.shutDown() }
    guard let handler = try handler ?? client.map({ try Self.handler(of: $0, invocation) }) else { return .noAnswer }
    do {
      var onboarding = try Onboarding(
        options, ConfigDraft(invocation, in: context),
        in: try world(invocation, in: context, by: handler, isAsking: isAsking))
      return try await onboarding.run() ? .answer : .noAnswer
    } catch let problem as OnboardingProblem {
      throw problem.asError
    }
  }

  /// The words of the command line, each read once.
  private static func options(_ invocation: Invocation) throws -> OnboardingOptions {
    let name = invocation.optionalText(of: name)
    if let name, name.contains("://") {
      throw UsageProblem.other("the name of the exchange comes first: market add-exchange NAME ADDRESS")
    }
    func path(_ option: Option) throws(UsageProblem) -> String? {
      guard let text = invocation.value(of: option) else { return nil }
      guard SampleHints.isPath(text) else {
        throw .invalidValue(option: option.spelling, value: text, valid: ["a JSONPath such as $.last"])
      }
      return text
    }
    let keys: GivenKeys
    do throws(OnboardingProblem) { keys = try GivenKeys(invocation.values(of: set)) } catch {
      throw UsageProblem.other("\(error)")
    }
    let pair = try invocation.value(of: symbol).map { text throws(UsageProblem) in
      guard let pair = Pair(text) else {
        throw .invalidValue(option: symbol.spelling, value: text, valid: ["a pair such as BTC/KRW"])
      }
      return pair
    }
    var options = OnboardingOptions(
      keys: keys, pair: pair, rows: try path(rows), price: try path(price),
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
    options.isJSON = invocation.value(of: format) == Format.json.rawValue
    options.showsDifference = invocation.has(diff)
    options.writesUnasked = invocation.has(yes)
    options.config = invocation.value(of: .config)
    return options
  }

  /// The clock of a run starts with it, and a person may think for long: each request is a run, with its retries.
  private static func handler(of client: HTTPClient, _ invocation: Invocation) throws -> HTTPHandler {
    let timeout = try timeout(invocation)
    return { request throws(TransportError) in try await client.newRun(deadline: timeout)(request) }
  }

  private static func timeout(_ invocation: Invocation) throws -> Duration {
    .milliseconds(try invocation.timeout() ?? 5_000)
  }

  private static func client(_ invocation: Invocation) throws -> HTTPClient {
    var options = HTTPClient.Options(userAgent: "market/\(Version.number)")
    let timeout = try timeout(invocation)
    options.timeout = timeout
    options.connectTimeout = timeout
    options.deadline = nil
    return HTTPClient(options)
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

  /// Proves the written exchange on its recording.
  ///
  /// - Parameter keepsRows: whether what the recording comes to is kept beside it, if nothing is wrong.
  private static func trial(
    of name: String, keepsRows: Bool, _ invocation: Invocation, in context: Context
  ) async throws -> [String] {
    let config = try LoadedConfig(ConfigOptions(invocation), in: context)
    let run = TestExchangeCommand.tests(on: config, named: nil, live: nil, accepts: keepsRows, in: context)
    let exchange = config.exchange(try config.source(named: name), in: context)
    return await run.results(of: [exchange.map { .exchange($0) }]).flatMap { $0?.problems ?? [] }.map(\.message)
  }

  // MARK: A ready block

  /// `{"Newex": {…}}`, or a whole config with `exchanges`.
  private static func merge(
    _ path: String, _ options: OnboardingOptions, _ invocation: Invocation, in context: Context,
    by handler: HTTPHandler?
  ) async throws -> ExitCode {
    let file: ConfigFile
    do {
      file = try ConfigFile(name: path, bytes: try FileSystem.read(path))
    } catch let error as ConfigSyntaxError {
      throw ConfigProblem.syntax(error)
    }
    let blocks = file.root["exchanges"]?.members ?? file.root.members
    let hasBlock = blocks.contains { block in ["markets", "like", "baseUrls"].contains { block.value[$0] != nil } }
    if !hasBlock, (try? ExchangeInference(FileSystem.read(path)).proposal()) != nil {
      throw CommandError.noAnswer(
        "\(path) looks like an answer of an exchange, not a block; run: market add-exchange NAME \(path)")
    }
    guard !blocks.isEmpty, blocks.allSatisfy({ $0.value.json.kind == .object }) else {
      throw CommandError.noAnswer("\(path) has no exchange; write { \"NAME\": { … } }")
    }
    let isAsking = context.terminal.inputIsTerminal && !invocation.has(noInput)
    let client = handler == nil ? try client(invocation) : nil
    defer { client?.shutDown() }
    guard let handler = try handler ?? client.map({ try Self.handler(of: $0, invocation) }) else { return .noAnswer }
    do {
      let draft = try ConfigDraft(invocation, in: context)
      var onboarding = try Onboarding(
        options, draft, in: try world(invocation, in: context, by: handler, isAsking: isAsking))
      let isDone = try await onboarding.merge(blocks.map { ($0.name, .raw($0.value.json.text)) }) {
        try draft.findings(in: file)
      }
      return isDone ? .answer : .noAnswer
    } catch let problem as OnboardingProblem {
      throw problem.asError
    }
  }
}

// MARK: Problems and exit codes

extension AddExchangeCommand {
  /// The exit code of work on the config, with its problems as those of a command.
  static func reporting(_ work: () throws -> Bool) throws -> ExitCode {
    do { return try work() ? .answer : .noAnswer } catch let problem as OnboardingProblem { throw problem.asError }
  }
}

extension OnboardingProblem {
  fileprivate var asError: any Error {
    switch self {
    case .configSyntax(let error): return ConfigProblem.syntax(error)
    case .configFindings(let findings):
      return CommandError.diagnostics(SourceDiagnostic.list(findings), .invalidConfig)
    case .file(let error): return error
    default: break
    }
    switch kind {
    case .usage: return UsageProblem.other("\(self)")
    case .noAnswer: return CommandError.noAnswer("\(self)")
    case .config: return CommandError.invalidConfig("\(self)")
    }
  }
}

extension ConfigDraft {
  /// The file that a user's edits go to: the one in use, or a new one in the user's folder where only the shipped copy is.
  init(_ invocation: Invocation, in context: Context) throws {
    let locator = ConfigLocator(context)
    var found: ConfigLocator.Found?
    do {
      found = try locator.find(named: invocation.value(of: .config))
    } catch {
      // Where there is none at all, not even the shipped one, a file that says all by itself can be made.
      guard case .notFound = error else { throw error }
    }
    if found?.origin == .shipped { found = nil }
    guard let path = found?.path ?? locator.userPath else {
      throw CommandError.noAnswer("no home folder to keep a config in; name a file with --config")
    }
    // It may be behind a link that leads nowhere yet.
    var bytes: [UInt8]?
    if !FileSystem.isAbsent(FileSystem.resolved(path)) {
      bytes = if let found { try found.read() } else { try FileSystem.read(path) }
    }
    try self.init(path, bytes, origin: found?.ownership ?? .user) {
      try locator.shipped().file()
    }
  }
}
