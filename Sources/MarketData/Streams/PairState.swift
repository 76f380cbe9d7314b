import Config
import Mapping
import Quotes

/// The state of one pair.
struct PairState: Sendable {
  /// The table's row, or the latest one.
  private(set) var row: Ticker
  private let interval: CandleInterval
  /// The grid of a stream's candles.
  private let grid: CandleGrid?
  private let refresh: Duration
  /// Whether it is polled while no stream provides it.
  private let pollsWhenOffline: Bool
  private let channel: StreamChannel
  /// How far the first price of a stream may differ from the polled one.
  private let limitPercent: Decimal
  /// The field that represents the price among the row's streamed fields.
  let headlineField: TickerField?
  /// The fields that the table has and the stream lacks, which are polled once a minute.
  private(set) var kept: KeptFields
  /// The fields of a row that the stream should have, and those that messages of this connection have mentioned.
  private let mapped: TickerFields
  private var said: TickerFields = []
  private(set) var isLive = false
  /// Whether a price of the stream was compared with a polled one and accepted.
  private(set) var isBelieved = false
  /// A streamed price too far from the previous one to be accepted without an answer; nil if there is none.
  private(set) var jumped: Decimal?
  /// Whether it was reported that this connection has no message about the pair, or none that can be read.
  private var isMissed = false
  private var priceless = PricelessMessages()
  /// Whether the stream's data is missing or not accepted, and until when.
  var refusal = StreamRefusal()
  var isRefused: Bool { refusal.isInForce }
  /// Whether another link has it.
  var isTransferred = false {
    didSet { if isTransferred { (nextPoll, isLive, contradictions, doubted) = (nil, false, 0, nil) } }
  }
  /// When it is next polled by REST; nil for not before it falls back.
  var nextPoll: Instant?
  private(set) var isAsked = false
  /// Whether an answer is still needed to connect a new connection's data with the earlier.
  private(set) var hasGap = false
  /// Whether the answer that is still to come is that one.
  private var isAskedForGap = false
  /// Why the last one failed, which is reported once.
  private var gapFailure: TableFailure?
  private var lastPoll: Instant?
  /// When the answer that is still to come was asked for.
  private var asked: Instant?
  private var lastMessage: Instant?
  /// The exchange's time of the last row or book that a stream had, whatever its connection.
  var lastSent: MessageTime?
  private var movement = StreamMovement()
  /// Whether answers have contradicted the stream, so that repeating itself does not make the pair live again.
  private var standsStill = false
  /// Whether the row is from an answer that is newer than what the stream has been repeating.
  private var isAnswered = false
  /// The number of consecutive polls of a silent pair that failed.
  private var unconfirmed = 0
  /// The number of consecutive answers that contradicted a quiet stream.
  private(set) var contradictions = 0
  /// When the first of them came; after the second, the pair is no longer live, and this stays until the next message.
  private var doubted: Instant?
  /// Whether the stream was contradicted, and then still silent for so long that the connection must be dead without us
  /// noticing.
  private(set) var isContradicted = false
  /// The latest price from any source.
  private var price: Decimal?
  var trades = SeenTrades()
  /// nil if the stream does not number its trades one by one.
  private var numbers: TradeNumbers?
  var books = PairBooks()
  /// What was wrong with the last answer, which is reported once.
  private var lastProblems: [DataFinding.Kind] = []
  private(set) var candle: Candle?
  /// The candles of this connection.
  private var candles = StreamedCandles()
  /// The failure of the last poll.
  private var failure: TableFailure?
  /// The number of consecutive failed polls.
  private var failedPolls = 0
  /// Why the stream has no book.
  private var fault: TableFailure?

  /// The polling interval while no stream provides the pair.
  private var pause: Duration {
    failedPolls == 0 ? refresh : max(refresh, .seconds(FeedPlan.backOff(after: failedPolls)))
  }

  /// An answer that differs may have preceded a message, which the next one will show, after this time or a polling
  /// interval. Trades are reported from any source, so they are in no hurry.
  private var confirmedAfter: Duration { channel == .trades ? Self.doubtAfter : .seconds(1) }

  init(row: Ticker, _ subject: StreamSubject) {
    self.row = row
    interval = subject.interval ?? .oneMinute
    grid = subject.spec.map { [interval] in CandleGrid(interval, zoneSeconds: $0.zoneSeconds(of: interval)) }
    refresh = .milliseconds(subject.refreshMilliseconds)
    pollsWhenOffline = subject.pollsWhenOffline
    channel = subject.channel
    limitPercent = subject.options.check.identity.limitPercent
    headlineField = subject.headlineField
    numbers = subject.spec?.hasConsecutiveIDs == true ? TradeNumbers() : nil
    kept = KeptFields(subject.spec == nil ? [] : subject.unsaid, since: row.arrival)
    mapped = subject.rowFields
    price = row.price.value ?? row.bid.value
  }

