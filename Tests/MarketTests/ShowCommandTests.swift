import Files
import TestSupport
import Testing

/// `market show` and `market tickers` as users see them, on the recordings that ship with the project.
@Suite(.waitsForPrograms) struct ShowCommandTests {
  struct Case: Sendable, CustomTestStringConvertible {
    /// The name of the golden file.
    let testDescription: String
    let words: [String]
    var environment: [String: String] = [:]
    /// The folder of the recordings, below the common one.
    var recordings = ""
    var code: Int32 = 0
  }

  private static let cassettes = checkout + "/Tests/Cassettes"

  /// The root of the checkout.
  private static let checkout = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    .joined(separator: "/")

  static let cases = [
    Case(testDescription: "show-btc-usdt.txt", words: ["show", "BTC", "USDT"]),
    Case(testDescription: "show-btc-krw.txt", words: ["show", "btc", "krw", "-m", "spot"]),
    Case(testDescription: "show-btc-usd.txt", words: ["show", "BTC", "USD"]),
    Case(testDescription: "show-pepe-usdt.txt", words: ["show", "PEPE", "USDT"]),
    Case(
      testDescription: "show-btc-usdt.json", words: ["show", "BTC", "USDT", "-f", "json", "-e", "binance,OKX,kraken"]),
    Case(testDescription: "show-btc-usdt.csv", words: ["show", "BTC", "USDT", "-f", "csv"]),
    Case(
      testDescription: "show-korean-colours.txt",
      words: ["show", "BTC", "USDT", "-e", "upbit,binance", "--color", "always"],
      environment: ["LC_ALL": "ko_KR.UTF-8"]),
    Case(
      testDescription: "show-korean.txt",
      words: ["show", "BTC", "KRW", "-e", "upbit,bithumb,gopax,kraken", "--lang", "ko"]),
    Case(
      testDescription: "show-korean-left-out.txt",
      words: ["show", "BTC", "USDT", "-e", "hyperliquid,binance,coinone,gate", "--top", "1", "--lang", "ko"]),
    Case(
      testDescription: "show-korean-unlisted.txt",
      words: ["show", "NOPE", "USDT", "-e", "binance,bybit", "--lang", "ko"], code: 1),
    Case(
      testDescription: "show-korean-json.txt", words: ["show", "BTC", "KRW", "--lang", "ko", "-f", "json"], code: 2),
    Case(testDescription: "show-explain.txt", words: ["show", "BTC", "USDT", "-e", "bybit,kraken", "--explain"]),
    Case(testDescription: "show-unlisted.txt", words: ["show", "NOPE", "USDT", "-e", "binance,bybit"], code: 1),
    Case(testDescription: "show-one-word.txt", words: ["show", "btc-usdt", "-e", "binance,bybit"]),
    Case(testDescription: "show-one-word.txt", words: ["show", "BTC/USDT", "-e", "binance,bybit"]),
    Case(testDescription: "show-btc.txt", words: ["show", "btc", "-m", "spot", "-e", "binance,bybit,upbit"]),
    Case(testDescription: "show-eth-everywhere.txt", words: ["show", "ETH", "-m", "futures"]),
    Case(testDescription: "show-btc-upbit.txt", words: ["show", "BTC", "-e", "upbit,bithumb"]),
    Case(testDescription: "show-no-payment.txt", words: ["show", "BTCUSDT"], code: 2),
    Case(testDescription: "show-unknown-exchange.txt", words: ["show", "BTC", "USDT", "-e", "binanse"], code: 2),
    Case(
      testDescription: "show-in-krw.txt",
      words: ["show", "BTC", "USDT", "-e", "binance,upbit", "-m", "spot", "--in", "krw"]),
    Case(
      testDescription: "show-without-rate.txt", words: ["show", "BTC", "KRW", "-e", "upbit", "-m", "spot"],
      recordings: "/Upbit"),
    Case(
      testDescription: "show-without-rate-verbose.txt",
      words: ["show", "BTC", "KRW", "-e", "upbit", "-m", "spot", "-v"], recordings: "/Upbit"),
    Case(testDescription: "show-no-rate.txt", words: ["show", "BTC", "KRW", "-e", "upbit", "-m", "spot", "--no-rate"]),
    Case(
      testDescription: "show-no-rate-in.txt", words: ["show", "BTC", "KRW", "--no-rate", "--in", "USD"], code: 2),
    Case(
      testDescription: "show-converted-alone.txt", words: ["show", "BTC", "USDT", "--columns", "price,converted"],
      code: 2),
    Case(
      testDescription: "show-converted-no-rate.txt",
      words: ["show", "BTC", "KRW", "--columns", "price,converted", "--no-rate"], code: 2),
    Case(
      testDescription: "show-in-unknown.txt", words: ["show", "BTC", "USDT", "-e", "binance", "--in", "KRV"], code: 2),
    Case(
      testDescription: "show-in-usdc.txt",
      words: ["show", "BTC", "KRW", "-e", "upbit", "-m", "spot", "--in", "USDC"]),
    Case(
      testDescription: "show-in-own.txt", words: ["show", "BTC", "KRW", "-e", "upbit", "-m", "spot", "--in", "KRW"]),
    Case(
      testDescription: "show-in-usd.csv", words: ["show", "BTC", "KRW", "-e", "upbit", "-f", "csv"]),
    Case(
      testDescription: "show-sort-top.txt",
      words: ["show", "BTC", "USDT", "-e", "hyperliquid,binance,okx,kraken,gmo", "--sort", "price", "--top", "3"]),
    Case(
      testDescription: "show-sort-change.txt",
      words: ["show", "BTC", "KRW", "-m", "spot", "--sort", "change"]),
    Case(
      testDescription: "show-sort-reverse.json",
      words: [
        "show", "BTC", "USDT", "-e", "binance,okx,kraken", "-f", "json", "--sort", "premium", "--reverse", "--top", "1",
      ]),
    Case(
      testDescription: "show-columns.txt",
      words: ["show", "BTC", "KRW", "-e", "upbit,korbit", "--columns", "Price,converted,exchange,volume,disparity"]),
    Case(
      testDescription: "show-columns.csv",
      words: [
        "show", "BTC", "USDT", "-e", "binance,okx", "-f", "csv", "--columns",
        "exchange,market,premium,disparityPercent",
      ]),
    Case(testDescription: "show-columns-unknown.txt", words: ["show", "BTC", "USDT", "--columns", "pricee"], code: 2),
    Case(
      testDescription: "show-columns-json.txt", words: ["show", "BTC", "USDT", "--columns", "price", "-f", "json"],
      code: 2),
    // Without a payment currency: the main one of a single exchange, and fiat money for a dollar token.
    Case(testDescription: "show-shib-upbit.txt", words: ["show", "SHIB", "-e", "upbit"]),
    Case(testDescription: "show-usdt.txt", words: ["show", "USDT", "-e", "upbit,coinone,binance"]),
    Case(
      testDescription: "show-futures-alone.txt", words: ["show", "BTC", "USD", "-e", "kraken,deribit", "-m", "futures"]),
    Case(testDescription: "show-reverse-alone.txt", words: ["show", "BTC", "USDT", "--reverse"], code: 2),
    Case(testDescription: "tickers-unlisted.txt", words: ["tickers", "binance", "--pair", "NOPE/USDT"], code: 1),
    Case(
      testDescription: "tickers-unlisted-market.txt", words: ["tickers", "upbit", "-m", "spot", "--pair", "NOPE/KRW"],
      code: 1),
    Case(testDescription: "premium-btc.txt", words: ["premium", "BTC", "-e", "upbit,bithumb,coinone,binance,kraken"]),
    Case(
      testDescription: "premium-btc-top.txt",
      words: ["premium", "BTC", "-e", "upbit,bithumb,binance,kraken", "--top", "2"]),
    Case(
      testDescription: "premium-btc-all.txt",
      words: ["premium", "BTC", "-e", "upbit,bithumb,coinone,binance,kraken", "--all"]),
    Case(
      testDescription: "premium-korean.txt",
      words: ["premium", "BTC", "-e", "upbit,bithumb,coinone,binance,kraken", "--lang", "ko"]),
    Case(
      testDescription: "premium-korean-unlisted.txt",
      words: ["premium", "NOPE", "-e", "upbit,binance", "--lang", "ko"], code: 1),
    Case(
      testDescription: "premium-korean-wallets.txt",
      words: [
        "premium", "BTC", "-e", "upbit,bithumb,coinone,binance,kraken,bitget", "--wallets", "--all", "--lang", "ko",
      ]),
    Case(testDescription: "premium-top-all.txt", words: ["premium", "BTC", "--top", "2", "--all"], code: 2),
    Case(testDescription: "premium-left-out.txt", words: ["premium", "ETH", "--max-age", "1s"]),
    Case(testDescription: "premium-left-out.csv", words: ["premium", "ETH", "--max-age", "1s", "-f", "csv"]),
    Case(
      testDescription: "premium-btc-size-fees.txt",
      words: ["premium", "btc", "--size", "10M", "--fees", "-e", "upbit,bithumb,coinone,binance,kraken,bitget"]),
    Case(
      testDescription: "premium-btc.json",
      words: ["premium", "BTC", "--against", "USDT", "-e", "upbit,binance", "--fees", "-f", "json"]),
    Case(
      testDescription: "premium-pepe.csv",
      words: ["premium", "PEPE", "--against", "USDT,USD", "-e", "upbit,bithumb,binance,kraken", "-f", "csv"]),
    Case(testDescription: "premium-wallets.txt", words: ["premium", "BTC", "--wallets"]),
    Case(testDescription: "premium-open.txt", words: ["premium", "BTC", "--open", "--top", "2"]),
    Case(
      testDescription: "premium-wallets-all.txt",
      words: ["premium", "BTC", "-e", "upbit,bithumb,coinone,binance,kraken,bitget", "--wallets", "--all"]),
    Case(
      testDescription: "premium-open.json",
      words: ["premium", "BTC", "-e", "bithumb,coinone,bitget,binance", "--open", "-f", "json"]),
    Case(
      testDescription: "premium-wallets.csv",
      words: ["premium", "BTC", "-e", "bithumb,coinone,bitget,kraken,okx", "--wallets", "-f", "csv"]),
    Case(
      testDescription: "premium-open-none.txt", words: ["premium", "PEPE", "-e", "coinone,bitget,gate", "--open"],
      code: 1),
    Case(testDescription: "wallet-status-btc.txt", words: ["wallet-status", "BTC"]),
    Case(
      testDescription: "wallet-status-usdt.json",
      words: ["wallet-status", "usdt", "-e", "bithumb,kucoin", "-f", "json"]),
    Case(testDescription: "wallet-status-coinone.csv", words: ["wallet-status", "-e", "coinone", "-f", "csv"]),
    Case(testDescription: "wallet-status-korean.txt", words: ["wallet-status", "리플", "-e", "bithumb,coinone,kraken"]),
    Case(
      testDescription: "wallet-status-nothing.txt", words: ["wallet-status", "zqzq", "-e", "bithumb"], code: 1),
    Case(testDescription: "wallet-status-needs-key.txt", words: ["wallet-status", "XRP", "-e", "upbit,gopax,bithumb"]),
    // Nothing is said to use a rate that does not exist.
    Case(
      testDescription: "premium-without-rate.txt", words: ["premium", "BTC", "-e", "upbit"], recordings: "/Upbit"),
    Case(testDescription: "premium-unlisted.txt", words: ["premium", "NOPE", "-e", "upbit,binance"], code: 1),
    Case(
      testDescription: "premium-against-itself.txt", words: ["premium", "BTC", "--against", "KRW"], code: 2),
    Case(testDescription: "premium-against-asset.txt", words: ["premium", "BTC", "--against", "btc"], code: 2),
    // A euro does not count as a dollar.
    Case(testDescription: "premium-against-euro.txt", words: ["premium", "BTC", "--against", "USDT,EUR"], code: 2),
    Case(testDescription: "premium-of-local.txt", words: ["premium", "KRW"], code: 2),
    Case(testDescription: "show-retired-exchange.txt", words: ["show", "BTC", "USDT", "-e", "BitMEX"], code: 1),
    Case(
      testDescription: "show-retired-among-others.txt",
      words: ["show", "BTC", "USDT", "-e", "bit-mex,binance", "-m", "spot"]),
    Case(testDescription: "show-retired-exchange.txt", words: ["tickers", "비트멕스"], code: 1),
    Case(testDescription: "show-retired-exchange.txt", words: ["tickers", "Bit Mex", "-f", "json"], code: 1),
    Case(testDescription: "show-retired-exchange.txt", words: ["test-exchange", "kraken", "BITMEX"], code: 1),
    Case(testDescription: "test-exchange.txt", words: ["test-exchange", "kraken", "bitget"]),
    Case(testDescription: "tickers-kraken.txt", words: ["tickers", "kraken"]),
    Case(testDescription: "tickers-binance-futures.csv", words: ["tickers", "binance", "-m", "futures", "-f", "csv"]),
    Case(
      testDescription: "tickers-kraken-futures.json",
      words: ["tickers", "kraken", "-m", "futures", "-f", "data-from-asset"]),
    Case(
      testDescription: "tickers-columns.csv",
      words: [
        "tickers", "kraken", "-m", "spot", "--sort", "price", "--reverse", "--top", "3", "--columns",
        "symbol,price,since,reasons", "-f", "csv",
      ]),
    Case(
      testDescription: "tickers-columns-json.txt", words: ["tickers", "kraken", "--columns", "price", "-f", "ndjson"],
      code: 2),
    Case(
      testDescription: "tickers-columns-unknown.txt", words: ["tickers", "kraken", "--columns", "disparity"], code: 2),
    Case(testDescription: "tickers-reverse-alone.txt", words: ["tickers", "kraken", "--reverse"], code: 2),
    Case(
      testDescription: "tickers-sort-object.txt",
      words: ["tickers", "kraken", "--sort", "price", "-f", "data-from-asset"], code: 2),
  ]

