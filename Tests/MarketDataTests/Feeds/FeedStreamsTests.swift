import Config
import HTTP
import Mapping
import Quotes
import Testing

@testable import MarketData

/// The effect of stream events on a board, on a clock controlled by the tests.
@Suite struct FeedStreamsTests {
  private static let bitcoin = Pair(asset: "BTC", payment: "USDT")
  private static let ether = Pair(asset: "ETH", payment: "USDT")
  private static let alpha = FeedKey(exchange: "alpha", market: .spot)

  private static func prices(_ feed: FeedState?) -> [String] {
    feed?.rows.rows.map { "\($0.ticker.pair.asset) \($0.ticker.price.value?.description ?? "-")" } ?? []
  }

  private let world: FeedWorld
  private let board: FeedBoard
  private let streams: FeedStreams

  init() throws {
    world = try FeedWorld()
    board = world.board()
    streams = FeedStreams(board)
  }

  private func event(_ content: StreamEvent.Content, _ pair: Pair? = nil) -> StreamEvent {
    StreamEvent(
      exchange: "alpha", market: .spot, channel: .ticker, pair: pair, product: nil, content: content,
      isStreamed: true, arrival: world.now)
  }

  private func price(_ pair: Pair, _ price: Decimal, on board: FeedBoard? = nil) throws -> StreamEvent {
    var ticker = try #require((board ?? self.board).state[Self.alpha]?.rows[pair].first?.ticker)
    (ticker.price, ticker.arrival) = (.value(price), world.now)
    return event(.ticker(ticker), pair)
  }

  private func unpriced(_ pair: Pair) throws -> StreamEvent {
    var ticker = try #require(board.state[Self.alpha]?.rows[pair].first?.ticker)
    (ticker.otherPriceArrival, ticker.arrival) = (ticker.priceArrival, world.now)
    return event(.ticker(ticker), pair)
  }

  /// Messages about a pair without its price renew neither that nor its age: after a minute it is polled, as a pair is
  /// that no message is about, and the price of the answer counts, however many of them come meanwhile.
  @Test func priceAgesBesideOtherFigures() async throws {
    await board.poll()
    world.answer("alpha", ("101", "3007"))
    try await streams.take([price(Self.bitcoin, 101), price(Self.ether, 3000)])
    func turn() async throws {
      world.turn(by: 1000)
      try await streams.take([price(Self.bitcoin, 101), unpriced(Self.ether), event(.life)])
    }
    func age() throws -> Int64? {
      let feed = try #require(board.state[Self.alpha])
      return feed.rows[Self.ether].first.flatMap { feed.age(of: $0, at: world.now) }.map { $0 / 1_000_000_000 }
    }
    for _ in 0..<59 { try await turn() }
    #expect(try age() == 59)
    #expect(board.state[Self.alpha]?.phase(of: Self.ether, at: world.now) == .live)
    try await turn()
    #expect(board.state[Self.alpha]?.phase(of: Self.ether, at: world.now) == Self.minute)
    #expect(board.state[Self.alpha]?.phase(of: Self.bitcoin, at: world.now) == .live)
    #expect(try age() == 60)
    await board.poll()
    #expect(Self.prices(board.state[Self.alpha]) == ["BTC 101", "ETH 3007"])
    #expect(try age() == 0)
    try await turn()
    #expect(Self.prices(board.state[Self.alpha]) == ["BTC 101", "ETH 3007"])
    #expect(try age() == 1)
  }