  var hasToldTrades: Bool { !trades.isEmpty }

  mutating func ask(at now: Instant) {
    (isAsked, asked) = (true, now)
    if isLive { (isAskedForGap, hasGap) = (hasGap, false) }
  }

  mutating func transfer(at now: Instant) {
    isAsked = false
    disconnect(at: now)
  }

  mutating func restart(at now: Instant) {
    (lastPoll, lastMessage) = (nil, nil)
    (movement, standsStill, isAnswered) = (StreamMovement(), false, false)
    refusal.restart(at: now)
    disconnect(at: now)
  }

  /// Falls back as the connection is gone: no answer makes a pair live on it any more.
  mutating func disconnect(at now: Instant) {
    jumped = nil
    fallBack(at: now)
  }

  /// Polls by REST alone until the refusal lapses.
  mutating func refuse(isUnsubscribed: Bool = false, isOfUnits: Bool = false, at now: Instant) {
    refusal.begin(isUnsubscribed: isUnsubscribed, isOfUnits: isOfUnits, at: now)
    fallBack(at: now)
  }

  /// Polls by REST at once, but no earlier than without a stream.
  mutating func fallBack(at now: Instant) {
    guard !isTransferred else { return }
    isLive = false
    contradictions = 0
    (doubted, isContradicted) = (nil, false)
    books.endQuiet()
    (candles, priceless) = (StreamedCandles(), PricelessMessages())
    (hasGap, isAskedForGap, gapFailure, isMissed) = (false, false, nil, false)
    said = []
    if !pollsWhenOffline { kept.expire() }
    nextPoll = pollsWhenOffline ? max(now, lastPoll?.advanced(by: pause) ?? now) : nil
  }

  /// Polls by REST until the next message, if this is not the case already.
  ///
  /// - Returns: Whether that has to be reported.
  mutating func miss(at now: Instant) -> Bool {
    guard !isRefused, !isTransferred, !isMissed else { return false }
    if isLive { fallBack(at: now) }
    isMissed = true
    return true
  }

