import Quotes
import Testing

@testable import Inference

/// The last price in messages beside offers and averages, which are all near each other.
@Suite struct StreamPriceTests {
  private static let table: [StreamInference.KnownRow] = [
    ("BTC", 65_899.9), ("ETH", 3317.26), ("SOL", 144.429), ("ADA", 0.43231), ("XRP", 2.20415),
  ].map { coin, price in
    let numbers: [Role: Double] = [
      .price: price, .bid: price * 0.9995, .ask: price * 1.0005, .open: price * 0.981, .high: price * 1.021,
      .low: price * 0.973, .volume: 52_000 / price,
    ]
    return StreamInference.KnownRow(
      symbol: "\(coin)USDT", asset: coin, payment: "USDT", pair: Pair(asset: coin, payment: "USDT"), numbers: numbers)
  }

  /// Returns the sure fields of messages in the form of BtcTurk, whose letters name the offers but not the last price.
  private static func sure(_ last: String, average: String = "AV", moved: Double = 1) throws -> [Role: String] {
    let messages = table.map { row in
      func number(_ role: Role) -> Double { row.numbers[role] ?? 0 }
      let price = number(.price)
      return Array(
        #"""
        [402,{"B":"\#(number(.bid))","A":"\#(number(.ask))","BA":"0.1","AA":"0.2","PS":"\#(row.symbol)",\#
        "H":"\#(number(.high))","L":"\#(number(.low))","O":"\#(number(.open))","V":"\#(number(.volume))",\#
        "\#(last)":"\#(price * moved)","\#(average)":"\#(price * 1.0021)","NS":"\#(row.asset)","DS":"USDT","PId":1,\#
        "channel":"ticker","event":"\#(row.symbol)","type":402}]
        """#.utf8)
    }
    let proposal = try StreamInference(messages, beside: table, tablePaths: [:]).proposal()
    return Dictionary(uniqueKeysWithValues: proposal.sure.map { ($0.role, $0.path) })
  }

  private static let others: [Role: String] = [
    .bid: "$.B", .ask: "$.A", .open: "$.O", .high: "$.H", .low: "$.L", .volume: "$.V",
  ]

  /// What has the table's own price is the price, rather than what is near it; of another moment, nothing tells.
  @Test(
    arguments: [
      ("LA", "AV", 1, "$.LA"), ("LA", "AV", 1.0001, nil), ("LA", "price", 1, "$.LA"),
      ("LA", "price", 1.0001, "$.price"),
      ("prevPrice", "price", 1, "$.price"), ("markPrice", "AV", 1, nil),
    ] as [(String, String, Double, String?)])
  func anEqualNumberIsThePrice(_ last: String, _ average: String, _ moved: Double, _ path: String?) throws {
    let sure = try Self.sure(last, average: average, moved: moved)
    #expect(sure[.price] == path && sure.filter { $0.key != .price } == Self.others, "\(sure)")
  }
}
