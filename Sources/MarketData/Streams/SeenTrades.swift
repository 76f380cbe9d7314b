import Quotes

/// The trades already reported: an exchange repeats the newest ones with every connection, and REST answers contain
/// them too.
struct SeenTrades: Sendable {
  /// Identifies a trade across messages. With an ID, the time is ignored, as streams and answers may have different
  /// precision.
  struct Key: Hashable {
    let id: String?
    let price: Decimal
    /// nil while it is missing, for whatever reason.
    var size: Decimal?
    let time: Instant?
    let side: TradeSide?

    init(_ trade: Trade) {
      (id, price, size) = (trade.id, trade.price, trade.size.value)
      (time, side) = trade.id == nil ? (trade.time, trade.side) : (nil, nil)
    }

    var withoutSize: Key {
      var key = self
      key.size = nil
      return key
    }
  }

  /// What a trade has in common with its twin, which is the same trade as the other source numbers it.
  private struct Worth: Hashable {
    let price: Decimal
    let size: Decimal?

    init(_ trade: Trade) { (price, size) = (trade.price, trade.size.value) }

    init(_ key: Key) { (price, size) = (key.price, key.size) }
  }

  /// A trade as one source reported it, whether or not it was new.
  private struct Account {
    var key: Key
    let time: Instant
    let isStreamed: Bool
    /// Whether it is a message's, and an answer is known to have reported the trade, too.
    var isPaired: Bool
  }

  private struct Reported {
    var count = 0
    /// See ``stretch``.
    let stretch: Int
    /// Whether a message reported it, and not an answer.
    let isStreamed: Bool
    /// When it was made, and when others were that share its ID, price and size: some exchanges number orders.
    var time: Instant
    var otherTimes: [Instant] = []

    /// Returns whether a trade with the same ID, price and size is this one. Answers tell the time of each trade, but the
    /// time of a message may be that of its arrival.
    func isSame(at time: Instant, isStreamed: Bool) -> Bool {
      isStreamed || self.isStreamed
        || ([self.time] + otherTimes).contains { time.nanoseconds(since: $0).magnitude < Instant.second }
    }
  }

  /// How often each of the latest trades was reported.
  private var reported: [Key: Reported] = [:]
  /// How often the connection has sent each trade without an ID; it sends every trade once.
  private var streamed: [Key: Int] = [:]
  /// The trades that answers have reported, and no message since.
  private var answered: [Worth: [(key: Key, time: Instant)]] = [:]
  /// The times of the oldest and the newest trade of the last answer.
  private var answerTimes: (oldest: Instant, newest: Instant)?
  /// Whether answers and messages number trades differently; nil until an answer reaches back to trades of messages, or
  /// messages to those of an answer.
  private var numbersDiffer: Bool?
  /// Whether any trade of a message has been one of an answer under another ID, so that those without a twin are others.
  private var hasTwins = false
  /// Whether messages, and answers, have reported a time that is not in whole seconds.
  private var tellsFractions = (streamed: false, answered: false)
  /// What tells whether both count sizes in one unit.
  private var sizes = ComparedSizes()
  /// Whether a trade without a size was reported.
  private var hasSizeless = false
  private var order: [Account] = []
  /// The index of the oldest trade in `order`.
  private var first = 0
  /// The time of the newest trade no longer remembered: trades up to then were reported, or preceded everything
  /// reported. Only a trade older than all remembered ones counts: otherwise one with a time ahead of all others would
  /// hide those, and thousands with the same time would hide each other.
  private var forgotten: Instant?
  private static let maximumRemembered = 2000
  /// The number of trades to request after the first answer, if one answer can contain them: half of those remembered.
  static let maximumAnswered = maximumRemembered / 2
  /// How far the times of answers are ahead of those of messages without an ID, in nanoseconds: a message that has no
  /// time either has that of its arrival, by this machine's clock. 0 if they agree within a second.
  private var lead: Int64 = 0
  /// The number of the current uninterrupted stretch. A connection starts one, and so does an unreadable message, as
  /// the trades before it are unknown.
  private var stretch = 0
  /// The last stretch that an answer has joined to everything before it.
  private var joined = 0
  /// Whether it was said that trades are missing before the stretches that are not joined yet.
  private var isGapReported = false
  /// The time of the last trade reported before the stretches that are not joined yet.
  private var joinedTime: Instant?
  /// What an answer that joined a stretch has left open, as it ended before the first message.
  private var unanswered: Gap?
  /// From the first to the last message since the last answer that may have reported another trade than the one it was
  /// taken for.
  private var doubtful: Gap?
  /// The time of the last trade reported.
  private(set) var lastTime: Instant?
  /// The time of the last trade that a message reported, and that of the first one since the current stretch began.
  private var streamedTimes: (last: Instant?, first: Instant?)

