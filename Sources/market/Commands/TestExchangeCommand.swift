import Asking
import Config
import Files
import JSON
import Mapping
import MarketData
import Onboarding
import Proving
import Quotes
import Shell
import Terminal
import Transport

/// `market test-exchange [NAME ...]`
enum TestExchangeCommand {
  private enum Format: String, CaseIterable { case text, json }

  private static let names = Argument(
    "NAME", help: "an exchange or rate provider of the config, upper or lower case", isOptional: true,
    isRepeating: true,
    kind: .exchangeOrProvider)
  private static let all = Option("all", short: "a", help: "test every exchange and rate provider that is enabled")
  private static let live = Option(
    "live", short: "l", help: "ask the exchanges, and compare the answers with their recordings", category: .network)
  private static let span = Option(
    "for", value: "TIME", help: "with --live: open the streams, too, and listen to each channel so long: 20s, 1m",
    category: .network)
  private static let beside = Option(
    "beside",
    help: "compare the exchanges with each other, too: what are their changes, highs and lows measured over?")
  private static let accept = Option(
    "accept", help: "keep the rows that the recordings give now as the expected rows")
  private static let diff = Option(
    "diff", help: "show the lines of the config that the proposals would change; nothing is written", category: .output)
  private static let format = Option(
    "format", short: "f", value: "FORMAT", help: "output format", default: Format.text.rawValue,
    choices: Format.allCases.map(\.rawValue), category: .output)

  static let command = Command(
    name: "test-exchange",
    summary: "check a mapping against recorded or live answers",
    examples: [
      .init("market test-exchange Upbit", "on its recordings"),
      .init("market test-exchange --all --live", "every exchange as it answers now: has an API changed?"),
      .init("market test-exchange Upbit --live --for 20s", "and every channel of its streams, for 20 seconds"),
      .init("market test-exchange --all --live --beside", "is a change since midnight called one of 24 hours?"),
      .init("market test-exchange Upbit --replay DIR", "on the recordings in DIR"),
      .init("market test-exchange Upbit --live --record DIR", "record its answers, for later"),
      .init("market test-exchange Upbit --replay DIR --accept", "keep the rows that they give, too"),
    ],
    arguments: [names],
    options: [all, live, span, beside, accept, diff, format] + Option.asking,
    discussion: [
      "Shows for each field how many rows have it, why the others do not, and which checks of meaning fail: a price "
        + "outside of low and high, a change that does not follow from the open, base and quote volume swapped, a stale time. "
        + "Where a path leads nowhere it says what may stand in its place, by name and by how the numbers relate.",
      "Exits with 1 when a path that a field uses leads nowhere in any row, when more than one row in a hundred fails a "
        + "check (half of them, for a stale time: quiet pairs have old ones), when an exchange does not answer, when a pair's own request contradicts the table of all pairs, when a "
        + "recording is asked for by no request, or when the rows are others than those kept beside the recordings "
        + "(rows.tsv, see --accept). Members of an answer that no path reads are shown, and are no failure.",
      "With --beside the twenty pairs that most exchanges list are compared across all exchanges that answered at one moment. "
        + "An exchange whose changes differ from the others' by the same span in most pairs measures over another time, and "
        + "the basis that they fit is named. Nothing else shows a number that is right for something else.",
      "With --live --for every channel of the streams is opened for one pair, and heard for so long: whether the connection "
        + "came about, whether its messages are taken by \"when\", \"rows\" and \"symbol\", and whether their numbers are those of the "
        + "table that was asked before. Exchanges want few connections opened at once: more than five take longer.",
      "Recordings are looked for in --replay DIR/NAME, else in cassettes/NAME beside your config, else among those that "
        + "ship with the program. With --live the shape of the answers is held against them: a mapped member that was "
        + "there and is gone is a problem, one that is new is not.",
    ],
    work: .awaiting(run))

