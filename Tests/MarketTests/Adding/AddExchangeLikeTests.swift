import Files
import TestSupport
import Testing

@testable import Shell

/// `market add-exchange --like`: a family, and the differences.
@Suite struct AddExchangeLikeTests {
  private let world: AddingWorld

  init() throws { world = try AddingWorld() }

  /// Returns a sample in the family's shape, with `more` members per row.
  private static func sample(_ more: (String) -> String) -> String {
    let rows = [("BTCUSDT", "100", "101", "99", "10", "1000"), ("ETHUSDT", "10", "11", "9", "7", "70")].map {
      """
      {"symbol":"\($0.0)","lastPrice":"\($0.1)","highPrice":"\($0.2)","lowPrice":"\($0.3)","volume":"\($0.4)",\
      "quoteVolume":"\($0.5)","openPrice":"\($0.1)","priceChangePercent":"0.00"\(more($0.0))}
      """
    }
    return "[" + rows.joined(separator: ",") + "]"
  }

  private func add(_ answer: String, _ words: [String] = []) async throws -> AddingWorld.Outcome {
    try await world.run(
      ["add-exchange", "Newex", "--like", "Binance", "--yes", "--from-sample"]
        + ["https://api.newex.example/api/v3/ticker/24hr"] + words, answer: answer)
  }

