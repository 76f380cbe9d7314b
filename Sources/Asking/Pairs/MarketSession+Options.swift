package import Config
import Mapping
package import MarketData
package import Quotes
package import Shell
import Terminal
import Transport
package import Views

extension MarketSession {
  /// - Parameters:
  ///   - isContinuous: whether it polls repeatedly, so that its recording can only be replayed on its own.
  ///   - moment: returns another time to answer for, given the current one.
  package init(
    _ config: LoadedConfig, _ asking: AskingOptions, isContinuous: Bool = false, in context: Context,
    at moment: ((_ now: Instant) throws -> Instant)? = nil
  ) throws {
    if isContinuous { try asking.requireNoRecordings() }
    // Runs that follow one another may be meant as one recording.
    if let folder = asking.record, let earlier = Self.latestRecording(in: folder),
      context.now().nanoseconds(since: earlier) > Instant.minute
    {
      let time = ClockText.plain(earlier, offsetSeconds: 0)
      context.note("\(folder) has recordings of \(time) UTC; a replay plays the older first")
    }
    let file = context.keyFile
    for problem in file?.problems ?? [] {
      let (sentence, remedy) = file?.explanation(of: problem) ?? ("", "")
      context.note(
        file?.document == nil ? "\(sentence), so no secret of it is used; \(remedy)" : "\(sentence); \(remedy)")
    }
    let option = config.found.option
    let allowance = KeyAllowance(config.configuration, ConfigLocator(context))
    let credentials = Credentials(
      file,
      refusal: { owner in
        let allowed = file?.owners.first { $0.owner == owner }?.allowed
        guard let refusal = allowance.refusal(of: owner, allowed: allowed) else { return nil }
        let remedy = refusal == .invalidBlock ? "validate-config" : "keys allow \(owner.shellWord)"
        context.note("\(owner): \(refusal.sentence); run: market \(remedy)\(option)")
        return refusal
      },
      environment: context.environment.lookup)
    var options = Options(userAgent: Version.userAgent)
    options.replay = asking.replay
    options.record = asking.record
    options.timeoutMilliseconds = asking.timeoutMilliseconds
    options.cacheFolder = context.paths.cache
    options.keptPauses = context.keptPauses
    options.moment = moment
    if asking.keepsAnswers {
      let age = asking.cacheMilliseconds.map { Duration.milliseconds($0) }
      let limit = Self.timeout(config, options)
      options.answers = context.paths.cache.map {
        AnswerStore(in: $0, maximumAge: age, mayAsk: asking.mayAsk, timeLimit: limit)
      }
      guard asking.mayAsk || options.answers != nil else {
        throw CommandError.noAnswer("no folder for kept answers: \(UserPaths.absence(of: "XDG_CACHE_HOME"))")
      }
    }
    try self.init(config, options, credentials: credentials, hooks: .shipped, now: context.now)
  }

  /// Loads libcurl if a command line is likely to query exchanges. To be called while the process is single-threaded,
  /// which makes loading a third faster.
  ///
  /// This is a guess: if it is wrong, libcurl is loaded needlessly, or on the first request.
  package static func prepare(for words: ArraySlice<String>, of program: Program) {
    let entry = program.entries.first { $0.name == words.first }
    guard entry?.queriesExchanges == true || words.contains("--live") else { return }
    let needless = ["--replay", "--response", "-r", "--help", "-h"]
    if words.contains(where: { word in needless.contains { word.hasPrefix($0) } }) { return }
    HTTPClient.preload()
  }

  /// Throws if this system cannot send requests at all, to report it once instead of for each exchange.
  package func requireNetwork() throws(CommandError) {
    if let problem = networkProblem { throw .noAnswer("\(problem)") }
  }

  /// Throws if nothing about a pair is kept, and nothing may be sent.
  package func requireKept(
    _ reports: [ExchangeReport], of pair: Pair, _ asking: AskingOptions
  ) throws(CommandError) {
    let reasons = reports.flatMap(\.failures).map(\.failure.reason)
    guard reasons.contains(.notSent(.notKept)),
      reports.allSatisfy({ $0.status == .failed || $0.isUnasked })
    else { return }
    let limit =
      asking.cacheMilliseconds.map { " of the last " + DurationText.text(nanoseconds: Int64($0) * 1_000_000) } ?? ""
    let remedy =
      client.answers?.obstacle().map { "none can be kept: \($0)" }
      ?? "keep some with: market show \("\(pair)".shellWord) --cache 30s\(config.found.option)"
    throw .noAnswer("no answer about \(pair)\(limit) is kept, and '--timeout 0' sends no requests; \(remedy)")
  }

  /// Queries some or all enabled exchanges of the config, then reports on stderr which blocks are broken.
  ///
  /// - Parameters:
  ///   - exchanges: nil for all.
  ///   - markets: the markets to query.
  package func reports(
    of exchanges: [Exchange]?, on markets: [Market], _ query: TableQuery, in context: Context
  ) async -> [ExchangeReport] {
    if let exchanges { return await client.reports(on: exchanges.flatMap { $0.enabled(among: markets) }, query) }
    let (reports, broken) = await reports(ofAll: markets, query)
    config.report(broken, in: context)
    return reports
  }

  /// Reports failures on stderr, and why answers are not kept; with `--verbose`, also why the first source of a rate
  /// failed, and every request.
  package func noteFailures(
    of reports: [ExchangeReport], _ rate: RateReport?, isVerbose: Bool, in context: Context
  ) {
    var lines = reports.failureLines(isVerbose: isVerbose, isReplay: replay != nil, option: config.found.option)
    if isVerbose { lines += rate?.failureLines ?? [] }
    if let problem = client.answers?.firstProblem { lines.append("answers are not kept: \(problem)") }
    for line in lines { context.note(line) }
    if isVerbose { noteRequests(in: context) }
  }

  /// Reports the outcome of every request on stderr.
  package func noteRequests(in context: Context) {
    for line in RequestList(journal.entries).lines { context.note(line) }
  }

  /// Returns the page for the command's text.
  ///
  /// - Parameters:
  ///   - time: when the answers of a replay arrived.
  ///   - note: what answers of an earlier run say of themselves; nil for new ones.
  ///   - language: for the page's own words, if translated; nil for English with the weekdays of the locale.
  package func page(
    _ options: AskingOptions, at time: Instant, note: String? = nil, language: Language? = nil, in context: Context
  ) -> Page {
    let replayNote = replay.map { folder in
      let recorded = ClockText.plain(time, offsetSeconds: 0)
      return TerminalText.sanitized(
        (language ?? .english)("replay of \(folder), recorded \(recorded) UTC", "\(folder) 재생, \(recorded) UTC에 기록됨"))
    }
    return context.page(
      options.colors, preferring: config.preferredScheme, replayNote: replayNote ?? note, digits: options.digits,
      language: language)
  }
}

extension Invocation {
  package func replaySpeed() throws(UsageProblem) -> Int? {
    let speed = try integer(of: .speed, in: 1...100_000)
    if speed != nil, !has(.replay) { throw .other("'--speed' needs '--replay'") }
    return speed
  }
}
