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
          "auth": {"headers": {"X-KEY": "{secret:apiKey}", "X-SIGN": "{secret:secret}"}},
          "fields": {"price": "$.p"}, "paymentCurrencies": {"all": ["KRW", "BTC", "USDT"]},
          "markets": {"spot": {"tickers": {"request": {"path": "/a"}}}}},
        "Up & Co": {"like": "Upbit", "paymentCurrencies": {"all": ["KRW", "EUR"]}},
        "Upoff": {"like": "Upbit", "enabled": false}},
      "fx": {"providers": {
        "Bank": {"request": {"path": "/r", "query": {"key": "{secret:key}"}}}, "Free": {"request": {"path": "/r"}}}}}
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
    Case("exp", ["explain"]), Case("explain json", ["json-null"]),
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
    Case("show BT", ["BTC"]),
    Case("show --strict -f csv bt", ["btc"]),
    Case("show ", ["BTC", "USDT"]),
    Case("watch -f ", ["text", "ndjson", "line", "waybar", "tmux", "xbar", "i3blocks"]),
    Case("watch ", ["BTC/KRW"]),
    Case("watch B", ["BTC/KRW", "BTC/USDT", "BTC/EUR"]),
    Case("watch us", ["usdt/krw", "usdt/eur"]),
    Case("watch BTC/KRW B", ["BTC/USDT", "BTC/EUR"]),
    Case("watch BTC/U", ["BTC/USDT"]),
    Case("favorites add B", ["BTC/KRW", "BTC/USDT", "BTC/EUR"]),
    Case("favorites remove B", []),
    Case("fx k", ["krw", "kes", "kgs", "khr", "kmf", "kpw", "kwd", "kyd", "kzt"]),
    Case("fx KRW U", ["UAH", "UGX", "USD", "UYU", "UZS", "USDT", "USDC", "USDE", "USD1", "USDG"]),
    Case("premium BTC --local k", ["krw", "kes", "kgs", "khr", "kmf", "kpw", "kwd", "kyd", "kzt"]),
    Case("premium BTC --local us", []),
    Case("chart BTC USDT --premium up", ["upbit", "upco"]),
    Case("chart BTC USDT --premium Upbit:", ["Upbit:KRW", "Upbit:USDT"]),
    Case("chart BTC USDT --premium upbit,upco:e", ["upbit,upco:eur"]),
    Case("chart BTC/USDT --premium=Upbit:", ["--premium=Upbit:KRW", "--premium=Upbit:USDT"]),
    Case("chart BTC USDT --premium Upbit :", ["KRW", "USDT"]),
    Case("chart BTC USDT --premium Upbit,Upco : E", ["EUR"]),
    Case("trades BTC -e upbit : u", ["usdt"]),
    Case("show BTC -e upbit:", []),
    Case("show BTC ", ["KRW", "USDT", "EUR"]),
    Case("show BTC k", ["krw"]),
    Case("show btc/u", ["btc/usdt"]),
    Case("show BTC/", ["BTC/KRW", "BTC/USDT", "BTC/EUR"]),
    Case("show BTC KRW -e ", ["Upbit", "UpCo"]),
    Case("show BTC KRW -e up", ["upbit", "upco"]),
    Case("show BTC KRW -e upbit,u", ["upbit,upco"]),
    Case("show BTC KRW --exchange=Upbit,", ["--exchange=Upbit,UpCo"]),
    Case(
      "premium BTC --against USDT,u", ["USDT,usd", "USDT,usdc", "USDT,usde", "USDT,usd1", "USDT,usdg"]),
    Case("premium BTC --against K", []),
    Case("tickers Upbit -r pairs = x", [":files"]),
    Case("tickers Upbit -r pairs=x", [":files"]),
    Case("show BTC --columns price,t", ["price,turnover"]),
    Case("stream BTC --channel trades,", ["trades,ticker", "trades,orderbook", "trades,candles"]),
    Case("show BTC --columns price,p", ["price,payment", "price,product", "price,premium"]),
    Case("tickers Upbit --columns price,p", ["price,payment", "price,product"]),
    Case("tickers U", ["Upbit", "UpCo"]),
    Case("tickers Upbit --pair btc/k", ["btc/krw"]),
    Case("test-exchange Upbit B", ["Bank"]),
    Case("test-exchange Upbit UpCo ba", ["bank"]),
    Case("remove-exchange upb", ["upbit"]),
    Case("fx --provider ", ["Bank", "Free"]),
    Case("fx --list ", ["Bank", "Free"]),
    Case("fx --explain --list b", ["bank"]),
    Case("keys add Upbit ", ["apiKey", "secret"]),
    Case("keys add upbit apiKey ", ["secret"]),
    Case("keys add Bank ", ["key"]), Case("keys add b", ["bank"]), Case("keys add f", []),
    Case("keys add Nowhere ", []),
    Case("keys test Upbit ", []),
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

  /// Of favourites, only those that are stored can be removed.
  @Test(
    arguments: [
      ("favorites remove ", ["PEPE/USDT", "XRP/KRW"]), ("favorites remove x", ["xrp/krw"]),
      ("favorites remove XRP/K", ["XRP/KRW"]), ("favorites remove XRP/KRW ", ["PEPE/USDT"]), ("favorites list ", []),
      ("watch ", ["BTC/KRW", "PEPE/USDT", "XRP/KRW"]), ("show P", ["PEPE"]),
    ])
  func favorites(_ line: String, _ answer: [String]) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try FileSystem.createFolder("\(folder.path)/market")
    try FileSystem.writeAtomically(
      Array(#"["PEPE/USDT", "XRP/KRW"]"#.utf8), to: "\(folder.path)/market/favorites.json")
    try FileSystem.writeAtomically(Array(Self.config.utf8), to: "\(folder.path)/exchanges.json")
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let world = TestWorld(
      ["complete", "--"] + words,
      environment: ["MARKET_CONFIG": "\(folder.path)/exchanges.json", "XDG_CONFIG_HOME": folder.path])
    #expect(await Program.market.run(in: world.context) == .answer)
    #expect(world.output.split(separator: "\n").map(String.init) == answer)
  }

  @Test func meanings() async {
    let world = TestWorld(["complete", "--", "show", "--str"])
    #expect(await Program.market.run(in: world.context) == .answer)
    #expect(world.output == "--strict\texit with 1 if any exchange failed\n")
  }

  @Test(arguments: ["tcsh", "ksh"]) func unknownShell(_ shell: String) async {
    let world = TestWorld(["completions", shell])
    #expect(await Program.market.run(in: world.context) == .usage)
    #expect(
      world.errorOutput
        == "error: unknown shell '\(shell)'; expected bash, zsh or fish\nhelp: market completions --help\n")
  }

  /// New commands must give their words a kind: words with the same title have the same kind.
  @Test(arguments: Program.market.commands.map(\.name))
  func wordsHaveKinds(_ name: String) throws {
    let kinds: [String: WordKind] = [
      "FILE": .file, "DIR": .folder, "EXCHANGE": .exchange, "ASSET": .asset, "PAYMENT": .payment,
      "ASSET/PAYMENT": .pair, "COMMAND": .command, "CODE": .findingCode,
    ]
    let command = try #require(Program.market.command(named: name))
    for argument in command.arguments where command.name != "fx" {
      if let kind = kinds[argument.name] { #expect(argument.kind == kind, "\(argument.name)") }
    }
    for option in command.options {
      if let kind = option.valueName.flatMap({ kinds[$0] }) { #expect(option.kind == kind, "\(option.spelling)") }
    }
    for option in command.options where option.valueName == "CURRENCY" {
      #expect([.currency(hasDollars: true), .currency(hasDollars: false)].contains(option.kind), "\(option.spelling)")
    }
    if let exchange = command.option(named: "exchange") {
      #expect([.list(.exchange), .list(.place)].contains(exchange.kind))
    }
  }
}
