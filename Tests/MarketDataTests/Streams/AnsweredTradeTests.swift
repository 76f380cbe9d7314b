import Config
import Quotes
import Testing

@testable import Mapping
@testable import MarketData

/// What an answer knows of the last trade of a row that messages have updated.
@Suite struct AnsweredTradeTests {
  static func row(_ price: Decimal, _ seconds: Int64?, _ basis: TimeBasis) -> Ticker {
    Ticker(
      exchange: "Exchange", market: .spot, symbol: "BTC-USDT", pair: Pair(asset: "BTC", payment: "USDT"),
      price: .value(price), volume24: .value(Decimal(1)),
      time: seconds.map { StreamScript.start.advanced(by: .seconds($0)) }, timeBasis: basis)
  }

  /// An answer that has a volume which the messages lack.
  @Test(
    arguments: [
      // A trade of the same price that no message had, and the first one that is known.
      (row(2, 10, .trade), row(2, 20, .trade), row(2, 20, .trade)),
      (row(2, 30, .quote), row(2, 20, .trade), row(2, 20, .trade)),
      (row(2, nil, .quote), row(2, 20, .trade), row(2, 20, .trade)),
      // An earlier one, one of another price, and what is none.
      (row(2, 30, .trade), row(2, 20, .trade), row(2, 30, .trade)),
      (row(2, 10, .trade), row(3, 20, .trade), row(2, 10, .trade)),
      (row(2, 10, .trade), row(2, 20, .quote), row(2, 10, .trade)),
      (row(2, 10, .trade), row(2, nil, .trade), row(2, 10, .trade)),
    ])
  func takesLaterTrades(_ own: Ticker, _ answer: Ticker, _ expected: Ticker) throws {
    let new = try #require(own.taking(TickerFields(.volume24), and: [], from: answer))
    #expect([new.time, new.priceArrival] == [expected.time, own.priceArrival])
    #expect(new.timeBasis == expected.timeBasis)
    #expect(new.timeMissing == expected.timeMissing)
    #expect(new.price == own.price)
  }

  private static let trade = #""time": {"path": "$.t", "unit": "ms", "basis": "trade"}"#
  private static let quote = #""time": {"path": "$.t", "unit": "ms"}"#
  private static let volume = #""volume24": "$.v""#