  @Test func onlyTheHostDiffers() async throws {
    let done = try await add(
      Self.sample { _ in #","bidPrice":"9.99","askPrice":"100.1","closeTime":1700000000000"# }
        .replacing("\"9.99\"", with: "\"9.5\""))
    #expect(done.code == .answer, "\(done.everything)")
    #expect(
      try world.text(of: "exchanges.json").contains(
        """
            "Newex": { "like": "Binance", "baseUrls": ["https://api.newex.example"], "markets": { "futures": null } }
        """))
    #expect(
      done.output.contains("like Binance; what differs:\n  baseUrls  https://api.newex.example\n  nothing else\n"))
  }

  @Test func onlyDifferingKeysAreWritten() async throws {
    let done = try await add(
      Self.sample {
        $0 == "BTCUSDT" ? #","bestBid":"99.9","bestAsk":"100.1""# : #","bestBid":"9.99","bestAsk":"10.01""#
      })
    #expect(done.code == .answer, "\(done.everything)")
    let config = try world.text(of: "exchanges.json")
    #expect(config.contains(#""fields": { "bid": "$.bestBid", "ask": "$.bestAsk", "time": null }"#))
    #expect(!config.contains("lastPrice"))
    #expect(done.output.contains("fields.bid  \"$.bestBid\"  instead of \"$.bidPrice\""))
  }

  @Test func differentPathHasNoSinglePairRequest() async throws {
    let done = try await add(
      Self.sample { _ in "" }, ["--tickers", "/v9/all?x=1", "--base-url", "https://api.newex.example"])
    #expect(done.code == .answer, "\(done.everything)")
    let config = try world.text(of: "exchanges.json")
    #expect(config.contains(#""request": { "path": "/v9/all", "query": { "x": "1" } }"#))
    #expect(config.contains(#""ticker": null"#))
  }

  /// The family's rule reads `BTC_USDT` as `BTC_` in USDT, so the inferred rule precedes it.
  @Test func separatorIsNotPartOfAsset() async throws {
    let done = try await add(Self.sample { _ in "" }.replacing("USDT\"", with: "_USDT\""))
    #expect(done.code == .answer, "\(done.everything)")
    #expect(try world.text(of: "exchanges.json").contains(#""symbol": { "path": "$.symbol", "split": "_" }"#))
    #expect(!done.everything.contains("BTC_/USDT"))
  }

  @Test func unknownAssetsProveNothing() async throws {
    let row = Self.sample { _ in "" }.dropFirst().prefix { $0 != "}" } + "}"
    let rows = [("QQXA", "100.1"), ("QQXB", "100.2"), ("QQXC", "100.3")].map {
      row.replacing("BTC", with: $0).replacing("\"100\"", with: "\"\($1)\"")
    }
    let done = try await add("[\(rows.joined(separator: ","))]")
    #expect(done.code == .noAnswer && world.folder.names == [], "\(done.everything)")
    #expect(done.errorOutput.contains("'QQXA/USDT' is not a pair; say how to split a symbol with --set symbol=…"))
    #expect(!done.output.contains("proved  "))
  }

  private static let coins = [
    ("BTC", 91500.5), ("ETH", 3016.06), ("XRP", 2.2042), ("SOL", 141.04), ("ADA", 0.4316), ("DOGE", 0.1523),
    ("LTC", 84.05), ("LINK", 13.06), ("TRX", 0.2751), ("BCH", 512.3), ("DOT", 2.87), ("SHIB", 0.0000091),
    ("AAVE", 178.4), ("UNI", 6.21), ("XLM", 0.2467), ("ETC", 14.1),
  ]

  /// What a family computes from a column that turns out to be something else goes with it.
  @Test(
    arguments: [
      (false, #""Newex": { "like": "Family", "baseUrls": ["https://n.example"] }"#, []),
      (
        true, #""fields": { "volume24": null, "turnover24": null }"#,
        [
          "fields.volume24  null  instead of \"$.volume\"  (no check reaches it, and $.volume looks like turnover24: ",
          "(it is computed from $.volume, and $.volume looks like turnover24: ",
        ]
      ),
    ] as [(Bool, String, [String])])
  func computedFieldsGoWithTheirColumns(_ isMoney: Bool, _ written: String, _ said: [String]) async throws {
    _ = try world.save(
      #"""
      { "version": 1, "extends": "builtin", "exchanges": { "Family": { "baseUrls": ["https://f.example"], "rows": "$[*]",
        "symbol": { "path": "$.s", "split": "_" },
        "fields": { "price": "$.last", "high": "$.high", "low": "$.low", "volume24": "$.volume",
                    "turnover24": { "product": ["$.volume", "$.last"] } },
        "markets": { "spot": { "tickers": { "request": { "path": "/t" } } } } } } }
      """#, as: "exchanges.json")
    let rows = Self.coins.enumerated().map { index, coin in
      let money = 41_000.5 * Double(1 + (index * 37) % 29)
      return
        #"{"s":"\#(coin.0)_USDT","last":\#(coin.1),"high":\#(coin.1 * 1.05),"low":\#(coin.1 * 0.95),"volume":\#(isMoney ? money : money / coin.1)}"#
    }
    let done = try await world.run(
      ["add-exchange", "Newex", "--like", "Family", "--yes", "--from-sample", "https://n.example/t"],
      answer: "[\(rows.joined(separator: ","))]")
    #expect(done.code == .answer, "\(done.everything)")
    let config = try world.text(of: "exchanges.json").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(config.contains(written), "\(config) \(done.everything)")
    for text in said { #expect(done.output.contains(text), "\(done.everything)") }
  }

  @Test func nothingIsProvedWithoutSample() async throws {
    let done = try await world.run([
      "add-exchange", "Newex", "--like", "binance", "--base-url", "https://api.newex.example", "--set",
      "fields.bid=$.b", "--yes",
    ])
    #expect(done.code == .answer, "\(done.everything)")
    #expect(done.errorOutput.contains("no answer of Newex proves this"))
    #expect(try world.text(of: "exchanges.json").contains(#""tickers": { "fields": { "bid": "$.b" } }"#))
  }

  // MARK: What no check reaches

  struct Unchecked: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The members of a row in dollars, coins, money, and the change in percent.
    let members: @Sendable (_ price: Double, _ coins: Double, _ money: Double, _ change: Double) -> String
    /// The start of the line about the table.
    let verdict: String
    /// The fields left out, beside those that are not sent.
    let left: [String]
  }

  static let unchecked = [
    Unchecked(
      testDescription: "a fraction with nothing to tell it from a percentage",
      members: { #""lastPrice":"\#($0)","priceChangePercent":"\#($3 / 100)","volume":"\#($1)""# },
      verdict: "on trust  16 of 16 rows pass the checks, which do not reach price, volume24",
      left: ["changePricePercent24"]),
    Unchecked(
      testDescription: "money as the volume, and a change within the range",
      members: {
        #""lastPrice":"\#($0)","highPrice":"\#($0 * 1.05)","lowPrice":"\#($0 * 0.95)","priceChangePercent":"\#($3)","volume":"\#($2)""#
      },
      verdict: "on trust  16 of 16 rows pass the checks, which do not reach changePricePercent24", left: ["volume24"]),
    Unchecked(
      testDescription: "each figure beside another",
      members: {
        #""lastPrice":"\#($0)","openPrice":"\#($0 / (1 + $3 / 100))","priceChangePercent":"\#($3)","volume":"\#($1)","quoteVolume":"\#($0 * $1)""#
      },
      verdict: "proved    16 of 16 rows pass the checks\n", left: []),
  ]

  /// Rows that pass every check prove nothing about a figure that none of them compares.
  @Test(arguments: unchecked) func uncheckedFiguresAreNotProved(_ sample: Unchecked) async throws {
    let rows = Self.coins.enumerated().map { index, coin in
      let money = 41_000.5 * Double(1 + (index * 37) % 29)
      let change = Double(index % 7) * 0.9 - 2.35
      return #"{"symbol":"\#(coin.0)USDT",\#(sample.members(coin.1, money / coin.1, money, change))}"#
    }
    let done = try await add("[\(rows.joined(separator: ","))]")
    #expect(done.code == .answer, "\(done.everything)")
    #expect(done.output.contains("  tickers    " + sample.verdict), "\(done.output)")
    let config = try world.text(of: "exchanges.json")
    for field in ["price", "changePricePercent24", "volume24"] {
      #expect(config.contains("\"\(field)\": null") == sample.left.contains(field), "\(config)")
    }
  }

  // MARK: Part by part

  /// Returns two parts of one address, in the family's terms. Inverse contracts are counted in money.
  private static func part(_ category: String, _ symbols: [String]) -> String {
    let (turnover, volume) = category == "inverse" ? ("10", "1000") : ("1000", "10")
    let rows = symbols.map {
      """
      {"symbol":"\($0)","lastPrice":"\($0.hasPrefix("BTC") ? "100" : "100.01")","highPrice24h":"101","lowPrice24h":"99","prevPrice24h":"100",\
      "price24hPcnt":"0","turnover24h":"\(turnover)","volume24h":"\(volume)","bid1Price":"99.9","ask1Price":"100.1"}
      """
    }
    return
      #"{"retCode":0,"retMsg":"OK","result":{"category":"\#(category)","list":[\#(rows.joined(separator: ","))]},"time":1700000000000}"#
  }

  private func addFutures(_ samples: [String]) async throws -> AddingWorld.Outcome {
    let linear = try world.save(Self.part("linear", ["BTCUSDT", "ETHUSDT", "SOLUSDT"]), as: "linear.json")
    let inverse = try world.save(Self.part("inverse", ["BTCUSD", "ETHUSD"]), as: "inverse.json")
    let one = try world.save(Self.part("linear", ["BTCUSDT"]), as: "one.json")
    let files = ["linear": linear, "inverse": inverse, "one": one]
    let words = samples.flatMap { word in
      let parts = word.split(separator: "=").map(String.init)
      let file = files[parts[parts.count - 1]] ?? ""
      return ["--from-sample", parts.count > 1 ? parts.dropLast().joined(separator: "=") + "=" + file : file]
    }
    return try await world.run(
      ["add-exchange", "Newex", "--like", "Bybit", "-m", "futures", "--base-url", "https://api.newex.example", "--yes"]
        + words)
  }

  struct Parts: Sendable, CustomTestStringConvertible {
    let samples: [String]
    /// Whether these are proved: the linear part, the inverse part, one linear pair, one inverse pair.
    let proved: [Bool]
    let recordings: Int
    var testDescription: String { samples.joined(separator: " ") }
  }

  @Test(arguments: [
    Parts(samples: ["linear"], proved: [true, false, false, false], recordings: 1),
    Parts(samples: ["inverse"], proved: [false, true, false, false], recordings: 1),
    Parts(samples: ["linear", "inverse"], proved: [true, true, false, false], recordings: 2),
    Parts(samples: ["inverse", "linear"], proved: [true, true, false, false], recordings: 2),
    Parts(samples: ["inverse=inverse", "linear=linear"], proved: [true, true, false, false], recordings: 2),
    Parts(samples: ["category=linear=linear"], proved: [true, false, false, false], recordings: 1),
    Parts(samples: ["2=inverse", "ticker-linear=one"], proved: [false, true, true, false], recordings: 2),
  ])
  func eachPartIsProvedByItsOwnResponse(_ parts: Parts) async throws {
    let done = try await addFutures(parts.samples)
    #expect(done.code == .answer, "\(done.everything)")
    let lines = done.output.split(separator: "\n").filter { $0.contains("on trust") || $0.contains("proved  ") }
    // Its order book, trades and candles are included unread.
    #expect(lines.map { $0.contains("proved  ") } == parts.proved + [false, false, false], "\(done.output)")
    let names = try FileSystem.names(in: "\(world.folder.path)/cassettes/Newex").filter { $0.hasSuffix(".body") }
    #expect(names.count == parts.recordings)
    // Without a difference, nothing is written for it.
    #expect(
      try world.text(of: "exchanges.json").contains(
        #""Newex": { "like": "Bybit", "baseUrls": ["https://api.newex.example"], "markets": { "spot": null } }"#))
  }

  @Test func responseToWrongPartIsRefused() async throws {
    let done = try await addFutures(["linear=inverse", "inverse=inverse", "inverse=linear"])
    #expect(done.code == .usage && done.errorOutput.contains("--from-sample gives 'tickers inverse' twice"))
    let more = try await addFutures(["linear", "inverse", "linear", "linear", "linear"])
    #expect(more.code == .usage && more.errorOutput.contains("there are more answers than 'Bybit' has parts"))
  }

  /// The address of a part is not a difference: the parts define their own requests.
  @Test func partAddressIsNotADifference() async throws {
    let done = try await world.run(
      [
        "add-exchange", "Newex", "--like", "Bybit", "-m", "futures", "--yes", "--from-sample",
        "https://api.newex.example/v5/market/tickers?category=inverse",
      ], answer: Self.part("inverse", ["BTCUSD", "ETHUSD"]))
    #expect(done.code == .answer, "\(done.everything)")
    #expect(try world.text(of: "exchanges.json").contains(#""markets": { "spot": null } }"#))
    #expect(try world.text(of: "cassettes/Newex/01-futures-tickers.json").contains("category=inverse"))
  }

  @Test func optionsOverrideInheritedKeys() async throws {
    let line = "curl https://api.newex.example/api/v3/ticker/24hr -H 'X-API-KEY: hush1234'"
    let done = try await world.run(
      [
        "add-exchange", "Newex", "--like", "Binance", "--yes", "--from-curl", line, "--set", #"names=["NX"]"#, "--set",
        #"where=[{"path":"$.count","above":0}]"#, "--set", #"fields.bid={"path":"$.bidPrice","missing":["-"]}"#,
      ], answer: Self.sample { _ in #","bidPrice":"9.5","askPrice":"100.1","count":1,"closeTime":1700000000000"# })
    #expect(done.code == .answer && !done.everything.contains("hush1234"), "\(done.everything)")
    let config = try world.text(of: "exchanges.json").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(config.contains(#""headers": { "X-API-KEY": "{secret:x_api_key}" }"#))
    #expect(config.contains(#""names": ["NX"]"#), "\(config)")
    #expect(config.contains(#""where": [{ "path": "$.count", "above": 0 }]"#), "\(config)")
    #expect(config.contains(#""bid": { "path": "$.bidPrice", "missing": ["-"] }"#))
  }

  @Test(arguments: [
    (
      ["--like", "Binanse"], ExitCode.usage,
      "unknown exchange 'Binanse' in CONFIG; did you mean 'Binance'?\nhelp: market help"
    ),
    (["--like", "Upbit", "-m", "futures"], .noAnswer, "'Upbit' has no futures market"),
  ])
  func unknownFamilyIsRefused(_ words: [String], _ code: ExitCode, _ message: String) async throws {
    let done = try await world.run(["add-exchange", "Newex", "--base-url", "https://api.newex.example"] + words)
    #expect(done.code == code && done.errorOutput == "error: \(message.replacing("CONFIG", with: world.config))\n")
    #expect(world.folder.names == [])
  }
}
