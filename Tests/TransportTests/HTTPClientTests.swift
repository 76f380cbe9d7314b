import HTTP
import Quotes
import TestSupport
import Testing

@testable import Transport

/// The client against a well-behaved server.
@Suite struct HTTPClientTests {
  @Test func returnsStatusHeadersAndBody() async throws {
    let server = try LoopbackServer { _ in
      [.bytes(Answer.ok("{}", headers: ["Content-Type: application/json", "X-Two: a", "X-Two: b"]))]
    }
    defer { server.stop() }
    let before = TransportClock.system.wall()
    let response = try await HTTPClient.forTesting().handler(.to(server.url("/a?b=c")))
    let arrival = try #require(response.arrival)
    #expect((before...TransportClock.system.wall()).contains(arrival))
    #expect(
      response
        == HTTPResponse(
          status: 200,
          headers: [
            HTTPHeader(name: "Content-Length", value: "2"),
            HTTPHeader(name: "Content-Type", value: "application/json"),
            HTTPHeader(name: "X-Two", value: "a"), HTTPHeader(name: "X-Two", value: "b"),
          ], body: Array("{}".utf8), arrival: response.arrival, url: server.url("/a?b=c")))
  }

  @Test(.enabled(if: Sockets.hasIPv6, "needs IPv6 on the loopback")) func connectsOverIPv6() async throws {
    let server = try LoopbackServer(isIPv6: true) { _ in [.bytes(Answer.ok("six"))] }
    defer { server.stop() }
    let handler = HTTPClient.forTesting().handler
    #expect(await outcome(of: .to(server.url("/")), by: handler).reply == .success(Reply(200, "six")))
    #expect(server.received.first?.headers.first(named: "Host") == "[::1]:\(server.port)")
    let gone = server.port
    server.stop()
    #expect(await outcome(of: .to("http://[::1]:\(gone)/2"), by: handler) == .failure(.cannotConnect("[::1]:\(gone)")))
  }

  @Test func sendsTheRequestAsGiven() async throws {
    let server = try LoopbackServer { _ in [.bytes(Answer.ok(""))] }
    defer { server.stop() }
    let request = HTTPRequest.to(server.url("/x/../y?q=%7B")) {
      $0.method = "POST"
      $0.body = Array("{\"a\":1}".utf8)
      $0.headers = [HTTPHeader(name: "Content-Type", value: "application/json"), HTTPHeader(name: "X-E", value: "")]
    }
    _ = try await HTTPClient.forTesting().handler(request)
    let received = try #require(server.received.first)
    #expect(received.method == "POST")
    #expect(received.target == "/x/../y?q=%7B")
    #expect(received.body == Array("{\"a\":1}".utf8))
    #expect(received.headers.first(named: "User-Agent") == "market/test")
    #expect(received.headers.first(named: "Content-Type") == "application/json")
    #expect(received.headers.first(named: "X-E") == "")
    #expect(received.headers.first(named: "Expect") == nil)
    #expect(received.headers.first(named: "Cookie") == nil)
    #expect(received.headers.first(named: "Accept-Encoding")?.contains("gzip") == true)
  }

  @Test func userAgentOfRequestWins() async throws {
    let server = try LoopbackServer { _ in [.bytes(Answer.ok(""))] }
    defer { server.stop() }
    let request = HTTPRequest.to(server.url("/")) { $0.headers = [HTTPHeader(name: "user-agent", value: "mine")] }
    _ = try await HTTPClient.forTesting().handler(request)
    #expect(
      server.received.map { $0.headers.filter { $0.name.lowercased() == "user-agent" }.map(\.value) } == [["mine"]])
  }

  @Test func bodyWithoutContentTypeIsNotSentAsForm() async throws {
    let server = try LoopbackServer { _ in [.bytes(Answer.ok(""))] }
    defer { server.stop() }
    _ = try await HTTPClient.forTesting().handler(
      .to(server.url("/")) {
        $0.method = "POST"
        $0.body = [0, 1, 2]
      })
    #expect(server.received.map(\.body) == [[0, 1, 2]])
    #expect(server.received.first?.headers.first(named: "Content-Type") == nil)
  }

  @Test func postWithoutBodyHasContentLengthZero() async throws {
    let server = try LoopbackServer { _ in [.bytes(Answer.ok(""))] }
    defer { server.stop() }
    _ = try await HTTPClient.forTesting().handler(.to(server.url("/")) { $0.method = "POST" })
    #expect(server.received.map(\.method) == ["POST"])
    #expect(server.received.first?.headers.first(named: "Content-Length") == "0")
  }

  @Test(arguments: ["", "GET /\r\nX: y", "G T"]) func refusesMethods(_ method: String) async throws {
    let server = try LoopbackServer { _ in [.bytes(Answer.ok(""))] }
    defer { server.stop() }
    #expect(
      await outcome(of: .to(server.url("/")) { $0.method = method }, by: HTTPClient.forTesting().handler)
        == .failure(.other("invalid method '\(method)'")))
    #expect(server.received == [])
  }

  @Test(arguments: ["a\r\nX: y", "a\nb", "a\0b"])
  func refusesInvalidHeaderValues(_ value: String) async throws {
    let server = try LoopbackServer { _ in [.bytes(Answer.ok(""))] }
    defer { server.stop() }
    let request = HTTPRequest.to(server.url("/")) { $0.headers = [HTTPHeader(name: "X-Bad", value: value)] }
    #expect(
      await outcome(of: request, by: HTTPClient.forTesting().handler).reply
        == .failure(.other("invalid header 'X-Bad'")))
    #expect(server.received == [])
  }

  @Test func keepsConnections() async throws {
    let server = try LoopbackServer { _ in [.bytes(Answer.ok("x"))] }
    defer { server.stop() }
    let client = HTTPClient.forTesting()
    for number in 0..<5 { _ = try await client.handler(.to(server.url("/\(number)"))) }
    #expect(server.received.map(\.connection) == [0, 0, 0, 0, 0])
    #expect(server.connectionCount == 1)
  }

  @Test func sendsManyRequestsAtOnce() async throws {
    // No response is sent until all requests have arrived.
    let gate = LoopbackServer.Latch()
    let server = try LoopbackServer { request in [.wait(gate), .bytes(Answer.ok(request.target))] }
    defer { server.stop() }
    let client = HTTPClient.forTesting()
    let handler = client.handler
    let bodies = try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<20 {
        let url = server.url("/\(number)")
        group.addTask { String(decoding: try await handler(.to(url)).body, as: UTF8.self) }
      }
      for _ in 0..<20 { _ = await server.nextArrival() }
      gate.open()
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(bodies == Set((0..<20).map { "/\($0)" }))
  }

  @Test func equalRequestsAreSentOncePerRun() async throws {
    let server = try LoopbackServer { _ in [.bytes(Answer.ok("x"))] }
    defer { server.stop() }
    let client = HTTPClient.forTesting()
    for _ in 0..<3 { _ = try await client.handler(.to(server.url("/"))) }
    #expect(server.received.count == 1)
    _ = try await client.newRun(deadline: nil).handler(.to(server.url("/")))
    #expect(server.received.count == 2)
    #expect(server.connectionCount == 1)
  }

  @Test func cancellingEndsTheWait() async throws {
    let server = try LoopbackServer { _ in [.hold] }
    defer { server.stop() }
    let handler = HTTPClient.forTesting().handler
    let request = HTTPRequest.to(server.url("/"))
    let task = Task { await outcome(of: request, by: handler) }
    _ = await server.nextArrival()
    task.cancel()
    #expect(await task.value == .failure(.cancelled))
  }

  @Test func alreadyCancelledRequestIsNotSent() async throws {
    let server = try LoopbackServer { _ in [.bytes(Answer.ok(""))] }
    defer { server.stop() }
    let handler = HTTPClient.forTesting().handler
    let request = HTTPRequest.to(server.url("/"))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await outcome(of: request, by: handler)
    }
    #expect(await task.value == .failure(.cancelled))
    #expect(server.received == [])
  }

  @Test func shutDownEndsPendingRequests() async throws {
    let server = try LoopbackServer { _ in [.hold] }
    defer { server.stop() }
    let client = HTTPClient.forTesting()
    let request = HTTPRequest.to(server.url("/"))
    let task = Task { await outcome(of: request, by: client.handler) }
    _ = await server.nextArrival()
    client.shutDown()
    #expect(await task.value == .failure(.cancelled))
    #expect(await outcome(of: .to(server.url("/2")), by: client.handler) == .failure(.cancelled))
  }
}
