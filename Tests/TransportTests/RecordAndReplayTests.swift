import Cassettes
import HTTP
import Quotes
import TestSupport
import Testing

@testable import Transport

/// From a server through a recorder to disk and back.
@Suite struct RecordAndReplayTests {
  @Test func replayMatchesRecordedRun() async throws {
    let secret = "p+q/r=="
    let server = try LoopbackServer { request in
      switch request.target.prefix(while: { $0 != "?" }) {
      case "/echo": [.bytes(Answer.ok(request.target, headers: ["Set-Cookie: id=1", "X-Exchange: yes"]))]
      case "/gone": [.bytes(Answer.ok("gone", status: "410 Gone"))]
      default: [.close]
      }
    }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let recorder = CassetteRecorder(directory: folder.path, now: { Instant(nanoseconds: 0) })
    let handler = RequestCoalescer().coalescing(recorder.recording(HTTPClient.forTesting().handler))
    let requests = ["/echo?key=p%2bq%2Fr%3D%3D", "/gone", "/broken", "/gone"].map { target in
      HTTPRequest.to(server.url(target)) { $0.secrets = [secret] }
    }
    var live: [Result<HTTPResponse, TransportError>] = []
    for request in requests { live.append(await outcome(of: request, by: handler)) }
    let files = try folder.files()
    #expect(files.count == 5)
    for file in files {
      let text = try folder.read(file)
      #expect(!text.contains("p%2b") && !text.contains(secret) && !text.contains("id=1"), "\(file): \(text)")
    }

    let player = try CassettePlayer(directory: folder.path)
    var replayed: [Result<HTTPResponse, TransportError>] = []
    for request in requests { replayed.append(await outcome(of: request, by: player.handler)) }
    #expect(replayed.map(\.reply).dropFirst() == live.map(\.reply).dropFirst())
    #expect(replayed[0].reply == .success(Reply(200, "/echo?key=REDACTED")))
    for (one, other) in zip(live, replayed) {
      guard case .success(let one) = one, case .success(let other) = other else { continue }
      #expect(one.arrival == other.arrival)
      #expect(one.url == other.url)
      #expect(other.attempts == 0)
    }
  }
}
