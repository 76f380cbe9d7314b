import Foundation
import HTTP
import TestSupport
import Testing

@testable import Transport

/// The cases of the Autobahn suite, played to our client by a server from the shared corpora: each is a separate
/// connection on which every message is echoed.
@Suite struct WebSocketConformanceTests {
  /// The server's default folder for prepared cases.
  private static let folder = "\(ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp")/websocket-cases"
  private static let serve = SharedCorpora.root.map { "\($0)/conformance/websocket/serve" }

  /// Whether the cases are prepared, which takes PyPI packages and a minute, so it is left to those who want them all.
  private static let isReady =
    serve.map { FileManager.default.fileExists(atPath: $0) } == true
    && BackgroundProgram.succeeds("python3", ["--version"])
    && (Effort.isComplete || FileManager.default.fileExists(atPath: "\(folder)/ready"))

  private static let count = 301
  /// Neither right nor wrong: a close frame, followed by the client's reaction.
  private static let informational = ["7.1.6", "7.13.1", "7.13.2"]

  /// Every seventh case of all groups, or all of them.
  @Test(
    .enabled(
      if: isReady, "needs MARKET_SHARED, python3, and the cases: run 'serve' there once, or set MARKET_EXHAUSTIVE"))
  func conformsToTheRFC() async throws {
    let port = try Sockets.freePort()
    let server = try BackgroundProgram("bash", [#require(Self.serve), "\(port)", Self.folder])
    defer { server.stop() }
    try #require(await server.line(startingWith: "cases") == "cases \(Self.count)")
    let client = HTTPClient.forTesting()
    let cases = stride(from: 1, through: Self.count, by: Effort.isComplete ? 1 : 7)
    for number in cases {
      let end = await Echo.run("ws://127.0.0.1:\(port)/runCase?case=\(number)&agent=market", by: client)
      #expect(end != nil)
    }
    let results = try await Self.results(of: cases.underestimatedCount, port: port, client)
    let unusual = results.filter { $0.value != ["OK", "OK"] }
    #expect(results.count == (Effort.isComplete ? Self.count : 43))
    #expect(
      unusual
        == results.filter { Self.informational.contains($0.key) }.mapValues { _ in ["INFORMATIONAL", "INFORMATIONAL"] })
  }

  /// Returns the server's verdict on each case: the behaviour, and how the connection ended. The server writes it
  /// shortly after a connection has ended, so it is kept busy meanwhile.
  private static func results(of count: Int, port: Int, _ client: HTTPClient) async throws -> [String: [String]] {
    var results: [String: [String]] = [:]
    for _ in 0..<2_000 where results.count < count {
      _ = await Echo.run("ws://127.0.0.1:\(port)/getCaseCount", by: client)
      let data = try? Data(contentsOf: URL(fileURLWithPath: "\(folder)/results.json"))
      // It may be half written.
      let object = data.flatMap { try? JSONSerialization.jsonObject(with: $0) } as? [String: [Any]] ?? [:]
      results = object.mapValues { $0.prefix(2).map { $0 as? String ?? "" } }
    }
    return results
  }
}
