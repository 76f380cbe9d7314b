import Config
import Files
import JSON
import Lint
import Synchronization
import TestSupport
import Testing

@testable import Shell
@testable import Views
@testable import market

/// `market validate-config` and `market explain` as users see them.
@Suite struct ValidateConfigCommandTests {
  /// One run on a text; the file is called `example.json` in the output.
  private struct Run {
    let code: ExitCode
    let output: String
    let errorOutput: String
    let text: String

    /// - Parameter executable: the path of the running program, beside which the shipped config is looked for.
    init(_ text: String, _ words: [String] = [], executable: String? = nil) async throws {
      let folder = try TemporaryFolder()
      let path = "\(folder.path)/example.json"
      try FileSystem.writeAtomically(Array(text.utf8), to: path)
      var world = TestWorld(["validate-config", path] + words)
      if let executable { world.context.executablePath = { executable } }
      code = await Program.market.run(in: world.context)
      output = world.output.replacing(path, with: "example.json")
      errorOutput = world.errorOutput.replacing(path, with: "example.json")
      self.text = String(decoding: try FileSystem.read(path), as: UTF8.self)
    }
  }

  /// The printed report of each code.
  @Test(arguments: DiagnosticExplanation.all.map(\.code)) func report(_ code: FindingCode) async throws {
    let story = try #require(DiagnosticExplanation.explanation(of: code))
    let run = try await Run(story.config(of: story.wrong))
    #expect(run.code == (run.output.contains("error[") ? .invalidConfig : .answer))
    Golden.expect(run.output, matches: "validate-\(code.rawValue).txt")
  }

  private static let broken = """
    { "version": 1,
      "setings": { "colors": "uz" },
      "watchlist": [{ "asset": "BTC" }] }

    """

  @Test(arguments: FindingFormat.allCases) func formats(_ format: FindingFormat) async throws {
    let run = try await Run(Self.broken, ["--format", format.rawValue])
    #expect(run.code == .invalidConfig)
    Golden.expect(
      run.output.replacing("\"\(Version.number)\"", with: "\"VERSION\""),
      matches: "validate-format-\(format.rawValue).txt")
  }

