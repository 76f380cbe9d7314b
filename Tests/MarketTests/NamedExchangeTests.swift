import Files
import Quotes
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
    ("premium BTC -e upbit,binance", ""), ("tickers Kraken -m spot --pair XBT/USD", ""),
    // A pair is named as elsewhere, and as the program itself lists it.
    ("tickers Kraken -m spot --pair xbt-usd", ""), ("show XBT-LBANK/USDT -e lbank", ""),
  ])
  func areNamed(_ words: String, note: String) throws {
    let replay = ["--config", Checkout.path("exchanges.json"), "--replay", Checkout.path("Tests/Cassettes")]
    let run = try Subprocess(market: words.split(separator: " ").map(String.init) + replay)
    #expect(run.code == 0)
    #expect(run.errorOutput == note)
  }

  /// One whose block is invalid is left out with the reason, and another never stands for it.
  @Test(arguments: [
    ("trades BTC KRW -e upbit -w --once --screen 60x12", Int32(3), ""),
    ("orderbook BTC KRW -e upbit -w --once --screen 60x12", 3, ""), ("candles BTC KRW -e upbit", 3, ""),
    ("chart BTC USDT --premium upbit:KRW,binance", 3, ""),
    ("chart BTC USDT --premium upbit:KRW,binance -w --once --screen 100x30", 3, ""),
    ("orderbook BTC KRW -e upbit,bithumb -w --once --screen 80x12", 0, "Bithumb spot"),
    ("chart BTC USDT -e upbit:KRW,binance,okx --premium okx,binance", 0, "premium of Okx over Binance"),
  ])
  func invalidBlocks(_ words: String, _ code: Int32, _ text: String) throws {
    let folder = try TemporaryFolder()
    let config = "\(folder.path)/config.json"
    let slip = #"{ "markets": { "spot": { "tickers": { "fields": { "price": "$[[" } } } }, "rows": "$[" }"#
    try FileSystem.writeAtomically(
      Array(#"{ "version": 1, "extends": "builtin", "exchanges": { "Upbit": \#(slip) } }"#.utf8), to: config)
    let run = try Subprocess(
      market: words.split(separator: " ").map(String.init) + [
        "--config", config, "--replay", Checkout.path("Tests/Cassettes"),
      ])
    #expect(run.code == code, "\(run.output)\(run.errorOutput)")
    #expect(run.output.contains(text))
    #expect(run.errorOutput.contains("Upbit is left out because its block is invalid"))
    if code == 3 {
      #expect(
        run.errorOutput.hasSuffix("cannot query upbit: its block in the config is invalid\n"), "\(run.errorOutput)")
    }
  }

  /// A currency that cannot be meant is named with what it was given for.
  @Test(arguments: [
    (
      "premium BTC --local USD", Int32(2),
      "invalid value 'USD' for '--local'; it counts as dollars, against which it would be compared"
    ),
    ("premium BTC --local XYZQ", 2, "unknown currency 'XYZQ'"),
    (
      "orderbook BTC XYZQ", 1,
      "no exchange in the config offers order books in XYZQ; look for pairs with: market search BTC -c CONFIG"
    ),
    (
      "candles BTC XYZQ", 1,
      "no exchange in the config offers candles in XYZQ; look for pairs with: market search BTC -c CONFIG"
    ),
  ])
  func impossibleCurrencies(_ words: String, _ code: Int32, _ message: String) throws {
    let run = try Subprocess(
      market: words.split(separator: " ").map(String.init) + [
        "--config", Checkout.path("exchanges.json"), "--replay", Checkout.path("Tests/Cassettes"),
      ])
    #expect(run.code == code)
    let expected = message.replacing("CONFIG", with: Checkout.path("exchanges.json"))
    #expect(run.errorOutput.contains("error: \(expected)\n"), "\(run.errorOutput)")
  }

  /// A long list of names is no help; a currency behind a name is for other commands.
  @Test(arguments: [
    (
      "show BTC KRW -e upbit:KRW", "invalid exchange 'upbit:KRW'; the currency belongs in the pair: write Upbit alone"
    ),
    ("tickers upbit:KRW", "invalid exchange 'upbit:KRW'; write Upbit alone"),
    (
      "list QQQQ",
      "unknown exchange 'QQQQ' in CONFIG; list them with: market exchanges -c CONFIG, or look for pairs with: market "
        + "search QQQQ -c CONFIG"
    ),
    ("exchanges upbit:KRW", "invalid exchange 'upbit:KRW'; write Upbit alone"),
    (
      "show BTC KRW -e zzzzqq",
      "unknown exchange 'zzzzqq' in CONFIG; list them with: market exchanges -c CONFIG"
    ),
    (
      "trades BTC USDT -m futures --product stableMargim -e binance",
      "invalid value 'stableMargim' for '--product'; expected stableMargin"
    ),
  ])
  func unknownExchanges(_ line: String, _ message: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let run = try Subprocess(market: words + ["--config", Checkout.path("exchanges.json")])
    #expect(run.code == 2)
    let expected = message.replacing("CONFIG", with: Checkout.path("exchanges.json"))
    #expect(run.errorOutput == "error: \(expected)\nhelp: market \(words[0]) --help\n")
  }

  /// What would have no effect is refused.
  @Test(arguments: [
    ("show BTC USDT -f waybar -m futures", "'--market futures' cannot be combined with '--format waybar'"),
    ("show BTC USDT -f line --top 3", "'--top' cannot be combined with '--format line'"),
    ("show BTC USDT -f tmux --in KRW", "'--in' cannot be combined with '--format tmux'"),
    ("show BTC USDT -f xbar --strict", "'--strict' cannot be combined with '--format xbar'"),
    ("fx --list Dunamu --provider Dunamu", "'--list' takes one provider"),
    ("fx --list --explain", "'--list' cannot be combined with '--explain'"),
    ("show BTC USDT --explain -f csv", "'--explain' cannot be combined with '--format csv'"),
    ("orderbook BTC USDT --explain -f csv", "'--explain' cannot be combined with '--format csv'"),
    ("trades BTC USDT --daily --explain -f csv", "'--explain' cannot be combined with '--format csv'"),
    ("candles BTC USDT --explain -f csv", "'--explain' cannot be combined with '--format csv'"),
    ("fx --explain -f csv", "'--explain' cannot be combined with '--format csv'"),
    ("chart BTC USDT --rows 9 -f csv", "'--rows' cannot be combined with '--format csv'"),
    ("chart BTC USDT --rows 9 --svg a.svg", "'--rows' cannot be combined with '--svg'"),
    ("chart BTC USDT --scale log -f csv", "'--scale' cannot be combined with '--format csv'"),
    ("chart BTC USDT -w --plain --scale log", "'--scale' cannot be combined with '--plain'"),
    ("chart BTC USDT --scale ln", "invalid value 'ln' for '--scale'; expected price, percent or log"),
    ("watch BTC/USDT --plain --view table", "'--view' cannot be combined with '--plain'"),
    ("watch BTC/USDT -f ndjson --view table", "'--view' cannot be combined with '--format ndjson'"),
    ("watch BTC/USDT -f line --view table", "'--view' cannot be combined with '--format line'"),
    ("watch BTC/USDT -f tmux --plain", "'--plain' cannot be combined with '--format tmux'"),
    ("watch BTC/USDT -f xbar --once", "'--once' cannot be combined with '--format xbar'"),
    ("watch -f waybar", "'--format waybar' shows one pair; write: market watch BTC/USDT --format waybar"),
    ("show BTC USDT --cache 30s --replay DIR", "'--cache' cannot be combined with '--replay'"),
    ("show BTC USDT --timeout 0 --record DIR", "'--timeout 0' cannot be combined with '--record'"),
    (
      "show BTC USDT --timeout 0.4ms",
      "invalid value '0.4ms' for '--timeout'; expected seconds such as 5 or 0.8s, at most 600"
    ),
    (
      "show BTC USDT --timeout 0.0004",
      "invalid value '0.0004' for '--timeout'; expected seconds such as 5 or 0.8s, at most 600"
    ),
    ("candles BTC USDT --product nope -c CONFIG", "invalid value 'nope' for '--product'; expected stableMargin, "),
    ("stream BTC/USDT -i 5m", "'--interval' needs '--channel candles'"),
    ("validate-config --coverage -f json", "'--coverage' cannot be combined with '--format json'"),
  ])
  func optionsWithoutEffect(_ words: String, _ message: String) throws {
    let words = words.replacing("CONFIG", with: Checkout.path("exchanges.json"))
    let run = try Subprocess(market: words.split(separator: " ").map(String.init))
    #expect(run.code == 2)
    #expect(run.errorOutput.contains(message), "\(run.errorOutput)")
  }

  /// `--timeout 0` sends nothing, in any format.
  @Test(arguments: [("text", nil), ("json", nil), ("line", nil), ("text", "30s"), ("line", "1h")])
  func nothingIsKept(_ format: String, age: String?) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let config = Checkout.path("exchanges.json")
    let words =
      ["show", "BTC", "KRW", "-e", "upbit,bithumb", "--timeout", "0", "-f", format, "-c", config]
      + (age.map { ["--cache", $0] } ?? [])
    let run = try Subprocess(market: words, environment: ["XDG_CACHE_HOME": folder.path])
    #expect(run.code == 1)
    #expect(run.output == "")
    let limit = age.map { [" of the last 30 s", " of the last 60 min"][$0 == "30s" ? 0 : 1] } ?? ""
    #expect(
      run.errorOutput
        == "error: no answer about BTC/KRW\(limit) is kept, and '--timeout 0' sends no requests; keep some with: "
        + "market show BTC/KRW --cache 30s -c \(config.shellWord)\n")
  }

  /// Where nothing can be kept, `--cache` says so once, and `--timeout 0` does not advise it.
  @Test func nothingCanBeKept() throws {
    let exchanges = try SimulatedExchanges(2)
    defer { exchanges.stop() }
    let reason = "cannot create the folder '\(exchanges.config)/market/answers': Not a directory"
    for (option, code, message) in [
      ("--cache=30s", 0, "market: answers are not kept: \(reason)"),
      (
        "--timeout=0", 1,
        "error: no answer about BTC/USDT is kept, and '--timeout 0' sends no requests; none can be kept: \(reason)"
      ),
    ] as [(String, Int32, String)] {
      let run = try Subprocess(
        market: ["show", "BTC", "USDT", "--no-rate", "-c", exchanges.config, option],
        environment: ["XDG_CACHE_HOME": exchanges.config])
      #expect(run.code == code)
      #expect(run.errorOutput == message + "\n")
    }
  }
}
