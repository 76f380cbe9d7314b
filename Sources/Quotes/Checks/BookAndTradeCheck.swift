/// A check of whether an order book and its pair's ticker can belong to the same market.
package enum BookCheck {
  /// - Parameters:
  ///   - ticker: The ticker of the same pair; nil if none is available.
  ///   - identityPercent: The maximum difference between two prices of one pair, in percent.
  package static func findings(_ book: OrderBook, ticker: Ticker?, identityPercent: Decimal) -> [DataFinding] {
    guard let ticker else { return [] }
    return [distance(book, ticker, identityPercent), size(book, ticker)].compactMap(\.self)
  }

  private static func distance(_ book: OrderBook, _ ticker: Ticker, _ identityPercent: Decimal) -> DataFinding? {
    guard let price = ticker.price.value, price.signum > 0, let middle = book.price,
      !middle.isWithin(percent: identityPercent, of: price)
    else { return nil }
    return DataFinding(.bookFar(middle: middle, price: price), advice: .swappedOrOtherPair)
  }

  /// The most days of trading that the median level may offer. One wall may be large and a coin rarely traded, but half
  /// of the best levels of both sides do not each hold that much.
  private static let maximumDays: Decimal = 20

  private static func size(_ book: OrderBook, _ ticker: Ticker) -> DataFinding? {
    guard let volume = ticker.dailyVolume, volume.signum > 0 else { return nil }
    let sizes = (book.bids.prefix(10) + book.asks.prefix(10)).map(\.size)
    guard sizes.count >= 6, let median = sizes.median, median > volume * maximumDays else { return nil }
    return DataFinding(.bookSize(median: median, daily: volume), advice: .unitOfLevels)
  }
}

extension Flag {
  /// A book's sizes are made with a contract size that other figures of the pair put in doubt. Its prices are not.
  package static let doubtfulSizes = Flag(.turnover, .contractSize, excludes: false)
}

extension DataFinding {
  /// The same of trades.
  package static let doubtfulSizes = DataFinding(.contractSize)
}

extension Ticker {
  /// The amount traded in a day, in the asset; nil if unknown.
  fileprivate var dailyVolume: Decimal? {
    if let volume = volume24.value { return volume }
    guard let turnover = turnover24.value, let price = price.value, price.signum > 0 else { return nil }
    return turnover.divided(by: price)
  }
}