  var isEmpty: Bool { order.isEmpty }

  /// Starts a new connection, whose messages may repeat earlier trades.
  mutating func beginConnection() {
    streamed = [:]
    markGap()
  }

  /// Notes that unreported trades may have occurred since the last message.
  mutating func markGap() {
    if stretch == joined { (stretch, joinedTime, streamedTimes.first) = (stretch + 1, lastTime, nil) }
    isGapReported = false
  }

  /// Returns whether trades may be missing that no answer has brought, which is reported once.
  mutating func reportGap() -> Bool {
    guard stretch != joined, joinedTime != nil, !isGapReported else { return false }
    isGapReported = true
    return true
  }

  /// Returns the sizes of a trade in a message and in an answer if they differ in all trades that both have; nil if not.
  /// It is reported once.
  ///
  /// - Parameter trades: Those of a message, which have not been reported.
  mutating func otherSizes(in trades: [Trade]) -> (streamed: Decimal, polled: Decimal)? {
    for trade in trades { sizes.compare(trade, isStreamed: true) }
    defer { if sizes.difference != nil { sizes.begin() } }
    return sizes.difference
  }

  /// Returns the new trades, in order, those that were reported without the size that they have now, and whether others
  /// were missed before the new ones.
  ///
  /// - Parameter isStreamed: Whether they are from a message; answers repeat the newest trades.
  mutating func new(_ trades: [Trade], isStreamed: Bool) -> (trades: [Trade], completed: [Trade], hasGap: Bool) {
    let (trades, completed) = completing(trades, isStreamed: isStreamed)
    let new = unreported(trades, isStreamed: isStreamed)
    return (new.trades, completed, new.hasGap)
  }

