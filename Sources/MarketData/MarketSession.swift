import Cassettes
package import Config
import Files
package import HTTP
package import Mapping
package import Quotes
package import Transport

/// What a run needs to ask exchanges: the config, the network or recordings in its place, and the clock.
package struct MarketSession: Sendable {
  package struct Options {
    /// Sent with every request: `market/1.0`.
    package var userAgent: String
    /// A folder of recordings that answer in place of the network.
    package var replay: String?
    /// A folder that requests and answers are written to.
    package var record: String?
    /// The time of the whole run; nil: the config's.
    package var timeoutMilliseconds: Int?
    /// Where caches are kept; nil where the user has no place for them.
    package var cacheFolder: String?
    /// Another moment to answer for, given what is now. Recorded answers count as if they had come then; without
    /// recordings nothing is asked, and what is remembered is all there is.
    package var moment: ((_ now: Instant) throws -> Instant)?

    package init(userAgent: String) { self.userAgent = userAgent }
  }

  package let config: LoadedConfig
  package let client: MarketClient
  /// What became of every request of the run.
  package let journal = RequestJournal()
  package let clock: @Sendable () -> Instant
  /// The folder of the recordings that answer instead of the network.
  package let replay: String?
  /// nil in a replay.
  private let network: HTTPClient?
  /// Writes down what is asked; nil where nothing is recorded.
  private let recorder: CassetteRecorder?
  private let cacheFolder: String?
  private let timeout: Duration
  /// How many rounds of questions the recordings hold: of one request the most; 1 without recordings.
  package let recordedRounds: Int
  /// When the first of the recordings was made; nil without recordings.
  package let recordedStart: Instant?

  package var configuration: Configuration { config.configuration }

  /// - Throws: `CassetteError` for recordings that cannot be read, and what `moment` throws.
  package init(
    _ config: LoadedConfig, _ options: Options, credentials: Credentials, hooks: HookRegistry,
    now: @escaping @Sendable () -> Instant
  ) throws {
    self.config = config
    replay = options.replay
    cacheFolder = options.cacheFolder
    timeout = .milliseconds(options.timeoutMilliseconds ?? config.configuration.settings.timeoutMilliseconds)
    let rates = Self.rateCache(in: options.cacheFolder)
    let path = FileSystem.resolved(config.found.path)
    if let folder = options.replay {
      let player = try CassettePlayer(directory: folder)
      let date = player.latestArrival
      recordedRounds = player.rounds
      recordedStart = player.earliestArrival
      let other = try options.moment?(date ?? now())
      clock = { other ?? date ?? now() }
      (network, recorder) = (nil, nil)
      let start = ContinuousClock.now
      let patience = options.timeoutMilliseconds.map { Duration.milliseconds($0) }
      client = MarketClient(
        handler: journal.following(other.map { Self.arriving(at: $0, player.handler) } ?? player.handler),
        credentials: credentials, hooks: hooks, now: clock,
        timeLeft: { patience.map { $0 - (.now - start) } ?? .seconds(3600) })
      return
    }
    recordedRounds = 1
    recordedStart = nil
    if let moment = options.moment {
      let other = try moment(now())
      clock = { other }
      (network, recorder) = (nil, nil)
      client = MarketClient(
        handler: { _ throws(TransportError) in throw .other("nothing is asked for a moment other than now") },
        rates: RateMemory(rates, mayCall: false), credentials: credentials, configPath: path, hooks: hooks, now: clock)
      return
    }
    var clientOptions = HTTPClient.Options(userAgent: options.userAgent, limit: timeout)
    clientOptions.streamOpening = timeout
    let network = HTTPClient(clientOptions)
    self.network = network
    var handler = network.handler
    // What is kept is not asked for, and a recording without it would play something else.
    var recordKept: (@Sendable (HTTPRequest, HTTPResponse) async -> Void)?
    recorder = options.record.map { CassetteRecorder(directory: $0, now: now) }
    if let recorder {
      // Joined above the recorder too, so that equal requests are written once.
      handler = RequestCoalescer().coalescing(recorder.recording(handler))
      recordKept = { request, response in
        _ = try? await recorder.recording { _ throws(TransportError) in response }(request)
      }
    }
    clock = now
    let (journal, record) = (journal, recordKept)
    client = MarketClient(
      handler: journal.following(handler),
      cache: recorder == nil ? options.cacheFolder.map { DiskCache(directory: "\($0)/lookups") } : nil,
      // Whoever waits for another process's call leaves itself the time to call.
      rates: RateMemory(
        rates,
        used: { request, response in
          journal.addKept(request, bytes: response.body.count)
          await record?(request, response)
        }, patience: { max(.zero, network.timeLeft / 2) }),
      credentials: credentials, configPath: path, hooks: hooks, now: now, timeLeft: { network.timeLeft },
      journal: journal)
  }

  /// What is remembered of exchange rates between runs; nil without a folder for caches.
  package static func rateCache(in folder: String?) -> DiskCache? {
    folder.map { DiskCache(directory: "\($0)/rates") }
  }

  /// Whether answers are written down.
  package var isRecording: Bool { recorder != nil }

  /// Opens connections that exchanges send messages over; nil in a replay.
  package var streams: StreamHandler? { network?.streams }

  /// Why this system cannot send requests at all: to be said once, rather than for each exchange.
  package var networkProblem: TransportError? { network == nil ? nil : HTTPClient.problem }

  /// Asks all exchanges of the config that are enabled.
  ///
  /// - Parameter markets: which markets of an exchange to ask.
  /// - Returns: the reports, and the exchanges whose block is broken, both in the order of the config.
  package func reports(
    ofAll markets: [Market], _ question: TableQuestion
  ) async -> (reports: [ExchangeReport], broken: [UnreadableExchange]) {
    let configuration = configuration
    let hooks = client.hooks.names
    let results = await client.reports(of: configuration.exchanges, markets, question) {
      (source, extent) throws(UnreadableExchange) in
      let (exchange, diagnostics) = configuration.read(source, extent, hooks: hooks)
      guard let exchange else { throw UnreadableExchange(name: source.name, diagnostics: diagnostics) }
      return exchange
    }
    var reports: [ExchangeReport] = []
    var broken: [UnreadableExchange] = []
    for result in results {
      switch result {
      case .success(let own): reports += own
      case .failure(let problem): broken.append(problem)
      }
    }
    return (reports, broken)
  }

  package func interpretation(traces: Bool = false) -> Interpretation {
    Interpretation(
      globalAliases: configuration.aliases, check: MeaningCheck(configuration.settings), hooks: client.hooks,
      traces: traces)
  }

  /// Where an exchange shows a pair on its own site: visible ASCII alone. nil where the config does not say.
  ///
  /// - Parameter row: what the exchange last said of the pair; nil where it has said nothing.
  package func page(of exchange: String, _ market: Market, _ pair: Pair, row: Ticker?) -> String? {
    guard let source = configuration.exchange(named: exchange) else { return nil }
    let extent = ExchangeExtent(markets: [market], hasPages: true)
    return configuration.read(source, extent, hooks: client.hooks.names).exchange?.market(market)?
      .page(of: pair, row: row, globalAliases: configuration.aliases)
  }

  /// The moment that a snapshot shows: now, or that of the recording.
  package func moment(of reports: [ExchangeReport], _ rate: RateReport?) -> Instant {
    guard replay != nil else { return clock() }
    return Snapshot.latestArrival(reports, rate) ?? clock()
  }

  /// The client of one more round of questions, for a view that asks again and again: on the same connections and within the
  /// same limits, with the whole time of the run before it. Nothing of it is written into the journal, which would grow for
  /// ever.
  ///
  /// - Parameters:
  ///   - isRetried: whether a request that fails is sent again within the round.
  ///   - moment: when a replay asks, by the clock of the recordings; nil: at the end of them all.
  package func newRound(isRetried: Bool = true, at moment: Instant? = nil) -> MarketClient {
    guard let network else {
      // A round has one answer to each request, when it is recorded and when it is played.
      var client = client
      client.handler = RequestCoalescer().coalescing(client.handler)
      if let moment { client.now = { moment } }
      return client
    }
    let end = ContinuousClock.now + timeout
    let patience = timeout / 2
    let run = network.newRun(deadline: timeout)
    let handler = isRetried ? run : Self.once(run)
    return MarketClient(
      handler: recorder.map { RequestCoalescer().coalescing($0.recording(handler)) } ?? handler,
      // What is kept is not asked for, and a recording without it would play something else.
      cache: recorder == nil ? client.cache : nil,
      rates: RateMemory(Self.rateCache(in: cacheFolder), patience: { patience }), credentials: client.credentials,
      configPath: client.configPath, hooks: client.hooks, now: clock, timeLeft: { end - .now })
  }

  /// Ends the network's thread; to be called once all questions are answered.
  package func close() { network?.shutDown() }

  /// Each request goes to each of its addresses once.
  private static func once(_ handler: @escaping HTTPHandler) -> HTTPHandler {
    { request throws(TransportError) in
      var request = request
      if request.repetition == .retried { request.repetition = .oncePerURL }
      return try await handler(request)
    }
  }

  /// The same answers as if they had come at one moment.
  private static func arriving(at moment: Instant, _ handler: @escaping HTTPHandler) -> HTTPHandler {
    { request throws(TransportError) in
      var response = try await handler(request)
      response.arrival = moment
      return response
    }
  }
}
