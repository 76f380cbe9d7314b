import Config
import Inference
import Quotes
package import Shell

/// The command line of `add-exchange`, parsed once.
package struct OnboardingOptions: CommandOptions {
  static let name = Argument(
    "NAME", help: "the name of the new exchange, or a file with a finished block", isOptional: true, kind: .file)
  static let place = Argument("SOURCE", help: "an answer, as with --from-sample", isOptional: true, kind: .file)

  static let sample = Option(
    "from-sample", value: "[PART=]SOURCE",
    help: "an answer with the tickers: a file, an address, or '-' for standard input; with --like, or as "
      + "ticker=SOURCE with --ticker, once per part", kind: .file, category: .source)
  static let curl = Option(
    "from-curl", value: "LINE",
    help: "a pasted 'curl …', or '-' to read it from standard input and keep its keys private",
    category: .source)
  static let streamSample = Option(
    "stream-sample", value: "[CHANNEL=]FILE",
    help:
      "recorded messages of a stream, one per line: proposes a channel for an existing exchange, 'ticker' or "
      + "trades=FILE, orderbook=FILE, candles=FILE",
    kind: .file, category: .source)
  static let like = Option(
    "like", value: "EXCHANGE", help: "start from this exchange and write only what differs", kind: .exchange,
    category: .source)
  static let baseURL = Option(
    "base-url", value: "URL", help: "the base URL: https://api.example.com; repeat for each further host",
    category: .request)
  static let tickers = Option(
    "tickers", value: "PATH", help: "the path of the answer with its query, or the whole address", category: .request)
  static let url = Option(
    "url", value: "URL", help: "the address that the answer with candles=, trades= or orderbook= came from",
    category: .request)
  static let ticker = Option(
    "ticker", value: "PATH", help: "the path of the request for one pair: /ticker?s={asset}{payment}",
    category: .request)
  static let market = Option.market("the market of the answer (default: spot)", category: .rows)
  static let rows = Option("rows", value: "PATH", help: "where the rows are: $.data[*]", category: .rows)
  static let symbol = Option(
    "symbol", value: "ASSET/PAYMENT", help: "a pair in the answer, or the pair it is about", kind: .pair,
    category: .rows)
  static let price = Option("price", value: "PATH", help: "the path of a row's last price", category: .rows)
  static let set = Option(
    "set", value: "KEY=JSON", help: "any other key of the block: fields.high=$.hi, docs=https://…; may be repeated",
    category: .rows)
  static let yes = Option("yes", short: "y", help: "write without asking; leave out what is uncertain")
  static let noInput = Option("no-input", help: "never ask: leave out what is uncertain, and write only with --yes")
  static let dryRun = Option("dry-run", short: "n", help: "write nothing, show the block")
  static let diff = Option("diff", help: "show the config lines that change")
  static let format = Option.format(as: DocumentFormat.self, help: "how to write the proposal")

  package static let arguments = [name, place]
  package static let all = [
    sample, curl, streamSample, like, baseURL, tickers, ticker, url, market, rows, symbol, price, set, yes, noInput,
    dryRun, diff, format, .config, .scheme, .glyphs, .timeout,
  ]

  /// The exchange's name; nil to ask for it.
  let name: String?
  /// `[PART=]SOURCE`, as written.
  let sources: [String]
  /// A pasted curl line.
  var curl: String?
  /// Recorded messages of a stream.
  let streamSample: String?
  /// The exchange that the new one is like.
  let like: String?

  let baseURLs: [String]
  /// The path of the answer, or its full URL.
  let tickers: String?
  /// The URL of the answer with an order book, trades or candles.
  let url: String?
  /// The path for requesting a single pair.
  let ticker: String?
  /// nil for spot, unless the sample looks like futures.
  let market: Market?
  /// What takes precedence over inference, checked against the sample.
  var hints: SampleHints
  let keys: BlockOverrides

  let isDry: Bool
  let isJSON: Bool
  let showsDifference: Bool
  let writesUnasked: Bool
  /// Whether the user wants no questions.
  private let isUnattended: Bool
  let config: ConfigOptions
  let colors: ColorOptions
  let limit: Duration

  /// - Throws: `UsageProblem` or `OnboardingProblem`.
  package init(_ words: Invocation) throws {
    func path(_ option: Option) throws(UsageProblem) -> String? {
      try words.value(of: option, as: "a JSONPath such as $.last") { SampleHints.isPath($0) ? $0 : nil }
    }
    name = words.optionalText(of: Self.name)
    if let name, name.contains("://") {
      throw UsageProblem.other("the name of the exchange comes first: market add-exchange NAME ADDRESS")
    }
    hints = SampleHints(pair: try words.value(of: Self.symbol, as: "a pair such as BTC/KRW") { Pair($0) })
    keys = try BlockOverrides(words.values(of: Self.set))
    hints.rows = try path(Self.rows) ?? keys.rows
    (hints.paths, hints.whole) = (keys.paths, keys.whole)
    hints.conditions = keys.conditions
    if let price = try path(Self.price) { hints.paths[.price] = price }
    market = try words.choice(of: Self.market)
    hints.isFutures = market == .futures
    sources = words.texts(of: Self.place) + words.values(of: Self.sample)
    curl = words.value(of: Self.curl)
    streamSample = words.value(of: Self.streamSample)
    like = words.value(of: Self.like)
    baseURLs = words.values(of: Self.baseURL)
    tickers = words.value(of: Self.tickers)
    ticker = words.value(of: Self.ticker)
    url = words.value(of: Self.url)
    isDry = words.has(Self.dryRun)
    isJSON = words.value(of: Self.format) == DocumentFormat.json.rawValue
    showsDifference = words.has(Self.diff)
    writesUnasked = words.has(Self.yes)
    isUnattended = words.has(Self.noInput)
    config = ConfigOptions(words)
    colors = try ColorOptions(words)
    limit = .milliseconds(try words.timeout() ?? 5_000)
  }

  /// A file of ready blocks, given instead of a name.
  var readyBlocks: String? { isBare && name?.hasSuffix(".json") == true ? name : nil }

  /// Whether no source of an answer is given, so that everything is asked.
  var isBare: Bool { sources.isEmpty && curl == nil && like == nil && streamSample == nil }

  /// Whether streams of an existing exchange are given, and nothing else: they need no answer.
  var givesStreamsAlone: Bool { isBare && name != nil && keys.areOfStreams }

  /// Returns whether there is a user to ask.
  ///
  /// - Throws: If a user is needed but there is none.
  func isAsking(on terminal: TerminalState) throws(UsageProblem) -> Bool {
    if readyBlocks != nil || givesStreamsAlone { return terminal.inputIsTerminal && !isUnattended }
    let readers = sources.count(where: SampleWord.readsInput) + (curl == "-" ? 1 : 0)
    guard readers <= 1 else { throw .other("standard input can be used only once; give the others as files") }
    let isTerminal = terminal.inputIsTerminal && terminal.errorIsTerminal
    let readsInput = readers > 0 && (curl != "-" || !isTerminal)
    let isAsking = isTerminal && !readsInput && !isUnattended && !writesUnasked && !isDry
    guard !isBare || isAsking else {
      throw .other(
        "missing answer of the exchange; add --from-sample FILE, URL or -, --from-curl LINE, or --like EXCHANGE")
    }
    guard name != nil || isAsking else { throw .missingArgument(Self.name.name) }
    return isAsking
  }

  /// Returns the config of the single-pair request; nil if not specified.
  func tickerBlock() throws(OnboardingProblem) -> ConfigValue? {
    guard let ticker else { return nil }
    // The host is that of the full table.
    let request = try ExchangeRequest(
      SampleRequest(ticker, at: "https://host"), placeholders: Template.pairPlaceholders)
    guard request.secrets.isEmpty else { throw .usage(.tickerHoldsSecret) }
    guard request.isAboutPair else { throw .usage(.tickerNamesNoPair) }
    return .object([("request", ExchangeBlock.value(of: request.block))])
  }
}
