import Config
import MarketData
import Quotes

/// A verdict on the times of an exchange's candles: whether what is taken for the last finished candle is still running,
/// as when the starts of candles are read as their ends.
///
/// Then there is never a running candle, and the last one closes at the price of the moment. One list may do so by
/// chance; several of different pairs or intervals do not, nor does one whose price usually moves by hundreds of steps and
/// is the same to the digit.
struct RunningCandle {
  /// One list that ends with a finished candle.
  private struct Ending {
    let block: TestedBlock
    /// Whether its close is the price of the moment, compared with how far closes usually move.
    let isAtPrice: Bool
    /// Whether it is the same to the digit, which is no chance.
    let isSame: Bool
  }

  private static let least = 2
  /// The part of the interval that must have passed since the end, so that the price has moved.
  private static let elapsed: Int64 = 10
  /// In how many steps a price must usually move, so that it is not the same again by chance.
  private static let steps: Decimal = 200

  /// Returns the findings about the candles of each market.
  static func findings(of blocks: [TestedBlock]) -> [Finding] {
    Market.allCases.compactMap { market in
      let lists = blocks.filter { $0.market == market && $0.kind == .candles }
      let trades = blocks.filter { $0.market == market && $0.kind == .trades }
      let endings = lists.compactMap { list in ending(list, trades.first { $0.pair == list.pair }) }
      guard endings.count >= least || endings.contains(where: \.isSame), endings.allSatisfy(\.isAtPrice),
        let first = endings.first?.block
      else { return nil }
      let isEnd = first.spec.table.fields["time"]?.basis == CandleTimeBasis.end.rawValue
      return Finding(
        .bookDisagrees, .error,
        "\(market.rawValue): \(endings.count == 1 ? "the list" : "all \(endings.count) lists") of candles "
          + "\(endings.count == 1 ? "ends" : "end") with a finished one, and it closes at the current price",
        about: .table(exchange: first.exchange, market: market.rawValue),
        help: isEnd
          ? "are the times those of starts? then remove \"basis\": \"end\"" : "is it still running? check unit and zone"
      )
    }
  }

  /// Returns nil for a list with a running candle, or one that proves nothing.
  ///
  /// - Parameter trades: Those of the pair, if any: if the last one was before the end, the price is still that of then.
  private static func ending(_ block: TestedBlock, _ trades: TestedBlock?) -> Ending? {
    guard case .success(.candles(let list)) = block.outcome, let newest = list.series.candles.last,
      let arrival = block.arrival, let ticker = block.ticker, let price = ticker.price.value,
      ticker.priceBasis == .last, let other = ticker.arrival, arrival.isWithin(seconds: 60, of: other),
      // One of another pair has a finding of its own.
      newest.close.isWithin(percent: block.identityPercent, of: price)
    else { return nil }
    let grid = list.series.grid
    let since = arrival.nanoseconds(since: grid.end(of: newest.start))
    // The length first: the age of times in a wrong unit cannot be multiplied.
    guard since >= 0, since < grid.interval.nanoseconds, since * elapsed >= grid.interval.nanoseconds else {
      return nil
    }
    let lastTrade = trades?.lastTrade ?? (ticker.timeBasis == .trade ? ticker.time : nil)
    if let lastTrade, lastTrade < grid.end(of: newest.start) { return nil }
    let closes = list.series.candles.map(\.close)
    let moves = zip(closes, closes.dropFirst()).map { ($1 - $0).magnitude }.sorted()
    // The price of a quiet pair, or one of few digits, stays where it is.
    guard moves.count >= 20, moves[moves.count / 5].signum > 0, let usual = moves.median else { return nil }
    let step = Decimal(mantissa: 1, exponent: closes.map(\.normalized.exponent).min() ?? 0)
    return Ending(
      block: block, isAtPrice: (newest.close - price).magnitude * 50 <= usual,
      isSame: newest.close == price && usual >= step * steps)
  }
}

extension TestedBlock {
  /// The time of the newest trade; nil if there is none.
  fileprivate var lastTrade: Instant? {
    if case .success(.trades(let list)) = outcome { list.trades.last?.time } else { nil }
  }
}
