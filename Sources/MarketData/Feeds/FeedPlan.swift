package import HTTP
package import Quotes

/// The data requested from a feed in one poll.
package enum FeedQuery: Sendable, Hashable {
  /// The table of all pairs.
  case whole
  /// Each of these pairs with a separate request.
  ///
  /// - Parameter searched: Those that the table of all pairs lacked under any name, as an answer showed lately: if they
  ///   are still halted, it is not asked for.
  case pairs([Pair], searched: Set<Pair> = [])
}

/// The outcome of polling a feed, as far as it matters to the plan.
package struct FeedOutcome: Sendable, Hashable {
  /// Whether there was no answer at all.
  package var isFailure = false
  /// The pairs that the exchange does not list.
  package var unlisted: [Pair] = []
  /// The pairs that it lists, but does not trade now. They are polled as any other, as that may end soon.
  package var halted: Set<Pair> = []
  /// Those of them that a table of all pairs showed, and that were not traded in this run: it may be for years.
  package var dormant: Set<Pair> = []
  /// Whether a pair is only in the table of all pairs, under a name that a request for it could not guess.
  package var needsWhole = false
  /// The number of requests, if more than the plan knew of, as for a table in batches.
  package var requests = 1
  /// How long the exchange wants no other request, if it said so.
  package var pause = Duration.zero
}

