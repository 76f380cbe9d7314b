import Config
import Hooks
import Mapping
import MarketData
import Quotes
import Terminal
import Transport
import Views

/// Options of the commands that ask exchanges.
extension Option {
  static let timeout = Option(
    "timeout", value: "SECONDS",
    help: "end the whole run by then; with 'stream' and '-w' each request, and each opening of a connection; "
      + "without it: the config's (5 seconds)",
    category: .network)

  static let record = Option(
    "record", value: "DIR", help: "write every request and its answer to DIR, a new or empty folder, secrets left out",
    kind: .folder, category: .network)

  static let replay = Option(
    "replay", value: "DIR", help: "answer from the recordings in DIR, without a network", kind: .folder,
    category: .network)

  static let speed = Option(
    "speed", value: "N",
    help: "of a replay: N times as fast as it was recorded; without it a screen takes 1, all else no time",
    category: .network)

  static let basis = Option(
    "basis", value: "BASIS", help: "compare last trades only, or any price (mid, mark, oracle)",
    default: "last", choices: ["last", "any"])

  static let maximumAge = Option(
    "max-age", value: "AGE", help: "compare prices whose last trade is at most so old: 90s, 1h", default: "5m")

  static let digits = Option(
    "digits", value: "DIGITS", help: "cut padding zeros and shorten turnovers, or show every digit",
    default: Page.Digits.short.rawValue, choices: Page.Digits.allCases.map(\.rawValue), category: .output)

  static let exchange = Option(
    "exchange", short: "e", value: "A,B", help: "these exchanges only, in any letters", kind: .list(.exchange))

  static let asking = [config, verbose, timeout, record, replay]
}

extension HookRegistry {
  /// The hooks that are compiled in.
  static let shipped = HookRegistry(shippedHooks)
}

extension MarketSession {
  /// - Parameters:
  ///   - names: whose recordings are made, where those of others may lie beside them; nil: nothing may.
  ///   - moment: another moment to answer for, given what is now.
  init(
    _ config: LoadedConfig, _ asking: AskingOptions, recording names: [String]? = nil, in context: Context,
    at moment: ((_ now: Instant) throws -> Instant)? = nil
  ) throws {
    try asking.requireNoRecordings(of: names)
    let environment = context.environment
    let file = context.paths.config.map { CredentialsFile(in: $0) }
    for problem in file?.problems ?? [] {
      let (sentence, remedy) = file?.explanation(of: problem) ?? ("", "")
      context.note(
        TerminalText.sanitized(
          file?.document == nil ? "\(sentence), so no secret of it is used; \(remedy)" : "\(sentence); \(remedy)"))
    }
    let allowance = KeyAllowance(config.configuration, ConfigLocator(context))
    let credentials = Credentials(
      file,
      isAllowed: { owner in
        let allowed = file?.owners.first { $0.owner == owner }?.allowed
        guard case .notAllowed = allowance.standing(of: owner, allowed: allowed) else { return true }
        context.note(
          TerminalText.sanitized(
            "\(owner): its requests with keys are not those that ship, and not allowed; run: market keys allow \(owner)"
          ))
        return false
      },
      environment: { environment[$0] })
    var options = Options(userAgent: "market/\(Version.number)")
    options.replay = asking.replay
    options.record = asking.record
    options.timeoutMilliseconds = asking.timeoutMilliseconds
    options.cacheFolder = context.paths.cache
    options.moment = moment
    try self.init(config, options, credentials: credentials, hooks: .shipped, now: context.now)
  }

  /// Loads libcurl where the words of a command line look like a question to exchanges: to be called while the process has
  /// one thread, which makes the loading a third shorter.
  ///
  /// A guess: where it is wrong, libcurl is loaded for nothing, or with the first request.
  static func prepare(for words: some Collection<String>) {
    guard let command = words.first,
      [
        "show", "watch", "stream", "premium", "list", "search", "tickers", "orderbook", "trades", "candles", "chart",
      ].contains(command)
        || words.contains("--live")
    else { return }
    let needless = ["--replay", "--response", "-r", "--help", "-h"]
    if words.contains(where: { word in needless.contains { word.hasPrefix($0) } }) { return }
    HTTPClient.preload()
  }

  /// Throws where this system cannot send requests at all: said once, rather than for each exchange.
  func requireNetwork() throws(CommandError) {
    if let problem = networkProblem { throw .noAnswer("\(problem)") }
  }

  /// Asks all exchanges of the config that are enabled, and says on stderr which blocks are broken.
  func reports(ofAll markets: [Market], _ question: TableQuestion, in context: Context) async -> [ExchangeReport] {
    let (reports, broken) = await reports(ofAll: markets, question)
    config.report(broken, in: context)
    return reports
  }

  /// Says on stderr what failed; with `--verbose` also why a rate was not had of the first source, and every request.
  func noteFailures(
    of reports: [ExchangeReport], _ rate: RateReport?, isVerbose: Bool, in context: Context
  ) {
    let requests = journal.entries
    var lines = reports.failureLines(isVerbose: isVerbose, requests)
    if isVerbose { lines += rate?.failureLines ?? [] }
    for line in lines { context.note(TerminalText.sanitized(line)) }
    if isVerbose { noteRequests(in: context) }
  }

  /// Says on stderr what became of every request.
  func noteRequests(in context: Context) {
    for line in RequestList(journal.entries).lines { context.note(TerminalText.sanitized(line)) }
  }

  /// The page that the command's text is written on.
  ///
  /// - Parameters:
  ///   - time: when the answers of a replay came.
  ///   - language: of the page's own words where the command has them in two; nil: English, with the weekdays of the locale.
  func page(
    _ colors: ColorOptions, at time: Instant, digits: Page.Digits = .short, language: Language? = nil,
    in context: Context
  ) -> Page {
    let note = replay.map { folder in
      let recorded = ClockText.plain(time, offsetSeconds: 0)
      return TerminalText.sanitized(
        (language ?? .english)("replay of \(folder), recorded \(recorded) UTC", "\(folder) 재생, \(recorded) UTC에 녹화"))
    }
    return context.page(
      colors, preferring: config.preferredScheme, replayNote: note, digits: digits, language: language)
  }
}

extension Invocation {
  /// What `--speed` says.
  func replaySpeed() throws(UsageProblem) -> Int? {
    let speed = try integer(of: .speed, in: 1...100_000)
    if speed != nil, !has(.replay) { throw .other("'--speed' needs '--replay'") }
    return speed
  }
}
