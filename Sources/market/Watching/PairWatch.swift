import Config
import Live
import MarketData
import Quotes
import Synchronization
import Terminal
import Views

/// A live view of one pair, in whichever form it was asked for.
struct PairWatch<Screen: LivePairScreen> {
  let pairs: PairSession
  let subjects: [PairPoller.Subject]
  let screen: Screen
  let kind: PairLog.Kind
  let interval: CandleInterval
  let options: PairWatchOptions

  func run(in context: Context) async throws -> ExitCode {
    let session = pairs.session
    defer { session.close() }
    let sources = pairs.sources.map { PairPoller.Source($0.exchange, $0.market, $0.question) }
    let poller = PairPoller(session, sources, subjects, asksRate: true)
    let board = PairBoard(poller.beginning, interval: interval)
    var settings = PairSettings(
      language: options.language ?? Language(locale: ColorScheme.localeName { context.environment[$0] }),
      zone: pairs.options.zone, isReplay: session.replay != nil)
    settings.dollarTokens = session.configuration.settings.dollarTokens
    let palette = context.palette(pairs.options.asking.colors, preferring: session.config.preferredScheme)
    if options.isOnce { return await once(board, poller, settings, palette, in: context) }
    let isDumb = context.environment["TERM"] == "dumb"
    let isLive = context.terminal.inputIsTerminal && context.terminal.outputIsTerminal && !isDumb
    if options.isPlain || options.isNDJSON || !isLive {
      return await plain(board, poller, settings, in: context)
    }
    return try await live(board, poller, settings, palette, in: context)
  }

  // MARK: One picture

  private func once(
    _ board: PairBoard, _ poller: PairPoller, _ settings: PairSettings, _ palette: Palette, in context: Context
  ) async -> ExitCode {
    let size =
      options.size
      ?? ScreenSize(columns: context.terminal.columns ?? 80, rows: max(1, (context.terminal.rows ?? 25) - 1))
    let events = Mailbox()
    await context.showing(pairs.session.journal) { await poller.round { events.put($0) } }
    var view = PairView(board, screen, settings)
    _ = view.take(events.take(), size)
    context.output.write(view.frame(in: size, at: pairs.session.clock()).text(with: palette))
    return Self.code(of: view.board)
  }

  private static func code(of board: PairBoard) -> ExitCode {
    board.sources.contains { $0.answered != nil } ? .answer : .noAnswer
  }

  // MARK: Lines

  private func plain(
    _ board: PairBoard, _ poller: PairPoller, _ settings: PairSettings, in context: Context
  ) async -> ExitCode {
    var board = board
    var log = PairLog(kind, settings, everyMilliseconds: options.everyMilliseconds)
    func write(_ board: PairBoard) -> Bool {
      let now = pairs.session.clock()
      if options.isNDJSON {
        context.output.write(bytes: log.objects(board, at: now))
      } else {
        for line in log.lines(board, at: now) { context.output.write(line + "\n") }
      }
      context.output.flush()
      return !context.output.isClosed
    }
    let (events, sender) = AsyncStream.makeStream(of: PairEvent.self)
    if pairs.session.replay != nil {
      for _ in 0..<max(1, pairs.session.recordedRounds) {
        let round = Mailbox()
        await poller.round { round.put($0) }
        for event in round.take() { board.take(event) }
        guard write(board) else { break }
      }
      return Self.code(of: board)
    }
    let asking = Task { await poller.run { sender.yield($0) } }
    defer { asking.cancel() }
    for await event in events {
      board.take(event)
      guard write(board) else { break }
    }
    return Self.code(of: board)
  }

  // MARK: The screen

  private func live(
    _ board: PairBoard, _ poller: PairPoller, _ settings: PairSettings, _ palette: Palette, in context: Context
  ) async throws -> ExitCode {
    guard let wakePipe = WakePipe() else { throw CommandError.noAnswer("cannot open a pipe for the live screen") }
    let events = Mailbox { wakePipe.wake() }
    let asking = PairAsking(poller, session: pairs.session, subjects: subjects, sources: pairs.sources, events)
    asking.begin(interval)
    defer { asking.end() }
    let clock = pairs.session.clock
    let environment = context.environment
    let options = LiveOptions(palette: palette, environment: { environment[$0] }, now: clock)
    let live = PairLive(PairView(board, screen, settings), events, asking)
    let ending = try await LiveThread.run { () throws(LiveProblem) in
      try LiveLoop.run(live, wokenBy: wakePipe, options: options)
    }
    switch ending {
    case .quit, .terminalGone: return .answer
    case .signal(let number):
      LiveEnding.end(by: number)
      return .noAnswer
    }
  }
}

