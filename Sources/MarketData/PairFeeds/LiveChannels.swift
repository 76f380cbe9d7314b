import Config
import Mapping
import Quotes
import Synchronization

/// What streams currently provide, by source, and what is missing from the time before.
final class LiveChannels: Sendable {
  /// A request to make to a source.
  struct Asking: Sendable, Equatable {
    let subject: PairPoller.Subject
    /// Whether so much is missing that the answer replaces all earlier data.
    var replacesAll = false
  }

  private struct Key: Hashable {
    let source: Int
    let subject: PairPoller.Subject
  }

  /// How complete the data about a subject is.
  private struct Cover {
    /// Data is complete up to this moment; nil if nothing was requested yet.
    var end: Instant?
    /// Since when a stream provides it without interruption; nil if none does.
    var begin: Instant?
    /// When the last stream message arrived.
    var message: Instant?
    /// When it was last requested.
    var asked: Instant?
    /// The start of the latest candle from a stream.
    var candle: Instant?
    /// When a stream began the candle after one that no answer has settled; nil if there is none.
    var followed: Instant?

    /// Whether nothing is missing between the last request and the stream.
    var isWhole: Bool {
      guard let end, let begin else { return false }
      return end >= begin
    }

    /// Takes a stream message.
    mutating func take(_ event: StreamEvent) {
      if case .candle(let new, let interval) = event.content {
        // Intervals that a stream skips may have had no trades, or were missed.
        if let last = candle, new.start > CandleGrid(interval).end(of: last) { begin = nil }
        if let last = candle, new.start > last { followed = event.arrival }
        candle = max(candle ?? new.start, new.start)
      }
      message = event.arrival
      // A message without a price is as good as none.
      if case .ticker(let row) = event.content, let told = row.otherPriceArrival { message = told }
      if begin == nil { begin = event.arrival }
      if isWhole { end = event.arrival }
    }
  }

  /// What was last reported of a source, which shows whether a stream begins with something older.
  private struct Known {
    private var books = PairBooks()
    /// The row of an answer; nil if a stream has brought one since.
    private var row: Ticker?
    /// The messages of each channel that are older than an answer.
    private var late: [StreamChannel: LateMessages] = [:]

    /// Takes a book or a row of a stream; anything else counts.
    mutating func take(
      _ content: StreamEvent.Content, of channel: StreamChannel, at arrival: Instant
    ) -> LateMessages.Verdict {
      let verdict: LateMessages.Verdict
      if let sent = timeBeforeAnswer(of: content, at: arrival) {
        verdict = late[channel, default: LateMessages()].take(sent: sent, at: arrival)
      } else if case .ticker(let row) = content, row.otherPriceArrival != nil, late[channel] != nil {
        // It repeats the price of one that was left out.
        verdict = .leftOut
      } else {
        verdict = .counts
      }
      guard verdict == .counts else { return verdict }
      late[channel] = nil
      switch content {
      case .orderbook(let book): books.keep(book, isStreamed: true, at: arrival)
      case .ticker: row = nil
      default: break
      }
      return verdict
    }

    /// Returns when a message was sent that is older than the last answer, of a minute ago at most; nil if it is not.
    private func timeBeforeAnswer(of content: StreamEvent.Content, at arrival: Instant) -> Instant? {
      switch content {
      case .orderbook(let book): return books.isOlder(book, at: arrival) ? book.time : nil
      case .ticker(let sent):
        guard let row, row.outdates(sent, at: arrival), !arrival.isPast(PairState.comparableFor, after: row.arrival)
        else { return nil }
        return sent.time
      default: return nil
      }
    }

    /// Takes a book or a row of an answer.
    mutating func keep(_ answer: PairEvent) {
      switch answer.content {
      case .orderbook(let book) where !books.isOutdated(book, at: answer.arrival):
        books.keep(book, isStreamed: false, at: answer.arrival)
      case .ticker(.success(let row)): self.row = row
      default: break
      }
    }

    /// Forgets the late messages of a channel whose connection has ended.
    mutating func forgetLate(_ channel: StreamChannel) { late[channel] = nil }
  }

  private let covers = Mutex<[Key: Cover]>([:])
  private let known = Mutex<[Int: Known]>([:])
  /// The group of futures that each source is about: two may list the pair.
  private let products: Mutex<[Int: String]>
  private let sources: [PairPoller.Source]
  private let subjects: [PairPoller.Subject]

