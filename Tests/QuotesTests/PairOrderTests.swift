import Quotes
import Testing

/// The rows that `dataFromAsset` selects, and their order.
struct PairOrderTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Rows like `BTC/USD`, or `BTC/USD 1` with the rank of its product in the config.
    let rows: [String]
    let places: [Int]
    /// The places that begin an asset.
    let beginnings: [Int]
    let displaced: [Int]
  }

  @Test(arguments: [
    Case(testDescription: "no rows", rows: [], places: [], beginnings: [], displaced: []),
    Case(
      testDescription: "the order of the rows", rows: ["ETH/USDT", "BTC/USDC", "ETH/BTC", "BTC/EUR", "ADA/USDT"],
      places: [0, 2, 1, 3, 4], beginnings: [0, 1, 4], displaced: []),
    Case(
      testDescription: "the product named first",
      rows: ["BTC/USD 1", "ETH/USD 1", "BTC/USD 0", "BTC/USD 9", "BTC/USD 9", "BTC/USD 0"],
      places: [2, 1], beginnings: [2, 1], displaced: [0, 3, 4, 5]),
    Case(
      testDescription: "the earlier of equal ones", rows: ["BTC/USD 3", "BTC/USD 3"], places: [0], beginnings: [0],
      displaced: [1]),
  ])
  func bestRankedRowRepresentsPair(_ example: Case) {
    let words = example.rows.map { $0.split(separator: " ").map(String.init) }
    let order = PairOrder(
      count: words.count,
      pair: { row in
        let names = words[row][0].split(separator: "/").map(String.init)
        return Pair(asset: names[0], payment: names[1])
      },
      rank: { row in words[row].count > 1 ? Int(words[row][1]) ?? .max : .max })
    #expect(order.places.map(\.row) == example.places)
    #expect(order.places.filter(\.beginsAsset).map(\.row) == example.beginnings)
    #expect(order.displaced == example.displaced)
  }
}
