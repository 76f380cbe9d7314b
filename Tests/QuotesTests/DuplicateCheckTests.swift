import Quotes
import Testing

struct DuplicateCheckTests {
  /// A row is known by exchange, market, asset, payment currency and product; by nothing less.
  @Test func findsNoDuplicateWhereAnyPartDiffers() {
    let rows = [
      row("A", "1"), row("B", "1"), row("A", "1", market: .futures), row("A", "1", market: .futures, product: "coin-m"),
      row("A", "1", pair: Pair(asset: "ETH", payment: "USDT")),
      row("A", "1", pair: Pair(asset: "BTC", payment: "USDC")),
    ]
    #expect(DuplicateCheck.findings(rows) == [nil, nil, nil, nil, nil, nil])
  }

  @Test func flagsAllRowsOfOneKey() {
    var rows = [
      row("A", "1"), row("A", "2", product: "coin-m"), row("A", "3"), row("A", "4", product: "coin-m"), row("B", "5"),
    ]
    rows[2].symbol = "XBTUSDT"
    let flag = Flag(code: "duplicate", message: "BTC/USDT comes 2 times: BTCUSDT, XBTUSDT", excludes: true)
    let product = Flag(
      code: "duplicate", message: "BTC/USDT of coin-m comes 2 times: BTCUSDT, BTCUSDT", excludes: true)
    #expect(DuplicateCheck.findings(rows) == [flag, product, flag, product, nil])
  }

  @Test func namesTheFirstFew() {
    let flag = Flag(
      code: "duplicate", message: "BTC/USDT comes 6 times: BTCUSDT, BTCUSDT, BTCUSDT, BTCUSDT, BTCUSDT …",
      excludes: true)
    #expect(DuplicateCheck.findings(Array(repeating: row("A", "1"), count: 6)) == Array(repeating: flag, count: 6))
  }
}
