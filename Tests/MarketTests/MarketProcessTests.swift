import Files
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The built program, run as users run it.
@Suite(.waitsForPrograms) struct MarketProcessTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let words: [String]
    var input = ""
    var code: Int32 = 0
    var output = ""
    var errorOutput = ""

    var testDescription: String { name }
  }

  private static let tickers = """
    [ {"symbol": "BTCUSDT", "last": "118234.50", "size": 1.50},
      {"symbol": "하나\\u202e", "last": null, "note": "a \\" b"} ]
    """

  @Test(arguments: [
    Case(name: "values", words: ["jsonpath", "$[*].symbol"], input: tickers, output: "\"BTCUSDT\"\n\"하나\\u202e\"\n"),
    Case(
      name: "compact, with the digits as they are", words: ["jsonpath", "$[0]", "-"], input: tickers,
      output: #"{"symbol":"BTCUSDT","last":"118234.50","size":1.50}"# + "\n"),
    Case(
      name: "blanks in strings stay", words: ["jsonpath", "$[1].note"], input: tickers, output: #""a \" b""# + "\n"),
    Case(
      name: "raw texts", words: ["jsonpath", "-r", "$[*][*]"], input: tickers,
      output: "BTCUSDT\n118234.50\n1.50\n하나\u{202e}\nnull\na \" b\n"),
    Case(
      name: "raw containers are JSON", words: ["jsonpath", "--raw", "$[0]"], input: tickers,
      output: #"{"symbol":"BTCUSDT","last":"118234.50","size":1.50}"# + "\n"),
    Case(
      name: "raw paths", words: ["jsonpath", "-r", "-p", "$"], input: tickers, code: 2,
      errorOutput: "error: '--paths' cannot be combined with '--raw'\nhelp: market jsonpath --help\n"),
    Case(
      name: "paths", words: ["jsonpath", "--paths", "$..last"], input: tickers,
      output: "$[0]['last']\n$[1]['last']\n"),
    Case(name: "paths, -p", words: ["jsonpath", "$[?@.size > 1]", "-p"], input: tickers, output: "$[0]\n"),
    Case(
      name: "a duplicate member", words: ["jsonpath", "$.a"], input: #"{"a": 1, "a": 2}"#, output: "2\n",
      errorOutput: "market: duplicate member 'a'; a name finds only the last\n"),
    Case(name: "nothing found", words: ["jsonpath", "$.x"], input: "{}", code: 1),
    Case(
      name: "bad query", words: ["jsonpath", "$[?@.b ==]"], input: "{}", code: 2,
      errorOutput: """
        <query>:1:10: error: expected a value, a query ('@' or '$'), a function or '('
          1 | $[?@.b ==]
            |          ^

        """),
    Case(
      name: "bad JSON", words: ["jsonpath", "$"], input: "{\n  \"하나\": 하나\n}", code: 1,
      errorOutput: """
        <stdin>:2:9: error: expected a value
          2 |   "하나": 하나
            |           ^^

        """),
    Case(
      name: "bad JSON with a control character", words: ["jsonpath", "$"], input: "[\u{1B}[2J]", code: 1,
      errorOutput: """
        <stdin>:1:2: error: expected a value
          1 | [\\u{1B}[2J]
            |  ^^^^^^

        """),
    Case(
      name: "no such file", words: ["jsonpath", "$", "/nowhere/x.json"], code: 1,
      errorOutput: "error: cannot read '/nowhere/x.json': No such file or directory\n"),
    Case(
      name: "usage", words: ["jsonpath"], code: 2,
      errorOutput: "error: missing argument QUERY\nhelp: market jsonpath --help\n"),
    Case(
      name: "unknown command", words: ["verison"], code: 2,
      errorOutput: "error: unknown command 'verison'; did you mean 'version'?\nhelp: market help\n"),
  ])
  func run(_ sample: Case) throws {
    let run = try Subprocess(market: sample.words, input: sample.input)
    #expect(run.code == sample.code)
    #expect(run.output == sample.output)
    #expect(run.errorOutput == sample.errorOutput)
  }

  @Test func errorsNameTheFile() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.json"
    try FileSystem.writeAtomically(Array("[1,]".utf8), to: path)
    let run = try Subprocess(market: ["jsonpath", "$", path])
    #expect(run.code == 1)
    #expect(run.errorOutput.hasPrefix("\(path):1:4: error: "))
  }

  @Test func runsProgramFromPath() throws {
    let folder = try TemporaryFolder()
    try BackgroundProgram.writeScript("echo \"$@\"\nexit 7", to: folder.path + "/market-hello")
    let run = try Subprocess(
      market: ["hello", "--format", "x y"], environment: ["PATH": "relative::/nowhere:\(folder.path)"])
    #expect(run.code == 7)
    #expect(run.output == "--format x y\n")
    #expect(run.errorOutput == "")
  }

  @Test func skipsFilesThatAreNotExecutable() throws {
    let folder = try TemporaryFolder()
    try FileSystem.writeAtomically([], to: folder.path + "/market-hello", mode: 0o644)
    let run = try Subprocess(market: ["hello"], environment: ["PATH": folder.path])
    #expect(run.code == 2)
    #expect(run.errorOutput == "error: unknown command 'hello'\nhelp: market help\n")
  }

  /// Ctrl-\ ends a command without a screen as it ends other programs: at once, and without a word.
  ///
  /// The command reads a FIFO, which blocks its writer until then.
  @Test(arguments: [
    "jsonpath '$' fifo", "show BTC USDT --config fifo", "watch BTC/USDT --plain --config fifo",
    "stream BTC USDT --config fifo", "validate-config fifo",
  ])
  func quitSignalEndsCommand(_ words: String) throws {
    let folder = try TemporaryFolder()
    let script = """
      cd "$1" && mkfifo fifo || exit 9
      { exec 3>fifo; kill -QUIT $$; } &
      exec "$0" \(words)
      """
    let run = try Subprocess(
      "/bin/sh", ["-c", script, Subprocess.market(), folder.path],
      environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path])
    #expect(run.code == 128 + SIGQUIT)
    #expect(run.output == "")
    #expect(run.errorOutput == "")
  }

  /// Streams closed by the caller go nowhere, and not into the first file that is opened. An answer that goes nowhere
  /// is none, as on a full disk.
  @Test func closedStreams() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.json"
    try FileSystem.writeAtomically(Array("[1]".utf8), to: path)
    let run = try Subprocess(
      "/bin/sh", ["-c", "\"$0\" jsonpath '$[*]' \"$1\" <&- >&-; echo $?", Subprocess.market(), path])
    #expect(run.output == "1\n")
    #expect(run.errorOutput == "error: cannot write 'standard output': Bad file descriptor\n")
    let silent = try Subprocess("/bin/sh", ["-c", "\"$0\" version 2>&-; echo $?", Subprocess.market()])
    #expect(silent.output.hasSuffix("\n0\n"))
  }

  #if canImport(Glibc)
    /// Resources refused by the system are reported where the libraries below would hang or trap.
    @Test(arguments: [
      ("-n 7", "error: only 7 files may be open at once, and 32 are needed; run: ulimit -n 256\n"),
      (
        "-v 80000", "error: only 78 MB of addresses are allowed, and 256 are needed; run: ulimit -v unlimited\n"
      ),
    ])
    func systemLimitsAreReported(_ limit: String, _ message: String) throws {
      let run = try Subprocess(
        "/bin/sh", ["-c", "ulimit \(limit); exec \"$0\" show BTC USDT", Subprocess.market()])
      #expect(run.code == 1)
      #expect(run.errorOutput == message)
    }
  #endif

  /// A request's timeout covers all its attempts: a silent host is tried once.
  @Test func hangingHostUsesTimeoutOnce() throws {
    let folder = try TemporaryFolder()
    let server = try LoopbackServer { _ in [.hold] }
    let run = try Subprocess(
      market: [
        "add-exchange", "Newex", "--from-sample", server.url("/all"), "--timeout", "0.5", "--yes", "--config",
        folder.path + "/exchanges.json",
      ], environment: ["HOME": folder.path])
    #expect(run.code == 1)
    #expect(server.received.count == 1)
  }

  /// `market ... | head -1` succeeds and prints no error.
  @Test func readerThatExitsEarly() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.json"
    let rows = Array(repeating: "{\"symbol\": \"BTCUSDT\"}", count: 50_000).joined(separator: ",")
    try FileSystem.writeAtomically(Array("[\(rows)]".utf8), to: path)
    let script = "{ \"$0\" jsonpath '$[*]' \"$1\"; echo \"exit $?\" >&2; } | head -n 1"
    let run = try Subprocess(
      "/bin/sh", ["-c", script, Subprocess.market(), path], environment: ["PATH": "/usr/bin:/bin"])
    #expect(run.output == "{\"symbol\":\"BTCUSDT\"}\n")
    #expect(run.errorOutput == "exit 0\n")
  }

  /// A file is said to be written, as after add-exchange. A limit on the size of files is an error with a reason, and leaves
  /// no half-written file.
  @Test(arguments: [("unlimited", 0, "market: wrote FILE"), ("1", 1, "error: cannot write 'FILE': File too large")])
  func pictureFile(_ limit: String, _ code: Int32, _ message: String) throws {
    let folder = try TemporaryFolder()
    let file = "\(folder.path)/chart.svg"
    let words = [
      try Subprocess.market(), "chart", "BTC", "USDT", "-e", "binance", "-i", "1m", "--svg", file, "--replay",
      Checkout.path("Tests/Cassettes"), "--config", Checkout.path("exchanges.json"),
    ]
    let run = try Subprocess("/bin/sh", ["-c", #"ulimit -f "$0"; exec "$@""#, limit] + words)
    #expect(run.code == code)
    #expect(run.output == "")
    #expect(run.errorOutput == message.replacing("FILE", with: file) + "\n")
    #expect(folder.names == (code == 0 ? ["chart.svg"] : []))
  }
}