  @Sendable private static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode {
    guard !invocation.has(live) || !invocation.has(.replay) else {
      throw UsageProblem.other("'--live' cannot be combined with '--replay'")
    }
    guard !invocation.has(accept) || !invocation.has(live) else {
      throw UsageProblem.other(
        "--accept is for recordings: record with --live --record DIR, then --replay DIR --accept")
    }
    guard !invocation.has(.record) || invocation.has(live) else { throw UsageProblem.other("--record needs --live") }
    let milliseconds = try milliseconds(invocation)
    let config = try LoadedConfig(ConfigOptions(invocation), in: context)
    let (sources, providers) = try sources(invocation, config)
    let session = invocation.has(live) ? try MarketSession(config, AskingOptions(invocation), in: context) : nil
    let streams = milliseconds.flatMap { milliseconds in
      session.map { LiveStreams($0, milliseconds: milliseconds, recordingTo: invocation.value(of: .record)) }
    }
    let testRun = tests(
      on: config, named: invocation.value(of: .replay), live: session?.client, streams: streams,
      accepts: invocation.has(accept), in: context)
    let format = try invocation.choice(of: format, as: Format.self) ?? .text
    let text = ExchangeTestText(width: context.terminal.columns, palette: try context.palette(ColorOptions(invocation)))
    let candidates = subjects(sources, providers, isAll: invocation.has(all), config, in: context)
    if candidates.isEmpty { context.note("no exchange of the config is enabled") }
    let subjects = candidates.map(\.subject)
    let results =
      if let session {
        await context.showing(session.journal) { await testRun.results(of: subjects) }
      } else {
        await testRun.results(of: subjects)
      }
    let path = config.found.path
    var reports = zip(candidates, results).map { candidate, result in
      result
        ?? TestedExchange(
          candidate.name, source: path, origin: path,
          [
            Finding(
              .configFindings, .error, "its block is broken; market validate-config says where",
              about: .exchange(candidate.name))
          ])
    }
    session?.close()
    if invocation.has(beside) { reports = SideBySide(reports).exchanges }
    if session != nil {
      let proofs = LocalProofs(in: context.paths.cache)
      for report in reports where report.problems.isEmpty && !report.tables.isEmpty {
        if let source = config.configuration.exchange(named: report.name) { proofs.remember(source, at: context.now()) }
      }
    }
    switch format {
    case .text:
      let edits = invocation.has(diff) ? ProposedEdits(reports.flatMap(\.findings)) : ProposedEdits([])
      let difference = edits.isEmpty ? "" : TerminalText.sanitizedLines(edits.difference) + "\n"
      context.output.write(reports.map(text.text).joined() + difference + text.summary(of: reports))
    case .json: context.write(json: ExchangeTestJSON(reports).value.document)
    }
    if invocation.has(.verbose) { session?.noteRequests(in: context) }
    return reports.allSatisfy { $0.problems.isEmpty } && !reports.isEmpty ? .answer : .noAnswer
  }

  /// How long streams are heard; nil: not at all.
  private static func milliseconds(_ invocation: Invocation) throws(UsageProblem) -> Int? {
    guard let text = invocation.value(of: span) else { return nil }
    guard invocation.has(live) else { throw .other("--for needs --live") }
    guard let milliseconds = DurationText.milliseconds(text), milliseconds > 0 else {
      throw .invalidValue(option: "--for", value: text, valid: ["a duration such as 20s or 1m"])
    }
    return milliseconds
  }

  /// - Parameters:
  ///   - folder: where recordings are, where the command line says so.
  ///   - live: asks the exchanges themselves; nil plays their recordings.
  ///   - streams: tries their streams, too.
  static func tests(
    on config: LoadedConfig, named folder: String?, live: MarketClient?, streams: LiveStreams? = nil, accepts: Bool,
    in context: Context
  ) -> TestRun {
    let options = Interpretation(
      globalAliases: config.configuration.aliases, check: MeaningCheck(config.configuration.settings),
      hooks: HookRegistry.shipped)
    let folders = RecordingFolders(
      named: folder, config: config.found.path.parentFolder, user: context.paths.config,
      shipped: (try? ConfigLocator(context).shipped())?.path.parentFolder)
    return TestRun(options, folders, live: live, streams: streams, accepts: accepts)
  }

  private typealias Candidate = (name: String, subject: TestRun.Subject?)

  /// What is to be tried; nil where a block is broken, which is told at once.
  private static func subjects(
    _ sources: [ExchangeSource], _ providers: [String], isAll: Bool, _ config: LoadedConfig, in context: Context
  ) -> [Candidate] {
    var candidates: [Candidate] = []
    for source in sources {
      let exchange = config.exchange(source, in: context)
      if isAll, exchange?.isEnabled == false { continue }
      candidates.append((source.name, exchange.map { .exchange($0) }))
    }
    for name in providers {
      let provider = config.configuration.readProvider(name, hooks: HookRegistry.shipped.names).provider
      if isAll, provider.map({ !$0.isEnabled || $0.isImplied }) == true { continue }
      candidates.append((name, provider.map { .provider($0) }))
    }
    return candidates
  }

  /// The exchanges and the rate providers that are named, or all.
  private static func sources(
    _ invocation: Invocation, _ config: LoadedConfig
  ) throws -> ([ExchangeSource], providers: [String]) {
    let wanted = invocation.texts(of: names)
    guard wanted.isEmpty == invocation.has(all) else {
      throw UsageProblem.other("name the exchanges, or say --all")
    }
    guard !wanted.isEmpty else { return (config.configuration.exchanges, config.configuration.providerNames) }
    var sources: [ExchangeSource] = []
    var providers: [String] = []
    for name in wanted {
      let isExchange = config.configuration.exchange(named: name) != nil
      if !isExchange,
        let provider = config.configuration.providerNames.first(where: { $0.lowercased() == name.lowercased() })
      {
        providers.append(provider)
      } else {
        sources.append(try config.source(named: name))
      }
    }
    return (sources, providers)
  }
}

extension String {
  /// The path without its last component; `.` for a bare name, empty at the root.
  fileprivate var parentFolder: String {
    guard let slash = lastIndex(of: "/") else { return "." }
    return String(self[..<slash])
  }
}
