import Config
package import HTTP
package import Mapping
import Quotes
import Transport

/// A sequence of connections for one subject, as a function of input and time.
struct StreamLink: Sendable {
  struct Output: Sendable {
    var commands: [StreamCommand] = []
    var events: [StreamEvent] = []
    /// Pairs that do not work alongside the others and need a separate connection with one pair per message.
    var transferred: [(subject: StreamSubject, feed: PairFeed)] = []
  }

  private enum State {
    case waiting(until: Instant)
    case asking
    case opening(MessageWriter)
    case open(since: Instant)
    /// No further connection is attempted, and the pairs are polled by REST.
    case polling
    /// The run has ended.
    case over
  }

  private(set) var subject: StreamSubject
  private var state: State {
    didSet { if case .open = state {} else { session = nil } }
  }
  /// Set while the state is `open`. Modified in place, because copying it would cost more than a message.
  private var session: StreamSession?
  private let windows: SendWindows
  private(set) var generation = 0
  /// The number of consecutive attempts that did not last a minute.
  private var failures = 0
  private var url = 0
  /// The last connection's address, as used in recordings.
  private var address = ""
  private var feed: PairFeed
  /// Whether someone waits for the explanation of a row.
  private var isExplained = false
  /// The last error reported by the connection, which is passed on once.
  private var refusal: AnswerFailure?
  /// Returns a number in `0..<1` for each time, so that not all links retry at once.
  private let chance: @Sendable (Instant) -> Double

  private var lifeReported = Instant(nanoseconds: 0)
  private static let lifeTerm = Duration.seconds(5)

  /// The delays before reconnecting.
  private static let backOff = BackOff(1, 2, 4, 8, 16, 32, 60)
  /// The longest wait that an exchange can ask for.
  private static let maximumPause = Duration.seconds(600)

  /// - Parameters:
  ///   - feed: The state of its pairs, if another link had them before.
  ///   - windows: The limits that connections share.
  init(
    _ subject: StreamSubject, _ feed: PairFeed? = nil, at now: Instant, _ windows: SendWindows,
    chance: @escaping @Sendable (Instant) -> Double
  ) {
    self.subject = subject
    self.windows = windows
    self.chance = chance
    self.feed = feed ?? PairFeed(subject, at: now)
    state = subject.spec == nil ? .polling : .waiting(until: now)
  }

  /// The host of the next attempt.
  var host: String {
    guard let urls = subject.spec?.connection.urls, !urls.isEmpty else { return "" }
    if case .text(let text)? = urls[url % urls.count].pieces.first, let scheme = text.firstRange(of: "://") {
      return HostName(of: text[scheme.upperBound...]).text
    }
    return subject.exchange
  }

  /// When the next connection may send: by its own limit, or by that of all connections to its host.
  private func window(_ connection: ConnectionSpec) -> SendWindow {
    connection.sharesLimit ? windows.window(of: host, connection.limit) : SendWindow(connection.limit)
  }

  /// Takes the lookups of its stream, for this connection and those to come.
  mutating func renew(_ renewal: LookupRenewal) {
    guard subject.spec === renewal.spec else { return }
    subject.lookups = renewal.lookups
    session?.renew(renewal.lookups)
  }

  // MARK: Time

  /// When `tick` is due at the latest; nil if it is not.
  var deadline: Instant? {
    let own: Instant?
    switch state {
    case .waiting(let until): own = until
    case .open: own = session?.deadline
    case .over: return nil
    case .asking, .opening, .polling: own = nil
    }
    guard let own, let poll = feed.deadline else { return own ?? feed.deadline }
    return min(own, poll)
  }