  /// Reports are pasted and logged: none contains a possible secret.
  @Test(
    arguments: FindingFormat.allCases,
    [
      #""baseUrls": ["https://joe:hunter2-pass@exchange.test"], "fields": {}"#,
      #""baseUrls": ["https://exchange.test"], "request": { "path": "/t?apikey=hunter2-pass" }"#,
      #""baseUrls": ["https://bob:hunter2@exchange.test?code=hunter2"], "fields": {}"#,
      #""baseUrls": ["https://exchange.test/#code=hunter2"], "fields": {}"#,
      #""baseUrls": ["https://exchange.test\u003fcode=hunter2"], "fields": {}"#,
      #""baseUrls": ["https://bob:hunter2@exchange.test?code=hunter2"] "fields": {}"#,
      #""baseUrls": ["https://exchange.test"], "headers": { "X-API-KEY": "hunter2-pass-a8f5f167f44f4964" }"#,
    ]) func reportsContainNoSecrets(_ format: FindingFormat, _ keys: String) async throws
  {
    let config = """
      { "version": 1, "exchanges": { "Exchange": { \(keys), "rows": "$[*]", "symbol": { "path": "$.s", "split": "-" },
        "markets": { "spot": { "tickers": { "request": { "path": "/t" } } } } } } }
      """
    let moved =
      keys.contains("\"request\"")
      ? config.replacing(#""tickers": { "request": { "path": "/t" } }"#, with: #""tickers": {}"#) : config
    let run = try await Run(moved, ["--format", format.rawValue])
    #expect(run.output.contains("MKT"))
    #expect(!(run.output + run.errorOutput).contains("hunter2"))
  }

  @Test func machineFormatsAreJSON() async throws {
    for format in ["json", "sarif"] {
      _ = try JSONDocument(parsing: Array(try await Run(Self.broken, ["-f", format]).output.utf8))
      _ = try JSONDocument(parsing: Array(try await Run("{", ["-f", format]).output.utf8))
    }
    #expect(try await Run(#"{"version": 1}"#, ["-f", "json"]).output == "{\n  \"findings\": []\n}\n")
  }

  /// A person is shown the first thousand findings, and told of the rest; a program gets all.
  @Test func machineFormatsAreComplete() async throws {
    let keys = (0..<1200).map { #""key\#($0)": 1"# }.joined(separator: ", ")
    let text = "{ \"version\": 1, \(keys) }"
    let run = try await Run(text, ["-f", "json"])
    let findings = try #require(try JSONDocument(parsing: Array(run.output.utf8)).root["findings"])
    #expect(Array(findings.elements).count == 1200)
    #expect(try await Run(text).output.contains("200 more are not shown\n"))
  }

  @Test func warningsFailOnDemand() async throws {
    let text = #"{ "version": 1, "aliases": { "A": "A" } }"#
    #expect(try await Run(text).code == .answer)
    let strict = try await Run(text, ["--warnings-as-errors"])
    #expect(strict.code == .invalidConfig)
    #expect(strict.output.contains("error[MKT064]") && strict.output.hasSuffix(": 1 error\n"))
  }

  @Test func shippedConfigIsClean() async throws {
    let world = TestWorld(["validate-config", Checkout.path("exchanges.json"), "--warnings-as-errors"])
    #expect(await Program.market.run(in: world.context) == .answer)
    #expect(world.output.contains(": no problems in "))
  }

  /// A config that extends one which is not there says where it was looked for, and what else is wrong.
  @Test func missingShippedConfig() async throws {
    let text = #"{ "version": 1, "extends": "builtin", "setings": {} }"#
    let run = try await Run(text, executable: "/nowhere/bin/market")
    #expect(run.code == .invalidConfig)
    #expect(
      run.output.split(separator: "\n").filter { $0.hasPrefix("example.json") } == [
        "example.json:1:28: error[MKT001]: found no exchanges.json that ships with the program "
          + "(/nowhere/share/market/exchanges.json)",
        "example.json:1:39: error[MKT021]: unknown key 'setings'", "example.json: 2 errors, 0 warnings",
      ])
  }

  /// A finding in inherited text is reported once, naming the heirs.
  @Test func inheritedFindings() async throws {
    let text = """
      { "version": 1, "exchanges": {
        "A": { "baseUrls": ["https://a.example"], "request": { "path": "/x" }, "rows": "$[", "symbol": "request",
          "fields": { "price": "$.p" }, "markets": { "spot": { "tickers": {} } } },
        "B": { "like": "A", "baseUrls": ["https://b.example"] },
        "C": { "like": "A", "baseUrls": ["https://c.example"] } } }

      """
    let run = try await Run(text)
    #expect(run.code == .invalidConfig)
    Golden.expect(run.output, matches: "validate-inherited.txt")
  }

  // MARK: Fixing

  @Test func fixes() async throws {
    let text = """
      { "version": 1,\r
        "setings":  { "colors" : "us",   "colors" : "us" }, \t
        "watchlist": [{ "aset": "BTC", "payment": "USDT", "enabled": false }] }
      """
    let run = try await Run(text, ["--fix"])
    #expect(
      run.text == """
        { "version": 1,\r
          "settings":  { "colors" : "us" }, \t
          "watchlist": [{ "asset": "BTC", "payment": "USDT", "enabled": false }] }
        """)
    #expect(run.code == .answer)
    Golden.expect(run.errorOutput + run.output, matches: "validate-fix.txt")
  }

  /// Remnants of text editors are fixed, and so are the problems that this reveals.
  @Test func fixesTheText() async throws {
    let run = try await Run("\u{FEFF}{ \"version\": 1,\n  \"setings\": { \"colors\": \"us\", }, }\n", ["--fix"])
    #expect(run.text == "{ \"version\": 1,\n  \"settings\": { \"colors\": \"us\" } }\n")
    #expect(run.code == .answer)
    #expect(run.errorOutput.split(separator: "\n").count == 4)
  }

