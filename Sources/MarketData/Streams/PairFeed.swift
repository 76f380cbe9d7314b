import Config
import Mapping
import Quotes

/// The pairs of a link: which are live, which are asked by REST, and what was said of them last.
struct PairFeed: Sendable {
  private let subject: StreamSubject
  private var states: [PairState]

  /// How long a connection has for its first message before REST is asked.
  private static let patience = Duration.seconds(10)

  init(_ subject: StreamSubject, at now: Instant) {
    self.subject = subject
    states = subject.pairs.map { pair in
      var state = PairState(
        row: pair.row, interval: subject.interval ?? .oneMinute, refresh: .milliseconds(subject.refreshMilliseconds),
        isRenewed: subject.spec != nil && !subject.unsaid.isEmpty, isFilledIn: subject.isFilledIn,
        limitPercent: subject.options.check.identity.limitPercent)
      state.nextPoll = Self.firstPoll(of: pair, subject, at: now)
      return state
    }
  }

  private static func firstPoll(of pair: StreamPair, _ subject: StreamSubject, at now: Instant) -> Instant? {
    guard subject.isFilledIn else { return nil }
    // The table may have just said what there is of rows; of anything else nothing is known.
    guard subject.channel.feedsRows, pair.row.arrival != nil else { return now }
    return now.advanced(by: subject.spec == nil ? .milliseconds(subject.refreshMilliseconds) : patience)
  }

  /// As they are known by now.
  var pairs: [StreamPair] { zip(subject.pairs, states).map { StreamPair(row: $1.row, spelling: $0.spelling) } }

  func isLive(_ pair: Int) -> Bool { states[pair].isLive }

  /// Whether a quiet pair was contradicted twice in a row: the connection is dead without knowing it.
  var isContradicted: Bool { states.contains { $0.contradictions >= 2 } }

  /// Who asks for rows asks for their offers.
  private var isAskedFor: Bool { subject.channel != .offers }

  var deadline: Instant? {
    isAskedFor ? states.lazy.compactMap { $0.isAsked ? nil : $0.nextPoll }.min() : nil
  }

  /// The pairs that are to be asked by REST now.
  mutating func due(at now: Instant) -> [Int] {
    guard isAskedFor else { return [] }
    let places = states.indices.filter { place in
      !states[place].isAsked && states[place].nextPoll.map { $0 <= now } ?? false
    }
    for place in places { states[place].isAsked = true }
    return places
  }

  /// The connection is gone: all is asked by REST at once.
  mutating func fallBack(at now: Instant) {
    for place in states.indices {
      states[place].isLive = false
      states[place].contradictions = 0
      states[place].nextPoll = subject.isFilledIn ? now : nil
    }
  }

  /// The exchange refuses the pair.
  mutating func refuse(_ pair: Int, at now: Instant) {
    states[pair].isRefused = true
    states[pair].isLive = false
    states[pair].nextPoll = subject.isFilledIn ? now : nil
  }

  /// What a message says, where it is news.
  mutating func take(_ update: StreamUpdate, arrival: Instant) -> StreamEvent.Content? {
    states[update.pair].take(update.value, arrival: arrival)
  }

  /// What asking by REST came to, where it is news.
  mutating func polled(
    _ pair: Int, _ result: Result<StreamUpdate.Value, TableFailure>, at now: Instant
  ) -> StreamEvent.Content? {
    states[pair].polled(result, at: now)
  }
}

/// One of them.
private struct PairState: Sendable {
  /// The table's row, or the last one that was said.
  var row: Ticker
  let interval: CandleInterval
  let refresh: Duration
  /// Whether the table says fields that the stream does not: then it is asked once a minute.
  let isRenewed: Bool
  /// Whether it is asked for where no stream brings it.
  let isFilledIn: Bool
  /// How far the first price of a stream may be from the polled one.
  let limitPercent: Decimal
  var isLive = false
  /// Nothing of the stream is believed, or comes.
  var isRefused = false
  /// When it is asked by REST; nil: not before it falls back.
  var nextPoll: Instant?
  var isAsked = false
  /// Answers in a row that differed from what a quiet stream said.
  var contradictions = 0
  private var trades = SeenTrades()
  private var book: OrderBook?
  private var candle: Candle?
  private var failure: TableFailure?

  /// Quiet pairs are asked once so often.
  private static let quietAfter = Duration.seconds(60)

  init(
    row: Ticker, interval: CandleInterval, refresh: Duration, isRenewed: Bool, isFilledIn: Bool, limitPercent: Decimal
  ) {
    self.row = row
    self.interval = interval
    self.refresh = refresh
    self.isRenewed = isRenewed
    self.isFilledIn = isFilledIn
    self.limitPercent = limitPercent
  }

  mutating func take(_ value: StreamUpdate.Value, arrival: Instant) -> StreamEvent.Content? {
    guard !isRefused else { return nil }
    if !isLive, let failure = difference(of: value) {
      isRefused = true
      nextPoll = isFilledIn ? arrival : nil
      return .fallback(failure, retry: nil)
    }
    if !isLive || !isRenewed { nextPoll = arrival.advanced(by: Self.quietAfter) }
    isLive = true
    contradictions = 0
    failure = nil
    return news(of: value, isRepeating: false, evenIfKnown: true)
  }