/// A check of whether trades are consistent with each other and with their pair's ticker.
package enum TradeCheck {
  /// - Parameters:
  ///   - trades: Oldest first.
  ///   - ticker: The ticker of the same pair; nil if none is available.
  ///   - arrival: When the answer arrived; nil if unknown.
  package static func findings(_ trades: [Trade], ticker: Ticker?, arrival: Instant?) -> [DataFinding] {
    [
      range(trades, ticker, arrival), side(trades), size(trades, ticker, arrival),
      arrival.flatMap { time(trades, $0) }, jump(trades), shape(trades),
    ].compactMap(\.self)
  }

  /// Separates possible trades from impossible ones, judging each by its time, its size, and a price that is a power of
  /// ten away from the trade before it, unless the price stays there.
  ///
  /// - Parameters:
  ///   - arrival: When they arrived.
  ///   - price: The price before the first of them; nil if unknown.
  /// - Returns: The possible trades in their order, and what is wrong with the others.
  package static func separatingImpossible(_ trades: [Trade], arrival: Instant, after price: Decimal?) -> (
    possible: [Trade], findings: [DataFinding]
  ) {
    let (strays, jump) = strays(among: trades, after: price)
    let findings = [time(trades, arrival), shape(trades), jump].compactMap(\.self)
    if findings.isEmpty { return (trades, []) }
    let possible = trades.indices.filter { index in
      trades[index].time.isPossible(at: arrival) && hasSize(trades[index]) && !strays.contains(index)
    }
    return (possible.map { trades[$0] }, findings)
  }

  /// Returns the trades whose prices are a power of ten away from the last one that is not; none if the newest is so far
  /// from the price before all of them, which may have moved.
  private static func strays(among trades: [Trade], after price: Decimal?) -> (indices: Set<Int>, DataFinding?) {
    guard trades.count > 1, let first = trades.first?.price, let last = trades.last?.price,
      last.powerOfTen(over: price ?? first) == nil
    else { return ([], nil) }
    var before = price ?? first
    var rows = FailedRows()
    var indices: Set<Int> = []
    for (index, trade) in trades.enumerated() {
      if checkJump(to: trade, from: before, &rows) { before = trade.price } else { indices.insert(index) }
    }
    return (indices, rows.finding)
  }

  /// Returns whether a trade's size is above zero. A size that is not reported may be anything.
  private static func hasSize(_ trade: Trade) -> Bool {
    trade.size.missing != .zero && trade.size.missing != .negative
  }

  private static func shape(_ trades: [Trade]) -> DataFinding? {
    var rows = FailedRows()
    for trade in trades {
      rows.add(hasSize(trade) ? nil : .tradeShape(price: trade.price))
    }
    return rows.finding
  }

  private static func isOfToday(_ trade: Trade, _ arrival: Instant?) -> Bool {
    arrival.map { $0.nanoseconds(since: trade.time) < Instant.day } ?? false
  }

  private static func range(_ trades: [Trade], _ ticker: Ticker?, _ arrival: Instant?) -> DataFinding? {
    guard let ticker, ticker.lowBasis == .rolling24h, ticker.highBasis == .rolling24h,
      let low = ticker.low.value, let high = ticker.high.value
    else { return nil }
    var rows = FailedRows()
    for trade in trades where isOfToday(trade, arrival) {
      let isWithin =
        trade.price >= low * Decimal(exactly: 995, exponent: -3)
        && trade.price <= high * Decimal(exactly: 1005, exponent: -3)
      rows.add(isWithin ? nil : .tradeRange(trade.price, low: low, high: high))
    }
    return rows.finding
  }

  /// Checks whether the newest trade and its pair's ticker can belong to the same market.
  ///
  /// - Parameter identityPercent: The maximum difference between two prices of one pair, in percent.
  package static func distance(_ trades: [Trade], _ ticker: Ticker?, identityPercent: Decimal) -> DataFinding? {
    guard let last = trades.last?.price, let price = ticker?.price.value, price.signum > 0,
      !last.isWithin(percent: identityPercent, of: price)
    else { return nil }
    return DataFinding(.tradeFar(last, price: price), advice: .otherPairOrUnit)
  }

  /// Checks the sides: takers buy at the ask and sell at the bid, so of two adjacent trades the buy is usually dearer.
  private static func side(_ trades: [Trade]) -> DataFinding? {
    var dearer = 0
    var pairs = 0
    for (first, second) in zip(trades, trades.dropFirst()) {
      guard let one = first.side, let other = second.side, one != other, first.price != second.price,
        second.time.nanoseconds(since: first.time) < Instant.minute
      else { continue }
      pairs += 1
      let (buy, sell) = one == .buy ? (first, second) : (second, first)
      if buy.price > sell.price { dearer += 1 }
    }
    guard pairs >= 20, dearer * 3 <= pairs else { return nil }
    return DataFinding(
      .tradeSide(dearerBuys: dearer, of: pairs), advice: .makersSide, failed: pairs - dearer, checked: pairs)
  }

  private static func size(_ trades: [Trade], _ ticker: Ticker?, _ arrival: Instant?) -> DataFinding? {
    // In the amount that the ticker has: the price of now may be far from those of the day.
    let turnover = ticker?.turnover24.value
    guard let daily = turnover ?? ticker?.volume24.value, daily.signum > 0 else { return nil }
    let sum = trades.reduce(Decimal(0)) { sum, trade in
      guard isOfToday(trade, arrival), let size = trade.size.value else { return sum }
      return sum + (turnover == nil ? size : size * trade.price)
    }
    guard sum > daily * Decimal(exactly: 11, exponent: -1) else { return nil }
    return DataFinding(
      .tradeSizes(sum: sum, daily: daily, turnover == nil ? .volume : .turnover), advice: .contractsOrUnit)
  }

  /// Checks for price jumps: a price moves by a power of ten between trades only if a unit changed or digits slipped.
  private static func jump(_ trades: [Trade]) -> DataFinding? {
    var rows = FailedRows()
    for (trade, next) in zip(trades, trades.dropFirst()) { _ = checkJump(to: next, from: trade.price, &rows) }
    return rows.finding
  }

  /// Returns whether a trade's price is not a power of ten away from the one before it, and counts it.
  private static func checkJump(to trade: Trade, from price: Decimal, _ rows: inout FailedRows) -> Bool {
    let power = trade.price.powerOfTen(over: price)
    rows.add(power.map { .tradeJump(trade.price, power: $0, before: price) }, advice: .otherUnit)
    return power == nil
  }

  /// Checks whether the trades' times are possible given their arrival.
  package static func time(_ trades: [Trade], _ arrival: Instant) -> DataFinding? {
    var rows = FailedRows()
    for trade in trades {
      rows.add(
        trade.time.isPossible(at: arrival) ? nil : .tradeTime(trade.time, arrival: arrival),
        advice: trade.time.whatToCheck(at: arrival))
    }
    return rows.finding
  }
}
