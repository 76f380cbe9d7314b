package import Quotes

/// What is asked of a feed in one go.
package enum FeedQuestion: Sendable, Hashable {
  /// The table of all pairs.
  case whole
  /// Each of these pairs by a request of its own.
  case pairs([Pair])
}

/// What asking a feed came to, as far as the plan cares.
package struct FeedOutcome: Sendable, Hashable {
  /// Whether nothing came.
  package var isFailure = false
  /// The pairs that the exchange does not list.
  package var unlisted: [Pair] = []
  /// Whether a pair stands in the table of all pairs alone, under a name that a request for it could not guess.
  package var needsWhole = false
  /// How many requests it took, where that is more than the plan knew: a table in batches.
  package var requests = 1

  package init(
    isFailure: Bool = false, unlisted: [Pair] = [], needsWhole: Bool = false, requests: Int = 1
  ) {
    self.isFailure = isFailure
    self.unlisted = unlisted
    self.needsWhole = needsWhole
    self.requests = requests
  }
}

/// Which feed is asked for what, and when. A value without a clock: the time comes in as an argument.
///
/// Each feed is asked at the market's term, or as much more seldom as its exchange's limit demands: the requests of all
/// feeds that share a limit use four fifths of it at most, so none ever waits in a queue. A feed that fails is asked again
/// after 1, 5, 15 and 60 seconds; none waits for another.
package struct FeedPlan: Sendable {
  private struct Entry {
    var means: FeedMeans
    /// Pairs that a stream delivers: they are not asked for.
    var streamed: Set<Pair> = []
    /// Pairs that a living stream says nothing of, and when each was asked for last: they are asked for seldom.
    var quiet: [Pair: Instant?] = [:]
    /// Those of them of which an answer says something else: they are asked for as if there were no stream.
    var doubted: Set<Pair> = []
    /// Those that somebody wants to hear an answer about, whoever brings them: they are asked for with the next question.
    var wanted: Set<Pair> = []
    /// When an answer last said something of a pair.
    var answered: [Pair: Instant] = [:]
    /// When the exchange last said that it does not list a pair.
    var unlisted: [Pair: Instant] = [:]
    var needsWhole = false
    var isAsking = false
    var isPaused = false
    /// Whether it is due as soon as the limit lets it.
    var isHurried = false
    /// What was asked last, and when.
    var asked: Instant?
    var question: FeedQuestion?
    var finished: Instant?
    /// Failures in a row.
    var failures = 0
    /// Requests that a table of all pairs was seen to take.
    var wholeRequests = 1

    /// Until when a pair is not asked for, because it is not listed or its stream is quiet; nil where it is asked for as often
    /// as the feed.
    func pause(of pair: Pair) -> (since: Instant, seconds: Int)? {
      if wanted.contains(pair) { return nil }
      if let since = unlisted[pair] { return (since, FeedPlan.unlistedSeconds) }
      guard let asked = quiet[pair], !doubted.contains(pair) else { return nil }
      return (asked ?? Instant(nanoseconds: 0), FeedPlan.quietSeconds)
    }

    /// Pairs that are to be asked for at some time.
    var unstreamed: [Pair] { means.pairs.filter { !streamed.contains($0) || wanted.contains($0) } }
  }

  /// Requests that were sent, for the share of a limit that is used.
  private struct Spending {
    let time: Instant
    let cost: Int
  }

  /// Waits after so many failures in a row; the last one after more.
  package static let backOffSeconds = [1, 5, 15, 60]

  /// How many seconds what has failed so often in a row waits, once or more.
  package static func backOff(after failures: Int) -> Int { backOffSeconds[min(failures, backOffSeconds.count) - 1] }

  /// How long a pair that is not listed is not asked for again.
  package static let unlistedSeconds = 600
  /// How often a pair is asked for that a living stream says nothing of, while answers say what the stream said last.
  package static let quietSeconds = 60
  /// More pairs than these are asked for by the table of all pairs, if there is one.
  package static let mostSinglePairs = 8

  package let keys: [FeedKey]
  private var entries: [FeedKey: Entry]
  private let sharers: [FeedMeans.Allowance: [FeedKey]]
  private var spendings: [FeedMeans.Allowance: [Spending]] = [:]

  /// - Parameter feeds: in the order of the config.
  package init(_ feeds: [(key: FeedKey, means: FeedMeans)]) {
    keys = feeds.map(\.key)
    entries = Dictionary(feeds.map { ($0.key, Entry(means: $0.means)) }) { first, _ in first }
    var sharers: [FeedMeans.Allowance: [FeedKey]] = [:]
    for (key, means) in feeds { if let allowance = means.allowance { sharers[allowance, default: []].append(key) } }
    self.sharers = sharers
  }

  // MARK: What to ask

  /// The questions that are due, each feed at most once; they count as asked from now on.
  package mutating func due(at now: Instant) -> [(key: FeedKey, question: FeedQuestion)] {
    var due: [(key: FeedKey, question: FeedQuestion)] = []
    for key in keys {
      guard var entry = entries[key], !entry.isAsking, !entry.isPaused, isDue(entry, at: now),
        let question = question(of: entry, at: now)
      else { continue }
      entry.isAsking = true
      entry.isHurried = false
      entry.asked = now
      entry.question = question
      entries[key] = entry
      note(cost(of: question, entry), of: entry.means.allowance, at: now)
      due.append((key, question))
    }
    return due
  }

  /// When something is due next; nil while nothing will be. Never before `now`.
  package func nextDue(after now: Instant) -> Instant? {
    entries.values.compactMap { entry -> Instant? in
      guard !entry.isAsking, !entry.isPaused, let time = due(entry) else { return nil }
      // A feed with nothing to ask now may have once a pair is looked for again.
      guard question(of: entry, at: max(now, time)) == nil else { return max(now, time) }
      return entry.unstreamed.compactMap { entry.pause(of: $0) }.map { $0.since.advanced(by: .seconds($0.seconds)) }
        .min().map { max(now, $0) }
    }.min()
  }

  /// Takes in what a question came to.
  package mutating func finish(_ key: FeedKey, _ outcome: FeedOutcome, at now: Instant) {
    guard var entry = entries[key], entry.isAsking else { return }
    entry.isAsking = false
    entry.finished = now
    entry.failures = outcome.isFailure ? entry.failures + 1 : 0
    let asked: [Pair]
    if case .pairs(let pairs)? = entry.question { asked = pairs } else { asked = entry.means.pairs }
    entry.wanted.subtract(asked)
    if !outcome.isFailure {
      for pair in asked {
        entry.answered[pair] = now
        entry.unlisted[pair] = outcome.unlisted.contains(pair) ? now : nil
        if entry.quiet[pair] != nil { entry.quiet[pair] = .some(now) }
      }
      if outcome.needsWhole, entry.means.wholeCost != nil { entry.needsWhole = true }
      if entry.question == .whole { entry.wholeRequests = max(entry.wholeRequests, outcome.requests) }
    }
    entries[key] = entry
  }

  /// Makes all feeds due, or one of them, as soon as their limits let them: after sleep, or because somebody asks.
  package mutating func hurry(_ key: FeedKey? = nil) {
    for one in key.map({ [$0] }) ?? keys { entries[one]?.isHurried = true }
  }

  /// Asks for pairs with the next question, though a stream brings them.
  package mutating func want(_ pairs: Set<Pair>, of key: FeedKey) {
    guard let entry = entries[key] else { return }
    entries[key]?.wanted.formUnion(pairs.intersection(entry.means.pairs))
  }

  /// Makes all feeds due at once, whatever their terms and limits: for recordings, which know none.
  package mutating func restart() {
    for key in keys { entries[key]?.asked = nil }
  }

  /// Follows other pairs from now on: what is new is asked for as soon as the limit lets it.
  package mutating func follow(_ means: FeedMeans, of key: FeedKey) {
    guard var entry = entries[key], entry.means != means else { return }
    if !means.isWhole, !Set(means.pairs).isSubset(of: entry.means.pairs) { entry.isHurried = true }
    entry.means = means
    entry.unlisted = entry.unlisted.filter { means.pairs.contains($0.key) }
    entry.answered = entry.answered.filter { means.pairs.contains($0.key) }
    entry.wanted.formIntersection(means.pairs)
    entries[key] = entry
  }

  /// A paused feed is not asked until it goes on.
  package mutating func pause(_ key: FeedKey, _ isPaused: Bool) { entries[key]?.isPaused = isPaused }

  package func isPaused(_ key: FeedKey) -> Bool { entries[key]?.isPaused ?? false }

  /// Sets which pairs a stream delivers at present.
  ///
  /// - Parameter quiet: those that it is subscribed to and has said nothing of for long.
  package mutating func stream(_ pairs: Set<Pair>, quiet: Set<Pair> = [], of key: FeedKey) {
    guard let old = entries[key], old.streamed != pairs || Set(old.quiet.keys) != quiet else { return }
    entries[key]?.streamed = pairs
    entries[key]?.quiet = Dictionary(
      uniqueKeysWithValues: quiet.map { ($0, old.quiet[$0] ?? old.answered[$0]) })
    entries[key]?.doubted.formIntersection(quiet)
    // What a stream leaves behind is asked for at once; a whole table is asked for anyway.
    if !old.streamed.isSubset(of: pairs), !old.means.isWhole { entries[key]?.isHurried = true }
  }

  package func streamed(of key: FeedKey) -> Set<Pair> { entries[key]?.streamed ?? [] }

  /// Pairs that the stream says nothing of, while answers say what it said last.
  package func quiet(of key: FeedKey) -> Set<Pair> {
    entries[key].map { Set($0.quiet.keys).subtracting($0.doubted) } ?? []
  }

  /// An answer about quiet pairs says something else than their stream: it may be dead without knowing it.
  package mutating func doubt(_ pairs: Set<Pair>, of key: FeedKey) {
    let quiet = quiet(of: key)
    entries[key]?.doubted.formUnion(pairs.intersection(quiet))
  }

  /// When the last question was asked; nil before the first.
  package func asked(of key: FeedKey) -> Instant? { entries[key]?.asked }

  // MARK: What is known

  /// The pairs that the exchange has said not to list.
  func unlisted(of key: FeedKey) -> Set<Pair> { Set(entries[key]?.unlisted.keys.map(\.self) ?? []) }

  /// When a feed that fails is asked again; nil where it does not fail or is being asked.
  package func retry(of key: FeedKey) -> Instant? {
    guard let entry = entries[key], entry.failures > 0, !entry.isAsking, !entry.isPaused else { return nil }
    return due(entry)
  }

  /// Failures in a row.
  package func failures(of key: FeedKey) -> Int { entries[key]?.failures ?? 0 }

  /// How often the feed is asked at present, in milliseconds; nil where nothing is asked of it.
  package func period(of key: FeedKey, at now: Instant) -> Int? {
    guard let entry = entries[key], question(of: entry, at: now) != nil else { return nil }
    return wait(entry)
  }

  /// What the plan has spent of a limit in its last period.
  package func spent(of allowance: FeedMeans.Allowance, at now: Instant) -> Int {
    let start = now.advanced(by: .milliseconds(-allowance.perMilliseconds))
    return (spendings[allowance] ?? []).reduce(0) { $1.time > start && $1.time <= now ? $0 + $1.cost : $0 }
  }

  // MARK: Times

  /// nil where its time is not known: nothing is to be asked.
  private func due(_ entry: Entry) -> Instant? {
    guard let asked = entry.asked else { return Instant(nanoseconds: .min) }
    if entry.isHurried { return asked.advanced(by: .milliseconds(budgetWait(entry))) }
    let regular = asked.advanced(by: .milliseconds(wait(entry)))
    guard entry.failures > 0, let finished = entry.finished else { return regular }
    let seconds = Self.backOff(after: entry.failures)
    return max(regular, finished.advanced(by: .seconds(seconds)))
  }

  /// A clock that was set back makes everything due: else a feed would stand until the clock has caught up.
  private func isDue(_ entry: Entry, at now: Instant) -> Bool {
    if let asked = entry.asked, now < asked { return true }
    return due(entry).map { $0 <= now } ?? false
  }

  private func wait(_ entry: Entry) -> Int { max(entry.means.termMilliseconds, budgetWait(entry)) }

  /// How long the requests of all feeds of one limit have to take together, so that they use four fifths of it.
  private func budgetWait(_ entry: Entry) -> Int {
    guard let allowance = entry.means.allowance else { return 0 }
    let all = sharing(allowance)
    let costs = all.reduce(0) { sum, other in
      sum + (choice(of: other, others: max(0, all.count - 1)).map { cost(of: $0, other) } ?? 0)
    }
    return Self.milliseconds(for: costs, allowance)
  }

  private static func milliseconds(for cost: Int, _ allowance: FeedMeans.Allowance) -> Int {
    let (product, overflow) = cost.multipliedReportingOverflow(by: allowance.perMilliseconds)
    // A hundred thousand years are as good as for ever, and leave room for the arithmetic.
    return overflow ? .max / 1000 : min(product / max(1, allowance.requests), .max / 1000) / 4 * 5
  }

  private func sharing(_ allowance: FeedMeans.Allowance) -> [Entry] {
    (sharers[allowance] ?? []).compactMap { entries[$0] }.filter { !$0.isPaused }
  }

  // MARK: Whole table or single pairs

  private func question(of entry: Entry, at now: Instant) -> FeedQuestion? {
    let pairs = entry.unstreamed.filter { pair in
      entry.pause(of: pair).map { now >= $0.since.advanced(by: .seconds($0.seconds)) || now < $0.since } ?? true
    }
    let others = entry.means.allowance.map { sharing($0).count - 1 } ?? 0
    return choice(of: entry, pairs, others: max(0, others))
  }

  /// The question as it is at all times but when those pairs are asked for that are asked for seldom.
  private func choice(of entry: Entry, others: Int) -> FeedQuestion? {
    choice(
      of: entry, entry.unstreamed.filter { !entry.wanted.contains($0) && entry.pause(of: $0) == nil }, others: others)
  }

  /// Single pairs where they are few and can be asked for as often as the whole table.
  ///
  /// - Parameter others: how many more feeds share the limit.
  private func choice(of entry: Entry, _ pairs: [Pair], others: Int) -> FeedQuestion? {
    if entry.means.isWhole { return .whole }
    guard !pairs.isEmpty else { return nil }
    guard entry.means.wholeCost != nil else { return .pairs(pairs) }
    guard !entry.needsWhole, pairs.count <= Self.mostSinglePairs,
      pairs.allSatisfy({ entry.means.pairCosts[$0] != nil })
    else { return .whole }
    guard let allowance = entry.means.allowance else { return .pairs(pairs) }
    let single = cost(of: .pairs(pairs), entry)
    let whole = cost(of: .whole, entry)
    func wait(_ cost: Int) -> Int {
      max(entry.means.termMilliseconds, Self.milliseconds(for: cost * (others + 1), allowance))
    }
    return single * (others + 1) <= allowance.requests && wait(single) <= wait(whole) ? .pairs(pairs) : .whole
  }

  private func cost(of question: FeedQuestion, _ entry: Entry) -> Int {
    switch question {
    case .whole:
      (entry.means.wholeCost ?? 0) * max(1, entry.wholeRequests / max(1, entry.means.wholeParts))
    case .pairs(let pairs): pairs.reduce(0) { $0 + (entry.means.pairCosts[$1] ?? 1) }
    }
  }

  private mutating func note(_ cost: Int, of allowance: FeedMeans.Allowance?, at now: Instant) {
    guard let allowance else { return }
    let start = now.advanced(by: .milliseconds(-allowance.perMilliseconds))
    spendings[allowance, default: []].removeAll { $0.time <= start || $0.time > now }
    spendings[allowance, default: []].append(Spending(time: now, cost: cost))
  }
}
