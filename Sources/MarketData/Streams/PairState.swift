import Config
import Mapping
import Quotes

/// The state of one pair.
struct PairState: Sendable {
  // MARK: The pair and its data

  private let interval: CandleInterval
  /// The grid of a stream's candles.
  private let grid: CandleGrid?
  let channel: StreamChannel
  /// The field that represents the price among the row's streamed fields.
  let headlineField: TickerField?
  /// The fields of a row that the stream should have.
  let mapped: TickerFields
  /// The table's row, or the latest one.
  private(set) var row: Ticker
  /// Whether it is from a message, perhaps with figures that an answer has added.
  private(set) var isRowStreamed = false
  /// The latest price from any source.
  private var price: Decimal?
  var trades = SeenTrades()
  var books = PairBooks()
  private(set) var candle: Candle?
  var comparedCandles = ComparedCandles()
  /// What makes the latest candle of the stream doubtful, which is reported once.
  private var candleDoubt: DataFinding.Kind?

  // MARK: Its stream

  var isLive = false
  /// Whether the stream's data is missing or not accepted, and until when.
  var refusal = StreamRefusal()
  var isRefused: Bool { refusal.isInForce }
  /// Whether another link has it.
  var isTransferred = false {
    didSet { if isTransferred { (nextPoll, isLive, contradictions) = (nil, false, Contradictions()) } }
  }
  /// How far the first price of a stream may differ from the polled one.
  let limitPercent: Decimal
  /// Whether a price of the stream was compared with a polled one and accepted.
  var isBelieved = false
  /// A streamed price too far from the previous one to be accepted without an answer; nil if there is none.
  var jumped: Decimal?
  var contradictions = Contradictions()
  /// Whether answers have contradicted the stream, so that repeating itself does not make the pair live again.
  var standsStill = false
  var lastMessage: Instant?
  /// The exchange's time of the last row or book that a stream had, whatever its connection.
  var lastSent: MessageTime?
  var movement = StreamMovement()

  // MARK: Its connection

  /// The fields that messages of this connection have mentioned.
  var said: TickerFields = []
  /// The candles of this connection.
  var candles = StreamedCandles()
  /// nil if the stream does not number its trades one by one.
  private var numbers: TradeNumbers?
  var gap = ConnectionGap()
  /// Whether it was reported that this connection has no message about the pair, or none that can be read.
  private var isMissed = false
  private var priceless = PricelessMessages()
  var late = LateMessages()
  /// When this connection's first book came whose sizes seem to be in another unit, which another answer decides.
  var unlikeSizes: Instant?
  /// Why the stream has no book.
  private var fault: AnswerFailure?

  // MARK: Its answers

  let refresh: Duration
  /// Whether it is polled while no stream provides it.
  let pollsWhenOffline: Bool
  /// The fields that the table has and the stream lacks, which are polled once a minute.
  var kept: KeptFields
  /// When it is next polled by REST; nil for not before it falls back.
  var nextPoll: Instant?
  var isAsked = false
  /// When the answer that is still to come was asked for.
  var asked: Instant?
  var lastPoll: Instant?
  /// Whether the row is from an answer that is newer than what the stream has been repeating.
  var isAnswered = false
  /// What was wrong with the last answer, which is reported once.
  var lastProblems: [DataFinding.Kind] = []
  /// The failure of the last poll.
  var failure: AnswerFailure?
  /// The number of consecutive failed polls.
  var failedPolls = 0
  /// The number of consecutive polls of a silent pair that failed.
  var unconfirmed = 0

  /// The polling interval while no stream provides the pair.
  var pause: Duration { max(refresh, FeedPlan.backOff.wait(after: failedPolls)) }

  /// An answer that differs may have preceded a message, which the next one will show, after this time or a polling
  /// interval. Trades are reported from any source, so they are in no hurry.
  var confirmedAfter: Duration { channel == .trades ? Self.doubtAfter : .seconds(1) }

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

  var hasReportedTrades: Bool { !trades.isEmpty }

