import Quotes

/// The books of one pair, from a stream and from answers: the latest, and what is needed to judge the next.
struct PairBooks: Sendable {
  private(set) var latest: OrderBook?
  private var arrival: Instant?
  private var isStreamed = false
  /// The first polled book since the stream went quiet.
  private var quiet: OrderBook?

  /// How far the first book of a stream may be from the polled one, excluding both spreads, as they are seconds apart.
  private static let apartPercent: Decimal = 5
  /// How long a book can show that an answer is older. Times of streams and answers may differ in meaning, and the
  /// exchange's clock may be set back.
  private static let patience = Duration.seconds(60)

  mutating func keep(_ book: OrderBook, isStreamed: Bool, at arrival: Instant?) {
    (latest, self.isStreamed, self.arrival) = (book, isStreamed, arrival)
  }

  /// Counts the arrival from a clock that was set back.
  mutating func follow(setBack span: Duration) { arrival?.follow(setBack: span) }

  mutating func endQuiet() { quiet = nil }

  /// Returns whether a polled book is older than the latest one, as the exchange's times say: many exchanges answer from
  /// copies that are seconds behind each other, and behind their streams.
  func isOutdated(_ polled: OrderBook, at now: Instant) -> Bool {
    guard let time = polled.time, let known = latest?.time else { return false }
    return time < known && isRecent(at: now)
  }

  /// Returns whether a streamed book is older than the latest one, which is an answer's, and has other best prices: some
  /// streams begin with a book that the exchange has kept.
  func isOlder(_ streamed: OrderBook, at now: Instant) -> Bool {
    guard !isStreamed, let latest, let known = latest.time, let sent = streamed.time, isRecent(at: now) else {
      return false
    }
    return known.outdates(sent, at: now) && !streamed.hasSameBest(as: latest)
  }

  /// Returns whether the latest book is of an answer that came after a moment.
  func isAnswered(since moment: Instant) -> Bool { !isStreamed && arrival.map { moment < $0 } ?? false }

  private func isRecent(at now: Instant) -> Bool { arrival.map { now < $0.advanced(by: Self.patience) } ?? false }

  /// Returns a size in a stream's first book and the same one in the polled book, if their units must differ.
  func otherSizes(than streamed: OrderBook) -> (own: Decimal, other: Decimal)? {
    latest.flatMap { UnitCheck.sizes(of: streamed, $0) }
  }

  /// Returns the middle of a stream's first book and the polled one's, if it must be another coin's.
  func otherMiddle(than streamed: OrderBook) -> (streamed: Decimal, before: Decimal)? {
    latest?.middles(beside: streamed, beyond: Self.apartPercent)
  }

  /// Returns whether a polled book agrees with a quiet stream's latest; nil if there is none.
  mutating func isSame(as polled: OrderBook) -> Bool? {
    guard let latest else { return nil }
    defer { quiet = quiet ?? polled }
    return polled.hasSameBest(as: latest) && quiet.map { polled.hasSameLevels(as: $0, within: latest) } ?? true
  }
}
