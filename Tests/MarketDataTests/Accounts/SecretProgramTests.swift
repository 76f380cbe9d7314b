import HTTP
import MarketData
import Testing

/// Programs that print a secret, and those that do not.
@Suite struct SecretProgramTests {
  private static func path(_ name: String) -> String? { name == "PATH" ? "relative:/usr/bin:/bin" : nil }

  private func line(_ words: [String], within patience: Duration = .seconds(20)) throws -> String {
    try SecretProgram(words, environment: Self.path).firstLine(within: patience).revealed
  }

  @Test(arguments: [
    (["printf", "hush\\n"], "hush"), (["printf", "hush"], "hush"), (["printf", "hush\\r\\nrest\\n"], "hush"),
    (["printf", "한글 hush\\n\\nmore"], "한글 hush"), (["/bin/echo", "$HOME;`x`"], "$HOME;`x`"),
  ])
  func firstLine(_ words: [String], _ secret: String) throws { #expect(try line(words) == secret) }

  @Test(
    arguments: [
      ([""], .noSuchProgram("")), (["no-such-program"], .noSuchProgram("no-such-program")),
      (["./echo"], .noSuchProgram("./echo")), (["/etc/passwd"], .noSuchProgram("/etc/passwd")),
      (["false"], .failed("false", code: 1)), (["true"], .printedNothing("true")),
      (["sh", "-c", "echo hush; exit 3"], .failed("sh", code: 3)),
      (["sh", "-c", "echo hush; kill -9 $$"], .killed("sh", signal: 9)),
      (["printf", "\\n hush\\n"], .printedNothing("printf")),
      (["printf", "\\377\\376\\n"], .notText("printf")), (["yes", "hush"], .printedTooMuch("yes")),
      (["sh", "-c", "exec tr '\\0' x </dev/zero"], .printedTooMuch("sh")),
      (["sh", "-c", "head -c 9000 /dev/zero | tr '\\0' x; echo"], .printedTooMuch("sh")),
    ] as [([String], SecretProgram.Problem)])
  func programsWithoutSecretAreRefused(_ words: [String], _ problem: SecretProgram.Problem) {
    #expect(throws: problem) { try line(words) }
    #expect(!"\(problem)".contains("hush"))
  }

  /// A hanging program is terminated with its children. If it were not, the test would go on for an hour.
  @Test(
    .timeLimit(.minutes(5)),
    arguments: [
      "echo hush; exec sleep 3600", "sleep 3600 & echo hush; wait", "trap '' TERM INT; while :; do sleep 1; done",
    ])
  func hangingProgramIsTerminated(_ script: String) {
    #expect(throws: SecretProgram.Problem.tookTooLong("sh", seconds: 0)) {
      try line(["sh", "-c", script], within: .milliseconds(200))
    }
  }

  /// A helper left behind, as by keychains, keeps nothing waiting.
  @Test func leftoverHelperDelaysNothing() throws {
    // Waiting for it would exceed the program's time.
    #expect(try line(["sh", "-c", "sleep 30 & echo hush"], within: .seconds(20)) == "hush")
  }

  /// The program has no input and none of the user's other secrets.
  @Test func programGetsNoInputAndNoOtherSecrets() throws {
    #expect(try line(["sh", "-c", "cat; env | grep -c '^MARKET_' | sed s/^/n/"]) == "n0")
  }
}
