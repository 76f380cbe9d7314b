import Config
import Mapping
import Quotes
import Testing

@testable import MarketData

/// What is requested from a source while a stream delivers, breaks and recovers.
@Suite struct LiveChannelsTests {
  /// 2026-11-18T05:12:07Z.
  private static let start = Instant(nanoseconds: 1_794_978_727_000_000_000)
  private static let candles = PairPoller.Subject.candles(.oneMinute, count: 200, zoneSeconds: nil)

  /// Events, with the seconds since the start.
  enum Step: Sendable {
    /// A request, with or without a response.
    case asked(Int, isThere: Bool = true)
    /// A candle, with its minutes after the first one.
    case candle(Int, minute: Int)
    case trade(Int)
    case book(Int)
    case fallback(Int)
    /// An unreadable message.
    case refused(Int)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let subject: PairPoller.Subject
    let steps: [Step]
    /// The second at which the pending request is checked.
    let second: Int
    let asking: LiveChannels.Asking?
  }

  private static func newest(_ count: Int) -> LiveChannels.Asking {
    LiveChannels.Asking(subject: .candles(.oneMinute, count: count, zoneSeconds: nil))
  }

  private static let running: [Step] = [.asked(0), .candle(1, minute: 0), .asked(2), .candle(3, minute: 0)]

  static let cases = [
    Case(testDescription: "everything at first", subject: candles, steps: [], second: 0, asking: newest(200)),
    Case(testDescription: "then only the newest", subject: candles, steps: [.asked(0)], second: 2, asking: newest(3)),
    Case(
      testDescription: "the time between the response and the first message", subject: candles,
      steps: [.asked(0), .candle(1, minute: 0)], second: 2, asking: newest(3)),
    Case(
      testDescription: "nothing while the stream is live", subject: candles, steps: running, second: 62, asking: nil),
    Case(
      testDescription: "everything since its last message after a quiet minute", subject: candles,
      steps: running, second: 183, asking: newest(5)),
    Case(
      testDescription: "not again within the next minute", subject: candles, steps: running + [.asked(183)],
      second: 242, asking: nil),
    Case(
      testDescription: "not again if that fails", subject: candles, steps: running + [.asked(183, isThere: false)],
      second: 242, asking: nil),
    Case(
      testDescription: "as many as the outage covers, while it lasts", subject: candles,
      steps: running + [.fallback(10)],
      second: 600, asking: newest(12)),
    Case(
      testDescription: "the stream is back before any response", subject: candles,
      steps: running + [.fallback(10), .asked(300, isThere: false), .candle(590, minute: 9)], second: 600,
      asking: newest(12)),
    Case(
      testDescription: "none once they have arrived", subject: candles,
      steps: running + [.fallback(10), .candle(590, minute: 9), .asked(600)], second: 601, asking: nil),
    Case(
      testDescription: "everything after a night", subject: candles, steps: running + [.fallback(10)], second: 30_000,
      asking: LiveChannels.Asking(subject: candles, replacesAll: true)),
    Case(
      testDescription: "nothing at once when the next candle begins", subject: candles,
      steps: running + [.candle(54, minute: 1)], second: 58, asking: nil),
    Case(
      testDescription: "a finished candle once the next has begun", subject: candles,
      steps: running + [.candle(54, minute: 1), .candle(58, minute: 1)], second: 59, asking: newest(3)),
    Case(
      testDescription: "a finished candle once only", subject: candles,
      steps: running + [.candle(54, minute: 1), .asked(59)], second: 60, asking: nil),
    Case(
      testDescription: "a finished candle again if that fails", subject: candles,
      steps: running + [.candle(54, minute: 1), .asked(59, isThere: false)], second: 60, asking: newest(3)),
    Case(
      testDescription: "a finished candle again if it was requested too early", subject: candles,
      steps: running + [.candle(54, minute: 1), .asked(55)], second: 60, asking: newest(3)),
    Case(
      testDescription: "intervals that the stream leaves out", subject: candles,
      steps: running + [.candle(400, minute: 6)], second: 401, asking: newest(8)),
    Case(
      testDescription: "a first request that fails beside a stream", subject: candles,
      steps: [.asked(0, isThere: false), .candle(1, minute: 0)], second: 5, asking: newest(200)),
    Case(
      testDescription: "as without a stream if it sends only a past candle", subject: candles,
      steps: [.asked(0), .candle(100, minute: 0), .candle(101, minute: 0)], second: 102, asking: newest(3)),
    Case(
      testDescription: "everything since its last message if it resumes with a past candle", subject: candles,
      steps: running + (91...180).map { .candle($0, minute: 0) }, second: 183, asking: newest(5)),
    Case(
      testDescription: "trades during an outage", subject: .trades(200),
      steps: [.asked(0), .trade(1), .asked(2), .trade(3), .fallback(10), .trade(20)], second: 21,
      asking: LiveChannels.Asking(subject: .trades(200))),
    Case(
      testDescription: "trades of a running stream", subject: .trades(200),
      steps: [.asked(0), .trade(1), .asked(2), .trade(3), .trade(20)], second: 21, asking: nil),
    Case(
      testDescription: "trades in an unreadable message", subject: .trades(200),
      steps: [.asked(0), .trade(1), .asked(2), .trade(3), .refused(4), .trade(5)], second: 6,
      asking: LiveChannels.Asking(subject: .trades(200))),
    Case(
      testDescription: "a book of a quiet stream", subject: .orderbook(100),
      steps: [.asked(0), .book(1)], second: 61, asking: LiveChannels.Asking(subject: .orderbook(100))),
    Case(
      testDescription: "a book of a stream", subject: .orderbook(100), steps: [.asked(0), .book(1)], second: 60,
      asking: nil),
    Case(
      testDescription: "a streamed book is not polled, whatever failed before", subject: .orderbook(100),
      steps: [.asked(0, isThere: false), .book(1)], second: 2, asking: nil),
  ]

