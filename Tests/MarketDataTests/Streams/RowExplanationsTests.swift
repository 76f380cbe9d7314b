import Config
import HTTP
import Mapping
import Quotes
import Testing

@testable import MarketData

/// Explanations of streamed rows, which are made only on request.
@Suite struct RowExplanationsTests {
  private static let start = StreamScript.start

  /// Returns a hub with an open connection for two pairs.
  private func hub() throws -> StreamHub {
    let subject = try StreamScript.subject(
      .ticker, streams: #""symbol": "$.s""#, table: "BTC-USDT 65000, ETH-USDT 3000")
    var hub = StreamHub(chance: { _ in 0.5 }, inflate: { (bytes) throws(UnreadableBytes) in bytes })
    hub.add(subject, at: Self.start)
    open(&hub, at: Self.start)
    return hub
  }

  private func open(_ hub: inout StreamHub, at now: Instant) {
    _ = hub.tick(at: now)
    _ = hub.take(.signals([.opened], link: 0, generation: hub.generation(of: 0)), at: now)
  }

  /// Returns the event of a message.
  private func event(_ price: Int, in hub: inout StreamHub) throws -> StreamEvent {
    let text = #"{"s": "BTC-USDT", "p": "\#(price)"}"#
    let done = hub.take(
      .signals([.message(Array(text.utf8), isText: true)], link: 0, generation: hub.generation(of: 0)), at: Self.start)
    return try #require(done.events.first)
  }

  private static func text(of event: StreamEvent) -> String? {
    event.explanation.map { explanation in
      let fields = explanation.message.records.flatMap(\.fields).prefix(2).map { "\($0.name) \($0.result)" }
      return ([explanation.connection, explanation.address] + fields).joined(separator: ", ")
    }
  }

  private static func key(_ exchange: String) -> RowKey {
    Ticker(exchange: exchange, market: .spot, symbol: "", pair: Pair(asset: "BTC", payment: "USDT")).key
  }

  private static let key = key("Exchange")

  @Test func messagesAreExplainedOnRequest() throws {
    var hub = try hub()
    #expect(Self.text(of: try event(65_001, in: &hub)) == nil)
    _ = hub.take(.explain([Self.key]), at: Self.start)
    let told = "spot-ticker-BTC-USDT-of-2, wss://exchange.test/ws, symbol BTC-USDT, price 6500"
    #expect(Self.text(of: try event(65_002, in: &hub)) == told + "2")
    // The next connection does the same.
    _ = hub.restart(because: .stream(.silent(.clockSetBack)), at: Self.start)
    open(&hub, at: Self.start.advanced(by: .seconds(1)))
    #expect(Self.text(of: try event(65_003, in: &hub)) == told + "3")
    _ = hub.take(.explain([]), at: Self.start)
    #expect(Self.text(of: try event(65_004, in: &hub)) == nil)
    // Another exchange's row is none of its business.
    _ = hub.take(.explain([Self.key("Other")]), at: Self.start)
    #expect(Self.text(of: try event(65_005, in: &hub)) == nil)
  }

  @Test func nextMessageAnswersARequest() async throws {
    var hub = try hub()
    let explanations = RowExplanations()
    let (announced, announcement) = AsyncStream.makeStream(of: Set<RowKey>.self)
    let listener = explanations.listen { announcement.yield($0) }
    var wanted = announced.makeAsyncIterator()
    #expect(await wanted.next() == [])
    async let first = explanations.next(about: Self.key, within: .seconds(60))
    #expect(await wanted.next() == [Self.key])
    _ = hub.take(.explain([Self.key]), at: Self.start)
    let event = try event(65_001, in: &hub)
    let streams = FeedStreams(try FeedWorld().board(), explaining: explanations)
    await streams.take([event])
    #expect(await first.flatMap(Self.text) == Self.text(of: event))
    #expect(await wanted.next() == [])
    #expect(await explanations.next(about: Self.key, within: .zero) == nil)
    explanations.forget(listener)
  }

  /// A message that is older than an answer is left out without an explanation, but not after a newer one, even if both
  /// arrive together.
  @Test func messagesLeftOutAreNotExplained() async throws {
    var hub = try hub()
    _ = hub.take(.explain([Self.key]), at: Self.start)
    let explanation = try #require(try event(65_001, in: &hub).explanation)
    let world = try FeedWorld()
    world.answer("alpha", ("100", "3000"), time: world.now)
    let board = world.board()
    await board.poll()
    let feed = try #require(board.state[FeedKey(exchange: "alpha", market: .spot)])
    let row = try #require(feed.rows[Pair(asset: "BTC", payment: "USDT")].first?.ticker)
    func message(_ price: Decimal, _ seconds: Int, _ explanation: StreamExplanation?) -> StreamEvent {
      var row = row
      (row.price, row.arrival, row.time) = (.value(price), world.now, world.now.advanced(by: .seconds(seconds)))
      var event = StreamEvent(
        exchange: "alpha", market: .spot, channel: .ticker, pair: row.pair, product: nil, content: .ticker(row),
        isStreamed: true, arrival: world.now)
      event.explanation = explanation
      return event
    }
    let explanations = RowExplanations()
    let (announced, announcement) = AsyncStream.makeStream(of: Set<RowKey>.self)
    let listener = explanations.listen { announcement.yield($0) }
    var wanted = announced.makeAsyncIterator()
    #expect(await wanted.next() == [])
    async let first = explanations.next(about: row.key, within: .seconds(60))
    #expect(await wanted.next() == [row.key])
    let streams = FeedStreams(board, explaining: explanations)
    await streams.take([message(101, -4, explanation)])
    await streams.take([message(102, 0, nil), message(103, -4, explanation)])
    guard case .ticker(let told)? = await first?.content else {
      Issue.record("nothing is explained")
      return
    }
    #expect(told.price == .value(103))
    explanations.forget(listener)
  }
}