  /// - Parameter mayOpen: Returns nil if the host allows another attempt now, otherwise when it does.
  mutating func tick(at now: Instant, mayOpen: (_ host: String) -> Instant?) -> Output {
    var output = Output()
    if case .over = state { return output }
    if case .waiting(let until) = state, until <= now {
      if let later = mayOpen(host) {
        state = .waiting(until: later)
      } else {
        begin(at: now, &output)
      }
    }
    if let done = session?.tick(at: now) { take(done, at: now, &output) }
    retryPairs(at: now, &output)
    let (places, isAgain) = feed.due(at: now)
    if !places.isEmpty { output.commands.append(.poll(pairs: places, isAgain: isAgain)) }
    return output
  }

  /// Subscribes to pairs again whose refusals are over: beside others, on a connection of their own.
  private mutating func retryPairs(at now: Instant, _ output: inout Output) {
    let hadNoPairs = feed.hasNoPairs
    let places = feed.lapsed(at: now)
    switch state {
    case .open where !places.isEmpty: transfer(places, at: now, &output)
    case .polling where hadNoPairs && !feed.hasNoPairs: state = .waiting(until: now)
    default: break
    }
  }

  // MARK: Opening

  private mutating func begin(at now: Instant, _ output: inout Output) {
    generation += 1
    guard let connection = subject.spec?.connection else { return }
    guard let handshake = connection.handshake else {
      open(MessageWriter(connection), at: now, &output)
      return
    }
    state = .asking
    var writer = RequestWriter(handshake.table, RequestContext(now: now))
    do throws(AnswerFailure) {
      output.commands.append(.ask(try writer.request(named: "stream-handshake")))
    } catch {
      fail(error, at: now, &output)
    }
  }

  /// Takes the answer to a request made before connecting.
  mutating func answered(_ answer: Result<HTTPResponse, AnswerFailure>, at now: Instant) -> Output {
    var output = Output()
    guard case .asking = state, let connection = subject.spec?.connection, let handshake = connection.handshake else {
      return output
    }
    do throws(AnswerFailure) {
      let values = try MessageCondition.values(of: handshake, for: connection, in: answer.get())
      open(MessageWriter(connection, values: values), at: now, &output)
    } catch {
      fail(error, at: now, &output)
    }
    return output
  }

  private mutating func open(_ writer: MessageWriter, at now: Instant, _ output: inout Output) {
    guard let spec = subject.spec else { return }
    var writer = writer
    let connection = spec.connection
    let pair = connection.namesPair ? feed.own.first.map { subject.pairs[$0] } : nil
    guard !connection.urls.isEmpty,
      let address = writer.url(
        connection.urls[url % connection.urls.count], pair, interval: subject.intervalWord, now: now),
      StreamAddress.isAllowed(address.text)
    else {
      fail(.stream(.bad("the address is not wss://")), at: now, &output)
      return
    }
    var headers: [HTTPHeader] = []
    for (name, value) in connection.headers {
      guard let text = writer.header(value, now: now) else {
        fail(.stream(.bad("the header \(name) has no value that can be sent")), at: now, &output)
        return
      }
      headers.append(HTTPHeader(name: name, value: text))
    }
    var preview = writer
    var request = StreamRequest(exchange: subject.exchange, url: address.text, headers: headers)
    request.name = subject.name
    request.subprotocol = connection.subprotocol
    request.recordedURL = address.recorded
    self.address = address.recorded
    // Distinguishes the connection from others to the same address.
    if let hello = connection.hello?.send { _ = preview.message(hello, now: now) }
    request.subscription = preview.subscriptions(
      spec, feed.own.map { subject.pairs[$0] }, interval: subject.intervalWord, most: subject.pairsInMessage, now: now
    ).map(\.recorded)
    state = .opening(writer)
    output.commands.append(.open(request, generation: generation))
  }

  // MARK: Receiving

  /// Explains messages as long as the explanation of any of these rows is wanted; other links are not slowed down.
  mutating func explain(_ rows: Set<RowKey>) {
    let isWanted = subject.channel.feedsRows && subject.pairs.contains { rows.contains($0.row.key) }
    guard isWanted != isExplained else { return }
    isExplained = isWanted
    session?.explain(isWanted || subject.options.traces)
  }

