package import Cassettes
import Config
import HTTP
import Mapping
package import Quotes
import Transport

/// Replays streams from recordings by their own clock: two runs give identical results, byte for byte.
///
/// Moments are in the run's time, which never goes back (``ClockJump``). The hub, requests and events have what the clock
/// showed.
package struct StreamReplay {
  private let asking: StreamRequests
  private var player: StreamPlayer
  private var hub = StreamHub()
  /// The remaining inputs, in order of time.
  private var coming = ComingInputs()
  /// The requests for tables and lookups that failed, which are due when the run made them: other requests for the same
  /// come before and after.
  private var starts: [PendingStart] = []
  private var numbers = RESTAnswerLog.Numbers()
  /// The remaining jumps of the run's clock, in order of time.
  private var jumps: ArraySlice<ClockJump>
  private var now: Instant
  /// How far the clock had been set back.
  private var behind = Duration.zero
  /// When the last recording ends, as it is played.
  private var end: Instant
  private let exchanges: [String]
  /// When the last signal of each connection was taken.
  private var heard: [Connection: Instant] = [:]
  /// The number of signals that came after the replay had given up their connection, by exchange.
  private var late: [String: Int] = [:]

  /// - Throws: `CassetteError` for recordings that cannot be read.
  package init(
    _ session: MarketSession, _ markets: [AskedMarket], _ query: StreamQuery,
    from directory: String
  ) throws {
    asking = StreamRequests(session, markets, query)
    exchanges = Set(markets.map(\.exchange.name)).sorted()
    player = try StreamPlayer(directory: directory, exchanges: exchanges)
    jumps = player.taken.jumps[...]
    let start = session.recordedStart ?? player.start
    now = start ?? Instant(nanoseconds: 0)
    // Without recordings, no time passes.
    end = player.end ?? (start == nil ? now : session.clock())
  }

  /// Whether the recordings are of a run of streams, whose answers have a place among the messages.
  var isOfRun: Bool { !player.taken.isEmpty }

  /// The exchanges whose recordings end in the middle of a line, which is not played.
  package var cut: [String] { player.cut }

  /// The exchanges of whose recorded run not all was played, and how many messages and answers were not: the replay did
  /// not take the course of the run. To be asked after the end.
  package var unplayed: [(exchange: String, count: Int)] {
    guard isOfRun else { return [] }
    return exchanges.compactMap { exchange in
      let links = coming.signals.filter { hub.subject(of: $0).exchange == exchange }
      let count = player.unplayed(of: exchange) + late[exchange, default: 0] + links.count
      return count > 0 ? (exchange, count) : nil
    }
  }

  /// Plays to the end of the recordings, or until `take` returns false.
  ///
  /// - Parameter take: Called with the events of each moment, before the next one is played.
  /// - Returns: Whether it has played to the end.
  @discardableResult
  package mutating func play(_ take: (_ moment: ReplayMoment, [StreamEvent]) async -> Bool) async -> Bool {
    for place in asking.markets.indices { await begin(PendingStart(place: place, asked: now)) }
    while let (moment, events) = await step() {
      if !events.isEmpty, await !take(moment, events) { return false }
    }
    return true
  }

  /// What the clock showed at a moment since it was last set back.
  private func shown(_ moment: Instant) -> Instant { moment.advanced(by: .zero - behind) }

  /// Returns the earliest moment of the run at which its clock showed a time, but not before another one of the same
  /// source: where it was set back, it showed times again.
  func moment(showing shown: Instant, notBefore previous: ReplayMoment?) -> ReplayMoment {
    let setBacks = player.taken.jumps.filter { $0.kind == .setBack }
    let times = ([.zero] + setBacks.map(\.behind)).map { shown.advanced(by: $0) }
    let ends: [Instant?] = setBacks.map(\.start) + [nil]
    let possible = zip(times, ends).first { time, end in
      let isBeforeNext = end.map { time <= $0 } ?? true
      return isBeforeNext && (previous.map { time >= $0.time } ?? true)
    }
    return ReplayMoment(possible?.0 ?? times.last ?? shown, showing: shown)
  }

  /// When something is due for the hub; nil if nothing is.
  private var deadline: Instant? { hub.deadline?.advanced(by: behind) }

  /// Requests the tables of a market, or those that failed before, as often as the run did.
  private mutating func begin(_ pending: PendingStart) async {
    let (exchange, market) = asking.markets[pending.place]
    let request = numbers.next(.start(market.market), of: exchange.name)
    let asked = shown(pending.asked)
    let start = await CassettePlayer.$arrivals.withValue(player.taken.arrivals(of: request)) { [asking] in
      await asking.start(of: pending.place, after: pending.previous, at: asked)
    }
    let taken = player.taken.take(request)
    if pending.previous != nil, taken == nil { return }
    // The run may have asked a moment before it was due by the clock of its events.
    let moment = taken ?? max(pending.asked, start.arrival?.advanced(by: behind) ?? pending.asked)
    extendEnd(to: moment)
    let wait = start.isLast || taken == nil ? nil : FeedPlan.backOff.wait(after: pending.attempt)
    coming.add(.start(start.subjects, start.renewals), at: moment) { [asking] shown in
      asking.events(of: start, pending.place, at: shown, retry: wait.map { shown.advanced(by: $0) })
    }
    guard let retry = wait.map({ moment.advanced(by: $0) }) else { return }
    // A run that was busy notes an answer later than it came, and asks again after the time since it came. It may even
    // have ended with that answer, before the next one was due by the clock of its events.
    var later = numbers
    let next = player.taken.moment(of: later.next(.start(market.market), of: exchange.name))
    starts.append(
      PendingStart(
        place: pending.place, asked: next.map { min($0, retry) } ?? retry, attempt: pending.attempt + 1,
        previous: start))
  }

  /// Returns the next events; nil if there are none up to the end.
  private mutating func step() async -> (ReplayMoment, [StreamEvent])? {
    let next = coming.next
    if let index = starts.indices.min(by: { starts[$0].asked < starts[$1].asked }), starts[index].asked <= end,
      [next, deadline].allSatisfy({ $0.map { starts[index].asked <= $0 } ?? true })
    {
      await begin(starts.remove(at: index))
      return (ReplayMoment(now, showing: shown(now)), [])
    }
    if let jump = jumps.first, [next, deadline].allSatisfy({ $0.map { jump.start < $0 } ?? true }) {
      jumps.removeFirst()
      behind = jump.behind
      now = max(now, jump.end)
      return await played(hub.take(.jumped(jump.kind), at: shown(now)))
    }
    if let due = deadline, next.map({ due <= $0 }) ?? true {
      // Anything overdue happens now.
      now = max(now, due)
      // At the end of time each deadline is due forever.
      guard now <= end, now.nanoseconds < .max else { return nil }
      return await played(hub.tick(at: shown(now)))
    }
    guard let next, next <= end, let (input, events) = coming.removeFirst() else { return nil }
    now = max(now, next)
    note(input)
    return await played(hub.take(input, at: shown(now)), after: events(shown(now)))
  }

  private mutating func played(
    _ output: StreamHub.Output, after events: [StreamEvent] = []
  ) async -> (ReplayMoment, [StreamEvent]) {
    await perform(output.commands)
    return (ReplayMoment(now, showing: shown(now)), events + output.events)
  }

  /// Notes what tells later whether everything was played.
  private mutating func note(_ input: StreamInput) {
    switch input {
    case .start(let subjects, _):
      for subject in subjects { player.taken.expect(.poll(subject.name), of: subject.exchange) }
    case .signals(_, let link, let generation):
      let connection = Connection(link: link, generation: generation)
      if hub.generation(of: link) == generation {
        heard[connection] = now
      } else if heard[connection].map({ $0 < now }) ?? true {
        // What arrived together with the end of a connection was left out in the run, too.
        late[hub.subject(of: link).exchange, default: 0] += 1
      }
    default: break
    }
  }

  private mutating func perform(_ commands: [(link: Int, command: StreamCommand)]) async {
    for (link, command) in commands {
      switch command {
      case .ask(let request):
        let (taken, isUntaken, arrivals) = taken(command, of: link)
        let answer = await CassettePlayer.$arrivals.withValue(arrivals) { [asking, moment = shown(now)] in
          await asking.answer(to: request, at: moment)
        }
        if isUntaken { continue }
        let arrival = (try? answer.get().arrival)?.advanced(by: behind)
        coming.add(.answered(answer, link: link), at: max(now, taken ?? arrival ?? now))
      case .poll(let pairs, let isAgain):
        let (taken, isUntaken, arrivals) = taken(command, of: link)
        let subject = hub.subject(of: link)
        let results = await CassettePlayer.$arrivals.withValue(arrivals) { [asking, moment = shown(now)] in
          await asking.poll(pairs, of: subject, isAgain: isAgain, at: moment)
        }
        if isUntaken { continue }
        let rows = results.compactMap { result -> Instant? in
          if case .success(.ticker(let row)) = result.result { row.arrival?.advanced(by: behind) } else { nil }
        }
        coming.add(.polled(results, link: link), at: max(now, taken ?? rows.max() ?? now))
      case .open(let request, let generation): open(request, link: link, generation: generation)
      case .send, .ping, .close: break
      }
    }
  }

  /// Returns when the run took the answer to a command, or nil if that was not recorded, whether it ended before, and
  /// when what the answer was made of arrived.
  /// A run of other channels or pairs made other requests; the answers to ours have no turn, and come as they arrived.
  private mutating func taken(
    _ command: StreamCommand, of link: Int
  ) -> (moment: Instant?, isUntaken: Bool, arrivals: Set<Instant>?) {
    let subject = hub.subject(of: link)
    guard let answer = command.answer(about: subject) else { return (nil, false, nil) }
    let request = numbers.next(answer, of: subject.exchange)
    let arrivals = player.taken.arrivals(of: request)
    let moment = player.taken.take(request)
    return (moment, moment == nil && player.taken.isUntaken(request), arrivals)
  }

  /// Puts off the end until an input has been played. Only a recorded run says itself what it lived to see.
  private mutating func extendEnd(to moment: Instant) {
    if !isOfRun { end = max(end, moment) }
  }

  private mutating func open(_ request: StreamRequest, link: Int, generation: Int) {
    guard let played = player.next(request), let first = played.first else {
      let missing = StreamSignal.closed(.failed(.notInCassette("the stream \(request.recordedURL)")))
      return coming.add(.signals([missing], link: link, generation: generation), at: now)
    }
    // If this is opened later than in the recording, everything is delayed by the difference.
    let delay = Duration.nanoseconds(max(0, now.nanoseconds(since: first.at)))
    let delayed = played.map {
      (StreamInput.signals([$0.signal], link: link, generation: generation), $0.at.advanced(by: delay))
    }
    if let last = delayed.last { extendEnd(to: last.1) }
    coming.add(delayed)
  }
}