  mutating func take(_ update: StreamUpdate, arrival: Instant) -> [StreamEvent.Content] {
    guard !isRefused, !isTransferred else { return [] }
    let value = update.value
    if case .unusable(let failure) = value { return unusable(failure, at: arrival).map { [$0] } ?? [] }
    let (possible, findings) = value.separatingImpossible(on: grid, after: isLive ? price : nil, candles, arrival)
    var leftOut = findings.map { StreamEvent.Content.leftOut($0) }
    if !leftOut.isEmpty, case .trades = value, isLive { markGap(at: arrival) }
    guard let value = possible else { return leftOut }
    if isOlderThanBefore(value, at: arrival) { return leftOut }
    if kept.awaitsAnswer, case .ticker = value {
      pollSoon(at: arrival)
      return leftOut
    }
    fault = nil
    let first = update.fields.subtracting(said)
    said.formUnion(update.fields)
    if case .ticker(let new) = value, !first.isEmpty, let known = row.arrival {
      let isOld = max(known, failedPolls == 0 ? lastPoll ?? known : known).advanced(by: Self.comparableFor) < arrival
      // Before a refused stream's figures can be compared again, an answer is needed.
      if isOld, refusal.isOfUnits, failedPolls < Self.comparisonTries {
        said.subtract(first)
        refusal.awaitsAnswer = true
        pollSoon(at: arrival)
        return leftOut
      }
      if !isOld, let (field, streamed, polled) = UnitCheck.difference(of: new, from: row, in: first) {
        refuse(isOfUnits: true, at: arrival)
        return leftOut + [.fallback(.streamDiffers(streamed, polled, in: field.rawValue), retry: refusal.until)]
      }
    }
    if let (own, polled) = otherSizes(in: value) {
      refuse(at: arrival)
      return leftOut + [.fallback(.streamDiffers(own, polled, in: "size"), retry: refusal.until)]
    }
    // Without a price of its own, the row has one that may no longer be valid.
    guard update.updatesPrice else {
      // A price that an answer has contradicted is not repeated.
      guard isLive else { return leftOut + (priceless.take(at: arrival) ? [.refused(.streamUnpriced)] : []) }
      return leftOut + (contradictions == 0 ? news(of: value, isStreamed: true) : [])
    }
    priceless = PricelessMessages()
    if let (streamed, before) = difference(of: value) {
      if jumped != nil {
        jumped = streamed
        return leftOut
      }
      if isBelieved || isPriceOld(at: arrival) {
        jump(to: streamed, at: arrival)
        return isBelieved ? leftOut + [.fallback(.streamJumped(streamed, from: before), retry: nil)] : leftOut
      }
      refuse(at: arrival)
      return leftOut + [.fallback(.streamDiffers(streamed, before), retry: refusal.until)]
    }
    jumped = nil
    if case .candle(let candle, _) = value {
      if candles.isLate(candle, at: arrival, after: lastMessage) { return leftOut }
      candles.keep(candle)
      // For a pair no longer traded, some streams send the last candle forever: it is reported, but has no other effect.
      if CandleCheck.isOld(candle, interval, arrival: arrival) { return leftOut + [.candle(candle, interval)] }
    }
    let isNew = movement.take(value, update.fields, at: arrival)
    if standsStill, !isNew, failure?.reason == .notListed || !agrees(value) { return leftOut }
    standsStill = false
    if isNew { isAnswered = false }
    if !hasGap, !isLive { kept.renewal = arrival.advanced(by: kept.isOutdated(at: arrival) ? pause : Self.quietAfter) }
    // Fields that the stream lacks are polled each minute, whatever arrives.
    if !hasGap, !isLive || isNew {
      nextPoll = kept.nextPoll(by: arrival.advanced(by: Self.quietAfter), mapped.subtracting(said))
    }
    if isNew || !isLive {
      (contradictions, doubted, isContradicted) = (0, nil, false)
      books.endQuiet()
    }
    if !isLive, case .trades = value { beginTape(at: arrival) }
    if case .trades(let new) = value, numbers?.take(new) == true || isLive && isNew && movement.endsSilence {
      markGap(at: arrival)
      if !pollsWhenOffline { leftOut.append(.missed) }
    }
    (isLive, isMissed) = (true, false)
    isBelieved = isBelieved || headline(of: value) != nil
    (failure, unconfirmed) = (nil, 0)
    refusal.forget()
    lastMessage = arrival
    guard isAnswered, case .ticker(let repeated) = value else { return leftOut + news(of: value, isStreamed: true) }
    var confirmed = row
    (confirmed.time, confirmed.arrival) = (repeated.time, repeated.arrival)
    confirmed.flags = row.flags.filter { $0.kind != .stale } + repeated.flags.filter { $0.kind == .stale }
    return leftOut + news(of: .ticker(confirmed), isStreamed: true)
  }

  /// Returns whether the figures of a message are those of the answer before it.
  private func agrees(_ value: StreamUpdate.Value) -> Bool {
    if case .ticker(let streamed) = value { return streamed.agrees(with: row, in: said.intersection(mapped)) }
    return headline(of: value) == price
  }

  /// Whether the price before is too old to refute another one, as that of a pair which others poll may be.
  private func isPriceOld(at now: Instant) -> Bool {
    let latest = [row.arrival, lastPoll, lastMessage].compactMap(\.self).max()
    return latest.map { $0.advanced(by: Self.comparableFor) < now } ?? false
  }

  /// Handles a price of another coin or unit, or of a market that has moved: an answer will tell which.
  private mutating func jump(to streamed: Decimal, at now: Instant) {
    jumped = streamed
    fallBack(at: now)
    pollSoon(at: now)
  }

  private mutating func pollSoon(at now: Instant) {
    nextPoll = nextPoll ?? max(now, lastPoll?.advanced(by: refresh) ?? now)
  }

  /// Returns the plausible part of an answer, nil if there is none or it is outdated, and why the rest is implausible,
  /// once, as answers repeat their data.
  private mutating func partedAnswer(
    _ value: StreamUpdate.Value, at now: Instant
  ) -> (possible: StreamUpdate.Value?, leftOut: [StreamEvent.Content]) {
    if case .orderbook(let book) = value, books.isOutdated(book, at: now) { return (nil, []) }
    // Its trades may be older than the latest price.
    let (possible, findings) = value.separatingImpossible(on: nil, after: nil, candles, now)
    defer { lastProblems = findings.map(\.kind) }
    return (possible, findings.filter { !lastProblems.contains($0.kind) }.map { .leftOut($0) })
  }

  /// Starts the tape of a connection; trades between the last answer and its first message are still missing.
  private mutating func beginTape(at now: Instant) {
    if numbers != nil { numbers = TradeNumbers() }
    trades.beginConnection()
    markGap(at: now)
  }

