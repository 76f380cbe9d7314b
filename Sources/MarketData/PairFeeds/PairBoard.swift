package import Mapping
package import Quotes

/// All that is known of the sources of a live view about one pair, at one moment. A value: events go in, and screens are
/// drawn of it.
package struct PairBoard: Sendable {
  /// How a source is heard.
  package enum Feed: Sendable, Hashable {
    /// It has said nothing yet.
    case loading
    case polled
    case streamed
    /// Its stream is broken, and requests fill in.
    case substituted(TableFailure, retry: Instant?)
    /// Nothing comes since then; what it said before stands.
    case failed(TableFailure, since: Instant, retry: Instant?)
  }

  /// One market of one exchange.
  package struct Source: Sendable {
    package let exchange: String
    package let badge: String
    package let market: Market
    package let pair: Pair
    /// In percent; nil where it is not known.
    package let takerFee: Decimal?
    package let refreshMilliseconds: Int

    package fileprivate(set) var ticker: Ticker?
    package fileprivate(set) var book: OrderBook?
    /// The newest, oldest first.
    package fileprivate(set) var trades: [Trade] = []
    /// How many trades have come in all.
    package fileprivate(set) var tradeCount = 0
    /// How many had come when others were traded that nobody has seen, and when that was noticed; those of the tape.
    package fileprivate(set) var tears: [(count: Int, noticed: Instant)] = []
    package fileprivate(set) var candles: CandleSeries?
    /// Why there are no candles before the first one; nil where nobody knows yet whether there are.
    package fileprivate(set) var shortfall: CandleList.Shortfall?
    package fileprivate(set) var days: Result<CandleSeries, TableFailure>?
    package fileprivate(set) var feed = Feed.loading
    /// When it said something last.
    package fileprivate(set) var answered: Instant?
    fileprivate var seen = SeenTrades()

    package init(
      exchange: String, badge: String, market: Market, pair: Pair, takerFee: Decimal? = nil,
      refreshMilliseconds: Int = 1000
    ) {
      self.exchange = exchange
      self.badge = badge
      self.market = market
      self.pair = pair
      self.takerFee = takerFee
      self.refreshMilliseconds = refreshMilliseconds
    }
  }

  package private(set) var sources: [Source]
  package private(set) var rate: RateReport?
  /// What people call the asset; nil where nobody says, or has said yet.
  package private(set) var name: AssetName?
  /// Rises with everything that changes a picture.
  package private(set) var revision = 0
  /// The interval of the candles.
  package private(set) var interval: CandleInterval

  /// No tape holds more.
  private static let mostTrades = 2000

  package init(_ sources: [Source], interval: CandleInterval = .oneHour) {
    self.sources = sources
    self.interval = interval
  }

  /// The candles of another interval are wanted: those that are known are none of them.
  package mutating func show(_ interval: CandleInterval) {
    guard interval != self.interval else { return }
    self.interval = interval
    for place in sources.indices { (sources[place].candles, sources[place].shortfall) = (nil, nil) }
    revision += 1
  }

  package mutating func take(_ event: PairEvent) {
    switch event.content {
    case .rate(let report):
      rate = report
      revision += 1
      return
    case .name(let name):
      self.name = name
      revision += 1
      return
    default: break
    }
    guard sources.indices.contains(event.source) else { return }
    sources[event.source].take(event, interval: interval, mostTrades: Self.mostTrades)
    revision += 1
  }
}

extension PairBoard.Source {
  fileprivate mutating func take(_ event: PairEvent, interval: CandleInterval, mostTrades: Int) {
    switch event.content {
    case .failed(let failure, let retry):
      if case .failed(_, let since, _) = feed {
        feed = .failed(failure, since: since, retry: retry)
      } else {
        feed = .failed(failure, since: event.arrival, retry: retry)
      }
      return
    case .fallback(let failure, let retry):
      feed = .substituted(failure, retry: retry)
      return
    case .connected:
      feed = .streamed
      return
    case .gap:
      book = nil
      return
    case .rate, .name: return
    case .ticker(let new):
      ticker = new ?? ticker
      return
    case .orderbook(let new): book = new
    case .trades(let all):
      if event.isStreamed, feed != .streamed { seen.beginConnection() }
      let new = seen.new(all, isStreamed: event.isStreamed)
      if new.isTorn { tears.append((tradeCount, event.arrival)) }
      trades = Array((trades + new.trades).suffix(mostTrades))
      tradeCount += new.trades.count
      tears.removeAll { $0.count < tradeCount - trades.count }
    case .candles(let series, let shortfall):
      guard series.grid.interval == interval else { return }
      let isOlder = series.candles.first.map { first in candles?.candles.first.map { first.start < $0.start } ?? true }
      candles = candles.map { $0.joined(with: series) } ?? series
      if isOlder ?? (shortfall != nil), let shortfall { self.shortfall = shortfall }
    case .candle(let candle, let own):
      guard own == interval, let known = candles else { return }
      candles = known.joined(with: CandleSeries([candle], on: known.grid))
    case .days(let series):
      // What came before stands as long as nothing newer does.
      if case .failure = series, case .success? = days { return }
      days = series
      return
    }
    answered = event.arrival
    if event.isStreamed {
      feed = .streamed
    } else if case .substituted = feed {
      // Requests fill in; the stream is still broken.
    } else if feed != .streamed {
      feed = .polled
    }
  }
}

extension CandleSeries {
  /// These candles and others of the same grid: of two with one start the other one counts.
  func joined(with other: CandleSeries) -> CandleSeries {
    guard let first = other.candles.first, let last = other.candles.last else { return self }
    let before = candles.prefix { $0.start < first.start }
    let behind = candles.drop { $0.start <= last.start }
    let inside = candles.dropFirst(before.count).dropLast(behind.count)
    return CandleSeries(Array(before) + Array(inside) + other.candles + Array(behind), on: grid, builtFrom: source)
  }
}