  init(_ sources: [PairPoller.Source], _ subjects: [PairPoller.Subject]) {
    (self.sources, self.subjects) = (sources, subjects)
    products = Mutex(
      Dictionary(
        uniqueKeysWithValues: sources.enumerated().compactMap { place, source in
          source.query.product.map { (place, $0) }
        }))
  }

  /// After this much silence, a request checks a stream, at most once in that time: the stream may be dead without
  /// anyone noticing, or its messages may have become unreadable.
  private static let quietAfter = Duration.seconds(60)

  /// How long after the beginning of the next candle a finished one is requested. Streams hardly ever say which message
  /// about a candle is the last, and some leave that out; answers may be some seconds old.
  private static let settledAfter = Duration.seconds(5)

  /// Returns whether a stream currently provides something.
  func holds(_ source: Int, _ subject: PairPoller.Subject, at now: Instant) -> Bool {
    let cover = cover(source, subject)
    return cover.begin != nil && cover.message.map { now < $0.advanced(by: Self.quietAfter) } ?? false
  }

  /// Returns whether a stream has provided something since a moment.
  func hasBrought(_ source: Int, _ subject: PairPoller.Subject, since moment: Instant) -> Bool {
    let cover = cover(source, subject)
    return cover.begin != nil && cover.message.map { $0 >= moment } ?? false
  }

  /// Returns the start of the candle that a stream currently provides, of which an answer may have an older state.
  func runningCandle(_ source: Int, _ subject: PairPoller.Subject, at now: Instant) -> Instant? {
    holds(source, subject, at: now) ? cover(source, subject).candle : nil
  }

  /// Returns what to request now; nil for nothing, because a stream provides it and all earlier data is there, or it
  /// was requested recently.
  ///
  /// For candles, only as many as started since the data was complete, as no others can have changed, but at least the
  /// last two finished ones.
  func asking(_ source: Int, _ subject: PairPoller.Subject, at now: Instant) -> Asking? {
    let cover = cover(source, subject)
    guard let end = cover.end else { return Asking(subject: subject) }
    let isQuiet =
      !holds(source, subject, at: now) && cover.asked.map { now >= $0.advanced(by: Self.quietAfter) } ?? true
    let isUnsettled = cover.followed.map { now >= $0.advanced(by: Self.settledAfter) } ?? false
    guard cover.begin == nil || subject.isHistory && !cover.isWhole || isQuiet || isUnsettled else { return nil }
    guard case .candles(let interval, let count, let zone) = subject else { return Asking(subject: subject) }
    let grid = CandleGrid(interval, zoneSeconds: zone ?? 0)
    let missing = grid.count(from: grid.start(containing: end), to: grid.end(of: grid.start(containing: now)))
    // Add one, because the midnight at which days begin is unknown.
    guard missing < count else { return Asking(subject: subject, replacesAll: true) }
    let least = max(missing + 1, PairPoller.Subject.newestCandles)
    return Asking(subject: .candles(interval, count: min(count, least), zoneSeconds: zone))
  }

  /// Notes that the answer to a request has arrived, or failed to.
  ///
  /// - Parameter moment: When it was requested; later changes may not be in the answer.
  func take(answerOf source: Int, _ subject: PairPoller.Subject, isThere: Bool, asked moment: Instant) {
    covers.withLock { covers in
      var cover = covers[Key(source: source, subject: subject)] ?? Cover()
      cover.asked = moment
      // While a stream provides current data, only a failed request for history matters.
      if isThere || !subject.isHistory { cover.end = max(cover.end ?? moment, moment) }
      if isThere, let begun = cover.followed, moment >= begun.advanced(by: Self.settledAfter) {
        cover.followed = nil
      }
      covers[Key(source: source, subject: subject)] = cover
    }
  }

  /// Returns what a recorded answer says that no stream says at the time of its turn; nil for nothing.
  ///
  /// - Parameter subject: What was requested; nil for a name or a rate, which have no stream.
  func news(in answer: PairEvent, about subject: PairPoller.Subject?, at now: Instant) -> PairEvent? {
    note(answer.product, of: answer.source)
    guard let subject, holds(answer.source, subject, at: now) else {
      keep(answer)
      return answer
    }
    guard subject.isHistory else { return nil }
    if let failure = answer.failure {
      return PairEvent(source: answer.source, .unfilled(failure, retry: nil), arrival: now)
    }
    return runningCandle(answer.source, subject, at: now).map { answer.without(runningCandle: $0) } ?? answer
  }

