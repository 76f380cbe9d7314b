import Quotes
import Testing

struct DataFromAssetTests {
  static func ticker(_ asset: String, _ payment: String, _ price: String, product: String? = nil) -> Ticker {
    row("Bitget", price, market: .futures, product: product, pair: Pair(asset: asset, payment: payment))
  }

  @Test func holdsTextOfFourMembers() {
    var row = Self.ticker("BTC", "USDT", "67250.10")
    row.changePricePercent24 = cell("-0.4")
    row.turnover24 = cell("1.16539E8")
    row.volume24 = cell("0.3333333333333333333")
    row.quotients = [.volume24]
    row.open = cell("1")
    let table = DataFromAsset([row])
    let entry = DataFromAsset.Entry(
      price: "67250.10", changePricePercent24: "-0.40", turnover24: "116539000", volume24: "0.333333333333")
    #expect(table["BTC", "USDT"] == entry)
    #expect(table["BTC", "USDC"] == nil)
    #expect(table["ETH", "USDT"] == nil)
    #expect(entry.members.map(\.field) == [.price, .changePricePercent24, .turnover24, .volume24])
    #expect(entry.members.map(\.text) == ["67250.10", "-0.40", "116539000", "0.333333333333"])
  }

  @Test func leavesOutMembersWithoutAValue() {
    var row = Self.ticker("BTC", "USDT", "1.50")
    row.volume24 = .missing(.jsonNull)
    let table = DataFromAsset([row])
    #expect(table["BTC", "USDT"] == DataFromAsset.Entry(price: "1.50"))
    #expect(table["BTC", "USDT"]?.members.map(\.text) == ["1.50"])
  }

  @Test func keepsTheOrderOfTheRows() {
    let pairs = [("ETH", "USDT"), ("BTC", "USDC"), ("ETH", "BTC"), ("BTC", "EUR"), ("ADA", "USDT")]
    let table = DataFromAsset(pairs.map { Self.ticker($0, $1, "1") })
    #expect(table.assets.map(\.name) == ["ETH", "BTC", "ADA"])
    #expect(table.assets.map { $0.payments.map(\.name) } == [["USDT", "BTC"], ["USDC", "EUR"], ["USDT"]])
    #expect(table.displaced == [])
  }

  /// Of two rows with one pair that of the product named first in the config stands.
  @Test func choosesTheProductNamedFirst() {
    let rows = [
      Self.ticker("BTC", "USD", "1", product: "coin-m"), Self.ticker("ETH", "USD", "2", product: "coin-m"),
      Self.ticker("BTC", "USD", "3", product: "usd-m"), Self.ticker("BTC", "USD", "4", product: "other"),
      Self.ticker("BTC", "USD", "5"), Self.ticker("BTC", "USD", "6", product: "usd-m"),
    ]
    let table = DataFromAsset(rows, productOrder: ["usd-m", "coin-m"])
    #expect(table["BTC", "USD"]?.price == "3")
    #expect(table["ETH", "USD"]?.price == "2")
    #expect(table.displaced == [0, 3, 4, 5])
    #expect(table.assets.map(\.name) == ["BTC", "ETH"])

    let reversed = DataFromAsset(rows, productOrder: ["coin-m", "usd-m", "coin-m"])
    #expect(reversed["BTC", "USD"]?.price == "1")
    #expect(reversed.displaced == [2, 3, 4, 5])

    let unordered = DataFromAsset(rows)
    #expect(unordered["BTC", "USD"]?.price == "1")
  }
}
