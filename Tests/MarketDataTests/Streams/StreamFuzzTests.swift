import Config
import HTTP
import Mapping
import Quotes
import TestSupport
import Testing

@testable import MarketData

/// An exchange that does whatever it likes for a while, and then works: all pairs must be live again. No deadline may stay
/// in the past, and no pair may be polled twice at once or without a pause.
@Suite struct StreamFuzzTests {
  /// Something that is to happen.
  private enum Event {
    case opened(link: Int, generation: Int)
    case closed(link: Int, generation: Int)
    case polled(link: Int, pair: Int)
  }

  private struct World {
    var hub: StreamHub
    let channel: StreamChannel
    var now = StreamScript.start
    var generator: SeededGenerator
    var events: [(at: Instant, event: Event)] = []
    /// The open connections, with the pairs they have subscribed to.
    var open: [Int: (generation: Int, pairs: Set<Int>)] = [:]
    var outstanding: Set<[Int]> = []
    var lastPolled: [[Int]: Instant] = [:]
    var prices: [Decimal] = [65000, 3000, 2]
    var isWild = true
    var tradeCount = 0
    /// When each pair last had a price by stream.
    var streamed: [Pair: Instant] = [:]

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    mutating func take(_ output: StreamHub.Output) {
      for event in output.events where event.isStreamed {
        switch event.content {
        case .ticker, .trades, .orderbook, .candle: if let pair = event.pair { streamed[pair] = now }
        default: break
        }
      }
      for (link, command) in output.commands {
        switch command {
        case .open(_, let generation):
          open[link] = nil
          let isOpened = !isWild || chance(80)
          events.append(
            (
              now.advanced(by: .milliseconds(Int.random(in: 50...3000, using: &generator))),
              isOpened ? .opened(link: link, generation: generation) : .closed(link: link, generation: generation)
            ))
        case .close: open[link] = nil
        case .send(let message):
          for (place, pair) in hub.subject(of: link).pairs.enumerated() where message.text.contains(pair.row.symbol) {
            open[link]?.pairs.insert(place)
          }
        case .poll(let places, _):
          for place in places {
            #expect(outstanding.insert([link, place]).inserted, "asked twice at once")
            if let last = lastPolled[[link, place]] {
              #expect(
                now >= last.advanced(by: .seconds(1)), "asked \(now.nanoseconds(since: last)) ns after the answer")
            }
            events.append(
              (
                now.advanced(by: .milliseconds(Int.random(in: 50...2000, using: &generator))),
                .polled(link: link, pair: place)
              ))
          }
        case .ask, .ping: break
        }
      }
    }

    mutating func tick() {
      var turns = 0
      while let deadline = hub.deadline, deadline <= now {
        turns += 1
        guard turns < 20 else {
          Issue.record("a deadline that never passes")
          return
        }
        take(hub.tick(at: now))
      }
    }

    mutating func happen(_ event: Event) {
      switch event {
      case .opened(let link, let generation):
        guard hub.generation(of: link) == generation else { return }
        open[link] = (generation, [])
        take(hub.take(.signals([.opened], link: link, generation: generation), at: now))
      case .closed(let link, let generation):
        open[link] = nil
        take(hub.take(.signals([.closed(.closed(code: 1006, words: ""))], link: link, generation: generation), at: now))
      case .polled(let link, let place):
        outstanding.remove([link, place])
        lastPolled[[link, place]] = now
        let result: Result<StreamUpdate.Value, AnswerFailure>
        if isWild, chance(20) {
          result = .failure(AnswerFailure(chance(10) ? .notListed : .timeout))
        } else {
          result = .success(answer(about: hub.subject(of: link).pairs[place]))
        }
        take(hub.take(.polled([PolledPair(pair: place, result)], link: link), at: now))
      }
    }

    private var minute: Instant { CandleGrid(.oneMinute).start(containing: now) }

    mutating func answer(about pair: StreamPair) -> StreamUpdate.Value {
      let price = price(of: pair)
      switch channel {
      case .trades:
        tradeCount += 1
        return .trades([Trade(time: now, price: price, size: .value(1), side: nil, id: "\(tradeCount)")])
      case .orderbook:
        return .orderbook(
          OrderBook(
            bids: [.init(price: price * Decimal(mantissa: 999, exponent: -3), size: 1)],
            asks: [.init(price: price * Decimal(mantissa: 1001, exponent: -3), size: 1)]))
      case .candles:
        return .candle(
          Candle(
            start: minute, open: price, high: price, low: price, close: price,
            volume: .value(Decimal(mantissa: Int128(max(1, tradeCount)), exponent: 0)),
            turnover: .missing(.notOffered)))
      default:
        var row = pair.row
        row.price = .value(price)
        row.arrival = now
        return .ticker(row)
      }
    }