  mutating func markGap(at now: Instant) {
    trades.markGap()
    guard pollsWhenOffline else { return }
    hasGap = true
    nextPoll = max(now, lastPoll?.advanced(by: refresh) ?? now)
  }

  /// Handles unusable data: a book or row is polled until the next valid one; trades may be contained in an answer.
  private mutating func unusable(_ failure: TableFailure, at now: Instant) -> StreamEvent.Content? {
    guard channel == .orderbook || channel.feedsRows else {
      if isLive { markGap(at: now) }
      return .refused(failure)
    }
    guard isLive || failure != fault else { return nil }
    fault = failure
    if isLive { fallBack(at: now) }
    return .fallback(failure, retry: nil)
  }

  mutating func polled(
    _ result: Result<StreamUpdate.Value, TableFailure>, at now: Instant
  ) -> [StreamEvent.Content] {
    guard !isTransferred else { return [] }
    // An answer asked for before the last message may be older than it.
    let isOld = asked.map { asked in lastMessage.map { asked < $0 } ?? false } ?? false
    (isAsked, asked, refusal.awaitsAnswer, lastPoll) = (false, nil, false, now)
    kept.take(result, at: now)
    guard !isLive else { return polledWhileLive(result, at: now) }
    if case .failure = result { failedPolls += 1 } else { failedPolls = 0 }
    nextPoll = pollsWhenOffline ? now.advanced(by: pause) : jumped != nil ? now.advanced(by: Self.doubtAfter) : nil
    if let doubted { isContradicted = doubted.advanced(by: Self.doubtAfter) <= now }
    switch result {
    case .success(let value):
      failure = nil
      let (possible, leftOut) = partedAnswer(value, at: now)
      var decision: [StreamEvent.Content] = []
      if let jumped, let polled = possible.flatMap(headline) {
        if !jumped.isFar(from: polled, limitPercent) {
          // The answer confirms the stream.
          (self.jumped, isLive, lastMessage, nextPoll) = (nil, true, now, now.advanced(by: Self.quietAfter))
        } else if !isBelieved {
          self.jumped = nil
          refuse(at: now)
          decision = [.fallback(.streamDiffers(jumped, polled), retry: refusal.until)]
        }
      }
      guard let possible else { return leftOut }
      // Of trades, only later ones are news.
      return leftOut + decision + (isOld && channel != .trades ? [] : news(of: possible, isStreamed: false))
    case .failure(let failure):
      // The same failure again is not news.
      defer { self.failure = failure }
      return failure == self.failure ? [] : [.failed(failure)]
    }
  }

  /// Handles an answer about a stream that is quiet, dead without us noticing, or does not provide the whole row.
  private mutating func polledWhileLive(
    _ result: Result<StreamUpdate.Value, TableFailure>, at now: Instant
  ) -> [StreamEvent.Content] {
    nextPoll = now.advanced(by: hasGap ? refresh : Self.quietAfter)
    defer {
      kept.renewal = nextPoll
      let quiet = movement.latest?.advanced(by: Self.quietAfter)
      if !hasGap, let quiet, now < quiet { nextPoll = nextPoll.map { min($0, quiet) } }
    }
    // A stream that is contradicted is checked again in less than another minute.
    defer {
      if contradictions > 0, isLive { nextPoll = min(nextPoll ?? now, now.advanced(by: max(refresh, confirmedAfter))) }
    }
    func isPast(_ moment: Instant?) -> Bool {
      moment.map { $0.advanced(by: Self.quietAfter - PairFeed.patience) <= now } ?? true
    }
    let isQuiet = isPast(movement.latest)
    let answer: StreamUpdate.Value
    defer { isAskedForGap = false }
    switch result {
    case .success(let value):
      answer = value
      (unconfirmed, failedPolls) = (0, 0)
      if isAskedForGap { gapFailure = nil }
    case .failure(let failure) where isAskedForGap && !(isQuiet && failure.reason == .notListed):
      // What the connection lacks is still to be found.
      (hasGap, failedPolls) = (true, failedPolls + 1)
      nextPoll = now.advanced(by: pause)
      defer { gapFailure = failure }
      return failure == gapFailure ? [] : [.failed(failure)]
    case .failure(let failure) where failure.reason == .notListed:
      // The exchange has an answer: it does not list the pair any more.
      guard isQuiet, contradict(at: now) else { return [] }
      self.failure = failure
      return doubt(at: now) + [.failed(failure)]
    case .failure(let failure):
      if !kept.fields.isEmpty {
        failedPolls += 1
        nextPoll = now.advanced(by: pause)
      }
      guard isPast(lastMessage) else { return [] }
      unconfirmed += 1
      guard unconfirmed > 1 else {
        nextPoll = now.advanced(by: max(refresh, Self.unconfirmedAfter))
        return []
      }
      // Nothing vouches for the price any more.
      self.failure = failure
      fallBack(at: now)
      return [.fallback(.streamUnconfirmed, retry: nil), .failed(failure)]
    }
    let (possible, leftOut) = partedAnswer(answer, at: now)
    guard let asked = possible else { return leftOut }
    let count = contradictions
    if isQuiet, let isSame = isSame(as: asked) {
      guard isSame || !contradict(at: now) else {
        return leftOut + doubt(at: now) + news(of: asked, isStreamed: false)
      }
      if isSame { contradictions = 0 }
    }
    switch asked {
    case .ticker(let asked):
      // The answer is newer than what a quiet stream says, and the stream may be dead.
      let isNewer = isQuiet && contradictions == 0
      isAnswered = isAnswered || isNewer
      let new = row.taking(kept.fields.union(mapped.subtracting(said)), and: isNewer ? mapped : [], from: asked)
      return new.map { news(of: .ticker($0), isStreamed: false) } ?? leftOut
    case .trades:
      // Trades are reported from any source; later ones that only an answer has contradict a quiet stream.
      let last = trades.lastTime
      let news = news(of: asked, isStreamed: false)
      let isLater = news.contains { content in
        guard case .trades(let new) = content, let last else { return false }
        return new.contains { $0.time > last }
      }
      if isQuiet { contradictions = isLater ? count + 1 : 0 }
      // Both answers have been reported, so nothing about the pair is wrong.
      isContradicted = contradictions > 1
      return leftOut + news
    case .orderbook, .candle, .unusable: return leftOut
    }
  }