  /// Changes made by others between reading and editing are kept.
  @Test func leavesConcurrentlyChangedFile() async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/example.json"
    try FileSystem.writeAtomically(Array(#"{ "version": 1, "setings": {} }"#.utf8), to: path)
    let other = Array(#"{ "version": 1, "setings": { "colors": "us" } }"#.utf8)
    var world = TestWorld(["validate-config", path, "--fix"])
    // Called when the file is found, and again after it has been read.
    let asked = Mutex(0)
    world.context.executablePath = {
      let isRead = asked.withLock { count in
        count += 1
        return count > 1
      }
      if isRead { try? FileSystem.writeAtomically(other, to: path) }
      return nil
    }
    #expect(await Program.market.run(in: world.context) != .answer)
    #expect(try FileSystem.read(path) == other)
    #expect(world.errorOutput.contains("was changed in the meantime"))
    #expect(!world.errorOutput.contains("fixed"))
  }

  // MARK: Several files, standard input, odd names

  @Test func severalFilesAndStandardInput() async throws {
    let folder = try TemporaryFolder()
    for (name, text) in [("a.json", "{ \"version\": 1 }"), ("b.json", "{ \"version\": 2 }")] {
      try FileSystem.writeAtomically(Array(text.utf8), to: "\(folder.path)/\(name)")
    }
    var world = TestWorld(["validate-config", "\(folder.path)/a.json", "\(folder.path)/b.json", "-"])
    world.context.readInput = { _ in Array("{ \"version\": 1, }".utf8) }
    #expect(await Program.market.run(in: world.context) == .invalidConfig)
    let lines = world.output.replacing(folder.path + "/", with: "").split(separator: "\n").filter {
      !$0.hasPrefix("  ")
    }
    #expect(
      lines == [
        "a.json: no problems in 0 exchanges and 0 rate providers",
        "b.json:1:14: error[MKT003]: unsupported config version 2; expected 1",
        "b.json: 1 error, 0 warnings", "<stdin>:1:15: error[MKT001]: unexpected ',' before '}'",
        "<stdin>: 1 error, 0 warnings",
      ])
  }

  /// Files that cannot be read keep no other from being checked.
  @Test func missingFilesAmongOthers() async throws {
    let folder = try TemporaryFolder()
    try FileSystem.writeAtomically(Array("{ \"version\": 2 }".utf8), to: "\(folder.path)/b.json")
    let names = ["x.json", "b.json", "y.json"].map { "\(folder.path)/\($0)" }
    let world = TestWorld(["validate-config"] + names)
    #expect(await Program.market.run(in: world.context) == .invalidConfig)
    let lines = world.output.replacing(folder.path + "/", with: "").split(separator: "\n")
    #expect(lines.last == "b.json: 1 error, 0 warnings")
    #expect(
      world.errorOutput.replacing(folder.path + "/", with: "") == """
        market: cannot read 'x.json': No such file or directory
        error: cannot read 'y.json': No such file or directory

        """)
  }

  @Test func standardInputCannotBeFixed() async {
    let world = TestWorld(["validate-config", "-", "--fix"])
    #expect(await Program.market.run(in: world.context) == .usage)
  }

  @Test func oddNamesAreEscaped() async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/a b,c:100%한.json"
    try FileSystem.writeAtomically(Array("[]".utf8), to: path)
    var texts: [String] = []
    for format in ["sarif", "github"] {
      let world = TestWorld(["validate-config", path, "-f", format])
      #expect(await Program.market.run(in: world.context) == .invalidConfig)
      texts.append(world.output)
    }
    #expect(texts[0].contains("\"uri\": \"file://\(folder.path)/a%20b%2Cc%3A100%25%ED%95%9C.json\""))
    #expect(
      texts[1].hasPrefix("::error file=\(folder.path)/a b%2Cc%3A100%25한.json,line=1,col=1,endColumn=2,title=MKT010::"))
  }

  /// A config without line breaks is shown only around the position.
  @Test func longLinesAreTruncated() async throws {
    let aliases = (0..<4_900).map { "\"A\($0)\":\"B\($0)\"" }.joined(separator: ",")
    let run = try await Run("{\"version\":1,\"aliases\":{\(aliases),\"한\":7,\(aliases.replacing("A", with: "C"))}}")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[1].contains("\"한\":7") && lines[1].utf8.count < 220)
    #expect(lines[2].hasSuffix("^"))
  }

  /// No fix creates a duplicate member, and invalid JSON is left unchanged.
  @Test(arguments: [
    #"{ "version": 1, "settings": {}, "setings": {} }"#, #"{ "version": 1, "setings": { }"#,
    #"{ "version": 1, "aliases": { "A": "B", "A": "C" } }"#,
  ])
  func unsafeFixesAreNotApplied(_ text: String) async throws {
    let run = try await Run(text, ["--fix"])
    #expect(run.text == text)
    #expect(run.code == .invalidConfig)
  }

  @Test func coverage() async throws {
    let world = TestWorld(["validate-config", Checkout.path("exchanges.json"), "--coverage"])
    #expect(await Program.market.run(in: world.context) == .answer)
    Golden.expect(world.output, matches: "validate-coverage.txt")
  }

  /// A secret is not printed a second time.
  @Test func secretsAreMasked() async throws {
    let story = try #require(DiagnosticExplanation.explanation(of: .writtenSecret))
    for format in FindingFormat.allCases {
      let run = try await Run(story.config(of: story.wrong), ["-f", format.rawValue])
      #expect(!run.output.contains("3f9a61c07d2e48b5a1c9"))
    }
  }
}

