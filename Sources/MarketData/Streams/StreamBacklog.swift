package import Config
package import Quotes

/// What waits for a slow reader. Of rows, books and candles it gets the newest of each; of trades nothing is lost before
/// there are very many, and then it is told how many were.
package struct StreamBacklog: Sendable {
  /// What an event is of.
  package struct Feed: Sendable, Hashable {
    package let exchange: String
    package let market: Market
    package let channel: StreamChannel
    package let pair: Pair?
    package let product: String?
  }

  private var events: [StreamEvent] = []
  private var missed: [Feed: Int] = [:]
  /// The feeds of `missed` in the order in which they were.
  private var order: [Feed] = []
  private let most: (updates: Int, trades: Int)
  /// How many events may wait before it is looked for what can be left out: twice as many as were kept the last time, so
  /// that all looking together is linear in the events.
  private var room: Int
  /// How many events were looked at for that, in all.
  private(set) var looks = 0

  package init(mostUpdates: Int = 2000, mostTrades: Int = 100_000) {
    most = (mostUpdates, mostTrades)
    room = 2 * mostUpdates
  }

  package mutating func add(_ new: [StreamEvent]) {
    events += new
    guard events.count > room else { return }
    looks += events.count
    thin()
    room = 2 * max(most.updates, events.count)
  }

  /// Hands over what waits, and what was left out of it.
  package mutating func take() -> (events: [StreamEvent], missed: [(feed: Feed, count: Int)]) {
    defer {
      (events, order) = ([], [])
      missed = [:]
      room = 2 * most.updates
    }
    return (events, order.map { ($0, missed[$0] ?? 0) })
  }

  private struct Objection: Hashable {
    let feed: Feed
    let check: DataFinding.Kind?
  }

  /// Leaves out what a newer event says better.
  private mutating func thin() {
    var kept: [StreamEvent] = []
    var seen: Set<Feed> = []
    /// Of what is wrong, which may be said with every message, the newest of a feed and of each check.
    var objections: Set<Objection> = []
    var trades = 0
    for event in events.reversed() {
      let feed = Feed(event)
      switch event.content {
      case .ticker, .orderbook, .candle:
        if seen.insert(feed).inserted { kept.append(event) } else { note(feed, 1) }
      case .trades(let new):
        trades += new.count
        if trades <= most.trades { kept.append(event) } else { note(feed, new.count) }
      case .refused:
        if objections.insert(Objection(feed: feed, check: nil)).inserted { kept.append(event) }
      case .leftOut(let finding):
        if objections.insert(Objection(feed: feed, check: finding.kind)).inserted { kept.append(event) }
      case .connected, .fallback, .gap, .missed, .life, .failed: kept.append(event)
      }
    }
    events = kept.reversed()
  }

  private mutating func note(_ feed: Feed, _ count: Int) {
    if missed[feed] == nil { order.append(feed) }
    missed[feed, default: 0] += count
  }
}

extension StreamBacklog.Feed {
  package init(_ event: StreamEvent) {
    self.init(
      exchange: event.exchange, market: event.market, channel: event.channel, pair: event.pair, product: event.product)
  }
}
