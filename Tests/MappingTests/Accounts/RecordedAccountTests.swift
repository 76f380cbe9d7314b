import Config
import Files
import HTTP
import Mapping
import Quotes
import TestSupport
import Testing

/// The shipped account blocks on responses that other projects have recorded or copied from documentation.
@Suite struct RecordedAccountTests {
  /// The exchange, block, file below `recordings/raw`, and number of rows: for balances all nonzero rows, each with a
  /// total; for wallets all rows, each with both states known.
  static let answers: [(exchange: String, block: String, file: String, rows: Int)] = [
    ("Binance", "balances.spot", "binance/balances@gct.json", 0),
    ("Binance", "balances.spot", "binance/balances@jkorf-4.json", 2),
    ("Binance", "balances.futures", "binance/balances@jkorf-7.json", 1),
    ("Binance", "walletStatus", "binance/assets@jkorf.json", 2),
    ("Bingx", "balances.spot", "bingx/balances@jkorf-2.json", 2),
    ("Bingx", "balances.futures", "bingx/balances@jkorf.json", 1),
    ("Bingx", "walletStatus", "bingx/assets@jkorf.json", 2),
    ("Bitfinex", "balances.exchange", "bitfinex/balances@jkorf.json", 1),
    ("Bitget", "balances.futures", "bitget/balances@jkorf-2.json", 1),
    ("Bitget", "balances.funding", "bitget/balances@jkorf-4.json", 1),
    ("Bitget", "walletStatus", "bitget/assets@jkorf.json", 1),
    ("Bybit", "balances.unified", "bybit/balances@jkorf.json", 0),
    ("Bybit", "walletStatus", "bybit/assets@jkorf.json", 2), ("Gemini", "balances.spot", "gemini/balances@gct.json", 6),
    ("Htx", "walletStatus", "htx/assets@jkorf-2.json", 3),
    ("Kraken", "balances.futures", "kraken/balances@jkorf.json", 3),
    ("Kraken", "walletStatus", "kraken/assets@jkorf.json", 3),
    ("Kucoin", "balances.trade", "kucoin/balances@jkorf-2.json", 1),
    ("Kucoin", "walletStatus", "kucoin/assets@jkorf.json", 3),
    ("Mexc", "balances.spot", "mexc/balances@jkorf-2.json", 2),
    ("Mexc", "balances.futures", "mexc/balances@jkorf.json", 1), ("Mexc", "walletStatus", "mexc/assets@jkorf.json", 2),
    ("Okx", "balances.trading", "okx/balances@jkorf.json", 1),
    ("Okx", "balances.funding", "okx/balances@jkorf-2.json", 1),
    ("Okx", "walletStatus", "okx/assets@jkorf.json", 1), ("Poloniex", "walletStatus", "poloniex/assets@gct-3.json", 3),
    ("Poloniex", "balances.futures", "poloniex/balances@gct-7.json", 1),
    ("Lbank", "walletStatus", "lbank/assets@jkorf-2.json", 2),
  ]

  @Test(.enabled(if: SharedCorpora.arePresent), arguments: answers.indices) func answer(_ index: Int) throws {
    let (name, block, file, count) = Self.answers[index]
    let account = try #require(SigningTests.exchanges.first { $0.name == name }?.account)
    let body = try FileSystem.read("\(try #require(SharedCorpora.root))/recordings/raw/\(file)")
    let answer = HTTPResponse(body: body)
    let request = RequestContext(now: Instant(nanoseconds: 1_709_220_600_000_000_000))
    if block == "walletStatus" {
      let rows = try WalletPlan(try #require(account.wallets.first)).wallets(
        in: answer, ReadingContext(request)
      ).rows
      #expect(rows.count == count)
      #expect(rows.allSatisfy { $0.deposit != .unknown && $0.withdraw != .unknown })
      return
    }
    let wanted = block.split(separator: ".").last ?? ""
    let parts = try #require(account.balances.first { $0.account == wanted }).parts
    // A part that names another currency in its request has the same response shape.
    let part = try #require(parts.first)
    let rows = try BalancePlan(part.table, account: String(wanted)).rows(
      in: answer, ReadingContext(request)
    ).rows
    #expect(Balance.merged(rows).count == count)
    #expect(Balance.merged(rows).allSatisfy { $0.total.value != nil })
  }

  /// Kraken adds the days of a stake to the name of a coin, and writes tokens of shares with small letters.
  @Test(arguments: [
    ("SOL03.S", "SOL"), ("ETH2.S", "ETH"), ("DOT28.S", "DOT"), ("DOT.S", "DOT"), ("USDC.M", "USDC"), ("1INCH", "1INCH"),
    ("AAPLx", "AAPLX"), ("NVDAx.T", "NVDAX"),
  ])
  func namesOfStakes(_ name: String, _ asset: String) throws {
    let account = try #require(SigningTests.exchanges.first { $0.name == "Kraken" }?.account)
    let part = try #require(account.balances.first { $0.account == "spot" }?.parts.first)
    let body = #"{"error": [], "result": {"\#(name)": {"balance": "2", "hold_trade": "0"}}}"#
    let rows = try BalancePlan(part.table, account: "spot").rows(
      in: HTTPResponse(body: Array(body.utf8)),
      ReadingContext(RequestContext(now: Instant(nanoseconds: 1_709_220_600_000_000_000)))
    ).rows
    #expect(rows.map(\.asset) == [asset])
  }
}
