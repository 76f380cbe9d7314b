import Files
import JSON
import TestSupport
import Testing

/// `market watch`, `market favorites` and the lines for status bars as users see them, on the shipped recordings.
@Suite(.waitsForPrograms) struct WatchCommandTests {
  struct Case: Sendable, CustomTestStringConvertible {
    /// The name of the golden file.
    let testDescription: String
    let words: [String]
    var environment: [String: String] = [:]
    var code: Int32 = 0
  }

  private static let cassettes = Checkout.path("Tests/Cassettes")
  private static let config = Checkout.path("exchanges.json")

  private static func run(_ words: [String], environment: [String: String] = [:]) throws -> Subprocess {
    try Subprocess(
      market: words + ["--replay", cassettes, "--config", config],
      environment: environment.merging(["TZ": "KST-9"]) { own, _ in own })
  }

  private static func text(_ run: Subprocess) -> String {
    run.output + (run.errorOutput.isEmpty ? "" : "--- stderr\n" + run.errorOutput)
  }

  @Test(arguments: [
    Case(testDescription: "watch-once.txt", words: ["watch", "--once"]),
    Case(testDescription: "watch-once-table-ko.txt", words: ["watch", "--once", "--view", "table", "--lang", "ko"]),
    Case(
      testDescription: "watch-once-pair.txt",
      words: ["watch", "btc-usdt", "-e", "binance,upbit,kraken", "--once", "--view", "pair", "--screen", "100x30"]),
    Case(
      testDescription: "watch-once-feeds.txt",
      words: ["watch", "BTC/KRW", "-e", "upbit,bithumb,binance", "--once", "--view", "feeds", "--screen", "80x20"]),
    Case(
      testDescription: "watch-once-colours.txt",
      words: ["watch", "BTC/KRW", "-e", "upbit,bithumb", "--once", "--size", "80x10", "--color", "always"],
      environment: ["LC_ALL": "ko_KR.UTF-8"]),
    Case(
      testDescription: "watch-once-nothing.txt",
      words: ["watch", "NOPE/USDT", "-e", "binance,bybit", "--once", "--screen", "80x10"], code: 1),
    Case(
      testDescription: "watch-once-no-currency.txt",
      words: ["watch", "BTC/USTD", "-e", "binance,bybit", "--once", "--screen", "80x10"], code: 1),
    Case(testDescription: "watch-plain.txt", words: ["watch", "BTC/USDT", "USDT/KRW"]),
    Case(testDescription: "watch.ndjson", words: ["watch", "BTC/KRW", "-e", "upbit,bithumb", "-f", "ndjson"]),
    Case(testDescription: "watch-no-pair.txt", words: ["watch", "BTC", "--once"], code: 2),
    Case(testDescription: "watch-one-word.txt", words: ["watch", "BTCUSDT"], code: 2),
    Case(testDescription: "watch-bad-size.txt", words: ["watch", "--once", "--size", "80"], code: 2),
    Case(
      testDescription: "watch-until.txt",
      words: ["watch", "BTC/KRW", "-e", "upbit,bithumb,gopax", "--plain", "--until", "premium > 0.01%"]),
    Case(
      testDescription: "watch-until-never.txt",
      words: ["watch", "BTC/KRW", "-e", "upbit,bithumb", "--plain", "--until", "premium > 50%"], code: 1),
    Case(
      testDescription: "watch-alert.ndjson",
      words: [
        "watch", "BTC/KRW", "-e", "upbit,bithumb", "-f", "ndjson", "--alert", "premium > 0.01% or price@Upbit > 1M",
      ]),
    Case(
      testDescription: "watch-bad-alert.txt", words: ["watch", "BTC/KRW", "--plain", "--alert", "premum > 3%"], code: 2),
    // An alert for a pair that is not followed could never fire; any of a pair's names is accepted.
    Case(
      testDescription: "watch-other-pair.txt",
      words: ["watch", "BTC/KRW", "-e", "upbit", "--plain", "--until", "ETH/KRW price > 1"], code: 2),
    Case(
      testDescription: "watch-until-alias.txt",
      words: ["watch", "BTC/KRW", "-e", "upbit", "--plain", "--until", "xbt/krw price > 1"]),
    Case(
      testDescription: "watch-bad-exec.txt", words: ["watch", "BTC/KRW", "--plain", "--exec", "true"], code: 2),
    Case(
      testDescription: "watch-line.txt", words: ["watch", "BTC/KRW", "-e", "upbit,bithumb", "-f", "line", "--no-rate"]),
    Case(testDescription: "show-line.txt", words: ["show", "BTC", "KRW", "-f", "line"]),
    Case(testDescription: "show-waybar.json", words: ["show", "BTC", "USDT", "-e", "binance,upbit", "-f", "waybar"]),
    Case(testDescription: "show-tmux.txt", words: ["show", "ETH", "USDT", "-f", "tmux", "--no-rate"]),
    Case(testDescription: "show-xbar.txt", words: ["show", "BTC", "KRW", "-f", "xbar", "--scheme", "kr"]),
    Case(testDescription: "show-i3blocks.txt", words: ["show", "BTC", "KRW", "-f", "i3blocks"]),
    Case(
      testDescription: "show-line-unlisted.txt", words: ["show", "NOPE", "USDT", "-e", "binance", "-f", "line"], code: 1
    ),
    Case(
      testDescription: "show-line-columns.txt", words: ["show", "BTC", "KRW", "-f", "line", "--columns", "price"],
      code: 2),
  ])
  func prints(_ sample: Case) throws {
    let run = try Self.run(sample.words, environment: sample.environment)
    #expect(run.code == sample.code)
    Golden.expect(Self.text(run), matches: sample.testDescription)
  }