  /// Counts an answer that contradicts the stream.
  ///
  /// - Returns: Whether it confirms an earlier one.
  private mutating func contradict(at now: Instant) -> Bool {
    if contradictions == 0 { doubted = now }
    contradictions += 1
    return contradictions > 1
  }

  /// Polls by REST as if there were no stream until its next message; if that does not come, the connection is given up.
  private mutating func doubt(at now: Instant) -> [StreamEvent.Content] {
    let first = doubted ?? now
    standsStill = true
    fallBack(at: now)
    doubted = first
    nextPoll = nextPoll ?? first.advanced(by: Self.doubtAfter)
    return [.fallback(.streamContradicted, retry: nil)]
  }

  /// - Parameter isStreamed: Whether it is a message, which is reported even if it changes nothing; answers repeat
  ///   earlier data.
  private mutating func news(of value: StreamUpdate.Value, isStreamed: Bool) -> [StreamEvent.Content] {
    price = headline(of: value) ?? price
    switch value {
    case .ticker(let sent):
      let new = isStreamed ? kept.current(sent) : sent
      defer { row = new }
      return isStreamed || !new.hasSameCells(as: row) ? [.ticker(new)] : []
    case .trades(let all):
      let new = trades.new(all, isStreamed: isStreamed)
      return (new.hasGap ? [.missed] : []) + (new.trades.isEmpty ? [] : [.trades(new.trades)])
    case .orderbook(let new):
      defer { books.keep(new, at: isStreamed ? lastMessage : lastPoll) }
      return isStreamed || new != books.latest ? [.orderbook(new)] : []
    case .candle(let new, let previous):
      defer { if candle.map({ $0.start <= new.start }) ?? true { candle = new } }
      let changed = [previous.flatMap { $0.start == candle?.start ? $0 : nil }, new].compactMap(\.self)
      return changed.filter { isStreamed || $0 != candle }.map { .candle($0, interval) }
    case .unusable: return []
    }
  }

  /// Returns a price that is too far from the previous one to be accepted, and that one; nil if it is acceptable, or
  /// there is nothing to compare it with.
  private func difference(of value: StreamUpdate.Value) -> (streamed: Decimal, before: Decimal)? {
    if !isBelieved, case .orderbook(let new) = value, let two = books.otherMiddle(than: new) { return two }
    let limit = isBelieved && jumped == nil ? max(limitPercent, Self.jumpPercent) : limitPercent
    guard let price, let streamed = headline(of: value), streamed.isFar(from: price, limit) else { return nil }
    return (streamed, price)
  }

  private func headline(of value: StreamUpdate.Value) -> Decimal? { value.price(as: headlineField) }
}
