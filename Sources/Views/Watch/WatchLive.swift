package import MarketData
package import Quotes
package import Terminal

/// The result of a user's command.
package enum WatchAnswer: Sendable, Hashable {
  /// - about: What it is about, if that may change later.
  case text(String, about: WatchProblem.Subject? = nil)
  /// What was said about this is no longer true, in case it is still shown.
  case withdrawn(WatchProblem.Subject)
  /// An exchange's own page.
  case page(Hyperlink)
  /// A change to one of the user's files that was not made.
  case refused(RefusedChange)
}

/// The text of an alert that was entered, and of the one that it replaces.
package struct EnteredAlert: Sendable, Hashable {
  package let text: String
  /// nil for a new one.
  package let replaced: String?

  package init(_ text: String, replacing replaced: String? = nil) { (self.text, self.replaced) = (text, replaced) }
}

/// An ongoing problem of a live screen.
package struct WatchProblem: Sendable, Hashable {
  /// What has the problem. There is one problem of each at a time.
  package enum Subject: Sendable, Hashable {
    case recording, config, favorites, alerts, keys
    /// Blocks of the config, beside others that can be used.
    case blocks
  }

  package let subject: Subject
  /// `favorites.json is broken: …`
  package let sentence: String

  package init(_ subject: Subject, _ sentence: String) { (self.subject, self.sentence) = (subject, sentence) }
}

/// A change to one of the user's files that was not made.
package struct RefusedChange: Sendable, Hashable {
  /// `not added: alerts.json is invalid; repair it, then press Enter again`
  package var sentence: String
  /// What has the ongoing problem that is the reason, with which the sentence disappears; nil if the reason is not
  /// ongoing.
  package var cause: WatchProblem.Subject?
  /// The alert that was entered; nil if nothing was.
  package var alert: EnteredAlert?

  package init(_ sentence: String, cause: WatchProblem.Subject?, alert: EnteredAlert? = nil) {
    (self.sentence, self.cause, self.alert) = (sentence, cause, alert)
  }
}

/// The current state of a live screen's feeds and files.
package struct WatchUpdate: Sendable {
  package var board: WatchBoard
  package var favorites: Favorites
  package var rules: [AlertRule]
  /// By the text of an alert: why its command failed the last time.
  package var commandProblems: [String: AlertCommandProblem] = [:]
  package var problems: [WatchProblem]
  /// The result of the user's last command; each is shown once.
  package var answer: (number: Int, WatchAnswer)?
  package var explanation: (key: RowKey, lines: [String])?
  package var balances: WatchBalances?
  /// Whether the screen should close.
  package var isOver = false

  package init(board: WatchBoard, favorites: Favorites, rules: [AlertRule], problems: [WatchProblem]) {
    self.board = board
    self.favorites = favorites
    self.rules = rules
    self.problems = problems
  }
}

