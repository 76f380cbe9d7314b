import Config
import HTTP
package import Mapping
package import Quotes

/// The closes of a row in the newest hours, from candles of its exchange.
package struct Trend: Sendable, Hashable {
  /// The hours of a day and of a week.
  package static let (day, week) = (24, 168)
  /// How long it is current: an hour, and the time that the next request may take to have its turn.
  private static let maximumAge = Duration.seconds(3600 + 600)

  /// When the candles were requested.
  package let asked: Instant
  /// The closes of the hours up to the one that was running then, oldest first; nil without a candle.
  private let closes: [Decimal?]
  /// The start of the newest candle, however old; nil without any.
  private let newest: Instant?
  /// Why older closes are missing that were requested; nil if none are, or the exchange offers no others.
  package let shortfall: AnswerFailure?

  /// - Parameters:
  ///   - series: Hourly candles.
  ///   - hours: The number of hours that were requested.
  package init(_ series: CandleSeries, hours: Int, asked: Instant, shortfall: AnswerFailure? = nil) {
    (self.asked, self.shortfall) = (asked, shortfall)
    newest = series.candles.last?.start
    var closes = [Decimal?](repeating: nil, count: hours)
    for candle in series.candles {
      let place = hours - 1 - Self.hours(from: candle.start, to: asked)
      if closes.indices.contains(place) { closes[place] = candle.close }
    }
    self.closes = closes
  }

  /// Returns the closes of the newest hours up to the running one, oldest first; nil without a candle, and for hours
  /// that have begun since the request.
  package func closes(of hours: Int, at now: Instant) -> [Decimal?] {
    let first = closes.count - hours + Self.hours(from: asked, to: now)
    return (first..<first + hours).map { closes.indices.contains($0) ? closes[$0] : nil }
  }

  /// The number of hours that were requested.
  package var hours: Int { closes.count }

  /// Returns the start of the oldest of the newest hours with a candle, if at least a tenth of those that were requested
  /// is before it; nil otherwise.
  package func begin(of hours: Int) -> Instant? {
    let newest = closes.suffix(hours)
    guard let place = newest.firstIndex(where: { $0 != nil }), (place - newest.startIndex) * 10 >= newest.count else {
      return nil
    }
    let hour = asked.nanoseconds.floored(by: Instant.hour) - Int64(closes.count - 1 - place)
    return Instant(nanoseconds: hour * Instant.hour)
  }

  /// The start of the newest candle if it is at least a day old, as that of a halted pair; nil otherwise.
  package var end: Instant? {
    newest.flatMap { Self.hours(from: $0, to: asked) >= Self.day ? $0 : nil }
  }

  /// Returns whether it should have been renewed by now.
  package func isOld(at now: Instant) -> Bool { now.isPast(Self.maximumAge, after: asked) }

  /// Returns the number of hours that begin after a moment, up to another one.
  private static func hours(from start: Instant, to end: Instant) -> Int {
    Int(end.nanoseconds.floored(by: Instant.hour) - start.nanoseconds.floored(by: Instant.hour))
  }
}

extension Int64 {
  fileprivate func floored(by unit: Int64) -> Int64 { self / unit - (self % unit < 0 ? 1 : 0) }
}

/// What is known of a row's closes.
package struct TrendReading: Sendable, Hashable {
  /// The newest there is.
  package private(set) var trend: Trend?
  /// Why the last request had none; nil if it had.
  package private(set) var failure: AnswerFailure?

  package init(_ result: Result<Trend, AnswerFailure>) {
    switch result {
    case .success(let trend): self.trend = trend
    case .failure(let failure): self.failure = failure
    }
  }

  /// Returns a later reading, which keeps this one's closes if it has none.
  package func followed(by later: TrendReading) -> TrendReading {
    var later = later
    later.trend = later.trend ?? trend
    return later
  }
}

extension [RowKey: TrendReading] {
  /// Returns the row whose closes stand for a pair: that of its price, or if its exchange has no candles of it, the one
  /// with the largest turnover of those in headlines that may have some.
  package func row(among rows: [TickerRow], lead: TickerRow, _ rule: HeadlineRule) -> RowKey {
    func mayHaveCandles(_ row: TickerRow) -> Bool { self[row.ticker.key]?.failure?.reason != .notOffered }
    if mayHaveCandles(lead) { return lead.ticker.key }
    let others = rows.filter { $0.ticker.headlineObjection(rule) == nil && mayHaveCandles($0) }
    let largest = others.max { ($0.ticker.turnover24.value ?? 0) < ($1.ticker.turnover24.value ?? 0) }
    return (largest ?? lead).ticker.key
  }
}

extension MarketSession {
  /// Requests the hourly candles of a row, as a rule at once; an exchange with short pages takes several requests.
  ///
  /// - Parameter now: The moment of the request.
  /// - Returns: The closes, and the milliseconds after which the exchange may be asked for others: polling prices takes
  ///   four fifths of its limit at most, and closes take the rest.
  package func trend(
    of row: RowKey, hours: Int, at now: Instant, by client: MarketClient
  ) async -> (reading: TrendReading, rest: Int) {
    let extent = ExchangeExtent(markets: [row.market], blocks: [.candles])
    guard let source = configuration.exchange(named: row.exchange),
      let exchange = configuration.read(source, extent, hooks: client.hooks.names).exchange,
      let market = exchange.market(row.market)
    else { return (TrendReading(.failure(AnswerFailure(.notOffered))), 0) }
    let query = CandleQuery(
      PairQuery(row.pair, product: row.product, interpretation()), .oneHour, .newest(hours))
    let answer = await client.candles(query, on: market, of: row.exchange)
    let reading = TrendReading(
      answer.result.map { Trend($0.series, hours: hours, asked: now, shortfall: $0.missingPage) })
    if replay != nil || reading.failure?.reason == .notOffered { return (reading, 0) }
    guard let limit = market.limit(of: exchange, for: .candles)?.limit else { return (reading, 1000) }
    // A request that has failed may have been counted, too.
    let cost = market.cost(of: .candles) * max(1, answer.requests.count)
    return (reading, 4 * FeedPlan.milliseconds(for: cost, limit))
  }
}