  /// Without a network, forty identical lines would push the table off the screen.
  @Test func failuresWithSameReasonShareALine() throws {
    // Recordings of another exchange.
    let folder = Self.cassettes + "/Upbit"
    let words = ["show", "BTC", "USDT", "-m", "spot", "--replay", folder, "-c", Self.checkout + "/exchanges.json"]
    let three = words + ["-e", "binance,okx,htx"]
    let grouped = try Subprocess(market: three)
    #expect(grouped.code == 1)
    #expect(
      grouped.errorOutput == """
        market: 3 markets: no-answer not-recorded (Binance, Okx, Htx; -v shows more)

        """)
    let each = try Subprocess(market: three + ["-v"]).errorOutput.split(separator: "\n")
    #expect(each.count { $0.contains(" spot: no-answer not-recorded (no recording of GET https://") } == 3)
  }

  /// Nothing to replay is an error at the start, whatever was asked: there is no time to show, either.
  @Test(arguments: [
    "show BTC USDT", "watch BTC/USDT --once", "stream BTC/USDT", "list", "fx USD KRW", "orderbook BTC USDT",
    "premium BTC", "wallet-status BTC",
  ])
  func folderWithoutRecordings(_ words: String) throws {
    let folder = try TemporaryFolder()
    let run = try Subprocess(
      market: words.split(separator: " ").map(String.init) + [
        "--replay", folder.path, "--config", Self.checkout + "/exchanges.json",
      ])
    #expect(run.code == 1 && run.output == "", "\(run.output)")
    #expect(
      run.errorOutput.hasSuffix(
        "error: '\(folder.path)' has no recordings; make some first with: --record \(folder.path)\n"),
      "\(run.errorOutput)")
  }

  @Test(arguments: cases) func outputMatchesGolden(_ sample: Case) throws {
    let run = try Subprocess(
      market: sample.words + [
        "--replay", Self.cassettes + sample.recordings, "--config", Self.checkout + "/exchanges.json",
      ],
      environment: sample.environment)
    #expect(run.code == sample.code)
    let text = run.output + (run.errorOutput.isEmpty ? "" : "--- stderr\n" + run.errorOutput)
    Golden.expect(text.replacingOccurrences(of: Self.checkout, with: "."), matches: sample.testDescription)
  }

  /// The second clock is in the user's time zone; UTC is not repeated.
  @Test(arguments: [("XYZ3", "   XYZ 2026-11-18 (Wed) 02:12:07"), ("UTC0", "")])
  func localClock(_ zone: String, _ clock: String) throws {
    let run = try Subprocess(
      market: [
        "show", "BTC", "USDT", "-e", "okx", "--no-rate", "--replay", Self.cassettes, "--config",
        Self.checkout + "/exchanges.json",
      ], environment: ["TZ": zone])
    #expect(run.output.split(separator: "\n").dropFirst().first == "UTC 2026-11-18 (Wed) 05:12:07\(clock)")
  }

  // MARK: No price

  /// Exchanges with a row without a price, or none, are named, with the command that explains why.
  @Test(arguments: [
    (
      #""$.last""#, #""$.lst""#,
      "no price for BTC/USDT: Alpha answers, but its price is path-miss; see what has changed with: market "
        + "test-exchange Alpha --live"
    ),
    (
      #""rows": "$[*]""#, #""rows": "$[*]", "where": [{"path": "$.x", "equals": "live"}]"#,
      "conditions (\"where\") of Alpha leave out rows that may be for BTC/USDT; see their values with: market "
        + "test-exchange Alpha --live"
    ),
  ])
  func pointsToExplainingCommand(_ text: String, _ slip: String, _ note: String) throws {
    let folder = try TrialFolder()
    try folder.replaceInConfig(text, with: slip)
    let run = try Subprocess(
      market: ["show", "BTC", "USDT", "--no-rate", "-c", folder.config, "--replay", folder.recordings])
    #expect(run.code == 1)
    #expect(run.errorOutput.contains("market: \(note) -c \(folder.config)\n"), "\(run.errorOutput)")
  }

  /// A lookup that only tells if a pair is halted costs no price when it fails; the failure is named.
  @Test(arguments: [
    (#"{"s": "BTC-USDT", "state": "live"}"#, 0, ""),
    (
      #"{"s": "BTC-USDT", "state": "halted"}"#, 1,
      """
      market: Alpha has BTC/USDT on its spot market, but does not trade it now
      market: conditions ("where") of Alpha leave out rows that may be for BTC/USDT; see their values with: market \
      test-exchange Alpha --live -c CONFIG

      """
    ),
    ("busy", 0, "market: Alpha spot, in part: lookup live: not-json (expected a value at line 1, column 1)\n"),
  ])
  func haltedPair(_ state: String, _ code: Int32, _ notes: String) throws {
    let folder = try TrialFolder()
    try folder.replaceInConfig(
      #""rows": "$"}"#,
      with: #"""
        "rows": "$", "where": [{"from": "live", "path": "$.state", "equals": "live"}],
          "lookups": {"live": {"request": {"path": "/state", "query": {"s": "{asset}-{payment}"}}, "rows": "$",
            "key": "$.s", "optional": true}}}
        """#)
    try folder.record("03-spot-lookup-live-BTC-USDT", "https://alpha.example/state?s=BTC-USDT", state)
    let run = try Subprocess(
      market: ["show", "BTC", "USDT", "-m", "spot", "--no-rate", "-c", folder.config, "--replay", folder.recordings])
    #expect(run.code == code)
    #expect(run.output.contains("65010") == (code == 0))
    #expect(run.output.contains("\nno row: Alpha has it, but does not trade it now\n") == (code == 1))
    #expect(run.errorOutput == notes.replacing("CONFIG", with: folder.config))
  }

  /// An exchange that trades a coin by the thousand answers a request for `1000PEPE`, whose row is that of PEPE.
  @Test func bundleIsShownUnderItsCoin() throws {
    let folder = try TrialFolder()
    try folder.replaceInConfig(
      #""rows": "$"}"#,
      with: #""rows": "$", "multiplier": {"1000": 1000}}"#)
    try folder.record(
      "03-spot-ticker-1000PEPE-USDT", "https://alpha.example/one?s=1000PEPE-USDT",
      #"{"s": "1000PEPE-USDT", "last": 10}"#)
    let run = try Subprocess(
      market: [
        "show", "1000PEPE", "USDT", "-m", "spot", "--no-rate", "-c", folder.config, "--replay", folder.recordings,
      ])
    #expect(run.code == 1)
    #expect(
      run.errorOutput
        == "market: no exchange lists 1000PEPE/USDT; exchanges' bundles of PEPE are priced per coin: market show PEPE USDT"
        + " -c \(folder.config)\n")
  }

  /// Rows of other pairs that conditions leave out have nothing to do with a pair that nobody lists, and an exchange
  /// that is not asked does not say that it lacks the pair.
  @Test(arguments: [
    (
      #""rows": "$[*]""#, #""rows": "$[*]", "where": [{"path": "$.x", "equals": "live"}]"#, "NOPE",
      "market: no exchange lists NOPE/USDT; look for it with: market search NOPE"
    ),
    (
      #""rows": "$[*]""#, #""rows": "$[*]", "paymentCurrencies": {"fiat": ["KRW"]}"#, "BTC",
      "market: no exchange in the config has pairs in USDT; look for its pairs with: market search BTC"
    ),
  ])
  func absentPair(_ text: String, _ change: String, _ asset: String, _ notes: String) throws {
    let folder = try TrialFolder()
    try folder.replaceInConfig(text, with: change)
    let run = try Subprocess(
      market: ["show", asset, "USDT", "--no-rate", "-c", folder.config, "--replay", folder.recordings])
    #expect(run.code == 1)
    #expect(run.errorOutput.hasSuffix("\(notes) -c \(folder.config)\n"), "\(run.errorOutput)")
  }

  /// Of a pair that no exchange lists, only what may explain it is said.
  @Test(arguments: [
    ("비트코인", "no exchange lists 비트코인/USDT; did you mean BTC (비트코인)?"),
    ("bitcoin KRW -e upbit", "Upbit does not list BITCOIN/KRW; did you mean BTC (Bitcoin)?"),
    ("비트코", "no exchange lists 비트코/USDT; look for it with: market search 비트코 -c CONFIG"),
    ("QQQQ USDT", "no exchange lists QQQQ/USDT; look for it with: market search QQQQ -c CONFIG"),
    ("BTC ETH", "no exchange lists BTC/ETH; did you mean ETH/BTC?"),
    ("USDT BTC", "no exchange lists USDT/BTC; did you mean BTC/USDT?"),
    ("USDT QQQQ", "no exchange in the config has pairs in QQQQ; did you mean QQQQ/USDT?"),
    ("bitcoin USTD", "no exchange in the config has pairs in USTD; did you mean BITCOIN/USDT?"),
    ("bitcoin QQQQ", "no exchange in the config has pairs in QQQQ; did you mean BTC (Bitcoin)?"),
    ("BTC QQQQ", "no exchange in the config has pairs in QQQQ; look for its pairs with: market search BTC -c CONFIG"),
    ("USD KRW", "no exchange lists USD/KRW; for exchange rates, run: market fx USD KRW -c CONFIG"),
    ("NOPE KRW -e coinone", "Coinone does not list NOPE/KRW; without -e all exchanges are asked"),
    ("NOPE KRW -e coinone,upbit", "none of 2 exchanges lists NOPE/KRW; without -e all exchanges are asked"),
    ("BTC ETH -e upbit", "Upbit has no pairs in ETH; did you mean ETH/BTC?"),
    (
      "NOPE KRW -e upbit,kraken",
      """
      Upbit does not list NOPE/KRW; without -e all exchanges are asked
      market: not asked: Kraken, because its 'paymentCurrencies' do not include KRW
      """
    ),
  ])
  func unlistedPair(_ words: String, _ note: String) throws {
    let config = Self.checkout + "/exchanges.json"
    let recorded = ["--replay", Self.cassettes, "--config", config]
    let run = try Subprocess(market: ["show"] + words.split(separator: " ").map(String.init) + recorded)
    #expect(run.code == 1)
    #expect(run.errorOutput == "market: \(note.replacing("CONFIG", with: config))\n")
  }

  /// An exchange after a list of exchanges belongs to it, wherever the command has room for one more word.
  @Test(arguments: [
    ("show BTC/KRW -e upbit bithumb", "upbit,bithumb"), ("show BTC -e upbit,coinone Bithumb", "upbit,coinone,Bithumb"),
    ("watch BTC/KRW -e upbit bithumb", "upbit,bithumb"), ("watch BTC/KRW -e upbit BITHUMB", "upbit,BITHUMB"),
    ("trades BTC -e upbit bithumb", "upbit,bithumb"),
  ])
  func exchangeBesideList(_ line: String, _ list: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let run = try Subprocess(market: words + ["-c", Self.checkout + "/exchanges.json"])
    #expect(run.code == 2)
    let last = list.split(separator: ",").last ?? ""
    let error = "error: unexpected argument '\(last)'; write --exchange \(list)\nhelp: market \(words[0]) --help\n"
    #expect(run.errorOutput == error)
  }

  /// In capitals it may be a coin; without an answer about that, the exchange is what was meant.
  @Test(arguments: [
    (
      "show BTC -e upbit BITHUMB", 1,
      """
      Upbit has no pairs in BITHUMB; look for its pairs with: market search BTC -c CONFIG
      market: 'BITHUMB' is an exchange; did you mean --exchange upbit,BITHUMB?
      """
    ),
    (
      "search BTC -e upbit BITHUMB", 1,
      """
      no pair matches 'BTC BITHUMB'
      market: 'BITHUMB' is an exchange; did you mean --exchange upbit,BITHUMB?
      """
    ),
    ("show BTC -e upbit NOPE", 1, "Upbit has no pairs in NOPE; look for its pairs with: market search BTC -c CONFIG"),
  ])
  func exchangeInCapitalsBesideList(_ line: String, _ code: Int32, _ notes: String) throws {
    let config = Self.checkout + "/exchanges.json"
    let run = try Subprocess(
      market: line.split(separator: " ").map(String.init) + ["-c", config, "--replay", Self.cassettes])
    #expect(run.code == code)
    #expect(run.errorOutput == "market: \(notes.replacing("CONFIG", with: config))\n")
  }

  /// The section says why some exchanges were not asked.
  @Test(arguments: [
    ("upbit,kraken", "no row: Upbit does not list it; 1 not asked, as it has no KRW in the config"),
    ("upbit,kraken,okx", "no row: Upbit does not list it; 2 not asked, as they have no KRW in the config"),
  ])
  func unaskedExchanges(_ names: String, _ line: String) throws {
    let run = try Subprocess(market: [
      "show", "NOPE", "KRW", "-m", "spot", "-e", names, "--no-rate", "--replay", Self.cassettes, "--config",
      Self.checkout + "/exchanges.json",
    ])
    #expect(run.output.split(separator: "\n").contains { $0 == line }, "\(run.output)")
  }

  /// With `--verbose`, rows that may be of the pair and exchanges that were not asked are named, too.
  @Test func unlistedPairInDetail() throws {
    let run = try Subprocess(
      market: [
        "show", "QQQQ", "USDT", "-v", "--replay", Self.cassettes, "--config", Self.checkout + "/exchanges.json",
      ])
    for note in ["conditions (\"where\") of Binance, ", "because their 'paymentCurrencies' do not include USDT\n"] {
      #expect(run.errorOutput.contains(note), "\(run.errorOutput)")
    }
  }

  @Test func tickersExcludedByConditionsAreReported() throws {
    let folder = try TrialFolder()
    try folder.writeConfig(more: #""where": [{"path": "$.x", "equals": "live"}],"#)
    let run = try Subprocess(market: ["tickers", "alpha", "-c", folder.config, "--replay", folder.recordings])
    #expect(run.code == 1)
    #expect(
      run.errorOutput
        == "market: Alpha spot: no row: 2 are left out by \"where\"; see their values with: market test-exchange "
        + "Alpha --live -c \(folder.config)\n")
  }
}

/// An exchange that has no request for all its pairs says so wherever those are wanted.
@Suite(.waitsForPrograms) struct TablelessExchangeTests {
  @Test(arguments: ["tickers", "list"]) func saysHowToAsk(_ command: String) throws {
    let folder = try TemporaryFolder()
    let config = #"""
      {"version": 1, "exchanges": {"Alpha": {"baseUrls": ["https://alpha.test"], "rows": "$", "symbol": "request",
        "paymentCurrencies": {"fiat": ["EUR"]}, "fields": {"price": "$.p"},
        "markets": {"spot": {"ticker": {"request": {"path": "/{asset}{payment}"}}}}}}}
      """#
    try FileSystem.writeAtomically(Array(config.utf8), to: "\(folder.path)/x.json")
    let run = try Subprocess(
      market: [command, "alpha", "-c", "\(folder.path)/x.json", "--replay", Checkout.path("Tests/Cassettes/Upbit")])
    #expect(run.code == 1)
    let note = "market: Alpha spot has no request for all pairs; ask for one with: market show BTC EUR -e Alpha\n"
    #expect(run.errorOutput.contains(note), "\(run.errorOutput)")
  }
}

extension String {
  fileprivate func replacingOccurrences(of target: String, with replacement: String) -> String {
    split(separator: target, omittingEmptySubsequences: false).joined(separator: replacement)
  }
}
