import Config
import HTTP
import Mapping
import Quotes

/// An action requested by a connection.
enum StreamAction: Sendable {
  case send(OutgoingMessage)
  /// Send a ping frame.
  case ping
  /// The connection is no longer useful.
  case giveUp(AnswerFailure)
}

/// One open connection as a function of input and time: it subscribes, keeps the connection alive, and reports which of
/// its pairs are live. It performs no I/O and has no clock.
struct StreamSession: Sendable {
  enum Event: Sendable {
    /// The subscriptions are being sent, as fast as the limit allows.
    case subscribed
    case update(StreamUpdate, arrival: Instant)
    case gap(pair: Int, String)
    /// An error from the exchange.
    case refused(AnswerFailure)
    /// These pairs have never had a message, and still have none after that error.
    case unanswered(pairs: [Int], AnswerFailure)
    /// These pairs had messages before that error, and have none after it.
    case silent(pairs: [Int], AnswerFailure)
    /// These pairs have had no message since they were subscribed, or since one that could not be read.
    case unheard(pairs: [Int], AnswerFailure)
  }

  struct Output: Sendable {
    var actions: [StreamAction] = []
    var events: [Event] = []
  }

  private enum Phase {
    /// Waiting for the exchange's first message, at most until this time; nil until ours has been sent.
    case greeting(until: Instant?)
    case subscribed
  }

  private let spec: StreamSpec
  private let pairs: [StreamPair]
  private let interval: IntervalWord?
  private let pairsInMessage: Int
  private var writer: MessageWriter
  private var reader: StreamReader
  private var phase: Phase
  /// The first message, while it waits because of the limit.
  private var hello: OutgoingMessage?
  /// The waiting reply to the last ping; one is enough, however many pings arrived.
  private var pong: OutgoingMessage?
  /// Our own waiting ping, of which one is enough, too.
  private var ping: OutgoingMessage?
  /// Waiting subscriptions, which may take minutes under a strict limit: all others go first.
  private var outbox: [OutgoingMessage] = []
  private let window: SendWindow
  /// When the next message has its turn; nil if none waits.
  private var turn: Instant?
  private var lastSign: Instant
  private var nextPing: Instant
  /// The indexes of the subscribed pairs without a message.
  private var silent: Set<Int>
  /// How many messages had rows of none of the pairs.
  private var foreignCount = 0
  /// The pairs that messages have changed before any complete one.
  private var baseless: Set<Int> = []
  /// An error, and when to check for pairs still without a message.
  private var refusal: (failure: AnswerFailure, deadline: Instant)?
  /// An error too late to be about a subscription, when to check its pairs, and the pairs that had messages before and
  /// none since.
  private var doubt: (failure: AnswerFailure, deadline: Instant, pairs: Set<Int>)?
  /// A message that could not be read, when to check for pairs without another one since, and those pairs.
  private var unread: (failure: AnswerFailure, deadline: Instant, pairs: Set<Int>)?
  /// When to check for pairs without a message; nil until all subscriptions have been sent, and after that check.
  private var firstCheck: Instant?
  private var isSubscribed = false
  private let places: Set<Int>

  /// How long to wait for a first message, and for messages after an error.
  private static let patience = Duration.seconds(10)

  /// - Parameters:
  ///   - places: The indexes of the pairs to subscribe.
  ///   - writer: The writer that has already written the address.
  ///   - pairsInMessage: The maximum number of pairs in a message.
  ///   - window: When messages may be sent.
  init(
    _ spec: StreamSpec, _ pairs: [StreamPair], places: [Int], interval: IntervalWord?, pairsInMessage: Int,
    writer: MessageWriter, reader: StreamReader, window: SendWindow, openedAt now: Instant
  ) {
    self.spec = spec
    self.pairs = places.map { pairs[$0] }
    self.interval = interval
    self.pairsInMessage = pairsInMessage
    self.writer = writer
    self.reader = reader
    self.window = window
    lastSign = now
    nextPing = now.advanced(by: .milliseconds(spec.connection.ping.everyMilliseconds))
    silent = Set(places)
    self.places = silent
    phase = .greeting(until: now.advanced(by: Self.patience))
  }

  /// Called once, when messages may be sent.
  mutating func begin(at now: Instant) -> Output {
    var output = Output()
    if let hello = spec.connection.hello {
      if let message = hello.send.flatMap({ writer.message($0, now: now) }) {
        self.hello = message
        phase = .greeting(until: nil)
      }
      if hello.conditions.isEmpty { subscribe(at: now, &output) }
    } else {
      subscribe(at: now, &output)
    }
    flush(at: now, &output)
    return output
  }

  private mutating func subscribe(at now: Instant, _ output: inout Output) {
    phase = .subscribed
    outbox += writer.subscriptions(spec, pairs, interval: interval, most: pairsInMessage, now: now)
    output.events.append(.subscribed)
  }

  // MARK: Receiving

  /// Takes a ping or pong frame.
  mutating func takeSign(at now: Instant) { lastSign = now }

  /// Takes a decompressed message.
  mutating func take(_ message: [UInt8], at now: Instant) -> Output {
    lastSign = now
    var output = Output()
    if case .greeting = phase, let hello = spec.connection.hello,
      MessageCondition.holds(hello.conditions, for: reader.unwrapped(message))
    {
      subscribe(at: now, &output)
    } else {
      for reading in reader.read(message, arrival: now) { take(reading, at: now, &output) }
    }
    flush(at: now, &output)
    return output
  }

