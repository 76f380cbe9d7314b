import Config
import Mapping
import Quotes

/// The pairs of a link: which are live, which are polled by REST, and their latest data.
struct PairFeed: Sendable {
  private let subject: StreamSubject
  private var states: [PairState]
  /// When pairs may be due for polling: never later than any pair, and only earlier if a message has postponed one.
  private var poll: Instant?
  /// When the first refusal lapses.
  private var lapse: Instant?
  /// Whether the answers about a quiet pair say that the connection must be dead without us noticing.
  private(set) var isContradicted = false
  /// Whether no pairs are left to open connections for.
  private(set) var hasNoPairs = false

  /// How long to wait for a connection's first message before polling, and how much earlier than due a quiet pair may
  /// be polled together with others.
  static let patience = Duration.seconds(10)

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
    guard subject.pollsWhenOffline else { return nil }
    // The table may have just provided the rows; nothing else is known yet.
    guard subject.channel.feedsRows, pair.row.arrival != nil else { return now }
    return now.advanced(by: subject.spec == nil ? .milliseconds(subject.refreshMilliseconds) : patience)
  }

  private init(_ subject: StreamSubject, _ states: [PairState]) {
    self.subject = subject
    self.states = states
    look()
  }

  /// Recalculates what each message needs, after a rare change.
  private mutating func look() {
    poll = states.lazy.compactMap { $0.isAsked ? nil : $0.nextPoll }.min()
    lapse = states.lazy.compactMap { $0.isTransferred ? nil : $0.refusal.until }.min()
    isContradicted = states.contains(where: \.contradictions.areConclusive)
    hasNoPairs = own.isEmpty
  }

  /// When `due` or `lapsed` has something to do at the earliest.
  var deadline: Instant? { [poll, lapse].compactMap(\.self).min() }

  /// The pairs with their current rows and names.
  var pairs: [StreamPair] { zip(subject.pairs, states).map { StreamPair(row: $1.row, spelling: $0.spelling) } }

  func row(of pair: Int) -> Ticker { states[pair].row }

  /// The pairs for which connections are opened: those neither refused nor transferred.
  var own: [Int] { states.indices.filter { !states[$0].isRefused && !states[$0].isTransferred } }

  /// Returns the pairs to be polled by REST now. As one request for the table serves all, live pairs that are due soon
  /// are included.
  ///
  /// - Returns: Their indexes, and whether there was earlier data for any of them.
  mutating func due(at now: Instant) -> (places: [Int], isAgain: Bool) {
    guard let poll, poll <= now else { return ([], false) }
    let soon = subject.channel.isPolledWithTable ? now.advanced(by: Self.patience) : now
    let places = states.indices.filter { place in
      let state = states[place]
      return !state.isAsked && state.nextPoll.map { $0 <= (state.isLive ? soon : now) } ?? false
    }
    for place in places { states[place].ask(at: now) }
    look()
    return (places, places.contains { states[$0].hasReportedTrades })
  }

  /// Polls all pairs by REST because the connection is gone, starting at once with those that were live.
  mutating func fallBack(at now: Instant) {
    for place in states.indices { states[place].disconnect(at: now) }
    look()
  }

  /// Polls pairs by REST until their next message, as there was none for some time.
  ///
  /// - Returns: Those for which this is news.
  mutating func miss(_ places: [Int], at now: Instant) -> [Int] {
    let news = places.filter { states[$0].miss(at: now) }
    look()
    return news
  }

  /// Notes that a connection for the pairs in `own` was opened: refused pairs are not subscribed to on it.
  mutating func connect() {
    for place in states.indices where states[place].isRefused { states[place].refusal.unsubscribe() }
  }

  /// Marks a pair as refused by the exchange.
  ///
  /// - Returns: When it is tried again.
  mutating func refuse(_ pair: Int, at now: Instant) -> Instant? {
    states[pair].refuse(isUnsubscribed: true, at: now)
    look()
    return states[pair].refusal.until
  }

  /// Ends the refusals whose time is over.
  ///
  /// - Returns: Their pairs that have to be subscribed to again.
  mutating func lapsed(at now: Instant) -> [Int] {
    guard let lapse, lapse <= now else { return [] }
    let places = states.indices.filter { place in
      !states[place].isTransferred && states[place].refusal.until.map { $0 <= now } ?? false
    }
    for place in places { states[place].refusal.lapse() }
    look()
    return places.filter { states[$0].refusal.isUnsubscribed }
  }

  /// Transfers pairs to a separate connection with all their state; this feed no longer reports them.
  mutating func transfer(_ places: [Int], to subject: StreamSubject, at now: Instant) -> PairFeed {
    let others = places.map { place in
      var state = states[place]
      state.transfer(at: now)
      return state
    }
    for place in places { states[place].isTransferred = true }
    look()
    return PairFeed(subject, others)
  }

  /// Starts over after the clock was set back, which invalidates all stored times.
  mutating func restart(at now: Instant) {
    for place in states.indices { states[place].restart(at: now) }
    look()
  }

  /// Returns whether connections are opened for the pair; otherwise their data about it is ignored.
  func isOwn(_ pair: Int) -> Bool { !states[pair].isRefused && !states[pair].isTransferred }

  /// Notes an unreadable trade message about an unknown pair; an answer will contain the trades.
  mutating func markGap(at now: Instant) {
    for place in states.indices where states[place].isLive { states[place].markGap(at: now) }
    look()
  }

  /// Returns the news in a message.
  mutating func take(_ update: StreamUpdate, arrival: Instant) -> [StreamEvent.Content] {
    let was = states[update.pair].standing
    let contents = states[update.pair].take(update, arrival: arrival)
    // For a live pair, only its deadline is postponed.
    if states[update.pair].standing != was { look() }
    return contents
  }

  /// Returns the news in the results of polling by REST.
  mutating func polled(_ results: [PolledPair], at now: Instant) -> [(pair: Int, content: StreamEvent.Content)] {
    defer { look() }
    return results.flatMap { polled in
      states[polled.pair].polled(polled.result, at: now).map { (polled.pair, $0) }
    }
  }
}
