import Config
import Mapping
import Quotes

/// The pairs of a link: which are live, which are asked by REST, and what was said of them last.
struct PairFeed: Sendable {
  private let subject: StreamSubject
  private var states: [PairState]
  /// When pairs may be asked by REST: no later than that of any pair, and only sooner where a message has put one off.
  private(set) var deadline: Instant?
  /// Whether a quiet pair was contradicted twice in a row: the connection is dead without knowing it.
  private(set) var isContradicted = false
  /// Whether no pair is left that connections are opened for.
  private(set) var isForsaken = false

  /// How long a connection has for its first message before REST is asked.
  private static let patience = Duration.seconds(10)

  init(_ subject: StreamSubject, at now: Instant) {
    self.subject = subject
    states = subject.pairs.map { pair in
      var state = PairState(row: pair.row, subject)
      state.nextPoll = Self.firstPoll(of: pair, subject, at: now)
      return state
    }
    look()
  }

  private static func firstPoll(of pair: StreamPair, _ subject: StreamSubject, at now: Instant) -> Instant? {
    guard subject.isFilledIn else { return nil }
    // The table may have just said what there is of rows; of anything else nothing is known.
    guard subject.channel.feedsRows, pair.row.arrival != nil else { return now }
    return now.advanced(by: subject.spec == nil ? .milliseconds(subject.refreshMilliseconds) : patience)
  }

  private init(_ subject: StreamSubject, _ states: [PairState]) {
    self.subject = subject
    self.states = states
    look()
  }

  /// Finds out what is asked with every message, after something that changes seldom.
  private mutating func look() {
    // Who asks for rows asks for their offers.
    deadline =
      subject.channel == .offers ? nil : states.lazy.compactMap { $0.isAsked ? nil : $0.nextPoll }.min()
    isContradicted = states.contains { $0.contradictions >= 2 }
    isForsaken = own.isEmpty
  }

  /// As they are known by now.
  var pairs: [StreamPair] { zip(subject.pairs, states).map { StreamPair(row: $1.row, spelling: $0.spelling) } }

  /// The row of a pair as it is known by now.
  func row(of pair: Int) -> Ticker { states[pair].row }

  /// The pairs that connections are opened for: those that were neither refused nor handed on.
  var own: [Int] { states.indices.filter { !states[$0].isRefused && !states[$0].isHandedOn } }

  /// The pairs that are to be asked by REST now. One request for the table serves all: live pairs whose turn comes soon go
  /// along.
  ///
  /// - Returns: their places, and whether something was told of one of them before.
  mutating func due(at now: Instant) -> (places: [Int], isAgain: Bool) {
    guard let deadline, deadline <= now else { return ([], false) }
    let soon = subject.channel.feedsRows ? now.advanced(by: Self.patience) : now
    let places = states.indices.filter { place in
      let state = states[place]
      return !state.isAsked && state.nextPoll.map { $0 <= (state.isLive ? soon : now) } ?? false
    }
    for place in places { states[place].ask() }
    look()
    return (places, places.contains { states[$0].hasToldTrades })
  }

  /// The connection is gone: all is asked by REST, what was live at once.
  mutating func fallBack(at now: Instant) {
    for place in states.indices { states[place].fallBack(at: now) }
    look()
  }

  /// The exchange refuses the pair.
  mutating func refuse(_ pair: Int, at now: Instant) {
    states[pair].isRefused = true
    states[pair].fallBack(at: now)
    look()
  }

  /// Hands pairs on to a connection of their own, with all that is known of them; here nothing more is said of them.
  mutating func handOn(_ places: [Int], to subject: StreamSubject, at now: Instant) -> PairFeed {
    let others = places.map { place in
      var state = states[place]
      state.handOn(at: now)
      return state
    }
    for place in places { states[place].isHandedOn = true }
    look()
    return PairFeed(subject, others)
  }

  /// The clock was set back, and no moment that was noted means anything any more.
  mutating func restart(at now: Instant) {
    for place in states.indices { states[place].restart(at: now) }
    look()
  }

  /// Whether connections are opened for the pair: else what they say of it counts no more.
  func isOwn(_ pair: Int) -> Bool { !states[pair].isRefused && !states[pair].isHandedOn }

