import Config
import Files
import MarketData
import TestSupport
import Testing

@testable import Shell
@testable import market

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The config in use, and its contents.
@Suite(.waitsForPrograms) struct ConfigCommandTests {
  private let folder: TemporaryFolder
  private var home: String { "\(folder.path)/home" }
  private var own: String { "\(home)/.config/market/exchanges.json" }

  init() throws {
    folder = try TemporaryFolder()
    try FileSystem.createFolder("\(folder.path)/home/.config/market")
  }

  private static let config =
    #"{"version": 1, "extends": "builtin", "exchanges": {"Newex": {"like": "Binance", "baseUrls": ["https://newex.test"]}}}"#

  private func write(_ text: String, to path: String, mode: UInt32 = 0o600) throws {
    try FileSystem.writeAtomically(Array(text.utf8), to: path, mode: mode)
  }

  private func hardLink(_ path: String, _ other: String) -> Int32 { link(path, other) }

  /// Runs the program with a folder of the test as working directory.
  private func run(_ words: String..., environment: [String: String] = [:]) throws -> Subprocess {
    try Subprocess(
      "/bin/sh", ["-c", "cd \"$0\" && exec \"$@\"", folder.path, try Subprocess.market()] + words,
      environment: environment.merging(["HOME": home]) { $1 })
  }

  @Test func firstExistingConfigIsUsed() throws {
    let shipped = Checkout.path("exchanges.json")
    // The working directory is never searched.
    try write("this is no config", to: "\(folder.path)/exchanges.json")
    var found = try run("config", "path")
    #expect(found.output == "\(shipped)\n")
    #expect(found.errorOutput == "market: shipped with the program; your own file would be \(own)\n")

    try write(Self.config, to: own)
    found = try run("config", "path")
    #expect(found.output == "\(own)\n" && found.errorOutput == "market: your own file, on top of \(shipped)\n")

    let other = "\(folder.path)/other.json"
    try write(#"{"version": 1}"#, to: other)
    found = try run("config", "path", environment: ["MARKET_CONFIG": other])
    #expect(found.output == "\(other)\n" && found.errorOutput == "market: named by MARKET_CONFIG\n")
    found = try run("config", "path", "-c", own, environment: ["MARKET_CONFIG": other])
    #expect(found.output == "\(own)\n" && found.errorOutput == "market: named by --config, on top of \(shipped)\n")
  }

  /// A config that no command can use is not the one in use.
  @Test func unreadableConfigHasNoPath() throws {
    for path in ["\(folder.path)/none.json", folder.path] {
      let shown = try run("config", "path", environment: ["MARKET_CONFIG": path])
      let other = try run("show", "BTC", environment: ["MARKET_CONFIG": path])
      #expect(shown.code == 3 && shown.output == "")
      #expect(shown.errorOutput == other.errorOutput)
    }
  }

  /// A user's exchange is found even from a folder that contains a config, and an unknown one names its file.
  @Test func workingDirectoryIsNotSearched() throws {
    try write(Self.config, to: own)
    try write(#"{"version": 1, "exchanges": {}}"#, to: "\(folder.path)/exchanges.json")
    #expect(
      try run("config", "show", "newex").output
        == #"{ "Newex": { "like": "Binance", "baseUrls": ["https://newex.test"] } }"# + "\n")
    let unknown = try run("config", "show", "newexx")
    #expect(unknown.code == 2)
    #expect(
      unknown.errorOutput
        == "error: unknown exchange 'newexx' in \(own); did you mean 'Newex'?\nhelp: market config --help\n")
    let empty = try run("tickers", "Upbit", "--config", "\(folder.path)/exchanges.json")
    #expect(
      empty.errorOutput
        == "error: unknown exchange 'Upbit' in \(folder.path)/exchanges.json; it has no exchanges\n"
        + "help: market tickers --help\n")
    let rate = try run("fx", "--provider", "Hana")
    #expect(rate.code == 2 && rate.errorOutput.hasPrefix("error: unknown rate provider 'Hana' in \(own); "))
  }

  /// The shown text is a config as valid as the files it was merged from.
  @Test func mergedOutputIsAConfig() throws {
    try write(Self.config, to: own)
    let shown = try run("config", "show")
    #expect(shown.code == 0)
    try write(shown.output, to: "\(folder.path)/whole.json")
    #expect(try run("validate-config", "\(folder.path)/whole.json").output.contains("whole.json: no problems in "))
    #expect(try run("config", "show", "dunamu").output.hasPrefix("{\n  \"Dunamu\": {"))
  }

  @Test func secretsAreLeftOut() throws {
    try write(
      #"{"version": 1, "exchanges": {"A": {"note": "it is open-sesame-1", "headers": {"X-Api-Key": "8c1f0a7be2d94355aa01", "X-Other": "{secret:key}"}}}}"#,
      to: own)
    try write(#"{"A": {"key": "open-sesame-1"}}"#, to: "\(home)/.config/market/credentials.json")
    #expect(
      try run("config", "show", "A").output
        == #"{ "A": { "note": "it is REDACTED", "headers": { "X-Api-Key": "REDACTED", "X-Other": "{secret:key}" } } }"#
        + "\n")
  }