  private mutating func unreported(_ trades: [Trade], isStreamed: Bool) -> (trades: [Trade], hasGap: Bool) {
    noteFractions(of: trades, isStreamed: isStreamed)
    if isStreamed { return (newOnes(of: trades, isStreamed: true), false) }
    for trade in trades { sizes.compare(trade, isStreamed: false) }
    var twins = takeNameless(from: trades)
    guard let start = trades.first?.time, let end = trades.last?.time else { return ([], false) }
    answerTimes = (start, end)
    let (oldest, newest) = (messageTime(start), messageTime(end))
    // Later answers reach back further than the first one: older trades than its first are not reported.
    if order.isEmpty { forgotten = oldest }
    let known = trades.compactMap { reported[Key($0)] }
    let isJoined = known.contains { $0.stretch <= joined }
    let gapStart = unanswered?.start ?? (stretch == joined ? lastTime : joinedTime)
    let hasGap = !isJoined && !isGapReported && (gapStart.map { oldest >= $0 } ?? false)
    let isNumberedOtherwise = isNumberedOtherwise(trades, known, oldest: oldest)
    // One that ends before the first message cannot know its trades.
    if isNumberedOtherwise, let first = streamedTimes.first ?? streamedTimes.last, isEarlier(first, than: newest) {
      numbersDiffer = numbersDiffer ?? true
    }
    guard isNumberedOtherwise, let last = lastTime, !isEarlier(last, than: oldest) else {
      joined = stretch
      return (newOnes(of: trades, isStreamed: false).filter { !dropTwin($0, of: &twins) }, hasGap)
    }
    takeTwins(from: trades, to: &twins)
    let gap = openGap
    joined = stretch
    let slack: Duration = hasNameless ? .seconds(1) : .nanoseconds(precision - 1)
    let new = newOnes(of: trades, isStreamed: false).filter { trade in
      if dropTwin(trade, of: &twins) { return false }
      let time = messageTime(trade.time)
      // Before the last message, all trades of a stretch were reported: only those of a gap can be new.
      let isLater = hasTwins ? !isEarlier(time, than: last) : time > last
      if isLater || [gap, doubtful].contains(where: { $0?.contains(time, slack: slack) == true }) { return true }
      // It has not been reported, so a message that brings it later is news.
      dropAnswered(Key(trade), at: trade.time)
      return false
    }
    unanswered = gap.flatMap { gap in
      isEarlier(newest, than: gap.end) ? Gap(start: max(newest, gap.start ?? newest), end: gap.end) : nil
    }
    if let end = doubtful?.end, !isEarlier(newest, than: end) { doubtful = nil }
    lastTime = lastTime.map { max($0, last) }
    return (new, hasGap)
  }

  /// Returns whether an answer seems to number trades otherwise than messages do, as on many exchanges: it reaches back
  /// to trades of messages, but knows none of them. Then only times tell what is later, or happened in the gap.
  ///
  /// - Parameters:
  ///   - known: Those of its trades that have been reported.
  ///   - oldest: The time of its oldest trade, on the clock of messages.
  private func isNumberedOtherwise(_ trades: [Trade], _ known: [Reported], oldest: Instant) -> Bool {
    if numbersDiffer == false { return false }
    guard let last = streamedTimes.last else { return known.isEmpty && (lastTime.map { oldest < $0 } ?? false) }
    let isShared = known.contains(where: \.isStreamed) && !(tellsOnlySeconds && trades.allSatisfy { $0.id == nil })
    return !isShared && !isEarlier(last, than: oldest)
  }

  /// Where trades may be missing that an answer can still bring; nil if nowhere, or no message has come since.
  private var openGap: Gap? {
    guard stretch != joined else { return unanswered }
    let start = unanswered?.start ?? joinedTime
    return streamedTimes.first.map { Gap(start: start, end: max($0, joinedTime ?? $0)) }
  }

  private var tellsAllFractions: Bool { tellsFractions.streamed && tellsFractions.answered }

  /// Whether answers cut off the times of messages. Without IDs, the few that agree nevertheless are a coincidence.
  private var tellsOnlySeconds: Bool { tellsFractions.streamed && !tellsFractions.answered }

  /// That of times which both sources tell, in nanoseconds.
  private var precision: Int64 { tellsAllFractions ? 1_000_000 : Instant.second }

  private mutating func noteFractions(of trades: [Trade], isStreamed: Bool) {
    if isStreamed ? tellsFractions.streamed : tellsFractions.answered { return }
    guard trades.contains(where: { $0.time.nanoseconds % Instant.second != 0 }) else { return }
    if isStreamed { tellsFractions.streamed = true } else { tellsFractions.answered = true }
  }

  /// Returns whether a time is earlier than one that another source may have reported with fewer digits, or more.
  private func isEarlier(_ time: Instant, than other: Instant) -> Bool {
    time.nanoseconds / precision < other.nanoseconds / precision
  }

  /// Returns a time of an answer on the clock of messages.
  private func messageTime(_ time: Instant) -> Instant { time.advanced(by: .nanoseconds(-lead)) }

  // MARK: Twins

  /// Whether messages tell trades without an ID, whose times may be those of their arrival.
  private var hasNameless: Bool {
    lead != 0 || order.contains { $0.isStreamed && $0.key.id == nil }
  }

