package import Cassettes
import Config
import HTTP
import Mapping
import Quotes
import Transport

/// Streams over the network.
///
/// A single task processes input in order of arrival and carries out the hub's commands; the network thread puts
/// messages into a box and wakes it.
///
///     let run = StreamRun(session, markets, query)
///     await run.follow { events in …; return isWanted }
package struct StreamRun: Sendable {
  private let session: MarketSession
  private let asking: StreamRequests
  private let recorder: StreamRecorder?
  private let explanations: RowExplanations?
  /// The initial subjects, in addition to those from tables.
  private let subjects: [StreamSubject]

  /// The longest sleep, after which the run notices a clock that has jumped.
  private static let maximumSleep = Duration.seconds(1)

  /// Creates a run that is recorded if the session is.
  ///
  /// - Parameters:
  ///   - answers: Another component that polls rows and shares its answers; nil if there is none.
  ///   - explanations: The requests for explanations of streamed rows; nil if there are none.
  package init(
    _ session: MarketSession, _ markets: [AskedMarket], _ query: StreamQuery,
    explanations: RowExplanations? = nil, answers: StreamRequests.Answers? = nil
  ) {
    self.session = session
    recorder = session.streamRecorder
    self.explanations = explanations
    subjects = []
    asking = StreamRequests(session, markets, query, answers)
  }

  /// Creates a run for subjects whose tables are known; none of their pairs is polled by REST.
  package init(_ session: MarketSession, _ subjects: [StreamSubject], recorder: StreamRecorder) {
    self.session = session
    self.recorder = recorder
    explanations = nil
    self.subjects = subjects.map { subject in
      var subject = subject
      subject.pollsWhenOffline = false
      return subject
    }
    asking = StreamRequests(session, [], StreamQuery([], [], session.interpretation()))
  }

  /// Runs until the task is cancelled, or `take` returns false; then closes all connections.
  package func follow(_ take: @Sendable ([StreamEvent]) async -> Bool) async {
    guard let streams = session.streams else { return }
    let box = StreamBox(session.clock)
    let listener = explanations?.listen { box.add(.explain($0), answering: nil) }
    defer { if let listener { explanations?.forget(listener) } }
    if !subjects.isEmpty { box.add(.start(subjects), answering: nil) }
    await withDiscardingTaskGroup { group in
      for place in asking.markets.indices {
        group.addTask { await self.start(place, box) }
      }
      var loop = Loop(
        box: box, streams: streams, hub: StreamHub(session.sendWindows), recorder: recorder,
        exchanges: Set(asking.markets.map(\.exchange.name)).sorted())
      for await _ in box.wakes {
        let (events, queries) = loop.turn()
        for query in queries { group.addTask { await self.answer(query, box) } }
        if Task.isCancelled { break }
        if !events.isEmpty, await !take(events) { break }
      }
      loop.close()
      group.cancelAll()
    }
  }

  private func start(_ place: Int, _ box: StreamBox) async {
    let (exchange, market) = asking.markets[place]
    var numbers = RESTAnswerLog.Numbers()
    var previous: StreamStart?
    var subjects: [StreamSubject] = []
    for attempt in 1... {
      let arrivals = ArrivalList()
      let start = await asking.noting(arrivals).start(of: place, after: previous)
      if Task.isCancelled { return }
      previous = start
      subjects += start.subjects
      let wait = start.isLast ? nil : FeedPlan.backOff.wait(after: attempt)
      box.add(
        .start(start.subjects, start.renewals), answering: numbers.next(.start(market.market), of: exchange.name),
        arrived: arrivals.all
      ) { moment in
        asking.events(of: start, place, at: moment, retry: wait.map { moment.advanced(by: $0) })
      }
      guard let wait else { break }
      guard (try? await Task.sleep(for: wait)) != nil else { return }
    }
    await renewDoubted(subjects, of: exchange, market, box)
  }

  /// How long lookups that are in doubt go unnoticed.
  private static let checksDoubtsAfter = Duration.seconds(15)

  /// Gives streams new lookups once figures of their pairs put those in doubt with which they began.
  private func renewDoubted(
    _ subjects: [StreamSubject], of exchange: Exchange, _ market: ExchangeMarket, _ box: StreamBox
  ) async {
    guard var doubted = DoubtedLookups(of: subjects, exchange.name, market.market, at: session.clock()) else { return }
    while (try? await Task.sleep(for: Self.checksDoubtsAfter)) != nil {
      let renewals = await doubted.renewals(by: session.newRound())
      if !renewals.isEmpty { box.add(.start([], renewals), answering: nil) }
    }
  }

  private func answer(_ query: Loop.Query, _ box: StreamBox) async {
    let input: StreamInput
    let arrivals = ArrivalList()
    let asking = asking.noting(arrivals)
    switch query.command {
    case .ask(let request): input = .answered(await asking.answer(to: request), link: query.link)
    case .poll(let pairs, let isAgain):
      input = .polled(await asking.poll(pairs, of: query.subject, isAgain: isAgain), link: query.link)
    default: return
    }
    // That the end of the run has cut off a request is no answer: a replay would ask for it.
    if !Task.isCancelled { box.add(input, answering: query.request, arrived: arrivals.all) }
  }
}

extension StreamRun {
  /// The hub, its connections, and the clock.
  private struct Loop {
    struct Query: Sendable {
      let command: StreamCommand
      let link: Int
      let subject: StreamSubject
      let request: RESTAnswerLog.Request
    }

