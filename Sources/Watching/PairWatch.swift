package import Asking
package import Config
import Live
package import MarketData
package import Quotes
package import Shell
import Synchronization
import Terminal
import Transport
package import Views

/// A live view of one pair, in the requested output form.
package struct PairWatch<Screen: LivePairScreen> {
  private let pairs: PairSession
  private let following: PairFollowing
  private let screen: Screen
  private let kind: BlockKind
  private let options: ScreenOptions

  /// - Parameters:
  ///   - kind: What the lines are about, for output without a screen.
  ///   - interval: The interval of the candles, if there are any.
  package init(
    pairs: PairSession, subjects: [PairPoller.Subject], screen: Screen, kind: BlockKind, interval: CandleInterval,
    options: ScreenOptions
  ) {
    (self.pairs, self.screen, self.kind, self.options) = (pairs, screen, kind, options)
    following = PairFollowing(
      session: pairs.session, sources: pairs.sources, subjects: subjects, interval: interval, speed: options.speed)
  }

  package func run(in context: Context) async throws -> ExitCode {
    let session = pairs.session
    defer { session.close() }
    let poller = following.poller()
    let board = following.board
    var settings = PairSettings(session, language: options.language ?? context.language, zone: pairs.zone)
    let palette = context.palette(pairs.options.asking.colors, preferring: session.config.preferredScheme)
    settings.scheme = palette.scheme
    if options.isOnce { return try await once(board, poller, settings, palette, in: context) }
    if options.isPlain || options.isNDJSON || !context.hasScreen || !context.terminal.inputIsTerminal {
      return try await plain(board, poller, settings, in: context)
    }
    return try await live(settings, palette, in: context)
  }

  // MARK: Single picture

  /// Prints what the first answers, or the recordings, add up to.
  private func once(
    _ board: PairBoard, _ poller: PairPoller, _ settings: PairSettings, _ palette: Palette, in context: Context
  ) async throws -> ExitCode {
    let size = options.size ?? context.pictureSize
    let events = Mailbox()
    let clock = ReplayClock()
    var settings = settings
    settings.isStill = true
    var view = PairView(board, screen, settings)
    if pairs.session.replay != nil {
      func take() -> Bool {
        if let now = clock.time { view.advance(to: now) }
        _ = view.take(events.take(), size)
        return true
      }
      try await poller.play(speed: nil, on: clock, { events.put($0) }, take)
    } else {
      await context.showing(pairs.session.journal) { await poller.round { events.put($0) } }
    }
    _ = view.take(events.take(), size)
    let time = clock.time ?? pairs.session.clock()
    context.output.write(view.frame(in: size, at: time).text(with: palette))
    return Self.code(of: view.board)
  }

  private static func code(of board: PairBoard) -> ExitCode {
    board.sources.contains { $0.answered != nil } ? .answer : .noAnswer
  }

  // MARK: Lines

  private func plain(
    _ board: PairBoard, _ poller: PairPoller, _ settings: PairSettings, in context: Context
  ) async throws -> ExitCode {
    let log = PairLog(kind, settings, everyMilliseconds: options.everyMilliseconds)
    let lines = Lines(log: log, isNDJSON: options.isNDJSON, output: context.output)
    return pairs.session.replay == nil
      ? await followed(board, poller, lines, in: context) : try await replayed(board, poller, lines)
  }

  /// Writes what is new on a board.
  private struct Lines {
    var log: PairLog
    let isNDJSON: Bool
    let output: OutputWriter

    /// Returns false if no one reads any more.
    mutating func write(_ board: PairBoard, at now: Instant) -> Bool {
      if isNDJSON {
        output.write(bytes: log.objects(board, at: now))
      } else {
        for line in log.lines(board, at: now) { output.write(line + "\n") }
      }
      output.flush()
      return !output.isClosed
    }
  }

  private func replayed(_ board: PairBoard, _ poller: PairPoller, _ lines: Lines) async throws -> ExitCode {
    var (board, lines) = (board, lines)
    let (told, clock) = (Mailbox(), ReplayClock())
    func show() -> Bool {
      let now = clock.time ?? pairs.session.clock()
      board.advance(to: now)
      for event in told.take() { board.take(event) }
      return lines.write(board, at: now)
    }
    try await poller.play(speed: options.speed, on: clock, { told.put($0) }, show)
    return Self.code(of: board)
  }

  private func followed(
    _ board: PairBoard, _ poller: PairPoller, _ lines: Lines, in context: Context
  ) async -> ExitCode {
    var lines = lines
    // A slow reader gets the newest state: what arrives while it reads updates the board instead of a queue.
    let newest = SharedMutex(board)
    let clock = pairs.session.clock
    let (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let asking = Task {
      await poller.run { event in
        newest.value.withLock { board in
          board.advance(to: clock())
          board.take(event)
        }
        waker.yield()
      }
    }
    // The longer nothing comes, the less a look at the clock shows of how far it was set back meanwhile.
    let ticking = Task {
      repeat {
        newest.value.withLock { $0.advance(to: clock()) }
      } while (try? await Task.sleep(for: .seconds(1))) != nil
    }
    defer {
      asking.cancel()
      ticking.cancel()
    }
    var recording = RecordingNotice(pairs.session)
    for await _ in wakes {
      recording.say(in: context)
      while !Task.isCancelled, await !context.output.isTaken() {}
      let (board, now) = newest.value.withLock { board in
        let now = clock()
        board.advance(to: now)
        return (board, now)
      }
      guard lines.write(board, at: now) else { break }
    }
    return Self.code(of: newest.value.withLock { $0 })
  }

  // MARK: Screen

  private func live(_ settings: PairSettings, _ palette: Palette, in context: Context) async throws -> ExitCode {
    guard let wakePipe = WakePipe() else { throw CommandError.noAnswer("cannot open a pipe for the live screen") }
    let live = PairLive(screen, following, settings) { wakePipe.wake() }
    defer { live.end() }
    let options = LiveOptions(
      palette: palette, glyphs: pairs.options.asking.colors.glyphs, environment: context.environment.lookup,
      now: pairs.session.clock)
    let ending = await LiveLoop.runAlone(live, wokenBy: wakePipe, options: options)
    var recording = RecordingNotice(pairs.session)
    recording.say(in: context)
    switch try ending.get() {
    case .quit, .terminalGone: return .answer
    case .signal(let number):
      LiveEnding.end(by: number)
      return .noAnswer
    }
  }
}

extension LiveLoop where Screen: Sendable {
  /// Runs a screen on its own thread because its loop blocks: Swift's task threads are limited to the number of cores,
  /// and the feeds need them.
  static func runAlone(
    _ screen: Screen, wokenBy wakePipe: WakePipe, options: LiveOptions
  ) async -> Result<LiveEnding, LiveProblem> {
    let result = await SystemThread.value {
      Result { () throws(LiveProblem) in try run(screen, wokenBy: wakePipe, options: options) }
    }
    return result ?? .failure(.noTerminal("cannot create a thread"))
  }
}
