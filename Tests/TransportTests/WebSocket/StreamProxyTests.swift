import HTTP
import TestSupport
import Testing

@testable import Transport

/// Streams through a proxy, using a `CONNECT` tunnel even without TLS.
@Suite struct StreamProxyTests {
  @Test(arguments: ["", "name:hush@"]) func goesThroughATunnel(_ credentials: String) async throws {
    let server = try WebSocketServer { frame in
      frame.opcode == 1 ? [.bytes(WebSocketFrame.text("pong").bytes)] : WebSocketServer.goodbye(frame)
    }
    defer { server.stop() }
    let port = server.http.port
    let proxy = try LoopbackServer { _ in
      [.bytes(Answer.head(status: "200 Connection established", headers: ["X-Of: proxy"])), .tunnel(port: port)]
    }
    defer { proxy.stop() }
    let client = HTTPClient.forTesting { $0.proxy = "http://\(credentials)127.0.0.1:\(proxy.port)" }
    let stream = try OpenedStream(server.url("/v1"), by: client)
    #expect(await stream.next() == .opened)
    stream.connection.send(Array("ping".utf8))
    #expect(await stream.next() == .text("pong"))
    stream.connection.close(code: 1000)
    #expect(await stream.all() == [.closed(.closed(code: 1000, words: ""))])

    #expect(proxy.received.map { "\($0.method) \($0.target)" } == ["CONNECT 127.0.0.1:\(port)"])
    #expect(
      proxy.received.first?.headers.first(named: "Proxy-Authorization")
        == (credentials.isEmpty ? nil : "Basic bmFtZTpodXNo"))
    #expect(server.http.received.map(\.target) == ["/v1"])
    #expect(
      !server.http.received.description.contains("hush") && !server.http.received.description.contains("bmFtZTpodXNo"))
  }

  @Test(arguments: [
    ("403 Forbidden", "HTTP 403"),
    (
      "407 Proxy Authentication Required", "HTTP 407: it does not accept the username and password in its address"
    ),
    ("502 Bad Gateway", "HTTP 502"),
  ])
  func proxyRefuses(_ status: String, _ words: String) async throws {
    let proxy = try LoopbackServer { _ in [.bytes(Answer.ok("no", status: status)), .close] }
    defer { proxy.stop() }
    let client = HTTPClient.forTesting { $0.proxy = "http://name:hush@127.0.0.1:\(proxy.port)" }
    let signals = try await OpenedStream("wss://exchange.test/", by: client).all()
    let refusal = "the proxy 127.0.0.1:\(proxy.port) refused to connect to exchange.test:443: \(words)"
    #expect(signals == [.closed(.failed(.other(refusal)))])
  }

  @Test func proxyIsUnreachable() async throws {
    let client = HTTPClient.forTesting { $0.proxy = "http://name:hush@127.0.0.1:1" }
    let signals = try await OpenedStream("wss://exchange.test/", by: client).all()
    #expect(signals == [.closed(.failed(.cannotConnect("the proxy 127.0.0.1:1 on the way to exchange.test:443")))])
  }
}