@Suite struct ExplainCommandTests {
  @Test(arguments: [
    ("MKT999", "to list all codes, run: market explain"),
    (
      "MKT006",
      "did you mean MKT001 (the config is not JSON), MKT002 (a duplicate key), "
        + "MKT003 (the config is newer than the program)?"
    ),
    (
      "secret",
      "did you mean MKT005 (a secret that belongs to another owner), MKT054 (a secret in the file), MKT085 (a "
        + "secret in a stream)?"
    ),
    ("zzz", "to list all codes, run: market explain"), ("jsn-null", "did you mean 'json-null'?"),
    ("stream-silnt", "did you mean 'stream-silent'?"), ("stream-close 1006", "did you mean 'stream-closed'?"),
    ("http500", "did you mean 'http'?"), ("foo-21", "to list all codes, run: market explain"),
    ("nonsense stale", "to list all codes, run: market explain"),
  ]) func suggestsSimilarCodes(_ word: String, _ advice: String) async {
    let world = TestWorld(["explain", word])
    #expect(await Program.market.run(in: world.context) == .usage)
    #expect(world.errorOutput == "error: unknown code '\(word)'; \(advice)\nhelp: market explain --help\n")
  }

  @Test(arguments: ["MKT021", "mkt021", "21"]) func explainsCode(_ word: String) async {
    let world = TestWorld(["explain", word])
    #expect(await Program.market.run(in: world.context) == .answer)
    Golden.expect(world.output, matches: "explain-MKT021.txt")
  }

  @Test(
    arguments: [
      (["json-null"], "json-null: why a cell is empty\n\nnull, or one of the strings of 'missing'\n"),
      (
        ["http-500"],
        "http-500: why there is no answer\n\nthe answer has that HTTP status: the exchange's server failed\n"
      ),
      (
        ["http-404", "http-503", "http-599", "http-299", "http"],
        """
        http-404: why there is no answer

        the answer has that HTTP status: page not found

        http-503: why there is no answer

        the answer has that HTTP status: the exchange's server failed

        http-599: why there is no answer

        the answer has that HTTP status: the exchange's server failed

        http-299: why there is no answer

        the answer has that HTTP status

        http-NNN: why there is no answer

        the answer has that HTTP status

        """
      ),
      (
        ["spot", "http-500"],
        """
        spot REASON: why a cell is empty

        no disparity, since the spot price is missing, flagged or left out

        http-500: why there is no answer

        the answer has that HTTP status: the exchange's server failed

        """
      ),
      (
        ["venue-error", "40034"],
        "venue-error CODE: why there is no answer\n\n"
          + "the exchange reports an error, with its own code if it has one\n"
      ),
      (
        ["stale"],
        """
        stale: why a cell is empty

        too old, or of the future, to be shown as current, such as a change since
        midnight in a row from before it

        stale: why a row is flagged

        a quote or an order book older than 'staleAfter', a last trade older than an
        hour, a time in the future; without a time, an answer that a cache says it has
        kept longer than 'staleAfter' (the header 'Age')

        stale: what feeds and streams do

        answers arrive, but all their quotes are too old

        """
      ),
    ] as [([String], String)]) func explainsReason(_ words: [String], _ text: String) async
  {
    let world = TestWorld(["explain"] + words)
    #expect(await Program.market.run(in: world.context) == .answer)
    #expect(world.output == text)
  }

  @Test(arguments: FeedWord.allCases.map(\.rawValue)) func explainsStateOfFeed(_ state: String) {
    #expect(ReasonExplanation.explanations(spelled: state).contains { $0.topic == .feed })
  }

  @Test func listsAllCodes() async {
    let world = TestWorld(["explain"])
    #expect(await Program.market.run(in: world.context) == .answer)
    let findings = DiagnosticExplanation.all.map { "\($0.code.rawValue)  \($0.title)\n" }.joined()
    let cells = """

      why a cell is empty
      not-offered, path-miss, path-many, json-null, not-a-number, zero, negative,

      """
    #expect(world.output.hasPrefix(findings + cells))
  }

  @Test func unknownCode() async {
    let world = TestWorld(["explain", "MKT999"])
    #expect(await Program.market.run(in: world.context) == .usage)
    #expect(
      world.errorOutput
        == "error: unknown code 'MKT999'; to list all codes, run: market explain\nhelp: market explain --help\n")
  }
}

extension String {
  fileprivate func replacing(_ target: String, with replacement: String) -> String {
    split(separator: target, omittingEmptySubsequences: false).joined(separator: replacement)
  }
}