  /// A single picture has the same names of assets as the screen.
  @Test func pictureHasNames() throws {
    let run = try Self.run(["watch", "BTC/KRW", "-e", "upbit", "--once", "--view", "pair", "--lang", "ko"])
    #expect(run.output.hasPrefix("BTC/KRW  비트코인"), "\(run.output)")
  }

  /// Pictures are drawn in ASCII if that is asked for, and in a locale that has nothing else; names stay as they are.
  @Test(arguments: ["watch BTC/KRW --once", "chart BTC KRW -e upbit", "orderbook BTC KRW -e upbit"])
  func drawnInASCII(_ command: String) throws {
    let words = command.split(separator: " ").map(String.init)
    func output(_ locale: String, _ options: String...) throws -> String {
      try Self.run(words + options, environment: ["LC_ALL": locale]).output
    }
    let (whole, drawn) = (try output("C.UTF-8"), try output("C.UTF-8", "--glyphs", "ascii"))
    #expect(whole.contains { !$0.isASCII && !$0.isLetter } && drawn.allSatisfy { $0.isASCII || $0.isLetter })
    #expect(try output("C") == drawn)
    #expect(try output("C", "--glyphs", "unicode") == whole)
  }

  /// Lines for pipes have no control byte but the newline; objects are complete, and their numbers increase.
  @Test func linesForPipesAreClean() throws {
    let plain = try Self.run(["watch", "--plain", "--color", "always"])
    let controls = plain.output.unicodeScalars.filter { $0.value < 0x20 && $0 != "\n" || $0.value == 0x7F }
    #expect(controls.isEmpty)
    let objects = try Self.run(["watch", "-f", "ndjson"]).output.split(separator: "\n").map { line in
      try JSONDocument(parsing: Array(line.utf8)).root
    }
    #expect(objects.compactMap { $0["seq"]?.numberText } == (1...objects.count).map(String.init))
  }

  /// The favourites come after the watchlist; a broken file is named and changes nothing else.
  @Test func favorites() throws {
    let home = try TemporaryFolder()
    let environment = ["XDG_CONFIG_HOME": home.path]
    func market(_ words: String...) throws -> Subprocess {
      try Subprocess(market: words + ["--config", Self.config], environment: environment)
    }
    let none = try market("favorites")
    #expect(none.code == 0 && none.output == "")
    #expect(none.errorOutput == "market: no favourites are stored; run: market favorites add BTC/KRW\n")
    let added = try market("favorites", "add", "pepe/usdt", "BTC/USDT")
    #expect(added.errorOutput == "market: added PEPE/USDT\nmarket: added BTC/USDT\n")
    #expect(try market("favorites", "add", "PEPE-USDT").errorOutput == "market: PEPE/USDT is already a favourite\n")
    #expect(try market("favorites").output == "PEPE/USDT\nBTC/USDT\n")
    #expect(
      try market("favorites", "remove", "BTC/USDT", "ETH/KRW").errorOutput
        == "market: removed BTC/USDT\nmarket: ETH/KRW is not a favourite\n")
    #expect(try market("favorites", "list").output == "PEPE/USDT\n")
    #expect(try market("favorites", "remove", "FOO/BAR").code == 1)
    #expect(try market("favorites", "list", "BTC/KRW").code == 2)
    #expect(try market("favorites", "add").code == 2)
    #expect(try Subprocess(market: ["favorites", "-c", "/nowhere.json"], environment: environment).code == 3)
    // Not valid asset names: invisible characters, separators and quotes.
    for name in ["B\u{1B}[2JTC", "B\u{7}", "B\u{200B}TC", "\u{202E}BTC", "B\u{E000}", "\"BTC\"", "B\\C", "..", "B;C"] {
      let refused = try market("favorites", "add", "\(name)/KRW")
      #expect(refused.code == 2, "\(name.debugDescription)")
      #expect(refused.errorOutput.contains("market favorites add BTC/USDT\n"))
      #expect(!refused.errorOutput.contains { $0 == "\u{1B}" || $0 == "\u{7}" || $0 == "\u{202E}" })
    }
    #expect(try market("favorites", "drop", "BTC/KRW").code == 2)