  /// A message of trades could not be read, of whichever pair: an answer has them.
  mutating func tear(at now: Instant) {
    for place in states.indices where states[place].isLive { states[place].tear(at: now) }
    look()
  }

  /// What a message says, where it is news.
  mutating func take(_ update: StreamUpdate, arrival: Instant) -> [StreamEvent.Content] {
    let was = states[update.pair].standing
    let contents = states[update.pair].take(update.value, saysPrice: update.saysPrice, arrival: arrival)
    // A live pair is only put off.
    if states[update.pair].standing != was { look() }
    return contents
  }

  /// What asking by REST came to, where it is news.
  mutating func polled(
    _ results: [(pair: Int, result: Result<StreamUpdate.Value, TableFailure>)], at now: Instant
  ) -> [(pair: Int, content: StreamEvent.Content)] {
    defer { look() }
    return results.flatMap { pair, result in states[pair].polled(result, at: now).map { (pair, $0) } }
  }
}

/// One of them.
private struct PairState: Sendable {
  /// The table's row, or the last one that was said.
  private(set) var row: Ticker
  private let interval: CandleInterval
  /// The moments at which a stream's candles begin.
  private let grid: CandleGrid?
  private let refresh: Duration
  /// Whether it is asked for where no stream brings it.
  private let isFilledIn: Bool
  private let isOfBooks: Bool
  /// How far the first price of a stream may be from the polled one.
  private let limitPercent: Decimal
  /// How far a price may be from the one before: further is another coin's, or in another unit, until an answer says the same.
  private static let jumpPercent: Decimal = 50
  /// How far the first book of a stream may lie beside that by REST, both spreads taken off: they are seconds apart.
  private static let bookPercent: Decimal = 5
  /// What stands for the price among that which the stream says of a row.
  private let headlineField: TickerField?
  /// What the table says of a row and the stream does not: it is asked for once a minute.
  private let unsaid: Set<TickerField>
  private(set) var isLive = false
  /// Whether a price of the stream was held against one by REST, and believed.
  private var isBelieved = false
  /// What the stream says that is too far from what it said before to be believed without an answer; nil where nothing is.
  private var jumped: Decimal?
  /// Since when messages of this connection speak of the pair, and none has said its price; nil where one has, or none came.
  private var unpriced: (since: Instant, isTold: Bool)?
  /// Nothing of the stream is believed, or comes.
  var isRefused = false
  /// Another link has it.
  var isHandedOn = false {
    didSet { if isHandedOn { (nextPoll, isLive, contradictions) = (nil, false, 0) } }
  }
  /// When it is asked by REST; nil: not before it falls back.
  var nextPoll: Instant?
  private(set) var isAsked = false
  /// Whether an answer is still to join what a new connection tells to what was told before it.
  private var isTorn = false
  private var lastPoll: Instant?
  private var lastMessage: Instant?
  /// Answers in a row that differed from what a quiet stream said.
  private(set) var contradictions = 0
  /// The last price that was said, by whomever.
  private var price: Decimal?
  private var trades = SeenTrades()
  private var book: OrderBook?
  /// The first answer about the book since its stream fell silent.
  private var quietBook: OrderBook?
  /// What was wrong with the last answer, which is told once.
  private var doubts: [DataFinding.Kind] = []
  private var candle: Candle?
  /// The last one of this connection.
  private var streamedCandle: Candle?
  /// Of the last answer by REST.
  private var failure: TableFailure?
  /// Answers in a row that did not come.
  private var failedPolls = 0
  /// Why there is no book by stream.
  private var fault: TableFailure?

  /// What changes seldom.
  struct Standing: Equatable {
    let isLive: Bool
    let isRefused: Bool
    let contradictions: Int
  }

  /// From one request to the next, where no stream brings the pair.
  private var pause: Duration {
    failedPolls == 0 ? refresh : max(refresh, .seconds(FeedPlan.backOff(after: failedPolls)))
  }

  var standing: Standing { Standing(isLive: isLive, isRefused: isRefused, contradictions: contradictions) }

