import Config
import Mapping
import Quotes
import Synchronization

/// What streams bring at present, by source, and what is missing of the time before.
final class LiveChannels: Sendable {
  /// What is to be asked of a source.
  struct Asking: Sendable, Equatable {
    let subject: PairPoller.Subject
    /// Whether so much is missing that the answer takes the place of all that was known.
    var beginsAnew = false
  }

  private struct Key: Hashable {
    let source: Int
    let subject: PairPoller.Subject
  }

  /// How far what has been told of a subject is whole.
  private struct Cover {
    /// Up to when all is told; nil: nothing was asked yet.
    var end: Instant?
    /// Since when a stream brings it without a break; nil: none does.
    var begin: Instant?
    /// When a stream said something last.
    var message: Instant?
    /// When it was asked for last.
    var asked: Instant?
    /// The start of the last candle that a stream has told.
    var candle: Instant?

    /// Whether nothing is missing between what was asked for and what the stream brings.
    var isWhole: Bool {
      guard let end, let begin else { return false }
      return end >= begin
    }

    /// A message of a stream has come.
    mutating func take(_ event: StreamEvent) {
      if case .candle(let new, let interval) = event.content {
        // Intervals that a stream leaves out may have had no trade, or were not heard.
        if let last = candle, new.start > CandleGrid(interval).end(of: last) { begin = nil }
        candle = max(candle ?? new.start, new.start)
      }
      message = event.arrival
      if begin == nil { begin = event.arrival }
      if isWhole { end = event.arrival }
    }
  }

  private let covers = Mutex<[Key: Cover]>([:])
  private let sources: [PairPoller.Source]
  private let subjects: [PairPoller.Subject]

  init(_ sources: [PairPoller.Source], _ subjects: [PairPoller.Subject]) {
    self.sources = sources
    self.subjects = subjects
  }

  /// A stream that has said nothing for so long is asked after, once in so long: it may be dead without knowing it, or its
  /// messages mean nothing any more.
  private static let quietAfter = Duration.seconds(60)

  /// Whether a stream brings something at present.
  func holds(_ source: Int, _ subject: PairPoller.Subject, at now: Instant) -> Bool {
    let cover = cover(source, subject)
    return cover.begin != nil && cover.message.map { now < $0.advanced(by: Self.quietAfter) } ?? false
  }

  /// Whether a stream has brought it since a moment.
  func hasBrought(_ source: Int, _ subject: PairPoller.Subject, since moment: Instant) -> Bool {
    let cover = cover(source, subject)
    return cover.begin != nil && cover.message.map { $0 >= moment } ?? false
  }

  /// What is to be asked now; nil: nothing, for a stream brings it, and all from before it is there, or it was asked after a
  /// short while ago.
  ///
  /// Of candles as many as came since all was told, which are all that can have changed.
  func asking(_ source: Int, _ subject: PairPoller.Subject, at now: Instant) -> Asking? {
    let cover = cover(source, subject)
    guard let end = cover.end else { return Asking(subject: subject) }
    let isQuiet =
      !holds(source, subject, at: now) && cover.asked.map { now >= $0.advanced(by: Self.quietAfter) } ?? true
    guard cover.begin == nil || subject.isHistory && !cover.isWhole || isQuiet else { return nil }
    guard case .candles(let interval, let count, let zone) = subject else { return Asking(subject: subject) }
    let grid = CandleGrid(interval, zoneSeconds: zone ?? 0)
    let missing = grid.count(from: grid.start(containing: end), to: grid.end(of: grid.start(containing: now)))
    // Days of an unknown midnight may be one more.
    guard missing < count else { return Asking(subject: subject, beginsAnew: true) }
    return Asking(subject: .candles(interval, count: min(count, max(missing + 1, 3)), zoneSeconds: zone))
  }

  /// Something was asked for, and has come, or did not.
  ///
  /// - Parameter moment: when it was asked for: what happened since may not be in the answer.
  func take(answerOf source: Int, _ subject: PairPoller.Subject, isThere: Bool, asked moment: Instant) {
    covers.withLock { covers in
      var cover = covers[Key(source: source, subject: subject)] ?? Cover()
      cover.asked = moment
      // Only what says what was before is missed while a stream brings the rest.
      if isThere || !subject.isHistory { cover.end = max(cover.end ?? moment, moment) }
      covers[Key(source: source, subject: subject)] = cover
    }
  }

  /// What an event means to the sources that it is about.
  func take(_ event: StreamEvent) -> [PairEvent] {
    sources.indices.filter { place in
      let source = sources[place]
      return source.exchange.name == event.exchange && source.market.market == event.market
        && event.pair.map { $0 == source.question.pair } ?? true
    }.compactMap { take(event, of: $0) }
  }

  private func take(_ event: StreamEvent, of source: Int) -> PairEvent? {
    let channel = event.channel == .tickers ? .ticker : event.channel
    switch event.content {
    case .ticker, .trades, .orderbook, .candle:
      guard event.isStreamed else { return nil }
      if !event.isOfThePast { change(channel, of: source) { $0.take(event) } }
    case .fallback(let failure, _):
      change(channel, of: source) { ($0.begin, $0.candle) = (nil, nil) }
      // A replay has what was recorded, and misses nothing else.
      if channel != subjects.first?.channel || failure.reason == TableFailure.notRecorded { return nil }
    case .leftOut: break
    case .refused:
      // Trades that cannot be read an answer may have.
      if channel == .trades { change(channel, of: source) { $0.begin = nil } }
      if channel != subjects.first?.channel { return nil }
    case .gap: if channel != .orderbook { return nil }
    // What does not come at all is asked for, and the answer says why.
    case .connected, .life, .missed, .failed: return nil
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
  /// Whether it says nothing of what is traded now.
  fileprivate var isOfThePast: Bool {
    if case .candle(let candle, let interval) = content {
      CandleCheck.isOld(candle, interval, arrival: arrival)
    } else {
      false
    }
  }
}

extension PairPoller.Subject {
  /// What streams bring it; nil for what none does.
  var channel: StreamChannel? {
    switch self {
    case .orderbook: .orderbook
    case .trades: .trades
    // A stream's days begin when the exchange says so.
    case .candles(let interval, _, let zone): zone == nil || interval < .oneDay ? .candles : nil
    case .days: nil
    case .ticker: .ticker
    }
  }

  /// Whether an answer says what was before, besides what is.
  var isHistory: Bool {
    switch self {
    case .trades, .candles, .days: true
    case .orderbook, .ticker: false
    }
  }
}