    mutating func message(about pair: StreamPair, at price: Decimal) -> String {
      let symbol = #""s": "\#(pair.row.symbol)""#
      switch channel {
      case .trades:
        tradeCount += 1
        return #"{\#(symbol), "p": "\#(price)", "q": "1", "i": "\#(tradeCount)"}"#
      case .orderbook:
        if isWild, chance(10) { return #"{\#(symbol), "b": [], "a": []}"# }
        let (bid, ask) = (price * Decimal(mantissa: 999, exponent: -3), price * Decimal(mantissa: 1001, exponent: -3))
        return #"{\#(symbol), "b": [["\#(bid)", "1"]], "a": [["\#(ask)", "1"]]}"#
      case .candles:
        let back: Int64 = isWild && chance(10) ? 120 : 0
        tradeCount += 1
        return
          #"{\#(symbol), "t": \#(minute.nanoseconds / 1_000_000_000 - back), "c": "\#(price)", "v": "\#(tradeCount)"}"#
      default: return #"{\#(symbol), "p": "\#(price)"}"#
      }
    }

    func price(of pair: StreamPair) -> Decimal {
      pair.row.pair.asset == "BTC" ? prices[0] : pair.row.pair.asset == "ETH" ? prices[1] : prices[2]
    }

    mutating func send() {
      for (link, connection) in open.sorted(by: { $0.key < $1.key }) {
        for place in connection.pairs.sorted() {
          let pair = hub.subject(of: link).pairs[place]
          var price = price(of: pair)
          var text: String?
          if isWild, now < StreamScript.start.advanced(by: .seconds(30)), chance(50) {
            price = price * 100
          } else if isWild {
            switch Int.random(in: 0..<100, using: &generator) {
            case 0..<60: continue
            case 60..<64: price = price * 100
            case 64..<66: text = #"{"ok": false, "code": 401, "msg": "later"}"#
            case 66..<67: text = "["
            case 67..<70: text = #"{"s": "\#(pair.row.symbol)", "v": "1"}"#
            case 70..<75: price = price * Decimal(mantissa: 16, exponent: -1)
            default: break
            }
          }
          let message = text ?? message(about: pair, at: price)
          guard hub.generation(of: link) == connection.generation else { break }
          take(
            hub.take(
              .signals([.message(Array(message.utf8), isText: true)], link: link, generation: connection.generation),
              at: now))
          tick()
        }
      }
    }

    mutating func run(seconds: Int) {
      var end = now.advanced(by: .seconds(seconds))
      while now < end {
        let next = [events.map(\.at).min(), hub.deadline].compactMap(\.self).min() ?? end
        now = max(now, min(next, now.advanced(by: .milliseconds(700))))
        tick()
        let due = events.filter { $0.at <= now }
        events.removeAll { $0.at <= now }
        for (_, event) in due {
          happen(event)
          tick()
        }
        if chance(30) || !isWild {
          prices = prices.map { price in
            price * Decimal(mantissa: Int128(1000 + Int.random(in: -3...3, using: &generator)), exponent: -3)
          }.map { $0.rounded(toSignificantDigits: 8) }
        }
        send()
        if isWild {
          for (link, connection) in open.sorted(by: { $0.key < $1.key }) where chance(1) {
            happen(.closed(link: link, generation: connection.generation))
          }
          if chance(1), Int.random(in: 0..<5, using: &generator) == 0 {
            let back = Int.random(in: 1...7200, using: &generator)
            now = now.advanced(by: .seconds(-back))
            end = end.advanced(by: .seconds(-back))
            events = events.map { ($0.at.advanced(by: .seconds(-back)), $0.event) }
            lastPolled = [:]
            streamed = [:]
            open = [:]
            take(hub.restart(because: .stream(.silent(.clockSetBack)), at: now))
            tick()
          }
        }
      }
    }
  }

  private static let channels: [(StreamChannel, String)] = [
    (.ticker, ""), (.trades, #""when": [{"path": "$.q", "is": "present"}]"#),
    (
      .orderbook,
      #""bids": "$.b[*]", "asks": "$.a[*]", "price": "$[0]", "size": "$[1]", "when": [{"path": "$.b", "is": "array"}]"#
    ),
    (
      .candles,
      #""intervals": {"1m": "1m"}, "fields": {"time": {"path": "$.t", "unit": "s"}, "open": "$.c", "high": "$.c", "low": "$.c", "close": "$.c", "volume": "$.v"}"#
    ),
  ]

  @Test(arguments: [0, 1, 2, 3, 99], channels.indices) func comesBack(_ seed: UInt64, _ place: Int) throws {
    let (channel, own) = Self.channels[place]
    let isSingly = seed % 2 == 0
    let interval = channel == .candles ? #", "{interval}""# : ""
    let names = isSingly ? #"["x", "{symbol}"\#(interval)]"# : #"["{symbol}"\#(interval)]"#
    var subject = try StreamScript.subject(
      channel,
      streams:
        #""symbol": "$.s", "ping": {"every": "20s"}, "deadAfter": "60s", "success": {"where": [{"path": "$.ok", "notIn": [false]}], "code": "$.code", "message": ["$.msg"]}"#,
      own: [#""subscribe": {"args": \#(names)}"#, own].filter { !$0.isEmpty }.joined(separator: ", "),
      table: "BTC-USDT 65000, ETH-USDT 3000, XRP-USDT 2")
    subject.pollsWhenOffline = seed % 3 != 0
    var world = World(
      hub: StreamHub(chance: { _ in 0.5 }, inflate: { (bytes) throws(UnreadableBytes) in bytes }), channel: channel,
      generator: SeededGenerator(seed: seed))
    world.hub.add(subject, at: world.now)
    // Briefly, so that hardly any reconnection hides what one leaves behind, or for long.
    world.run(seconds: seed % 4 < 2 ? 80 : 1500)
    world.isWild = false
    world.run(seconds: 2400)
    for pair in subject.pairs {
      let last = world.streamed[pair.row.pair]
      #expect(
        last.map { world.now.nanoseconds(since: $0) < 5_000_000_000 } == true,
        "\(pair.row.pair) \(String(describing: last))")
    }
    #expect(world.hub.count < 60, "\(world.hub.count) links")
  }
}