  /// Quiet pairs are asked once so often.
  private static let quietAfter = Duration.seconds(60)
  /// An answer that differs may have come before a message: then the next one says so.
  private static let doubtAfter = Duration.seconds(20)

  init(row: Ticker, _ subject: StreamSubject) {
    self.row = row
    let interval = subject.interval ?? .oneMinute
    self.interval = interval
    grid = subject.spec.map { CandleGrid(interval, zoneSeconds: $0.zoneSeconds) }
    refresh = .milliseconds(subject.refreshMilliseconds)
    isFilledIn = subject.isFilledIn
    isOfBooks = subject.channel == .orderbook
    limitPercent = subject.options.check.identity.limitPercent
    let fields = subject.spec?.table.fields
    headlineField = TickerField.headlines.first { fields?[$0.rawValue] != nil }
    unsaid = subject.spec == nil ? [] : subject.unsaid
    price = row.price.value ?? row.bid.value
  }

  var hasToldTrades: Bool { !trades.isEmpty }

  mutating func ask() {
    isAsked = true
    if isLive { isTorn = false }
  }

  mutating func handOn(at now: Instant) {
    isAsked = false
    fallBack(at: now)
  }

  mutating func restart(at now: Instant) {
    (lastPoll, lastMessage) = (nil, nil)
    fallBack(at: now)
  }

  /// Asks by REST at once, but not sooner than it would be asked without a stream.
  mutating func fallBack(at now: Instant) {
    guard !isHandedOn else { return }
    isLive = false
    contradictions = 0
    quietBook = nil
    streamedCandle = nil
    unpriced = nil
    isTorn = false
    nextPoll = isFilledIn ? max(now, lastPoll?.advanced(by: pause) ?? now) : nil
  }

  /// - Parameter saysPrice: false where a row has its price from before: whether that still holds, the message does not say.
  mutating func take(_ value: StreamUpdate.Value, saysPrice: Bool, arrival: Instant) -> [StreamEvent.Content] {
    guard !isRefused, !isHandedOn else { return [] }
    if case .unusable(let failure) = value { return unusable(failure, at: arrival).map { [$0] } ?? [] }
    let (possible, findings) = parted(value, on: grid, at: arrival)
    let leftOut = findings.map { StreamEvent.Content.leftOut($0) }
    if !leftOut.isEmpty, case .trades = value, isLive { tear(at: arrival) }
    guard let value = possible else { return leftOut }
    fault = nil
    guard saysPrice else { return leftOut + (isLive ? news(of: value, isStreamed: true) : stillUnpriced(at: arrival)) }
    unpriced = nil
    if let (streamed, before) = difference(of: value) {
      if jumped != nil {
        jumped = streamed
        return leftOut
      }
      if isBelieved {
        jump(to: streamed, at: arrival)
        return leftOut + [.fallback(.streamJumped(streamed, from: before), retry: nil)]
      }
      isRefused = true
      fallBack(at: arrival)
      return leftOut + [.fallback(.streamDiffers(streamed, before), retry: nil)]
    }
    jumped = nil
    // Of a pair whose trading has ended some streams send the last candle for ever: it is told, and nothing follows from it.
    if case .candle(let candle) = value, CandleCheck.isOld(candle, interval, arrival: arrival) {
      streamedCandle = candle
      return leftOut + [.candle(candle, interval)]
    }
    // What the stream does not say is asked for each minute, whatever comes.
    if !isTorn, !isLive || unsaid.isEmpty { nextPoll = arrival.advanced(by: Self.quietAfter) }
    if !isLive, case .trades = value { beginTape(at: arrival) }
    isLive = true
    isBelieved = isBelieved || headline(of: value) != nil
    contradictions = 0
    quietBook = nil
    failure = nil
    lastMessage = arrival
    if case .candle(let candle) = value { streamedCandle = candle }
    return leftOut + news(of: value, isStreamed: true)
  }

  /// A row whose price no message of the connection has said is asked by REST as if there were no stream. After a minute of such
  /// messages that is told, once.
  private mutating func stillUnpriced(at now: Instant) -> [StreamEvent.Content] {
    let known = unpriced ?? (now, false)
    let isTold = known.isTold || known.since.advanced(by: Self.quietAfter) <= now
    unpriced = (known.since, isTold)
    return isTold && !known.isTold ? [.refused(.streamUnpriced)] : []
  }