  mutating func polled(
    _ result: Result<StreamUpdate.Value, TableFailure>, at now: Instant
  ) -> StreamEvent.Content? {
    isAsked = false
    if isLive {
      // A stream that is quiet, or one that is dead without knowing it.
      nextPoll = now.advanced(by: Self.quietAfter)
      guard case .success(.ticker(let asked)) = result else { return nil }
      if isQuiet(at: now), let polled = asked.price.value, let said = row.price.value {
        contradictions = polled == said ? 0 : contradictions + 1
      }
      return isRenewed ? news(of: .ticker(asked.with(quoteOf: row)), isRepeating: true, evenIfKnown: false) : nil
    }
    nextPoll = isFilledIn ? now.advanced(by: refresh) : nil
    switch result {
    case .success(let value):
      failure = nil
      return news(of: value, isRepeating: true, evenIfKnown: false)
    case .failure(let failure):
      // The same reason again is no news.
      defer { self.failure = failure }
      return failure == self.failure ? nil : .failed(failure)
    }
  }

  private func isQuiet(at now: Instant) -> Bool {
    row.arrival.map { $0.advanced(by: Self.quietAfter) <= now } ?? true
  }

  /// - Parameters:
  ///   - isRepeating: whether an answer has again what was told.
  ///   - evenIfKnown: whether a message that changes nothing is told as well.
  private mutating func news(
    of value: StreamUpdate.Value, isRepeating: Bool, evenIfKnown: Bool
  ) -> StreamEvent.Content? {
    switch value {
    case .ticker(let new):
      defer { row = new }
      return evenIfKnown || !new.hasSameCells(as: row) ? .ticker(new) : nil
    case .trades(let all):
      let new = trades.new(all, isRepeating: isRepeating)
      return new.isEmpty ? nil : .trades(new)
    case .orderbook(let new):
      defer { book = new }
      return evenIfKnown || new != book ? .orderbook(new) : nil
    case .candle(let new):
      defer { candle = new }
      return evenIfKnown || new != candle ? .candle(new, interval) : nil
    }
  }

  /// Why the first price of a stream is not believed; nil where it is.
  private func difference(of value: StreamUpdate.Value) -> TableFailure? {
    let streamed: Decimal?
    switch value {
    case .ticker(let row): streamed = row.price.value
    case .trades(let trades): streamed = trades.last?.price
    case .orderbook(let book): streamed = book.middle
    case .candle(let candle): streamed = candle.close
    }
    guard let streamed, let polled = row.price.value, polled.signum > 0,
      let percent = ((streamed - polled) * 100).divided(by: polled)
    else { return nil }
    return percent > limitPercent || percent < Decimal(0) - limitPercent ? .streamDiffers(streamed, polled) : nil
  }
}

/// The trades that were told: an exchange sends the newest of them again with every connection, and answers by REST have
/// them too.
struct SeenTrades: Sendable {
  /// How often each was told, of the last ones.
  private var told: [Trade: Int] = [:]
  private var order: [Trade] = []
  /// The place of the oldest one in `order`.
  private var first = 0
  /// Trades before it were told, or came before anything was.
  private var oldest: Instant?
  private static let most = 2000

  /// Those that are new, in their order.
  ///
  /// - Parameter isRepeating: whether trades without a number may have been told: an answer has the newest again and again,
  ///   a message speaks of each once.
  mutating func new(_ trades: [Trade], isRepeating: Bool) -> [Trade] {
    var inBatch: [Trade: Int] = [:]
    return trades.filter { trade in
      if let oldest, trade.time < oldest { return false }
      if trade.id != nil {
        if told[trade] != nil { return false }
      } else if isRepeating {
        inBatch[trade, default: 0] += 1
        if inBatch[trade, default: 0] <= told[trade, default: 0] { return false }
      }
      remember(trade)
      return true
    }
  }

  private mutating func remember(_ trade: Trade) {
    told[trade, default: 0] += 1
    if order.count < Self.most {
      order.append(trade)
      return
    }
    let gone = order[first]
    order[first] = trade
    first = (first + 1) % Self.most
    oldest = gone.time
    if let count = told[gone] { told[gone] = count > 1 ? count - 1 : nil }
  }
}

extension Ticker {
  /// The same row with what a stream has said later of price and offers.
  fileprivate func with(quoteOf streamed: Ticker) -> Ticker {
    guard let time, let later = streamed.time, later > time else { return self }
    var row = self
    for field in [TickerField.price, .bid, .ask] { row[field] = streamed[field] }
    (row.time, row.timeMissing, row.timeBasis) = (later, nil, streamed.timeBasis)
    (row.priceBasis, row.arrival) = (streamed.priceBasis, streamed.arrival)
    return row
  }

  /// Whether another row says the same of the pair, whenever it came.
  fileprivate func hasSameCells(as other: Ticker) -> Bool {
    TickerField.allCases.allSatisfy { $0 == .time || self[$0] == other[$0] } && time == other.time
  }
}