    let box: StreamBox
    let streams: StreamHandler
    let recorder: StreamRecorder?
    let exchanges: [String]
    private var hub: StreamHub
    /// The latest connection of each link.
    private var connections: [Int: any StreamConnection] = [:]
    private var requests: [Int: StreamRequest] = [:]
    private var recordings: [Int: StreamRecording] = [:]
    private var numbers = RESTAnswerLog.Numbers()
    private var last = Instant(nanoseconds: 0)
    /// How far the clock has been set back since the run began.
    private var behind = Duration.zero
    private var alarm = WakeTimer()

    /// After this long without a turn, though one comes each second, the program was stopped or the machine slept: what
    /// is read now may have arrived at any time since.
    private static let suspendedNanoseconds: Int64 = 10_000_000_000
    /// A clock that was set back by less is waited for.
    private static let setBackNanoseconds: Int64 = 2_000_000_000
    private var timer: Task<Void, Never>?

    init(
      box: StreamBox, streams: @escaping StreamHandler, hub: StreamHub, recorder: StreamRecorder?, exchanges: [String]
    ) {
      (self.box, self.streams, self.hub, self.recorder, self.exchanges) = (box, streams, hub, recorder, exchanges)
    }

    /// Processes received input, and everything that is due.
    mutating func turn() -> (events: [StreamEvent], queries: [Query]) {
      var events: [StreamEvent] = []
      var queries: [Query] = []
      let begin = box.clock()
      if last.nanoseconds > 0, begin.nanoseconds(since: last) > Self.suspendedNanoseconds {
        jump(.suspended, since: last, until: begin, &events, &queries)
        last = begin
      }
      for entry in box.empty() {
        // No two inputs at the same time, so that a replay keeps their order.
        let moment = max(last.advanced(by: .nanoseconds(1)), entry.at)
        advance(to: moment, &events, &queries)
        events += entry.events(moment)
        if let request = entry.request { recorder?.note(request, at: moment, behind: behind, arrived: entry.arrived) }
        if case .start(let subjects, _) = entry.input { note(subjects, at: moment) }
        record(entry.input, at: moment)
        run(hub.take(entry.input, at: moment), at: moment, &events, &queries)
        last = moment
      }
      var now = box.clock()
      if last.nanoseconds(since: now) > Self.setBackNanoseconds {
        advance(to: last, &events, &queries)
        jump(.setBack, since: last, until: now, &events, &queries)
      } else {
        now = max(now, last)
      }
      advance(to: now, &events, &queries)
      last = now
      wake(at: hub.deadline)
      return (events, queries)
    }

    /// Processes everything due up to a moment.
    private mutating func advance(to moment: Instant, _ events: inout [StreamEvent], _ queries: inout [Query]) {
      if let due = hub.deadline, StreamHub.isLate(due, at: moment) {
        jump(.late, since: due.advanced(by: .nanoseconds(-1)), until: moment, &events, &queries)
      }
      run(hub.advance(to: moment), at: moment, &events, &queries)
    }

    /// Records that the clock has jumped, as its replay has no other way to know, and lets the hub react.
    private mutating func jump(
      _ kind: ClockJump.Kind, since: Instant, until: Instant, _ events: inout [StreamEvent], _ queries: inout [Query]
    ) {
      let jump = ClockJump(kind, since: since, until: until, behind: behind)
      behind = jump.behind
      recorder?.note(jump, of: exchanges)
      run(hub.take(.jumped(kind), at: until), at: until, &events, &queries)
    }

    /// Records what a run may poll: it may end before it does, and its replay must not take that for other pairs.
    private func note(_ subjects: [StreamSubject], at moment: Instant) {
      for subject in subjects {
        var numbers = RESTAnswerLog.Numbers()
        recorder?.note(asked: numbers.next(.poll(subject.name), of: subject.exchange), at: moment)
      }
    }

    mutating func close() {
      timer?.cancel()
      for (link, command) in hub.close().commands {
        if case .close(let code) = command { connections[link]?.close(code: code) }
      }
    }

    private mutating func run(
      _ output: StreamHub.Output, at now: Instant, _ events: inout [StreamEvent], _ queries: inout [Query]
    ) {
      events += output.events
      for (link, command) in output.commands {
        switch command {
        case .ask, .poll:
          let subject = hub.subject(of: link)
          guard let answer = command.answer(about: subject) else { break }
          let request = numbers.next(answer, of: subject.exchange)
          recorder?.note(asked: request, at: now)
          queries.append(Query(command: command, link: link, subject: subject, request: request))
        case .open(let request, let generation):
          requests[link] = request
          recordings[link] = nil
          connections[link] = streams(request) { [box] signals in
            box.add(.signals(signals, link: link, generation: generation), answering: nil)
          }
        case .send(let message):
          connections[link]?.send(Array(message.text.utf8))
          recordings[link]?.note(sent: message.recorded, at: now)
        case .ping: connections[link]?.ping()
        case .close(let code):
          connections[link]?.close(code: code)
          connections[link] = nil
          recordings[link] = nil
        }
      }
    }

    private mutating func record(_ input: StreamInput, at now: Instant) {
      guard let recorder, case .signals(let signals, let link, let generation) = input,
        generation == hub.generation(of: link), let request = requests[link]
      else { return }
      let recording = recordings[link] ?? recorder.begin(request, at: now, behind: behind)
      recordings[link] = recording
      for signal in signals { recording.note(signal, at: now) }
    }

    private mutating func wake(at deadline: Instant?) {
      let wait = deadline.map { Duration.nanoseconds(max(0, $0.nanoseconds(since: last))) } ?? StreamRun.maximumSleep
      let due = last.advanced(by: min(wait, StreamRun.maximumSleep))
      guard let sleep = alarm.sleep(until: due, at: last, .now) else { return }
      timer?.cancel()
      timer = Task { [box] in
        if (try? await Task.sleep(for: sleep)) != nil { box.wake() }
      }
    }
  }
}