/// `market watch` on a terminal: events update its state, from which frames are drawn.
package struct WatchLive: LiveScreen {
  package struct Options: Sendable {
    package var flashes = true
    /// The minimum interval between updates of figures; nil to update whenever they arrive.
    package var everyMilliseconds: Int?
    /// Whether answers are replayed from recordings: clocks show recorded time, and sparse data is not a gap.
    package var isReplay = false
    /// Closes the screen when it fires.
    package var until: AlertRule?

    package init() {}
  }

  package private(set) var state: WatchState
  /// The newest state, or the one that is due.
  private var news: WatchUpdate
  private var ticks = PriceTicks()
  private var until: AlertWatch
  private let options: Options
  private var size = ScreenSize(columns: 80, rows: 24)
  private var taken: Instant?
  private var answerShown = 0
  /// The listed pair whose screen is open.
  private var looked: Pair?
  private var notified: Instant?

  private let newest: @Sendable () -> WatchUpdate
  /// Performs an action outside of the screen; its result appears in the news.
  private let perform: @Sendable (WatchAction) -> Void

  /// The number of lines per wheel step.
  package static let wheelLines = 3
  /// The minimum interval between notifications in milliseconds; alerts in between only ring.
  private static let notificationMilliseconds = 60_000

  package init(
    _ state: WatchState, _ options: Options = Options(), newest: @escaping @Sendable () -> WatchUpdate,
    perform: @escaping @Sendable (WatchAction) -> Void
  ) {
    self.state = state
    self.options = options
    self.newest = newest
    self.perform = perform
    news = newest()
    self.state.alerts = AlertWatch(news.rules, isReplay: options.isReplay)
    until = AlertWatch([options.until].compactMap(\.self), isReplay: options.isReplay)
    self.state.take(news.board)
  }

  /// Whether keys are line input or the answer to a question.
  package var isLineOpen: Bool { state.line != nil || state.choosesForm }

  package mutating func handle(_ event: LiveEvent, at now: Instant) -> LiveOutcome {
    switch event {
    case .resized(let size):
      self.size = size
      return .changed
    case .news: return takeNews(at: now)
    case .second:
      askTrends(at: now)
      return takeNews(at: now)
    case .awoke:
      perform(.awoke)
      return .changed
    case .hangulIsOn, .colorsSwitched, .mouseSwitched:
      state.message = LiveText.notice(of: event, news.board.settings.language)
      return .changed
    case .paste(let text):
      state.paste(text, board(at: now))
      return .changed
    case .mouse(let event): return take(event, at: now)
    case .key(let key):
      let board = board(at: now)
      let page = WatchScreen.page(size, state)
      if state.choosesForm { return follow(state.choose(key), board, at: now) }
      if isLineOpen { return follow(state.type(key, board, page: page), board, at: now) }
      guard let command = WatchKey.command(key), WatchKey.applies(command, inList: state.list != nil) else {
        return .unchanged
      }
      let rows = state.showsHelp ? max(1, size.rows - 2) : page
      return follow(state.perform(command, board, page: rows, columns: size.columns), board, at: now)
    }
  }

  private mutating func take(_ event: MouseEvent, at now: Instant) -> LiveOutcome {
    let board = board(at: now)
    switch event.action {
    case .wheelUp, .wheelDown:
      let lines = event.action == .wheelUp ? -Self.wheelLines : Self.wheelLines
      let rows = max(1, size.rows - 2)
      return follow(state.perform(.move(lines), board, page: rows, columns: size.columns), board, at: now)
    case .press where event.button == 0 && !state.showsHelp:
      guard let target = WatchScreen(board, state, size).frame().target(at: event.place) else { return .unchanged }
      return follow(state.click(target, at: event.place.column, board), board, at: now)
    case .press, .drag, .release: return .unchanged
    }
  }

  // MARK: Behind another screen

  /// Follows a screen in front, which commands are about from now on; nil after it has closed.
  package mutating func follow(visit: (pair: Pair, row: RowKey?)?) { state.visited = visit }

  /// Returns what must be visible on any screen in front of this one: a fired alert and the result of a command.
  package func notices(in size: ScreenSize, at now: Instant) -> [StyledText] {
    WatchScreen(board(at: now), state, size).notices
  }

  /// Clears the notices that have been seen.
  ///
  /// - Returns: whether there was an alert.
  package mutating func clearNotices(alerts: Bool) -> Bool {
    state.message = nil
    guard alerts, !state.alarms.isEmpty else { return false }
    state.clearAlarms()
    return true
  }

  package func picture(in size: ScreenSize, at now: Instant) -> LivePicture {
    WatchScreen(board(at: now), state, size).frame().picture
  }

  /// Returns the board with the event loop's clock.
  private func board(at now: Instant) -> WatchBoard {
    var board = timed(news.board, at: now)
    board.ticks = ticks.flashing(at: now)
    return board
  }

  /// Returns a board whose clocks keep running between updates, except in replays.
  private func timed(_ board: WatchBoard, at now: Instant) -> WatchBoard {
    var board = board
    if !options.isReplay { board.now = now }
    board.time = now
    return board
  }

  // MARK: News

  private mutating func takeNews(at now: Instant) -> LiveOutcome {
    var newest = newest()
    newest.board = timed(newest.board, at: now)
    var outcome = LiveOutcome(isEnd: newest.isOver)
    state.favorites = newest.favorites
    (state.problems, state.commandProblems) = (newest.problems, newest.commandProblems)
    state.explanation = newest.explanation
    state.balances = newest.balances
    // About once a second while visible.
    if state.screen == .balances { perform(.effect(.askBalances)) }
    if newest.rules != state.alerts.rules { state.alerts.follow(newest.rules) }
    if let (number, answer) = newest.answer, number != answerShown {
      answerShown = number
      state.take(answer)
    }
    // Alerts see every update, however rarely the screen is redrawn.
    let firings = state.alerts.take(newest.board.figures, newest.board.state, at: newest.board.now)
    state.take(firings)
    for firing in firings where !firing.isSilent { outcome.effects += sound(of: firing, at: now) }
    if let firing = until.take(newest.board.figures, newest.board.state, at: newest.board.now).first {
      perform(.reached(firing))
      outcome.effects += sound(of: firing, at: now)
      outcome.isEnd = true
    }
    guard isDue(at: now) || newest.board.pairs != news.board.pairs else {
      // Only figures wait: with feeds of that time, healthy ones would look stale.
      news.board.follow(feedsOf: newest.board)
      return outcome
    }
    taken = now
    news = newest
    if options.flashes, ticks.take(newest.board, at: now) { perform(.wake(milliseconds: PriceTicks.milliseconds)) }
    state.take(board(at: now))
    return outcome
  }

  /// Requests the closes that are on the screen, once prices have been.
  private func askTrends(at now: Instant) {
    guard news.board.state.isSettled, news.board.settings.trends != nil else { return }
    // Also none: those of a screen that was left are no longer wanted.
    let rows = WatchScreen(board(at: now), state, size).trendRows()
    perform(.effect(.askTrends(rows, hours: Trend.hours(columns: size.columns))))
  }

  private func isDue(at now: Instant) -> Bool {
    guard let every = options.everyMilliseconds, news.board.state.isSettled else { return true }
    return now.isPast(.milliseconds(every), after: taken)
  }

  /// Returns an alert's effects besides its line.
  private mutating func sound(of firing: AlertFiring, at now: Instant) -> [LiveOutcome.Effect] {
    var effects: [LiveOutcome.Effect] = []
    for action in firing.rule.actions {
      switch action {
      case .bell: effects.append(.bell)
      case .desktop:
        guard now.isPast(.milliseconds(Self.notificationMilliseconds), after: notified) else {
          effects.append(.bell)
          continue
        }
        notified = now
        effects.append(
          .notify(title: AlertText.title(firing), body: AlertText.sentence(firing, news.board.settings.language)))
      case .command(let command): perform(.run(command, firing))
      }
    }
    return effects
  }

  // MARK: Effects

  private mutating func follow(_ effect: WatchEffect?, _ board: WatchBoard, at now: Instant) -> LiveOutcome {
    if state.list != nil, state.screen.pair != looked {
      looked = state.screen.pair
      perform(.effect(.look(looked)))
    }
    let language = board.settings.language
    switch effect {
    case nil: return .changed
    case .quit: return .end
    case .copy(let text):
      state.message = language("copied: ", "복사함: ") + text
      return LiveOutcome(effects: [.copy(text)])
    case .copyScreen:
      let picture = text(at: now)
      state.message = language.copiedScreen(picture)
      return LiveOutcome(effects: [.copy(picture)])
    case .save(let form):
      perform(.save(state.saved(as: form, state.shown(board), picture: text(at: now))))
      return .changed
    case .some(let effect):
      perform(.effect(effect))
      return .changed
    }
  }

  /// Returns the screen without colors.
  private func text(at now: Instant) -> String { WatchScreen(board(at: now), state, size).frame().text(with: .plain) }
}

/// An action that a live screen cannot perform itself.
package enum WatchAction: Sendable {
  case effect(WatchEffect)
  /// The system has slept, or the process was stopped.
  case awoke
  /// Wake the screen after this time, when a flash ends.
  case wake(milliseconds: Int)
  case run(String, AlertFiring)
  /// The condition for closing the screen was met.
  case reached(AlertFiring)
  /// Save what is shown to a new file.
  case save(SavedView)
}
