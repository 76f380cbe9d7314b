import Config
import Files
import Proving
import Quotes
import TestSupport
import Testing

@testable import Shell
@testable import market

/// `market exchanges`: the matrix at two screen widths, for programs, and on the project's first page.
@Suite struct ExchangesCommandTests {
  private static func output(_ format: String, columns: Int? = nil) async -> String {
    var world = TestWorld(["exchanges", "-f", format, "--config", Checkout.path("exchanges.json")])
    world.context.terminal.columns = columns
    let code = await Program.market.run(in: world.context)
    #expect(code == .answer)
    #expect(world.errorOutput == "")
    return world.output
  }

  @Test(arguments: [80, 160]) func fitsTheScreen(columns: Int) async {
    let text = await Self.output("text", columns: columns)
    Golden.expect(text, matches: "exchanges-\(columns).txt")
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= columns })
  }

  @Test(arguments: ["json", "csv"]) func machineReadableFormats(_ format: String) async {
    Golden.expect(await Self.output(format), matches: "exchanges.\(format)")
  }

  /// All details of one exchange: notes, documentation, hosts, limits, and the number of pairs in its recordings (F40).
  @Test(arguments: [("upbit", "text", "exchange-upbit.txt"), ("Kraken", "json", "exchange-kraken.json")])
  func singleExchange(_ name: String, _ format: String, _ golden: String) async {
    var world = TestWorld(["exchanges", name, "-f", format, "--config", Checkout.path("exchanges.json")])
    world.context.executablePath = { Checkout.path(".build/debug/market") }
    world.context.terminal.columns = 100
    #expect(await Program.market.run(in: world.context) == .answer)
    #expect(world.errorOutput == "")
    Golden.expect(world.output.replacing(Checkout.path("exchanges.json"), with: "./exchanges.json"), matches: golden)
  }

  /// A mapping that passed every check on this machine is not merely written, until its block changes (F9).
  @Test func localProofIsShown() async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/exchanges.json"
    func config(_ member: String) -> String {
      """
      {"version": 1, "exchanges": {"A": {"baseUrls": ["https://a.test"], "rows": "$[*]", "symbol": {"path": "$.s", "split": "-"},
        "fields": {"price": "$.p", "high": "$.\(member)"}, "markets": {"spot": {"tickers": {"request": {"path": "/t"}}}}}}}
      """
    }
    func proof(_ format: String) async throws -> String {
      let world = TestWorld(["exchanges", "-f", format, "-c", path], environment: ["HOME": folder.path])
      #expect(await Program.market.run(in: world.context) == .answer)
      return world.output
    }
    let file = try ConfigFile(name: path, bytes: Array(config("h").utf8))
    let configuration = try Configuration(file) { () throws(ConfigSyntaxError) in file }
    let proofs = LocalProofs(in: "\(folder.path)/.cache/market")
    proofs.remember(configuration.exchanges[0], at: Instant(nanoseconds: 1_795_305_600_000_000_000))
    try FileSystem.writeAtomically(Array(config("h").utf8), to: path)
    #expect(try await proof("text").contains("here 2026-11-22"))
    #expect(try await proof("json").contains(#""provedHere": "2026-11-22""#))
    // A page in a repository is the same everywhere.
    #expect(try await proof("md").contains("| - |"))
    try FileSystem.writeAtomically(Array(config("high").utf8), to: path)
    #expect(try await !proof("text").contains("here"))
  }

  /// Groups of futures are named by their part, or by the group of their payment currency.
  @Test(arguments: [
    (
      #""forEach": [{"set": {"product": "linear"}, "paymentCurrencies": {"a": ["USDT", "USDC"]}}, "#
        + #"{"set": {"product": "inverse"}, "paymentCurrencies": {"b": ["USD"]}}]"#,
      "linear (USDT, USDC), inverse (USD)", "linear\ninverse\n"
    ),
    (
      #""paymentCurrencies": {"stableMargin": ["USDT"], "coinMargin": ["USD"]}"#,
      "stableMargin (USDT), coinMargin (USD)",
      "stableMargin\ncoinMargin\n"
    ),
  ]) func productsAreListed(_ member: String, _ products: String, _ names: String) async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/exchanges.json"
    let config = """
      {"version": 1, "exchanges": {"A": {"baseUrls": ["https://a.test"], "rows": "$[*]", "symbol": {"path": "$.s", "split": "-"},
        "fields": {"price": "$.p"}, "markets": {"futures": {"tickers": {"request": {"path": "/t"}, \(member)}}}}}}
      """
    try FileSystem.writeAtomically(Array(config.utf8), to: path)
    let world = TestWorld(["exchanges", "A", "-c", path], environment: ["HOME": folder.path])
    #expect(await Program.market.run(in: world.context) == .answer)
    #expect(world.output.split(separator: "\n").contains("products \(products)"))
    for words in [["--product", ""], ["-e", "a:USD", "--product", ""], ["-e", "b", "--product", ""]] {
      let world = TestWorld(["complete", "--", "trades", "BTC"] + words, environment: ["MARKET_CONFIG": path])
      #expect(await Program.market.run(in: world.context) == .answer)
      #expect(world.output == (words.contains("b") ? "" : names))
    }
  }

  /// The page's table is the command's output.
  @Test func pageShowsTheMatrix() async throws {
    let page = String(decoding: try FileSystem.read(Checkout.path("docs/exchanges.md")), as: UTF8.self)
    let marks = ["<!-- market exchanges -f md -->\n", "<!-- end -->"]
    let start = try #require(page.range(of: marks[0])).upperBound
    let end = try #require(page[start...].range(of: marks[1])).lowerBound
    let wanted = page[..<start] + (await Self.output("md")) + page[end...]
    try GeneratedFile.expect(Array(wanted.utf8), at: "docs/exchanges.md")
  }
}

extension StringProtocol {
  /// Returns the range of the first occurrence of a text.
  fileprivate func range(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      formIndex(after: &start)
    }
    return nil
  }
}
