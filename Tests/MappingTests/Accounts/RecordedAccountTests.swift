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
    ("Binance", "balances.futures", "binance/balances@jkorf-6.json", 2),
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

  private static let request = RequestContext(now: Instant(nanoseconds: 1_709_220_600_000_000_000))

  /// What HTX has locked is one's own, too.
  @Test func lockedRows() throws {
    let account = try #require(SigningTests.exchanges.first { $0.name == "Htx" }?.account)
    let spot = try #require(account.balances.first { $0.account == "spot" })
    let rows = [("trade", "5"), ("frozen", "1.5"), ("lock", "100")].map { type, amount in
      #"{"currency": "usdt", "type": "\#(type)", "balance": "\#(amount)"}"#
    }.joined(separator: ", ")
    let answer = HTTPResponse(body: Array(#"{"status": "ok", "data": {"list": [\#(rows)]}}"#.utf8))
    let read = try spot.parts.flatMap {
      try BalancePlan($0.table, account: "spot").rows(in: answer, ReadingContext(Self.request)).rows
    }
    #expect(
      Balance.merged(read) == [
        Balance(
          account: "spot", asset: "USDT", free: .value(5), locked: .value(Decimal(mantissa: 1015, exponent: -1)),
          total: .value(Decimal(mantissa: 1065, exponent: -1)))
      ])
  }

  /// A list of Kraken's errors beside an empty result is an error, and a warning is none.
  @Test(arguments: [("EAPI:Invalid key", false), ("WGeneral:Danger", true)])
  func errorBesideAResult(_ text: String, isEmpty: Bool) throws {
    let account = try #require(SigningTests.exchanges.first { $0.name == "Kraken" }?.account)
    let part = try #require(account.balances.first { $0.account == "spot" }?.parts.first)
    let answer = HTTPResponse(body: Array(#"{"error": ["\#(text)"], "result": {}}"#.utf8))
    let read = try? BalancePlan(part.table, account: "spot").rows(in: answer, ReadingContext(Self.request)).rows
    #expect((read?.isEmpty ?? false) == isEmpty)
  }

  /// Kraken adds the days of a stake to the name of a coin, and writes tokens of shares with small letters. What is staked
  /// (`.S`), bonded (`.B`) or in opt-in rewards (`.M`) is locked; what earns without a choice (`.F`) is not.
  @Test(arguments: [
    ("SOL03.S", "SOL 2 0 2"), ("ETH2.S", "ETH 2 0 2"), ("DOT28.S", "DOT 2 0 2"), ("DOT.S", "DOT 2 0 2"),
    ("SOL.B", "SOL 2 0 2"), ("USDC.M", "USDC 2 0 2"), ("XBT.M", "BTC 2 0 2"), ("SOL.F", "SOL 2 1.5 0.5"),
    ("1INCH", "1INCH 2 1.5 0.5"), ("AAPLx", "AAPLX 2 1.5 0.5"),
    ("NVDAx.T", "NVDAX 2 1.5 0.5"), ("C98.S", "C98 2 0 2"), ("API3.S", "API3 2 0 2"), ("C98", "C98 2 1.5 0.5"),
  ])
  func namesOfStakes(_ name: String, _ row: String) throws {
    let account = try #require(SigningTests.exchanges.first { $0.name == "Kraken" }?.account)
    let spot = try #require(account.balances.first { $0.account == "spot" })
    let body = #"{"error": [], "result": {"\#(name)": {"balance": "2", "hold_trade": "0.5"}}}"#
    let rows = try spot.parts.flatMap { part in
      try BalancePlan(part.table, account: "spot").rows(
        in: HTTPResponse(body: Array(body.utf8)), ReadingContext(Self.request)
      ).rows
    }
    #expect(
      Balance.merged(rows).map { balance in
        ([balance.asset] + [balance.total, balance.free, balance.locked].map { $0.value?.shortest ?? "" })
          .joined(separator: " ")
      } == [row])
  }
}