  private mutating func take(_ reading: StreamReading, at now: Instant, _ output: inout Output) {
    switch reading {
    case .other: break
    case .foreign: foreignCount += 1
    case .baseless(let pairs): baseless.formUnion(pairs)
    case .rowless(let failure):
      // What answers a subscription may have the marks of its channel.
      if settled(now) == now { doubtPairs(.stream(.bad(failure.message ?? "")), at: now) }
    case .ping(let values):
      pong = spec.connection.pong.flatMap { writer.message($0.send, values: values, now: now) }
    case .refused(let failure):
      output.events.append(.refused(failure))
      guard case .exchangeError = failure.reason else {
        doubtPairs(failure, at: now)
        break
      }
      let deadline = now.advanced(by: Self.patience)
      if !silent.isEmpty, refusal == nil { refusal = (failure, deadline) }
      let isLate = silent.isEmpty || settled(now) == now
      if isLate, doubt == nil {
        doubt = (failure, deadline, places.subtracting(silent))
      }
    case .gap(let pair, let what): output.events.append(.gap(pair: pair, what))
    case .updates(let updates):
      for update in updates {
        silent.remove(update.pair)
        doubt?.pairs.remove(update.pair)
        unread?.pairs.remove(update.pair)
        output.events.append(.update(update, arrival: now))
      }
    }
  }

  /// Handles a message that could not be read: it may have been about any of the pairs.
  private mutating func doubtPairs(_ failure: AnswerFailure, at now: Instant) {
    if unread == nil { unread = (failure, now.advanced(by: Self.patience), places) }
  }

  /// Returns a moment, or a later one at which all subscriptions have been sent and had time for an answer; nil if some
  /// are still waiting, as they may for minutes under a strict limit.
  private func settled(_ moment: Instant) -> Instant? {
    isSubscribed ? max(moment, firstCheck ?? moment) : nil
  }

  /// Sets whether updates of rows come with an explanation.
  mutating func explain(_ isWanted: Bool) { reader.explain(isWanted) }

  /// Replaces the state of lookups that are not made of messages.
  mutating func renew(_ lookups: [String: LookupState]) { reader.renew(lookups) }

  /// Replaces the table's row of a pair after another poll.
  mutating func replaceRow(of pair: Int, by row: Ticker) { reader.replaceRow(of: pair, by: row) }

  // MARK: Time

  /// When something is due at the latest.
  var deadline: Instant {
    var first = min(lastSign.advanced(by: .milliseconds(spec.connection.deadAfterMilliseconds)), nextPing)
    if case .greeting(let until?) = phase { first = min(first, until) }
    if let refusal, let due = settled(refusal.deadline) { first = min(first, due) }
    if let doubt { first = min(first, doubt.deadline) }
    if let unread, let due = settled(unread.deadline) { first = min(first, due) }
    if let firstCheck { first = min(first, firstCheck) }
    if let turn { first = min(first, turn) }
    return first
  }

  mutating func tick(at now: Instant) -> Output {
    var output = Output()
    if lastSign.advanced(by: .milliseconds(spec.connection.deadAfterMilliseconds)) <= now {
      output.actions.append(.giveUp(.stream(.silent(.lifeless))))
      return output
    }
    if case .greeting(let until?) = phase, until <= now {
      output.actions.append(.giveUp(.stream(.silent(.greetingless))))
      return output
    }
    if nextPing <= now {
      nextPing = now.advanced(by: .milliseconds(spec.connection.ping.everyMilliseconds))
      if let send = spec.connection.ping.send {
        ping = writer.message(send, now: now)
      } else {
        output.actions.append(.ping)
      }
    }
    let wasRefused = refusal != nil
    if let refusal, let due = settled(refusal.deadline), due <= now {
      self.refusal = nil
      if !silent.isEmpty { output.events.append(.unanswered(pairs: silent.sorted(), refusal.failure)) }
    }
    if let doubt, doubt.deadline <= now {
      self.doubt = nil
      if !doubt.pairs.isEmpty { output.events.append(.silent(pairs: doubt.pairs.sorted(), doubt.failure)) }
    }
    if let unread, let due = settled(unread.deadline), due <= now {
      self.unread = nil
      if !unread.pairs.isEmpty { output.events.append(.unheard(pairs: unread.pairs.sorted(), unread.failure)) }
    }
    if let check = firstCheck, check <= now {
      firstCheck = nil
      // After an error from the exchange, the pairs without a message are looked at for that.
      if !silent.isEmpty, !wasRefused {
        let (changing, others) = (silent.intersection(baseless), silent.subtracting(baseless))
        if !changing.isEmpty { output.events.append(.unheard(pairs: changing.sorted(), .stream(.withoutWhole))) }
        // Acknowledgements may look like rows, too.
        let failure: AnswerFailure =
          foreignCount > places.count ? .stream(.silent(.unnamed)) : .stream(.silent(.unheard))
        if !others.isEmpty { output.events.append(.unheard(pairs: others.sorted(), failure)) }
      }
    }
    flush(at: now, &output)
    return output
  }

  // MARK: Limit

  private mutating func flush(at now: Instant, _ output: inout Output) {
    while hello != nil || pong != nil || ping != nil || !outbox.isEmpty {
      // A turn that passed while the program was held up is not used beside the next one.
      let turn = turn.flatMap { $0 < now ? nil : $0 } ?? window.reserve(at: now)
      self.turn = turn
      if turn > now { return }
      self.turn = nil
      if let hello = hello.take() {
        output.actions.append(.send(hello))
        // Under a shared limit it may have waited for long.
        if case .greeting = phase { phase = .greeting(until: now.advanced(by: Self.patience)) }
      } else {
        output.actions.append(.send(pong.take() ?? ping.take() ?? outbox.removeFirst()))
      }
    }
    if !isSubscribed, case .subscribed = phase {
      isSubscribed = true
      firstCheck = now.advanced(by: Self.patience)
    }
  }
}