  mutating func ask(at now: Instant) {
    (isAsked, asked) = (true, now)
    if isLive { gap.ask() }
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
    (contradictions, gap, isMissed) = (Contradictions(), ConnectionGap(), false)
    books.endQuiet()
    (candles, priceless, late) = (StreamedCandles(), PricelessMessages(), LateMessages())
    unlikeSizes = nil
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

  // MARK: Messages

  /// Takes a message's data about the pair, if nothing speaks against it.
  mutating func take(_ update: StreamUpdate, arrival: Instant) -> [StreamEvent.Content] {
    guard !isRefused, !isTransferred else { return [] }
    if case .unusable(let failure) = update.value { return unusable(failure, at: arrival).map { [$0] } ?? [] }
    var events: [StreamEvent.Content] = []
    guard let value = possiblePart(of: update, at: arrival, &events) else { return events }
    fault = nil
    noteDoubt(about: value, &events)
    guard hasKnownUnits(value, update.fields, at: arrival, &events) else { return events }
    // Without a price of its own, the row has one that may no longer be valid.
    guard update.updatesPrice else { return events + unpriced(value, update.fields, at: arrival) }
    priceless = PricelessMessages()
    guard isNearPrice(value, at: arrival, &events), isCurrent(value, at: arrival, &events) else { return events }
    let isNew = movement.take(value, update.fields, at: arrival)
    if standsStill, !isNew, failure?.reason.isAbsence == true || !agrees(value) { return events }
    goLive(by: value, isNew: isNew, at: arrival, &events)
    if comparedCandles.needsAnswer { pollForUnits(at: arrival) }
    return events + news(of: isAnswered ? rowConfirmed(by: value) : value, isStreamed: true)
  }

  /// Returns what can be true in a message, unless it is older than earlier ones or an answer, or has to wait for one.
  private mutating func possiblePart(
    of update: StreamUpdate, at arrival: Instant, _ events: inout [StreamEvent.Content]
  ) -> StreamUpdate.Value? {
    let (possible, findings) = update.value.separatingImpossible(
      on: grid, after: isLive ? price : nil, candles, arrival)
    events += findings.map { .leftOut($0) }
    if !findings.isEmpty, case .trades = update.value, isLive { markGap(at: arrival) }
    guard let possible, !isOlderThanBefore(update, at: arrival) else { return nil }
    let sent = timeBeforeAnswer(of: possible, isPriced: update.updatesPrice, at: arrival)
    let verdict = sent.map { late.take(sent: $0, at: arrival) } ?? .counts
    if verdict == .reported { events.append(.fallback(.stream(.behind), retry: nil)) }
    if verdict == .counts {
      guard kept.awaitsAnswer, case .ticker = possible else { return possible }
    }
    pollSoon(at: arrival)
    return nil
  }

  /// Reports what makes a candle doubtful that is shown all the same, such as a turnover that is not its volume's.
  private mutating func noteDoubt(about value: StreamUpdate.Value, _ events: inout [StreamEvent.Content]) {
    guard let grid, case .candle(let candle, _) = value else { return }
    let finding = CandleCheck.doubt(about: candle, on: grid)
    if let finding, finding.kind != candleDoubt {
      events.append(.refused(.stream(.doubtful(finding))))
    }
    candleDoubt = finding?.kind
  }

  /// Returns whether figures that messages have for the first time, or sizes, are in the units of answers; if not, the
  /// stream is refused. If that cannot be told yet, an answer is asked for.
  private mutating func hasKnownUnits(
    _ value: StreamUpdate.Value, _ fields: TickerFields, at arrival: Instant, _ events: inout [StreamEvent.Content]
  ) -> Bool {
    let first = fields.subtracting(said)
    said.formUnion(fields)
    if case .ticker(let new) = value, !first.isEmpty, let known = row.arrival {
      let isOld = max(known, failedPolls == 0 ? lastPoll ?? known : known).advanced(by: Self.comparableFor) < arrival
      // Before a refused stream's figures can be compared again, an answer is needed.
      if isOld, refusal.isOfUnits, failedPolls < Self.comparisonTries {
        said.subtract(first)
        refusal.awaitsAnswer = true
        pollSoon(at: arrival)
        return false
      }
      if !isOld, let (field, streamed, polled) = UnitCheck.difference(of: new, from: row, in: first) {
        refuse(isOfUnits: true, at: arrival)
        events.append(
          .fallback(.stream(.differs(streamed, polled: polled, figure: field.rawValue)), retry: refusal.until))
        return false
      }
    }
    guard let (figure, own, polled) = otherAmounts(in: value) else {
      unlikeSizes = nil
      return true
    }
    if case .orderbook = value, !isLive, failedPolls < Self.comparisonTries {
      let since = unlikeSizes ?? arrival
      unlikeSizes = since
      // Those of a quiet book may all have changed since the answer.
      guard books.isAnswered(since: since) else {
        pollSoon(at: arrival)
        return false
      }
    }
    refuse(at: arrival)
    events.append(.fallback(.stream(.differs(own, polled: polled, figure: figure)), retry: refusal.until))
    return false
  }

  /// Takes a message without the pair's price.
  private mutating func unpriced(
    _ value: StreamUpdate.Value, _ fields: TickerFields, at arrival: Instant
  ) -> [StreamEvent.Content] {
    guard isLive else {
      // One that was older than an answer had the price.
      if late.hasBegun { return late.isDue(at: arrival) ? [.fallback(.stream(.behind), retry: nil)] : [] }
      return priceless.take(at: arrival) ? [.refused(.stream(.unpriced))] : []
    }
    if let reason = unreadablePrice(of: value, fields), priceless.takeUnreadable(at: arrival) {
      fallBack(at: arrival)
      priceless = .reported
      return [.fallback(.stream(.unreadablePrice(reason)), retry: nil)]
    }
    // A price that an answer has contradicted is not repeated.
    return contradictions.count == 0 ? news(of: value, isStreamed: true) : []
  }

  /// Returns why a price that a message has cannot be read; nil if it has none.
  private func unreadablePrice(of value: StreamUpdate.Value, _ fields: TickerFields) -> Missing? {
    guard headlineField == .price, fields.contains(TickerFields(.price)), case .ticker(let row) = value else {
      return nil
    }
    return row.price.missing
  }

  /// Returns whether the price of a message is near enough to the one before. If not, it is of another coin or unit and
  /// the stream is refused, or the market has moved: an answer will tell which if there was a current price.
  private mutating func isNearPrice(
    _ value: StreamUpdate.Value, at arrival: Instant, _ events: inout [StreamEvent.Content]
  ) -> Bool {
    guard let (streamed, before) = difference(of: value) else {
      jumped = nil
      return true
    }
    if jumped != nil {
      jumped = streamed
    } else if isBelieved || isPriceOld(at: arrival) {
      jump(to: streamed, at: arrival)
      if isBelieved { events.append(.fallback(.stream(.jumped(streamed, from: before)), retry: nil)) }
    } else {
      refuse(at: arrival)
      events.append(.fallback(.stream(.differs(streamed, polled: before, figure: nil)), retry: refusal.until))
    }
    return false
  }

  /// Returns whether a message is about current trading: a late candle is ignored. For a pair no longer traded, some
  /// streams send the last candle forever; it is reported, but has no other effect.
  private mutating func isCurrent(
    _ value: StreamUpdate.Value, at arrival: Instant, _ events: inout [StreamEvent.Content]
  ) -> Bool {
    guard case .candle(let candle, _) = value else { return true }
    if candles.isLate(candle, at: arrival, after: lastMessage) { return false }
    candles.keep(candle)
    guard CandleCheck.isOld(candle, interval, arrival: arrival) else { return true }
    events.append(.candle(candle, interval))
    return false
  }

  /// Has the stream provide the pair from this message on, and plans when answers are needed beside it.
  private mutating func goLive(
    by value: StreamUpdate.Value, isNew: Bool, at arrival: Instant, _ events: inout [StreamEvent.Content]
  ) {
    standsStill = false
    if isNew { isAnswered = false }
    if !gap.isOpen, !isLive {
      kept.renewal = arrival.advanced(by: kept.isOutdated(at: arrival) ? pause : Self.quietAfter)
    }
    // Fields that the stream lacks are polled each minute, whatever arrives.
    if !gap.isOpen, !isLive || isNew {
      nextPoll = kept.nextPoll(by: arrival.advanced(by: Self.quietAfter), mapped.subtracting(said))
    }
    if isNew || !isLive {
      contradictions = Contradictions()
      books.endQuiet()
    }
    if !isLive, case .trades = value { beginTape(at: arrival) }
    if !isLive { late = LateMessages() }
    if case .trades(let new) = value, numbers?.take(new) == true || isLive && isNew && movement.endsSilence {
      markGap(at: arrival)
      if !pollsWhenOffline { events.append(.missed) }
    }
    (isLive, isMissed) = (true, false)
    isBelieved = isBelieved || headline(of: value) != nil
    (failure, unconfirmed) = (nil, 0)
    refusal.forget()
    lastMessage = arrival
  }

  /// Returns the row of an answer that is newer than what a message repeats, with the message's time, or that of the
  /// answer's later trade.
  private func rowConfirmed(by value: StreamUpdate.Value) -> StreamUpdate.Value {
    guard case .ticker(let repeated) = value else { return value }
    var confirmed = row
    confirmed.takeTime(from: repeated)
    (confirmed.arrival, confirmed.otherPriceArrival) = (repeated.arrival, repeated.otherPriceArrival)
    confirmed.flags = row.flags.filter { $0.kind != .stale } + repeated.flags.filter { $0.kind == .stale }
    confirmed.takeTrade(of: row)
    return .ticker(confirmed)
  }

  /// Returns whether the figures of a message are those of the answer before it.
  private func agrees(_ value: StreamUpdate.Value) -> Bool {
    if case .ticker(let streamed) = value { return streamed.agrees(with: row, in: said.intersection(mapped)) }
    return headline(of: value) == price
  }

  /// Whether the price before is too old to refute another one, as that of a pair which others poll may be.
  private func isPriceOld(at now: Instant) -> Bool {
    let latest = [row.priceArrival, lastPoll, lastMessage].compactMap(\.self).max()
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

  /// Starts the tape of a connection; trades between the last answer and its first message are still missing.
  private mutating func beginTape(at now: Instant) {
    if numbers != nil { numbers = TradeNumbers() }
    trades.beginConnection()
    markGap(at: now)
  }

  mutating func markGap(at now: Instant) {
    trades.markGap()
    guard pollsWhenOffline else { return }
    gap.open()
    nextPoll = max(now, lastPoll?.advanced(by: refresh) ?? now)
  }

  /// Handles unusable data: a book or row is polled until the next valid one; trades may be contained in an answer.
  private mutating func unusable(_ failure: AnswerFailure, at now: Instant) -> StreamEvent.Content? {
    guard channel == .orderbook || channel.feedsRows else {
      if isLive { markGap(at: now) }
      return .refused(failure)
    }
    // What is said of it may quote each message anew.
    let isNew = isLive || failure.reason != fault?.reason
    fault = failure
    guard isNew else { return nil }
    if isLive { fallBack(at: now) }
    return .fallback(failure, retry: nil)
  }

  /// - Parameter isStreamed: Whether it is a message, which is reported even if it changes nothing; answers repeat
  ///   earlier data.
  mutating func news(of value: StreamUpdate.Value, isStreamed: Bool) -> [StreamEvent.Content] {
    price = headline(of: value) ?? price
    switch value {
    case .ticker(let sent):
      let new = isStreamed ? kept.current(sent) : sent
      defer { (row, isRowStreamed) = (new, isStreamed || isLive) }
      return isStreamed || !new.hasSameCells(as: row) ? [.ticker(new)] : []
    case .trades(let all):
      let new = trades.new(all, isStreamed: isStreamed)
      return (new.hasGap ? [.missed] : []) + (new.trades.isEmpty ? [] : [.trades(new.trades)])
    case .orderbook(let new):
      defer { books.keep(new, isStreamed: isStreamed, at: isStreamed ? lastMessage : lastPoll) }
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

  func headline(of value: StreamUpdate.Value) -> Decimal? { value.price(as: headlineField) }
}
