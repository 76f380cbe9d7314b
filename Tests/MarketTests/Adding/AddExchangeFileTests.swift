import Files
import HTTP
import MarketData
import Onboarding
import TestSupport
import Testing

@testable import Shell
@testable import market

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What happens to the user's file: its owner, symbolic links, and concurrent changes by others.
@Suite(.waitsForPrograms) struct AddExchangeFileTests {
  private let world: AddingWorld

  init() throws { world = try AddingWorld() }

  private static let sample = """
    [{"s":"BTC-KRW","last":"100500000","high":"101000000","low":"99000000"},
    {"s":"ETH-KRW","last":"4950000","high":"5100000","low":"4900000"}]
    """
  private static let config = "{\"version\":1,\t\"exchanges\":{ }}"

  private func words(_ name: String = "Newex") throws -> [String] {
    let file = try world.save(Self.sample, as: "a.json")
    return ["add-exchange", name, "--from-sample", file, "--tickers", "https://a.newex.example/t"]
  }

  private func isLink(_ name: String) -> Bool {
    var status = stat()
    return lstat("\(world.folder.path)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  // MARK: Ready-made blocks

  private static func block(price: String = "$.last", extra: String = "") -> String {
    """
    {
      "Newex": {
        "baseUrls": ["https://a.newex.example"], "rows": "$[*]", "symbol": { "path": "$.s", "split": "-" },
        "fields": { "price": "\(price)" },\(extra)
        "markets": { "spot": { "tickers": { "request": { "path": "/t" } } } }
      }
    }
    """
  }

  @Test func readyBlockIsShownAndProved() async throws {
    let file = try world.save(Self.block(), as: "block.json")
    let dry = try await world.run(["add-exchange", file, "--dry-run"], answer: Self.sample)
    #expect(dry.code == .answer && dry.output.hasPrefix("\"Newex\": {"), "\(dry.everything)")
    #expect(dry.output.contains("\n2 of 2 rows pass the meaning checks\n"))
    #expect(world.folder.names == ["block.json"])
    #expect(world.sent.all.map(\.urls) == [["https://a.newex.example/t"]])
    #expect(try await world.run(["add-exchange", file, "--yes"], answer: Self.sample).code == .answer)
  }

  @Test func readyBlockThatReadsNothingIsRefused() async throws {
    let file = try world.save(Self.block(price: "$.lst"), as: "block.json")
    let done = try await world.run(["add-exchange", file, "--yes"], answer: Self.sample)
    #expect(done.code == .noAnswer && world.folder.names == ["block.json"], "\(done.everything)")
    #expect(done.errorOutput.hasSuffix("Newex spot does not read its answer: path-miss\n"), "\(done.errorOutput)")
  }

  /// A denied request says nothing of the block, which may be right.
  @Test(arguments: [401, 403, 407, 418, 429, 451, 503])
  func readyBlockIsAddedThoughItsRequestIsDenied(_ status: Int) async throws {
    let file = try world.save(Self.block(), as: "block.json")
    let done = try await world.run(
      ["add-exchange", file, "--yes"], answer: #"{"error": "not you"}"#, status: status)
    #expect(done.code == .answer && world.folder.names.contains("exchanges.json"), "\(done.everything)")
    #expect(
      done.errorOutput.contains("Newex spot is not proved: it answered with status \(status)\n"),
      "\(done.errorOutput)")
  }

  @Test(arguments: [
    (
      #""price": "$.last""#, #""price": "$.high", "high": "$.last""#,
      "3 of 3 rows contradict the block, such as BTC/KRW: price 101000000 is more than 0.5 % above the high 100000000"
    ),
    (
      #""price": "$.last""#, #""price": "$.last", "time": { "path": "$.t", "unit": "s" }"#,
      "3 of 3 rows contradict the block, such as BTC/KRW: its timestamp cannot be parsed: check unit and zone"
    ),
    (
      #""split": "-""#, #""split": "-", "order": "payment-asset""#,
      "3 of 3 pairs are reversed, for example KRW/BTC; say which currency is the asset with --set symbol=…"
    ),
  ])
  func readyBlockThatItsAnswerContradictsIsRefused(_ right: String, _ wrong: String, _ said: String) async throws {
    let answer = """
      [{"s":"BTC-KRW","last":"100000000","high":"101000000","t":1700000000000},
      {"s":"ETH-KRW","last":"4950000","high":"5100000","t":1700000000000},
      {"s":"XRP-KRW","last":"3200","high":"3300","t":1700000000000}]
      """
    let file = try world.save(Self.block().replacing(right, with: wrong), as: "block.json")
    let done = try await world.run(["add-exchange", file, "--yes"], answer: answer)
    #expect(done.code == .noAnswer && world.folder.names == ["block.json"], "\(done.everything)")
    #expect(done.errorOutput.contains(said), "\(done.errorOutput)")
  }

  @Test func blockErrorNamesItsOwnLine() async throws {
    let file = try world.save(Self.block(extra: "\n    \"takerFee\": \"a\","), as: "block.json")
    let done = try await world.run(["add-exchange", file, "--yes"], answer: Self.sample)
    #expect(done.code == .invalidConfig && done.errorOutput.contains("\(file):5:"), "\(done.everything)")
  }

  /// The second one's recordings would take the place of the first one's.
  @Test func namesOfOneFolderAreRefused() async throws {
    #expect(try await world.run(words("💰") + ["--yes"]).code == .answer)
    let done = try await world.run(words("🚀") + ["--yes"])
    #expect(done.code == .noAnswer, "\(done.everything)")
    #expect(
      done.errorOutput.contains("recordings of '🚀' would be in the folder of those of '💰'; choose another name"),
      "\(done.errorOutput)")
  }

  @Test(arguments: [0o600, 0o640, 0o664] as [UInt32])
  func filePermissionsAreKept(_ mode: UInt32) async throws {
    let path = try world.save(Self.config, as: "exchanges.json")
    #expect(chmod(path, mode_t(mode)) == 0)
    #expect(try await world.run(words() + ["--yes"]).code == .answer)
    #expect(FileStatus(path)?.mode == mode)
  }

  @Test(arguments: [true, false])
  func linkStaysALink(_ isThere: Bool) async throws {
    try FileSystem.createFolder("\(world.folder.path)/real")
    if isThere { _ = try world.save(Self.config, as: "real/mine.json") }
    // Two links in a row.
    #expect(symlink("real/mine.json", "\(world.folder.path)/middle.json") == 0)
    #expect(symlink("middle.json", world.config) == 0)
    let done = try await world.run(words() + ["--yes"])
    #expect(done.code == .answer, "\(done.everything)")
    #expect(isLink("exchanges.json") && isLink("middle.json"))
    #expect(try world.text(of: "real/mine.json").contains("Newex"))
    #expect(try FileSystem.names(in: "\(world.folder.path)/real") == ["mine.json"])
  }

  /// Another program writes while the last question waits.
  @Test(arguments: ["{\"version\":1}", "", nil])
  func concurrentlyChangedFileIsLeftAlone(_ meanwhile: String?) async throws {
    let path = try world.save(Self.config, as: "exchanges.json")
    var context = TestWorld(try words() + ["--config", path])
    context.context.executablePath = { Checkout.path(".build/debug/market") }
    context.context.terminal.inputIsTerminal = true
    context.context.terminal.errorIsTerminal = true
    context.context.readLine = {
      if let meanwhile { try? FileSystem.writeAtomically(Array(meanwhile.utf8), to: path) } else { unlink(path) }
      return "y"
    }
    #expect(await Program.market.run(in: context.context) == .noAnswer)
    #expect(
      context.errorOutput.hasSuffix(
        " '\(path)' was changed in the meantime; nothing was written, run the command again\n"))
    #expect(world.folder.names == (meanwhile == nil ? ["a.json"] : ["a.json", "exchanges.json"]))
    if let meanwhile { #expect(try world.text(of: "exchanges.json") == meanwhile) }
  }

  @Test func folderIsNotAConfig() async throws {
    try FileSystem.createFolder(world.config)
    let done = try await world.run(words() + ["--yes"])
    #expect(done.code == .invalidConfig)
    #expect(done.errorOutput == "error: cannot read '\(world.config)': Is a directory (--config)\n")
  }

  #if os(Linux)
    /// Also for root, who may write anywhere but here.
    @Test func unwritableFolderLeavesFileUnchanged() async throws {
      let path = "/proc/self/exchanges.json"
      var context = TestWorld(try words() + ["--yes", "--config", path])
      context.context.executablePath = { Checkout.path(".build/debug/market") }
      #expect(await Program.market.run(in: context.context) == .noAnswer)
      #expect(context.errorOutput.contains("error: cannot write '\(path)': "), "\(context.errorOutput)")
      #expect(world.folder.names == ["a.json"])
    }
  #endif

  /// One concurrent run per name: each is present afterwards, or was reported as failed.
  @Test func concurrentRunsLoseNothing() async throws {
    _ = try world.save(Self.config, as: "exchanges.json")
    let names = (1...6).map { "Newex\($0)" }
    let config = world.config
    let words = try words()
    let codes = try await withThrowingTaskGroup(of: (String, Int32, String).self) { group in
      for name in names {
        group.addTask {
          let run = try Subprocess(market: ["add-exchange", name] + words.dropFirst(2) + ["--yes", "-c", config])
          return (name, run.code, run.errorOutput)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let text = try world.text(of: "exchanges.json")
    for (name, code, message) in codes {
      #expect(text.contains("\"\(name)\"") == (code == 0), "\(name): \(message)")
      #expect(code == 0 || message.contains("was changed in the meantime"))
    }
    #expect(codes.contains { $0.1 == 0 })
    // Removing what was added restores the original file exactly.
    for (name, code, _) in codes where code == 0 {
      #expect(try Subprocess(market: ["remove-exchange", name, "-c", config]).code == 0)
    }
    #expect(try world.text(of: "exchanges.json") == Self.config)
    #expect(!world.folder.names.contains { $0.hasPrefix("exchanges.json.") })
  }

  /// An unreadable file is not a config, however it was found, and is never replaced by another one.
  @Test(arguments: ["--config", "MARKET_CONFIG", "XDG_CONFIG_HOME"])
  func unreadableConfigIsNeverReplaced(_ way: String) throws {
    let folder = "\(world.folder.path)/market"
    try FileSystem.createFolder(folder)
    let path = "\(folder)/exchanges.json"
    // A link to itself is unreadable, even for root.
    #expect(symlink(path, path) == 0)
    let arguments = way == "--config" ? ["--config", path] : []
    let environment = [way: way == "MARKET_CONFIG" ? path : world.folder.path]
    for command in [["tickers", "Upbit"], ["validate-config"], ["remove-exchange", "Upbit"]] {
      let run = try Subprocess(market: command + arguments, environment: environment)
      #expect(run.code == 3, "\(command)")
      #expect(run.errorOutput.hasPrefix("error: cannot read '\(path)': "), "\(run.errorOutput)")
    }
  }

  @Test(arguments: ["--config", "MARKET_CONFIG"])
  func missingConfig(_ way: String) throws {
    let path = "\(world.folder.path)/none.json"
    let run = try Subprocess(
      market: ["tickers", "Upbit"] + (way == "--config" ? [way, path] : []), environment: [way: path])
    #expect(run.code == 3)
    #expect(run.errorOutput == "error: cannot read '\(path)': No such file or directory (\(way))\n")
  }

  /// A file that extends the shipped config needs it, whatever way the file was found.
  @Test func theShippedConfigIsMissing() throws {
    let path = try world.save(#"{ "version": 1, "extends": "builtin" }"#, as: "mine.json")
    var world = TestWorld([], environment: ["HOME": "/nowhere"])
    world.context.executablePath = { "/opt/nothing/bin/market" }
    let locator = ConfigLocator(world.context)
    let sentence =
      "\(path) extends \"builtin\", but the exchanges.json that ships with the program is missing: "
      + "/opt/nothing/share/market/exchanges.json; install the program again"
    let shown = #expect(throws: ConfigProblem.self) { try LoadedConfig(locator.find(named: path), locator) }
    #expect(shown.map { "\($0)" } == sentence)
    let edited = #expect(throws: ConfigProblem.self) { try ConfigDraft(locator, named: path) }
    #expect(edited.map { "\($0)" } == sentence)
  }

  @Test(arguments: [
    ("/opt/nothing/bin/market", "/opt/nothing/share/market/exchanges.json"),
    ("nothing/bin/market", "nothing/share/market/exchanges.json"), ("/market", "/share/market/exchanges.json"),
  ])
  func everySearchedPlaceIsNamed(_ executable: String, _ place: String) throws {
    var world = TestWorld([], environment: ["HOME": "/nowhere"])
    world.context.executablePath = { executable }
    let error = #expect(throws: ConfigProblem.self) { try ConfigLocator(world.context).find(named: nil) }
    guard case .invalidConfig(let sentence)? = error?.commandError else { return }
    #expect(
      sentence == "found no exchanges.json (/nowhere/.config/market/exchanges.json, "
        + "\(place)); name one with --config or MARKET_CONFIG")
  }
}
