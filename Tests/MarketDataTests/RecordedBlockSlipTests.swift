import Quotes
import TestSupport
import Testing

/// Mapping errors applied to readings of recorded responses: the checks must notice them.
@Suite("Mapping errors in recorded order books, trades and candles", .enabled(if: SharedCorpora.arePresent))
struct RecordedBlockSlipTests {
  /// Responses from exchanges only: samples from documentation contain invented numbers.
  private static let readings: [BlockReading.Contents] = RecordedBlock.all.filter(\.isFromExchange).compactMap {
    (try? $0.verdict())?.reading?.contents
  }

  private static let series: [CandleSeries] = readings.compactMap {
    if case .candles(let series) = $0 { series } else { nil }
  }

  private static let books: [OrderBook] = readings.compactMap {
    if case .orderbook(let book) = $0 { book } else { nil }
  }

  private static let trades: [[Trade]] = readings.compactMap {
    if case .trades(let trades) = $0 { trades } else { nil }
  }

  // MARK: Candles

  private static func seen(
    _ series: [CandleSeries], _ slip: (Candle) -> Candle
  ) -> Int {
    series.filter { series in
      let slipped = CandleSeries(series.candles.map(slip), on: series.grid)
      return !BlockReading.findings(.candles(slipped)).isEmpty
    }.count
  }

  /// Series with price movement; without it, swapped columns are indistinguishable.
  private static let moving = series.filter { $0.candles.contains { $0.low < $0.high } }

  @Test func swappedCandleColumnsAreFound() {
    let all = Self.moving
    #expect(all.count >= 31)
    #expect(Self.seen(all) { $0.with(high: $0.low, low: $0.high) } == all.count)
    let closing = all.filter { $0.candles.contains { $0.close != $0.high } }
    #expect(Self.seen(closing) { $0.with(high: $0.close, close: $0.high) } == closing.count)
    let opening = all.filter { $0.candles.contains { $0.open != $0.low } }
    #expect(Self.seen(opening) { $0.with(open: $0.low, low: $0.open) } == opening.count)
  }

  @Test func wrongCandleVolumesAreFound() {
    let priced = Self.series.filter { series in
      series.candles.contains { candle in
        (candle.volume.value?.signum ?? 0) > 0 && (candle.turnover.value?.signum ?? 0) > 0
      }
    }
    #expect(priced.count >= 25)
    #expect(Self.seen(priced) { $0.with(volume: $0.turnover, turnover: $0.volume) } == priced.count)
    // Contracts of a thousandth.
    #expect(Self.seen(priced) { $0.with(volume: $0.volume.times(1000)) } == priced.count)
  }

  /// It takes six candles to see how they relate.
  @Test func wrongCandleTimesAndOpensAreFound() {
    let long = Self.series.filter { $0.candles.count >= 6 }
    #expect(long.count >= 22)
    #expect(Self.seen(long) { $0.with(open: $0.close, close: $0.open) } == long.count)
    #expect(Self.seen(long) { $0.with(start: Instant(nanoseconds: $0.start.nanoseconds / 1000)) } == long.count)
  }

  // MARK: Order books

  @Test func swappedBookSidesAreFound() {
    let books = Self.books.filter { ($0.bids.first?.price ?? 0) != ($0.asks.first?.price ?? 0) && $0.middle != nil }
    #expect(books.count >= 85)
    #expect(books.allSatisfy { OrderBook(bids: $0.asks, asks: $0.bids).isCrossed })
  }

  @Test func swappedBookPriceAndSizeAreFound() {
    func swapped(_ levels: [OrderBook.Level]) -> [OrderBook.Level] {
      levels.map { OrderBook.Level(price: $0.size, size: $0.price) }
    }
    let books = Self.books.filter { $0.middle != nil }
    let seen = books.filter { book in
      let slipped = OrderBook(bids: swapped(book.bids), asks: swapped(book.asks))
      var ticker = Ticker(exchange: "", market: .spot, symbol: "", pair: Pair(asset: "A", payment: "B"))
      ticker.price = book.middle.map { .value($0) } ?? .missing(.zero)
      return slipped.isCrossed || !BookCheck.findings(slipped, ticker: ticker, identityPercent: 20).isEmpty
    }
    #expect(seen.count == books.count)
  }

  // MARK: Trades

  @Test func swappedTradeSidesAreFound() {
    func pairs(_ trades: [Trade]) -> Int {
      zip(trades, trades.dropFirst()).count {
        $0.side != nil && $1.side != nil && $0.side != $1.side && $0.price != $1.price
          && $1.time.nanoseconds(since: $0.time) < 60_000_000_000
      }
    }
    let long = Self.trades.filter { pairs($0) >= 20 }
    let seen = long.filter { trades in
      let slipped = trades.map {
        Trade(
          time: $0.time, price: $0.price, size: $0.size, side: $0.side.map { $0 == .buy ? .sell : .buy }, id: $0.id)
      }
      return !BlockReading.findings(.trades(slipped)).isEmpty
    }
    #expect(long.count >= 7)
    #expect(seen.count == long.count)
  }

  /// The right mapping raises no alarms.
  @Test func correctMappingRaisesNoAlarm() {
    let alarms = Self.readings.filter { !BlockReading.findings($0).isEmpty }
    #expect(Self.series.count + Self.trades.filter { $0.count > 20 }.count >= 38)
    #expect(alarms.isEmpty)
  }
}

extension Candle {
  fileprivate func with(
    start: Instant? = nil, open: Decimal? = nil, high: Decimal? = nil, low: Decimal? = nil, close: Decimal? = nil,
    volume: Cell? = nil, turnover: Cell? = nil
  ) -> Candle {
    Candle(
      start: start ?? self.start, open: open ?? self.open, high: high ?? self.high, low: low ?? self.low,
      close: close ?? self.close, volume: volume ?? self.volume, turnover: turnover ?? self.turnover)
  }
}

extension Cell {
  fileprivate func times(_ factor: Decimal) -> Cell { value.map { .value($0 * factor) } ?? self }
}
