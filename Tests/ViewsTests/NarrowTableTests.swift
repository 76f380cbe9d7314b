import Mapping
import MarketData
import Quotes
import Terminal
import Testing

@testable import Views

/// What printed reports say where there is hardly any room: nothing is cut so that it reads as something else.
@Suite struct NarrowTableTests {
  /// An amount takes as many lines as it needs.
  @Test func amounts() {
    let pair = Pair(asset: "USD", payment: "KRW")
    let quote = RateQuote(pair, Decimal("1461.5") ?? 1, since: nil, provider: "Dunamu")
    let report = FxReport(
      RateReport(pair: pair, moment: SampleResponses.now, quote: quote), amount: 1_000_000_000, isExplained: false)
    #expect(
      report.text(on: Page(palette: .plain, width: 30)).split(separator: "\n").prefix(3) == [
        "USD/KRW 1461.50", "amount    1000000000 USD =", "            1461500000000 KRW",
      ])
  }

  /// An order book names the columns that it has no room for, and wraps what is above them.
  @Test func orderBook() {
    let report = OrderBookReport(
      [SampleResponses.binance], depth: 1, identity: .standard, at: SampleResponses.now, zone: .seoul)
    let text = report.text(on: Page(palette: .plain, width: 20))
    #expect(
      text
        == [
          "BTC/USDT order book", "UTC 2026-11-18 (Wed)", "  05:12:07", "", "Binance spot", "  BTC/USDT",
          "1 + 1 of 9 + 10", "  levels, 14:12:06", "  KST", "  size    price", "0.3805  91542.4", "  ask 91542.4",
          "  bid 91542.3", "  spread 0.1 (0.0001", "  %)", "  mid 91542.35", "0.4586  91542.3", "  bid 0.4586 ",
          "  0.3805 ask  54.7 :", "  45.3", "  within 0.1 % of", "  the middle  81.3 :", "  18.7",
          "  (these levels end",
          "  sooner)", "1 column hidden:", "total; widen the", "terminal or use", "--format csv", "",
        ].joined(separator: "\n"))
  }

  /// A network keeps its whole name. Only an asset that all rows have gives way to it.
  @Test(arguments: [
    (
      "BTC",
      """
      exchange  network  deposit  withdraw
      Gate      BEP20    open     closed
      Gate      BEP2     closed   open
      Kraken    unnamed  open     unknown
      2 columns hidden: asset, message; widen
      the terminal or use --format csv

      """
    ),
    (
      "XRP",
      """
      exchange  asset  network  deposit
        withdraw
      Gate      BTC    BEP20    open
        closed
      Gate      BTC    BEP2     closed
        open
      Kraken    XRP    unnamed  open
        unknown
      1 column hidden: message; widen the
      terminal or use --format csv

      """
    ),
  ])
  func wallets(_ other: String, _ text: String) {
    var gate = WalletReport(exchange: "Gate")
    gate.rows = [
      WalletStatus(asset: "BTC", network: "BEP20", deposit: .open, withdraw: .closed, message: nil),
      WalletStatus(asset: "BTC", network: "BEP2", deposit: .closed, withdraw: .open, message: "maintenance"),
    ]
    var kraken = WalletReport(exchange: "Kraken")
    kraken.rows = [WalletStatus(asset: other, network: nil, deposit: .open, withdraw: .unknown, message: nil)]
    #expect(WalletsReport([gate, kraken], assets: nil).text(on: Page(palette: .plain, width: 40)) == text)
  }

  /// A title with a time wraps between words.
  @Test func headings() {
    #expect(
      Page(palette: .plain, width: 20).heading("Rules of USD/KRW, at 2026-11-18 14:12:07")
        == "Rules of USD/KRW, at\n  2026-11-18\n  14:12:07\n")
  }
}