  mutating func take(
    _ signal: StreamSignal, at now: Instant, inflate: (_ bytes: [UInt8]) throws(UnreadableBytes) -> [UInt8]?
  ) -> Output {
    var output = Output()
    noteLife(at: now, &output)
    switch (signal, state) {
    case (.opened, .opening(let writer)):
      guard let spec = subject.spec else { break }
      let reader = StreamReader(
        spec, market: subject.market, feed.pairs, interval: subject.interval, lookups: subject.lookups,
        subject.options)
      var session = StreamSession(
        spec, subject.pairs, places: feed.own, interval: subject.intervalWord,
        pairsInMessage: subject.pairsInMessage, writer: writer, reader: reader, window: window(spec.connection),
        openedAt: now)
      if isExplained { session.explain(true) }
      feed.connect()
      let done = session.begin(at: now)
      state = .open(since: now)
      self.session = session
      refusal = nil
      take(done, at: now, &output)
    case (.message(let bytes, let isText), .open):
      do throws(UnreadableBytes) {
        let text: [UInt8]? = try isText ? bytes : inflate(bytes)
        if text == nil {
          refuse(.unreadableBytes, isUnreadable: true, at: now, &output)
          guard case .open = state else { break }
        }
        if let done = session?.take(text ?? bytes, at: now) { take(done, at: now, &output) }
      } catch {
        giveUp(error.failure, at: now, code: error.code, &output)
      }
    case (.life, .open): session?.takeSign(at: now)
    case (.closed(let end), _):
      var pause: Duration?
      if case .refused(_, let wish?) = end, let nanoseconds = RetryAfter.pause(wish, wall: now) {
        pause = min(.nanoseconds(nanoseconds), Self.maximumPause)
      }
      fail(AnswerFailure(end), at: now, after: pause, &output)
    default: break
    }
    return output
  }

  /// Handles an error of the exchange, or a message that cannot be read, and passes it on unless it is the last one
  /// again.
  private mutating func refuse(
    _ failure: AnswerFailure, isUnreadable: Bool, at now: Instant, _ output: inout Output
  ) {
    if subject.channel == .trades, !failure.isOfExchange { feed.markGap(at: now) }
    // It may have been a change, without which all that follows is wrong.
    if isUnreadable, subject.spec?.whole != nil {
      return giveUp(.stream(.gap(failure.message ?? failure.reason.code)), at: now, &output)
    }
    guard failure != refusal else {
      // Whoever asks for what an unreadable message said has to be told of each.
      if subject.channel == .trades, !failure.isOfExchange, !subject.pollsWhenOffline {
        output.events.append(event(nil, .missed, at: now))
      }
      return
    }
    refusal = failure
    output.events.append(event(nil, .refused(.streamRefused(failure)), at: now))
  }

  private mutating func noteLife(at now: Instant, _ output: inout Output) {
    guard !subject.pollsWhenOffline, case .open = state, now >= lifeReported.advanced(by: Self.lifeTerm) else { return }
    lifeReported = now
    output.events.append(event(nil, .life, at: now))
  }

