import Asking
import Mapping
import MarketData
import Proving
import Shell
import Terminal

/// `market test-exchange [NAME ...]`
enum TestExchangeCommand {
  private static let names = Argument(
    "NAME", help: "an exchange or rate provider in the config (case-insensitive)", isOptional: true,
    isRepeating: true, kind: .exchangeOrProvider)
  private static let all = Option("all", short: "a", help: "test every enabled exchange and rate provider")
  private static let live = Option(
    "live", short: "l", help: "query the exchanges, and compare the answers with their recordings", category: .network)
  private static let span = Option(
    "for", value: "TIME", help: "with --live: also open the streams, and listen to each channel for this long: 20s, 1m",
    category: .network)
  private static let beside = Option(
    "beside",
    help: "also compare the exchanges with each other: over what span are changes, highs and lows measured?")
  private static let accept = Option(
    "accept", help: "save the rows that the recordings now give as the expected ones")
  private static let diff = Option(
    "diff", help: "show the config lines that the proposals would change; nothing is written", category: .output)

  static let command = Command(
    name: "test-exchange",
    summary: "check a mapping against recorded or live answers",
    examples: [
      .init("market test-exchange Upbit", "on its recordings"),
      .init("market test-exchange --all --live", "every exchange, live: has an API changed?"),
      .init("market test-exchange Upbit --live --for 20s", "and every channel of its streams, for 20 seconds"),
      .init("market test-exchange --all --live --beside", "is a since-midnight change labelled as a 24-hour one?"),
      .init("market test-exchange Upbit --replay DIR", "on the recordings in DIR"),
      .init("market test-exchange Upbit --live --record DIR", "record its answers, for later"),
      .init("market test-exchange Upbit --replay DIR --accept", "also keep the rows they give"),
    ],
    arguments: [names],
    options: [all, live, span, beside, accept, diff, .documentFormat], Option.asking,
    discussion: [
      "Shows for each field how many rows have it, why the others do not, and which meaning checks fail: a "
        + "price outside low and high, a change that does not follow from the open, base and quote volume swapped, "
        + "a stale time. What a single row cannot show is judged over all rows, such as a high or bid on another scale. "
        + "Order books, trades, candles and streams are compared with the table and with each other, and rate "
        + "providers with the recordings of all others. If a path leads nowhere, it suggests a replacement, by name "
        + "and by how the numbers relate.",
      "Exits with 1 if a path that a field uses leads nowhere in any row, trade or candle, if more than one row in a "
        + "hundred fails a check (half of them for a stale time, since quiet pairs have old ones), if an exchange does "
        + "not answer, if a pair's own request contradicts the table of all pairs, if no request uses a recording, or "
        + "if the rows differ from those kept beside the recordings (rows.tsv, see --accept). Members of an answer "
        + "that no path reads are shown, but are not a failure.",
      "With --beside, the 20 pairs that most exchanges list are compared across all exchanges that answered at "
        + "the same moment. An exchange whose changes differ from the others' by the same span in most pairs "
        + "measures over another period, and the basis that fits is named. No other check finds a number that is "
        + "correct but means something else.",
      "With --live --for, every channel of the streams is opened for one pair for that long: does it connect, "
        + "do \"when\", \"rows\" and \"symbol\" accept its messages, and do their numbers agree with the table "
        + "requested before? Exchanges limit how many connections are opened at once: more than five take longer.",
      "Recordings are looked for in --replay DIR/NAME, then in cassettes/NAME beside the config in use and in "
        + "~/.config/market, then among those that ship with the program. With --live, the shape of the answers is "
        + "compared with them: a mapped member that is gone is a problem, a new one is not.",
    ],
    work: .later(run))

  private struct Options: CommandOptions {
    /// nil for all enabled ones.
    let names: [String]?
    let isLive: Bool
    /// How long to listen to streams; nil to skip them.
    let milliseconds: Int?
    let isCompared: Bool
    let accepts: Bool
    let showsDifference: Bool
    let format: DocumentFormat
    let asking: AskingOptions

    init(_ words: Invocation) throws(UsageProblem) {
      isLive = words.has(live)
      accepts = words.has(accept)
      if isLive, words.has(.replay) { throw .conflict("--live", "--replay") }
      if isLive, accepts {
        throw .other(
          "'--accept' cannot be combined with '--live'; write --live --record DIR, then --replay DIR --accept")
      }
      if !isLive, words.has(.record) { throw .other("'--record' needs '--live'") }
      if !isLive, words.has(span) { throw .other("'--for' needs '--live'") }
      milliseconds = try words.milliseconds(of: span, such: "20s or 1m", atLeast: 1)
      let named = words.texts(of: TestExchangeCommand.names)
      if named.isEmpty != words.has(all) { throw .other("name the exchanges, or write --all") }
      names = named.isEmpty ? nil : named
      isCompared = words.has(beside)
      showsDifference = words.has(diff)
      format = try words.choice(of: .documentFormat) ?? .text
      asking = try AskingOptions(words)
    }
  }

  @Sendable private static func run(_ options: Options, in context: Context) async throws -> ExitCode {
    let config = try LoadedConfig(options.asking.config, in: context)
    let hooks = HookRegistry.shipped
    let candidates = try TestRun.candidates(named: options.names, in: config, hooks: hooks.names) {
      config.exchange($0, in: context)
    }
    let session = options.isLive ? try MarketSession(config, options.asking, in: context) : nil
    let streams = options.milliseconds.flatMap { milliseconds in
      session.map { LiveStreams($0, milliseconds: milliseconds, recordingTo: options.asking.record) }
    }
    let run = TestRun(
      of: config, ConfigLocator(context), hooks: hooks, recordings: options.asking.replay, live: session?.client,
      streams: streams, accepts: options.accepts)
    if candidates.isEmpty { context.note("no exchange in the config is enabled") }
    let subjects = candidates.map(\.subject)
    let results =
      if let session {
        await context.showing(session.journal) { await run.results(of: subjects) }
      } else {
        await run.results(of: subjects)
      }
    session?.close()
    var reports = zip(candidates, results).map { candidate, result in
      result ?? TestedExchange(broken: candidate.name, in: config.found.path, config.found.option)
    }
    let others = await run.providers(besides: candidates.compactMap(\.subject), in: config, hooks: hooks.names)
    reports = RateComparison(reports, beside: others).exchanges
    if options.isCompared { reports = CrossExchangeReview(reports).exchanges }
    if options.isLive {
      LocalProofs(in: context.paths.cache).remember(reports, of: config.configuration, at: context.now())
    }
    let text = ExchangeTestText(width: context.terminal.columns, palette: context.palette(options.asking.colors))
    let edits = ProposedEdits(options.showsDifference ? reports.flatMap(\.findings) : [])
    let difference = edits.isEmpty ? "" : TerminalText.sanitizedLines(edits.difference) + "\n"
    context.write(
      as: options.format, text: reports.map(text.text).joined() + difference + text.summary(of: reports),
      json: ExchangeTestJSON(reports).value)
    if options.asking.config.isVerbose { session?.noteRequests(in: context) }
    return reports.allSatisfy { $0.problems.isEmpty } && !reports.isEmpty ? .answer : .noAnswer
  }
}
