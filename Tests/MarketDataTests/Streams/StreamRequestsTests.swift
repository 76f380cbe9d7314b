import Config
import Mapping
import Quotes
import Synchronization
import TestSupport
import Testing
import Transport

@testable import MarketData

/// The REST requests of streams.
@Suite struct StreamRequestsTests {
  private static let bitcoin = Pair(asset: "BTC", payment: "USDT")
  private static let ether = Pair(asset: "ETH", payment: "USDT")

  /// Rows come from another component that requests them anyway, and nothing is sent; a pair that none requests is
  /// reported. Trades are not requested by others, so they are requested from the exchange.
  @Test func rowsRequestedElsewhereAreReused() async throws {
    let session = try MarketSession.recorded()
    defer { session.close() }
    let source = try #require(session.configuration.exchange(named: "Binance"))
    let exchange = try #require(session.configuration.read(source).exchange)
    let market = try #require(exchange.market(.spot))
    let query = TableQuery(pair: Self.bitcoin, options: session.interpretation())
    let report = try #require(await session.client.reports(on: [(exchange, market)], query).first)
    let row = try #require(report.table.rows.first?.ticker)
    let wanted = Mutex<[([Pair], FeedKey)]>([])
    let asking = StreamRequests(
      session, [(exchange, market)], StreamQuery([Self.bitcoin], [.ticker], session.interpretation())
    ) { pairs, key in
      wanted.withLock { $0.append((pairs, key)) }
      return [Self.bitcoin: report]
    }
    func subject(_ channel: StreamChannel) -> StreamSubject {
      let pairs = [Self.bitcoin, Self.ether].map { pair in
        let symbol = pair.asset + pair.payment
        return StreamPair(
          row: Ticker(exchange: "Binance", market: .spot, symbol: symbol, pair: pair),
          spelling: PairSpelling(asset: pair.asset, payment: pair.payment, symbol: symbol))
      }
      return StreamSubject(
        exchange: "Binance", market: .spot, channel: channel, spec: nil, pairs: pairs,
        options: session.interpretation(), refreshMilliseconds: 1000)
    }

    let count = session.journal.entries.count
    let rows = await asking.poll([0, 1], of: subject(.ticker), isAgain: true)
    #expect(rows.map(\.pair) == [0, 1])
    guard case .success(.ticker(let said))? = rows.first?.result else {
      Issue.record("no row: \(rows)")
      return
    }
    #expect(said.price == row.price && said.volume24 == row.volume24)
    #expect(throws: AnswerFailure(.notRequested)) { try rows[1].result.get() }
    #expect(wanted.withLock { $0.map(\.0) } == [[Self.bitcoin, Self.ether]])
    #expect(wanted.withLock { $0.map(\.1) } == [FeedKey(exchange: "Binance", market: .spot)])
    #expect(session.journal.entries.count == count)

    let trades = await asking.poll([0], of: subject(.trades), isAgain: false)
    #expect(wanted.withLock { $0.count } == 1)
    #expect(session.journal.entries.count > count)
    guard case .success(.trades(let tape))? = trades.first?.result else {
      Issue.record("no trades: \(trades)")
      return
    }
    #expect(!tape.isEmpty)

    // Bid and ask are the best of the order book.
    let offers = await asking.poll([0], of: subject(.offers), isAgain: true)
    let books = await asking.poll([0], of: subject(.orderbook), isAgain: true)
    #expect(wanted.withLock { $0.count } == 1)
    guard case .success(.ticker(let offer))? = offers.first?.result,
      case .success(.orderbook(let book))? = books.first?.result, let bid = book.bids.first, let ask = book.asks.first
    else {
      Issue.record("no offers: \(offers)")
      return
    }
    #expect([offer.bid, offer.ask] == [.value(bid.price), .value(ask.price)])
    #expect(offer.time == book.time && offer.arrival != nil && offer.symbol == "BTCUSDT")
  }
}