  @Test(arguments: cases) func pollsWhatStreamsLeaveOut(_ sample: Case) throws {
    let live = LiveChannels([try Self.source()], [sample.subject])
    for step in sample.steps {
      switch step {
      case .asked(let second, let isThere):
        live.take(answerOf: 0, sample.subject, isThere: isThere, asked: Self.moment(second))
      case .candle(let second, let minute):
        let candle = Candle(
          start: CandleGrid(.oneMinute).start(containing: Self.moment(60 * minute)), open: 1, high: 1, low: 1, close: 1,
          volume: .value(1), turnover: .missing(.notOffered))
        _ = live.take(Self.event(.candles, .candle(candle, .oneMinute), second))
      case .trade(let second):
        let trade = Trade(time: Self.moment(second), price: 1, size: .value(1), side: .buy, id: "\(second)")
        _ = live.take(Self.event(.trades, .trades([trade]), second))
      case .book(let second):
        _ = live.take(Self.event(.orderbook, .orderbook(OrderBook(bids: [], asks: [])), second))
      case .fallback(let second):
        _ = live.take(
          Self.event(sample.subject.channel ?? .ticker, .fallback(.stream(.silent(.lifeless)), retry: nil), second))
      case .refused(let second):
        _ = live.take(Self.event(sample.subject.channel ?? .ticker, .refused(.stream(.bad("no JSON"))), second))
      }
    }
    #expect(live.asking(0, sample.subject, at: Self.moment(sample.second)) == sample.asking)
  }

  /// A gap in the trades is reported whichever channel the view shows first: the tape must not close over it.
  @Test func gapsInTradesAreReported() throws {
    let live = LiveChannels([try Self.source()], [.orderbook(100), .trades(200)])
    for content in [StreamEvent.Content.missed, .refused(.stream(.bad("no JSON")))] {
      let told = live.take(Self.event(.trades, content, 1))
      let gaps = told.filter { if case .missed = $0.content { true } else { false } }
      #expect(gaps.count == 1)
    }
  }

  /// Unreadable messages are reported for the view's own channel only.
  @Test(arguments: [(StreamChannel.trades, true), (.ticker, false)])
  func unreadableMessagesAreReported(_ channel: StreamChannel, isTold: Bool) throws {
    let live = LiveChannels([try Self.source()], [.trades(200), .days(30), .ticker])
    let told = live.take(Self.event(channel, .refused(.stream(.bad("no JSON"))), 1))
    let messages = told.map { event -> String? in
      if case .refused(let failure) = event.content { failure.message } else { nil }
    }
    #expect(messages == (isTold ? ["no JSON"] : []))
  }

  /// Of two groups of futures with the pair, a source is about the one of its answers, or else of its first message.
  @Test(arguments: [(nil, ["linear", "linear"]), ("inverse", ["inverse"])] as [(String?, [String])])
  func otherGroupsAreLeftOut(_ answered: String?, _ told: [String]) throws {
    let live = LiveChannels([try Self.source()], [.trades(200)])
    live.note(answered, of: 0)
    let trade = Trade(time: Self.moment(1), price: 1, size: .value(1), side: .buy, id: "1")
    let events = ["linear", "inverse", "linear"].flatMap { product in
      live.take(Self.event(.trades, .trades([trade]), 1, product))
    }
    #expect(events.map(\.product) == told)
  }

