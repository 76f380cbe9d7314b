import HTTP
import TestSupport
import Testing

@testable import Transport

@Suite struct FirstTests {
  @Test func hello() async throws {
    let server = try WebSocketServer(greeting: [.bytes(WebSocketFrame.text("hello").bytes + WebSocketFrame.ping("x").bytes)])
    defer { server.stop() }
    let client = HTTPClient.forTesting()
    let stream = try OpenedStream(server.url("/a?b=c"), by: client)
    #expect(await stream.next() == .opened)
    #expect(await stream.next() == .text("hello"))
    stream.connection.send(Array("abc".utf8))
    stream.connection.close(code: 1000)
    #expect(await stream.all() == [.life, .closed(.closed(code: 1000, words: ""))])
    print(server.http.received)
    print(await server.nextFrame() as Any, await server.nextFrame() as Any)
  }
  @Test func conformance() async throws {
    let client = HTTPClient.forTesting()
    for n in 1...301 {
      let end = await Echo.run("ws://127.0.0.1:9901/runCase?case=\(n)&agent=market", by: client)
      if n % 10 == 0 { print(n, end as Any) }
    }
  }
}
