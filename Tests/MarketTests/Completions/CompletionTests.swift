import Files
import TestSupport
import Testing

@testable import Shell
@testable import market

/// The output of `market complete`.
@Suite struct CompletionTests {
  private static let config = """
    {"version": 1, "watchlist": [{"asset": "BTC", "payment": "KRW"}],
      "exchanges": {
        "Upbit": {"baseUrls": ["https://a.example"], "rows": "$[*]", "symbol": {"path": "$.s", "split": "-"},
          "fields": {"price": "$.p"}, "paymentCurrencies": {"all": ["KRW", "BTC", "USDT"]},
          "markets": {"spot": {"tickers": {"request": {"path": "/a"}}}}},
        "Up & Co": {"like": "Upbit", "paymentCurrencies": {"all": ["KRW", "EUR"]}},
        "Upoff": {"like": "Upbit", "enabled": false}},
      "fx": {"providers": {"Bank": {}}}}
    """

  /// Returns the words of the output, without their descriptions.
  private static func answer(_ words: [String]) async throws -> [String] {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/exchanges.json"
    try FileSystem.writeAtomically(Array(config.utf8), to: path)
    let world = TestWorld(
      ["complete", "--"] + words.map { $0.replacing("CONFIG", with: path) }, environment: ["MARKET_CONFIG": path])
    #expect(await Program.market.run(in: world.context) == .answer)
    #expect(world.errorOutput == "")
    return world.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let words: [String]
    let answer: [String]

    init(_ line: String, _ answer: [String]) {
      words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      self.answer = answer
    }

    var testDescription: String { words.joined(separator: " ") }
  }

  @Test(arguments: [
    Case("sh", ["show"]),
    Case("--", ["--help", "--version"]),
    Case("exp", ["explain"]),
    Case("complet", ["completions"]),
    Case("nothing ", []),
    Case("help sho", ["show"]),
    Case("--help sho", ["show"]),
    Case("show --form", ["--format"]),
    Case("show -f", ["-f"]),
    Case("show -f ", ["text", "json", "csv", "line", "waybar", "tmux", "xbar", "i3blocks"]),
    Case("show BTC USDT --format j", ["json"]),
    Case("show --format=j", ["--format=json"]),
    Case("show --format = j", ["json"]),
    Case("show --format =", ["text", "json", "csv", "line", "waybar", "tmux", "xbar", "i3blocks"]),
    Case("show -- --form", []),
    Case("show BT", ["BTC", "BTS", "BTG", "BTM", "BTT"]),
    Case("show --strict -f csv bt", ["btc", "bts", "btg", "btm", "btt"]),
    Case("show BTC ", ["KRW", "USDT", "EUR"]),
    Case("show BTC k", ["krw"]),
    Case("show btc/u", ["btc/usdt"]),
    Case("show BTC/", ["BTC/KRW", "BTC/USDT", "BTC/EUR"]),
    Case("show BTC KRW -e ", ["Upbit", "UpCo"]),
    Case("show BTC KRW -e up", ["upbit", "upco"]),
    Case("show BTC KRW -e upbit,u", ["upbit,upco"]),
    Case("show BTC KRW --exchange=Upbit,", ["--exchange=Upbit,UpCo"]),
    Case("premium BTC --against USDT,e", ["USDT,eur"]),
    Case("show BTC --columns price,t", ["price,turnover"]),
    Case("stream BTC --channel trades,", ["trades,ticker", "trades,orderbook", "trades,candles"]),
    Case("show BTC --columns price,p", ["price,payment", "price,product", "price,premium"]),
    Case("tickers U", ["Upbit", "UpCo"]),
    Case("tickers Upbit --pair btc/k", ["btc/krw"]),
    Case("test-exchange Upbit B", ["Bank"]),
    Case("test-exchange Upbit UpCo ba", ["bank"]),
    Case("remove-exchange upb", ["upbit"]),
    Case("fx --provider ", ["Bank"]),
    Case("config ", ["path", "show"]),
    Case("config show up", ["upbit", "upco"]),
    Case("completions ", ["bash", "zsh", "fish"]),
    Case("explain mkt02", ["mkt021", "mkt022", "mkt023"]),
    Case("validate-config x.", [":files"]),
    Case("show BTC --config=x", [":files"]),
    Case("show BTC --replay ", [":folders"]),
    Case("version ", ["--color", "--help"]),
    Case("version x ", ["--color", "--help"]),
    Case("tickers -c CONFIG u", ["upbit", "upco"]),
    Case("tickers -c /nowhere.json u", []),
  ])
  func answers(_ sample: Case) async throws {
    #expect(try await Self.answer(sample.words) == sample.answer)
  }

  @Test func meanings() async {
    let world = TestWorld(["complete", "--", "show", "--str"])
    #expect(await Program.market.run(in: world.context) == .answer)
    #expect(world.output == "--strict\texit with 1 if any exchange failed\n")
  }

  @Test func unknownShell() async {
    let world = TestWorld(["completions", "tcsh"])
    #expect(await Program.market.run(in: world.context) == .usage)
    #expect(
      world.errorOutput
        == "error: unknown shell 'tcsh'; expected bash, zsh or fish\nhelp: market completions --help\n")
  }

  /// New commands must give their words a kind: words with the same title have the same kind.
  @Test(arguments: Program.market.commands.map(\.name))
  func wordsHaveKinds(_ name: String) throws {
    let kinds: [String: WordKind] = [
      "FILE": .file, "DIR": .folder, "EXCHANGE": .exchange, "ASSET": .asset, "PAYMENT": .payment, "CURRENCY": .payment,
      "ASSET/PAYMENT": .pair, "COMMAND": .command, "CODE": .findingCode,
    ]
    let command = try #require(Program.market.command(named: name))
    for argument in command.arguments where command.name != "fx" {
      if let kind = kinds[argument.name] { #expect(argument.kind == kind, "\(argument.name)") }
    }
    for option in command.options {
      if let kind = option.valueName.flatMap({ kinds[$0] }) { #expect(option.kind == kind, "\(option.spelling)") }
    }
    if let exchange = command.option(named: "exchange") { #expect(exchange.kind == .list(.exchange)) }
  }
}
