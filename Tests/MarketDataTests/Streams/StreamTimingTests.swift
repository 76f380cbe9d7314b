import Config
import HTTP
import Mapping
import Quotes
import Testing

@testable import MarketData

/// When links reconnect, and what they have already reported.
@Suite struct StreamTimingTests {
  private static let start = StreamScript.start

  // MARK: Reconnecting

  /// The delay after a number of consecutive failures: between half of the given seconds and all of them.
  @Test(arguments: [(1, 1), (2, 2), (3, 4), (4, 8), (5, 16), (6, 32), (7, 60), (8, 60), (50, 60)])
  func retryDelaysGrow(_ failures: Int, _ seconds: Int64) throws {
    for (chance, milliseconds) in [(0.0, seconds * 500), (0.999, seconds * 500 + seconds * 4995 / 10)] {
      let subject = try StreamScript.subject(.ticker, streams: #""symbol": "$.s""#, table: "BTC-USDT 1")
      var link = StreamLink(subject, at: Self.start, SendWindows()) { _ in chance }
      var now = Self.start
      for failure in 1...failures {
        _ = link.tick(at: now) { _ in nil }
        let output = link.take(.closed(.failed(.timeout)), at: now) { $0 }
        let retry = output.events.compactMap { if case .fallback(_, let retry) = $0.content { retry } else { nil } }
          .first
        let wait = try #require(retry).nanoseconds(since: now) / 1_000_000
        if failure == failures { #expect(wait == milliseconds) }
        now = try #require(retry)
      }
    }
  }

  /// An exchange that turns the sender away is left alone for a minute.
  @Test(
    arguments: [
      (401, 60), (403, 60), (407, 60), (418, 60), (429, 60), (451, 60), (400, 1), (404, 1), (500, 1), (503, 1),
    ] as [(Int, Int64)])
  func denialsAreWaitedFor(_ status: Int, _ seconds: Int64) throws {
    let subject = try StreamScript.subject(.ticker, streams: #""symbol": "$.s""#, table: "BTC-USDT 1")
    var link = StreamLink(subject, at: Self.start, SendWindows()) { _ in 1 }
    _ = link.tick(at: Self.start) { _ in nil }
    let output = link.take(.closed(.refused(status: status, retryAfter: nil)), at: Self.start) { $0 }
    let retry = output.events.compactMap { if case .fallback(_, let retry) = $0.content { retry } else { nil } }.first
    let wait = try #require(retry).nanoseconds(since: Self.start) / 1_000_000_000
    #expect(wait == seconds)
  }

  /// 36 exchanges with four links each, up and down for four minutes: no host gets more than five attempts at once,
  /// plus one every three seconds.
  @Test func reconnectsPerHostAreLimited() throws {
    var hub = StreamHub(chance: { _ in 0.25 }, inflate: { (bytes) throws(UnreadableBytes) in bytes })
    for exchange in 0..<36 {
      let subject = try StreamScript.subject(
        .ticker, streams: #""symbol": "$.s", "urls": ["wss://ws\#(exchange).test/a", "wss://ws\#(exchange).test/b"]"#,
        table: "BTC-USDT 1", refresh: 1000)
      for _ in 0..<4 { hub.add(subject, at: Self.start) }
    }
    var now = Self.start
    let end = now.advanced(by: .seconds(240))
    var tries: [String: [Instant]] = [:]
    while let deadline = hub.deadline, deadline < end {
      now = max(now, deadline)
      var opened: [(link: Int, generation: Int)] = []
      for (link, command) in hub.tick(at: now).commands {
        guard case .open(let request, let generation) = command else { continue }
        tries[HostName(of: request.url.dropFirst(6)).text, default: []].append(now)
        opened.append((link, generation))
      }
      // Every opened connection closes at once, the worst case.
      for (link, generation) in opened {
        _ = hub.take(
          .signals([.opened, .closed(.closed(code: 1006, words: ""))], link: link, generation: generation), at: now)
      }
    }
    #expect(tries.count == 36)
    for moments in tries.values {
      #expect(moments.count > 20)
      for (first, moment) in moments.enumerated() {
        for (more, later) in moments[first...].enumerated() {
          let allowed = 5 + later.nanoseconds(since: moment) / 3_000_000_000
          #expect(more + 1 <= allowed)
        }
      }
    }
  }

  // MARK: Trades

  private static func trade(_ price: Int, id: String? = nil, at milliseconds: Int64 = 0) -> Trade {
    Trade(
      time: start.advanced(by: .milliseconds(milliseconds)), price: Decimal(price), size: .value(1), side: nil, id: id)
  }

  private static func trade(_ side: TradeSide) -> Trade {
    Trade(time: start, price: Decimal(1), size: .value(1), side: side, id: nil)
  }

  /// Two equal trades at one moment are two; a new connection may begin with those already reported.
  @Test func tradesWithoutNumbers() {
    var seen = SeenTrades()
    func prices(_ trades: [Trade]) -> [String] { trades.map { "\($0.price)" } }
    let (one, two) = (Self.trade(1), Self.trade(2))
    #expect(prices(seen.new([one, one, two], isStreamed: true).trades) == ["1", "1", "2"])
    // The same connection reports a third one.
    #expect(prices(seen.new([one], isStreamed: true).trades) == ["1"])
    // A response contains all of them again, and one more.
    #expect(prices(seen.new([one, one, one, one, two], isStreamed: false).trades) == ["1"])
    #expect(prices(seen.new([one, one, one, one, two], isStreamed: false).trades) == [])
    seen.beginConnection()
    #expect(prices(seen.new([one, one], isStreamed: true).trades) == [])
    #expect(prices(seen.new([one, one, two, one], isStreamed: true).trades) == ["1"])
  }

  /// Trades of messages without a time have that of their arrival, later than in an answer that numbers them differently.
  @Test func tradesThatArriveLaterThanTheyHappened() {
    var seen = SeenTrades()
    func prices(_ trades: [Trade]) -> [String] { trades.map { "\($0.price)" } }
    let before = Self.trade(1, id: "a1", at: 0)
    #expect(prices(seen.new([before], isStreamed: false).trades) == ["1"])
    seen.beginConnection()
    #expect(prices(seen.new([Self.trade(5, at: 9_100)], isStreamed: true).trades) == ["5"])
    let answer = [before, Self.trade(4, id: "a4", at: 8_000), Self.trade(5, id: "a5", at: 9_000)]
    #expect(prices(seen.new(answer, isStreamed: false).trades) == ["4"])
  }

  /// The clock of an exchange whose messages have neither IDs nor times may be ahead or behind: its answers repeat no
  /// trade of a message, and bring those made while there was no connection.
  @Test(arguments: [0, 1_500, -4_000] as [Int64])
  func clockOfTradesWithoutTimes(_ ahead: Int64) {
    var seen = SeenTrades()
    func told(_ prices: Int..., at times: Int64...) -> [String] {
      let trades = zip(prices, times).map { Self.trade($0, at: $1 * 1000 + 40) }
      return seen.new(trades, isStreamed: true).trades.map { "\($0.price)" }
    }
    func answered(_ trades: [(price: Int, at: Int64)]) -> [String] {
      let trades = trades.map { Self.trade($0.price, id: "a\($0.at)", at: $0.at * 1000 + ahead) }
      return seen.new(trades, isStreamed: false).trades.map { "\($0.price)" }
    }
    #expect(told(1, 2, 3, at: 10, 11, 12) == ["1", "2", "3"])
    #expect(answered([(1, 10), (2, 11), (3, 12)]) == [])
    #expect(told(4, at: 13) == ["4"])
    #expect(answered([(2, 11), (3, 12), (4, 13)]) == [])
    seen.beginConnection()
    #expect(told(7, at: 22) == ["7"])
    // Two were made meanwhile, one of them like one before.
    #expect(answered([(3, 12), (4, 13), (4, 15), (6, 20), (7, 22), (8, 23)]) == ["4", "6", "8"])
    #expect(answered([(4, 15), (6, 20), (7, 22), (8, 23)]) == [])
  }

  /// The reported trades, step by step: `!` where trades are missed. `+` begins a connection, `s` is a message, `a` a
  /// response; trades are numbers, each traded in the second of its number. `b` and `t` are responses and messages with
  /// other numbers for the same trades.
  @Test(
    arguments: [
      // Nothing was reported before the first response, or before the first message.
      ("a1-3", "1 2 3"), ("+ s3 a1-3", "3, 1 2"), ("+ s3 s4 a3-4", "3, 4, "),
      // Responses that overlap, that do not, and an empty one.
      ("a1-3 a2-5 a5-6", "1 2 3, 4 5, 6"), ("a1-3 a4-6 a7-8", "1 2 3, ! 4 5 6, ! 7 8"), ("a1-3 a3-3 a", "1 2 3, , "),
      // A connection begins after a response: the next response joins the two, or cannot.
      ("a1-3 + s6 a2-6", "1 2 3, 6, 4 5"), ("a1-3 + s6 s7 a5-7", "1 2 3, 6, 7, ! 5"),
      // What a connection has reported is joined from then on.
      ("a1-3 + s4 a2-4 s5 s6 a6-7", "1 2 3, 4, , 5, 6, 7"),
      // A broken connection, and one that no response has joined.
      ("+ s3 a1-3 s4 a4-5 + s9 + s12 a8-12", "3, 1 2, 4, 5, 9, 12, ! 8 10 11"),
      // Responses number trades differently: later ones are new.
      ("+ s1 s2 s3 b1-3 b2-4 b3-6", "1, 2, 3, , b4, b5 b6"), ("+ s1 s2 b1-2 s3 b1-3 b2-4", "1, 2, , 3, , b4"),
      // Only times tell what happened while there was no connection.
      ("+ s1 s2 b1-2 + s6 b1-6 b2-7", "1, 2, , 6, b3 b4 b5, b7"), ("+ s1 s2 b3-4 b4-5", "1, 2, b3 b4, b5"),
      ("a1-2 + s5 b3-6", "1 2, 5, ! b3 b4 b6"), ("a1-2 + s5 b1-6", "1 2, 5, b3 b4 b6"),
      // A connection that begins with what a response has told: under other numbers that is known once a response has
      // contained what a message told.
      ("a1-3 + s2 s3 s4", "1 2 3, , , 4"), ("a1-3 + s3 t3 s4", "1 2 3, , t3, 4"), ("b1-3 + s3 s4", "b1 b2 b3, 3, 4"),
      ("+ s1 s2 b1-3 s3 t2", "1, 2, b3, , t2"),
      ("+ s1 s2 b1-2 b2-4 + s3 s4 s4 s5", "1, 2, , b3 b4, , , , 5"),
    ])
  func missedTradesAreMarked(_ steps: String, _ told: String) throws {
    var seen = SeenTrades()
    var lines: [String] = []
    for step in steps.split(separator: " ") {
      if step == "+" {
        seen.beginConnection()
        continue
      }
      let numbers = step.dropFirst().split(separator: "-").compactMap { Int($0) }
      let range = try numbers.isEmpty ? 0..<0 : #require(numbers.first)..<(#require(numbers.last) + 1)
      let trades = range.map { number in
        Self.trade(
          1, id: "bt".contains(step.first ?? " ") ? "\(step.first ?? " ")\(number)" : "\(number)",
          at: Int64(number) * 1000)
      }
      let new = seen.new(trades, isStreamed: "st".contains(step.first ?? " "))
      lines.append(((new.hasGap ? ["!"] : []) + new.trades.compactMap(\.id)).joined(separator: " "))
    }
    #expect(lines.joined(separator: ", ") == told)
  }

  /// The reported trades, step by step, of an exchange that numbers trades differently in messages and responses, all
  /// of one price and size: `!` where trades are missed. `+` begins a connection, `a` is a response and `s` a message;
  /// `A` and `S` tell whole seconds, `u` microseconds, and `n` has no IDs, nor have the responses `h` and `H`. Trades
  /// are the milliseconds of their times, with a letter if there are several.
  @Test(
    arguments: [
      // Trades in a gap are like the ones before it, which responses had contained, or are the first to contain.
      (
        "a900,1000 + s1200,1400 a900,1000,1200,1400 + s3000 a1000,1200,1400,1600,1800,3000",
        "a900 a1000, s1200 s1400, , s3000, a1600 a1800"
      ),
      (
        "+ s1100 a500,1100 s1300,1500 + s3100 a1100,1300,1500,1700,3100",
        "s1100, a500, s1300 s1500, s3100, a1700"
      ),
      // Several at one moment, of which messages and responses know some first.
      (
        "a900 + s1200,1200b a900,1200,1200b,1200c,1500 s1200c,1500,1700",
        "a900, s1200 s1200b, a1200c a1500, s1700"
      ),
      // A response that ends before the first message leaves the rest of the gap to the next one, if that has it.
      ("a900 + s1200 a900,1200 + s3000 a1200,1500 a1500,2500,3000", "a900, s1200, , s3000, a1500, a2500"),
      ("a900 + s1200 a900,1200 + s3000 a1200,1500 a2500,3000", "a900, s1200, , s3000, a1500, ! a2500"),
      // A gap begins within the millisecond of the last message.
      ("a900 + u1200 a900,1200 + u3000 a1200,1200b,3000", "a900, u1200, , u3000, a1200b"),
      // Either source tells whole seconds.
      ("+ S1400 a900,1400,1600,2100 S1600,2100,2700", "S1400, a900 a1600 a2100, S2700"),
      ("+ s1400 A900,1400,2600 s2600,3100", "s1400, A900 A2600, s3100"),
      // Equal ones of a second are as many as the response has, whichever message told which.
      (
        "+ S1400,2500 a1400,2500 + S9300 a2500,9100,9300 S9700,10200 a9300,9700,10200",
        "S1400 S2500, , S9300, a9300, S10200, a9700"
      ),
      // A connection begins with trades of the first response. One that this would have under the same number shows
      // that the numbers differ; another one shows nothing, nor does its newest, which may have others beside it.
      ("a900,1000,1100 + s1000,1100,1200", "a900 a1000 a1100, s1200"),
      ("A1000,2000,3000 + s2100,3200,4100", "A1000 A2000 A3000, s4100"),
      ("a900,1000,1100 + s1050,1100", "a900 a1000 a1100, s1050 s1100"),
      // What a message repeats of whole seconds leaves no gap that later responses do not reach back to.
      (
        "A1000,2000,3000 + s2100,3200,4100 A3000,4000,5000 s5100,9100,9500 + s12000 A9000,12000",
        "A1000 A2000 A3000, s4100, A5000, s9100 s9500, s12000, "
      ),
      ("a900,1000 + s1000,1100", "a900 a1000, s1000 s1100"),
      // Messages without IDs repeat nothing that a response has told, either.
      ("a900,1100 + n1300 a1100,1300,1500 n1500,1700", "a900 a1100, n1300, a1500, n1700"),
      // Responses without IDs, to messages with and without.
      ("h900,1000 + s1000,1200 h1000,1200,1500 s1500,1700", "h900 h1000, s1200, h1500, s1700"),
      (
        "h900 + s1200,1200b h900,1200,1200b,1200c,1500 s1200c,1500,1700",
        "h900, s1200 s1200b, h1200c h1500, s1700"
      ),
      (
        "h900,1200 + n1200,1200b,1500 h1200,1200b,1500,1700 n1700,1700b",
        "h900 h1200, n1200b n1500, h1700, n1700b"
      ),
      // They tell whole seconds, which a message may happen to tell as well.
      (
        "H1400,2600 + s2600,3100,3700 H2600,3100,3700,4200 s4200,4800",
        "H1400 H2600, s3100 s3700, H4200, s4800"
      ),
      (
        "H1400,2600 + n2600,3100,3700 H2600,3100,3700,4200 n4200,4800",
        "H1400 H2600, n3100 n3700, H4200, n4800"
      ),
      ("H1400 + n2000,2400 H1400,2000,2400", "H1400, n2000 n2400, "),
    ])
  func equalTradesAreToldOnce(_ steps: String, _ told: String) throws {
    var seen = SeenTrades()
    var lines: [String] = []
    for step in steps.split(separator: " ") {
      guard let kind = step.first, kind != "+" else {
        seen.beginConnection()
        continue
      }
      var names: [Instant: String] = [:]
      let trades = try step.dropFirst().split(separator: ",").map { name in
        let exact = try #require(Int64(name.prefix { $0.isNumber }))
        let milliseconds = kind.isUppercase ? exact / 1000 * 1000 : exact
        let time = Self.start.advanced(by: .microseconds(milliseconds * 1000 + (kind == "u" ? 400 : 0)))
        let id = "\(kind)\(name)"
        names[time] = id
        return Trade(time: time, price: Decimal(1), size: .value(1), side: nil, id: "nhH".contains(kind) ? nil : id)
      }
      let new = seen.new(trades, isStreamed: "sSun".contains(kind))
      let told = new.trades.map { $0.id ?? names[$0.time] ?? "?" }
      lines.append(((new.hasGap ? ["!"] : []) + told).joined(separator: " "))
    }
    #expect(lines.joined(separator: ", ") == told)
  }

  /// Trades without an ID on opposite sides are two, whichever source tells them.
  @Test func equalTradesOfBothSides() {
    var seen = SeenTrades()
    let (buy, sell) = (Self.trade(.buy), Self.trade(.sell))
    #expect(seen.new([buy], isStreamed: false).trades == [buy])
    seen.beginConnection()
    #expect(seen.new([sell, buy], isStreamed: true).trades == [sell])
  }

  /// Trades with the same number and price are one, whatever digits of the time a response has.
  @Test func tradesWithSameNumberAreOne() {
    var seen = SeenTrades()
    #expect(seen.new([Self.trade(1, id: "7", at: 0)], isStreamed: true).trades.count == 1)
    #expect(seen.new([Self.trade(1, id: "7", at: 1)], isStreamed: false).trades.isEmpty)
    // An order that took several offers: one number, several prices.
    #expect(seen.new([Self.trade(2, id: "7"), Self.trade(2, id: "8")], isStreamed: true).trades.count == 2)
  }

  /// Some exchanges number orders: trades with one number, price and size at different times are several.
  @Test func tradesOfOneOrderAreSeveral() {
    var seen = SeenTrades()
    let trades = [Self.trade(1, id: "7", at: 0), Self.trade(1, id: "7", at: 2_000), Self.trade(1, id: "7", at: 5_000)]
    #expect(seen.new(trades, isStreamed: false).trades == trades)
    #expect(seen.new(trades, isStreamed: false).trades == [])
    let later = Self.trade(1, id: "7", at: 9_000)
    #expect(seen.new(trades + [later], isStreamed: false).trades == [later])
    // Those of messages may have the times of their arrival.
    #expect(seen.new([Self.trade(1, id: "7", at: 20_000)], isStreamed: true).trades == [])
  }

  /// Fills of one match share a number, and perhaps price and size: as many count as one message or answer has of them.
  @Test(arguments: [(true, true), (true, false), (false, true), (false, false)])
  func fillsOfOneMatchAreSeveral(_ isStreamed: Bool, _ isStreamedAgain: Bool) {
    var seen = SeenTrades()
    let fills = [Self.trade(1, id: "7", at: 0), Self.trade(1, id: "7", at: 1), Self.trade(2, id: "7", at: 1)]
    #expect(seen.new(fills, isStreamed: isStreamed).trades == fills)
    seen.beginConnection()
    #expect(seen.new(fills, isStreamed: isStreamedAgain).trades == [])
    let more = Self.trade(1, id: "7", at: 2)
    #expect(seen.new(fills + [more], isStreamed: isStreamedAgain).trades == [more])
  }

  /// A longer answer than the first one brings nothing from before it.
  @Test func nothingFromBeforeTheFirstAnswer() {
    var seen = SeenTrades()
    func numbers(_ range: ClosedRange<Int64>) -> [String] {
      let trades = range.map { Self.trade(1, id: "\($0)", at: 1000 * $0) }
      return seen.new(trades, isStreamed: false).trades.compactMap(\.id)
    }
    #expect(numbers(8...9) == ["8", "9"])
    #expect(numbers(1...11) == ["10", "11"])
    #expect(numbers(5...12) == ["12"])
  }

  /// Only the latest trades are remembered; earlier ones count as reported.
  @Test func oldTradesAreNotReportedAgain() {
    var seen = SeenTrades()
    for number in 0..<5000 {
      let trade = Self.trade(1, id: "\(number)", at: Int64(number))
      #expect(seen.new([trade], isStreamed: true).trades.count == 1)
    }
    let again = seen.new((0..<5000).map { Self.trade(1, id: "\($0)", at: Int64($0)) }, isStreamed: false)
    #expect(again.trades.count == 0)
    #expect(seen.new([Self.trade(1, id: "5000", at: 4999)], isStreamed: false).trades.count == 1)
    // The exchange's clock is set back: a message with an unknown number is new.
    #expect(seen.new([Self.trade(1, id: "5001", at: 100)], isStreamed: true).trades.count == 1)
  }

  /// A trade with a future time hides no later ones, and thousands of trades in one second are all reported.
  @Test(arguments: [(3_600_000, 1), (0, 0)] as [(Int64, Int64)])
  func tradesAreNotLostByTheirTime(_ ahead: Int64, _ step: Int64) {
    var seen = SeenTrades()
    #expect(seen.new([Self.trade(1, id: "first", at: ahead)], isStreamed: true).trades.count == 1)
    let told = (0..<5000).reduce(0) { count, number in
      count + seen.new([Self.trade(1, id: "\(number)", at: Int64(number) * step)], isStreamed: true).trades.count
    }
    #expect(told == 5000)
  }
}
