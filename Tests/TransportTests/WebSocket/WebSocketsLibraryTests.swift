import Files
import HTTP
import TestSupport
import Testing

@testable import Transport

/// Whether the server's library and the tool for certificates are installed.
private let isHere =
  BackgroundProgram.succeeds("python3", ["-W", "ignore", "-c", "import websockets.asyncio.server"])
  && BackgroundProgram.succeeds("openssl", ["version"])

/// The client against an independent server, PyPI's `websockets`, with and without TLS.
@Suite(.enabled(if: isHere, "needs python3 with websockets, and openssl: .ci/run installs them"))
struct WebSocketsLibraryTests {
  /// Prints its port and then the end of each connection. The path selects its behaviour.
  private static let script = """
    import asyncio, ssl, sys
    from websockets.asyncio.server import serve
    async def handle(socket):
        path = socket.request.path
        if path == "/fragments": await socket.send(["a", "b", "c" * 70000])
        if path == "/bytes": await socket.send(bytes(range(256)))
        if path == "/close": return await socket.close(4001, "that is all")
        if path == "/ping": await (await socket.ping(b"are you there"))
        try:
            async for message in socket: await socket.send(message)
        finally: print("closed", socket.close_code, socket.close_reason, flush=True)
    async def main():
        context = None
        if len(sys.argv) > 1:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(sys.argv[1] + "/cert.pem", sys.argv[1] + "/key.pem")
            context.set_alpn_protocols(["h2", "http/1.1"])
        server = await serve(handle, "127.0.0.1", 0, ssl=context, max_size=None, ping_interval=None)
        print("port", server.sockets[0].getsockname()[1], flush=True)
        await asyncio.get_running_loop().create_future()
    asyncio.run(main())
    """

  /// Returns a server and the address that it listens on.
  private static func server(_ arguments: [String] = []) async throws -> (program: BackgroundProgram, host: String) {
    let program = try BackgroundProgram("python3", ["-W", "ignore", "-c", script] + arguments)
    let port = try #require(await program.line(startingWith: "port")?.split(separator: " ").last)
    return (program, "127.0.0.1:\(port)")
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let path: String
    /// The signals before anything is sent.
    let greeting: [StreamSignal]

    var testDescription: String { path }
  }

  static let cases = [
    Case(path: "/", greeting: []),
    Case(path: "/fragments", greeting: [.text("ab" + String(repeating: "c", count: 70_000))]),
    Case(path: "/bytes", greeting: [.message((0...255).map { UInt8($0) }, isText: false)]),
    Case(path: "/ping", greeting: [.life]),
  ]

  @Test(arguments: cases) func exchangesMessages(_ example: Case) async throws {
    let (program, host) = try await Self.server()
    defer { program.stop() }
    let client = HTTPClient.forTesting()
    let stream = try OpenedStream("ws://\(host)\(example.path)", by: client)
    for signal in [.opened] + example.greeting { #expect(await stream.next() == signal) }
    for text in [
      "", "é", String(repeating: "x", count: 125), String(repeating: "x", count: 126),
      String(repeating: "x", count: 65_536),
    ] {
      stream.connection.send(Array(text.utf8))
      #expect(await stream.next() == .text(text))
    }
    stream.connection.ping()
    #expect(await stream.next() == .life)
    stream.connection.close(code: 1001)
    #expect(await stream.all() == [.closed(.closed(code: 1001, words: ""))])
    #expect(await program.line(startingWith: "closed") == "closed 1001 ")
  }

  @Test func isClosed() async throws {
    let (program, host) = try await Self.server()
    defer { program.stop() }
    let client = HTTPClient.forTesting()
    let signals = try await OpenedStream("ws://\(host)/close", by: client).all()
    #expect(signals == [.opened, .closed(.closed(code: 4001, words: "that is all"))])
  }

  // MARK: - TLS

  /// Returns a folder with a certificate for an address, and its key.
  private static func certificate(for subject: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try #require(
      BackgroundProgram.succeeds(
        "openssl",
        [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
          "/CN=test", "-addext", "subjectAltName=\(subject)", "-keyout", "\(folder.path)/key.pem", "-out",
          "\(folder.path)/cert.pem",
        ]))
    return folder
  }

  /// The server would prefer HTTP/2.
  @Test func trustsTheRightCertificate() async throws {
    let folder = try Self.certificate(for: "IP:127.0.0.1")
    defer { folder.remove() }
    let (program, host) = try await Self.server([folder.path])
    defer { program.stop() }
    let client = HTTPClient.forTesting { $0.authorities = "\(folder.path)/cert.pem" }
    let stream = try OpenedStream("wss://\(host)/fragments", by: client)
    #expect(await stream.next() == .opened)
    #expect(await stream.next() == .text("ab" + String(repeating: "c", count: 70_000)))
    // More than one TLS record holds; what is written meanwhile waits behind it.
    let long = [UInt8](repeating: 120, count: 1_000_000)
    stream.connection.send(long)
    for text in ["a", "b"] { stream.connection.send(Array(text.utf8)) }
    #expect(await stream.next() == .message(long, isText: true))
    for text in ["a", "b"] { #expect(await stream.next() == .text(text)) }
    stream.connection.close(code: 1000)
    #expect(await stream.all() == [.closed(.closed(code: 1000, words: ""))])
  }

  @Test(arguments: [(subject: "DNS:elsewhere.test", isTrusted: true), (subject: "IP:127.0.0.1", isTrusted: false)])
  func refusesOtherCertificates(_ subject: String, _ isTrusted: Bool) async throws {
    let folder = try Self.certificate(for: subject)
    let other = try Self.certificate(for: "IP:127.0.0.1")
    defer {
      folder.remove()
      other.remove()
    }
    let (program, host) = try await Self.server([folder.path])
    defer { program.stop() }
    let client = HTTPClient.forTesting { $0.authorities = "\((isTrusted ? folder : other).path)/cert.pem" }
    let signals = try await OpenedStream("wss://\(host)/", by: client).all()
    #expect(signals.count == 1)
    guard case .closed(.failed(.tls(let words))) = signals.first else {
      Issue.record("\(signals)")
      return
    }
    #expect(words.hasPrefix("\(host): "))
  }
}