  /// Another coin's price, or in another unit, or that of a market that has moved: an answer says which.
  private mutating func jump(to streamed: Decimal, at now: Instant) {
    jumped = streamed
    fallBack(at: now)
    nextPoll = nextPoll ?? max(now, lastPoll?.advanced(by: refresh) ?? now)
  }

  /// What of a value can be, whoever says it; nil where nothing can. And why the rest cannot.
  ///
  /// - Parameter grid: the moments at which candles begin; nil where they are not known.
  private func parted(
    _ value: StreamUpdate.Value, on grid: CandleGrid?, at arrival: Instant
  ) -> (possible: StreamUpdate.Value?, findings: [DataFinding]) {
    switch value {
    case .trades(let all):
      let (trades, findings) = TradeCheck.parted(all, arrival: arrival)
      return (trades.isEmpty ? nil : .trades(trades), findings)
    case .candle(let candle):
      let finding = CandleCheck.impossibility(
        of: candle, after: grid == nil ? nil : streamedCandle, on: grid, arrival: arrival)
      return finding.map { (nil, [$0]) } ?? (value, [])
    case .ticker, .orderbook, .unusable: return (value, [])
    }
  }

  /// The same of an answer. Answers say the same again and again: what is wrong with them is told once.
  private mutating func partedAnswer(
    _ value: StreamUpdate.Value, at now: Instant
  ) -> (possible: StreamUpdate.Value?, leftOut: [StreamEvent.Content]) {
    let (possible, findings) = parted(value, on: nil, at: now)
    defer { doubts = findings.map(\.kind) }
    return (possible, findings.filter { !doubts.contains($0.kind) }.map { .leftOut($0) })
  }

  /// What was traded between the last answer and the first message of a connection, nobody has told yet.
  private mutating func beginTape(at now: Instant) {
    trades.beginConnection()
    tear(at: now)
  }

  mutating func tear(at now: Instant) {
    trades.tear()
    guard isFilledIn else { return }
    isTorn = true
    nextPoll = max(now, lastPoll?.advanced(by: refresh) ?? now)
  }

