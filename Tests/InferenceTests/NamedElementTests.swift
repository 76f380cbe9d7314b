import Config
import Quotes
import Testing

@testable import Inference

/// Figures whose names are not members of a row: in a header, or the currencies of the row.
@Suite struct NamedElementTests {
  private static let prices = [
    ("BTC", "91500.5"), ("ETH", "3016.06"), ("XRP", "2.2042"), ("SOL", "141.04"), ("ADA", "0.4316"), ("LTC", "84.05"),
  ]
  private static let names = #"["market","ask","bid","last","open","at"]"#
  /// The ask before the bid and a time, which no position reveals.
  private static let rows = prices.map { name, price in
    #"["\#(name)-USD","\#(price)3","\#(price)1","\#(price)2","\#(price.dropLast())0",1795793881966]"#
  }.joined(separator: ",")

  private static func sure(_ sample: String, _ rows: String? = nil) throws -> (rows: String, [Role: String]) {
    var hints = SampleHints()
    hints.rows = rows
    let proposal = try ExchangeInference(Array(sample.utf8), hints).proposal()
    let roles = proposal.roles.filter(\.isSure).map { ($0.role, $0.path) }
    return (proposal.rows, Dictionary(uniqueKeysWithValues: roles))
  }

  static let headers = [
    (#"{"header":\#(names),"rows":[\#(rows)]}"#, "$.rows[*]"),
    (#"{"result":{"data":[\#(rows)],"columns":\#(names)}}"#, "$.result.data[*]"),
    ("[\(names),\(rows)]", "$[1:]"),
    (#"{"table":[\#(names),\#(rows)]}"#, "$.table[1:]"),
  ]

  @Test(arguments: headers) func aHeaderNamesColumns(_ sample: String, _ rows: String) throws {
    let wanted: [Role: String] = [.price: "$[3]", .bid: "$[2]", .ask: "$[1]", .open: "$[4]"]
    let found = try Self.sure(sample)
    #expect(found.rows == rows)
    #expect(found.1.filter { $0.key != .time } == wanted)
    #expect(try Self.sure(sample, rows).1 == found.1)
  }

  /// Columns as lists are rows that a zip assembles.
  @Test func columnsMayBeLists() throws {
    let prices = Self.prices.map { Double($0.1) ?? 0 }
    func list(_ factor: Double) -> String { "\(prices.map { $0 * factor })" }
    let markets = "\(Self.prices.map { "\($0.0)-USD" })"
    let columns = #""ask":\#(list(1.001)),"last":\#(list(1)),"market":\#(markets),"bid":\#(list(0.999))"#
    let wanted: [Role: String] = [.price: "$[1]", .bid: "$[3]", .ask: "$[0]"]
    let found = try Self.sure(#"{"ok":true,"data":{\#(columns),"at":1795793881966}}"#)
    #expect(found.rows == #"{ "zip": ["$.data.ask", "$.data.last", "$.data.market", "$.data.bid"] }"#)
    #expect(found.1.filter { $0.key != .time } == wanted)
    let other = try? Self.sure(#"{\#(columns),"states":["a","b"]}"#)
    #expect(other?.rows.contains("zip") != true)
  }

  /// A list of texts as long as a row names nothing unless they are names of figures.
  @Test func aListOfPairsIsNoHeader() throws {
    let pairs = ["A-USD", "B-USD", "C-USD", "D-USD", "E-USD", "F-USD"].map { #""\#($0)""# }.joined(separator: ",")
    let sample = #"{"pairs":[\#(pairs)],"rows":[\#(Self.rows)]}"#
    let roles = (try? ExchangeInference(Array(sample.utf8)).proposal().roles) ?? []
    #expect(!roles.contains { $0.evidence.contains("its name") })
  }

  /// Amounts named after the currencies of the row, beside it or in a member.
  @Test(arguments: [
    (#""volume":{"ASSET":COINS,"USD":MONEY,"at":1}"#, "$.volume['{asset}']", "$.volume['{payment}']"),
    (#""volume24h":{"asset":COINS,"usd":MONEY}"#, "$.volume24h['{asset|lower}']", "$.volume24h['{payment|lower}']"),
    (#""vol_asset":COINS,"vol_usd":MONEY"#, "$['vol_{asset|lower}']", "$.vol_usd"),
  ])
  func currenciesNameAmounts(_ members: String, _ volume: String, _ turnover: String) throws {
    let rows = (Self.prices + [("BTC", "79000.5")]).enumerated().map { index, row -> String in
      let (asset, price) = (row.0, Double(row.1) ?? 0)
      let isEuro = index >= Self.prices.count
      let coins = 41_000.5 * Double(1 + index * 37 % 29) / price
      let text =
        members.replacing("ASSET", with: asset).replacing("asset", with: asset.lowercased())
        .replacing("COINS", with: "\(coins)").replacing("MONEY", with: "\(coins * price)")
      let named = isEuro ? text.replacing("USD", with: "EUR").replacing("usd", with: "eur") : text
      return #"{"market":"\#(asset)-\#(isEuro ? "EUR" : "USD")","last":\#(price),\#(named)}"#
    }
    let turnover = turnover == "$.vol_usd" ? "$['vol_{payment|lower}']" : turnover
    #expect(
      try Self.sure("[\(rows.joined(separator: ","))]").1
        == [.price: "$.last", .volume: volume, .turnover: turnover])
  }

  // MARK: Times of order books

  @Test(arguments: [
    (#""updated_at":1795793881966"#, "$.updated_at"), (#""last_updated_at":1795793881966"#, "$.last_updated_at"),
    (#""ts":1795793881966,"updated_at":1795793881000"#, "$.ts"), (#""created_at":1795793881966"#, nil),
  ])
  func anUpdateIsTheTimeOfABook(_ member: String, _ path: String?) throws {
    let book = #"{"bids":[[99,1],[98,2],[97,1]],"asks":[[101,1],[102,2],[103,1]],\#(member)}"#
    #expect(try BlockInference(.orderbook, Array(book.utf8)).proposal()["time"]?.path == path)
  }
}