  /// Finds the trades of an answer that a message has reported without an ID, each of which counts once, and how far
  /// their times are ahead.
  private mutating func takeNameless(from trades: [Trade]) -> [Trade: Int] {
    let open = places { $0.isStreamed && $0.key.id == nil && !$0.isPaired }
    guard !open.isEmpty else { return [:] }
    let pairs = takePairs(of: trades.filter { $0.id != nil && reported[Key($0)] == nil }, with: open)
    if !pairs.isEmpty {
      let leads = pairs.map { $0.trade.time.nanoseconds(since: order[$0.place].time) }.sorted()
      let middle = leads[leads.count / 2]
      lead = middle.magnitude > Instant.second ? middle : 0
    }
    return pairs.reduce(into: [:]) { $0[$1.trade, default: 0] += 1 }
  }

  /// Finds the other trades of an answer that were reported under IDs which the answer does not have. Those that it has
  /// are no other's twins.
  private mutating func takeTwins(from trades: [Trade], to twins: inout [Trade: Int]) {
    let own = Set(trades.map { Key($0) })
    var taken = twins
    var counts: [Key: Int] = [:]
    let unknown = trades.filter { trade in
      if Self.take(trade, from: &taken) { return false }
      let key = Key(trade)
      guard let known = reported[key] else { return true }
      if key.id != nil { return !known.isSame(at: trade.time, isStreamed: false) }
      let count = counts[key, default: 0] + 1
      counts[key] = count
      return count > known.count
    }
    let open = unknown.isEmpty ? [] : places { !$0.isPaired && !own.contains($0.key) }
    for (trade, _) in takePairs(of: unknown, with: open) { twins[trade, default: 0] += 1 }
  }

  /// Returns the places of some accounts in `order`, oldest first.
  private func places(where isWanted: (Account) -> Bool) -> [Int] {
    order.indices.map { (first + $0) % order.count }.filter { isWanted(order[$0]) }
  }

  /// Pairs trades of an answer with accounts of equal worth. All whose times agree surely come first, so that no trade
  /// takes the twin of another that happened shortly before or after it.
  private mutating func takePairs(of trades: [Trade], with places: [Int]) -> [(trade: Trade, place: Int)] {
    var open: [Worth: [Int]] = [:]
    for place in places { open[Worth(order[place].key), default: []].append(place) }
    var rest = trades
    var pairs: [(trade: Trade, place: Int)] = []
    let agreements: [Agreement] =
      tellsAllFractions ? [.millisecond, .arrival] : [.millisecond, .second, .rounded, .arrival]
    for agreement in agreements {
      var unpaired: [Trade] = []
      for trade in rest {
        let worth = Worth(trade)
        guard let index = open[worth]?.firstIndex(where: { isTwin(order[$0], of: trade, by: agreement) }),
          let place = open[worth]?.remove(at: index)
        else {
          unpaired.append(trade)
          continue
        }
        order[place].isPaired = true
        if order[place].isStreamed { hasTwins = true }
        pairs.append((trade, place))
      }
      rest = unpaired
    }
    return pairs
  }

  private func isTwin(_ account: Account, of trade: Trade, by agreement: Agreement) -> Bool {
    switch agreement {
    case .millisecond: break
    // Answers tell their times all alike.
    case .second, .rounded: guard account.isStreamed else { return false }
    case .arrival: guard account.isStreamed, account.key.id == nil else { return false }
    }
    return agreement.holds(account.time, trade.time)
  }

  /// Returns whether a trade of an answer is one that a message has reported, each of which counts once. No message will
  /// bring it then.
  private mutating func dropTwin(_ trade: Trade, of twins: inout [Trade: Int]) -> Bool {
    guard Self.take(trade, from: &twins) else { return false }
    dropAnswered(Key(trade), at: trade.time)
    return true
  }

