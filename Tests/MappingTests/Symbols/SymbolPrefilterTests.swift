import Mapping
import Quotes
import Testing

/// Skipping rows by a glance at their symbol must not lose one that a full reading would find.
@Suite struct SymbolPrefilterTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let asset: String
    let prices: [String]

    var testDescription: String { asset }

    init(_ asset: String, _ prices: String...) {
      self.asset = asset
      self.prices = prices
    }
  }

  private static let members = """
    "symbol": {"path": "$.s", "rules": [{"prefix": "t_", "split": "payment"}, {"split": "-"}, {"split": "payment"}]},
    "paymentCurrencies": {"stable": ["USDT"]}, "multiplier": {"1000": 1000, "k": 1000},
    "aliases": {"XBT": "BTC", "Tok": "TOKEN", "LUNA2": "LUNA", "LUNA": "LUNC"},
    "fields": {"price": "$.p"}
    """

  private static let body = """
    [{"s": "XBT-USDT", "p": 1}, {"s": "btcUSDT", "p": 2}, {"s": "ETH-USDT", "p": 3}, {"s": "1000PEPEUSDT", "p": 4000},
     {"s": "t_kPEPEusdt", "p": 5000}, {"s": "WBTCUSDT", "p": 6}, {"s": "Tok-USDT", "p": 7}, {"s": "LUNA2USDT", "p": 8},
     {"s": "LUNAUSDT", "p": 9}, {"s": "\\u0042TC-USDT", "p": 10}, {"s": "OLDUSDT", "p": 11}, {"s": "BTC", "p": 12},
     {"s": "1000Tok-USDT", "p": 13000}]
    """

  @Test(arguments: [
    Case("BTC", "1", "2", "10"), Case("ETH", "3"), Case("PEPE", "4", "5"), Case("WBTC", "6"), Case("TOKEN", "7", "13"),
    Case("LUNA", "8"), Case("LUNC", "9"), Case("NEW", "11"), Case("NOPE"),
  ])
  func prefilterLosesNoRow(_ sample: Case) throws {
    let table = try TestTable(Self.members)
    var asked = Asked()
    asked.pair = Pair(asset: sample.asset, payment: "USDT")
    asked.globalAliases = ["OLD": "NEW"]
    for namesUnsplit in [false, true] {
      asked.namesUnsplit = namesUnsplit
      let rows = try table.table(Array(Self.body.utf8), asked).rows
      #expect(rows.compactMap { $0.ticker.price.value?.shortest } == sample.prices)
    }
  }
}
