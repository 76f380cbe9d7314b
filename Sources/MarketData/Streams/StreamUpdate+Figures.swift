import Mapping
import Quotes

extension StreamUpdate {
  /// The exchange's time of a message about a row or a book; nil if it has none.
  var ownTime: Instant? { if case .orderbook(let book) = value { book.time } else { sent } }
}

extension StreamUpdate.Value {
  /// Returns what represents the price; nil if there is nothing.
  ///
  /// - Parameter field: The field of a row that does.
  func price(as field: TickerField?) -> Decimal? {
    switch self {
    case .ticker(let row): field.flatMap { row.cell($0).value }
    case .trades(let trades): trades.last?.price
    case .orderbook(let book): book.middle
    case .candle(let candle, _): candle.close
    case .unusable: nil
    }
  }

  /// Returns the plausible part, nil if there is none, and why the rest is implausible.
  ///
  /// - Parameters:
  ///   - grid: The grid on which candles begin; nil for an answer.
  ///   - price: The price before; nil if it may be newer.
  ///   - candles: The candles before.
  func separatingImpossible(
    on grid: CandleGrid?, after price: Decimal?, _ candles: StreamedCandles, _ arrival: Instant
  ) -> (possible: StreamUpdate.Value?, findings: [DataFinding]) {
    switch self {
    case .trades(let all):
      let (trades, findings) = TradeCheck.separatingImpossible(all, arrival: arrival, after: price)
      return (trades.isEmpty ? nil : .trades(trades), findings)
    case .candle(let candle, _):
      let finding = CandleCheck.impossibility(
        of: candle, after: grid == nil ? nil : candles.before(candle), on: grid, arrival: arrival)
      return finding.map { (nil, [$0]) } ?? (self, [])
    case .ticker, .orderbook, .unusable: return (self, [])
    }
  }

  /// Returns whether the figures are those of another value, whatever the time. Trades are events: none repeats another.
  ///
  /// - Parameter fields: The fields of a row to compare.
  func repeats(_ other: StreamUpdate.Value, in fields: TickerFields) -> Bool {
    switch (self, other) {
    case (.ticker(let new), .ticker(let old)): fields.fields.allSatisfy { new.cell($0) == old.cell($0) }
    case (.orderbook(let new), .orderbook(let old)): new.bids == old.bids && new.asks == old.asks
    case (.candle(let new, _), .candle(let old, _)): new == old
    default: false
    }
  }
}
