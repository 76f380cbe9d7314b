import TestSupport
import Testing

/// An exchange that the user names and that cannot answer is not left out in silence.
@Suite(.waitsForPrograms) struct NamedExchangeTests {
  @Test(arguments: [
    ("show BTC KRW -e upbit,coinbase", "market: BTC/KRW is not listed by Coinbase\n"),
    ("stream BTC KRW -e upbit,coinbase", "market: Coinbase has no BTC/KRW\n"),
    ("stream BTC USDT -m futures -e bybit,upbit", "market: Upbit has no BTC/USDT in its futures market\n"),
    ("list -e upbit,dydx --no-rate", "market: Dydx has no spot market\n"),
    ("premium BTC -e upbit,binance,bitvavo", "market: Bitvavo has no BTC in KRW, USDT or USD\n"),
    ("premium BTC -e upbit,binance", ""),
  ])
  func areNamed(_ words: String, note: String) throws {
    let replay = ["--config", Checkout.path("exchanges.json"), "--replay", Checkout.path("Tests/Cassettes")]
    let run = try Subprocess(market: words.split(separator: " ").map(String.init) + replay)
    #expect(run.code == 0)
    #expect(run.errorOutput == note)
  }
}