  private static func take(_ trade: Trade, from counts: inout [Trade: Int]) -> Bool {
    guard let count = counts[trade] else { return false }
    counts[trade] = count > 1 ? count - 1 : nil
    return true
  }

  /// Returns whether an answer reported a trade of a message under another ID or without one; each counts once.
  private mutating func takeAnswered(_ key: Key, at time: Instant) -> Bool {
    let worth = Worth(key)
    guard answered[worth] != nil else { return false }
    // An answer has all trades between its oldest and its newest one, and would have this ID if it had such ones.
    let isWithin = answerTimes.map { isEarlier($0.oldest, than: time) && isEarlier(time, than: $0.newest) } ?? false
    let canHaveOtherID = key.id == nil || numbersDiffer != nil || isWithin
    func isTwin(_ other: (key: Key, time: Instant), by agreement: Agreement) -> Bool {
      guard canHaveOtherID || other.key.id == nil, agreement.holds(other.time, time) else { return false }
      // Only keys without an ID have the side: two of them that differ in it are two trades.
      return key.side == nil || other.key.side == nil || key.side == other.key.side
    }
    let agreements: [Agreement] = tellsAllFractions ? [.millisecond] : [.millisecond, .second]
    guard agreements.contains(where: { agreement in takeAnswered(worth) { isTwin($0, by: agreement) } }) else {
      return false
    }
    hasTwins = true
    if key.id != nil { numbersDiffer = true }
    if !tellsAllFractions {
      // It may be another trade of that second, which the next answer has beside the one taken for it.
      doubtful = Gap(start: min(doubtful?.start ?? time, time), end: max(doubtful?.end ?? time, time))
    }
    return true
  }

  /// Forgets that an answer reported a trade, which is not a twin of any later message.
  private mutating func dropAnswered(_ key: Key, at time: Instant) {
    takeAnswered(Worth(key)) { $0.key == key && $0.time == time }
  }

  @discardableResult
  private mutating func takeAnswered(_ worth: Worth, where isWanted: ((key: Key, time: Instant)) -> Bool) -> Bool {
    guard let index = answered[worth]?.firstIndex(where: isWanted) else { return false }
    answered[worth]?.remove(at: index)
    if answered[worth]?.isEmpty == true { answered[worth] = nil }
    return true
  }

  // MARK: Missing sizes

  /// Returns trades with the sizes that they were reported with if those are missing now, and those of which it is the
  /// other way round: a lookup of contract sizes may fail, or learn of a contract later. They are no others for that.
  private mutating func completing(_ trades: [Trade], isStreamed: Bool) -> (trades: [Trade], completed: [Trade]) {
    let lacksSizes = trades.contains { $0.size.value == nil }
    guard hasSizeless || lacksSizes else { return (trades, []) }
    let known = Dictionary(grouping: lacksSizes ? order.map(\.key) : [], by: \.withoutSize)
    var counts: [Key: Int] = [:]
    var completed: [Trade] = []
    /// Returns whether one more trade may be one that was reported.
    func mayBe(_ key: Key) -> Bool {
      let told = counts[key, default: 0] + (isStreamed && key.id == nil ? streamed[key, default: 0] : 0)
      return told < reported[key]?.count ?? 0
    }
    let all = trades.map { trade in
      var (key, trade) = (Key(trade), trade)
      if !mayBe(key) {
        if key.size != nil, mayBe(key.withoutSize) {
          complete(key, isStreamed: isStreamed)
          completed.append(trade)
        } else if key.size == nil, let own = known[key]?.first(where: mayBe), let size = own.size {
          key = own
          trade = Trade(time: trade.time, price: trade.price, size: .value(size), side: trade.side, id: trade.id)
        }
      }
      counts[key, default: 0] += 1
      return trade
    }
    return (all, completed)
  }

