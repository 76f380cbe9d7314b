package import Config
package import Quotes

/// Events waiting for a slow reader. Of rows, books and candles, only the newest are kept; trades are not dropped
/// before there are very many, and then their number is reported.
package struct StreamBacklog: Sendable {
  /// What an event is about.
  package struct Feed: Sendable, Hashable {
    package let exchange: String
    package let market: Market
    package let channel: StreamChannel
    package let pair: Pair?
    package let product: String?
  }

  private var events: [StreamEvent] = []
  private var missed: [Feed: Int] = [:]
  /// The feeds of `missed`, in the order of their first loss.
  private var order: [Feed] = []
  private let maximum: (updates: Int, trades: Int)
  /// The number of events that may wait before thinning: twice as many as were kept the last time, so that the total
  /// effort is linear in the events.
  private var room: Int
  /// The total number of events examined for thinning.
  private(set) var looks = 0

  package init(maximumUpdates: Int = 2000, maximumTrades: Int = 100_000) {
    maximum = (maximumUpdates, maximumTrades)
    room = 2 * maximumUpdates
  }

  package mutating func add(_ new: [StreamEvent]) {
    events += new
    guard events.count > room else { return }
    looks += events.count
    thin()
    room = 2 * max(maximum.updates, events.count)
  }

  /// Returns the waiting events, and the number dropped.
  package mutating func take() -> (events: [StreamEvent], missed: [(feed: Feed, count: Int)]) {
    defer {
      (events, order) = ([], [])
      missed = [:]
      room = 2 * maximum.updates
    }
    return (events, order.map { ($0, missed[$0] ?? 0) })
  }

  private struct Objection: Hashable {
    let feed: Feed
    let check: DataFinding.Kind?
  }

  /// Drops events that newer ones supersede.
  private mutating func thin() {
    var kept: [StreamEvent] = []
    var seen: Set<Feed> = []
    /// Problems may be reported with every message; only the newest per feed and check is kept.
    var objections: Set<Objection> = []
    var trades = 0
    for event in events.reversed() {
      let feed = Feed(event)
      switch event.content {
      case .ticker, .orderbook, .candle:
        if seen.insert(feed).inserted { kept.append(event) } else { note(feed, 1) }
      case .trades(let new):
        trades += new.count
        if trades <= maximum.trades { kept.append(event) } else { note(feed, new.count) }
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