  /// What a stream begins with may be older than the answer of the board's own poll: the pair is polled until a message is
  /// newer, but for as much as clocks differ, or they have been equally late for ten seconds, or polls fail. Then the
  /// stream's times are its own.
  @Test(
    arguments: [
      (false, -4000, FeedPhase.substituted(reason: .stream("stream-behind"), retry: nil), "BTC 104"),
      (false, 6000, .live, "BTC 102"), (false, 9500, .live, "BTC 102"), (true, -4000, .live, "BTC 102"),
    ] as [(Bool, Int64, FeedPhase, String)])
  func firstMessagesMayBeOlder(
    _ isFailing: Bool, _ milliseconds: Int64, _ phase: FeedPhase, _ bitcoin: String
  ) async throws {
    world.answer("alpha", ("100", "3000"), time: world.now)
    let begin = world.now
    await board.poll()
    func hear(_ price: Decimal, _ milliseconds: Int64) async throws -> FeedPhase? {
      var ticker = try #require(board.state[Self.alpha]?.rows[Self.bitcoin].first?.ticker)
      (ticker.price, ticker.arrival) = (.value(price), world.now)
      ticker.time = begin.advanced(by: .milliseconds(milliseconds))
      await streams.take([event(.ticker(ticker), Self.bitcoin)])
      return board.state[Self.alpha]?.phase(of: Self.bitcoin, at: world.now)
    }
    #expect(try await hear(101, -4000) == .polled(milliseconds: 1000))
    #expect(Self.prices(board.state[Self.alpha]) == ["BTC 100", "ETH 3000"])
    world.turn(by: 10_000)
    world.answer("alpha", ("104", "3000"), time: world.now)
    if isFailing { world.reply("alpha", .failure(.timeout)) }
    for turn in 0..<(isFailing ? 3 : 1) {
      if turn > 0 { world.turn(by: 20_000) }
      await board.poll()
    }
    #expect(try await hear(102, milliseconds) == phase)
    #expect(Self.prices(board.state[Self.alpha]) == [bitcoin, "ETH 3000"])
    if phase == .live { #expect(try await hear(103, -4000) == .live) }
  }

  /// A live connection says nothing about a pair that it is silent about: that pair is polled, and removed if no longer
  /// listed. The others remain with the stream.
  @Test func pairDroppedByStreamIsPolled() async throws {
    await board.poll()
    try await streams.take([price(Self.bitcoin, 101), price(Self.ether, 3001)])
    _ = world.asked
    world.turn(by: 30_000)
    try await streams.take([price(Self.ether, 3002)])
    world.turn(by: 29_000)
    await streams.take([event(.life)])
    await board.poll()
    #expect(world.asked == ["beta", "gamma"])
    #expect(Self.prices(board.state[Self.alpha]) == ["BTC 101", "ETH 3002"])

    // The minute is over for one of them.
    world.answer("alpha", (nil, "3002"))
    world.turn(by: 2000)
    await streams.take([event(.life)])
    await board.poll()
    #expect(world.asked == ["alpha", "beta", "gamma"])
    #expect(Self.prices(board.state[Self.alpha]) == ["ETH 3002"])
    #expect(board.state[Self.alpha]?.phase(at: world.now) == .live)
  }

  /// A pair reported by neither its stream nor a response grows old, even while the connection lives.
  @Test func droppedPairThatCannotBePolledAges() async throws {
    await board.poll()
    await board.take(.live([Self.ether]), of: Self.alpha)
    world.reply("alpha", .failure(.timeout))
    world.turn(by: 61_000)
    await board.take(.life, of: Self.alpha)
    await board.poll()
    func flags(_ pair: Pair) -> [Flag.Kind]? {
      board.state[Self.alpha]?.report(of: pair, at: world.now)?.table.rows.first?.ticker.flags.map(\.kind)
    }
    #expect(flags(Self.bitcoin) == [.stale])
    #expect(flags(Self.ether) == [])
  }

  /// Messages about other pairs do not hide that the polls of a pair fail which its stream refuses: its price leaves the
  /// headlines as soon as that of any failing exchange.
  @Test func refusedPairWhosePollsFailIsFailed() async throws {
    await board.poll()
    world.reply("alpha", .success((503, Array("closed".utf8))))
    for second in 0..<14 {
      let refusals = second == 0 ? [event(.fallback(Self.refusal, retry: nil), Self.ether)] : []
      try await streams.take([price(Self.bitcoin, 101 + Decimal(second))] + refusals)
      await board.poll()
      world.turn(by: 1000)
    }
    let feed = try #require(board.state[Self.alpha])
    #expect(feed.failure?.failure.reason == .http(503))
    #expect(feed.phase(at: world.now) == .inPart([Self.ether: .http(503)]))
    #expect(feed.phase(of: Self.bitcoin, at: world.now) == .live)
    #expect(
      feed.phase(of: Self.ether, at: world.now)
        == .failed(reason: .http(503), retry: feed.retry))
    let ether = try #require(feed.report(of: Self.ether, at: world.now)?.table.rows.first?.ticker)
    #expect(ether.flags.map(\.message) == ["last updated 14 s ago; failing since then"])
    #expect(ether.flags.map(\.reason) == ["http-503"])
  }

