import Config
package import Mapping
package import Quotes

/// Where a feed's rows come from at a moment, or why there are none.
package enum FeedPhase: Sendable, Hashable {
  /// Nothing has arrived yet.
  case loading
  /// Polled at this interval.
  case polled(milliseconds: Int)
  /// Provided by a stream.
  case live
  /// Partly provided by a stream; these pairs are polled, for these reasons.
  case inPart([Pair: Missing])
  /// The stream is broken, and polling takes its place.
  case substituted(reason: Missing, retry: Instant?)
  /// There are answers, but all their quotes are too old.
  case stale
  /// Nothing arrives. Existing rows are kept until they are too old.
  case failed(reason: Missing, retry: Instant?)
  case off(InactiveReason)
}

/// The state of a feed's stream.
package enum FeedStream: Sendable, Hashable {
  /// The exchange has no stream, or none is wanted.
  case none
  case connecting
  /// - Parameter life: The last sign of life.
  case live(life: Instant)
  case broken(reason: Missing, retry: Instant?)
}

/// The state of one feed, as an immutable snapshot for its readers.
package struct FeedState: Sendable {
  /// Why the last poll failed, entirely or in part.
  package struct Failure: Sendable, Hashable {
    package let failure: AnswerFailure
    /// The time of the first of the consecutive failures.
    package internal(set) var since: Instant
    /// The time of the first of the consecutive failures to connect; nil if the last request got an answer, however bad.
    package internal(set) var offlineSince: Instant?
    /// The number of consecutive failures.
    package let tries: Int
    /// Whether some of the requested data still arrived.
    package let isPartial: Bool

    package init(
      _ failure: AnswerFailure, since: Instant, offlineSince: Instant? = nil, tries: Int, isPartial: Bool
    ) {
      self.failure = failure
      self.since = since
      self.offlineSince = offlineSince
      self.tries = tries
      self.isPartial = isPartial
    }
  }

  package let key: FeedKey
  /// Up to three letters; the start of the exchange's name if the config has none.
  package let badge: String
  package private(set) var capabilities: FeedCapabilities
  package var inactiveReason: InactiveReason?
  /// The maximum age of an unconfirmed row, in seconds.
  private let staleAfterSeconds: Int
  /// The rows of the followed pairs.
  package internal(set) var rows: FeedRows
  /// When it was last asked.
  var asked: Instant?
  /// When the last answer with data arrived.
  package var answered: Instant?
  /// When the last answer of any kind arrived, be it an error.
  package var contacted: Instant?
  /// The number of rows on the exchange according to its answers, including other pairs if all were requested.
  package var rowCount = 0
  package var failure: Failure?
  package var retry: Instant?
  package var stream = FeedStream.none
  /// The pairs provided by the stream; while it is alive, their prices are still valid.
  package var streamed: Set<Pair> = []
  /// The pairs that a live stream does not mention; they are polled rarely, and agree with what it said last.
  package internal(set) var quiet: Set<Pair> = []
  /// The pairs that a live stream does not provide, and why; they are polled as if there were none.
  package internal(set) var polledPairs: [Pair: Missing] = [:]
  /// The pairs that the exchange has reported not to list.
  package internal(set) var unlisted: Set<Pair> = []
  /// The pairs that it has reported to list, but not to trade now.
  package internal(set) var halted: Set<Pair> = []
  /// The current polling interval in milliseconds; nil if not polled.
  package var period: Int?
  /// How much of its limit was used in one period.
  package var spent = 0
  /// The requests of the last answer.
  package var requests: [RequestReport] = []

  package init(
    _ key: FeedKey, badge: String?, capabilities: FeedCapabilities, inactiveReason: InactiveReason? = nil,
    staleAfterSeconds: Int = 60
  ) {
    self.key = key
    self.staleAfterSeconds = staleAfterSeconds
    self.badge = badge ?? Badges.initials(of: key.exchange)
    self.capabilities = capabilities
    self.inactiveReason = inactiveReason
    rows = FeedRows()
  }

  /// Switches to the pairs of another feed of the same market.
  mutating func follow(_ other: FeedState) {
    capabilities = other.capabilities
    inactiveReason = other.inactiveReason
    guard !capabilities.isWhole else { return }
    for pair in Set(rows.rows.map(\.ticker.pair)).subtracting(capabilities.pairs) { rows.remove(pair) }
    quiet.formIntersection(capabilities.pairs)
    halted.formIntersection(capabilities.pairs)
    polledPairs = polledPairs.filter { capabilities.pairs.contains($0.key) }
  }

  /// Counts everything that has arrived, and what is asked for, from a clock that was set back.
  mutating func follow(setBack span: Duration) {
    rows.follow(setBack: span)
    asked?.follow(setBack: span)
    answered?.follow(setBack: span)
    contacted?.follow(setBack: span)
    failure?.since.follow(setBack: span)
    failure?.offlineSince?.follow(setBack: span)
    if case .live(var life) = stream {
      life.follow(setBack: span)
      stream = .live(life: life)
    }
  }

  /// Sets which of the pairs that a live stream does not mention agree with what it said last; the others are polled as
  /// if there were no stream.
  mutating func note(quiet: Set<Pair>, of all: Set<Pair>) {
    self.quiet = quiet
    for pair in all where !quiet.contains(pair) {
      if !rows[pair].isEmpty { polledPairs[pair] = StreamLapse.silent(.lifeless).reason }
    }
  }

  /// Whether its pairs are wanted, even if the user has paused it.
  package var isFollowed: Bool { inactiveReason == nil || inactiveReason == .paused }

  /// Returns whether an answer, a failure or a message of a live stream has arrived since a moment.
  func isHeard(since moment: Instant) -> Bool {
    if case .live(let life) = stream, life >= moment { return true }
    return [answered, failure?.since].contains { $0.map { $0 >= moment } == true }
  }

  package func phase(at now: Instant) -> FeedPhase {
    if let inactiveReason { return .off(inactiveReason) }
    let own = rows.rows
    let isOld = !own.isEmpty && own.allSatisfy { isStale($0, at: now) }
    if case .live = stream, !isOld {
      // That of the first pair by name stands for all.
      guard streamed.isEmpty, quiet.isEmpty,
        let reason = polledPairs.min(by: { $0.key.description < $1.key.description })?.value
      else {
        return polledPairs.isEmpty
          ? .live
          : .inPart(Dictionary(uniqueKeysWithValues: polledPairs.map { ($0, failing(for: $0)?.reason ?? $1) }))
      }
      return .substituted(reason: reason, retry: nil)
    }
    if case .live = stream { return .stale }
    if let failure, !failure.isPartial { return .failed(reason: failure.failure.reason, retry: retry) }
    if answered == nil { return .loading }
    if own.isEmpty, !unlisted.isEmpty, unlisted.isSuperset(of: capabilities.pairs) { return .off(.noPair) }
    if isOld { return .stale }
    if case .broken(let reason, let retry) = stream { return .substituted(reason: reason, retry: retry) }
    return .polled(milliseconds: period ?? capabilities.termMilliseconds)
  }

  /// Returns where the rows of one of its pairs come from.
  package func phase(of pair: Pair, at now: Instant) -> FeedPhase {
    let phase = phase(at: now)
    switch phase {
    case .live, .inPart:
      if let reason = polledPairs[pair] {
        return failing(for: pair).map { .failed(reason: $0.reason, retry: retry) }
          ?? .substituted(reason: reason, retry: nil)
      }
      return quiet.contains(pair) ? .polled(milliseconds: FeedPlan.quietSeconds * 1000) : .live
    default: return phase
    }
  }

  /// Returns why there is no row of a pair.
  func absence(of pair: Pair) -> RowAbsence {
    if let inactiveReason, inactiveReason != .noPair { return .inactive(inactiveReason) }
    let mayList = capabilities.isWhole || capabilities.pairs.contains(pair)
    if !mayList || unlisted.contains(pair) { return .notListed }
    if halted.contains(pair) { return .halted }
    return failure.map { .failing($0.failure.reason) } ?? .loading
  }

  package var isStreaming: Bool { if case .live = stream { true } else { false } }

  /// Whether its stream has shown no sign of life for ten seconds, from which ages are shown.
  package func isSilent(at now: Instant) -> Bool {
    if case .live(let life) = stream { now.nanoseconds(since: life) >= 10_000_000_000 } else { false }
  }

  /// Whether neither its stream nor an answer has shown a sign of life for three quarters of the time after which prices
  /// are too old to be used: the stream may be broken without anyone noticing, so that they need to be confirmed otherwise.
  private func needsConfirmation(at now: Instant) -> Bool {
    guard case .live(let life) = stream else { return false }
    return now >= max(life, answered ?? life).advanced(by: .milliseconds(staleAfterSeconds * 750))
  }

  /// Returns the pairs of its stream about which an answer is needed: all if neither the stream nor an answer has shown a
  /// sign of life, else those with figures of a day that has ended since they arrived and were asked for, as a quiet
  /// stream does not renew them.
  func pairsToConfirm(at now: Instant) -> Set<Pair> {
    if needsConfirmation(at: now) { return streamed }
    // A table followed as a whole is polled anyway.
    if !isStreaming || capabilities.isWhole { return [] }
    // What an answer has not renewed, it would not renew a second later either. One that failed is asked for again, after
    // the waits of the plan.
    let answered = failure.map(\.isPartial) ?? true ? asked : nil
    let ended = rows.rows.lazy.map(\.ticker).filter { ticker in
      let ended = ticker.endedFigures(at: now)
      guard !ended.isEmpty, let arrival = ticker.arrival else { return false }
      return ticker.endedFigures(at: max(arrival, answered ?? arrival)) != ended
    }
    return streamed.intersection(ended.map(\.pair))
  }

  // MARK: Age

  /// Returns the maximum age of a pair's rows: longer if it is polled rarely, shorter if the feed is failing or paused.
  private func limitSeconds(of pair: Pair) -> Int {
    let limit = max(staleAfterSeconds, (period ?? 0) / 500, quiet.contains(pair) ? 2 * FeedPlan.quietSeconds : 0)
    let isRenewed = failing(for: pair) == nil && inactiveReason == nil
    return isRenewed ? limit : min(limit, Self.failingSeconds + (period ?? 0) / 1000)
  }

  /// How long the last price of a failing or paused feed remains valid, in addition to the polling interval.
  private static let failingSeconds = 10

  /// Whether a live stream provides every pair, so that no poll is needed.
  var isAllStreamed: Bool {
    !capabilities.isWhole && capabilities.pairs.allSatisfy { isStreamed($0) || unlisted.contains($0) }
  }

  private func isStreamed(_ pair: Pair) -> Bool { streamed.contains(pair) || quiet.contains(pair) }

  /// Why nothing about a pair arrives; nil if something does.
  private func failing(for pair: Pair) -> AnswerFailure? {
    if case .live = stream, isStreamed(pair) { return nil }
    return failure.flatMap { $0.isPartial ? nil : $0.failure }
  }

  /// Whether all rows have a time further in the future than clocks differ.
  package var isAhead: Bool {
    let own = rows.rows
    return !own.isEmpty && own.allSatisfy { ($0.ticker.ageNanoseconds ?? 0) < 0 }
  }

  /// Returns how old a price is, in nanoseconds: how long ago it arrived or, if the row has the time of its last trade,
  /// was paid; nil if unknown.
  package func age(of row: TickerRow, at now: Instant) -> Int64? {
    let ticker = row.ticker
    let traded = ticker.timeBasis == .trade ? ticker.ageNanoseconds(at: now) : nil
    return ticker.priceArrival.map { max(0, now.nanoseconds(since: $0), traded ?? 0) }
  }

  /// Returns whether a row is too old to be used, by its own time on arrival or by now.
  package func isStale(_ row: TickerRow, at now: Instant) -> Bool {
    row.ticker.flags.contains { $0.kind == .stale } || overdue(row, at: now) != nil
  }

  /// Returns whether time alone has changed what is shown of a row: it is too old to be used, or the day of some figures
  /// has ended.
  func hasAged(_ row: TickerRow, since moment: Instant, by now: Instant) -> Bool {
    isStale(row, at: moment) != isStale(row, at: now)
      || row.ticker.endedFigures(at: moment) != row.ticker.endedFigures(at: now)
  }

  /// Returns how long a row has been unconfirmed, in seconds, if that exceeds the limit.
  private func overdue(_ row: TickerRow, at now: Instant) -> Int? {
    guard var confirmed = row.ticker.priceArrival else { return nil }
    // A stream sends nothing while a price is unchanged; its sign of life confirms the price.
    if case .live(let life) = stream, streamed.contains(row.ticker.pair) { confirmed = max(confirmed, life) }
    let seconds = Int(max(0, now.nanoseconds(since: confirmed)) / Instant.second)
    return seconds > limitSeconds(of: row.ticker.pair) ? seconds : nil
  }

  /// Returns how long a row has been unconfirmed, and why, if that is too long.
  private func lapse(of row: TickerRow, at now: Instant) -> Lapse? {
    overdue(row, at: now).map { seconds in
      let reason: Lapse.Reason =
        failing(for: row.ticker.pair).map { .failing($0.reason) } ?? inactiveReason.map { .inactive($0) }
        ?? .limit(seconds: limitSeconds(of: row.ticker.pair))
      return Lapse(seconds: seconds, reason: reason)
    }
  }

  /// Returns the feed's data for a pair, as if only that had been requested; rows that are too old are flagged, and
  /// figures of a day that has ended left out.
  package func report(of pair: Pair, at now: Instant) -> ExchangeReport? {
    let own = rows[pair]
    // A feed that does not list a pair has no report of it, unless it was asked for that pair alone.
    guard capabilities.pairs.contains(pair) || !own.isEmpty else { return nil }
    return report(own, of: pair, at: now)
  }

  /// Returns the data of a feed that is followed as a whole, as if all pairs had been requested; nil for other feeds.
  package func report(at now: Instant) -> ExchangeReport? {
    capabilities.isWhole ? report(rows.rows, of: nil, at: now) : nil
  }

  /// Returns why there is no row of a pair if the latest answer about it says so, which takes precedence over a failure.
  private func lastAnswer(about pair: Pair) -> AnswerFailure? {
    unlisted.contains(pair) ? AnswerFailure(.notListed) : halted.contains(pair) ? AnswerFailure(.halted) : nil
  }

  private func report(_ own: [TickerRow], of pair: Pair?, at now: Instant) -> ExchangeReport? {
    guard isFollowed, answered != nil || failure != nil else { return nil }
    var table = TickerTable()
    table.rows = own.map { row in
      let (lapse, ended) = (lapse(of: row, at: now), row.ticker.endedFigures(at: now))
      if lapse == nil, ended.isEmpty { return row }
      var row = row
      row.ticker.expire(ended)
      guard let lapse else { return row }
      // It may be stale by its own time already, which then matters less.
      let place = row.ticker.flags.firstIndex { $0.kind == .stale } ?? row.ticker.flags.endIndex
      row.ticker.flags.replaceSubrange(place..<min(place + 1, row.ticker.flags.endIndex), with: [Flag(lapse)])
      return row
    }
    table.answered = answered == nil ? 0 : 1
    if table.rows.isEmpty, let absence = pair.flatMap(lastAnswer) ?? failure?.failure {
      table.failures = [.init(part: "", failure: absence)]
    }
    return ExchangeReport(
      exchange: key.exchange, market: key.market, GatheredTable(table, of: pair, requests: requests))
  }
}

/// Why a feed has no row of a pair.
enum RowAbsence: Sendable, Hashable {
  case notListed, halted
  case failing(Missing)
  case inactive(InactiveReason)
  /// Nothing has arrived yet.
  case loading
  /// The exchange has no feed.
  case notFollowed

  /// `not-listed`, `halted`, `http-503`, `paused`, `loading`
  var code: String {
    switch self {
    case .notListed: Missing.notListed.code
    case .halted: Missing.halted.code
    case .failing(let reason): reason.code
    case .inactive(let reason): reason.rawValue
    case .loading: "loading"
    case .notFollowed: "not-followed"
    }
  }

  /// Whether the row may come while nothing else changes.
  var mayEnd: Bool {
    switch self {
    case .halted, .failing, .inactive(.paused), .loading: true
    case .notListed, .inactive, .notFollowed: false
    }
  }
}

extension AnswerFailure {
  /// Whether there was no answer at all, rather than a bad one.
  var isConnectionFailure: Bool {
    switch reason {
    case .timeout, .noAnswer(.unreachable), .noAnswer(.tooManyFiles): true
    default: false
    }
  }
}
