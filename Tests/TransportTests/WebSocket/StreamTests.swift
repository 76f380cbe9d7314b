import HTTP
import TestSupport
import Testing

@testable import Transport

/// Streams over the loopback interface: libcurl's connection, the loop, and a scripted server.
@Suite struct StreamTests {
  typealias Frame = WebSocketFrame
  typealias Step = LoopbackServer.Step

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The server's steps after the handshake.
    let steps: [Step]
    /// The stream's signals after `opened`.
    let signals: [StreamSignal]

    init(_ name: String, _ steps: [Step], _ signals: [StreamSignal]) {
      testDescription = name
      self.steps = steps
      self.signals = signals
    }

    init(_ name: String, frames: [Frame], _ signals: [StreamSignal]) {
      self.init(name, [.bytes(frames.flatMap(\.bytes))], signals)
    }
  }

  private static func closed(_ code: Int, _ words: String = "") -> StreamSignal {
    .closed(.closed(code: code, words: words))
  }
  private static func violation(_ code: Int, _ words: String) -> StreamSignal {
    .closed(.violation(code: code, words))
  }
  private static func letters(_ count: Int) -> [UInt8] { [UInt8](repeating: 97, count: count) }

  static let cases = [
    Case(
      "messages and a close", frames: [.text("a"), .binary([0xFF]), .close(1000, "bye")],
      [.text("a"), .message([0xFF], isText: false), closed(1000, "bye")]),
    Case(
      "pieces and pings", frames: [.text("a", isLast: false), .ping("p"), .continuation("b"), .pong(), .close()],
      [.life, .text("ab"), .life, closed(1005)]),
    Case(
      "a byte at a time",
      [
        .drip(
          ([.text("é", isLast: false), .ping(), .continuation("€"), .close(4000, "x")] as [Frame]).flatMap(\.bytes))
      ],
      [.life, .text("é€"), closed(4000, "x")]),
    Case(
      "text that is not UTF-8", frames: [.text("a"), Frame(opcode: 1, [0xC3, 0x28])],
      [.text("a"), violation(1007, "text that is not UTF-8")]),
    Case("masked frame", frames: [Frame(opcode: 1, [1], mask: [1, 2, 3, 4])], [violation(1002, "masked frame")]),
    Case(
      "a message inside another", frames: [.text("a", isLast: false), .text("b")],
      [violation(1002, "new message within another")]),
    Case("an invalid close code", frames: [.close(1005)], [violation(1002, "the close code 1005")]),
    Case("closed without a word", [.bytes(Frame.text("a").bytes), .close], [.text("a"), closed(1006)]),
    Case("closed inside a message", [.bytes(Array(Frame.text("abc").bytes.dropLast())), .close], [closed(1006)]),
    Case("reset inside a message", [.bytes(Array(Frame.text("abc").bytes.dropLast())), .reset], [closed(1006)]),
    Case(
      "16 MiB", [.bytes(Frame.binary(letters(16 << 20)).bytes + Frame.close(1000).bytes)],
      [.message(letters(16 << 20), isText: false), closed(1000)]),
    Case(
      "16 MiB in pieces",
      frames: [Frame(opcode: 1, letters(10 << 20), isLast: false), Frame(opcode: 0, letters(6 << 20)), .close(1000)],
      [.message(letters(16 << 20), isText: true), closed(1000)]),
    Case("17 MiB", [.bytes(Frame.binary(letters(17 << 20)).bytes)], [violation(1009, "message over 16777216 bytes")]),
    Case(
      "17 MiB in pieces",
      frames: [Frame(opcode: 1, letters(10 << 20), isLast: false), Frame(opcode: 0, letters(7 << 20))],
      [violation(1009, "message over 16777216 bytes")]),
    Case(
      "10,000 messages at once",
      [.bytes((0..<10_000).flatMap { Frame.text("number \($0)").bytes } + Frame.close(1001).bytes)],
      (0..<10_000).map { .text("number \($0)") } + [closed(1001)]),
  ]

  @Test(arguments: cases) func reads(_ example: Case) async throws {
    let server = try WebSocketServer(greeting: example.steps)
    defer { server.stop() }
    let client = HTTPClient.forTesting()
    let signals = try await OpenedStream(server.url(), by: client).all()
    // Differences are not shown completely, since there may be megabytes of them.
    let isEqual = signals == [.opened] + example.signals
    #expect(isEqual, "\(signals.count) signals, the last one: \(signals.last.map { "\($0)".prefix(100) } ?? "none")")
  }

  @Test(arguments: [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 4000, 4999])
  func echoesCloseCodes(_ code: Int) async throws {
    let server = try WebSocketServer(greeting: [.bytes(Frame.close(code, "why").bytes)])
    defer { server.stop() }
    let client = HTTPClient.forTesting()
    #expect(try await OpenedStream(server.url(), by: client).all() == [.opened, Self.closed(code, "why")])
    let frame = await server.nextFrame()
    #expect(frame?.code == code)
    #expect(frame?.mask != nil)
  }

  // MARK: - Sending

  @Test func sendsAndCloses() async throws {
    let server = try WebSocketServer { frame in
      frame.opcode == 1 ? [.bytes(Frame.text(frame.text.uppercased()).bytes)] : WebSocketServer.goodbye(frame)
    }
    defer { server.stop() }
    let client = HTTPClient.forTesting()
    let stream = try OpenedStream(server.url("/v1?a=b"), headers: [HTTPHeader(name: "X-Test", value: "1")], by: client)
    // Dropped, as the connection is not open yet.
    stream.connection.send(Array("too early".utf8))
    #expect(await stream.next() == .opened)
    stream.connection.send(Array("abc".utf8))
    #expect(await stream.next() == .text("ABC"))
    stream.connection.ping()
    stream.connection.close(code: 1001)
    stream.connection.send(Array("too late".utf8))
    #expect(await stream.all() == [Self.closed(1001)])
    var frames: [Frame] = []
    while frames.last?.opcode != 8, let frame = await server.nextFrame() { frames.append(frame) }
    #expect(frames.allSatisfy { $0.mask != nil })
    #expect(frames.map { Frame(opcode: $0.opcode, $0.payload) } == [.text("abc"), .ping(), .close(1001)])

    let request = try #require(server.http.received.first)
    #expect(request.target == "/v1?a=b")
    #expect(
      request.headers.map(\.name) == [
        "Host", "Upgrade", "Connection", "Sec-WebSocket-Key", "Sec-WebSocket-Version", "User-Agent", "X-Test",
      ])
    #expect(request.headers.first(named: "User-Agent") == "market/test")
  }

  @Test func answersPingsInsideMessages() async throws {
    let server = try WebSocketServer(greeting: [
      .bytes(
        [Frame.text("a", isLast: false), .ping("one"), .continuation("b", isLast: false), .ping("two")].flatMap(\.bytes)
      )
    ])
    defer { server.stop() }
    let client = HTTPClient.forTesting()
    let stream = try OpenedStream(server.url(), by: client)
    var pongs: [String?] = []
    for _ in 0..<2 { pongs.append(await server.nextFrame()?.text) }
    #expect(pongs == ["one", "two"])
    stream.connection.close(code: 1000)
    #expect(await stream.all() == [.opened, .life, .life, Self.closed(1000)])
  }

  /// A large message is sent in as many pieces as the connection requires.
  @Test func sendsMegabytes() async throws {
    let message = (0..<5 << 20).map { UInt8(truncatingIfNeeded: $0 % 127) }
    let server = try WebSocketServer { frame in
      frame.opcode == 1 ? [.bytes(Frame.text("\(frame.payload == message)").bytes)] : WebSocketServer.goodbye(frame)
    }
    defer { server.stop() }
    let client = HTTPClient.forTesting()
    let stream = try OpenedStream(server.url(), by: client)
    #expect(await stream.next() == .opened)
    stream.connection.send(message)
    #expect(await stream.next() == .text("true"))
  }

  // MARK: - Streams that never end on their own

  @Test func unansweredClose() async throws {
    let server = try WebSocketServer(greeting: [.hold])
    defer { server.stop() }
    let client = HTTPClient.forTesting { $0.streamLimits.closing = 50_000_000 }
    let stream = try OpenedStream(server.url(), by: client)
    #expect(await stream.next() == .opened)
    stream.connection.close(code: 1000)
    #expect(await stream.all() == [Self.closed(1006)])
  }

  @Test func unansweredHandshake() async throws {
    let server = try LoopbackServer { _ in [.bytes(Array("HTTP/1.1 101 ".utf8)), .hold] }
    defer { server.stop() }
    let client = HTTPClient.forTesting { $0.streamLimits.opening = 50_000_000 }
    let signals = try await OpenedStream("ws://127.0.0.1:\(server.port)/", by: client).all()
    #expect(signals == [.closed(.failed(.timeout))])
  }

  /// The server ends the connection after the close frames; even if it does not, the stream has already given its last
  /// signal.
  @Test func serverDoesNotHangUp() async throws {
    let server = try WebSocketServer(greeting: [.bytes(Frame.close(1000).bytes), .hold])
    defer { server.stop() }
    let client = HTTPClient.forTesting()
    #expect(try await OpenedStream(server.url(), by: client).all() == [.opened, Self.closed(1000)])
  }

  @Test func serverThatReadsNothing() async throws {
    let server = try WebSocketServer(greeting: [.deafen, .hold])
    defer { server.stop() }
    let client = HTTPClient.forTesting()
    let stream = try OpenedStream(server.url(), by: client)
    #expect(await stream.next() == .opened)
    // More than the sockets can buffer.
    for _ in 0..<64 { stream.connection.send(Self.letters(1 << 20)) }
    #expect(
      await stream.all()
        == [.closed(.failed(.brokenOff("127.0.0.1:\(server.http.port) does not accept what is sent to it")))])
  }

  // MARK: - Concurrent streams

  /// A stream that never stops sending holds up neither another stream nor a request.
  @Test func endlessStreamStarvesNoOther() async throws {
    let flood = try WebSocketServer(greeting: [.endless(Frame.binary(Self.letters(50_000)).bytes)])
    defer { flood.stop() }
    let quiet = try WebSocketServer { [.bytes(Frame.text($0.text).bytes)] }
    defer { quiet.stop() }
    let http = try LoopbackServer { _ in [.bytes(Answer.ok("pong"))] }
    defer { http.stop() }
    let client = HTTPClient.forTesting()
    let stream = try OpenedStream(quiet.url(), by: client)
    #expect(await stream.next() == .opened)
    let (floods, input) = AsyncStream<StreamSignal>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let request = StreamRequest(exchange: "Test", url: flood.url())
    _ = client.streams(request) { batch in
      if let last = batch.last { input.yield(last) }
      if case .closed = batch.last { input.finish() }
    }
    var flooding = floods.makeAsyncIterator()
    #expect(await flooding.next() != nil)
    // Both at once: each wait is as long as a turn among all other tests, during which the flood takes a core.
    async let outcome = outcome(of: .to(http.url("/")), by: client.handler)
    stream.connection.send(Array("heard".utf8))
    #expect(await stream.next() == .text("heard"))
    #expect(await outcome.reply == .success(Reply(200, "pong")))
    client.shutDown()
    var last: StreamSignal?
    while let signal = await flooding.next() { last = signal }
    #expect(last == .closed(.failed(.cancelled)))
  }

  @Test func manyStreamsAtOnce() async throws {
    let server = try WebSocketServer { frame in
      frame.opcode == 1 ? [.bytes(Frame.text(frame.text + "!").bytes)] : WebSocketServer.goodbye(frame)
    }
    defer { server.stop() }
    let client = HTTPClient.forTesting()
    let streams = try (0..<60).map { _ in try OpenedStream(server.url(), by: client) }
    for (number, stream) in streams.enumerated() {
      #expect(await stream.next() == .opened)
      stream.connection.send(Array("\(number)".utf8))
    }
    for (number, stream) in streams.enumerated() {
      #expect(await stream.next() == .text("\(number)!"))
      stream.connection.close(code: 1000)
      #expect(await stream.all() == [Self.closed(1000)])
    }
  }

  // MARK: - Shutting down the client

  @Test func clientShutsDown() async throws {
    let server = try WebSocketServer()
    defer { server.stop() }
    let client = HTTPClient.forTesting()
    let stream = try OpenedStream(server.url(), by: client)
    #expect(await stream.next() == .opened)
    client.shutDown()
    #expect(await stream.all() == [.closed(.failed(.cancelled))])
    #expect(await server.nextFrame()?.code == 1001)
    // Later streams do not start.
    #expect(try await OpenedStream(server.url(), by: client).all() == [.closed(.failed(.cancelled))])
    stream.connection.send([1])
    stream.connection.close(code: 1000)
  }

  // MARK: - Streams that do not start

  @Test(arguments: [
    ("403 Forbidden", 403), ("429 Too Many Requests", 429), ("302 Found", 302), ("200 OK", 200),
    ("503 Service Unavailable", 503),
  ])
  func refused(_ status: String, _ code: Int) async throws {
    let server = try LoopbackServer { _ in
      [.bytes(Answer.ok("no", status: status, headers: ["Location: ws://127.0.0.1:1/"]))]
    }
    defer { server.stop() }
    let client = HTTPClient.forTesting()
    let signals = try await OpenedStream("ws://127.0.0.1:\(server.port)/", by: client).all()
    #expect(signals == [.closed(.refused(status: code))])
    #expect(server.received.count == 1)
  }

  /// Requests are held back where a stream was one too many, for as long as the host says.
  @Test(arguments: [
    ("429 Too Many Requests", ["Retry-After: 600"], 429), ("418 Banned", ["Retry-After: 600"], 418),
    ("429 Too Many Requests", [], 200), ("503 Service Unavailable", ["Retry-After: 600"], 200),
  ])
  func refusalPausesRequests(_ status: String, _ headers: [String], _ answer: Int) async throws {
    let server = try LoopbackServer { request in
      [.bytes(request.target == "/ws" ? Answer.ok("no", status: status, headers: headers) : Answer.ok("here"))]
    }
    defer { server.stop() }
    let client = HTTPClient.forTesting()
    _ = try await OpenedStream("ws://127.0.0.1:\(server.port)/ws", by: client).all()
    #expect(try await client.handler(.to(server.url("/"))).status == answer)
    #expect(server.received.map(\.target) == (answer == 200 ? ["/ws", "/"] : ["/ws"]))
  }

  /// Streams are held back where a request was one too many, for as long as the host says; a fraction of a second more is
  /// no harm.
  @Test(arguments: [
    ("429 Too Many Requests", ["Retry-After: 600"], StreamEnd.refused(status: 429, retryAfter: "600")),
    ("418 Banned", ["Retry-After: 600"], .refused(status: 418, retryAfter: "600")),
    ("429 Too Many Requests", [], .refused(status: 404)),
    ("503 Service Unavailable", ["Retry-After: 600"], .refused(status: 404)),
  ])
  func pausedHostGetsNoStream(_ status: String, _ headers: [String], _ end: StreamEnd) async throws {
    let server = try LoopbackServer { request in
      [
        .bytes(
          request.target == "/ws"
            ? Answer.ok("no", status: "404 Not Found") : Answer.ok("no", status: status, headers: headers))
      ]
    }
    defer { server.stop() }
    let clock = TestClock()
    let client = HTTPClient.forTesting { $0.clock = clock.clock }
    _ = await outcome(of: .to(server.url("/")), by: client.handler)
    #expect(try await OpenedStream("ws://127.0.0.1:\(server.port)/ws", by: client).all() == [.closed(end)])
    #expect(server.received.map(\.target) == (end == .refused(status: 404) ? ["/", "/ws"] : ["/"]))
  }

  @Test(arguments: [[Step.close], [.bytes(Array("HTTP/1.1 101 Swi".utf8)), .close]])
  func incompleteResponseHead(_ steps: [Step]) async throws {
    let server = try LoopbackServer { _ in steps }
    defer { server.stop() }
    let client = HTTPClient.forTesting()
    let signals = try await OpenedStream("ws://127.0.0.1:\(server.port)/", by: client).all()
    #expect(signals == [.closed(.failed(.brokenOff("127.0.0.1:\(server.port): incomplete response headers")))])
  }

  /// The same messages as for a request.
  @Test func failsLikeARequest() async throws {
    let port = try RefusingPort()
    defer { port.free() }
    let client = HTTPClient.forTesting()
    let host = String(repeating: "x", count: 64)
    for (url, error) in [
      ("ws://127.0.0.1:\(port.number)/", TransportError.cannotConnect("127.0.0.1:\(port.number)")),
      ("wss://\(host)/", .cannotResolve(host)),
      ("ws://exchange.test/", .other("no connection to exchange.test:80 without TLS (wss)")),
      ("https://127.0.0.1/", .other("the URL is malformed")),
    ] {
      #expect(try await OpenedStream(url, by: client).all() == [.closed(.failed(error))])
    }
  }
}