  private mutating func take(_ done: StreamSession.Output, at now: Instant, _ output: inout Output) {
    for action in done.actions {
      switch action {
      case .send(let message): output.commands.append(.send(message))
      case .ping: output.commands.append(.ping)
      case .giveUp(let failure): giveUp(failure, at: now, &output)
      }
    }
    for event in done.events {
      // The rest of a message is irrelevant once it has caused the connection to be given up.
      guard case .open = state else { return }
      switch event {
      case .subscribed:
        output.events.append(self.event(nil, .connected, at: now))
      case .update(let update, let arrival):
        if case .unusable(let failure) = update.value, subject.spec?.whole != nil, subject.channel == .orderbook {
          restart(update.pair, failure, at: now, &output)
        } else {
          output.events += news(in: update, arrival: arrival)
        }
      case .gap(let pair, _) where !feed.isOwn(pair): break
      case .gap(let pair, let what):
        output.events.append(self.event(pair, .gap(what), at: now))
        giveUp(.stream(.gap(what)), at: now, &output)
      case .refused(let failure):
        if subject.spec?.namesPair == false {
          giveUp(.streamRefused(failure), at: now, &output)
          return
        }
        refuse(failure, isUnreadable: failure.reason == .notJSON, at: now, &output)
        guard case .open = state else { return }
      case .unanswered(let places, let failure):
        dropPairs(places.filter(feed.isOwn), .streamRefused(failure), at: now, &output)
      case .silent(let places, let failure):
        moveSilentPairs(places.filter(feed.isOwn), .streamRefused(failure), at: now, &output)
      case .unheard(let places, let failure):
        output.events += feed.miss(places, at: now).map { self.event($0, .fallback(failure, retry: nil), at: now) }
      }
    }
    guard case .open = state else { return }
    if feed.hasNoPairs {
      output.commands.append(.close(code: 1000))
      generation += 1
      state = .polling
    } else if feed.isContradicted {
      giveUp(.stream(.silent(.contradicted)), at: now, &output)
    }
  }

  private mutating func news(in update: StreamUpdate, arrival: Instant) -> [StreamEvent] {
    feed.take(update, arrival: arrival).map { content in
      var event = self.event(update.pair, content, at: arrival)
      // The message explains its own figures, not those of an answer that is newer.
      if content.isOf(update.value) {
        event.explanation = update.explained.map {
          StreamExplanation(connection: subject.name, address: address, message: $0)
        }
      }
      return event
    }
  }

  /// Reconnects for an incremental book without a valid start, separately if the connection's other pairs are fine.
  private mutating func restart(_ pair: Int, _ failure: AnswerFailure, at now: Instant, _ output: inout Output) {
    guard feed.isOwn(pair) else { return }
    let what = "invalid order book: \(failure.message ?? failure.reason.code)"
    output.events.append(event(pair, .gap(what), at: now))
    if feed.own.count > 1 {
      transfer([pair], at: now, &output)
    } else {
      giveUp(.stream(.gap(what)), at: now, &output)
    }
  }

  private mutating func transfer(_ places: [Int], at now: Instant, _ output: inout Output) {
    let singly = subject.singly(places)
    output.transferred.append((singly, feed.transfer(places, to: singly, at: now)))
  }

  /// Handles pairs that were live before an error and had no message since, so that their subscriptions are uncertain.
  private mutating func moveSilentPairs(
    _ places: [Int], _ failure: AnswerFailure, at now: Instant, _ output: inout Output
  ) {
    guard !places.isEmpty else { return }
    guard feed.own.count > 1, subject.pairsInMessage > 1 else { return giveUp(failure, at: now, &output) }
    output.events += places.map { event($0, .fallback(failure, retry: now), at: now) }
    transfer(places, at: now, &output)
  }

  /// Handles pairs that have had no message after an error.
  private mutating func dropPairs(_ places: [Int], _ failure: AnswerFailure, at now: Instant, _ output: inout Output) {
    if places.isEmpty { return }
    if subject.pairsInMessage > 1, feed.own.count > 1 { return transfer(places, at: now, &output) }
    // Pairs already subscribed one by one have no further option.
    for place in places {
      let retry = feed.refuse(place, at: now)
      output.events.append(event(place, .fallback(failure, retry: retry), at: now))
    }
  }

  /// - Parameter pair: The pair's index; nil for all.
  private func event(
    _ pair: Int?, _ content: StreamEvent.Content, isStreamed: Bool = true, at now: Instant
  ) -> StreamEvent {
    StreamEvent(
      exchange: subject.exchange, market: subject.market, channel: subject.channel,
      pair: pair.map { subject.pairs[$0].row.pair }, product: pair.flatMap { subject.pairs[$0].row.product },
      content: content, isStreamed: isStreamed, arrival: now)
  }