  /// Where a whole book is none, requests fill in until the next one; trades that cannot be read an answer may have.
  private mutating func unusable(_ failure: TableFailure, at now: Instant) -> StreamEvent.Content? {
    guard isOfBooks else {
      if isLive { tear(at: now) }
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
    guard !isHandedOn else { return [] }
    isAsked = false
    lastPoll = now
    guard !isLive else { return polledWhileLive(result, at: now) }
    if case .failure = result { failedPolls += 1 } else { failedPolls = 0 }
    nextPoll = isFilledIn ? now.advanced(by: pause) : jumped != nil ? now.advanced(by: Self.doubtAfter) : nil
    switch result {
    case .success(let value):
      failure = nil
      let (possible, leftOut) = partedAnswer(value, at: now)
      // The answer says what the stream did.
      if let jumped, let polled = possible.flatMap(headline), !jumped.isFar(from: polled, limitPercent) {
        (self.jumped, isLive, lastMessage, nextPoll) = (nil, true, now, now.advanced(by: Self.quietAfter))
      }
      return leftOut + (possible.map { news(of: $0, isStreamed: false) } ?? [])
    case .failure(let failure):
      // The same reason again is no news.
      defer { self.failure = failure }
      return failure == self.failure ? [] : [.failed(failure)]
    }
  }

  /// A stream that is quiet, one that is dead without knowing it, or one that does not say all of a row.
  private mutating func polledWhileLive(
    _ result: Result<StreamUpdate.Value, TableFailure>, at now: Instant
  ) -> [StreamEvent.Content] {
    nextPoll = now.advanced(by: isTorn ? refresh : Self.quietAfter)
    // One that contradicts is asked for again before another minute has gone by.
    defer {
      if contradictions > 0 { nextPoll = min(nextPoll ?? now, now.advanced(by: max(refresh, Self.doubtAfter))) }
    }
    guard case .success(let answer) = result else { return [] }
    let (possible, leftOut) = partedAnswer(answer, at: now)
    guard let asked = possible else { return leftOut }
    let isQuiet = lastMessage.map { $0.advanced(by: Self.quietAfter) <= now } ?? true
    let count = contradictions
    if isQuiet, let isSame = isSame(as: asked) { contradictions = isSame ? 0 : count + 1 }
    switch asked {
    case .ticker(let asked):
      guard !unsaid.isEmpty else { return leftOut }
      var new = row
      new.takeCells(unsaid.filter { asked.cell($0) != .missing(.notAsked) }, from: asked)
      return news(of: .ticker(new), isStreamed: false)
    case .trades:
      // Trades are told whoever has them, and later ones that only an answer has contradict a quiet stream.
      let last = trades.lastTime
      let news = news(of: asked, isStreamed: false)
      let isLater = news.contains { content in
        guard case .trades(let new) = content, let last else { return false }
        return new.contains { $0.time > last }
      }
      if isQuiet { contradictions = isLater ? count + 1 : 0 }
      return leftOut + news
    case .orderbook, .candle, .unusable: return leftOut
    }
  }

  /// Whether an answer says what the stream said last; nil where the one cannot be held against the other.
  private mutating func isSame(as asked: StreamUpdate.Value) -> Bool? {
    switch asked {
    case .ticker(let asked):
      guard let field = headlineField, let polled = asked.cell(field).value, let said = row.cell(field).value else {
        return nil
      }
      return polled == said
    case .orderbook(let asked):
      guard let book else { return nil }
      defer { quietBook = quietBook ?? asked }
      guard asked.bids.first?.price == book.bids.first?.price, asked.asks.first?.price == book.asks.first?.price else {
        return false
      }
      // Answers may count otherwise than streams do, or show levels that these do not. But of the levels that a stream has, no
      // answer says something new while it is silent.
      return quietBook.map { asked.hasSameLevels(as: $0, within: book) } ?? true
    case .candle(let asked):
      guard let candle, asked.start >= candle.start else { return nil }
      if asked.start == candle.start { return asked.close == candle.close }
      // Where nothing is traded some exchanges have empty candles, of which their streams say nothing.
      return asked.volume.value.map { $0.signum == 0 } ?? (asked.close == candle.close)
    case .trades, .unusable: return nil
    }
  }

  /// - Parameter isStreamed: whether a message says so, which is told even where it changes nothing; an answer has again
  ///   what was told.
  private mutating func news(of value: StreamUpdate.Value, isStreamed: Bool) -> [StreamEvent.Content] {
    price = headline(of: value) ?? price
    switch value {
    case .ticker(let new):
      defer { row = new }
      return isStreamed || !new.hasSameCells(as: row) ? [.ticker(new)] : []
    case .trades(let all):
      let new = trades.new(all, isStreamed: isStreamed)
      return (new.isTorn ? [.missed] : []) + (new.trades.isEmpty ? [] : [.trades(new.trades)])
    case .orderbook(let new):
      defer { book = new }
      return isStreamed || new != book ? [.orderbook(new)] : []
    case .candle(let new):
      defer { candle = new }
      return isStreamed || new != candle ? [.candle(new, interval)] : []
    case .unusable: return []
    }
  }

  /// The price that is too far from the last one to be believed, and that; nil where all may be, or there is none to hold it
  /// against.
  private func difference(of value: StreamUpdate.Value) -> (streamed: Decimal, before: Decimal)? {
    if !isBelieved, case .orderbook(let streamed) = value, let book, streamed.lies(beyond: Self.bookPercent, of: book),
      let middle = streamed.middle, let before = book.middle
    {
      return (middle, before)
    }
    let limit = isBelieved && jumped == nil ? max(limitPercent, Self.jumpPercent) : limitPercent
    guard let price, let streamed = headline(of: value), streamed.isFar(from: price, limit) else { return nil }
    return (streamed, price)
  }

  private func headline(of value: StreamUpdate.Value) -> Decimal? {
    switch value {
    case .ticker(let row): headlineField.flatMap { row.cell($0).value }
    case .trades(let trades): trades.last?.price
    case .orderbook(let book): book.middle
    case .candle(let candle): candle.close
    case .unusable: nil
    }
  }
}
