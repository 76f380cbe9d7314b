import Quotes
import Testing

@testable import Config
@testable import Inference

/// The currencies of a pair in two members whose names do not say so.
@Suite struct NamelessPairTests {
  /// Returns the symbol found in rows whose coins and payment currencies have these names.
  private static func symbol(_ asset: String, _ payment: String, _ pair: String?) throws -> SymbolProposal? {
    let rows = ["USDT", "BTC"].flatMap { money in
      MisleadingColumnTests.coins.filter { $0.0 != money }.map { coin, dollars in
        #"{"\#(asset)":"\#(coin)","\#(payment)":"\#(money)","last":\#(money == "BTC" ? dollars / 91500.5 : dollars)}"#
      }
    }
    let hints = SampleHints(pair: pair.flatMap { Pair($0) })
    return try ExchangeInference(Array("[\(rows.joined(separator: ","))]".utf8), hints).proposal().symbol
  }

  /// They are a question, which a given pair answers.
  @Test(arguments: [
    ("amountAsset", "priceAsset"), ("commodity", "currency"), ("first", "second"), ("from", "to"),
    ("sell_token", "buy_token"), ("underlying", "settlement"), ("a", "b"),
  ])
  func codesFormPairs(_ asset: String, _ payment: String) throws {
    let asked = try #require(try Self.symbol(asset, payment, nil))
    #expect(asked.source == .own(asset: "$.\(asset)", payment: "$.\(payment)", symbol: nil) && !asked.isSure)
    #expect(
      asked.evidence == ["asset and payment currency have their own fields", "only their codes tell them apart"])
    let given = try #require(try Self.symbol(asset, payment, "BTC/USDT"))
    #expect(given.source == asked.source && given.isSure)
  }

  /// The currency of a fee is not what a coin is paid in.
  @Test func feesFormNoPairs() throws { #expect(try Self.symbol("coin", "fee_currency", nil)?.pairs == nil) }

  /// Symbols that are names of assets leave the payment currency open: the block shows where they are, and no empty code.
  @Test(arguments: [
    (["BTC", "ETH", "XRP"], #"{ "path": "$.s" }"#, false),
    (["BTC_USDT", "ETH_USDT", "XRP_USDT"], #"{ "path": "$.s", "split": "_" }"#, true),
  ])
  func unknownPaymentIsLeftOut(_ names: [String], _ symbol: String, _ isSure: Bool) throws {
    let rows = names.enumerated().map { #"{"s":"\#($1)","last":\#(91500 / ($0 * 7 + 1)).5}"# }
    let proposal = try ExchangeInference(Array("[\(rows.joined(separator: ","))]".utf8)).proposal()
    let found = try #require(proposal.symbol)
    let block = ExchangeBlock(
      proposal, symbol: found, roles: [], market: .spot, request: .init(baseURLs: [], path: "/"))
    #expect(block.symbol.text(lead: 0) == symbol)
    #expect(found.isSure == isSure)
  }

  /// The exchange's own name of a pair beside its currencies is no figure of the market: rather what is made of both.
  @Test(arguments: [
    (#""market_ask":PRICE.5,"currency_pair_code":"ASSETJPY""#, "$.currency_pair_code"),
    (#""market":"mkNUMBER","pair":"ASSETJPY""#, "$.pair"), (#""symbol":"mkNUMBER""#, "$.symbol"),
    (#""market":NUMBER"#, "$.market"), (#""market_price":"PRICE""#, nil), (#""pair_price":PRICE.25"#, nil),
    (#""market_cap":PRICE00"#, nil), (#""market":PRICE.5"#, nil),
  ])
  func ownNamesOfPairs(_ members: String, _ path: String?) throws {
    let rows = MisleadingColumnTests.coins.enumerated().map { index, coin in
      let price = Int(coin.1 * 155) + 1
      let others =
        members.replacing("ASSET", with: coin.0).replacing("PRICE", with: "\(price)")
        .replacing("NUMBER", with: "\(1000 + index)")
      return #"{\#(others),"base":"\#(coin.0)","quote":"JPY","last":\#(price)}"#
    }
    let symbol = try ExchangeInference(Array("[\(rows.joined(separator: ","))]".utf8)).proposal().symbol
    #expect(symbol?.source == .own(asset: "$.base", payment: "$.quote", symbol: path))
  }
}
