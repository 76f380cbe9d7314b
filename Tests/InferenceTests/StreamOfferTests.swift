import Quotes
import Testing

@testable import Inference

/// Bid and ask in messages: every offer is near every other, so only the table's own numbers tell them apart.
@Suite struct StreamOfferTests {
  private static let table: [StreamInference.KnownRow] = [
    ("BTC", 65_899.9, 65_900.4), ("ETH", 3317.26, 3317.31), ("SOL", 144.429, 144.437), ("ADA", 0.43231, 0.43237),
  ].map { coin, bid, ask in
    StreamInference.KnownRow(
      symbol: "\(coin)-USDT", asset: coin, payment: "USDT", pair: Pair(asset: coin, payment: "USDT"),
      numbers: [.price: (bid + ask) / 2, .bid: bid, .ask: ask])
  }

  /// Returns the offers that are sure, from messages whose members are those of a pair of the table.
  private static func sure(_ members: (_ bid: Double, _ ask: Double) -> String) throws -> [Role: String] {
    let messages = table.map { row in
      let (bid, ask) = (row.numbers[.bid] ?? 0, row.numbers[.ask] ?? 0)
      return Array(
        #"{"ch":"ticker","symbol":"\#(row.symbol)","tick":{"price":\#((bid + ask) / 2),\#(members(bid, ask))}}"#.utf8)
    }
    let proposal = try StreamInference(messages, beside: table, tablePaths: [:]).proposal()
    let offers = proposal.sure.filter { [.bid, .ask].contains($0.role) }
    // Whether rows begin at the member or above makes no difference.
    return Dictionary(uniqueKeysWithValues: offers.map { ($0.role, $0.path.replacing("$.tick.", with: "$.")) })
  }

  @Test(
    arguments: [
      (#""b":BID,"a":ASK"#, 1.0, [.bid: "$.b", .ask: "$.a"]),
      // What users buy at is the ask.
      (#""b":ASK,"s":BID"#, 1, [.bid: "$.s", .ask: "$.b"]), (#""x":ASK,"y":BID"#, 1, [.bid: "$.y", .ask: "$.x"]),
      (#""b":ASK"#, 1, [:]), (#""buy":ASK"#, 1, [:]), (#""buy":ASK,"sell":BID"#, 1, [:]),
      (#""bid":BID,"ask":ASK"#, 1, [.bid: "$.bid", .ask: "$.ask"]), (#""buy":BID"#, 1, [.bid: "$.buy"]),
      // Of another moment, the numbers are the table's no more.
      (#""b":BID,"a":ASK"#, 1.0005, [.bid: "$.b", .ask: "$.a"]), (#""b":ASK,"s":BID"#, 1.0005, [:]),
      (#""b":BID"#, 1.0005, [:]), (#""bid":BID"#, 1.0005, [.bid: "$.bid"]),
    ] as [(String, Double, [Role: String])])
  func offersAreKnownByTheirNumbers(_ members: String, _ move: Double, _ offers: [Role: String]) throws {
    let sure = try Self.sure { bid, ask in
      members.replacing("BID", with: "\(bid * move)").replacing("ASK", with: "\(ask * move)")
    }
    #expect(sure == offers)
  }
}
