package import Mapping
package import Quotes

/// Why a feed is not asked at all.
package enum FeedRest: Sendable, Hashable {
  /// It is switched off in the config.
  case disabled
  /// Its block of the config cannot be read.
  case unreadable
  /// It lists nothing that is paid in the currencies of the pairs that are followed.
  case noPair
  /// The user has paused it.
  case paused
}

/// Where a feed's rows come from at a moment, or why none come.
package enum FeedPhase: Sendable, Hashable {
  /// Nothing has come yet.
  case loading
  /// Asked so often.
  case polled(milliseconds: Int)
  /// A stream delivers.
  case live
  /// A stream delivers, but not all: requests fill in for these pairs, for these reasons.
  case inPart([Pair: String])
  /// The stream is broken, and requests fill in.
  case substituted(reason: String, retry: Instant?)
  /// Answers come, and all their quotes are too old.
  case stale
  /// Nothing comes. What it had stays until it is too old.
  case failed(reason: String, retry: Instant?)
  case off(FeedRest)
}

/// What a stream does for a feed.
package enum FeedStream: Sendable, Hashable {
  /// The exchange has none, or none is asked for.
  case none
  case connecting
  /// - Parameter life: when it last showed that it lives.
  case live(life: Instant)
  case broken(reason: String, retry: Instant?)
}

