import Asking
import Config
import Mapping
import MarketData
import Quotes
import Synchronization
import Terminal
import Views

/// The data that a live view of one pair follows.
struct PairFollowing: Sendable {
  let session: MarketSession
  let sources: [PairPoller.Source]
  let subjects: [PairPoller.Subject]
  /// The initial interval of candles.
  let interval: CandleInterval
  /// The speed of a replay; nil if not specified.
  var speed: Int?

  /// Returns what asks for the data, for candles at another interval if there is one.
  func poller(_ interval: CandleInterval? = nil) -> PairPoller {
    let subjects = subjects.map { subject in
      if let interval, case .candles(_, let count, let zone) = subject {
        PairPoller.Subject.candles(interval, count: count, zoneSeconds: zone)
      } else {
        subject
      }
    }
    let tokens = session.configuration.settings.dollarTokens
    return PairPoller(
      session, sources, subjects, token: ChartRates.token(between: Array(sources.prefix(2)), tokens))
  }

  /// The board before anything has arrived.
  var board: PairBoard {
    let (sources, token) = poller().beginning
    return PairBoard(sources, token: token, interval: interval)
  }
}

extension PairSettings {
  init(_ session: MarketSession, language: Language, zone: ClockZone, rule: HeadlineRule = .standard) {
    let settings = session.configuration.settings
    self.init(
      language: language, zone: zone, identity: IdentityCheck(limitPercent: settings.identityPercent), rule: rule,
      isReplay: session.replay != nil)
    dollarTokens = settings.dollarTokens
  }
}

/// A mutex that closures, and copies of a value, can share.
final class SharedMutex<Value: Sendable>: Sendable {
  let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }
}

/// Events from the feeds that have not been taken yet.
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

/// Polls and streams what a live screen shows, and more when it asks for more.
private final class PairRequests: Sendable {
  private let following: PairFollowing
  private let events: Mailbox
  private let clock: ReplayClock
  private let task = Mutex<(following: Task<Void, Never>?, interval: CandleInterval)?>(nil)

  init(_ following: PairFollowing, _ clock: ReplayClock, _ events: Mailbox) {
    (self.following, self.clock, self.events) = (following, clock, events)
    begin(following.interval)
  }

  /// Starts polling and streaming, with this interval if candles are asked for.
  private func begin(_ interval: CandleInterval) {
    let poller = following.poller(interval)
    let (events, clock, speed) = (events, clock, following.speed ?? 1)
    let (isReplay, recorded) = (following.session.replay != nil, following.session.clock)
    let following = Task {
      guard isReplay else { return await poller.run { events.put($0) } }
      do {
        try await poller.play(speed: speed, on: clock, { events.put($0) }, { !Task.isCancelled })
      } catch {
        let failure = AnswerFailure(.notRecorded, "\(error)")
        events.put(PairEvent(source: 0, .failed(failure, retry: nil), arrival: clock.time ?? recorded()))
      }
    }
    task.withLock { task in
      task?.following?.cancel()
      task = (following, interval)
    }
  }

  func end() { task.withLock { $0?.following?.cancel() } }

  func perform(_ effects: [PairEffect]) {
    for effect in effects {
      switch effect {
      case .quit, .copy, .save, .page, .say: break
      case .show(let interval): begin(interval)
      case .older(let source, let before, let count):
        guard let interval = task.withLock({ $0?.interval }) else { continue }
        let (poller, events) = (following.poller(interval), events)
        Task { events.put(await poller.older(of: source, interval, before: before, count: count)) }
      }
    }
  }
}

/// A screen about one pair that may have been opened from another screen.
protocol PairDetail: LiveScreen, Sendable {
  /// Stops all its polling and streaming.
  func end()
}

/// A view of a pair on the loop of live screens.
struct PairLive<Screen: LivePairScreen>: PairDetail {
  private var view: PairView<Screen>
  private let events: Mailbox
  private let asking: PairRequests
  private let following: PairFollowing
  private let settings: PairSettings
  private var recording: RecordingNotice
  /// The clock of the view: real time, or that of the recordings.
  private let now: @Sendable () -> Instant
  /// The size of the last picture, as keys move by half a screen.
  private let room = SharedMutex(ScreenSize(columns: 80, rows: 24))

  /// Creates the view and starts its feeds.
  ///
  /// - Parameter wake: Called after each event, from any thread.
  init(_ screen: Screen, _ following: PairFollowing, _ settings: PairSettings, wake: @escaping @Sendable () -> Void) {
    view = PairView(following.board, screen, settings)
    self.settings = settings
    recording = RecordingNotice(following.session)
    events = Mailbox(wake)
    let replayed = ReplayClock()
    let clock = following.session.clock
    now = { replayed.time ?? clock() }
    asking = PairRequests(following, replayed, events)
    self.following = following
  }

  func end() { asking.end() }

  var isLineOpen: Bool { view.isLineOpen }

  mutating func handle(_ event: LiveEvent, at now: Instant) -> LiveOutcome {
    let room = room.value.withLock { $0 }
    view.advance(to: self.now())
    switch event {
    case .key(let key):
      let effects = view.press(key, room, at: self.now())
      if effects.contains(.quit) { return .end }
      for case .page(let place) in effects { view.takePage(page(ofSource: place), ofSource: place) }
      asking.perform(effects)
      for case .save(let saved) in effects {
        view.say(NewFile.write(saved, zone: settings.zone, at: self.now(), settings.language))
      }
      let copies = effects.compactMap { if case .copy(let text) = $0 { LiveOutcome.Effect.copy(text) } else { nil } }
      if !copies.isEmpty { return LiveOutcome(effects: copies) }
    case .paste(let text): view.paste(text)
    case .news: asking.perform(view.take(events.take(), room))
    case .second: if let problem = recording.problem() { view.say(settings.language.incompleteRecording(problem)) }
    case .awoke, .resized: break
    case .hangulIsOn, .colorsSwitched, .mouseSwitched:
      if let notice = LiveText.notice(of: event, settings.language) { view.say(notice) }
    case .mouse(let event):
      guard event.action == .wheelUp || event.action == .wheelDown else { return .unchanged }
      asking.perform(view.scroll(up: event.action == .wheelUp, room, at: self.now()))
    }
    return .changed
  }

  private func page(ofSource place: Int) -> Hyperlink? {
    let source = view.board.sources[place]
    return following.session.page(of: source.exchange, source.market, source.pair, row: source.ticker)
      .flatMap { Hyperlink($0) }
  }

  func picture(in size: ScreenSize, at now: Instant) -> LivePicture {
    room.value.withLock { $0 = size }
    return view.frame(in: size, at: self.now()).picture
  }
}
