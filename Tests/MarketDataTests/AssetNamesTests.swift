import Mapping
import Quotes
import TestSupport
import Testing

@testable import MarketData

/// The names of assets, by their source.
@Suite struct AssetNamesTests {
  private static let names = AssetNames([
    .init(
      exchange: "Upbit", market: .spot,
      .success([
        "BTC": AssetName(korean: "비트코인", english: "Bitcoin"), "XRP": AssetName(korean: "리플", english: "XRP"),
      ])),
    .init(exchange: "Luno", market: .spot, .failure(AnswerFailure(.timeout))),
    .init(
      exchange: "Bithumb", market: .spot,
      .success(["XRP": AssetName(korean: "엑스알피", english: ""), "PEPE": AssetName(korean: nil, english: "Pepe")])),
  ])

  @Test(
    arguments: [
      ("BTC", nil, "비트코인", "Upbit"), ("XRP", nil, "리플", "Upbit"), ("XRP", "Bithumb", "엑스알피", "Bithumb"),
      ("BTC", "Bithumb", "비트코인", "Upbit"), ("XRP", "Kraken", "리플", "Upbit"), ("NOPE", nil, nil, nil),
    ] as [(String, String?, String?, String?)])
  func names(_ asset: String, _ exchange: String?, _ korean: String?, _ source: String?) {
    #expect(Self.names[asset, on: exchange]?.name.korean == korean)
    #expect(Self.names[asset, on: exchange]?.exchange == source)
  }

  @Test func exchanges() {
    #expect(Self.names.exchanges == ["Upbit", "Bithumb"])
    #expect(Self.names["XRP", on: "Bithumb"]?.name.english == nil)
    #expect(AssetName(korean: "", english: "").isEmpty)
  }

  /// Both shipped exchanges with names have them in their recordings.
  @Test func shippedNamesAppearInRecordings() async throws {
    let session = try MarketSession.recorded()
    let names = await session.assetNames()
    #expect(names.exchanges == ["Upbit", "Bithumb"])
    #expect(names["BTC"]?.name == AssetName(korean: "비트코인", english: "Bitcoin"))
    #expect(names["XRP", on: "Bithumb"]?.name.korean == "엑스알피")
    // Its code was TON once, which is another coin.
    #expect(names["TON"] == nil)
    #expect(names["TOKAMAK"]?.name.english == "Tokamak Network")
  }
}
