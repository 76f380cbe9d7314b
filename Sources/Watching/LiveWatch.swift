import Asking
import Config
import Files
import Live
import Mapping
package import MarketData
import Quotes
package import Shell
import Synchronization
import Terminal
import Transport
package import Views

/// `market watch` on a terminal: handles requests and files for the screen, which runs on its own thread.
///
///     feeds --onChange--> LiveWatch --WatchUpdate, wake--> LiveLoop(WatchLive) --WatchAction--> LiveWatch
package actor LiveWatch {
  package struct Options: Sendable {
    package var live = WatchLive.Options()
    package var state = WatchState()
    var palette = Palette.plain
    var glyphs = GlyphMode.auto
    /// The rules of the command line, in addition to those of the file.
    package var rules: [AlertRule] = []
    /// Whether the rules of the user's file apply; a list of all pairs has none.
    package var hasAlerts = true
    /// Whether to draw sparklines.
    package var asksTrends = false
    /// How long the screen stays open; nil for no limit.
    package var timeoutMilliseconds: Int?
    package var speed = 1

    package init(of run: WatchRun, _ asking: AskingOptions, in context: Context) {
      palette = context.palette(asking.colors, preferring: run.session.config.preferredScheme)
      glyphs = asking.colors.glyphs
      live.isReplay = run.session.replay != nil
      live.flashes = palette.isColored
    }
  }

  let options: Options
  let context: Context
  /// The same without messages, which would appear in the middle of the screen.
  let quiet: Context
  private var isClosed = false
  /// Recreates the run after the config has changed.
  private let remake: @Sendable () async throws -> WatchRun
  var run: WatchRun
  var alerts: Followed<AlertsFile>?
  lazy var commands = AlertCommands { rule, problem in await self.commandEnded(rule, problem) }
  private var tasks: [Task<Void, Never>] = []
  /// The streams of the feeds; setting others ends them.
  private var streams: Task<Void, Never>? { didSet { oldValue?.cancel() } }
  /// Looks up the source of a row.
  var explaining: Task<Void, Never>?
  /// The user's accounts, once they have been viewed.
  var balances: BalanceFeed?
  /// Why the key file is not in effect.
  var keysProblem: String?
  /// The text of the config in use, and what is wrong with the file's current text.
  private var config: [UInt8]?
  private var configProblem: String?
  private var recordingProblem: String?
  private var answers = 0
  /// The pair of a list whose screen is open.
  var looked: Pair?
  /// When closes are requested, and those wanted last.
  var trendPlan = TrendPlan()
  var wantedTrends: (rows: [RowKey], hours: Int) = ([], 0)

  private let news: Mutex<WatchUpdate>
  let reached = Mutex<AlertFiring?>(nil)
  /// A change to the pair screen that the screen has not yet picked up.
  let visit = Mutex<DetailChange?>(nil)
  let wakePipe: WakePipe

  /// The minimum time between two calculations of the figures.
  private static let figuresMilliseconds = 100

  package static func show(
    _ run: WatchRun, _ options: Options, in context: Context,
    remake: @escaping @Sendable (Context) async throws -> WatchRun
  ) async throws -> ExitCode {
    if let problem = run.favoritesProblem { context.note(problem) }
    if let until = options.live.until, let absence = run.picture.absence(in: until) {
      context.note("\(absence): \(until.text)")
    }
    context.output.flush()
    var quiet = context
    quiet.errorOutput = OutputWriter(capacity: 0) { _ in .done }
    guard let wakePipe = WakePipe() else { throw CommandError.noAnswer("too many files are open") }
    let watch = LiveWatch(run, options, wakePipe, in: context, quiet) { [quiet] in try await remake(quiet) }
    return try await watch.show()
  }

  private init(
    _ run: WatchRun, _ options: Options, _ wakePipe: WakePipe, in context: Context, _ quiet: Context,
    remake: @escaping @Sendable () async throws -> WatchRun
  ) {
    (self.run, self.options, self.wakePipe) = (run, options, wakePipe)
    (self.context, self.quiet, self.remake) = (context, quiet, remake)
    alerts = options.hasAlerts ? run.alerts(in: context) : nil
    config = try? FileSystem.read(run.session.config.found.path)
    if options.asksTrends { self.run.take([:]) }
    news = Mutex(
      WatchUpdate(
        board: self.run.picture, favorites: run.favorites, rules: options.rules + (alerts?.contents ?? []), problems: []
      ))
  }

  private func show() async throws -> ExitCode {
    start()
    tellFiles()
    let (actions, continuation) = AsyncStream.makeStream(of: WatchAction.self)
    let others = [
      Task { for await action in actions { await self.perform(action) } },
      Task { await self.followFiles() },
      Task { [timeout = options.timeoutMilliseconds] in
        guard let timeout, (try? await Task.sleep(for: .milliseconds(timeout))) != nil else { return }
        self.tell { $0.isOver = true }
      },
    ]
    let ending = await showing { continuation.yield($0) }
    // Finish the screen's last actions before returning.
    continuation.finish()
    await others[0].value
    for task in others + tasks { task.cancel() }
    streams = nil
    explaining?.cancel()
    await run.board.stop()
    return try await end(ending)
  }

  private func showing(_ perform: @escaping @Sendable (WatchAction) -> Void) async -> Result<LiveEnding, LiveProblem> {
    let watch = WatchLive(options.state, options.live, newest: { self.news.withLock { $0 } }, perform: perform)
    let screen = StackedScreen(watch) {
      self.visit.withLock { change in
        defer { change = nil }
        return change
      }
    }
    let live = LiveOptions(
      palette: options.palette, glyphs: options.glyphs, environment: context.environment.lookup, now: context.now)
    return await LiveLoop.runAlone(screen, wokenBy: wakePipe, options: live)
  }

  private func end(_ ending: Result<LiveEnding, LiveProblem>) async throws -> ExitCode {
    isClosed = true
    let firing = reached.withLock { $0 }
    if let firing {
      context.output.write(WatchLog.line(firing, localClock: context.localClock) + "\n")
      context.output.flush()
    }
    if firing != nil, case .success(.quit) = ending {
      // Its command belongs to the answer.
      await commands.finish { [context] in context.note($0) }
    } else {
      for note in commands.leave() { context.note(note) }
    }
    var recording = RecordingNotice(run.session)
    recording.say(in: context)
    switch ending {
    case .failure(let problem): throw CommandError.noAnswer("\(problem)")
    case .success(.signal(let number)):
      context.output.flush()
      LiveEnding.end(by: number)
      return .noAnswer
    case .success(.quit), .success(.terminalGone):
      return options.live.until == nil || firing != nil ? .answer : .noAnswer
    }
  }

  // MARK: Feeds

  /// Starts polling the run's exchanges and passing their data to the screen.
  private func start() {
    let run = run
    streams = run.streaming()
    tasks = [
      Task { await self.asking(run) },
      Task {
        for await _ in run.changes {
          let start = ContinuousClock.now
          self.tellFigures()
          // Even with ten thousand pairs, this takes at most a quarter of the time.
          let rest = max(.milliseconds(Self.figuresMilliseconds), (.now - start) * 3)
          guard (try? await Task.sleep(for: rest)) != nil else { return }
        }
      },
      // Asset names are cached for a day, and nothing waits for them.
      Task { self.take(await run.session.assetNames()) },
      // Figures also change without an answer, as data ages.
      Task {
        var looked = run.now()
        while (try? await Task.sleep(for: .seconds(1))) != nil {
          let (state, now) = run.board.picture()
          if state.hasAged(since: looked, by: now) { run.touch() }
          looked = now
        }
      },
    ]
  }

  private func asking(_ run: WatchRun) async {
    guard run.session.replay != nil else { return await run.board.run() }
    do {
      try await run.play(speed: options.speed) { _ in true }
    } catch {
      say(context.redacted("\(error)"))
    }
  }

  private func take(_ names: AssetNames) {
    guard !Task.isCancelled else { return }
    run.take(names)
    tellFigures()
  }

  private func tellFigures() {
    let picture = run.picture
    tell { $0.board = picture }
  }

  private func commandEnded(_ rule: AlertRule, _ problem: AlertCommandProblem?) {
    tell { $0.commandProblems[rule.text] = problem }
    guard let problem else { return }
    if isClosed { context.note(problem.sentence(rule)) } else { say(problem.sentence(rule, run.settings.language)) }
  }

  nonisolated func tell(_ change: (inout WatchUpdate) -> Void) {
    news.withLock { change(&$0) }
    wakePipe.wake()
  }

  func say(_ text: String) { answer(.text(text)) }

  func answer(_ answer: WatchAnswer) {
    answers += 1
    let number = answers
    tell { $0.answer = (number, answer) }
  }

  // MARK: Files

  private func followFiles() async {
    while (try? await Task.sleep(for: .milliseconds(WatchRun.filesMilliseconds))) != nil {
      var hasChanged = await followFavorites()
      if alerts?.refresh() == true { hasChanged = true }
      if await followConfig() { hasChanged = true }
      if recordingProblem == nil, let problem = run.session.recordingProblem {
        recordingProblem = run.settings.language.incompleteRecording(problem)
        hasChanged = true
      }
      if let balances, await balances.followKeys() {
        keysProblem = await balances.keysProblem
        hasChanged = true
      }
      if hasChanged { tellFiles() }
    }
  }

  func followFavorites() async -> Bool {
    let (hasChanged, feeds) = run.refreshFavorites()
    if let feeds {
      let board = run.board
      await board.follow(feeds)
      // A config that has changed meanwhile has streams of its own.
      if run.board === board { streams = run.streaming() }
    }
    return hasChanged
  }

  func tellFiles() {
    let rules = options.rules + (alerts?.contents ?? [])
    let sentences: [(WatchProblem.Subject, String?)] = [
      (.recording, recordingProblem), (.config, configProblem), (.blocks, run.brokenProblem),
      (.favorites, run.favoritesProblem), (.alerts, alerts?.sentence), (.keys, keysProblem),
    ]
    let problems = sentences.compactMap { subject, sentence in sentence.map { WatchProblem(subject, $0) } }
    let favorites = run.favorites
    tell { ($0.rules, $0.problems, $0.favorites) = (rules, problems, favorites) }
    run.touch()
  }

  /// Follows a changed config. A broken one changes nothing: the previous one remains in effect.
  private func followConfig() async -> Bool {
    let path = run.session.config.found.path
    let text = try? FileSystem.read(path)
    guard text != config else { return false }
    config = text
    do {
      let new = try await remake()
      for task in tasks { task.cancel() }
      streams = nil
      let old = run
      run = new
      // Closes of another config may be those of other requests, and what was refused may be offered now.
      trendPlan = TrendPlan()
      if options.asksTrends { run.take([:]) }
      if let looked { await run.board.follow(run.look(at: looked)) }
      (balances, keysProblem, recordingProblem) = (nil, nil, nil)
      configProblem = nil
      await old.board.stop()
      alerts = options.hasAlerts ? new.alerts(in: context) : nil
      start()
      // A pair screen would still use the old config.
      change(visit: .close)
      // Anything still under way on the old connections finishes within this time.
      Task {
        try? await Task.sleep(for: .seconds(60))
        old.session.close()
      }
      let reloaded = run.settings.language("config changed and reloaded", "설정 파일이 바뀌어 다시 읽음")
      answer(.text(reloaded, about: .config))
    } catch {
      answer(.withdrawn(.config))
      let report = ErrorReport(
        error, program: context.program, command: nil, palette: .plain, width: 1000, columns: nil)
      configProblem = context.redacted("\(path) is invalid, so it is not used: \(report.sentence)")
    }
    return true
  }
}
