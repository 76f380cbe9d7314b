import Files
import JSON
import TestSupport
import Testing

/// `market doctor` when something is broken: it always runs to completion.
@Suite(.waitsForPrograms) struct DoctorCommandTests {
  private static let config = """
    {"version": 1, "exchanges": {"Alpha": {"baseUrls": ["http://127.0.0.1:1"], "rows": "$[*]",
      "headers": {"X-Key": "{secret:key}"}, "symbol": {"path": "$.s", "split": "-"}, "fields": {"price": "$.p"},
      "markets": {"spot": {"tickers": {"request": {"path": "/all"}}}}}}}
    """

  /// A home with a config, and the doctor's output in it.
  private struct Home {
    let folder: TemporaryFolder
    var variables: [String: String]

    init(config: String? = DoctorCommandTests.config) throws {
      folder = try TemporaryFolder()
      variables = ["HOME": folder.path, "LANG": "ko_KR.UTF-8"]
      if let config { try write(config, ".config/market/exchanges.json") }
      variables["MARKET_CONFIG"] = "\(folder.path)/.config/market/exchanges.json"
    }

    func write(_ text: String, _ name: String, mode: UInt32 = 0o600) throws {
      let path = "\(folder.path)/\(name)"
      try FileSystem.createFolder(
        path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/"))
      try FileSystem.writeAtomically(Array(text.utf8), to: path, mode: mode)
    }

    func doctor(_ words: String...) throws -> (code: Int32, lines: [String]) {
      let run = try Subprocess(market: ["doctor", "-f", "json"] + words, environment: variables)
      let root = try JSONDocument(parsing: Array(run.output.utf8)).root
      #expect(run.errorOutput == "")
      return (
        run.code,
        (root["checks"] ?? root).elements.map { line in
          ["topic", "status", "text", "help"].compactMap { line[$0]?.string }.joined(separator: " | ")
            .replacing(folder.path, with: "~")
        }
      )
    }
  }

  @Test func everythingIsFine() throws {
    var home = try Home()
    home.variables["MARKET_ALPHA_KEY"] = "hush"
    let (code, lines) = try home.doctor()
    #expect(code == 0)
    #expect(lines.contains { $0.hasPrefix("config | ok | ~/.config/market/exchanges.json (MARKET_CONFIG)") })
    #expect(lines.contains("config | ok | no errors in 1 exchange and 0 rate providers"))
    #expect(lines.contains("secrets | ok | Alpha key: set by MARKET_ALPHA_KEY"))
    #expect(lines.contains("cache | ok | nothing is kept in ~/.cache/market yet"))
    #expect(lines.contains("terminal | ok | colour scheme kr, by the locale"))
    #expect(!lines.contains { $0.contains("hush") })
  }

  @Test func missingSecretSaysWhereItGoes() throws {
    let lines = try Home().doctor().lines
    #expect(
      lines.contains(
        "secrets | warning | Alpha key: missing, so Alpha cannot be queried | store it with: market keys add Alpha; "
          + "or set MARKET_ALPHA_KEY"))
  }

  @Test func secretsReadableByOthersAreAProblem() throws {
    let home = try Home()
    try home.write(#"{"Alpha": {"key": "hush", "kez": "hush"}}"#, ".config/market/credentials.json", mode: 0o644)
    let (code, lines) = try home.doctor()
    #expect(code == 1)
    #expect(
      lines.contains(
        "secrets | problem | ~/.config/market/credentials.json has mode 644: others can read it | run: chmod "
          + "600 '~/.config/market/credentials.json'"))
    #expect(!lines.contains { $0.contains("hush") })
  }

