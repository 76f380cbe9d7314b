import Config
import Mapping
import Quotes
import Testing

@testable import MarketData

/// What a slow reader gets when there are very many events.
@Suite struct StreamBacklogTests {
  private static func event(_ channel: StreamChannel, _ asset: String, _ content: StreamEvent.Content) -> StreamEvent {
    StreamEvent(
      exchange: "Alpha", market: .spot, channel: channel, pair: Pair(asset: asset, payment: "USDT"), product: nil,
      content: content, isStreamed: true, arrival: Instant(nanoseconds: 0))
  }

  private static func ticker(_ asset: String, _ price: Int) -> StreamEvent {
    let pair = Pair(asset: asset, payment: "USDT")
    return event(
      .ticker, asset,
      .ticker(Ticker(exchange: "Alpha", market: .spot, symbol: asset, pair: pair, price: .value(Decimal(price)))))
  }

  private static func trade(_ price: Int) -> StreamEvent {
    event(
      .trades, "BTC",
      .trades([
        Trade(time: Instant(nanoseconds: 0), price: Decimal(price), size: .value(1), side: .buy, id: "\(price)")
      ]))
  }

  private static func text(_ event: StreamEvent) -> String {
    switch event.content {
    case .ticker(let row): "\(row.pair.asset) \(row.price.value?.description ?? "-")"
    case .trades(let trades): "trade \(trades.map(\.price.description).joined(separator: " "))"
    case .gap(let what): "gap \(what)"
    default: "other"
    }
  }

  @Test func fastReaderGetsEverythingInOrder() {
    var backlog = StreamBacklog(maximumUpdates: 2, maximumTrades: 2)
    backlog.add([Self.ticker("BTC", 1), Self.ticker("BTC", 2), Self.trade(1)])
    let (events, missed) = backlog.take()
    #expect(events.map(Self.text) == ["BTC 1", "BTC 2", "trade 1"])
    #expect(missed.isEmpty)
    #expect(backlog.take().events.isEmpty)
  }

  @Test func slowReaderGetsNewestOfEachAndNewestTrades() {
    var backlog = StreamBacklog(maximumUpdates: 3, maximumTrades: 2)
    backlog.add([
      Self.ticker("BTC", 1), Self.trade(1), Self.ticker("ETH", 1), Self.trade(2),
      Self.event(.orderbook, "BTC", .gap("lost")),
      Self.ticker("BTC", 2), Self.trade(3), Self.ticker("BTC", 3),
    ])
    let (events, missed) = backlog.take()
    #expect(events.map(Self.text) == ["ETH 1", "trade 2", "gap lost", "trade 3", "BTC 3"])
    #expect(
      missed.map { "\($0.feed.channel) \($0.feed.pair?.asset ?? "") \($0.count)" } == ["ticker BTC 2", "trades BTC 1"])
    #expect(backlog.take().missed.isEmpty)
  }

  /// The cost for an idle reader grows with the number of events, not with the backlog for each: trades are kept by the
  /// thousand.
  @Test func backlogIsScannedRarely() {
    var backlog = StreamBacklog(maximumUpdates: 10, maximumTrades: 1000)
    for number in 1...20_000 { backlog.add([Self.trade(number)]) }
    #expect(backlog.looks <= 3 * 20_000)
    let (events, missed) = backlog.take()
    #expect(events.count >= 1000 && events.count <= 2000)
    #expect(events.map(Self.text).last == "trade 20000")
    #expect(missed.map(\.count).reduce(events.count, +) == 20_000)
  }

  /// The reason for omissions may come with every message: the last one of each reason is enough.
  @Test func slowReaderGetsEachReasonOnce() {
    var backlog = StreamBacklog(maximumUpdates: 3, maximumTrades: 2)
    func refused(_ words: String) -> StreamEvent {
      Self.event(.trades, "BTC", .refused(AnswerFailure(.notANumber, words)))
    }
    func leftOut(_ seconds: Int64) -> [StreamEvent] {
      let trade = Trade(
        time: Instant(nanoseconds: seconds * 1_000_000_000), price: 1, size: .value(1), side: .buy, id: nil)
      return TradeCheck.separatingImpossible([trade], arrival: Instant(nanoseconds: 0), after: nil).findings.map {
        Self.event(.trades, "BTC", .leftOut($0))
      }
    }
    for round in 0..<1000 { backlog.add([refused("\(round)")] + leftOut(Int64(round + 6))) }
    let texts = backlog.take().events.map { event -> String in
      switch event.content {
      case .refused(let failure): failure.message ?? ""
      case .leftOut(let finding): finding.kind.rawValue
      default: "other"
      }
    }
    #expect(texts.count <= 8)
    #expect(texts.suffix(2) == ["999", "trade-time"])
  }
}