  /// What a stream reports or omits as time passes, in seconds, and the outcome.
  struct Step: Sendable {
    var after = 0
    /// The prices reported by the stream.
    var prices: [Pair: Decimal] = [:]
    var contents: [(pair: Pair?, content: StreamEvent.Content)] = []
    /// The REST responses from now on.
    var answers: (String?, String?)?
    /// Whether the exchange is polled then, and the phase of its feed.
    var isAsked = false
    var phase = FeedPhase.live
    var ofEther = FeedPhase.live
  }

  struct Story: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let steps: [Step]
  }

  private static let begin = Step(prices: [bitcoin: 101, ether: 3001], answers: ("101", "3001"))
  private static let alive: (pair: Pair?, content: StreamEvent.Content) = (nil, .life)
  private static let refusal = AnswerFailure.streamRefused(AnswerFailure(.exchangeError("30004"), "no such channel"))
  private static let minute = FeedPhase.polled(milliseconds: 60_000)

  private static func partly(_ pairs: [Pair: Missing]) -> FeedPhase { .inPart(pairs) }

  private static let stories = [
    Story(
      testDescription: "a quiet pair is polled once a minute until its stream reports it",
      steps: [
        begin, Step(after: 59, prices: [bitcoin: 102], contents: [alive]),
        Step(after: 2, contents: [alive], isAsked: true, ofEther: minute),
        Step(after: 5, contents: [alive], ofEther: minute),
        Step(after: 40, prices: [bitcoin: 103], contents: [alive], ofEther: minute),
        Step(after: 14, contents: [alive], ofEther: minute),
        Step(after: 1, contents: [alive], isAsked: true, ofEther: minute),
        Step(after: 1, prices: [ether: 3002], contents: [alive]), Step(after: 40, contents: [alive], isAsked: false),
      ]),
    Story(
      testDescription: "a response that differs ends the wait for the stream",
      steps: [
        begin, Step(after: 59, prices: [bitcoin: 102], contents: [alive]),
        Step(
          after: 2, contents: [alive], answers: ("102", "3007"), isAsked: true,
          phase: partly([ether: .stream("stream-silent")]),
          ofEther: .substituted(reason: .stream("stream-silent"), retry: nil)),
        Step(
          after: 1, isAsked: true, phase: partly([ether: .stream("stream-silent")]),
          ofEther: .substituted(reason: .stream("stream-silent"), retry: nil)),
        Step(
          after: 1, contents: [alive], isAsked: true, phase: partly([ether: .stream("stream-silent")]),
          ofEther: .substituted(reason: .stream("stream-silent"), retry: nil)),
        Step(after: 1, prices: [ether: 3007]), Step(after: 5, contents: [alive]),
      ]),
    Story(
      testDescription: "a pair that the exchange refuses",
      steps: [
        Step(after: 1, prices: [bitcoin: 101], isAsked: true),
        Step(
          after: 1, contents: [(ether, .fallback(refusal, retry: nil))], isAsked: true,
          phase: partly([ether: .stream("stream-refused 30004")]),
          ofEther: .substituted(reason: .stream("stream-refused 30004"), retry: nil)),
        Step(
          after: 1, contents: [alive], isAsked: true, phase: partly([ether: .stream("stream-refused 30004")]),
          ofEther: .substituted(reason: .stream("stream-refused 30004"), retry: nil)),
      ]),
    Story(
      testDescription: "a pair that never arrives",
      steps: [
        Step(
          after: 1, contents: [(nil, .connected)], isAsked: true, phase: .polled(milliseconds: 1000),
          ofEther: .polled(milliseconds: 1000)),
        Step(after: 1, prices: [bitcoin: 101], isAsked: true), Step(after: 8, contents: [alive], isAsked: true),
        Step(
          after: 1, contents: [alive], isAsked: true, phase: partly([ether: .stream("stream-silent")]),
          ofEther: .substituted(reason: .stream("stream-silent"), retry: nil)),
      ]),
    Story(
      testDescription: "a stream acknowledges and says nothing, until it does",
      steps: [
        Step(
          after: 1, contents: [(nil, .connected)], isAsked: true, phase: .polled(milliseconds: 1000),
          ofEther: .polled(milliseconds: 1000)),
        Step(
          after: 10,
          contents: [bitcoin, ether].map { ($0, .fallback(.stream(.silent(.unheard)), retry: nil)) }, isAsked: true,
          phase: .substituted(reason: .stream("stream-silent"), retry: nil),
          ofEther: .substituted(reason: .stream("stream-silent"), retry: nil)),
        Step(
          after: 1, prices: [bitcoin: 101], isAsked: true, phase: partly([ether: .stream("stream-silent")]),
          ofEther: .substituted(reason: .stream("stream-silent"), retry: nil)),
        Step(
          after: 60, prices: [bitcoin: 101], contents: [(ether, .refused(.stream(.unpriced)))], isAsked: true,
          phase: partly([ether: .stream("stream-bad")]),
          ofEther: .substituted(reason: .stream("stream-bad"), retry: nil)),
        Step(after: 1, prices: [ether: 3001]),
      ]),
    Story(
      testDescription: "one connection breaks while another goes on",
      steps: [
        begin,
        Step(
          contents: [(nil, .fallback(.stream(.closed(1006, "")), retry: nil))], isAsked: true,
          phase: .substituted(reason: .stream("stream-closed 1006"), retry: nil),
          ofEther: .substituted(reason: .stream("stream-closed 1006"), retry: nil)),
        Step(after: 1, prices: [bitcoin: 102], isAsked: true),
        Step(
          after: 10, prices: [bitcoin: 103], contents: [alive], isAsked: true,
          phase: partly([ether: .stream("stream-closed 1006")]),
          ofEther: .substituted(reason: .stream("stream-closed 1006"), retry: nil)),
        Step(after: 1, prices: [ether: 3002]),
      ]),
  ]

  @Test(arguments: stories)
  func pairsMissingFromStream(_ story: Story) async throws {
    await board.poll()
    for (place, step) in story.steps.enumerated() {
      world.turn(by: step.after * 1000)
      _ = world.asked
      if let (bitcoin, ether) = step.answers { world.answer("alpha", (bitcoin, ether)) }
      try await streams.take(
        step.prices.map { try price($0.key, $0.value) } + step.contents.map { event($0.content, $0.pair) })
      await board.poll()
      let feed = try #require(board.state[Self.alpha])
      #expect(world.asked.contains("alpha") == step.isAsked, "step \(place)")
      #expect(feed.phase(at: world.now) == step.phase, "step \(place)")
      #expect(feed.phase(of: Self.ether, at: world.now) == step.ofEther, "step \(place)")
    }
  }

  /// A table followed as a whole contains the pairs that its stream has never mentioned, and is polled anyway.
  @Test func pairsOfWholeTableMayBeUnheard() async throws {
    let board = world.board([], isWhole: true)
    await board.poll()
    let streams = FeedStreams(board)
    try await streams.take([price(Self.bitcoin, 101, on: board)])
    await streams.take([event(.fallback(.stream(.silent(.unheard)), retry: nil), Self.ether)])
    #expect(board.state[Self.alpha]?.phase(at: world.now) == .live)
    await streams.take([event(.fallback(Self.refusal, retry: nil), Self.ether)])
    #expect(board.state[Self.alpha]?.phase(at: world.now) == .inPart([Self.ether: .stream("stream-refused 30004")]))
  }

  /// What a replay lacks has not failed: neither the stream, nor a lookup that only the stream needs.
  @Test(
    arguments: [
      (AnswerFailure(.notRecorded), true), (AnswerFailure(.notRecorded, "no recording").ofLookup("contracts"), true),
      (AnswerFailure(.timeout).ofLookup("contracts"), false), (AnswerFailure(.timeout), false),
    ])
  func unrecordedStreamsHaveNotFailed(_ failure: AnswerFailure, _ isPolled: Bool) async throws {
    await board.poll()
    let before = try #require(board.state[Self.alpha]?.phase(at: world.now))
    await streams.take([event(.fallback(failure, retry: nil))])
    let phase = try #require(board.state[Self.alpha]?.phase(at: world.now))
    #expect(phase == (isPolled ? before : .substituted(reason: failure.reason, retry: nil)))
  }

  /// If both a stream and the board want to know about a quiet pair, it is requested once.
  @Test func quietPairIsRequestedOnceForBoth() async throws {
    await board.poll()
    func hear(_ prices: [Pair: Decimal]) async throws {
      try await streams.take(prices.map { try price($0.key, $0.value) } + [event(.life)])
    }
    func asked() async -> Int {
      _ = world.asked
      await board.poll()
      return world.asked.count { $0 == "alpha" }
    }
    /// Asks as a stream does, and returns once the board knows.
    func want(_ pair: Pair) async -> Task<[Pair: ExchangeReport], Never> {
      let count = await board.listenerCount
      let task = Task { await board.answers(about: [pair], of: Self.alpha) }
      while await board.listenerCount == count { await Task.yield() }
      return task
    }
    try await hear([Self.bitcoin: 101, Self.ether: 3000])
    // The stream is the first to ask: the board does not know yet that the pair is quiet.
    world.turn(by: 60_000)
    let first = await want(Self.ether)
    #expect(await asked() == 1)
    #expect(await first.value[Self.ether]?.table.rows.map(\.ticker.price.value).contains(3000) == true)
    world.turn(by: 3000)
    try await hear([Self.bitcoin: 102])
    #expect(board.state[Self.alpha]?.quiet == [Self.ether])
    #expect(await asked() == 0)
    // A minute later it is the board's turn: the stream gets the same response.
    world.turn(by: 57_000)
    try await hear([Self.bitcoin: 103])
    world.hold("alpha")
    await board.step()
    let second = await want(Self.ether)
    world.letGo("alpha")
    await board.settle()
    #expect(await second.value.keys.map(\.self) == [Self.ether])
    #expect(await asked() == 0)
    // There is no response for a pair that is not followed, nor for a feed that is stopped for good.
    #expect(await board.answers(about: [Pair(asset: "XRP", payment: "USDT")], of: Self.alpha).isEmpty)
    let last = await want(Self.ether)
    last.cancel()
    #expect(await last.value.isEmpty)
    let end = await want(Self.ether)
    await board.stop()
    #expect(await end.value.isEmpty)
  }

  /// A quiet pair that cannot be polled is too old after two minutes, but not while its minute is running.
  @Test(arguments: [(118, false), (121, true)])
  func quietPairAges(_ seconds: Int, _ isOld: Bool) async throws {
    await board.poll()
    try await streams.take([Self.bitcoin, Self.ether].map { try price($0, 100) })
    world.reply("alpha", .failure(.timeout))
    world.turn(by: seconds * 1000)
    try await streams.take([price(Self.bitcoin, 102), event(.life)])
    let feed = try #require(board.state[Self.alpha])
    #expect(feed.rows[Self.ether].map { feed.isStale($0, at: world.now) } == [isOld])
    #expect(feed.rows[Self.bitcoin].map { feed.isStale($0, at: world.now) } == [false])
  }
}
