import Quotes
import Testing

@testable import Config
@testable import Inference

/// Columns of trades and candles that nothing proves: they are left out, and reported as present.
@Suite struct UnprovedColumnTests {
  /// A word that only looks like a number is a text in JSON.
  @Test(arguments: [
    ("1", "1"), ("-1.5", "-1.5"), ("true", "true"), ("01", #""01""#), ("+1", #""+1""#), ("nan", #""nan""#),
  ])
  func wordsAreJSON(_ word: String, _ text: String) { #expect(ConfigValue(word: word).text(lead: 0) == text) }

  private static func field(_ name: String, _ kind: BlockKind, _ answer: String) throws -> String {
    let proposal = try BlockInference(kind, Array(answer.utf8)).proposal()
    guard let field = proposal[name] else { return "none" }
    return "\(field.isSure ? "sure" : "unsure") \(field.path): \(field.evidence.joined(separator: "; "))"
  }

  /// Returns sixteen trades; if `follows`, prices rise to buys and fall to sells, otherwise they go back and forth.
  private static func trades(
    _ name: String, follows: Bool = true, count: Int = 16, _ size: (_ price: Double, _ coins: Double) -> Double
  ) -> String {
    let buys = [true, false, false, true, false, true, true, false, true, false, true, false, false, true, false, true]
    let rows = (0..<count).map { index in
      let isUp = follows ? buys[index] : (index / 2) % 2 == 0
      let price = 64998.7 + (isUp ? 2.3 : 0) + Double(index % 3) / 10
      let coins = Double((index * 37) % 53 + 1) / 10_000
      let amount = (size(price, coins) * 10_000).rounded() / 10_000
      let side = buys[index] ? "buy" : "sell"
      return
        #"{"id":\#(5000 + index),"price":"\#(price)","\#(name)":"\#(amount)","ts":\#(1_795_420_000_560 + index * 977),"side":"\#(side)"}"#
    }
    return "[\(rows.joined(separator: ","))]"
  }

  @Test(arguments: [
    ("size", 1, "sure $.size: its name; as money less than a cent in 16 of 16 rows"),
    ("amount", 1, "sure $.amount: its name; as money less than a cent in 16 of 16 rows"),
    ("size", 100, "sure $.size: its name"),
    ("amount", 100, "unsure $.amount: its name; nothing shows whether it counts the asset or money"),
    ("volume", 100, "unsure $.volume: its name; nothing shows whether it counts the asset or money"),
    ("size", 0, "unsure $.size: its name; counts money: the price times a round number in 16 of 16 rows"),
    ("amount", 0, "unsure $.amount: its name; counts money: the price times a round number in 16 of 16 rows"),
  ])
  func sizeMustCountTheAsset(_ name: String, _ factor: Double, _ expected: String) throws {
    let answer = Self.trades(name) { price, coins in coins * (factor == 0 ? price : factor) }
    #expect(try Self.field("size", .trades, answer) == expected)
  }

  /// Where the ticker has no amount of the day to compare with, the name alone proves nothing, in messages either.
  @Test(
    arguments: [
      (1.0, nil, "sure $.size: its name; as money less than a cent in 16 of 16 rows"),
      (100, nil, "unsure $.size: its name; \(SizeUnit.unprovedWithoutVolume)"),
      (100, 5000, "sure $.size: its name"),
    ] as [(Double, Decimal?, String)])
  func sizesNeedMoreThanAName(_ factor: Double, _ volume: Decimal?, _ expected: String) throws {
    let answer = Self.trades("size") { $1 * factor }
    let day = DayAmounts(price: 65_000, volume: volume, turnover: nil)
    let size = try #require(try BlockInference(.trades, Array(answer.utf8), day: day).proposal()["size"])
    #expect("\(size.isSure ? "sure" : "unsure") \(size.path): \(size.evidence.joined(separator: "; "))" == expected)
    let rows = answer.dropFirst().dropLast().replacing("},{", with: "}\n{").split(separator: "\n")
    let messages = rows.map { Array(#"{"s":"BTCUSDT","d":\#($0)}"#.utf8) }
    let pair = StreamInference.KnownRow(
      symbol: "BTCUSDT", asset: "BTC", payment: "USDT", pair: Pair(asset: "BTC", payment: "USDT"),
      numbers: [.price: 65_000])
    var inference = StreamInference(messages, beside: [pair], tablePaths: [:])
    inference.lacksVolume = volume == nil
    let streamed = try? inference.proposal(of: .trades, isFutures: false)
    #expect((streamed?["size"]?.isSure == true) == size.isSure)
  }

  /// Returns an order book of ten levels on each side in one of three shapes.
  private static func book(_ shape: String, isMoney: Bool) -> String {
    func level(_ index: Int, _ side: String) -> (price: String, size: String) {
      let price = 64_998.7 + (side == "buy" ? -0.3 : 0.4) * Double(index + 1)
      let coins = Double((index * 37 + (side == "buy" ? 11 : 3)) % 53 + 1) / 1000
      let size = isMoney ? (price * coins * 10_000).rounded() / 10_000 : coins
      return ("\((price * 10).rounded() / 10)", "\(size)")
    }
    func list(_ side: String) -> [(price: String, size: String)] { (0..<10).map { level($0, side) } }
    switch shape {
    case "lists":
      let sides = [("bids", "buy"), ("asks", "sell")].map { name, side in
        "\"\(name)\":[\(list(side).map { "[\"\($0.price)\",\"\($0.size)\"]" }.joined(separator: ","))]"
      }
      return "{\(sides.joined(separator: ","))}"
    case "rows":
      let rows = zip(list("buy"), list("sell")).map { bid, ask in
        #"{"bid_price":\#(bid.price),"bid_size":\#(bid.size),"ask_price":\#(ask.price),"ask_size":\#(ask.size)}"#
      }
      return "[\(rows.joined(separator: ","))]"
    default:
      let rows = ["buy", "sell"].flatMap { side in
        list(side).map { #"{"side":"\#(side)","price":\#($0.price),"size":\#($0.size)}"# }
      }
      return "[\(rows.joined(separator: ","))]"
    }
  }

  /// A level of an order book is for a number of coins; a sum of money is the price times one.
  @Test(arguments: ["lists", "rows", "sided"])
  func levelsMustCountTheAsset(_ shape: String) throws {
    func size(isMoney: Bool) throws -> BlockField? {
      try BlockInference(.orderbook, Array(Self.book(shape, isMoney: isMoney).utf8)).proposal()["size"]
    }
    #expect(try size(isMoney: false)?.isSure == true)
    let money = try size(isMoney: true)
    #expect(money?.isSure == false)
    #expect(money?.evidence.last?.hasPrefix("counts money: the price times a round number in ") == true)
  }

  /// Money in books whose numbers of coins are not round is told by the ticker: no level is for a third of a day.
  @Test(arguments: [
    (64_998.7, 1.0, true), (64_998.7, 64_998.7, false), (0.0000085, 1e9, true), (0.0000085, 8500, false),
    (2.5, 1, true), (2.5, 2.5, true),
  ])
  func theTickerShowsWhatLevelsCount(_ price: Double, _ factor: Double, _ isSure: Bool) throws {
    // Forty million a day.
    let day = DayAmounts(price: Decimal(String(price)), volume: nil, turnover: Decimal("40000000"))
    let size = try Self.size(price, factor, day)
    #expect(size?.isSure == isSure, "\(size?.evidence ?? [])")
  }

  /// Without amounts in the ticker, only sizes that would be next to nothing as money are known to be coins.
  @Test(arguments: [(133_985_000.0, 1.0, true), (133_985_000, 133_985_000, false), (2.5, 1, false), (2.5, 2.5, false)])
  func silentTickersShowNothing(_ price: Double, _ factor: Double, _ isSure: Bool) throws {
    let day = DayAmounts(price: Decimal(String(price)), volume: nil, turnover: nil)
    let size = try Self.size(price, factor, day)
    #expect(size?.isSure == isSure, "\(size?.evidence ?? [])")
    #expect(try Self.size(price, factor, nil)?.isSure == true)
  }

  /// Returns the size of levels at a price, in coins times a factor.
  private static func size(_ price: Double, _ factor: Double, _ day: DayAmounts?) throws -> BlockField? {
    func list(_ sign: Double) -> String {
      (0..<10).map { index in
        let size = factor * (0.0123456789 * Double(index * 37 % 11 + 1) + 0.000377)
        return "[\(price * (1 + sign * Double(index + 1) / 10_000)),\(size)]"
      }.joined(separator: ",")
    }
    let answer = #"{"bids":[\#(list(-1))],"asks":[\#(list(1))]}"#
    return try BlockInference(.orderbook, Array(answer.utf8), day: day).proposal()["size"]
  }

  /// A pair that no ticker has is as silent: nothing but dust or a worth shows what its sizes count. Trades without a
  /// side remain trades.
  @Test func pairsWithoutATickerShowNothing() throws {
    let day = DayAmounts(price: nil, volume: nil, turnover: nil)
    let book = try #require(try Self.size(2.5, 1, day))
    #expect(!book.isSure && book.evidence.last == SizeUnit.unprovedWithoutTicker)
    #expect(try Self.size(133_985_000, 1, day)?.isSure == true)
    let rows = (0..<6).map { index in
      #"{"price":"\#(104 + index % 2)","size":"\#(index * 37 % 11 + 1).5","time":\#(1_795_420_000 - index * index)}"#
    }
    let proposal = try BlockInference(.trades, Array("[\(rows.joined(separator: ","))]".utf8), day: day).proposal()
    #expect(proposal.sure.map(\.name) == ["price", "time"])
    #expect(proposal["size"]?.evidence == ["its name", SizeUnit.unprovedWithoutTicker])
  }

  /// A price under an unknown name is known by the ticker's, unless another column is as near. An index is no price.
  @Test(
    arguments: [
      (nil, nil, "unsure $.r: varies as little as a price in 16 rows"),
      (101, nil, "sure $.r: near the price of the ticker; varies as little as a price"),
      (1000, nil, "unsure $.r: varies as little as a price in 16 rows"),
      (101, "x", "unsure $.r: varies as little as a price in 16 rows"),
      (101, "indexPrice", "sure $.r: near the price of the ticker; varies as little as a price"),
    ] as [(Decimal?, String?, String)])
  func tickersProvePrices(_ known: Decimal?, _ other: String?, _ expected: String) throws {
    let rows = (0..<16).map { index in
      let more = other.map { #","\#($0)":"\#(100 + index % 4).5""# } ?? ""
      return
        #"{"id":\#(900 + index),"ts":\#(1_795_420_000_560 + index * 977),"r":"\#(100 + index % 3)","qty":"0.\#(index * 37 % 53 + 1)"\#(more)}"#
    }
    let day = DayAmounts(price: known, volume: 5000, turnover: nil)
    let answer = "[\(rows.joined(separator: ","))]"
    let price = try #require(try BlockInference(.trades, Array(answer.utf8), day: day).proposal()["price"])
    #expect("\(price.isSure ? "sure" : "unsure") \(price.path): \(price.evidence.joined(separator: "; "))" == expected)
  }

  /// Whole sizes at a price of about one are round numbers, whatever they count.
  @Test(arguments: [(1.0, 16), (0.5, 16)])
  func roundNumbersAreNotMoney(_ price: Double, _ count: Int) throws {
    let rows = (0..<count).map { index in
      let size = (index * 37) % 53 + 1
      return
        #"{"id":\#(index),"price":\#(price + Double(index % 2) / 10_000),"size":\#(size),"ts":\#(1_795_420_000 + index)}"#
    }
    #expect(try Self.field("size", .trades, "[\(rows.joined(separator: ","))]") == "sure $.size: its name")
  }

  @Test(arguments: [
    (true, 16, "sure $.side: its words; the price rises from a sale to a buy, and falls back, in 12 of 12"),
    (false, 16, "sure $.side: its words; taken for the taker's, as on nearly all exchanges"),
    (true, 4, "sure $.side: its words; taken for the taker's, as on nearly all exchanges"),
  ])
  func randomSidesAreNoEvidence(_ follows: Bool, _ count: Int, _ expected: String) throws {
    let answer = Self.trades("size", follows: follows, count: count) { $1 }
    #expect(try Self.field("side", .trades, answer) == expected)
  }

  /// The maker's side is the opposite of the taker's, wherever it is said to be the maker's. A bare flag says of neither.
  @Test(
    arguments: [
      (#""is_maker_ask":%f"#, "$.is_maker_ask", true), (#""isSellerMaker":%f"#, "$.isSellerMaker", true),
      (#""isBuyerMaker":%f"#, "$.isBuyerMaker", false), (#""maker_is_bid":%f"#, "$.maker_is_bid", false),
      (#""takerIsAsk":%f"#, "$.takerIsAsk", false), (#""isTakerBuyer":%f"#, "$.isTakerBuyer", true),
      (#""isMaker":%f"#, nil, false), (#""maker":%f"#, nil, false),
      (#""maker":{"side":"%s"}"#, "$.maker.side", false), (#""passiveSide":"%s""#, "$.passiveSide", false),
      (#""resting_order_side":"%s""#, "$.resting_order_side", false), (#""hit":"%s""#, "$.hit", false),
      (#""takerSide":"%s""#, "$.takerSide", true), (#""side":"%s""#, "$.side", true),
    ] as [(String, String?, Bool)])
  func whoseSideItIs(_ member: String, _ path: String?, _ firstIsBuy: Bool) throws {
    let rows = (0..<16).map { index in
      let own = member.replacing("%f", with: "\(index * 7 % 3 == 0)")
        .replacing("%s", with: index * 7 % 3 == 0 ? "buy" : "sell")
      return
        #"{"id":\#(900 + index),"price":\#(100 + index % 2),"size":0.\#(index * 37 % 53 + 1),"ts":\#(1_795_420_000_560 + index * 977),\#(own)}"#
    }
    let proposal = try BlockInference(.trades, Array("[\(rows.joined(separator: ","))]".utf8)).proposal()
    let side = proposal["side"]
    #expect(side?.path == path)
    guard path != nil else { return }
    let buy = try #require(side?.members.first?.value["buy"])
    let isFirst = [ConfigValue.bool(true), .text("buy")].contains { "\($0)" == "\(buy)" }
    #expect(isFirst == firstIsBuy, "\(buy)")
  }

  /// Trades in two lists: the name of each is the side, if it is one of trades.
  @Test(arguments: [
    ("buys", "sells", true), ("bid", "ask", true), ("buyorders", "sellorders", false), ("recent", "older", nil),
  ])
  func tradesInTwoLists(_ buys: String, _ sells: String, _ isSure: Bool?) throws {
    func list(_ count: Int) -> String {
      (0..<count).map { index in
        let (size, price) = (index * 37 % 53 + 1, 100 + index % 2)
        let time = 1_795_420_000_560 + index * 977 + index % 3 * 100
        return #"{"price":\#(price),"size":\#(size),"total":\#(price * size),"ts":\#(time)}"#
      }.joined(separator: ",")
    }
    let text = #"{"ok":true,"\#(sells)":[\#(list(9))],"\#(buys)":[\#(list(7))]}"#
    let proposal = try BlockInference(.trades, Array(text.utf8)).proposal()
    #expect(proposal["side"]?.isSure == isSure)
    guard isSure != nil else { return }
    #expect(proposal.rowsText == "$['\(buys)', '\(sells)'][*]" && proposal.rowCount == 16)
    let side = try #require(proposal["side"]?.members.first?.value)
    #expect(side.text(lead: 0) == #"{ "from": "key", "up": 1, "buy": "\#(buys)", "sell": "\#(sells)" }"#)
  }

  /// Two members may both name the side; if they agree in all rows, either will do.
  @Test(arguments: [(true, "sure $.isMakerBuyer: its name"), (false, "none")])
  func membersThatAgreeAreOneSide(_ agrees: Bool, _ expected: String) throws {
    let rows = (0..<12).map { index in
      let isMaker = index * 7 % 3 == 0
      return
        #"{"id":\#(900 + index),"price":\#(100 + index % 2),"size":0.\#(index * 37 % 53 + 1),"ts":\#(1_795_420_000_560 + index * 977),"isMakerBuyer":\#(isMaker),"makerBuyer":\#(agrees ? isMaker : index % 2 == 0)}"#
    }
    let field = try Self.field("side", .trades, "[\(rows.joined(separator: ","))]")
    #expect(field.hasPrefix(expected), "\(field)")
  }

  @Test func unknownColumnsAreNamed() throws {
    let candles = (0..<8).map { index in
      let open = 100 + index
      return
        #"[\#(1_795_204_800_000 + index * 3_600_000),"\#(open)","\#(open + 3)","\#(open - 2)","\#(open + 1)",\#(60 + index * 7 % 5),"\#(9.5 - Double(index))"]"#
    }
    let proposal = try BlockInference(.candles, Array("[\(candles.joined(separator: ","))]".utf8)).proposal()
    #expect(proposal.fields.map(\.name) == ["time", "open", "high", "low", "close"])
    #expect(proposal.unused.map { "\($0.path) \($0.example)" } == ["$[5] 60", "$[6] 9.5"])
  }
}