/// All that is known of one feed: a value that never changes behind its reader's back.
package struct FeedState: Sendable {
  /// Why nothing, or not all, came of the last question.
  package struct Failure: Sendable, Hashable {
    package let failure: TableFailure
    /// When the first of the failures in a row came.
    package let since: Instant
    /// How many there were in a row.
    package let tries: Int
    /// Whether some of what was asked for came all the same.
    package let isPartial: Bool

    package init(_ failure: TableFailure, since: Instant, tries: Int, isPartial: Bool) {
      self.failure = failure
      self.since = since
      self.tries = tries
      self.isPartial = isPartial
    }
  }

  package let key: FeedKey
  /// Up to three letters; the beginning of the exchange's name where the config has none.
  package let badge: String
  package private(set) var means: FeedMeans
  package var rest: FeedRest?
  /// How old, in seconds, a row may be that nothing has confirmed since.
  private let staleAfterSeconds: Int
  /// The rows of the followed pairs.
  package internal(set) var rows: FeedRows
  /// When an answer last came that had something to say.
  package var answered: Instant?
  /// How many rows the exchange has, as far as the answers say: those of other pairs too where all were asked for.
  package var rowCount = 0
  package var failure: Failure?
  package var retry: Instant?
  package var stream = FeedStream.none
  /// The pairs that the stream brings: that it lives says of their prices that they stand.
  package var streamed: Set<Pair> = []
  /// The pairs that a living stream says nothing of: they are asked for seldom, and say what it said last.
  package internal(set) var quiet: Set<Pair> = []
  /// The pairs that a living stream does not bring, and why: they are asked for as if there were none.
  package internal(set) var filledIn: [Pair: String] = [:]
  /// The pairs that it has said not to list.
  package internal(set) var unlisted: Set<Pair> = []
  /// How often it is asked at present, in milliseconds; nil where nothing is asked.
  package var period: Int?
  /// What was spent of its limit in one period.
  package var spent = 0
  /// The requests of the last answer.
  package var requests: [RequestReport] = []

  package init(_ key: FeedKey, badge: String?, means: FeedMeans, rest: FeedRest? = nil, staleAfterSeconds: Int = 60) {
    self.key = key
    self.staleAfterSeconds = staleAfterSeconds
    self.badge = badge ?? String(key.exchange.prefix(2)).uppercased()
    self.means = means
    self.rest = rest
    rows = FeedRows()
  }

  /// Follows the pairs of another feed of the same market.
  mutating func follow(_ other: FeedState) {
    means = other.means
    rest = other.rest
    guard !means.isWhole else { return }
    for pair in Set(rows.rows.map(\.ticker.pair)).subtracting(means.pairs) { rows.remove(pair) }
    quiet.formIntersection(means.pairs)
    filledIn = filledIn.filter { means.pairs.contains($0.key) }
  }

  /// Takes in which of the pairs that a living stream says nothing of are as it said last; the others are asked for as if there
  /// were none.
  mutating func note(quiet: Set<Pair>, of all: Set<Pair>) {
    self.quiet = quiet
    for pair in all where !quiet.contains(pair) {
      if !rows[pair].isEmpty { filledIn[pair] = TableFailure.streamSilent.reason.code }
    }
  }

  package func phase(at now: Instant) -> FeedPhase {
    if let rest { return .off(rest) }
    let own = rows.rows
    let isOld = !own.isEmpty && own.allSatisfy { isStale($0, at: now) }
    if case .live = stream, !isOld {
      guard streamed.isEmpty, quiet.isEmpty, let reason = filledIn.values.min() else {
        return filledIn.isEmpty ? .live : .inPart(filledIn)
      }
      return .substituted(reason: reason, retry: nil)
    }
    if case .live = stream { return .stale }
    if let failure, !failure.isPartial { return .failed(reason: failure.failure.reason.code, retry: retry) }
    if answered == nil { return .loading }
    if isOld { return .stale }
    if case .broken(let reason, let retry) = stream { return .substituted(reason: reason, retry: retry) }
    return .polled(milliseconds: period ?? means.termMilliseconds)
  }

  /// Where the rows of one of its pairs come from.
  package func phase(of pair: Pair, at now: Instant) -> FeedPhase {
    let phase = phase(at: now)
    switch phase {
    case .live, .inPart:
      if let reason = filledIn[pair] { return .substituted(reason: reason, retry: nil) }
      return quiet.contains(pair) ? .polled(milliseconds: FeedPlan.quietSeconds * 1000) : .live
    default: return phase
    }
  }

  // MARK: Age

  /// What is asked for seldom may be older. Of who is known to fail no price is believed for long.
  private func limitSeconds(of pair: Pair) -> Int {
    let limit = max(staleAfterSeconds, (period ?? 0) / 500, quiet.contains(pair) ? 2 * FeedPlan.quietSeconds : 0)
    return failing == nil ? limit : min(limit, Self.failingSeconds + (period ?? 0) / 1000)
  }

  /// How long the last price of a feed that fails stands, beyond the time between two requests.
  private static let failingSeconds = 10

  /// Why nothing comes of the feed; nil where something does.
  private var failing: TableFailure? {
    if case .live = stream { return nil }
    return failure.flatMap { $0.isPartial ? nil : $0.failure }
  }

  /// How long ago a row came, in nanoseconds; nil where that is not known.
  package func age(of row: TickerRow, at now: Instant) -> Int64? {
    row.ticker.arrival.map { max(0, now.nanoseconds(since: $0)) }
  }

  /// Whether a row is too old to be used: by its own time when it came, or since.
  package func isStale(_ row: TickerRow, at now: Instant) -> Bool {
    row.ticker.flags.contains { $0.kind == .stale } || overdue(row, at: now) != nil
  }

  /// How long nothing has confirmed a row, in seconds, where that is longer than the limit.
  private func overdue(_ row: TickerRow, at now: Instant) -> Int? {
    guard var confirmed = row.ticker.arrival else { return nil }
    // A stream says nothing about a price that stands; that it lives says so.
    if case .live(let life) = stream, streamed.contains(row.ticker.pair) { confirmed = max(confirmed, life) }
    let seconds = Int(max(0, now.nanoseconds(since: confirmed)) / 1_000_000_000)
    return seconds > limitSeconds(of: row.ticker.pair) ? seconds : nil
  }

  /// What the feed has of a pair, as if it had been asked for just that: rows that have grown too old are flagged.
  package func report(of pair: Pair, at now: Instant) -> ExchangeReport? {
    let own = rows[pair]
    // Whoever lists a pair nowhere has nothing to say of it, unless it was asked just for that.
    guard means.pairs.contains(pair) || !own.isEmpty else { return nil }
    return report(own, of: pair, at: now)
  }

  /// What a feed that is followed as a whole has, as if it had been asked for all pairs; nil for another.
  package func report(at now: Instant) -> ExchangeReport? {
    means.isWhole ? report(rows.rows, of: nil, at: now) : nil
  }

  private func report(_ own: [TickerRow], of pair: Pair?, at now: Instant) -> ExchangeReport? {
    guard rest == nil || rest == .paused, answered != nil || failure != nil else { return nil }
    var table = TickerTable()
    table.rows = own.map { row in
      guard let seconds = overdue(row, at: now),
        !row.ticker.flags.contains(where: { $0.kind == .stale })
      else { return row }
      let reason =
        failing.map { "it fails since: \($0.reason.code)" }
        ?? "\(limitSeconds(of: row.ticker.pair)) s are the most"
      var row = row
      row.ticker.flags.append(Flag(.stale, "its last answer came \(seconds) s ago, and \(reason)"))
      return row
    }
    table.answered = answered == nil ? 0 : 1
    // That it does not list the pair was its last word on it.
    let isUnlisted = pair.map(unlisted.contains) ?? false
    if let failure, table.rows.isEmpty, !isUnlisted { table.failures = [.init(part: "", failure: failure.failure)] }
    return ExchangeReport(
      exchange: key.exchange, market: key.market, GatheredTable(table, of: pair, requests: requests))
  }
}