  /// Returns the meaning of an event for the sources that it is about.
  func take(_ event: StreamEvent) -> [PairEvent] {
    sources.indices.filter { place in
      let source = sources[place]
      return source.exchange.name == event.exchange && source.market.market == event.market
        && event.pair.map { $0 == source.query.pair } ?? true && isAbout(event.product, place)
    }.compactMap { take(event, of: $0) }
  }

  /// Notes which group of futures answers are about.
  func note(_ product: String?, of source: Int) {
    if let product { products.withLock { $0[source] = product } }
  }

  /// Notes an answer that is told.
  func keep(_ answer: PairEvent) { known.withLock { $0[answer.source, default: Known()].keep(answer) } }

  /// Returns whether a source is about a group of futures: the one of its answers, or else of its first message.
  private func isAbout(_ product: String?, _ source: Int) -> Bool {
    guard let product else { return true }
    return products.withLock { products in
      let own = products[source] ?? product
      products[source] = own
      return own == product
    }
  }

  private func take(_ event: StreamEvent, of source: Int) -> PairEvent? {
    let channel = event.channel == .tickers ? .ticker : event.channel
    switch event.content {
    case .ticker, .trades, .orderbook, .candle:
      guard event.isStreamed else { return nil }
      let verdict = known.withLock {
        $0[source, default: Known()].take(event.content, of: channel, at: event.arrival)
      }
      if verdict != .counts {
        change(channel, of: source) { $0.begin = nil }
        guard verdict == .reported, channel == subjects.first?.channel else { return nil }
        return PairEvent(
          source: source, .fallback(.stream(.behind), retry: nil), arrival: event.arrival, isStreamed: true)
      }
      if !event.isOfThePast { change(channel, of: source) { $0.take(event) } }
    case .fallback(let failure, _):
      change(channel, of: source) { ($0.begin, $0.candle) = (nil, nil) }
      known.withLock { $0[source]?.forgetLate(channel) }
      // A replay only has what was recorded, and nothing else is missing.
      if channel != subjects.first?.channel || failure.isUnrecorded { return nil }
    case .leftOut: break
    case .refused:
      // An answer may contain the trades that could not be read.
      if channel == .trades { change(channel, of: source) { $0.begin = nil } }
      if channel != subjects.first?.channel {
        return channel == .trades ? PairEvent(source: source, .missed, arrival: event.arrival) : nil
      }
    case .gap: if channel != .orderbook { return nil }
    case .missed: change(channel, of: source) { $0.begin = nil }
    case .connected, .life, .failed: return nil
    }
    return PairEvent(event, source: source)
  }

  private func cover(_ source: Int, _ subject: PairPoller.Subject) -> Cover {
    covers.withLock { $0[Key(source: source, subject: subject)] ?? Cover() }
  }

  private func change(_ channel: StreamChannel, of source: Int, _ change: (inout Cover) -> Void) {
    covers.withLock { covers in
      for subject in subjects where subject.channel == channel {
        change(&covers[Key(source: source, subject: subject), default: Cover()])
      }
    }
  }
}

extension StreamEvent {
  /// Whether it says nothing about current trading.
  fileprivate var isOfThePast: Bool {
    if case .candle(let candle, let interval) = content {
      CandleCheck.isOld(candle, interval, arrival: arrival)
    } else {
      false
    }
  }
}

extension PairPoller.Subject {
  /// The stream channel that provides it; nil if none does.
  var channel: StreamChannel? {
    switch self {
    case .orderbook: .orderbook
    case .trades: .trades
    // The exchange determines when a stream's days begin.
    case .candles(let interval, _, let zone): zone == nil || interval < .oneDay ? .candles : nil
    case .days: nil
    case .ticker: .ticker
    }
  }

  /// Whether an answer contains past data in addition to the current.
  var isHistory: Bool {
    switch self {
    case .trades, .candles, .days: true
    case .orderbook, .ticker: false
    }
  }
}
