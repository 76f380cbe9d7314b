import Cassettes
package import Config
import Files
package import HTTP
package import Mapping
package import Quotes
import Synchronization
package import Transport

/// What a run needs to ask exchanges: the config, the network or recordings in its place, and the clock.
package struct MarketSession: Sendable {
  package struct Options {
    /// Sent with every request: `market/1.0`.
    package var userAgent: String
    /// A folder of recordings that are replayed instead of using the network.
    package var replay: String?
    /// A folder to which requests and answers are written.
    package var record: String?
    /// The time limit of the whole run; nil for the config's.
    package var timeoutMilliseconds: Int?
    /// The folder for caches; nil if the user has no place for them.
    package var cacheFolder: String?
    /// The pauses that hosts asked for in earlier runs; nil if the user has no place for them.
    package var keptPauses: KeptPauses?
    /// The answers of earlier runs; nil to send every request.
    package var answers: AnswerStore?
    /// Returns the moment to answer for, given the current one. Recorded answers count as having arrived then; without
    /// recordings nothing is requested, and only stored data is used.
    package var moment: ((_ now: Instant) throws -> Instant)?

    package init(userAgent: String) { self.userAgent = userAgent }
  }

  package let config: LoadedConfig
  package let client: MarketClient
  /// The outcome of every request of the run.
  package let journal: RequestJournal
  package let clock: @Sendable () -> Instant
  /// The folder of the recordings to replay.
  package let replay: String?
  /// nil if nothing is requested.
  private var network: HTTPClient?
  /// Records requests and answers; nil if not recording.
  private var recorder: CassetteRecorder?
  /// Records the connections of all streams; nil if not recording.
  private(set) var streamRecorder: StreamRecorder?
  /// The limits shared by connections of its streams.
  let sendWindows = SendWindows()
  /// Records stored answers, each once however many rounds use it; nil if not recording.
  private var recordKept: (@Sendable (HTTPRequest, HTTPResponse) async -> Void)?
  private let cacheFolder: String?
  private let timeout: Duration
  /// The number of rounds in the recordings, the maximum for any one request; 1 without recordings.
  package private(set) var recordedRounds = 1
  /// When the first recording was made; nil without recordings.
  package private(set) var recordedStart: Instant?
  /// The recordings to replay; nil without any.
  private var player: CassettePlayer?
  /// Answers what a replay of streams requests, from the first recording of each request on, whatever else has been
  /// requested; nil without recordings.
  private var streamHandler: HTTPHandler?

  package var configuration: Configuration { config.configuration }

  /// - Throws: `CassetteError` for recordings that are missing or cannot be read, `FileError` if nothing can be
  ///   recorded, and whatever `moment` throws.
  package init(
    _ config: LoadedConfig, _ options: Options, credentials: Credentials, hooks: HookRegistry,
    now: @escaping @Sendable () -> Instant
  ) throws {
    if let folder = options.replay {
      try self.init(replaying: folder, config, options, credentials, hooks)
    } else if let moment = options.moment {
      self.init(at: try moment(now()), config, options, credentials, hooks)
    } else {
      try self.init(asking: now, config, options, credentials, hooks)
    }
  }

  private init(
    _ config: LoadedConfig, _ options: Options, _ client: MarketClient, _ journal: RequestJournal,
    clock: @escaping @Sendable () -> Instant
  ) {
    self.config = config
    self.client = client
    self.journal = journal
    self.clock = clock
    replay = options.replay
    cacheFolder = options.cacheFolder
    timeout = Self.timeout(config, options)
  }

  /// Creates a session that plays recordings.
  private init(
    replaying folder: String, _ config: LoadedConfig, _ options: Options, _ credentials: Credentials,
    _ hooks: HookRegistry
  ) throws {
    let player = try CassettePlayer(directory: folder)
    guard let date = player.latestArrival else { throw CassetteError.noRecordings(in: folder) }
    let other = try options.moment?(date)
    let clock: @Sendable () -> Instant = { other ?? date }
    let start = ContinuousClock.now
    let patience = options.timeoutMilliseconds.map { Duration.milliseconds($0) }
    let journal = RequestJournal()
    let again = player.rewound()
    var client = MarketClient(
      handler: journal.following(other.map { Self.arriving(at: $0, player.handler) } ?? player.handler),
      credentials: credentials, hooks: hooks, now: clock,
      timeLeft: { patience.map { $0 - (.now - start) } ?? .seconds(3600) })
    client.isOtherTime = other != nil
    self.init(config, options, client, journal, clock: clock)
    recordedRounds = player.rounds
    recordedStart = player.earliestArrival
    self.player = player
    streamHandler = journal.following(other.map { Self.arriving(at: $0, again.handler) } ?? again.handler)
  }

  /// Creates a session for another moment than now, which requests nothing.
  private init(
    at moment: Instant, _ config: LoadedConfig, _ options: Options, _ credentials: Credentials, _ hooks: HookRegistry
  ) {
    let clock: @Sendable () -> Instant = { moment }
    var client = MarketClient(
      handler: { _ throws(TransportError) in throw .other("nothing is requested for a time other than now") },
      rates: RateMemory(Self.rateCache(in: options.cacheFolder), mayCall: false), credentials: credentials,
      configPath: FileSystem.resolved(config.found.path), hooks: hooks, now: clock)
    client.isOtherTime = true
    self.init(config, options, client, RequestJournal(), clock: clock)
  }

  /// Creates a session on the network.
  private init(
    asking now: @escaping @Sendable () -> Instant, _ config: LoadedConfig, _ options: Options,
    _ credentials: Credentials, _ hooks: HookRegistry
  ) throws {
    var clientOptions = HTTPClient.Options(userAgent: options.userAgent, limit: Self.timeout(config, options))
    clientOptions.isDeadlineFixed = options.timeoutMilliseconds != nil
    clientOptions.keptPauses = options.keptPauses
    let network = HTTPClient(clientOptions)
    var handler = network.handler
    let recorder = options.record.map { CassetteRecorder(directory: $0, now: now) }
    if let recorder {
      try recorder.createFolder()
      // Join requests above the recorder too, so that equal requests are recorded once.
      handler = RequestCoalescer().coalescing(recorder.recording(handler))
    }
    let record = recorder.map { Self.recordingOnce($0) }
    let journal = RequestJournal()
    var client = MarketClient(
      handler: journal.following(handler),
      cache: recorder == nil ? options.cacheFolder.map { DiskCache(directory: "\($0)/lookups") } : nil,
      // Waiting for another process's call must leave enough time for our own.
      rates: RateMemory(
        Self.rateCache(in: options.cacheFolder), mayCall: options.answers?.mayAsk ?? true,
        used: { request, response in
          journal.addKept(request, bytes: response.body.count)
          await record?(request, response)
        }, patience: { max(.zero, network.timeLeft / 2) }),
      credentials: credentials, configPath: FileSystem.resolved(config.found.path), hooks: hooks, now: now,
      timeLeft: { network.timeLeft }, journal: journal)
    client.answers = options.answers
    self.init(config, options, client, journal, clock: now)
    self.network = network
    self.recorder = recorder
    recordKept = record
    streamRecorder = options.record.map { StreamRecorder(directory: $0) }
  }

  /// Returns the time limit of a run.
  package static func timeout(_ config: LoadedConfig, _ options: Options) -> Duration {
    .milliseconds(options.timeoutMilliseconds ?? config.configuration.settings.timeoutMilliseconds)
  }

  /// Returns a recorder of stored answers: they are not requested, so a recording without them would replay something
  /// else. Each is recorded when it is first used.
  private static func recordingOnce(
    _ recorder: CassetteRecorder
  ) -> @Sendable (HTTPRequest, HTTPResponse) async -> Void {
    let recorded = Mutex<Set<String>>([])
    return { request, response in
      let name = "\(response.url) \(response.arrival?.nanoseconds ?? 0)"
      guard recorded.withLock({ $0.insert(name).inserted }) else { return }
      _ = try? await recorder.recording { _ throws(TransportError) in response }(request)
    }
  }

  /// Returns the cache of exchange rates between runs; nil without a cache folder.
  package static func rateCache(in folder: String?) -> DiskCache? {
    folder.map { DiskCache(directory: "\($0)/rates") }
  }

  /// Returns whether the recordings have answers about the user's accounts at an exchange.
  package func hasRecordedAccounts(of exchange: String) -> Bool {
    let folder = CassetteRecorder.safeFileName(exchange)
    return player?.entries.contains { entry in
      entry.folder == folder
        && (entry.name.hasPrefix("balances-") || ["wallet-status", "permissions"].contains(entry.name))
    } ?? false
  }

  /// When the latest recording that was made into a folder arrived; nil if there is none, or not all can be read.
  package static func latestRecording(in folder: String) -> Instant? {
    (try? CassettePlayer(recordedInto: folder))?.latestArrival
  }

  /// Whether answers are being recorded.
  package var isRecording: Bool { recorder != nil }

  /// Why the recording of connections is incomplete; nil if it is not, or there is none.
  package var recordingProblem: String? { streamRecorder?.problem.map { "\($0)" } }

  /// Opens WebSocket connections to exchanges; nil in a replay.
  package var streams: StreamHandler? { network?.streams }

  /// Why this system cannot send any requests, to be reported once instead of for each exchange.
  package var networkProblem: TransportError? { network == nil ? nil : HTTPClient.problem }

  /// Asks all enabled exchanges of the config.
  ///
  /// - Parameter markets: The markets of each exchange to ask.
  /// - Returns: The reports, and the exchanges whose block is broken, both in the order of the config.
  package func reports(
    ofAll markets: [Market], _ query: TableQuery
  ) async -> (reports: [ExchangeReport], broken: [UnreadableExchange]) {
    let configuration = configuration
    let hooks = client.hooks.names
    let results = await client.reports(of: configuration.exchanges, markets, query) {
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
    Interpretation(configuration, hooks: client.hooks, traces: traces)
  }

  /// Returns the URL of a pair on the exchange's website, in visible ASCII; nil if the config has none.
  ///
  /// - Parameter row: The exchange's latest data for the pair; nil if there is none.
  package func page(of exchange: String, _ market: Market, _ pair: Pair, row: Ticker?) -> String? {
    guard let source = configuration.exchange(named: exchange) else { return nil }
    let extent = ExchangeExtent(markets: [market], hasPages: true)
    return configuration.read(source, extent, hooks: client.hooks.names).exchange?.market(market)?
      .page(of: pair, row: row, globalAliases: configuration.aliases)
  }

  /// Returns the moment of a snapshot: now, or that of the recording. A rate alone does not tell: its answer may have
  /// been kept from an earlier run.
  package func moment(of reports: [ExchangeReport], _ rate: RateReport?) -> Instant {
    guard replay != nil, reports.contains(where: { !$0.requests.isEmpty }) else { return clock() }
    return Snapshot.latestArrival(reports, rate) ?? clock()
  }

  /// Returns the client of a new round of requests, for a view that polls repeatedly: on the same connections and
  /// within the same limits, with the full time limit of a run. It is not logged in the journal, which would grow
  /// forever.
  ///
  /// - Parameters:
  ///   - isRetried: Whether a failed request is retried within the round.
  ///   - moment: The moment in a replay of streams, on the clock of the recordings; nil for the end of the recordings.
  package func newRound(isRetried: Bool = true, at moment: Instant? = nil) -> MarketClient {
    guard let network else {
      // Within a round there is one answer to each request, both when recording and when replaying.
      var client = client
      if let moment {
        client.now = { moment }
        client.isOtherTime = true
        client.handler = streamHandler ?? client.handler
      }
      client.handler = RequestCoalescer().coalescing(client.handler)
      return client
    }
    let patience = timeout / 2
    let run = network.newRun(deadline: timeout)
    let handler = isRetried ? run.handler : Self.once(run.handler)
    return MarketClient(
      handler: recorder.map { RequestCoalescer().coalescing($0.recording(handler)) } ?? handler,
      cache: client.cache,
      rates: RateMemory(Self.rateCache(in: cacheFolder), used: recordKept, patience: { patience }),
      credentials: client.credentials,
      configPath: client.configPath, hooks: client.hooks, now: clock, timeLeft: run.timeLeft)
  }

  /// Ends the network thread; to be called once all requests are answered.
  package func close() {
    network?.shutDown()
    client.answers?.trim()
  }

  /// Returns a handler that sends each request to each of its URLs once.
  private static func once(_ handler: @escaping HTTPHandler) -> HTTPHandler {
    { request throws(TransportError) in
      var request = request
      if request.repetition == .retried { request.repetition = .oncePerURL }
      return try await handler(request)
    }
  }

  /// Returns a handler whose answers all have the same arrival time.
  private static func arriving(at moment: Instant, _ handler: @escaping HTTPHandler) -> HTTPHandler {
    { request throws(TransportError) in
      var response = try await handler(request)
      response.arrival = moment
      return response
    }
  }
}
