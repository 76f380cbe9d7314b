import TestSupport
import Testing

@testable import Shell

/// Order books, trades and candles whose form or numbers leave a doubt: it is settled by the sample, or reported.
@Suite struct AddExchangeBlockDoubtTests {
  private let adding: AddingWorld

  init() throws { adding = try AddingWorld() }

  /// A table whose volume shows what sizes count.
  private static let traded = #"[{"s":"BTC-USDT","p":"104.5","v":"5000"}]"#

  private static let hours: [(open: Int, high: Int, low: Int, close: Int)] = [
    (100, 103, 99, 102), (102, 103, 100, 101), (101, 105, 100, 104), (104, 105, 102, 103), (103, 107, 102, 106),
    (106, 107, 103, 104), (104, 108, 103, 107), (107, 108, 104, 105),
  ]

  /// Returns eight hours, the last beginning at 21:00, from the row for a time in seconds and prices.
  private static func candles(_ row: (_ start: Int, _ prices: [Int]) -> String) -> String {
    let rows = hours.enumerated().map { index, hour in
      row(1_699_970_400 + index * 3600, [hour.open, hour.high, hour.low, hour.close])
    }
    return "[\(rows.joined(separator: ","))]"
  }

  private static func list(_ values: (Int) -> Int) -> String { "\(hours.indices.map(values))" }
  private static let starts = list { 1_699_970_400 + $0 * 3600 }
  private static let prices = [
    list { hours[$0].open }, list { hours[$0].high }, list { hours[$0].low }, list { hours[$0].close },
  ]

  private func run(
    _ kind: String, _ answer: String, _ words: [String] = [], path: String = "1h/BTC_USDT"
  ) async throws -> AddingWorld.Outcome {
    _ = try adding.save(AddingWorld.newex, as: "exchanges.json")
    return try await adding.addBlock(kind, at: path, answer, words)
  }

  // MARK: Columns in lists of their own