  /// Credentials in an address are not shown; a word before an `@` after the host is not mistaken for them.
  @Test(arguments: [
    (
      "https://user:open-sesame-1@h.test/x?key=8c1f0a7be2d94355aa01",
      "https://******************@h.test/x?key=********************"
    ),
    ("https://user@h.test", "https://****@h.test"), ("https://h.test/a@b", "https://h.test/a@b"),
  ])
  func addressCredentialsAreLeftOut(_ address: String, _ shown: String) throws {
    try write(#"{"version": 1, "exchanges": {"A": {"baseUrls": ["\#(address)"]}}}"#, to: own)
    #expect(try run("config", "show", "A").output == #"{ "A": { "baseUrls": ["\#(shown)"] } }"# + "\n")
  }

  @Test(arguments: [
    (["config"], "missing argument ACTION"), (["config", "pth"], "unknown action 'pth'; did you mean 'path'?"),
    (["config", "edit"], "unknown action 'edit'; expected path or show"),
    (["config", "path", "Upbit"], "unexpected argument 'Upbit'"),
  ])
  func invalidArguments(_ words: [String], _ message: String) async {
    let world = TestWorld(words)
    #expect(await Program.market.run(in: world.context) == .usage)
    #expect(world.errorOutput == "error: \(message)\nhelp: market config --help\n")
  }

  /// Whatever is wrong with the secrets file, a run that needs no secrets continues and reports the position (F11).
  @Test(arguments: [
    ("{\"A\": {\"key\": \"hush-hush\"},}", 0o600, ":1:28: not valid JSON, so no secret of it is used; "),
    ("[\"hush-hush\"]", 0o600, " is not a JSON object, so no secret of it is used; "),
    (
      #"{"A": {"key": "hush-hush"}}"#, 0o644,
      " has mode 644: others can read it, so no secret of it is used; run: chmod 600 '"
    ),
  ])
  func brokenCredentials(_ text: String, _ mode: Int, _ words: String) throws {
    let path = "\(home)/.config/market/credentials.json"
    try write(text, to: path, mode: UInt32(mode))
    for more in [["show", "BTC", "USDT", "-e", "binance"], ["fx"]] {
      let run = try Subprocess(
        market: more + ["--replay", Checkout.path("Tests/Cassettes"), "-c", Checkout.path("exchanges.json")],
        environment: ["HOME": home])
      #expect(run.code == 0)
      #expect(run.errorOutput.hasPrefix("market: \(path)\(words)"), "\(run.errorOutput)")
      #expect(!(run.output + run.errorOutput).contains("hush"))
    }
  }

  /// Others could replace the secrets file with their own (X12).
  @Test func writableSecretsFolderIsMentioned() throws {
    try write("{}", to: "\(home)/.config/market/credentials.json")
    #expect(chmod("\(home)/.config/market", 0o777) == 0)
    let doctor = try run("doctor")
    #expect(doctor.code == 0)
    #expect(
      doctor.output.contains("warning  secrets   \(home)/.config/market has mode 777: others can put files there"))
  }

  /// Once a secret has been read, a crash leaves no memory image (X12).
  @Test func noCoreDumpAfterReadingASecret() throws {
    #expect(try Credentials(nil) { _ in "hush-hush" }.secret("key", of: "A") == "hush-hush")
    var limit = rlimit()
    #if canImport(Glibc)
      #expect(getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0)
    #else
      #expect(getrlimit(RLIMIT_CORE, &limit) == 0)
    #endif
    #expect(limit.rlim_cur == 0 && limit.rlim_max == 0)
    // A program that collects crashes ignores limits.
    #expect(!SystemLimits.allowsReaders)
  }

  // MARK: Files that are not configs (X6)

