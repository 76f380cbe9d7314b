import Files
import TestSupport
import Testing

/// The progress line on the terminal while an exchange does not respond.
@Suite(.waitsForPrograms) struct ProgressLineTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var environment = ["TERM": "xterm"]
    /// The width of the terminal; nil if standard error is not a terminal.
    var columns: UInt16? = 80
    var hasLine = true
  }

  @Test(arguments: [
    Case(testDescription: "a terminal"),
    Case(testDescription: "without colours", environment: ["TERM": "xterm", "NO_COLOR": "1"]),
    Case(testDescription: "a terminal that cannot erase", environment: ["TERM": "dumb"], hasLine: false),
    Case(testDescription: "a terminal of no name", environment: [:], hasLine: false),
    Case(testDescription: "a file", columns: nil, hasLine: false),
  ])
  func isShownWhileExchangeHangs(_ sample: Case) throws {
    let server = try LoopbackServer { request in
      request.target == "/first" ? [.bytes(Answer.ok(LocalExchanges.good))] : [.hold]
    }
    let base = "http://127.0.0.1:\(server.port)"
    let folder = try TemporaryFolder()
    let config = "\(folder.path)/exchanges.json"
    let exchanges = LocalExchanges(exchanges: [("First", base, "/first"), ("Slow", base, "/slow")])
    try FileSystem.writeAtomically(Array(exchanges.config.utf8), to: config)

    let run = try Subprocess(
      market: ["show", "BTC", "USDT", "-c", config, "--timeout", "900ms"], environment: sample.environment,
      errorColumns: sample.columns)
    #expect(run.code == 0)
    // The terminal's line end is one character, and does not restart the line.
    let erasing = "\u{1B}[K"
    let parts = run.errorOutput.split(separator: "\r").map(String.init)
    let lines = parts.filter { $0.hasSuffix(erasing) }
    let note = "market: Slow spot: timeout (no answer in time)" + (sample.columns == nil ? "\n" : "\r\n")
    // Erased at the end, before anything else is written.
    #expect(parts.last == (sample.hasLine ? erasing : "") + note)
    #expect(lines.count == parts.count - 1)
    #expect(lines.isEmpty != sample.hasLine)
    // The last one may have come after the time was over.
    if sample.hasLine { #expect(lines.contains { $0.hasPrefix("1 of 2 answers, waiting for Slow: 0.") }) }
  }
}
