import Quotes
import Testing

@testable import Views

/// A row's place in the title of its explanation, beside what it is compared with, and where it lacks something.
@Suite struct RowNameTests {
  @Test(
    arguments: [
      (.spot, nil, "Kraken", "Kraken"), (.futures, nil, "Kraken futures", "Kraken 선물"),
      (.futures, "inverse", "Kraken futures inverse", "Kraken 선물 inverse"),
    ] as [(Market, String?, String, String)])
  func rowsAreNamedWithTheirProduct(_ market: Market, _ product: String?, _ english: String, _ korean: String) {
    var row = Ticker(exchange: "Kraken", market: market, symbol: "", pair: Pair(asset: "BTC", payment: "USD"))
    row.product = product
    #expect(row.key.name(.english) == english)
    #expect(row.key.name(.korean) == korean)
  }
}