  /// What a stream sends is left out while it is older than an answer: the source is polled on, and after ten seconds that
  /// is told. A stream whose messages are equally late all the time is live, and its host's clock is another.
  @Test(
    arguments: [PairPoller.Subject.orderbook(100), .ticker],
    [
      ([(1, -4), (2, -3), (11, 4), (12, 11)], ["-", "-", "stream-behind", "told"], false),
      ([(1, -4), (2, -3), (6, 1), (11, 6)], ["-", "-", "-", "told"], false),
      ([(1, -4), (10, -4), (12, -4)], ["-", "-", "stream-behind"], true),
      ([(1, 0)], ["told"], false),
    ] as [([(second: Int, sent: Int)], [String], Bool)])
  func olderMessagesAreLeftOut(
    _ subject: PairPoller.Subject, _ sample: (messages: [(second: Int, sent: Int)], told: [String], isPolled: Bool)
  ) throws {
    let live = LiveChannels([try Self.source()], [subject])
    live.take(answerOf: 0, subject, isThere: true, asked: Self.moment(0))
    let told = try sample.messages.map { second, sent in
      let answer = Self.message(of: subject, price: Decimal(1 + second), sent: second, second)
      live.keep(try #require(PairEvent(answer, source: 0)))
      return Self.outcome(live.take(Self.message(of: subject, price: 1, sent: sent, second)))
    }
    #expect(told == sample.told)
    let asking = sample.isPolled ? LiveChannels.Asking(subject: subject) : nil
    #expect(live.asking(0, subject, at: Self.moment(13)) == asking)
  }

  /// A row that repeats the price of one that was left out is left out, too. On the screen of a book, that is no news.
  @Test func olderPricesAreNotRepeated() throws {
    let live = LiveChannels([try Self.source()], [.orderbook(100), .ticker])
    live.keep(try #require(PairEvent(Self.message(of: .ticker, price: 2, sent: 0, 0), source: 0)))
    let messages = [(1, -4, nil), (2, -3, 1), (12, -4, nil), (13, 13, nil), (14, 14, 13)] as [(Int, Int, Int?)]
    let told = messages.map { second, sent, priced in
      Self.outcome(live.take(Self.message(of: .ticker, price: 1, sent: sent, second, priced: priced)))
    }
    #expect(told == ["-", "-", "-", "told", "told"])
  }

  private static func outcome(_ events: [PairEvent]) -> String {
    switch events.first?.content {
    case nil: "-"
    case .fallback(let failure, _)?: failure.reason.code
    default: "told"
    }
  }

  /// Returns a message with a book or a row.
  ///
  /// - Parameter priced: When an earlier message had the row's price; nil for this one.
  private static func message(
    of subject: PairPoller.Subject, price: Decimal, sent: Int, _ second: Int, priced: Int? = nil
  ) -> StreamEvent {
    if case .orderbook = subject {
      let book = OrderBook(bids: [.init(price: price, size: 1)], asks: [], time: moment(sent))
      return event(.orderbook, .orderbook(book), second)
    }
    var row = Ticker(
      exchange: "Exchange", market: .spot, symbol: "BTC-USDT", pair: Pair(asset: "BTC", payment: "USDT"),
      price: .value(price), time: moment(sent), arrival: moment(second))
    row.otherPriceArrival = priced.map(moment)
    return event(.ticker, .ticker(row), second)
  }

  private static func moment(_ second: Int) -> Instant { start.advanced(by: .seconds(second)) }

  private static func event(
    _ channel: StreamChannel, _ content: StreamEvent.Content, _ second: Int, _ product: String? = nil
  ) -> StreamEvent {
    StreamEvent(
      exchange: "Exchange", market: .spot, channel: channel, pair: Pair(asset: "BTC", payment: "USDT"),
      product: product,
      content: content, isStreamed: true, arrival: moment(second))
  }

  private static func source(
    _ name: String = "Exchange", payment: String = "USDT"
  ) throws -> PairPoller.Source {
    let text = """
      {"version": 1, "exchanges": {"\(name)": {
        "baseUrls": ["https://exchange.test"], "rows": "$[*]", "symbol": {"path": "$.s", "split": "-"},
        "markets": {"spot": {"tickers": {"request": {"path": "/tickers"}, "fields": {"price": "$.p"}}}}}}}
      """
    let exchange = try Configuration(text: text).firstExchange()
    let query = PairQuery(Pair(asset: "BTC", payment: payment), Interpretation(check: MeaningCheck()))
    let market = try #require(exchange.market(.spot))
    return PairPoller.Source(exchange, market, query)
  }

  /// The letters of an exchange are those that it has among all, and its whole name if it is none of them.
  @Test func badges() throws {
    let sources = [
      try Self.source("VenueI"), try Self.source("VenueA"), try Self.source("VenueA", payment: "KRW"),
      try Self.source("Vendor"),
    ]
    let badges = ["VenueA": "VU", "Vendor": "VE"]
    #expect(sources.map { sources.badge(of: $0, badges) } == ["VenueI", "VU:USDT", "VU:KRW", "VE"])
  }
}
