import HTTP
import TestSupport
import Testing

@testable import MarketData
@testable import Transport

/// The policies again, this time over real connections.
@Suite struct FailoverTests {
  @Test func nextURLAfterRefusedConnection() async throws {
    // A recently free port may have been taken by another test; port 1 never has a listener.
    let dead = "http://127.0.0.1:1/"
    let live = try LoopbackServer { _ in [.bytes(Answer.ok("here"))] }
    defer { live.stop() }
    let response = try await HTTPClient.forTesting().handler(.to(dead, live.url("/")))
    #expect(response.url == live.url("/"))
    #expect(response.attempts == 2)
  }

  @Test func nextURLAfterServerError() async throws {
    let broken = try LoopbackServer { _ in [.bytes(Answer.ok("broken", status: "502 Bad Gateway"))] }
    defer { broken.stop() }
    let live = try LoopbackServer { _ in [.bytes(Answer.ok("here"))] }
    defer { live.stop() }
    let request = HTTPRequest.to(broken.url("/"), live.url("/")) {
      $0.method = "POST"
      $0.body = Array("{}".utf8)
    }
    #expect(await outcome(of: request, by: HTTPClient.forTesting().handler).reply == .success(Reply(200, "here")))
    #expect(broken.received.map(\.body) == live.received.map(\.body))
  }

  @Test func busyHostIsRetried() async throws {
    let server = try LoopbackServer { request in
      switch request.repetition {
      case 0: [.bytes(Answer.ok("busy", status: "503 Service Unavailable"))]
      case 1: [.bytes(Answer.ok("slow down", status: "429 Too Many Requests", headers: ["Retry-After: 0"]))]
      case 2: [.close]
      default: [.bytes(Answer.ok("done"))]
      }
    }
    defer { server.stop() }
    let client = HTTPClient.forTesting { $0.retryRule.maximumRetries = 3 }
    let response = try await client.handler(.to(server.url("/")))
    #expect(response.body == Array("done".utf8))
    // The closed connection was a kept-alive one, for which libcurl itself retries at once.
    #expect(response.attempts == 3)
    #expect(server.received.count == 4)
    #expect(server.connectionCount == 2)
  }

  @Test(arguments: [403, 404, 418, 451]) func refusalsDoNotFailOver(_ status: Int) async throws {
    let server = try LoopbackServer { _ in [.bytes(Answer.ok("no", status: "\(status) No"))] }
    defer { server.stop() }
    let client = HTTPClient.forTesting { $0.retryRule.maximumRetries = 3 }
    #expect(await outcome(of: .to(server.url("/")), by: client.handler).reply == .success(Reply(status, "no")))
    #expect(server.received.count == 1)
  }
}