  /// Answers are needed once a minute for the trades that no message can tell.
  @Test(
    arguments: [
      (trade, quote, [.time]), (trade, "\(quote), \(volume)", []), ("\(trade), \(volume)", quote, []),
      ("\(trade), \(volume)", #"\#(quote), "volume24": null"#, [.volume24, .time]),
      (trade, trade, []), (quote, quote, []),
    ] as [(String, String, [TickerField])])
  func streamsWithoutVolumesLackTrades(_ table: String, _ own: String, _ unsaid: [TickerField]) throws {
    let subject = try StreamScript.subject(
      .ticker, streams: #""symbol": "$.s""#, own: #""fields": {\#(own)}"#, table: "BTC-USDT 2",
      fields: #""price": "$.p", \#(table)"#)
    #expect(subject.unsaid.rawValue == TickerFields(unsaid).rawValue)
  }

  private static func old(_ what: Flag.Dated, after seconds: Int64) -> Flag? {
    let (time, arrival) = (StreamScript.start, StreamScript.start.advanced(by: .seconds(seconds)))
    return what == .quote
      ? MeaningCheck().quoteFinding(time: time, arrival: arrival)
      : MeaningCheck.tradeFinding(time: time, arrival: arrival)
  }

  private static let future = Flag(.stale, .futureTime(nanoseconds: 100), advice: .timeUnit)

  /// The age of a trade that a row takes is judged by when the row arrived, and what else is wrong with its time stays.
  ///
  /// - Parameters:
  ///   - seconds: When the row arrived, which had a trade at 10 seconds; the answer has one at 1,000.
  ///   - own: The flags of the row.
  ///   - answered: Those of the answer.
  @Test(
    arguments: [
      (4000, [old(.lastTrade, after: 3990)], [], []),
      (4000, [], [old(.lastTrade, after: 4000)], []),
      (4700, [old(.lastTrade, after: 4690)], [], [old(.lastTrade, after: 3700)]),
      (4700, [], [], [old(.lastTrade, after: 3700)]),
      (4000, [old(.quote, after: 90), old(.lastTrade, after: 3990)], [], [old(.quote, after: 90)]),
      (4700, [old(.quote, after: 90)], [], [old(.quote, after: 90)]),
      (4000, [future], [], [future]),
    ] as [(Int64, [Flag?], [Flag?], [Flag?])])
  func judgesTradesAnew(at seconds: Int64, own: [Flag?], answered: [Flag?], expected: [Flag?]) {
    var (row, answer) = (Self.row(2, 10, .trade), Self.row(2, 1000, .trade))
    row.arrival = StreamScript.start.advanced(by: .seconds(seconds))
    (row.flags, answer.flags) = (own.compactMap(\.self), answered.compactMap(\.self))
    row.takeTrade(of: answer)
    #expect(row.flags == expected.compactMap(\.self))
    #expect(expected.allSatisfy { $0 != nil })
  }

  /// A price that an answer has again is as recent as the later of both, and a trade since the message is not in the
  /// future. One that is in the future is not taken.
  ///
  /// - Parameters:
  ///   - seconds: When the row arrived, which had a trade at 10 seconds.
  ///   - trade: When the answer's trade was.
  ///   - answered: When the answer arrived.
  ///   - price: When the price did.
  @Test(
    arguments: [
      (12, trade: 20, answered: 25, price: 25), (30, trade: 20, answered: 25, price: 30),
      (12, trade: 10, answered: 25, price: 12), (12, trade: 30, answered: 25, price: 25),
      (12, trade: 40, answered: 25, price: 12), (50, trade: 40, answered: 25, price: 50),
    ] as [(Int64, trade: Int64, answered: Int64, price: Int64)])
  func pricesArriveAgain(at seconds: Int64, trade: Int64, answered: Int64, price: Int64) {
    func moment(_ seconds: Int64) -> Instant { StreamScript.start.advanced(by: .seconds(seconds)) }
    var (row, answer) = (Self.row(2, 10, .trade), Self.row(2, trade, .trade))
    (row.arrival, answer.arrival) = (moment(seconds), moment(answered))
    row.takeTrade(of: answer)
    #expect(row.flags == [])
    let isTaken = (11...answered + 5).contains(trade)
    #expect([row.time, row.arrival] == [moment(isTaken ? trade : 10), moment(seconds)])
    #expect(row.priceArrival == moment(price))
  }

  /// A quiet stream repeats itself, but an answer knew of a later trade at its price.
  @Test func laterTradesOutlastRepeatedMessages() throws {
    let fields = #""price": "$.p", "volume24": "$.v", \#(Self.trade)"#
    let subject = try StreamScript.subject(
      .ticker, streams: #""symbol": "$.s""#, own: #""fields": {\#(fields)}"#, table: "BTC-USDT 2", fields: fields)
    func row(tradedAt seconds: Int64, at arrival: Int64) -> Ticker {
      var row = Self.row(2, seconds, .trade)
      row.arrival = StreamScript.start.advanced(by: .seconds(arrival))
      return row
    }
    var state = PairState(row: row(tradedAt: 5, at: 6), subject)
    var trades: [Int64] = []
    func note(_ events: [StreamEvent.Content]) {
      for case .ticker(let row) in events {
        trades.append((row.time?.nanoseconds(since: StreamScript.start) ?? 0) / 1_000_000_000)
      }
    }
    func message(at seconds: Int64) -> StreamUpdate {
      StreamUpdate(
        pair: 0, value: .ticker(row(tradedAt: 10, at: seconds)),
        fields: [TickerFields(.price), TickerFields(.volume24), TickerFields(.time)])
    }
    func take(_ seconds: Int64) {
      note(state.take(message(at: seconds), arrival: StreamScript.start.advanced(by: .seconds(seconds))))
    }
    take(11)
    let answer = row(tradedAt: 20, at: 80)
    note(state.polled(.success(.ticker(answer)), at: StreamScript.start.advanced(by: .seconds(80))))
    take(85)
    #expect(trades == [10, 20, 20])
  }

  /// The rows of a live view are updated by tables and messages side by side: the later trade at a price counts, unless
  /// it was in the future.
  @Test func laterTradesStayOnTheBoard() {
    func row(_ price: Decimal, _ seconds: Int64, at arrival: Int64) -> TickerRow {
      var ticker = Self.row(price, seconds, .trade)
      ticker.arrival = StreamScript.start.advanced(by: .seconds(arrival))
      return TickerRow(ticker: ticker, rank: ProductRank(), traces: [])
    }
    var rows = FeedRows()
    var seconds: [Int64] = []
    func note() {
      seconds += rows.rows.compactMap { $0.ticker.time?.nanoseconds(since: StreamScript.start) }
      #expect(rows.rows.allSatisfy { $0.ticker.flags.isEmpty })
    }
    rows.take([row(2, 10, at: 11)], pairs: nil)
    note()
    let pair = Pair(asset: "BTC", payment: "USDT")
    rows.replace(
      with: [row(2, 20, at: 25)], pairs: nil, isPartial: false, streamed: [pair],
      asked: StreamScript.start.advanced(by: .seconds(21)))
    note()
    rows.take([row(2, 10, at: 30)], pairs: nil)
    note()
    rows.take([row(3, 18, at: 41)], pairs: nil)
    note()
    rows.take([row(3, 7200, at: 50)], pairs: nil)
    note()
    rows.take([row(3, 60, at: 61)], pairs: nil)
    note()
    rows.replace(
      with: [row(3, 7200, at: 75)], pairs: nil, isPartial: false, streamed: [pair],
      asked: StreamScript.start.advanced(by: .seconds(71)))
    note()
    #expect(seconds.map { $0 / 1_000_000_000 } == [10, 20, 20, 18, 7200, 60, 60])
  }
}