/// Decides which feed is asked for what, and when. A value without a clock: times are passed as arguments.
///
/// Each feed is polled at the market's interval, or less often if its exchange's limit requires: the requests of all
/// feeds that share a limit use at most four fifths of it, so that none ever waits in a queue. A feed that fails is
/// retried after 1, 5, 15 and 60 seconds; none waits for another.
package struct FeedPlan: Sendable {
  private struct Entry {
    var capabilities: FeedCapabilities
    /// Pairs provided by a stream, which are not polled.
    var streamed: Set<Pair> = []
    /// Pairs that a live stream does not mention, with their last poll; they are polled rarely.
    var quiet: [Pair: Instant?] = [:]
    /// Quiet pairs for which an answer contradicts the stream; they are polled as if there were no stream.
    var doubted: Set<Pair> = []
    /// Pairs for which a caller wants an answer, even if a stream provides them; they are included in the next poll.
    var wanted: Set<Pair> = []
    /// When an answer last contained each pair.
    var answered: [Pair: Instant] = [:]
    /// When the exchange last reported that it does not list each pair.
    var unlisted: [Pair: Instant] = [:]
    /// The pairs that it lists, but does not trade now; they are polled as if there were no stream.
    var halted: Set<Pair> = []
    /// When a table of all pairs last showed each pair that is halted, and was before the run began.
    var dormant: [Pair: Instant] = [:]
    /// When the table of all pairs was last asked for each halted pair, which may have another name in it.
    var searched: [Pair: Instant] = [:]
    var needsWhole = false
    var isAsking = false
    var isPaused = false
    /// Whether it is due as soon as the limit allows.
    var isExpedited = false
    /// The time and query of the last poll.
    var asked: Instant?
    var query: FeedQuery?
    var finished: Instant?
    /// The number of consecutive failures.
    var failures = 0
    /// When the exchange wants the next request at the earliest, after a failure.
    var resumes: Instant?
    /// The number of requests that the table of all pairs has actually taken.
    var wholeRequests = 1

    /// Returns the pause in polling a pair because it is not listed or its stream is quiet; nil if it is polled as
    /// often as the feed.
    func pause(of pair: Pair) -> (since: Instant, seconds: Int)? {
      if wanted.contains(pair) { return nil }
      if let since = unlisted[pair] { return (since, FeedPlan.unlistedSeconds) }
      if let since = dormant[pair] { return (since, FeedPlan.searchSeconds) }
      guard let asked = quiet[pair], !doubted.contains(pair), !halted.contains(pair) else { return nil }
      return (asked ?? Instant(nanoseconds: 0), FeedPlan.quietSeconds)
    }

    /// Pairs that are polled at some time.
    var unstreamed: [Pair] { capabilities.pairs.filter { !streamed.contains($0) || wanted.contains($0) } }

    /// Returns the pairs for which the table of all pairs is not asked now, if they are still halted.
    func searched(at now: Instant) -> Set<Pair> {
      Set(searched.filter { !now.isPast(.seconds(FeedPlan.searchSeconds), after: $0.value) }.keys)
    }

    /// The cost of a query, without that of searching the table of all pairs for those that it does not find.
    func cost(of query: FeedQuery) -> Int {
      switch query {
      case .whole: (capabilities.wholeCost ?? 0) * max(1, wholeRequests / max(1, capabilities.wholeParts))
      case .pairs(let pairs, _): pairs.reduce(0) { $0 + (capabilities.pairCosts[$1] ?? 1) }
      }
    }

    /// The cost of that search, as far as it can be foreseen: one answer serves all pairs.
    func searchCost(of query: FeedQuery) -> Int {
      guard capabilities.searchesWhole, case .pairs(let pairs, let searched) = query,
        pairs.contains(where: { unlisted[$0] != nil || halted.contains($0) && !searched.contains($0) })
      else { return 0 }
      return cost(of: .whole)
    }

    /// The part of that cost that falls on each poll if it is incurred once in `searchSeconds`.
    var searchShare: Int {
      if !capabilities.searchesWhole || halted.isEmpty { return 0 }
      let period = FeedPlan.searchSeconds * 1000
      return (cost(of: .whole) * min(capabilities.termMilliseconds, period) + period - 1) / period
    }
  }

  /// Requests sent, to calculate the used share of a limit.
  private struct Spending {
    let time: Instant
    let cost: Int
  }

  /// The waits after consecutive failures.
  package static let backOff = BackOff(1, 5, 15, 60)

  /// How long a pair that is not listed is not polled.
  package static let unlistedSeconds = 600
  /// How long the table of all pairs is not asked for a halted pair: besides the request for it alone, or at all if the
  /// pair was halted before the run began.
  static let searchSeconds = LookupAge.ofMiss
  /// The polling interval of a pair that a live stream does not mention, as long as answers agree with the stream.
  package static let quietSeconds = 60
  /// For more pairs than this, the table of all pairs is requested, if there is one.
  package static let maximumSinglePairs = 8

  package let keys: [FeedKey]
  private var entries: [FeedKey: Entry]
  private let sharers: [SharedLimit: [FeedKey]]
  private var spendings: [SharedLimit: [Spending]] = [:]

  /// - Parameter feeds: The feeds in the order of the config.
  package init(_ feeds: [(key: FeedKey, capabilities: FeedCapabilities)]) {
    keys = feeds.map(\.key)
    entries = Dictionary(feeds.map { ($0.key, Entry(capabilities: $0.capabilities)) }) { first, _ in first }
    var sharers: [SharedLimit: [FeedKey]] = [:]
    for (key, capabilities) in feeds {
      if let limit = capabilities.limit { sharers[limit, default: []].append(key) }
    }
    self.sharers = sharers
  }

  // MARK: Polling

  /// Returns the queries that are due, at most one per feed, and marks them as asked.
  package mutating func due(at now: Instant) -> [(key: FeedKey, query: FeedQuery)] {
    var due: [(key: FeedKey, query: FeedQuery)] = []
    for key in keys {
      guard var entry = entries[key], !entry.isAsking, !entry.isPaused, isDue(entry, at: now),
        let query = self.query(of: entry, at: now)
      else { continue }
      entry.isAsking = true
      entry.isExpedited = false
      entry.asked = now
      entry.query = query
      entries[key] = entry
      note(entry.cost(of: query) + entry.searchCost(of: query), of: entry.capabilities.limit, at: now)
      due.append((key, query))
    }
    return due
  }

  /// Returns when the next query is due, never before `now`; nil if none will be for now.
  package func nextDue(after now: Instant) -> Instant? {
    entries.values.compactMap { entry -> Instant? in
      guard !entry.isAsking, !entry.isPaused else { return nil }
      let time = max(now, due(entry))
      // A feed with nothing to ask now may have something once a pair's pause ends.
      guard query(of: entry, at: time) == nil else { return time }
      return entry.unstreamed.compactMap { entry.pause(of: $0) }.map { $0.since.advanced(by: .seconds($0.seconds)) }
        .min().map { max(now, $0) }
    }.min()
  }

  /// Takes the outcome of a poll.
  package mutating func finish(_ key: FeedKey, _ outcome: FeedOutcome, at now: Instant) {
    guard var entry = entries[key], entry.isAsking else { return }
    entry.isAsking = false
    entry.finished = now
    entry.failures = outcome.isFailure ? entry.failures + 1 : 0
    entry.resumes = outcome.isFailure ? now.advanced(by: outcome.pause) : nil
    let (asked, searched): ([Pair], Set<Pair>)
    if case .pairs(let pairs, let known)? = entry.query {
      (asked, searched) = (pairs, known)
    } else {
      (asked, searched) = (entry.capabilities.pairs, [])
    }
    entry.wanted.subtract(asked)
    if !outcome.isFailure {
      for pair in asked {
        entry.answered[pair] = now
        entry.unlisted[pair] = outcome.unlisted.contains(pair) ? now : nil
        entry.dormant[pair] = outcome.dormant.contains(pair) ? now : nil
        if outcome.halted.contains(pair) {
          entry.halted.insert(pair)
          if !searched.contains(pair) { entry.searched[pair] = now }
        } else {
          entry.halted.remove(pair)
          entry.searched[pair] = nil
        }
        if entry.quiet[pair] != nil { entry.quiet[pair] = .some(now) }
      }
      if outcome.needsWhole, entry.capabilities.wholeCost != nil { entry.needsWhole = true }
      if entry.query == .whole { entry.wholeRequests = max(entry.wholeRequests, outcome.requests) }
    }
    entries[key] = entry
  }

  /// Makes all feeds, or one, due as soon as their limits and exchanges allow: after sleep, or on request.
  package mutating func pollSoon(_ key: FeedKey? = nil) {
    for one in key.map({ [$0] }) ?? keys { entries[one]?.isExpedited = true }
  }

  /// Includes pairs in the next poll even if a stream provides them.
  package mutating func want(_ pairs: Set<Pair>, of key: FeedKey) {
    guard let entry = entries[key] else { return }
    entries[key]?.wanted.formUnion(pairs.intersection(entry.capabilities.pairs))
  }

  /// Makes all feeds due at once, regardless of intervals and limits, for recordings, which have none.
  package mutating func restart() {
    for key in keys { entries[key]?.asked = nil }
  }

  /// Follows other pairs from now on; new ones are polled as soon as the limit allows.
  package mutating func follow(_ capabilities: FeedCapabilities, of key: FeedKey) {
    guard var entry = entries[key], entry.capabilities != capabilities else { return }
    if !capabilities.isWhole, !Set(capabilities.pairs).isSubset(of: entry.capabilities.pairs) {
      entry.isExpedited = true
    }
    entry.capabilities = capabilities
    entry.unlisted = entry.unlisted.filter { capabilities.pairs.contains($0.key) }
    entry.dormant = entry.dormant.filter { capabilities.pairs.contains($0.key) }
    entry.searched = entry.searched.filter { capabilities.pairs.contains($0.key) }
    entry.halted.formIntersection(capabilities.pairs)
    entry.answered = entry.answered.filter { capabilities.pairs.contains($0.key) }
    entry.wanted.formIntersection(capabilities.pairs)
    entries[key] = entry
  }

  /// Pauses or resumes a feed; a paused feed is not polled.
  package mutating func pause(_ key: FeedKey, _ isPaused: Bool) { entries[key]?.isPaused = isPaused }

  package func isPaused(_ key: FeedKey) -> Bool { entries[key]?.isPaused ?? false }

  /// Sets the pairs that a stream currently provides.
  ///
  /// - Parameter quiet: Pairs that it is subscribed to but has not mentioned for a long time.
  package mutating func stream(_ pairs: Set<Pair>, quiet: Set<Pair> = [], of key: FeedKey) {
    guard let old = entries[key], old.streamed != pairs || Set(old.quiet.keys) != quiet else { return }
    entries[key]?.streamed = pairs
    entries[key]?.quiet = Dictionary(
      uniqueKeysWithValues: quiet.map { ($0, old.quiet[$0] ?? old.answered[$0]) })
    entries[key]?.doubted.formIntersection(quiet)
    // Pairs that a stream no longer provides are polled at once; a whole table is polled anyway.
    if !old.streamed.isSubset(of: pairs), !old.capabilities.isWhole { entries[key]?.isExpedited = true }
  }

  package func streamed(of key: FeedKey) -> Set<Pair> { entries[key]?.streamed ?? [] }

  /// Returns the pairs that the stream does not mention, while answers agree with what it said last.
  package func quiet(of key: FeedKey) -> Set<Pair> {
    entries[key].map { Set($0.quiet.keys).subtracting($0.doubted) } ?? []
  }

  /// Marks quiet pairs whose answers contradict their stream, which may be dead without anyone noticing.
  package mutating func doubt(_ pairs: Set<Pair>, of key: FeedKey) {
    let quiet = quiet(of: key)
    entries[key]?.doubted.formUnion(pairs.intersection(quiet))
  }

  // MARK: State

  /// Returns the pairs that the exchange has reported not to list.
  func unlisted(of key: FeedKey) -> Set<Pair> { Set(entries[key]?.unlisted.keys.map(\.self) ?? []) }

  /// Returns the pairs that are halted, and were before the run began.
  func dormant(of key: FeedKey) -> Set<Pair> { Set(entries[key]?.dormant.keys.map(\.self) ?? []) }

  /// Returns when a failing feed is retried; nil if it is not failing or is being polled.
  package func retry(of key: FeedKey) -> Instant? {
    guard let entry = entries[key], entry.failures > 0, !entry.isAsking, !entry.isPaused else { return nil }
    return due(entry)
  }

  /// Returns the number of consecutive failures.
  package func failures(of key: FeedKey) -> Int { entries[key]?.failures ?? 0 }

  /// Returns the current polling interval of the feed, in milliseconds; nil if it is not polled.
  package func period(of key: FeedKey, at now: Instant) -> Int? {
    guard let entry = entries[key], query(of: entry, at: now) != nil else { return nil }
    return wait(entry)
  }

  /// Returns how much of a limit the plan has used in its last period.
  package func spent(of shared: SharedLimit, at now: Instant) -> Int {
    let start = now.advanced(by: .milliseconds(-shared.limit.perMilliseconds))
    return (spendings[shared] ?? []).reduce(0) { $1.time > start && $1.time <= now ? $0 + $1.cost : $0 }
  }

  // MARK: Times

  private func due(_ entry: Entry) -> Instant {
    guard let asked = entry.asked else { return Instant(nanoseconds: .min) }
    if entry.isExpedited {
      let soon = asked.advanced(by: .milliseconds(budgetWait(entry)))
      return max(soon, entry.resumes ?? soon)
    }
    let regular = asked.advanced(by: .milliseconds(wait(entry)))
    guard entry.failures > 0, let finished = entry.finished else { return regular }
    let retry = finished.advanced(by: Self.backOff.wait(after: entry.failures))
    return max(regular, retry, entry.resumes ?? regular)
  }

  /// Returns whether the feed is due. It always is if the clock was set back, or it would stall until that catches up.
  private func isDue(_ entry: Entry, at now: Instant) -> Bool {
    if let asked = entry.asked, now < asked { return true }
    return due(entry) <= now
  }

  private func wait(_ entry: Entry) -> Int { max(entry.capabilities.termMilliseconds, budgetWait(entry)) }

  /// Returns the interval at which the requests of all feeds with one limit together use four fifths of it.
  private func budgetWait(_ entry: Entry) -> Int {
    guard let shared = entry.capabilities.limit else { return 0 }
    let all = sharing(shared)
    let costs = all.reduce(0) { sum, other in
      sum + (choice(of: other, others: max(0, all.count - 1)).map { other.cost(of: $0) + other.searchShare } ?? 0)
    }
    return Self.milliseconds(for: costs, shared.limit)
  }

  /// Returns the interval at which requests of this cost together use four fifths of a limit.
  static func milliseconds(for cost: Int, _ limit: RateLimit) -> Int {
    let (product, overflow) = cost.multipliedReportingOverflow(by: limit.perMilliseconds)
    // A hundred thousand years are as good as forever, and leave room for the arithmetic.
    return overflow ? .max / 1000 : min(product / max(1, limit.requests), .max / 1000) / 4 * 5
  }

  private func sharing(_ limit: SharedLimit) -> [Entry] {
    (sharers[limit] ?? []).compactMap { entries[$0] }.filter { !$0.isPaused }
  }

  // MARK: Whole table or single pairs

  private func query(of entry: Entry, at now: Instant) -> FeedQuery? {
    let pairs = entry.unstreamed.filter { pair in
      entry.pause(of: pair).map { now.isPast(.seconds($0.seconds), after: $0.since) } ?? true
    }
    let others = entry.capabilities.limit.map { sharing($0).count - 1 } ?? 0
    guard let query = choice(of: entry, pairs, others: max(0, others)) else { return nil }
    guard case .pairs(let pairs, _) = query else { return query }
    return .pairs(pairs, searched: entry.searched(at: now).intersection(pairs))
  }

  /// Returns the usual query, ignoring the pairs that are polled rarely.
  private func choice(of entry: Entry, others: Int) -> FeedQuery? {
    choice(
      of: entry, entry.unstreamed.filter { !entry.wanted.contains($0) && entry.pause(of: $0) == nil }, others: others)
  }

  /// Chooses single pairs if there are few, and they can be polled as often as the whole table.
  ///
  /// - Parameter others: The number of other feeds that share the limit.
  private func choice(of entry: Entry, _ pairs: [Pair], others: Int) -> FeedQuery? {
    if entry.capabilities.isWhole { return .whole }
    guard !pairs.isEmpty else { return nil }
    guard entry.capabilities.wholeCost != nil else { return .pairs(pairs) }
    guard !entry.needsWhole, pairs.count <= Self.maximumSinglePairs,
      pairs.allSatisfy({ entry.capabilities.pairCosts[$0] != nil })
    else { return .whole }
    guard let limit = entry.capabilities.limit?.limit else { return .pairs(pairs) }
    let single = entry.cost(of: .pairs(pairs))
    let whole = entry.cost(of: .whole)
    func wait(_ cost: Int) -> Int {
      max(entry.capabilities.termMilliseconds, Self.milliseconds(for: cost * (others + 1), limit))
    }
    return single * (others + 1) <= limit.requests && wait(single) <= wait(whole) ? .pairs(pairs) : .whole
  }

  private mutating func note(_ cost: Int, of shared: SharedLimit?, at now: Instant) {
    guard let shared else { return }
    let start = now.advanced(by: .milliseconds(-shared.limit.perMilliseconds))
    spendings[shared, default: []].removeAll { $0.time <= start || $0.time > now }
    spendings[shared, default: []].append(Spending(time: now, cost: cost))
  }
}