    let followed = try Self.run(["watch", "-f", "ndjson"], environment: environment)
    let start = try JSONDocument(parsing: Array((followed.output.split(separator: "\n").first ?? "").utf8)).root
    let pairs = start["pairs"]?.elements.compactMap(\.string)
    #expect(pairs == ["BTC/USDT", "ETH/USDT", "BTC/KRW", "USDT/KRW", "PEPE/USDT"])

    let path = "\(home.path)/market/favorites.json"
    try FileSystem.writeAtomically(Array("[\"PEPE\"]".utf8), to: path)
    let sentence = "\(path) is invalid, so it is not used: element 1 is not a pair such as \"BTC/USDT\""
    let broken = try Self.run(["watch", "--plain"], environment: environment)
    #expect(broken.code == 0)
    #expect(broken.errorOutput == "market: \(sentence)\n")
    let refused = try market("favorites", "add", "BTC/KRW")
    #expect(refused.code == 1)
    #expect(refused.errorOutput == "error: \(sentence)\n")
    #expect(try FileSystem.read(path) == Array("[\"PEPE\"]".utf8))
  }

  /// Alerts in the file that cannot fire because their pair or exchange is not followed are named, and cost no others.
  @Test func alertsForUnfollowedOnesAreNamed() throws {
    let home = try TemporaryFolder()
    try FileSystem.createFolder("\(home.path)/market")
    try FileSystem.writeAtomically(
      Array(#"["ETH/KRW price > 1", "XBT/KRW price > 2", "price@Bithumb > 1", "price > 3"]"#.utf8),
      to: "\(home.path)/market/alerts.json")
    let run = try Self.run(["watch", "BTC/KRW", "-e", "upbit", "--plain"], environment: ["XDG_CONFIG_HOME": home.path])
    #expect(
      run.errorOutput == """
        market: ETH/KRW is not followed here, so this alert never fires: ETH/KRW price > 1
        market: Bithumb is not followed here, so this alert never fires: price@Bithumb > 1

        """)
    let fired = run.output.split(separator: "\n").filter { $0.contains(" ALERT ") }.map { $0.drop { $0 != "A" } }
    #expect(fired == ["ALERT BTC/KRW price 134512000 > 2", "ALERT BTC/KRW price 134512000 > 3"])
  }

  /// A condition on an exchange that does not list the pair is waited for, but that is said.
  @Test func untilOnExchangeWithoutPairIsNamed() throws {
    let run = try Self.run(["watch", "BTC/KRW", "-e", "upbit,binance", "--plain", "--until", "price@Binance > 1"])
    #expect(run.code == 1)
    #expect(run.errorOutput == "market: Binance has no price of BTC/KRW (not-listed): price@Binance > 1\n")
  }

  /// An alert's command gets the figures in its environment; text remains text.
  @Test func runsCommands() throws {
    let home = try TemporaryFolder()
    let file = "\(home.path)/told"
    let run = try Self.run(
      [
        "watch", "BTC/KRW", "$(touch)/KRW", "-e", "upbit,bithumb", "--plain", "--until", "exchanges < 100",
        "--exec",
        "echo \"$MARKET_PAIR|$MARKET_PREMIUM|$MARKET_HIGH_EXCHANGE|$MARKET_EXPR|$MINE\" >> '\(file)'; sleep 0",
      ], environment: ["MINE": "kept"])
    #expect(run.code == 0)
    let told = String(decoding: try FileSystem.read(file), as: UTF8.self)
    #expect(told == "BTC/KRW|0.04|Bithumb|exchanges < 100|kept\n")
    #expect(!run.output.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
  }

  /// Permanent alerts are in a file, which is also followed without a screen.
  @Test func alertsFromFile() throws {
    let home = try TemporaryFolder()
    let path = "\(home.path)/market/alerts.json"
    try FileSystem.createFolder("\(home.path)/market")
    try FileSystem.writeAtomically(Array("[\"premium > 0.01%\"]".utf8), to: path)
    let words = ["watch", "BTC/KRW", "-e", "upbit,bithumb", "--plain"]
    let followed = try Self.run(words, environment: ["XDG_CONFIG_HOME": home.path])
    #expect(followed.output.contains(" ALERT BTC/KRW premium 0.04 % > 0.01%  Bithumb "))
    try FileSystem.writeAtomically(Array("[\"premium\"]".utf8), to: path)
    let broken = try Self.run(words, environment: ["XDG_CONFIG_HOME": home.path])
    #expect(broken.code == 0)
    #expect(
      broken.errorOutput
        == "market: \(path) is invalid, so it is not used: element 1, column 8: missing comparison: <, <=, > or >=\n")
  }
}