  /// The secrets file is refused under any name, and none of it is shown.
  @Test func secretsFileIsNotAConfig() throws {
    let secrets = "\(home)/.config/market/credentials.json"
    try write(#"{"OpenExchangeRates": {"app_id": "hush-hush"},}"#, to: secrets)
    let (link, twin) = ("\(folder.path)/link.json", "\(folder.path)/twin.json")
    #expect(symlink(secrets, link) == 0 && hardLink(secrets, twin) == 0)
    for path in [secrets, link, twin] {
      for words in [["validate-config", path], ["show", "BTC", "USDT", "-c", path], ["config", "show", "-c", path]] {
        let run = try Subprocess(market: words, environment: ["HOME": home])
        #expect(run.code == 3, "\(words)")
        #expect(run.errorOutput == "error: \(path) holds your secrets; it is not a config\n")
        #expect(run.output == "")
      }
    }
  }

  /// Nor are lines of any other file that is not a config.
  @Test(arguments: [
    "{\"OpenExchangeRates\": {\"app_id\": \"hush-hush\"}}", "{\"OpenExchangeRates\": {\"app_id\": \"hush-hush\"},}",
    "[default]\napp_id = hush-hush\n", "hush-hush",
  ])
  func linesOfOtherFilesAreNotShown(_ text: String) throws {
    let path = "\(folder.path)/backup.json"
    try write(text + String(repeating: " ", count: 16), to: path)
    for words in [["validate-config", path], ["show", "BTC", "USDT", "-c", path]] {
      let run = try Subprocess(market: words, environment: ["HOME": home])
      #expect(run.code == 3)
      #expect(!(run.output + run.errorOutput).contains("hush"), "\(run.output + run.errorOutput)")
      #expect((run.output + run.errorOutput).contains("backup.json:1:"))
    }
  }

  /// A secret that ended up in a config is not shown with its line.
  @Test func secretInConfigIsNotShown() throws {
    try write(#"{"A": {"key": "open-sesame-1"}}"#, to: "\(home)/.config/market/credentials.json")
    let path = "\(folder.path)/config.json"
    try write(#"{"version": 1, "settings": {"timeout": "open-sesame-1", "colors": "open-sesame-1"}}"#, to: path)
    for words in [["validate-config", path], ["show", "BTC", "USDT", "-c", path]] {
      let run = try Subprocess(market: words, environment: ["HOME": home])
      #expect(run.code == 3)
      #expect(!(run.output + run.errorOutput).contains("sesame"), "\(run.output + run.errorOutput)")
      #expect((run.output + run.errorOutput).contains(#""timeout": "REDACTED""#))
    }
  }

  // MARK: Budgets (X6b)

  /// `test-exchange --live` counts too, and waits like everything else.
  @Test func liveTestStaysWithinBudget() throws {
    let server = try LoopbackServer { _ in [.bytes(Answer.ok(#"{"r": "1461.5"}"#))] }
    defer { server.stop() }
    let path = "\(folder.path)/config.json"
    func config(_ name: String, _ per: String) -> String {
      """
      {"version": 1, "fx": {"providers": {"\(name)": {"pairs": ["USD/KRW"], "baseUrls": ["http://127.0.0.1:\(server.port)"],
        "budget": {"calls": 2, "per": "\(per)"},
        "rate": {"request": {"path": "/r"}, "rows": "$", "symbol": "request", "fields": {"rate": "$.r"}}}},
        "routes": {"USD/KRW": {"rules": [{"use": "\(name)"}]}}}}
      """
    }
    for round in 0..<4 {
      try write(config("P", "day"), to: path)
      _ = try Subprocess(market: ["test-exchange", "P", "--live", "-c", path], environment: ["HOME": home])
      // Another name and another period do not create another budget.
      try write(config("Q\(round)", "month"), to: path)
      _ = try Subprocess(market: ["fx", "-c", path], environment: ["HOME": home])
    }
    #expect(server.received.count == 2)
  }

  /// A recording of a live view contains the stored rate that it shows: a replay has no other.
  @Test func storedRateIsRecorded() throws {
    let server = try LoopbackServer { request in
      let body =
        request.target == "/r" ? #"{"r": "1461.5"}"# : #"{"b": [["134000000", "1"]], "a": [["134001000", "1"]]}"#
      return [.bytes(Answer.ok(body))]
    }
    defer { server.stop() }
    let url = "http://127.0.0.1:\(server.port)"
    try write(
      """
      {"version": 1, "exchanges": {"Alpha": {"baseUrls": ["\(url)"], "paymentCurrencies": {"fiat": ["KRW"]},
        "markets": {"spot": {
          "ticker": {"request": {"path": "/one/{asset}-{payment}"}, "rows": "$", "symbol": "request", "fields": {"price": "$.b[0][0]"}},
          "orderbook": {"request": {"path": "/book/{asset}-{payment}"}, "bids": "$.b[*]", "asks": "$.a[*]", "price": "$[0]", "size": "$[1]"}
        }}}},
        "fx": {"providers": {"Bank": {"pairs": ["USD/KRW"], "baseUrls": ["\(url)"], "refresh": {"every": "1h"},
          "rate": {"request": {"path": "/r"}, "rows": "$", "symbol": "request", "fields": {"rate": "$.r"}}}},
          "routes": {"USD/KRW": {"rules": [{"use": "Bank"}]}}}}
      """, to: "\(folder.path)/config.json")
    func market(_ words: String...) throws -> Subprocess {
      try Subprocess(market: words + ["-c", "\(folder.path)/config.json"], environment: ["HOME": home])
    }
    _ = try market("fx")
    let live = ["orderbook", "BTC", "KRW", "-w", "--once", "--screen", "80x12"]
    let recorded = try market(live[0], live[1], live[2], live[3], live[4], "--record", "\(folder.path)/kept")
    #expect(recorded.code == 0, "\(recorded.errorOutput)")
    #expect(server.received.count { $0.target == "/r" } == 1)
    let replayed = try market(live[0], live[1], live[2], live[3], live[4], "--replay", "\(folder.path)/kept")
    #expect(replayed.output.contains("1461.50"), "\(replayed.output)")
  }
}
