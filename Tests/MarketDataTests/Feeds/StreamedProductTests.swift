import Config
import Mapping
import Quotes
import Synchronization
import Testing

@testable import MarketData

/// A pair with two products on a board, on a clock that the test controls.
@Suite struct StreamedProductTests {
  private static let pair = Pair(asset: "BTC", payment: "USD")
  private static let key = FeedKey(exchange: "Stub", market: .futures)

  private static func table(at now: Instant) -> TickerTable {
    var table = TickerTable()
    table.answered = 1
    table.rows = ["linear", "inverse"].map { product in
      var ticker = Ticker(
        exchange: key.exchange, market: key.market, symbol: product, pair: pair, price: .value(100), arrival: now)
      ticker.product = product
      return TickerRow(ticker: ticker, rank: ProductRank(), traces: [])
    }
    return table
  }

  /// A stream that brings one product does not stand for the other. The pair is polled until it brings both, and once a
  /// minute while it is quiet about one of them; that the other has moved since an answer is no contradiction.
  @Test func pairIsPolledUnlessEachProductIsStreamed() async throws {
    let clock = Mutex(StubExchanges.arrival)
    let asked = Mutex(0)
    let board = FeedBoard(
      [
        FeedState(
          Self.key, badge: "ST",
          capabilities: FeedCapabilities(termMilliseconds: 1000, pairs: [Self.pair], wholeCost: 1))
      ], now: { clock.withLock { $0 } },
      ask: { key, _ in
        asked.withLock { $0 += 1 }
        let table = Self.table(at: clock.withLock { $0 })
        return [ExchangeReport(exchange: key.exchange, market: key.market, GatheredTable(table, of: nil))]
      }, askRate: nil, onChange: {})
    await board.step()
    await board.settle()
    let streams = FeedStreams(board)
    func event(_ content: StreamEvent.Content) -> StreamEvent {
      StreamEvent(
        exchange: Self.key.exchange, market: Self.key.market, channel: .ticker, pair: nil, product: nil,
        content: content, isStreamed: true, arrival: clock.withLock { $0 })
    }
    await streams.take([event(.connected)])
    var price: Decimal = 100
    /// Returns how often the exchange has been asked by then.
    func turn(_ seconds: Int, hearing products: [String]) async -> Int {
      clock.withLock { $0 = $0.advanced(by: .seconds(seconds)) }
      price = price + 1
      let rows = (board.state[Self.key]?.rows[Self.pair] ?? []).map(\.ticker)
      let heard = rows.filter { $0.product.map(products.contains) ?? false }.map { row in
        var row = row
        (row.price, row.arrival) = (.value(row.product == "linear" ? price : 100), clock.withLock { $0 })
        return event(.ticker(row))
      }
      await streams.take(heard + [event(.life)])
      await board.step()
      await board.settle()
      return asked.withLock { $0 }
    }
    #expect(await turn(1, hearing: ["linear"]) == 1)
    #expect(await turn(10, hearing: ["linear"]) == 2)
    #expect(await turn(1, hearing: ["linear"]) == 3)
    #expect(await turn(1, hearing: ["linear", "inverse"]) == 3)
    #expect(await turn(30, hearing: ["linear"]) == 3)
    #expect(await turn(31, hearing: ["linear"]) == 4)
    #expect(await turn(1, hearing: ["linear"]) == 4)
  }
}
