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

  /// A board, the streams that feed it, and an exchange that answers with its whole table.
  private final class World: Sendable {
    let clock = Mutex(StubExchanges.arrival)
    /// What the exchange lists.
    let products = Mutex(["linear", "inverse"])
    let asked = Mutex(0)
    /// The price of linear futures in messages.
    private let price = Mutex<Decimal>(100)
    /// Whether answers have times.
    private let hasTimes: Bool

    init(hasTimes: Bool = false) { self.hasTimes = hasTimes }

    var now: Instant { clock.withLock { $0 } }

    func board() -> FeedBoard {
      let state = FeedState(
        key, badge: "ST", capabilities: FeedCapabilities(termMilliseconds: 1000, pairs: [pair], wholeCost: 1))
      return FeedBoard(
        [state], now: { self.now },
        ask: { key, _ in
          self.asked.withLock { $0 += 1 }
          return [ExchangeReport(exchange: key.exchange, market: key.market, GatheredTable(self.table(), of: nil))]
        }, askRate: nil, onChange: {})
    }

    private func table() -> TickerTable {
      var table = TickerTable()
      table.answered = 1
      table.rows = products.withLock(\.self).map { product in
        var ticker = Ticker(
          exchange: key.exchange, market: key.market, symbol: product, pair: pair, price: .value(100), arrival: now)
        ticker.product = product
        if hasTimes { (ticker.time, ticker.timeBasis) = (now, .quote) }
        return TickerRow(ticker: ticker, rank: ProductRank(), traces: [])
      }
      return table
    }

    func event(_ content: StreamEvent.Content, of product: String? = nil) -> StreamEvent {
      StreamEvent(
        exchange: key.exchange, market: key.market, channel: .ticker, pair: product.map { _ in pair }, product: product,
        content: content, isStreamed: true, arrival: now)
    }

    /// Returns how often the exchange has been asked by then.
    func turn(
      _ seconds: Int, hearing products: [String], and others: [StreamEvent] = [], _ board: FeedBoard,
      _ streams: FeedStreams
    ) async -> Int {
      clock.withLock { $0 = $0.advanced(by: .seconds(seconds)) }
      let price = self.price.withLock { price in
        price = price + 1
        return price
      }
      let rows = (board.state[key]?.rows[pair] ?? []).map(\.ticker)
      let heard = rows.filter { $0.product.map(products.contains) ?? false }.map { row in
        var row = row
        (row.price, row.arrival) = (.value(row.product == "linear" ? price : 100), now)
        return event(.ticker(row))
      }
      await streams.take(heard + others + [event(.life)])
      await board.poll()
      return asked.withLock { $0 }
    }
  }

  /// A stream that brings one product does not stand for the other. The pair is polled until it brings both, and once a
  /// minute while it is quiet about one of them; that the other has moved since an answer is no contradiction, and the
  /// answer, which may be from a cache, does not replace its row.
  @Test func pairIsPolledUnlessEachProductIsStreamed() async throws {
    let world = World()
    let board = world.board()
    await board.poll()
    let streams = FeedStreams(board)
    await streams.take([world.event(.connected)])
    func turn(_ seconds: Int, hearing products: [String]) async -> Int {
      await world.turn(seconds, hearing: products, board, streams)
    }
    func prices() -> [Decimal?] { board.state[Self.key]?.rows[Self.pair].map(\.ticker.price.value) ?? [] }
    #expect(await turn(1, hearing: ["linear"]) == 1)
    #expect(await turn(10, hearing: ["linear"]) == 2)
    #expect(prices() == [102, 100])
    #expect(await turn(1, hearing: ["linear"]) == 3)
    #expect(await turn(1, hearing: ["linear", "inverse"]) == 3)
    #expect(await turn(30, hearing: ["linear"]) == 3)
    #expect(await turn(31, hearing: ["linear"]) == 4)
    #expect(prices() == [106, 100])
    #expect(await turn(1, hearing: ["linear"]) == 4)
  }

  /// A product whose messages are older than an answer keeps its pair polled while the stream brings the other one, whose
  /// row the answers leave as it is.
  @Test func pairIsPolledWhileOneProductIsBehind() async throws {
    let world = World(hasTimes: true)
    let board = world.board()
    await board.poll()
    let streams = FeedStreams(board)
    await streams.take([world.event(.connected)])
    var late = try #require(board.state[Self.key]?.rows[Self.pair].last?.ticker)
    (late.price, late.time) = (.value(99), world.now.advanced(by: .seconds(-4)))
    late.arrival = world.now.advanced(by: .seconds(2))
    func turn(hearing products: [String], and others: [StreamEvent] = []) async -> Int {
      await world.turn(1, hearing: products, and: others, board, streams)
    }
    func prices() -> [Decimal?] { board.state[Self.key]?.rows[Self.pair].map(\.ticker.price.value) ?? [] }
    #expect(await turn(hearing: ["linear"]) == 1)
    #expect(await turn(hearing: ["linear"], and: [world.event(.ticker(late))]) == 2)
    #expect(await turn(hearing: ["linear"]) == 3)
    #expect(prices() == [103, 100])
    #expect(await turn(hearing: ["linear", "inverse"]) == 3)
    #expect(await turn(hearing: ["linear"]) == 3)
  }

  /// A product that is no longer listed, whether its stream says so or only is quiet, leaves the pair to the stream of the
  /// other, once an answer has shown it.
  @Test(arguments: [true, false]) func delistedProductIsNotWaitedFor(isSaid: Bool) async throws {
    let world = World()
    let board = world.board()
    await board.poll()
    let streams = FeedStreams(board)
    await streams.take([world.event(.connected)])
    #expect(await world.turn(1, hearing: ["linear", "inverse"], board, streams) == 1)
    world.products.withLock { $0 = ["linear"] }
    let said = isSaid ? [world.event(.fallback(.stream(.silent(.lifeless)), retry: nil), of: "inverse")] : []
    #expect(await world.turn(30, hearing: ["linear"], and: said, board, streams) == (isSaid ? 2 : 1))
    #expect(await world.turn(31, hearing: ["linear"], board, streams) == 2)
    #expect(await world.turn(1, hearing: ["linear"], board, streams) == 2)
    #expect(await world.turn(61, hearing: ["linear"], board, streams) == 2)
    #expect(board.state[Self.key]?.streamed == [Self.pair])
  }
}
