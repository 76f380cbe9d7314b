import Config
import Quotes
import Testing

@testable import Inference

/// Conditions on the kind of a message, never on what it says about a pair.
@Suite struct StreamConditionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let messages: [String]
    /// Empty if nothing distinguishes the messages.
    let condition: String
  }

  private static let table: [StreamInference.KnownRow] = [("BTC", 3_869_569.5), ("ETH", 132_768.25)].map { coin in
    StreamInference.KnownRow(
      symbol: "\(coin.0)TRY", asset: coin.0, payment: "TRY", pair: Pair(asset: coin.0, payment: "TRY"),
      numbers: [.price: coin.1, .high: coin.1 * 2, .low: coin.1 / 2])
  }

  /// The members of a row: symbol and numbers.
  private static func row(_ place: Int, _ symbol: String? = nil) -> String {
    let price = table[place].numbers[.price] ?? 0
    return #""symbol":"\#(symbol ?? table[place].symbol)","last":\#(price),"high":\#(price * 2),"low":\#(price / 2)"#
  }

  private static let both = [0, 1]

  @Test(arguments: [
    Case(
      testDescription: "a leading code, and a member with the payment currency",
      messages: [#"[991,{"type":991,"current":"5.1.0"}]"#] + both.map { #"[402,{\#(row($0)),"DS":"TRY","type":402}]"# },
      condition: #"{ "path": "$[0]", "equals": 402 }"#),
    Case(
      testDescription: "a code that may be the only pair's", messages: [#"[402,{\#(row(0))}]"#], condition: ""),
    Case(
      testDescription: "a code in a member", messages: both.map { #"{"type":7,"data":{\#(row($0))}}"# },
      condition: #"{ "path": "$.type", "equals": 7 }"#),
    Case(
      testDescription: "a member with the payment currency, and nothing else",
      messages: both.map { #"{\#(row($0)),"money":"TRY","quote":"EUR"}"# }, condition: ""),
    Case(
      testDescription: "a currency under the name of a kind",
      messages: both.map { #"{"c":"TRY","channel":"all",\#(row($0))}"# },
      condition: #"{ "path": "$.channel", "equals": "all" }"#),
    Case(
      testDescription: "updates of the same table without a known number",
      messages: both.flatMap { place in
        [
          #"{"table":"instrument","action":"partial","data":[{\#(row(place)),"mark":5}]}"#,
          #"{"table":"instrument","action":"update","data":[{"symbol":"\#(table[place].symbol)","mark":5}]}"#,
          #"{"table":"trade","action":"insert","data":[{"symbol":"\#(table[place].symbol)","side":"Buy"}]}"#,
        ]
      }, condition: #"{ "path": "$.table", "equals": "instrument" }"#),
    Case(
      testDescription: "an acknowledgement with a type of its own, and a pair that the table lacks",
      messages: [#"{"type":"subscriptions","channels":[]}"#, #"{"type":"v2/ticker",\#(row(0, "QQQTRY"))}"#]
        + both.map { #"{"type":"v2/ticker",\#(row($0))}"# }, condition: #"{ "path": "$.type", "equals": "v2/ticker" }"#),
    Case(
      testDescription: "rows like the channel's in another channel",
      messages: both.flatMap { place in
        [#"{"type":"update","channel":"ticker",\#(row(place))}"#]
          + [#"{"type":"update","channel":"trades","symbol":"\#(table[place].symbol)","time":1}"#]
      }, condition: #"{ "path": "$.channel", "equals": "ticker" }"#),
    Case(
      testDescription: "a type of the first row of a list",
      messages: both.map { #"{"topic":"all","data":[{"type":"LIMIT",\#(row($0))}]}"# },
      condition: #"{ "path": "$.topic", "equals": "all" }"#),
    Case(
      testDescription: "the kind in the first row of a list",
      messages: both.map { #"{"data":[{"type":"ticker",\#(row($0))}]}"# } + [#"{"data":[{"type":"system"}]}"#],
      condition: #"{ "path": "$.data[0].type", "equals": "ticker" }"#),
    Case(
      testDescription: "a letter for the kind in the first row of a list",
      messages: both.flatMap { [#"[{"T":"t",\#(row($0))}]"#, #"[{"T":"q","symbol":"\#(table[$0].symbol)","x":1}]"#] },
      condition: #"{ "path": "$[0].T", "equals": "t" }"#),
    Case(
      testDescription: "only the pair distinguishes the rows",
      messages: both.map { "{\(row($0))}" } + [#"{"result":null}"#],
      condition: #"{ "path": "$.symbol", "is": "present" }"#),
  ])
  func kinds(_ example: Case) throws {
    let inference = StreamInference(
      example.messages.map { Array($0.utf8) }, beside: Self.table,
      tablePaths: [.price: "$.last", .high: "$.high", .low: "$.low"])
    let proposal = try inference.proposal()
    #expect(proposal.frame.conditions.map { $0.text() } == (example.condition.isEmpty ? [] : [example.condition]))
  }

  /// A message may be a list of its parts, of which the number is that of a subscription.
  @Test(arguments: ["ticker", "ticker-1"]) func partsOfAListNamePairAndKind(_ kind: String) throws {
    let messages = Self.both.flatMap { place in
      let (row, symbol) = (Self.row(place), Self.table[place].symbol)
      return [#"[340,{\#(row)},"\#(kind)","\#(symbol)"]"#, #"[340,{"bid":1,"ask":2},"spread","\#(symbol)"]"#]
    }.map { $0.replacing(/"symbol":"[A-Z]+",/, with: "") }
    let inference = StreamInference(
      messages.map { Array($0.utf8) }, beside: Self.table, tablePaths: [.price: "$.last"])
    let frame = try inference.proposal().frame
    #expect(frame.rows == "$[1]" && frame.symbol.text() == #"{ "from": "response", "path": "$[3]" }"#)
    #expect(frame.conditions.map { $0.text() } == [#"{ "path": "$[2]", "equals": "\#(kind)" }"#])
    #expect(frame.takenCount == 2)
  }

  // MARK: Other kinds at the same place

  private static let day: [StreamInference.KnownRow] = [("BTC", 91_000.5, 1200.5), ("ETH", 3050.25, 21_000.5)].map {
    coin, price, volume in
    StreamInference.KnownRow(
      symbol: "\(coin)USDT", asset: coin, payment: "USDT", pair: Pair(asset: coin, payment: "USDT"),
      numbers: [
        .price: price, .open: price * 0.99, .high: price * 1.015, .low: price * 0.985, .volume: volume,
        .turnover: volume * price,
      ])
  }

  private static let paths: [Role: String] = [
    .price: "$.c", .open: "$.o", .high: "$.h", .low: "$.l", .volume: "$.q", .turnover: "$.v",
  ]

  /// Returns messages of one kind, all with the same members: numbers of a day, of a minute, or of one trade.
  private static func messages(_ kind: String, _ count: Int) -> [String] {
    (0..<count).map { index in
      let row = day[index % 2]
      let (price, volume) = (row.numbers[.price] ?? 0, row.numbers[.volume] ?? 0)
      let last = price * (1 + Double(index % 7 - 3) / 100_000)
      let figures: (open: Double, high: Double, low: Double, volume: Double) =
        kind == "ticker"
        ? (price * 0.99, price * 1.015, price * 0.985, volume * (1 + Double(index) / 100_000))
        : (price * 1.0001, price * 1.0003, price * 0.9998, volume / 1500)
      let range = kind == "trade" ? "" : #""o":\#(figures.open),"h":\#(figures.high),"l":\#(figures.low),"#
      return
        #"{"topic":"\#(kind)","data":{"s":"\#(row.symbol)","c":\#(last),\#(range)"q":\#(figures.volume),"v":\#(figures.volume * last)}}"#
    }
  }

  /// Candles and trades have the table's prices, and their members are called like the table's.
  @Test(arguments: ["kline", "trade"], [(20, 18), (20, 4), (6, 40)])
  func otherKindsAreNotTaken(_ other: String, _ counts: (tickers: Int, others: Int)) throws {
    let messages = Self.messages("ticker", counts.tickers) + Self.messages(other, counts.others)
    let proposal = try StreamInference(
      messages.map { Array($0.utf8) }, beside: Self.day, tablePaths: Self.paths
    ).proposal()
    #expect(proposal.frame.conditions.map { $0.text() } == [#"{ "path": "$.topic", "equals": "ticker" }"#])
    #expect(proposal.frame.takenCount == counts.tickers)
    #expect(proposal.sure.map(\.role) == [.price, .high, .low, .open, .volume, .turnover])
  }

  /// Messages may name pairs without the separator that the table has, in small letters too. Where one of the names may be
  /// taken apart in two ways, nothing is.
  @Test(arguments: [("BTC", false, true), ("BTC", true, true), ("SOLT", false, false)])
  func namesMayLackTheSeparatorOfTheTable(_ other: String, _ isLower: Bool, _ isFound: Bool) throws {
    var table = Self.day.map { row in
      StreamInference.KnownRow(
        symbol: "\(row.asset)-\(row.payment)", asset: row.asset, payment: row.payment, pair: row.pair,
        numbers: row.numbers)
    }
    for payment in ["USD", "TUSD"] {
      table.append(
        StreamInference.KnownRow(
          symbol: "\(other)-\(payment)", asset: other, payment: payment, pair: Pair(asset: other, payment: payment),
          numbers: [:]))
    }
    let messages = Self.messages("ticker", 20).map { message in
      isLower ? Self.day.reduce(message) { $0.replacing($1.symbol, with: $1.symbol.lowercased()) } : message
    }
    let inference = StreamInference(messages.map { Array($0.utf8) }, beside: table, tablePaths: Self.paths)
    guard isFound else {
      #expect(throws: SampleProblem.self) { try inference.proposal() }
      return
    }
    let proposal = try inference.proposal()
    #expect(proposal.frame.symbol.text() == #"{ "path": "$.s", "split": "payment" }"#)
    #expect(proposal.frame.takenCount == 20)
  }

  @Test func candlesAloneAreNoTickers() {
    let reason =
      "the rows have a high and a low that are not the table's; if they are candles, give them with --stream-sample "
      + "candles=FILE"
    #expect(throws: SampleProblem.noStream(reason)) {
      try StreamInference(
        Self.messages("kline", 20).map { Array($0.utf8) }, beside: Self.day, tablePaths: Self.paths
      ).proposal()
    }
  }

  /// A list in each element of a list has the rows: what only the first of them has is not all.
  @Test func rowsMayBeInListsOfAList() throws {
    let events = Self.both.map { place in
      #"{"type":"update","tickers":[{\#(Self.row(place))},{\#(Self.row(1 - place))}]}"#
    }
    let messages = [#"{"channel":"ticker","events":[\#(events.joined(separator: ","))]}"#]
    let inference = StreamInference(messages.map { Array($0.utf8) }, beside: Self.table, tablePaths: [:])
    let frame = try inference.proposal().frame
    #expect(frame.rows == "$.events[*].tickers[*]" && frame.symbolText == "$.symbol")
    #expect(frame.conditions.map { $0.text(lead: 0) } == [#"{ "path": "$.channel", "equals": "ticker" }"#])
  }
}
