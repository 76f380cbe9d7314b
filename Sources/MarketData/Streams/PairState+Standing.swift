import Mapping
import Quotes

extension PairState {
  /// The part of the state that rarely changes.
  struct Standing: Equatable {
    let isLive: Bool
    let isRefused: Bool
    let contradictions: Int
    let hasGap: Bool
    /// Whether an answer has to decide on a price, or on units, or to renew what the stream lacks.
    let isUndecided: Bool
  }

  var standing: Standing {
    Standing(
      isLive: isLive, isRefused: isRefused, contradictions: contradictions.count, hasGap: gap.isOpen,
      isUndecided: jumped != nil || refusal.awaitsAnswer || comparedCandles.needsAnswer
        || ((kept.awaitsAnswer || late.hasBegun || unlikeSizes != nil) && nextPoll != nil))
  }

  /// How far a price may be from the previous one. Beyond that it is another coin's or unit's, unless an answer agrees.
  static let jumpPercent: Decimal = 50
  /// How old a row or a price may be with which the first figures of a stream are compared.
  static let comparableFor = Duration.seconds(60)
  /// How many polls in a row may fail before a stream's figures are taken without a comparison.
  static let comparisonTries = 3
  /// The polling interval of quiet pairs.
  static let quietAfter = Duration.seconds(60)
  /// When a quiet pair is polled again after a poll that failed.
  static let unconfirmedAfter = Duration.seconds(5)
  /// How long a contradicted stream has for a message until its connection is given up.
  static let doubtAfter = Duration.seconds(20)
}

extension PairState {
  /// Returns a size or an amount in a message, and the same in an answer, if messages count it in another unit; nil if
  /// they do not, or nothing tells.
  mutating func otherAmounts(
    in value: StreamUpdate.Value
  ) -> (figure: String, streamed: Decimal, polled: Decimal)? {
    switch value {
    case .orderbook(let new):
      guard !isBelieved, let (own, polled) = books.otherSizes(than: new) else { return nil }
      return ("size", own, polled)
    case .trades(let new): return trades.otherSizes(in: new).map { ("size", $0.streamed, $0.polled) }
    case .candle(let new, _): return comparedCandles.take(new)
    case .ticker, .unusable: return nil
    }
  }

  /// Has an answer decide on the unit of candles, some seconds after the last one.
  mutating func pollForUnits(at now: Instant) {
    guard pollsWhenOffline else { return }
    let due = max(now, lastPoll?.advanced(by: max(refresh, Self.unconfirmedAfter)) ?? now)
    nextPoll = nextPoll.map { min($0, due) } ?? due
  }
}

extension PairState {
  /// Returns whether an answer agrees with the stream's latest data; nil if they cannot be compared.
  mutating func isSame(as asked: StreamUpdate.Value) -> Bool? {
    switch asked {
    case .ticker(let asked):
      guard let field = headlineField, let polled = asked.cell(field).value else { return nil }
      return polled == row.cell(field).value
    case .orderbook(let asked): return books.isSame(as: asked)
    case .candle(let asked, _): return candle.flatMap { asked.continues($0) }
    case .trades, .unusable: return nil
    }
  }

  /// Returns whether the first messages of a connection are older than what the one before it had: an exchange may begin
  /// with a state that it has kept.
  mutating func isOlderThanBefore(_ update: StreamUpdate, at arrival: Instant) -> Bool {
    guard let sent = update.ownTime else { return false }
    if !isLive, let lastSent, lastSent.outdates(sent, at: arrival) { return true }
    lastSent = MessageTime(sent: sent, arrival: arrival)
    return false
  }

  /// Returns when a message was sent that is older than the latest answer, before any of its connection has been taken; nil
  /// if it is not. It waits for another answer then, which has the message's price if the times have misled, or a
  /// comparable time. Where none comes, messages count. Where others poll, they have the answers, and judge.
  func timeBeforeAnswer(of value: StreamUpdate.Value, isPriced: Bool, at arrival: Instant) -> Instant? {
    guard !isLive, pollsWhenOffline, failedPolls < Self.comparisonTries else { return nil }
    switch value {
    case .ticker(let sent):
      let figures: [TickerField] = headlineField == .price ? [.price] : [.bid, .ask]
      guard isPriced, !isRowStreamed else { return nil }
      return row.outdates(sent, in: TickerFields(figures), at: arrival) ? sent.time : nil
    case .orderbook(let sent): return books.isOlder(sent, at: arrival) ? sent.time : nil
    case .trades, .candle, .unusable: return nil
    }
  }
}

/// Something wrong with the messages of a connection that is reported once, if it goes on.
struct LastingState: Sendable {
  private(set) var since: Instant?
  private var isReported = false

  var hasBegun: Bool { since != nil }

  /// The state once it has been reported.
  static let reported: LastingState = {
    var state = LastingState()
    state.isReported = true
    return state
  }()

  /// Notes that it is so.
  ///
  /// - Returns: Whether it is to be reported now.
  mutating func take(at now: Instant, reportedAfter span: Duration) -> Bool {
    since = since ?? now
    return isDue(at: now, reportedAfter: span)
  }

  /// Returns whether it is to be reported, unless it has not begun.
  mutating func isDue(at now: Instant, reportedAfter span: Duration) -> Bool {
    guard !isReported, let since, since.advanced(by: span) <= now else { return false }
    isReported = true
    return true
  }
}

/// Messages of a connection that mention a pair without its price. Before any has had it, the pair is polled as if there
/// were no stream.
struct PricelessMessages: Sendable {
  private var missing = LastingState()
  /// Those whose price cannot be read.
  private var unreadable = LastingState()

  /// Takes one of them.
  ///
  /// - Returns: Whether they have come for a minute, which is reported once.
  mutating func take(at now: Instant) -> Bool { missing.take(at: now, reportedAfter: PairState.quietAfter) }

  /// Takes one whose price cannot be read, of a pair that is live.
  ///
  /// - Returns: Whether they have come for ten seconds, so that the pair is polled. The others need no report then.
  mutating func takeUnreadable(at now: Instant) -> Bool {
    unreadable.take(at: now, reportedAfter: PairFeed.patience)
  }

  /// The state once that has been reported.
  static let reported: PricelessMessages = {
    var messages = PricelessMessages()
    messages.missing = .reported
    return messages
  }()
}