  @Test func folderInPlaceOfSecretsIsReported() throws {
    let home = try Home()
    try home.write("", ".config/market/credentials.json/x")
    #expect(
      try home.doctor().lines.contains(
        "secrets | problem | ~/.config/market/credentials.json is a folder | put a file in its place"))
  }

  @Test func unusedSecretGetsSpellingSuggestion() throws {
    let home = try Home()
    try home.write(#"{"Alpha": {"key": "hush", "kez": "hush"}}"#, ".config/market/credentials.json")
    let (code, lines) = try home.doctor()
    #expect(code == 0)
    #expect(lines.contains("secrets | ok | Alpha key: set in credentials.json"))
    #expect(
      lines.contains(
        "secrets | warning | Alpha kez is in credentials.json, but nothing uses it | did you mean Alpha key?"))
  }

  @Test(arguments: [#""hush""#, "null", #"["hush"]"#]) func entryThatIsNoObject(_ entry: String) throws {
    let home = try Home()
    try home.write(#"{"Alpha": \#(entry)}"#, ".config/market/credentials.json")
    let (code, lines) = try home.doctor()
    let line = "secrets | warning | Alpha in credentials.json is not an object, so it is not used | write it like "
    #expect(code == 0 && lines.contains { $0.hasPrefix(line) } && !lines.contains { $0.contains("hush") })
  }

  /// A key is named, its program is not run, and unusable ones are reported.
  @Test(arguments: [
    (#"{"key": {"command": ["false"]}}"#, "secrets | ok | Alpha key: given by a command in credentials.json"),
    (
      #"{"key": "hush"}"#,
      "secrets | warning | Alpha: its keyed requests differ from the shipped ones and have not been allowed | "
        + "review and allow them: market keys allow Alpha"
    ),
    (
      #"{"key": "hush\n"}"#,
      "secrets | problem | Alpha key: the secret 'key' cannot be used: it contains a control character | store "
        + "it again: market keys add Alpha"
    ),
    (
      #"{"key": 7}"#,
      #"secrets | problem | Alpha key: the secret 'key' cannot be used: it is neither a string nor {"command": ["program", "word"]} "#
        + "| store it again: market keys add Alpha"
    ),
  ])
  func keys(_ stored: String, _ line: String) throws {
    let home = try Home()
    try home.write(#"{"Alpha": \#(stored)}"#, ".config/market/credentials.json")
    let (code, lines) = try home.doctor()
    #expect(lines.contains(line))
    #expect(code == (line.contains("| problem |") ? 1 : 0))
    #expect(!lines.contains { $0.contains("hush") || $0.contains("nothing uses it") })
  }

  @Test(arguments: [
    ("{", "1 error: line 1, MKT001"), (#"{"version": 1, "exchnages": {}}"#, "1 error: line 1, MKT021 unknown key"),
  ])
  func brokenConfigIsOneProblemAmongOthers(_ config: String, _ words: String) throws {
    let (code, lines) = try Home(config: config).doctor("--live")
    #expect(code == 1)
    #expect(lines.contains { $0.hasPrefix("config | problem | \(words)") })
    #expect(lines.contains { $0.hasPrefix("libcurl | ") })
  }

  /// A config that extends the shipped one may have a finding there.
  @Test func findingElsewhereNamesItsFile() throws {
    let home = try Home(
      config:
        #"{"version": 1, "extends": "builtin", "exchanges": {"Okx": {"markets": {"futures": {"lookups": null}}}}}"#)
    let line = try #require(try home.doctor().lines.first { $0.contains("MKT041") })
    #expect(line.contains("/exchanges.json line ") && !line.contains("~/.config/market/exchanges.json line "))
  }

  @Test func missingConfigIsAProblem() throws {
    let (code, lines) = try Home(config: nil).doctor()
    #expect(code == 1)
    #expect(lines.contains { $0.hasPrefix("config | problem | cannot read '~/.config/market/exchanges.json'") })
  }

  @Test func damagedCacheIsAWarning() throws {
    let home = try Home()
    try home.write("no record", ".cache/market/lookups/0000000000000000.cache")
    let (code, lines) = try home.doctor()
    #expect(code == 0)
    #expect(lines.contains { $0.hasPrefix("cache | warning | ~/.cache/market/lookups: 0 entries, 0 bytes; 1 damaged") })
  }

  @Test func unknownExchangeIsAProblem() throws {
    let (code, lines) = try Home(config: Self.config.replacing(#""headers": {"X-Key": "{secret:key}"},"#, with: ""))
      .doctor("--live", "--timeout", "2")
    #expect(code == 1)
    #expect(lines.contains { $0.hasPrefix("exchange | problem | the only exchange does not answer; Alpha: ") })
  }

  @Test func homeThatIsNotAFolderKeepsNothing() throws {
    var home = try Home()
    try home.write("", "file")
    home.variables["HOME"] = "\(home.folder.path)/file"
    let (code, lines) = try home.doctor()
    #expect(code == 0)
    #expect(
      lines.contains(
        "cache | warning | ~/file/.cache/market cannot be created, since ~/file is not a folder: nothing is "
          + "kept between runs | set HOME or XDG_CACHE_HOME to a folder of your own"))
  }

  @Test(arguments: ["", "relative"])
  func invalidHomeIsReported(_ path: String) throws {
    var home = try Home()
    home.variables["HOME"] = path
    let (code, lines) = try home.doctor()
    #expect(code == 0)
    #expect(
      lines.contains(
        "cache | warning | no home folder, so nothing is kept between runs | set HOME or XDG_CACHE_HOME"))
  }

  /// Whatever is in the config's place, the doctor runs to completion and reports it.
  @Test(arguments: ["", " ", "null", "[]", "\u{0}\u{1}\u{2}", "{\"version\": 1, \"exchanges\": [", "<html>"])
  func anythingMayBeInPlaceOfConfig(_ text: String) throws {
    let (code, lines) = try Home(config: text).doctor("--live")
    #expect(code == 1)
    #expect(lines.contains { $0.hasPrefix("config | problem | 1 error: line 1, MKT0") })
    #expect(lines.contains { $0.hasPrefix("terminal | ") })
  }

  @Test func folderInPlaceOfConfigIsReported() throws {
    var home = try Home()
    home.variables["MARKET_CONFIG"] = home.folder.path
    let (code, lines) = try home.doctor()
    #expect(code == 1)
    #expect(lines.contains { $0.hasPrefix("config | problem | cannot read '~': Is a directory") })
  }

  @Test func fileInPlaceOfCacheIsAWarning() throws {
    let home = try Home()
    try home.write("x", ".cache/market")
    let (code, lines) = try home.doctor()
    #expect(code == 0)
    #expect(lines.contains { $0.hasPrefix("cache | warning | cannot list '~/.cache/market': Not a directory") })
  }

  @Test func textNamesTheRemedy() throws {
    let home = try Home()
    let run = try Subprocess(market: ["doctor"], environment: home.variables)
    #expect(run.code == 0)
    #expect(run.output.hasPrefix("ok       program   market "))
    #expect(run.output.hasSuffix("no problems, 1 warning\n"))
    #expect(run.output.contains("\n                   help: store it with: market keys add Alpha; or set "))
  }
}
