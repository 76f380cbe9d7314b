import Files
import HTTP
import Quotes
import TestSupport
import Testing

@testable import Transport

/// Pauses that outlive the program that was asked for them, with a manual clock.
@Suite struct KeptPausesTests {
  private static let second: Int64 = 1_000_000_000
  private static let ban = HTTPResponse(
    status: 418, headers: [HTTPHeader(name: "Retry-After", value: "300")], body: Array("{}".utf8))

  /// A program of its own, as far as pauses go: what it sends, and the status that it gets.
  private static func run(
    _ outcomes: [Result<HTTPResponse, TransportError>], _ clock: TestClock, in folder: String,
    url: String = "https://a/account", isSigned: Bool = true
  ) async throws -> (response: HTTPResponse, sent: Int) {
    let wire = ScriptedWire(outcomes)
    var sender = RetryingSender.forTesting(wire, clock)
    sender.keptPauses = KeptPauses(in: folder)
    var request = HTTPRequest.to(url)
    if isSigned { request.signer = RequestSigner { _, _ throws(TransportError) in RequestSigner.Sending(.to(url)) } }
    let response = try await sender.send(request, deadline: clock.now + 10 * second)
    return (response, wire.sent.count)
  }

  /// Whatever is signed is not sent to a host that has banned this address, by any later program.
  @Test func banOutlivesTheProgram() async throws {
    let folder = try TemporaryFolder()
    let clock = TestClock()
    let first = try await Self.run([.success(Self.ban)], clock, in: folder.path)
    #expect(first.response.status == 418 && first.sent == 1)
    clock.advance(by: 60 * Self.second)
    for _ in 0..<3 {
      let later = try await Self.run([.status(200)], clock, in: folder.path)
      #expect(later.response.status == 418 && later.sent == 0)
      #expect(later.response.pause == .seconds(240))
    }
    // Another host, or another program's public request, is not concerned.
    #expect(try await Self.run([.status(200)], clock, in: folder.path, url: "https://b/").sent == 1)
    #expect(try await Self.run([.status(200)], clock, in: folder.path, isSigned: false).sent == 1)
    clock.advance(by: 240 * Self.second)
    #expect(try await Self.run([.status(200)], clock, in: folder.path).response.status == 200)
  }

  /// A public request that is banned says so for signed ones, too.
  @Test func publicRequestsAreHeard() async throws {
    let folder = try TemporaryFolder()
    let clock = TestClock()
    _ = try await Self.run([.success(Self.ban)], clock, in: folder.path, isSigned: false)
    #expect(try await Self.run([.status(200)], clock, in: folder.path).sent == 0)
    #expect(try folder.files().map { folder.mode($0) } == [0o600])
  }

  /// Nothing is written for an answer, a failure or a short pause.
  @Test(
    arguments: [.status(200), .status(403), .status(503, retryAfter: "1"), .failure(.tls("a"))]
      as [Result<HTTPResponse, TransportError>])
  func nothingIsWritten(_ outcome: Result<HTTPResponse, TransportError>) async throws {
    let folder = try TemporaryFolder()
    _ = try? await Self.run([outcome, outcome, outcome], TestClock(), in: "\(folder.path)/pauses")
    #expect(FileSystem.isAbsent("\(folder.path)/pauses"))
  }

  /// What cannot be meant is ignored: a pause that is over, or of more than three days, and damaged text.
  @Test(
    arguments: [
      (300, 418, 0, true), (300, 418, 299, true), (300, 418, 300, false), (300, 200, 0, false),
      (300, 418, -3 * 86_400, false), (3 * 86_400, 429, 0, true), (9 * 86_400, 429, 0, true),
    ] as [(Int64, Int, Int64, Bool)])
  func limits(_ wish: Int64, _ status: Int, _ later: Int64, _ isInForce: Bool) throws {
    let folder = try TemporaryFolder()
    let pauses = KeptPauses(in: folder.path)
    let start = Instant.at("2026-01-01T00:00:00Z")
    let host = HostName(of: "https://a/")
    pauses.keep(wish * Self.second, status: status, of: host, at: start)
    let now = start.advanced(by: .seconds(later))
    #expect((pauses.pause(of: host, at: now) != nil) == isInForce)
    #expect(pauses.pause(of: HostName(of: "https://b/"), at: now) == nil)
    // The longer of two counts.
    pauses.keep(60 * Self.second, status: 429, of: host, at: start)
    if isInForce, later == 0 { #expect(pauses.pause(of: host, at: start)?.status == status) }
    for name in try folder.files() {
      try FileSystem.writeAtomically(Array("damaged".utf8), to: "\(folder.path)/\(name)")
    }
    #expect(pauses.pause(of: host, at: start) == nil)
  }
}