/// A connection of a link.
private struct Connection: Hashable {
  let link: Int
  let generation: Int
}

/// A request for the tables of a market, or for those that failed before.
private struct PendingStart {
  /// The index of the market.
  let place: Int
  let asked: Instant
  var attempt = 1
  /// nil for the first.
  var previous: StreamStart?
}

extension StreamTape {
  /// The exchange's messages, decompressed; nil for bytes that are neither text nor compressed text.
  package var messages: [(at: Instant, bytes: [UInt8]?)] {
    lines.compactMap { line in
      guard case .signal(.message(let bytes, let isText)) = line.event else { return nil }
      if isText { return (line.at, bytes) }
      return (line.at, try? Deflate.text(bytes, limit: AnswerLimit.messageBytes))
    }
  }
}

/// Inputs in order of time; those with the same time are in order of insertion.
private struct ComingInputs {
  /// As in a `StreamBox`, an input has events to report before those that result from it.
  private typealias Entry = (input: StreamInput, events: (_ shown: Instant) -> [StreamEvent], at: Instant)

  /// Sorted queues; `place` is the index of each one's first remaining entry.
  private var queues: [(entries: [Entry], place: Int)] = []

  mutating func add(
    _ input: StreamInput, at moment: Instant, _ events: @escaping (_ shown: Instant) -> [StreamEvent] = { _ in [] }
  ) {
    queues.append(([(input, events, moment)], 0))
  }

  mutating func add(_ inputs: [(StreamInput, Instant)]) {
    queues.append((inputs.map { input, moment in (input, { _ in [] }, moment) }, 0))
  }

  /// The link of each remaining signal.
  var signals: [Int] {
    queues.flatMap { queue in
      queue.entries[queue.place...].compactMap { if case .signals(_, let link, _) = $0.input { link } else { nil } }
    }
  }

  /// When the next input is due; nil if there is none.
  var next: Instant? { first.map { queues[$0].entries[queues[$0].place].at } }

  private var first: Int? {
    queues.indices.min { left, right in
      queues[left].entries[queues[left].place].at < queues[right].entries[queues[right].place].at
    }
  }

  mutating func removeFirst() -> (input: StreamInput, events: (_ shown: Instant) -> [StreamEvent])? {
    guard let first else { return nil }
    let entry = queues[first].entries[queues[first].place]
    queues[first].place += 1
    if queues[first].place == queues[first].entries.count { queues.remove(at: first) }
    return (entry.input, entry.events)
  }
}
