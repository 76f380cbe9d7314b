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
    /// The rules of the command line, in addition to those of the file.
    package var rules: [AlertRule] = []
    /// Whether the rules of the user's file apply; a list of all pairs has none.
    package var hasAlerts = true
    /// Whether to draw charts of the pairs with the largest turnover in a list.
    package var asksLeaders = false
    /// How long the screen stays open; nil for no limit.
    package var timeoutMilliseconds: Int?
    package var speed = 1

    package init(of run: WatchRun, _ asking: AskingOptions, in context: Context) {
      palette = context.palette(asking.colors, preferring: run.session.config.preferredScheme)
      live.isReplay = run.session.replay != nil
      live.flashes = palette.isColored
    }
  }

  private let options: Options
  private let context: Context
  /// The same without messages, which would appear in the middle of the screen.
  private let quiet: Context
  private var isClosed = false
  /// Recreates the run after the config has changed.
  private let remake: @Sendable () async throws -> WatchRun
  private var run: WatchRun
  private var alerts: Followed<AlertsFile>?
  private lazy var commands = AlertCommands { rule, problem in await self.commandEnded(rule, problem) }
  private var tasks: [Task<Void, Never>] = []
  private let streams = FollowedStreams()
  /// Looks up the source of a row.
  private var explaining: Task<Void, Never>?
  /// The user's accounts, once they have been viewed.
  private var balances: BalanceFeed?
  /// Why the key file is not in effect.
  private var keysProblem: String?
  /// The text of the config in use, and what is wrong with the file's current text.
  private var config: [UInt8]?
  private var configProblem: String?
  private var answers = 0
  /// The pair of a list whose screen is open.
  private var looked: Pair?

  private let news: Mutex<WatchUpdate>
  private let reached = Mutex<AlertFiring?>(nil)
  /// A change to the pair screen that the screen has not yet picked up.
  private let visit = Mutex<DetailChange?>(nil)
  private let wakePipe: WakePipe

  /// The minimum time between two calculations of the figures.
  private static let figuresMilliseconds = 100
  /// How long to wait at the start for missing tables.
  private static let leadersPatienceMilliseconds = 5000

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
    news = Mutex(
      WatchUpdate(
        board: run.picture, favorites: run.favorites, rules: options.rules + (alerts?.contents ?? []), problems: []))
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
    streams.replace(with: nil)
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
    let live = LiveOptions(palette: options.palette, environment: context.environment.lookup, now: context.now)
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
    streams.replace(with: run.streaming())
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
      Task { await self.followLeaders(of: run) },
      // Figures also change without an answer, as data ages.
      Task {
        var looked = run.now()
        while (try? await Task.sleep(for: .seconds(1))) != nil {
          let now = run.now()
          if run.board.state.hasAged(since: looked, by: now) { run.touch() }
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

  /// Updates the leaders hourly, for a list whose tables have arrived.
  private func followLeaders(of run: WatchRun) async {
    guard options.asksLeaders else { return }
    var wait = Duration.milliseconds(Self.leadersPatienceMilliseconds)
    repeat {
      while !run.board.state.isSettled, wait > .zero {
        guard (try? await Task.sleep(for: .milliseconds(Self.figuresMilliseconds))) != nil else { return }
        wait -= .milliseconds(Self.figuresMilliseconds)
      }
      let leaders = await run.leaders()
      guard !Task.isCancelled else { return }
      self.run.take(leaders)
      tellFigures()
    } while (try? await Task.sleep(for: .seconds(3600))) != nil
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

  private nonisolated func tell(_ change: (inout WatchUpdate) -> Void) {
    news.withLock { change(&$0) }
    wakePipe.wake()
  }

  private func say(_ text: String) { answer(.text(text)) }

  private func answer(_ answer: WatchAnswer) {
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
      if let balances, await balances.followKeys() {
        keysProblem = await balances.keysProblem
        hasChanged = true
      }
      if hasChanged { tellFiles() }
    }
  }

  private func followFavorites() async -> Bool {
    let (hasChanged, feeds) = run.refreshFavorites()
    if let feeds {
      let board = run.board
      await board.follow(feeds)
      // A config that has changed meanwhile has streams of its own.
      if run.board === board { streams.replace(with: run.streaming()) }
    }
    return hasChanged
  }

  private func tellFiles() {
    let rules = options.rules + (alerts?.contents ?? [])
    let files = [configProblem, run.brokenProblem, run.favoritesProblem, alerts?.sentence, keysProblem]
    let problems = files.compactMap(\.self)
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
      streams.replace(with: nil)
      let old = run
      run = new
      if let looked { await run.board.follow(run.look(at: looked)) }
      (balances, keysProblem) = (nil, nil)
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
      say(reloaded)
    } catch {
      answer(.withdrawn(reloaded))
      let report = ErrorReport(
        error, program: context.program, command: nil, palette: .plain, width: 1000, columns: nil)
      let reason = report.text.split(separator: "\n").first.map(String.init) ?? ""
      configProblem = context.redacted("\(path) is invalid, so it is not used: \(reason.trimmingPrefix("error: "))")
    }
    return true
  }

  private var reloaded: String {
    run.settings.language("config changed and reloaded", "설정 파일이 바뀌어 다시 읽음")
  }

  // MARK: Actions

  private func perform(_ action: WatchAction) async {
    switch action {
    case .effect(let effect): await perform(effect)
    case .awoke: await run.board.pollSoon()
    case .wake(let milliseconds):
      Task {
        try? await Task.sleep(for: .milliseconds(milliseconds))
        wakePipe.wake()
      }
    case .run(let command, let firing): commands.run(command, firing)
    case .reached(let firing): reached.withLock { $0 = firing }
    case .save(let saved):
      say(NewFile.write(saved, zone: context.localClock(run.now()) ?? .utc, at: run.now(), run.settings.language))
    }
  }

  private func perform(_ effect: WatchEffect) async {
    let language = run.settings.language
    switch effect {
    case .quit, .copy, .copyScreen, .save: break
    case .toggleFavorite(let pair): await toggleFavorite(pair)
    case .askNow(let key):
      await run.board.pollSoon(key)
      say(language("polling as rate limits allow", "호출 한도 내에서 조회함"))
    case .togglePause(let key): await run.board.togglePause(key)
    case .explain(let key): explain(key)
    case .page(let key): showPage(of: key)
    case .askBalances: await askBalances()
    case .askBalancesAgain: await balances?.askAgain()
    case .addAlert(let rule, let replaced): addAlert(rule, replacing: replaced)
    case .removeAlert(let text):
      guard !isFixed(text) else { return say(fixed) }
      change(
        alerts: { file throws(UserFileProblem) in try file.remove(text) }, language("removed: ", "알림 삭제: ") + text,
        else: language("not removed", "삭제 안 됨"))
    case .visit(let visit, let pair, let row, let beside): open(visit, pair, row, beside)
    case .look(let pair): await look(at: pair)
    }
  }

  private func toggleFavorite(_ pair: Pair) async {
    let undone = run.settings.language("not changed", "변경 안 됨")
    guard context.paths.config != nil else { return refuseWithoutHome(undone) }
    let result = Result { () throws(UserFileProblem) in try run.toggleFavorite(pair) }
    _ = await followFavorites()
    tellFiles()
    guard case .failure(let problem) = result else { return }
    refuse(undone, problem, of: "favorites.json", cause: run.favoritesProblem)
  }

  /// Explains a row on its own: it may wait for a message or an answer for seconds, and a newer one takes its place.
  private func explain(_ key: RowKey) {
    explaining?.cancel()
    explaining = Task { [run] in
      let lines = await run.explanation(of: key)
      if !Task.isCancelled { tell { $0.explanation = (key, lines) } }
    }
  }

  private func askBalances() async {
    if balances == nil {
      let feed = BalanceFeed(of: run, in: quiet) { balances in self.tell { $0.balances = balances } }
      balances = feed
      keysProblem = await feed.keysProblem
      if keysProblem != nil { tellFiles() }
    }
    await balances?.ask()
  }

  private func addAlert(_ rule: AlertRule, replacing replaced: String?) {
    guard !isFixed(rule.text) else { return say(fixed) }
    let language = run.settings.language
    let done =
      switch replaced {
      case nil, rule.text: language("armed: ", "알림 등록: ")
      case let replaced? where isFixed(replaced):
        language("armed beside the alert of the command line: ", "명령줄의 알림과 별도로 등록: ")
      default: language("changed: ", "알림 변경: ")
      }
    let idle = rule.pair.flatMap { run.pairs.contains($0) ? nil : $0 }.map { pair in
      language("\(pair) is not followed here, so it never fires: ", "\(pair)은(는) 관심 종목이 아니라 울리지 않음: ")
    }
    let absent = run.picture.absence(in: rule).map { "\($0): " }
    change(
      alerts: { file throws(UserFileProblem) in try file.add(rule, replacing: replaced) },
      (idle ?? absent ?? done) + rule.text, else: language("not added", "추가 안 됨"),
      entered: EnteredAlert(rule.text, replacing: replaced))
  }

  private func look(at pair: Pair?) async {
    looked = pair
    await run.board.follow(run.look(at: pair))
    // Nothing else polls while recordings are played.
    if run.session.replay != nil { await run.board.step() }
    run.touch()
  }

  /// Whether an alert comes from the command line, so that no file has it.
  private func isFixed(_ alert: String) -> Bool { options.rules.contains { $0.text == alert } }

  private var fixed: String {
    run.settings.language("this alert comes from the command line", "명령줄에서 지정한 알림")
  }

  private func showPage(of key: RowKey) {
    let row = run.picture[key.pair]?.snapshot.row(key)
    let page = run.session.page(of: key.exchange, key.market, key.pair, row: row?.ticker)
    if let page = page.flatMap({ Hyperlink($0) }) {
      answer(.page(page))
    } else {
      say(LiveText.pageNotice(key.exchange, run.settings.language))
    }
  }

  /// Opens a screen about a pair in front of this one.
  private func open(_ visit: BlockKind, _ pair: Pair, _ row: RowKey?, _ beside: [RowKey]) {
    let (sources, absent) = run.sources(of: visit, pair, first: row, beside: beside)
    let language = run.settings.language
    if !absent.isEmpty {
      let names = absent.map(\.exchange).joined(separator: ", ")
      say(language("not offered by \(names)", "제공하지 않음: \(names)"))
    }
    guard !sources.isEmpty else {
      return say(language("no exchange offers that for \(pair)", "\(pair): 제공하는 거래소 없음"))
    }
    // The screen before shows the reader's own clock, if it is not UTC.
    let zone = run.settings.localClock(run.now()) ?? (pair.payment == "KRW" ? .seoul : .utc)
    var settings = PairSettings(run.session, language: run.settings.language, zone: zone)
    settings.isVisit = true
    settings.scheme = options.palette.scheme
    let screen = visit.screen(
      sources, areChosen: !beside.isEmpty, settings, run.session, speed: options.speed
    ) { [wakePipe] in wakePipe.wake() }
    change(visit: .open(screen))
  }

  private func change(visit new: DetailChange) {
    visit.withLock { change in
      if case .open(let waiting)? = change { waiting.end() }
      change = new
    }
    wakePipe.wake()
  }

  /// Reports that there is no place for the user's files.
  private func refuseWithoutHome(_ undone: String, entered alert: EnteredAlert? = nil) {
    let reason = run.settings.language("neither HOME nor XDG_CONFIG_HOME is set", "HOME과 XDG_CONFIG_HOME이 설정되지 않음")
    answer(.refused(RefusedChange("\(undone): \(reason)", cause: nil, alert: alert)))
  }

  /// - Parameters:
  ///   - undone: The beginning of the sentence if the change cannot be made.
  ///   - alert: The alert that was entered, which is then still to be edited.
  private func change(
    alerts change: (AlertsFile) throws(UserFileProblem) -> Void, _ done: String, else undone: String,
    entered alert: EnteredAlert? = nil
  ) {
    guard let file = alerts?.file else { return refuseWithoutHome(undone, entered: alert) }
    let result = Result { () throws(UserFileProblem) in try change(file) }
    // A sentence about an ongoing problem disappears with it, so the problem has to be known first.
    alerts?.refresh()
    tellFiles()
    switch result {
    case .success: say(done)
    case .failure(let problem): refuse(undone, problem, of: "alerts.json", cause: alerts?.sentence, entered: alert)
    }
  }

  /// Says why a change to one of the user's files was not made.
  ///
  /// - Parameter cause: The ongoing problem of the file, if there is one.
  private func refuse(
    _ undone: String, _ problem: UserFileProblem, of file: String, cause: String?, entered alert: EnteredAlert? = nil
  ) {
    let language = run.settings.language
    let again = alert == nil ? "" : language("; repair it, then press Enter again", "; 고친 뒤 다시 Enter")
    let reason =
      switch problem {
      case .unreadable: language("\(file) is invalid", "\(file) 오류") + again
      case .unacceptable(let reason): language("\(file) would be invalid: \(reason)", "\(file) 오류가 됨: \(reason)")
      case .file(let error): "\(error)"
      }
    answer(.refused(RefusedChange("\(undone): \(reason)", cause: cause, alert: alert)))
  }
}