  static let nested = [
    (
      candles { #"{"t":\#($0),"ohlc":{"o":\#($1[0]),"h":\#($1[1]),"l":\#($1[2]),"c":\#($1[3])}}"# },
      #""rows": "$[*]", "fields": { "time": { "path": "$.t", "unit": "s" }, "open": "$.ohlc.o", "high": "$.ohlc.h", "low": "$.ohlc.l", "close": "$.ohlc.c" }"#
    ),
    (
      candles { #"{"t":\#($0),"d":{"prices":\#($1)}}"# },
      #""rows": "$[*]", "fields": { "time": { "path": "$.t", "unit": "s" }, "open": "$.d.prices[0]", "high": "$.d.prices[1]", "low": "$.d.prices[2]", "close": "$.d.prices[3]" }"#
    ),
    (
      candles { "[\($0),\($1)]" },
      #""rows": "$[*]", "fields": { "time": { "path": "$[0]", "unit": "s" }, "open": "$[1][0]", "high": "$[1][1]", "low": "$[1][2]", "close": "$[1][3]" }"#
    ),
    (
      #"{"result":{"t":\#(starts),"quote":{"o":\#(prices[0]),"h":\#(prices[1]),"l":\#(prices[2]),"c":\#(prices[3])}}}"#,
      #""rows": { "zip": ["$.result.t", "$.result.quote.o", "$.result.quote.h", "$.result.quote.l", "$.result.quote.c"] }, "fields": { "time": { "path": "$[0]", "unit": "s" }, "open": "$[1]", "high": "$[2]", "low": "$[3]", "close": "$[4]" }"#
    ),
    (
      #"{"result":[\#(starts),\#(prices.joined(separator: ","))]}"#,
      #""rows": { "zip": ["$.result[0]", "$.result[1]", "$.result[2]", "$.result[3]", "$.result[4]"] }, "fields": { "time": { "path": "$[0]", "unit": "s" }, "open": "$[1]", "high": "$[2]", "low": "$[3]", "close": "$[4]" }"#
    ),
  ]

  @Test(arguments: nested) func columnsWithinListsAreFound(_ answer: String, _ block: String) async throws {
    let outcome = try await run("candles", answer)
    #expect(outcome.code == .answer, "\(outcome.everything)")
    let text = try adding.written()
    #expect(text.contains(block), "\(text)")
    #expect(outcome.output.contains("8 candles are read"), "\(outcome.output)")
  }

  /// A best bid and ask beside the close leave it open which two are high and low, and no guess is made.
  @Test(arguments: [(1, "give an answer with more rows, or "), (3, "")])
  func offersBesideCandlesLeaveTheirRangeOpen(_ count: Int, _ advice: String) async throws {
    let rows = (0..<count * 8).map { index in
      let (hour, cyclesToCome) = (Self.hours[index % 8], count - 1 - index / 8)
      // Each cycle opens where the one before closes.
      let prices = [hour.high, hour.low, hour.open, hour.close].map { $0 - 5 * cyclesToCome }
      let start = 1_699_970_400 - (count - 1) * 28_800 + index * 3600
      return "[\(start),\(prices.map { "\($0)" }.joined(separator: ",")),\(prices[3]).01,\(prices[3] - 1).99]"
    }
    let refused = try await run("candles", "[\(rows.joined(separator: ","))]")
    #expect(refused.code == .noAnswer)
    #expect(
      refused.errorOutput.contains(
        "the numbers do not prove high, low; \(advice)say where high is with --set candles.fields.high=…"),
      "\(refused.errorOutput)")
    let given = ["high=$[1]", "low=$[2]"].flatMap { ["--set", "candles.fields.\($0)"] }
    let outcome = try await run("candles", "[\(rows.joined(separator: ","))]", given)
    #expect(outcome.code == .answer, "\(outcome.everything)")
    #expect(outcome.output.contains("2023-11-14T21:00:00Z   107   108  104    105"), "\(outcome.output)")
  }

  // MARK: Starts and ends of candles

  private static func timed(_ name: String, hoursLater: Int) -> String {
    candles {
      #"{"\#(name)":\#($0 + hoursLater * 3600),"o":\#($1[0]),"h":\#($1[1]),"l":\#($1[2]),"c":\#($1[3])}"#
    }
  }

  private static let doubt =
    "nothing shows whether the time of a candle is its start or its end; it is taken for the start; for the end add "
    + #"--set 'candles.fields.time={ "path": "$.t", "unit": "s", "basis": "end" }'"#

  /// The answers arrive at 22:13:21, and the last candle starts at 21:00 plus the hours given.
  @Test(arguments: [
    ("t", 1, #"{ "path": "$.t", "unit": "s" }"#, true),
    ("t", 2, #"{ "path": "$.t", "unit": "s", "basis": "end" }"#, false),
    ("openTime", 1, #"{ "path": "$.openTime", "unit": "s" }"#, false),
    ("closeTime", 2, #"{ "path": "$.closeTime", "unit": "s", "basis": "end" }"#, false),
  ])
  func endTimesAreKnownByTheArrival(_ name: String, _ hours: Int, _ time: String, _ isOpen: Bool) async throws {
    let outcome = try await run("candles", Self.timed(name, hoursLater: hours))
    #expect(outcome.code == .answer, "\(outcome.everything)")
    let text = try adding.written()
    #expect(text.contains("\"time\": \(time)"), "\(text)")
    #expect(outcome.errorOutput.contains(Self.doubt) == isOpen, "\(outcome.errorOutput)")
    if !isOpen, hours == 2 {
      #expect(
        outcome.output.contains("the end: no candle begins at 2023-11-14T23:00:00Z, after the answer arrived"),
        "\(outcome.output)")
      #expect(outcome.output.contains("2023-11-14T22:00:00Z   107   108  104    105"), "\(outcome.output)")
    }
  }

  /// A name alone proves nothing, and neither does a time that no running candle has.
  @Test(arguments: [
    ("closeTime", 1, #"{ "path": "$.closeTime", "unit": "s", "basis": "end" }"#),
    ("openTime", 2, #"{ "path": "$.openTime", "unit": "s", "basis": "end" }"#),
    ("t", 5, #"{ "path": "$.t", "unit": "s", "basis": "end" }"#),
  ])
  func doubtfulEndTimesAreRefused(_ name: String, _ hours: Int, _ guess: String) async throws {
    let answer = Self.timed(name, hoursLater: hours)
    let refused = try await run("candles", answer)
    #expect(
      refused.errorOutput.contains(
        "the numbers do not prove time; give an answer with more rows, or if it is right --set "
          + "'candles.fields.time=\(guess)'"),
      "\(refused.errorOutput)")
    guard hours == 1 else { return }
    let outcome = try await run("candles", answer, ["--set", "candles.fields.time=\(guess)"])
    #expect(outcome.code == .answer, "\(outcome.everything)")
    #expect(outcome.output.contains("2023-11-14T21:00:00Z   107   108  104    105"), "\(outcome.output)")
  }

  /// A trade that seems to be later than its answer, or whole hours older, has a local time, and the zone that is
  /// proposed is not refused.
  @Test(arguments: [(1, "+01:00"), (9, "+09:00"), (0, "+00:00"), (-3, "-03:00")])
  func localTimesOfTradesAreKnownByTheArrival(_ hours: Int, _ zone: String) async throws {
    let rows = (0..<8).map { index in
      let hour = 22 + hours
      let time = "2023-11-\(hour < 24 ? 14 : 15) \(hour % 24 < 10 ? "0" : "")\(hour % 24):12:\(59 - index * 3)"
      return #"{"id":\#(90 - index),"time":"\#(time)","price":\#(100.5 + Double(index % 3)),"qty":\#(index % 5).25}"#
    }
    let outcome = try await run("trades", "[\(rows.joined(separator: ","))]")
    #expect(outcome.code != .answer)
    let ahead = "no trade is after the answer arrived: local time, of \(zone) or further ahead"
    #expect(outcome.output.contains(ahead) == (hours > 0), "\(outcome.output)")
    let behind = "the newest trade is \(-hours) hours old to the minute: local time, perhaps of \(zone)"
    #expect(outcome.output.contains(behind) == (hours < 0), "\(outcome.output)")
    let time = #"trades.fields.time={ "path": "$.time", "unit": "iso8601", "zone": "\#(zone)" }"#
    #expect(outcome.errorOutput.contains("or if it is right --set '\(time)'"), "\(outcome.errorOutput)")
    let given = try await run("trades", "[\(rows.joined(separator: ","))]", ["--set", time])
    #expect(given.code == .answer && given.output.contains("2023-11-14T22:12:59Z"), "\(given.everything)")
  }

  /// Levels in money are sizes if divided by the price.
  @Test func levelsInMoneyAreDivided() async throws {
    func side(_ sign: Int) -> String {
      let levels = (1...6).map { index in
        let cents = 10_050 + sign * index * 7
        let worth = cents * (1 + index * 29 % 50)
        return #"["\#(cents / 100).\#(cents % 100 < 10 ? "0" : "")\#(cents % 100)","\#(worth)"]"#
      }
      return "[\(levels.joined(separator: ","))]"
    }
    let book = #"{"bids":\#(side(-1)),"asks":\#(side(1))}"#
    let refused = try await run("orderbook", book)
    let size = #"orderbook.size={ "quotient": ["$[1]", "$[0]"] }"#
    #expect(
      refused.errorOutput.contains(
        "the sizes of the levels are amounts of money; divide them by the price with --set '\(size)'"),
      "\(refused.everything)")
    let given = try await run("orderbook", book, ["--set", size])
    #expect(given.code == .answer && given.output.contains("100.43  3000"), "\(given.everything)")
  }

  /// Times without a zone that lie further ahead than a running candle may end are local: how far, the arrival tells.
  @Test func localTimesAreKnownByTheArrival() async throws {
    let answer = Self.candles { start, prices in
      let hour = (start - 1_699_970_400) / 3600 + 23
      let day = hour < 24 ? 14 : 15
      let time = "2023-11-\(day)T\(hour % 24 < 10 ? "0" : "")\(hour % 24):00:00"
      return #"{"t":"\#(time)","o":\#(prices[0]),"h":\#(prices[1]),"l":\#(prices[2]),"c":\#(prices[3])}"#
    }
    let outcome = try await run("candles", answer)
    #expect(outcome.code != .answer)
    #expect(
      outcome.output.contains("no candle is after the answer arrived: local time, of +08:00 or further ahead"),
      "\(outcome.output)")
    let guess = #"candles.fields.time={ "path": "$.t", "unit": "iso8601", "zone": "+08:00" }"#
    #expect(outcome.errorOutput.contains(guess), "\(outcome.errorOutput)")
    let agreed = try await run("candles", answer, ["--set", guess])
    #expect(agreed.code == .answer, "\(agreed.everything)")
  }

  /// What shows success in the exchange's other answers may be missing from this one.
  @Test func blockWithoutSignOfSuccess() async throws {
    let config = AddingWorld.newex.replacing(
      #""rows": "$[*]","#, with: #""success": { "where": [{ "path": "$.code", "equals": "0" }] }, "rows": "$.data[*]","#
    )
    _ = try adding.save(config, as: "exchanges.json")
    let outcome = try await adding.addBlock("candles", at: "1h/BTC_USDT", Self.timed("openTime", hoursLater: 1))
    #expect(outcome.code == .answer, "\(outcome.everything)")
    #expect(
      outcome.errorOutput.contains(
        "the answer lacks the member that shows success in the exchange's other answers, so success is not checked"))
    #expect(try adding.written().contains(#""success": null"#))
  }

  /// A saved answer has the arrival of the recording it belongs to.
  @Test(arguments: ["2023-11-14T21:20:00Z", "2023-11-14T23:20:00Z"])
  func recordedArrivalDecides(_ arrival: String) async throws {
    _ = try adding.save(AddingWorld.newex, as: "exchanges.json")
    let file = try adding.save(Self.timed("t", hoursLater: 1), as: "01-candles.body")
    _ = try adding.save(#"{"url":"https://api.newex.example/1h","arrival":"\#(arrival)"}"#, as: "01-candles.json")
    let outcome = try await adding.run([
      "add-exchange", "Newex", "--symbol", "BTC/USDT", "--from-sample", "candles=\(file)", "--dry-run", "--url",
      "https://api.newex.example/1h/BTC_USDT",
    ])
    #expect(outcome.code == .answer, "\(outcome.everything)")
    #expect(outcome.output.contains(#""basis": "end""#) == arrival.contains("T21"), "\(outcome.output)")
  }

  // MARK: Trades without side and id

  /// Returns six trades at uneven times.
  private static func trades(
    scale: Int = 1, members: (Int) -> String = { #","qty":"\#($0 * 37 % 11 + 1).5""# }
  ) -> String {
    let rows = (0..<6).map { index in
      let time = 1_699_999_990_000 - index * 1371 - index * index * 7
      return #"{"price":"\#(scale * (104 + index % 2))","time":\#(time)\#(members(index))}"#
    }
    return "[\(rows.joined(separator: ","))]"
  }

  /// Only a ticker of the pair shows what their sizes count.
  @Test(arguments: [true, false]) func tradesAreReadWithTheFieldsThatExist(_ hasTicker: Bool) async throws {
    let file = try adding.save(Self.traded, as: "tickers.json")
    let outcome = try await run(
      "trades", Self.trades(), hasTicker ? ["--from-sample", "tickers=\(file)"] : [], path: "fills/BTC_USDT")
    #expect(outcome.code == .answer, "\(outcome.everything)")
    let text = try adding.written()
    let size = hasTicker ? #""size": "$.qty", "# : ""
    #expect(
      text.contains(
        #""fields": { "price": "$.price", \#(size)"time": { "path": "$.time", "unit": "ms" } }"#), "\(text)")
    let isLeftOut = outcome.errorOutput.contains(
      "size is left out: $.qty: unsure (70%); give it with --set trades.fields.size=…\n")
    #expect(isLeftOut != hasTicker, "\(outcome.errorOutput)")
    for name in ["side", "id"] {
      #expect(
        outcome.errorOutput.contains("\(name) is left out: the answer has no further column\n"),
        "\(outcome.errorOutput)")
    }
  }

  /// The weights of an index.
  private static let weights = #"""
    [{"price":"91500.5","weight":"0.010","timestamp":1699999000}, {"price":"91501.5","weight":"0.011",
      "timestamp":1699999007}, {"price":"91504.5","weight":"0.012","timestamp":1699999028}, {"price":"91509.5",
      "weight":"0.013","timestamp":1699999063}]
    """#

  @Test(arguments: [
    (weights, "no column of $[*] is the side of a trade or its id, and too little else is certain"),
    (trades { _ in "" }, "no column of $[*] is the side of a trade or its id, and too little else is certain"),
    (
      "["
        + (0..<6).map { #"{"price":"\#(104 + $0 % 2)","time":\#(1_699_999_000 + $0 * 60),"qty":"\#($0 + 1).5"}"# }
        .joined(separator: ",") + "]",
      "the times at $.time are evenly spaced, as of a chart; no trade has a side or an id"
    ),
  ])
  func tooLittleForTradesIsRefused(_ answer: String, _ reason: String) async throws {
    let outcome = try await run("trades", answer, path: "fills/BTC_USDT")
    #expect(outcome.code == .noAnswer)
    #expect(outcome.errorOutput.contains("the sample has no trades: \(reason)"), "\(outcome.errorOutput)")
  }

  @Test func tradesOfOneSecondAreNoChart() async throws {
    let rows = (0..<4).map { #"{"price":"\#(104 + $0 % 2)","time":1699999000,"qty":"\#($0 * 37 % 11 + 1).5"}"# }
    let outcome = try await run("trades", "[\(rows.joined(separator: ","))]", path: "fills/BTC_USDT")
    #expect(!outcome.errorOutput.contains("evenly spaced"), "\(outcome.everything)")
  }

  // MARK: Dates in the address

  /// A date inside of a word, such as a version, is no time.
  @Test func versionsAreKept() async throws {
    let outcome = try await run(
      "candles", Self.timed("t", hoursLater: 0), path: "v20231114/1h?s=BTC_USDT&client=web-2023.11.14")
    #expect(outcome.code == .answer, "\(outcome.everything)")
    #expect(
      outcome.errorOutput.contains("'client' of the address keeps 'web-2023.11.14', which has a date in it\n"),
      "\(outcome.errorOutput)")
    let text = try adding.written()
    #expect(text.contains(#""path": "/v20231114/{interval}""#), "\(text)")
  }

  @Test(arguments: ["2023-11-14T22", "20231114T220000Z", "14.11.2023", "2023-11-01,2023-11-14"])
  func datesOfOtherFormsAreRefused(_ date: String) async throws {
    let outcome = try await run("candles", Self.timed("t", hoursLater: 1), path: "1h?s=BTC_USDT&before=\(date)")
    #expect(outcome.code == .usage)
    #expect(
      outcome.errorOutput.contains(
        "'before' of the address is a time that no template represents; give the address without it, and a template such "
          + "as --set 'candles.request.query.before={to:yyyy-MM-dd}'"), "\(outcome.errorOutput)")
    let template = "{to:yyyyMMdd'T'HHmmss'Z'}"
    let without = try await run(
      "candles", Self.timed("t", hoursLater: 1), ["--set", "candles.request.query.before=\(template)"],
      path: "1h?s=BTC_USDT")
    #expect(without.code == .answer, "\(without.everything)")
    let text = try adding.written()
    #expect(text.contains(#""before": "\#(template)""#), "\(text)")
  }

  /// In a query, a `+` stands for a space.
  @Test func zoneAfterPlusIsRead() async throws {
    let outcome = try await run(
      "candles", Self.timed("t", hoursLater: 1), path: "1h?s=BTC_USDT&before=2023-11-14T23:00:00+00:00")
    #expect(outcome.code == .answer, "\(outcome.everything)")
    let text = try adding.written()
    #expect(text.contains(#""before": "{to:yyyy-MM-dd'T'HH:mm:ss'+00:00'@+00:00}""#), "\(text)")
  }

  // MARK: Prices of another unit

  private static let tickers = #"[{"s":"BTC-USDT","p":"104.5"},{"s":"ETH-USDT","p":"3"}]"#

  @Test(arguments: [
    (
      "candles", candles { "[\($0),\($1.map { "\($0 * 100)" }.joined(separator: ","))]" },
      "the newest candle closes at 10500, but the price is 104.5"
    ),
    (
      "trades", trades(scale: 100).replacing("\"qty\"", with: "\"side\":\"buy\",\"qty\""),
      "the newest trade is at 10400, but the price is 104.5"
    ),
    (
      "orderbook",
      #"{"b":[[10400,2,20800],[10300,7,72100],[10100,1,10100]],"a":[[10500,3,31500],[10600,1,10600],[10900,3,32700]]}"#,
      "the middle of the book is 10450, but the price is 104.5"
    ),
  ])
  func blocksAreComparedWithGivenTickers(_ kind: String, _ answer: String, _ reason: String) async throws {
    let file = try adding.save(Self.tickers, as: "tickers.json")
    let outcome = try await run(kind, answer, ["--from-sample", "tickers=\(file)"])
    #expect(outcome.code == .noAnswer)
    #expect(
      outcome.errorOutput.contains("prices are compared with the ticker of BTC/USDT in \(file): 104.5\n"),
      "\(outcome.errorOutput)")
    #expect(outcome.errorOutput.contains(reason), "\(outcome.errorOutput)")
    #expect(try adding.text(of: "exchanges.json") == AddingWorld.newex)
  }

  /// The answer arrives at 22:13:21.
  @Test(arguments: [
    ("1699999990000", nil), ("1700010000000", "a book of 2023-11-15T01:00:00Z arrived at 2023-11-14T22:13:21Z"),
  ])
  func bookOfTheFutureIsRefused(_ time: String, _ reason: String?) async throws {
    let file = try adding.save(Self.traded, as: "tickers.json")
    let outcome = try await run(
      "orderbook",
      #"{"ts":\#(time),"bids":[["104","2"],["103","7"],["101","1"]],"asks":[["105","3"],["106","1"],["109","3"]]}"#,
      ["--from-sample", "tickers=\(file)"])
    #expect((outcome.code == .answer) == (reason == nil), "\(outcome.everything)")
    if let reason { #expect(outcome.errorOutput.contains(reason), "\(outcome.everything)") }
  }

  /// Levels whose size only its name shows may count money, too.
  @Test func levelsNeedATickerOfThePair() async throws {
    let book = #"{"bids":[["104","2"],["103","7"],["101","1"]],"asks":[["105","3"],["106","1"],["109","3"]]}"#
    let refused = try await run("orderbook", book)
    #expect(
      refused.errorOutput.contains(
        "the numbers do not prove size; give an answer with more rows, or if it is right --set 'orderbook.size="),
      "\(refused.everything)")
    let reason = "nothing shows whether it counts the asset or money: there is no ticker of the pair"
    #expect(refused.output.contains(reason), "\(refused.output)")
    let given = try await run("orderbook", book, ["--set", "orderbook.size=$[1]"])
    #expect(given.code == .answer, "\(given.everything)")
  }

  @Test func missingComparisonIsReported() async throws {
    let outcome = try await run("trades", Self.trades(scale: 100))
    #expect(outcome.code == .answer, "\(outcome.everything)")
    #expect(
      outcome.errorOutput.contains(
        "prices and amounts are not compared with a ticker: \(adding.folder.path)/cassettes/Newex has none of BTC/USDT; give "
          + "an answer of the exchange's table with --from-sample tickers=SOURCE"), "\(outcome.errorOutput)")
  }
}