/// What the feeds have said and nobody has taken yet.
final class Mailbox: Sendable {
  private let events = Mutex<[PairEvent]>([])
  private let wake: @Sendable () -> Void

  init(_ wake: @escaping @Sendable () -> Void = {}) { self.wake = wake }

  func put(_ event: PairEvent) {
    events.withLock { $0.append(event) }
    wake()
  }

  func take() -> [PairEvent] {
    events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}

/// Asks for what a live screen shows, and for more when it wants more.
final class PairAsking: Sendable {
  private let poller: PairPoller
  private let session: MarketSession
  private let subjects: [PairPoller.Subject]
  private let sources: [PairPoller.Source]
  private let events: Mailbox
  private let task = Mutex<(following: Task<Void, Never>?, interval: CandleInterval?)>((nil, nil))

  init(
    _ poller: PairPoller, session: MarketSession, subjects: [PairPoller.Subject], sources: [PairSession.Source],
    _ events: Mailbox
  ) {
    self.poller = poller
    self.session = session
    self.subjects = subjects
    self.sources = sources.map { PairPoller.Source($0.exchange, $0.market, $0.question) }
    self.events = events
  }

  /// Asks from now on, for candles of this interval where candles are asked for.
  func begin(_ interval: CandleInterval) {
    let subjects = subjects.map { subject in
      if case .candles(_, let count, let zone) = subject {
        PairPoller.Subject.candles(interval, count: count, zoneSeconds: zone)
      } else {
        subject
      }
    }
    let poller = PairPoller(session, sources, subjects, asksRate: true)
    let (events, session) = (events, session)
    let following = Task {
      guard session.replay != nil else { return await poller.run { events.put($0) } }
      // Recordings say what there is of them, and stand.
      for _ in 0..<max(1, session.recordedRounds) where !Task.isCancelled { await poller.round { events.put($0) } }
    }
    task.withLock { task in
      task.following?.cancel()
      task = (following, interval)
    }
  }

  func end() { task.withLock { $0.following?.cancel() } }

  func perform(_ effects: [PairEffect]) {
    for effect in effects {
      switch effect {
      case .quit: break
      case .show(let interval): begin(interval)
      case .older(let source, let before, let count):
        guard let interval = task.withLock({ $0.interval }) else { continue }
        let (poller, events) = (poller, events)
        Task { events.put(await poller.older(of: source, interval, before: before, count: count)) }
      }
    }
  }
}

/// A view of a pair on the loop of live screens.
struct PairLive<Screen: LivePairScreen>: LiveScreen {
  private var view: PairView<Screen>
  private let events: Mailbox
  private let asking: PairAsking
  /// How large the last picture was: half a screen is what keys move by.
  private let room = Room()

  private final class Room: Sendable {
    private let size = Mutex(ScreenSize(columns: 80, rows: 24))

    var value: ScreenSize {
      get { size.withLock { $0 } }
      set { size.withLock { $0 = newValue } }
    }
  }

  init(_ view: PairView<Screen>, _ events: Mailbox, _ asking: PairAsking) {
    self.view = view
    self.events = events
    self.asking = asking
  }

  var isLineOpen: Bool { view.isLineOpen }

  mutating func handle(_ event: LiveEvent, at now: Instant) -> LiveOutcome {
    switch event {
    case .key(let key):
      let effects = view.press(key, room.value, at: now)
      if effects.contains(.quit) { return .end }
      asking.perform(effects)
    case .paste(let text): view.paste(text)
    case .hangulIsOn: view.takeHangul()
    case .news: asking.perform(view.take(events.take(), room.value))
    case .second, .awoke, .resized: break
    case .mouse: return .unchanged
    }
    return .changed
  }

  func picture(in size: ScreenSize, at now: Instant) -> LivePicture {
    room.value = size
    let frame = view.frame(in: size, at: now)
    return LivePicture(
      lines: frame.lines, cursor: frame.cursor.map { ScreenPlace(column: $0.column, row: $0.row) })
  }
}