  // MARK: Failures

  /// - Parameter code: That of the close frame: a normal end, unless the exchange's bytes are at fault (RFC 6455 §7.4.1).
  private mutating func giveUp(_ failure: AnswerFailure, at now: Instant, code: Int = 1000, _ output: inout Output) {
    output.commands.append(.close(code: code))
    fail(failure, at: now, &output)
  }

  /// Falls back at once, and reports when the stream is retried.
  ///
  /// - Parameter pause: How long the exchange wants no attempt; nil if it did not say.
  private mutating func fail(
    _ failure: AnswerFailure, at now: Instant, after pause: Duration? = nil, _ output: inout Output
  ) {
    switch state {
    case .waiting, .polling, .over: return
    case .asking, .opening, .open: break
    }
    if case .open(let since) = state, since.advanced(by: .seconds(60)) <= now { failures = 0 }
    failures += 1
    url += 1
    let most = Self.backOff.seconds(after: failures)
    var wait = Duration.milliseconds(most * 500) + .milliseconds(Int(Double(most) * 500 * chance(now)))
    if let pause, pause > .zero {
      wait = max(wait, pause)
    } else if failure.needsPatience {
      wait = max(wait, .seconds(60))
    }
    // What is missing from the recordings will not appear later.
    let retry = failure.reason == .notRecorded ? nil : now.advanced(by: wait)
    // Ignore signals of the old connection from now on.
    generation += 1
    state = retry.map { .waiting(until: $0) } ?? .polling
    feed.fallBack(at: now)
    output.events.append(event(nil, .fallback(failure, retry: retry), at: now))
  }

  /// Starts over: the clock was set back, which invalidates all stored times, or the program was suspended.
  mutating func restart(because failure: AnswerFailure, at now: Instant) -> Output {
    var output = Output()
    switch state {
    case .over, .polling: break
    case .waiting, .asking: state = .waiting(until: now)
    case .opening, .open: giveUp(failure, at: now, &output)
    }
    feed.restart(at: now)
    lifeReported = Instant(nanoseconds: 0)
    return output
  }

  /// Ends the run.
  mutating func close() -> [StreamCommand] {
    defer { state = .over }
    switch state {
    case .open, .opening: return [.close(code: 1001)]
    default: return []
    }
  }

  // MARK: REST

  /// Takes the results of polling by REST.
  mutating func polled(_ results: [PolledPair], at now: Instant) -> Output {
    var output = Output()
    for polled in results { subject.note(polled.product, of: polled.pair) }
    output.events = feed.polled(results, at: now).map { event($0.pair, $0.content, isStreamed: false, at: now) }
    for polled in results {
      if case .success(.ticker) = polled.result { session?.replaceRow(of: polled.pair, by: feed.row(of: polled.pair)) }
    }
    if case .open = state, feed.isContradicted { giveUp(.stream(.silent(.contradicted)), at: now, &output) }
    return output
  }
}

extension AnswerFailure {
  /// Converts the reason why a connection ended.
  package init(_ end: StreamEnd) {
    switch end {
    case .closed(let code, let words): self = .stream(.closed(code, words))
    case .refused(let status, _): self = .streamNotOpened(status)
    case .violation(_, let what): self = .stream(.bad(what))
    case .failed(let error): self.init(error)
    }
  }

  /// Whether the exchange reported the error; otherwise its message could not be read.
  fileprivate var isOfExchange: Bool { if case .exchangeError = reason { true } else { false } }

  /// Whether the exchange does not want another request soon.
  fileprivate var needsPatience: Bool {
    if case .http(let status) = reason { HTTPResponse.isDenial(status) } else { false }
  }
}
