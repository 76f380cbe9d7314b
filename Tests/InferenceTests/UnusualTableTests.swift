import Quotes
import Testing

@testable import Config
@testable import Inference

/// Tables of exchanges that are not shipped, whose names and numbers fit a slot only by chance.
@Suite struct UnusualTableTests {
  private static let coins = [
    ("BTC", 91_500.5), ("ETH", 3016.06), ("XRP", 2.2042), ("SOL", 141.04), ("ADA", 0.4316), ("DOGE", 0.1523),
    ("LTC", 84.05), ("LINK", 13.06), ("TRX", 0.2751), ("BCH", 512.3), ("DOT", 2.87), ("AAVE", 178.4),
  ]

  private static func table(_ members: (_ price: Double, _ index: Int) -> String) -> String {
    let rows = coins.enumerated().map { index, coin in
      #"{"symbol":"\#(coin.0)_EUR",\#(members(coin.1, index))}"#
    }
    return "[\(rows.joined(separator: ","))]"
  }

  // MARK: Rows

  /// Names in one list and numbers in another, as on Hyperliquid, are rows if the two are given as a `zip`.
  @Test(arguments: [(0, true), (1, false)]) func givenListsAreJoined(_ dropped: Int, _ areRows: Bool) throws {
    let names = Self.coins.map { #"{"name":"\#($0.0)-USD","decimals":5}"# }
    let numbers = Self.coins.dropLast(dropped).map { coin in
      #"{"dayNtlVlm":"\#(coin.1 * 5000)","dayBaseVlm":"\#(5000.5 - coin.1.truncatingRemainder(dividingBy: 7))","lastPx":"\#(coin.1)"}"#
    }
    var hints = SampleHints()
    hints.rows = #"{ "zip": ["$[0].universe", "$[1]"] }"#
    let sample = #"[{"universe":[\#(names.joined(separator: ","))]},[\#(numbers.joined(separator: ","))]]"#
    guard areRows else {
      #expect(throws: SampleProblem.self) { try ExchangeInference(Array(sample.utf8), hints).proposal() }
      return
    }
    let proposal = try ExchangeInference(Array(sample.utf8), hints).proposal()
    let sure = Dictionary(uniqueKeysWithValues: proposal.roles.filter(\.isSure).map { ($0.role, $0.path) })
    #expect(proposal.rows == hints.rows && proposal.symbol?.source == .path("$[0].name") && proposal.rowCount == 12)
    #expect(sure == [.price: "$[1].lastPx", .volume: "$[1].dayBaseVlm", .turnover: "$[1].dayNtlVlm"])
  }

  // MARK: Amounts

  /// The size of the last trade falls with the price of the coin like a volume.
  @Test(arguments: [
    ("qty", false), ("quantity", false), ("amount", false), ("units", false), ("volume", true), ("vol", true),
    ("qty24h", true), ("dailyAmount", true), ("totalQuantity", true),
  ])
  func loneAmountNeedsADay(_ name: String, _ isTaken: Bool) throws {
    let sample = Self.table { price, index in
      let amount = 40.5 * Double(1 + index * 37 % 5) / price
      return #""price":\#(price),"bid":\#(price * 0.9999),"ask":\#(price * 1.0001),"\#(name)":\#(amount)"#
    }
    #expect(try MisleadingColumnTests.sure(sample)[.volume] == (isTaken ? "$.\(name)" : nil))
  }

  /// A turnover that fits shows that the other is a volume.
  @Test func amountBesideATurnoverIsAVolume() throws {
    let sample = Self.table { price, index in
      let amount = 41_000.5 * Double(1 + index * 37 % 29) / price
      return #""last":\#(price),"qty":\#(amount),"qv":\#(amount * price * (0.99 + Double(index % 3) / 100))"#
    }
    #expect(try MisleadingColumnTests.sure(sample) == [.price: "$.last", .volume: "$.qty", .turnover: "$.qv"])
  }

  @Test(arguments: [("volume_24h", "volume"), ("vol24h", "vol")])
  func nameWithTheWindowHasNoRival(_ windowed: String, _ other: String) throws {
    let sample = Self.table { price, index in
      let amount = 41_000.5 * Double(1 + index * 37 % 29) / price
      return #""last":\#(price),"\#(windowed)":\#(amount),"\#(other)":\#(amount * (0.2 + Double(index % 4) / 9))"#
    }
    #expect(try MisleadingColumnTests.sure(sample)[.volume] == "$.\(windowed)")
  }

  // MARK: Prices

  /// A letter with a window is of the day, and `lp` the last price or, beside `hp`, the lowest: it is only proposed.
  @Test(arguments: [("lp", "h24", "l24"), ("p", "h24", "l24"), ("p", "h", "l")])
  func lowIsNoLastPrice(_ last: String, _ high: String, _ low: String) throws {
    let sample = Self.table { price, index in
      #""\#(low)":\#(price * (0.94 + Double(index % 3) / 100)),"\#(high)":\#(price * 1.05),"\#(last)":\#(price)"#
    }
    let price = try ExchangeInference(Array(sample.utf8)).proposal()[.price]
    #expect(price?.path != "$.\(low)" && price?.path != "$.\(high)", "\(price?.path ?? "none")")
    if last == "lp" { #expect(price?.path == "$.lp" && price?.isSure == false) }
  }

  /// The close of the last 24 hours is the last price beside their open; alone it may be that of 24 hours ago.
  @Test(arguments: [("24h_open", true), ("open", false)])
  func closeOfTheWindowIsTheLastPrice(_ open: String, _ isTaken: Bool) throws {
    let sample = Self.table { price, index in
      let before = price * (1 + Double(index % 5 - 2) / 90 + 0.003)
      return
        #""24h_close":\#(price),"\#(open)":\#(before),"24h_high":\#(max(price, before) * 1.02),"24h_low":\#(min(price, before) * 0.98),"mark_price":\#(price * 1.0003)"#
    }
    #expect(try MisleadingColumnTests.sure(sample)[.price] == (isTaken ? "$['24h_close']" : nil))
  }

  /// The best bid and ask, in columns called h and l.
  @Test(arguments: [(0.0002, 1.0, false), (0.05, 1, true), (0.02, 1.08, false)])
  func offersAreNoRange(_ width: Double, _ average: Double, _ isRange: Bool) throws {
    let sample = Self.table { price, index in
      let share = width * (0.5 + Double(index % 3) / 10)
      return
        #""last":\#(price),"h":\#(price * (1 + share)),"l":\#(price * (1 - share / 2)),"av":\#(price * average)"#
    }
    let sure = try MisleadingColumnTests.sure(sample)
    #expect((sure[.high] != nil) == isRange && (sure[.low] != nil) == isRange, "\(sure)")
  }

  // MARK: Changes

  /// Once price and open are settled, the change needs no name.
  @Test(arguments: [1.0, 100])
  func namelessChangeIsFound(_ factor: Double) throws {
    let sample = Self.table { price, index in
      let open = price * (1 + Double(index % 5 - 2) / 40 + 0.003)
      let change = ((price - open) / open * factor * 1e6).rounded() / 1e6
      return #""last":\#(price),"open":\#(open),"cr":\#(change),"n":\#(index * 17)"#
    }
    let change = try ExchangeInference(Array(sample.utf8)).proposal()[.change]
    #expect(change?.path == "$.cr" && change?.isSure == true && (change?.scale == 100) == (factor == 1))
  }

  // MARK: Times

  @Test(arguments: [
    (#""last_trade":{"ts":1795823436383}"#, "$.last_trade.ts", true),
    (#""last":{"time":1795823436383}"#, "$.last.time", true), (#""ts":1795823436383"#, "$.ts", false),
    (#""info":{"ts":1795823436383}"#, "$.info.ts", false),
  ])
  func timeOfTheLastTradeIsNotThatOfTheQuote(_ member: String, _ path: String, _ isTrade: Bool) throws {
    let time = try ExchangeInference(Array(Self.table { price, _ in #""price":\#(price),\#(member)"# }.utf8))
      .proposal()[
        .time]
    #expect(time?.path == path && time?.isTradeTime == isTrade)
  }

  /// Programs write the first moment of their calendar for pairs without a trade.
  @Test(arguments: [
    ("0001-01-01T00:00:00.000Z", true), ("1970-01-01T00:00:00Z", true), ("soon", false),
  ])
  func firstMomentOfACalendarIsNoTime(_ never: String, _ isFound: Bool) throws {
    let sample = Self.table { price, index in
      #""price":\#(price),"time":"\#(index % 3 == 0 ? never : "2026-11-28T20:12:\(10 + index).595Z")""#
    }
    let time = try ExchangeInference(Array(sample.utf8)).proposal()[.time]
    #expect(time?.timeForm == (isFound ? .iso8601(saysZone: true) : nil))
  }

  @Test(
    arguments: [
      ("28/11/2026 00:08:48", "dd/MM/yyyy HH:mm:ss"), ("2026-11-28 00:08:48 UTC", "yyyy-MM-dd HH:mm:ss 'UTC'"),
      ("2026-11-28 00:08:48 +0800", "yyyy-MM-dd HH:mm:ss Z"), ("Sat, 28 Nov 2026 00:08:48 GMT", nil),
    ] as [(String, String?)])
  func timesInOtherFormsAreNamed(_ text: String, _ format: String?) throws {
    let proposal = try ExchangeInference(Array(Self.table { price, _ in #""last":\#(price),"time":"\#(text)""# }.utf8))
      .proposal()
    #expect(proposal.unreadTime?.path == "$.time" && proposal.unreadTime?.format == format)
  }
}