  /// Gives the oldest trade that was reported without a size the one that it has now.
  private mutating func complete(_ key: Key, isStreamed: Bool) {
    let old = key.withoutSize
    guard let place = places(where: { $0.key == old }).first, let stretch = reported[old]?.stretch else { return }
    order[place].key = key
    let account = order[place]
    unreport(old)
    report(key, account.time, account.isStreamed, in: stretch)
    // A message without an ID is yet to be counted.
    if !isStreamed || key.id != nil, let count = streamed[old] {
      streamed[old] = count > 1 ? count - 1 : nil
      streamed[key, default: 0] += 1
    }
    if takeAnswered(Worth(old), where: { $0.key == old && $0.time == account.time }) {
      answered[Worth(key), default: []].append((key, account.time))
    }
  }

  // MARK: What was reported

  private mutating func newOnes(of trades: [Trade], isStreamed: Bool) -> [Trade] {
    var counts: [Key: Int] = [:]
    return trades.filter { trade in
      let key = Key(trade)
      // A message with an ID is new unless that is known, even if the exchange's clock was set back.
      let isIdentified = isStreamed && key.id != nil
      if !isIdentified, let forgotten, trade.time <= forgotten, !order.isEmpty, trade.time < order[first].time {
        return false
      }
      // A source with more trades of a key than were reported has a new one: two without an ID may be identical, and those
      // of one message or answer that share an ID are not.
      let isCarriedOver = isStreamed && key.id == nil
      let count = (isCarriedOver ? streamed[key, default: 0] : counts[key, default: 0]) + 1
      if isCarriedOver { streamed[key] = count } else { counts[key] = count }
      if let known = reported[key], count <= known.count {
        if key.id == nil {
          if isStreamed { dropAnswered(key, at: trade.time) }
          return false
        }
        if known.isSame(at: trade.time, isStreamed: isStreamed) {
          if known.isStreamed != isStreamed { (numbersDiffer, answered) = (false, [:]) }
          return false
        }
      }
      let isTwin = isStreamed && takeAnswered(key, at: trade.time)
      remember(key, trade.time, isStreamed, isPaired: isTwin)
      return !isTwin
    }
  }

  private mutating func remember(_ key: Key, _ time: Instant, _ isStreamed: Bool, isPaired: Bool) {
    report(key, time, isStreamed, in: stretch)
    if key.size == nil { hasSizeless = true }
    lastTime = isStreamed ? time : time.advanced(by: .nanoseconds(-lead))
    if isStreamed {
      streamedTimes = (time, streamedTimes.first ?? time)
    } else if numbersDiffer != false {
      answered[Worth(key), default: []].append((key, time))
    }
    let account = Account(key: key, time: time, isStreamed: isStreamed, isPaired: isPaired)
    if order.count < Self.maximumRemembered {
      order.append(account)
      return
    }
    let gone = order[first]
    order[first] = account
    first = (first + 1) % Self.maximumRemembered
    forgotten = max(forgotten ?? gone.time, gone.time)
    if !gone.isStreamed { dropAnswered(gone.key, at: gone.time) }
    unreport(gone.key)
    sizes.forget(gone.key.id)
    if let count = streamed[gone.key] { streamed[gone.key] = count > 1 ? count - 1 : nil }
  }

  private mutating func report(_ key: Key, _ time: Instant, _ isStreamed: Bool, in stretch: Int) {
    if reported[key] != nil, key.id != nil { reported[key]?.otherTimes.append(time) }
    reported[key, default: Reported(stretch: stretch, isStreamed: isStreamed, time: time)].count += 1
    sizes.remember(key.id, price: key.price, size: key.size, isStreamed: isStreamed)
  }

  /// Forgets the oldest trade of a key.
  private mutating func unreport(_ key: Key) {
    reported[key]?.count -= 1
    if let next = reported[key]?.otherTimes.first {
      reported[key]?.time = next
      reported[key]?.otherTimes.removeFirst()
    }
    if reported[key]?.count == 0 { reported[key] = nil }
  }
}
