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

  /// What does not fit together in what was told.
  package enum Doubt: Sendable, Hashable {
    /// It is shown all the same, as the exchange answered.
    case shown(DataFinding)
    /// A stream said it, and it is left out.
    case leftOut(DataFinding)
    /// A stream said an error, or something that cannot be read.
    case refused(TableFailure)

    /// `candle-time`, `stream-bad`
    package var code: String {
      switch self {
      case .shown(let finding), .leftOut(let finding): finding.kind.rawValue
      case .refused(let failure): failure.reason.code
      }
    }

    /// What is behind the code; nil where nobody says.
    package var message: String? {
      switch self {
      case .shown(let finding), .leftOut(let finding): finding.message
      case .refused(let failure): failure.message
      }
    }
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
    /// When the ticker was heard of last.
    package fileprivate(set) var tickerHeard: Instant?
    /// Why nothing newer is known of the ticker; nil where it is the newest.
    package fileprivate(set) var tickerFailure: TableFailure?
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
    /// Whether an answer has said which candles were before those of a stream.
    package fileprivate(set) var hasHistory = false
    /// Why what was before the stream is not there, and when it is asked for again; nil where it is, or may be yet.
    package fileprivate(set) var unfilled: (failure: TableFailure, retry: Instant?)?
    /// The newest; nil where all fits together.
    package fileprivate(set) var doubt: Doubt?
    package fileprivate(set) var days: Result<CandleSeries, TableFailure>?
    package fileprivate(set) var feed = Feed.loading
    /// When it said something last.
    package fileprivate(set) var answered: Instant?
    /// Why the stream is broken, and when it is tried again; nil where none is known to be.
    fileprivate var broken: (failure: TableFailure, retry: Instant?)?
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
    for place in sources.indices { sources[place].forgetCandles() }
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
  fileprivate mutating func forgetCandles() {
    (candles, shortfall, hasHistory, unfilled, doubt) = (nil, nil, false, nil, nil)
  }

  fileprivate mutating func take(_ event: PairEvent, interval: CandleInterval, mostTrades: Int) {
    switch event.content {
    case .failed(let failure, let retry):
      if case .failed(_, let since, _) = feed {
        feed = .failed(failure, since: since, retry: retry)
      } else {
        feed = .failed(failure, since: event.arrival, retry: retry)
      }
      return
    case .unfilled(let failure, let retry):
      unfilled = (failure, retry)
      return
    case .fallback(let failure, let retry):
      broken = (failure, retry)
      // Where requests fail as well, nothing fills in.
      if case .failed = feed { return }
      feed = .substituted(failure, retry: retry)
      return
    case .connected:
      broken = nil
      feed = .streamed
      return
    case .gap:
      book = nil
      return
    case .leftOut(let finding):
      doubt = .leftOut(finding)
      return
    case .refused(let failure):
      doubt = .refused(failure)
      return
    case .rate, .name: return
    case .ticker(.success(let new)):
      (ticker, tickerHeard, tickerFailure) = (new, event.arrival, nil)
      return
    case .ticker(.failure(let failure)):
      tickerFailure = failure
      return
    case .orderbook(let new): book = new
    case .trades(let all): take(all, of: event, mostTrades)
    case .candles(let list):
      guard list.series.grid.interval == interval else { return }
      take(list, of: event)
    case .candle(let candle, let own):
      guard own == interval else { return }
      take(candle, own)
      // A stream that sends what is long over does not show that anything is traded.
      if CandleCheck.isOld(candle, own, arrival: event.arrival) { return }
    case .days(let series):
      // What came before stands as long as nothing newer does.
      if case .failure = series, case .success? = days { return }
      days = series
      return
    }
    answered = event.arrival
    if event.isStreamed {
      broken = nil
      feed = .streamed
    } else if let broken {
      // Requests fill in; the stream is still broken.
      feed = .substituted(broken.failure, retry: broken.retry)
    } else if feed != .streamed {
      feed = .polled
    }
  }

  private mutating func take(_ all: [Trade], of event: PairEvent, _ mostTrades: Int) {
    if !event.isStreamed {
      unfilled = nil
      if let finding = TradeCheck.parted(all, arrival: event.arrival).findings.first { doubt = .shown(finding) }
    }
    if event.isStreamed, feed != .streamed { seen.beginConnection() }
    let new = seen.new(all, isStreamed: event.isStreamed)
    if new.isTorn { tears.append((tradeCount, event.arrival)) }
    trades = Array((trades + new.trades).suffix(mostTrades))
    tradeCount += new.trades.count
    tears.removeAll { $0.count < tradeCount - trades.count }
  }

  private mutating func take(_ list: CandleList, of event: PairEvent) {
    let series = list.series
    if event.beginsAnew { forgetCandles() }
    let isOlder = series.candles.first.map { first in candles?.candles.first.map { first.start < $0.start } ?? true }
    candles = candles.map { $0.joined(with: series) } ?? series
    // Who reaches back furthest says why there are none before.
    if isOlder ?? (list.shortfall != nil) || !hasHistory { shortfall = list.shortfall }
    if !series.candles.isEmpty { (hasHistory, unfilled) = (true, nil) }
    if let finding = list.findings(in: candles, arrival: event.arrival).first {
      doubt = .shown(finding)
    } else if case .shown = doubt {
      doubt = nil
    }
  }

  private mutating func take(_ candle: Candle, _ interval: CandleInterval) {
    let one = CandleSeries([candle], on: candles?.grid ?? CandleGrid(interval, with: candle.start))
    guard let known = candles, let first = known.candles.first else {
      candles = one
      return
    }
    // What lies before all that is known says nothing of what lies between.
    if candle.start >= first.start { candles = known.joined(with: one) }
  }
}

extension CandleGrid {
  /// The grid that a candle of a stream lies on, before any answer has said so: days begin when the exchange says.
  fileprivate init(_ interval: CandleInterval, with start: Instant) {
    let day: Int64 = 86_400
    let seconds = start.nanoseconds / 1_000_000_000
    let zone = interval < .fourHours ? 0 : Int((day - seconds % day) % day)
    self.init(interval, zoneSeconds: zone, weekday: CivilTime(start, offsetSeconds: zone).weekday)
  }
}

extension CandleSeries {
  /// These candles and others, on the grid of the others: of two with one start the other one counts.
  func joined(with other: CandleSeries) -> CandleSeries {
    guard let first = other.candles.first, let last = other.candles.last else { return self }
    let before = candles.prefix { $0.start < first.start }
    let behind = candles.drop { $0.start <= last.start }
    let inside = candles.dropFirst(before.count).dropLast(behind.count)
    let gaps = sourceGaps.filter { $0.start < first.start || $0.start > last.start } + other.sourceGaps
    return CandleSeries(
      Array(before) + Array(inside) + other.candles + Array(behind), on: other.grid, builtFrom: other.source ?? source,
      sourceGaps: gaps.sorted { $0.start < $1.start })
  }
}
