import HTTP
import TestSupport
import Testing

@testable import Transport

/// Servers and networks that fail in the middle.
@Suite struct BrokenConnectionTests {
  /// The case of an error, without its text, which is libcurl's and differs between versions.
  enum Kind: Hashable, Sendable {
    case brokenOff, tls, other, different
    init(_ result: Result<HTTPResponse, TransportError>) {
      switch result {
      case .failure(.brokenOff): self = .brokenOff
      case .failure(.tls): self = .tls
      case .failure(.other): self = .other
      default: self = .different
      }
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var expected: Kind
    var steps: [LoopbackServer.Step]

    init(_ name: String, _ expected: Kind, _ steps: LoopbackServer.Step...) {
      testDescription = name
      self.expected = expected
      self.steps = steps
    }
  }

  static let cases = [
    Case("closed without a response", .brokenOff, .close),
    Case("closed inside the head", .brokenOff, .bytes(Array("HTTP/1.1 200 OK\r\nContent-Le".utf8)), .close),
    Case(
      "closed inside the body", .brokenOff,
      .bytes(Answer.head(headers: ["Content-Length: 100"])), .bytes(Array("only this".utf8)), .close),
    Case(
      "closed inside a chunk", .brokenOff,
      .bytes(Answer.head(headers: ["Transfer-Encoding: chunked"])), .bytes(Array("ff\r\nabc".utf8)), .close),
    Case(
      "reset inside the body", .brokenOff,
      .bytes(Answer.head(headers: ["Content-Length: 100"])), .bytes(Array("only this".utf8)), .reset),
    Case("reset without a response", .brokenOff, .reset),
    Case(
      "a length that is no number", .other, .bytes(Answer.head(headers: ["Content-Length: many"])),
      .bytes(Array("{}".utf8)), .close),
    Case(
      "a head without an end", .other, .bytes(Array("HTTP/1.1 200 OK\r\n".utf8)),
      .bytes(Array(("X: " + String(repeating: "x", count: 2_000_000) + "\r\n").utf8)), .hold),
    Case("not HTTP", .other, .bytes(Array("220 mail.example.com ESMTP\r\n".utf8)), .close),
  ]

  @Test(arguments: cases) func brokenConnectionsFail(_ example: Case) async throws {
    let server = try LoopbackServer { _ in example.steps }
    defer { server.stop() }
    let client = HTTPClient.forTesting()
    let result = await outcome(of: .to(server.url("/")), by: client.handler)
    #expect(Kind(result) == example.expected, "\(result)")
  }

  /// libcurl sends a request again by itself if a connection that is used again was closed meanwhile. What carries a
  /// nonce, or counts against a budget, must not be sent twice.
  @Test(arguments: ["plain", "signed", "limited"]) func closedBeforeItIsUsedAgain(_ kind: String) async throws {
    let server = try LoopbackServer { request in request.target == "/1" ? [.bytes(Answer.ok("x"))] : [.close] }
    defer { server.stop() }
    let client = HTTPClient.forTesting()
    #expect(await outcome(of: .to(server.url("/1")), by: client.handler).map(\.status) == .success(200))
    let url = server.url("/2")
    let request = HTTPRequest.to(url) { request in
      request.repetition = .oncePerURL
      if kind == "signed" {
        request.signer = RequestSigner { _, _ throws(TransportError) in RequestSigner.Sending(.to(url)) }
      }
      if kind == "limited" { request.meter = SendCounter(limit: 9) }
    }
    #expect(Kind(await outcome(of: request, by: client.handler)) == .brokenOff)
    #expect(server.received.count == (kind == "plain" ? 3 : 2))
  }

  /// What arrives on a connection after an answer is no answer to the next request, which is then sent once, over a new
  /// connection.
  @Test(
    .enabled(if: isConnectionChecked),
    arguments: [
      [LoopbackServer.Step.bytes(Answer.ok("1"))],
      [.bytes(Answer.ok("", status: "408 Request Timeout", headers: ["Connection: close"])), .close],
      [.bytes(Array("x".utf8))],
    ])
  func somethingArrivesOnAnIdleConnection(_ remains: [LoopbackServer.Step]) async throws {
    let latch = LoopbackServer.Latch()
    let server = try LoopbackServer { request in
      request.target == "/1"
        ? [.bytes(Answer.ok("1")), .wait(latch)] + remains
        : [.bytes(Answer.ok(String(request.target.dropFirst())))]
    }
    defer { server.stop() }
    let client = HTTPClient.forTesting()
    #expect(await outcome(of: .to(server.url("/1")), by: client.handler).reply == .success(Reply(200, "1")))
    latch.open()
    // Has a connection of its own. The server looks after all connections in turn, so the remains have been sent.
    let signed = HTTPRequest.to(server.url("/2")) { $0.repetition = .never }
    #expect(await outcome(of: signed, by: client.handler).reply == .success(Reply(200, "2")))
    #expect(await outcome(of: .to(server.url("/3")), by: client.handler).reply == .success(Reply(200, "3")))
    #expect(server.received.map(\.target) == ["/1", "/2", "/3"])
    #expect(server.received.map(\.connection) == [0, 1, 2])
  }

  /// libcurl asks before it sends from 7.80 on.
  static let isConnectionChecked: Bool = {
    let version = (try? CurlFacts())?.version.split(separator: ".").compactMap { Int($0) } ?? []
    return !version.lexicographicallyPrecedes([7, 80])
  }()

  /// A 408 in reply to the first request of a connection is the server's answer; on a used one it is about idleness.
  @Test func timeoutStatusOfAnIdleConnection() async throws {
    let server = try LoopbackServer { request in
      [.bytes(Answer.ok("x", status: request.target.hasPrefix("/408") ? "408 Request Timeout" : "200 OK"))]
    }
    defer { server.stop() }
    let client = HTTPClient.forTesting()
    #expect(await outcome(of: .to(server.url("/408")), by: client.handler).map(\.status) == .success(408))
    let again = await outcome(of: .to(server.url("/408?again")), by: client.handler)
    #expect(again == .failure(.brokenOff("127.0.0.1:\(server.port): the idle connection was ended with HTTP 408")))
  }

  @Test func closedPort() async throws {
    let port = try RefusingPort()
    defer { port.free() }
    #expect(
      await outcome(of: .to("http://127.0.0.1:\(port.number)/"), by: HTTPClient.forTesting().handler)
        == .failure(.cannotConnect("127.0.0.1:\(port.number)")))
  }

  /// A label has at most 63 characters (RFC 1035 §2.3.4), so the resolver refuses it without a query.
  @Test func unknownHost() async throws {
    let host = String(repeating: "x", count: 64)
    #expect(
      await outcome(of: .to("https://\(host)/"), by: HTTPClient.forTesting().handler)
        == .failure(.cannotResolve(host)))
  }

  /// What libcurl has begun and measured when the time is up. A name that is not found in time is like one that is not
  /// found. Of a name that it knows no search begins.
  @Test(
    arguments: [
      (true, 0, 0, .resolving), (true, 25, 0, .connecting), (false, 25, 0, .connecting), (true, 25, 190, .waiting),
      (false, 25, 190, .waiting), (false, 0, 0, .waiting),
    ] as [(Bool, Int64, Int64, TimeoutStage)])
  func stageOfTimeout(_ hasBegunLookup: Bool, _ lookup: Int64, _ connection: Int64, _ stage: TimeoutStage) {
    #expect(TimeoutStage(hasBegunLookup: hasBegunLookup, lookup: lookup, connection: connection) == stage)
  }

  /// A proxy that opens no tunnel in time is named; one that does is not to blame for the host behind it.
  @Test(arguments: [false, true]) func proxyHangs(_ opensTunnel: Bool) async throws {
    let head = Answer.head(status: "200 Connection established", headers: ["X-Of: proxy"])
    let proxy = try LoopbackServer { _ in opensTunnel ? [.bytes(head), .hold] : [.hold] }
    defer { proxy.stop() }
    let client = HTTPClient.forTesting {
      $0.proxy = "http://name:hush@127.0.0.1:\(proxy.port)"
      $0.timeout = .seconds(1)
    }
    let hanging = "the proxy 127.0.0.1:\(proxy.port) on the way to exchange.test:443: no answer in time"
    let meter = SendCounter()
    #expect(
      await outcome(of: .to("https://exchange.test/") { $0.meter = meter }, by: client.handler)
        == .failure(opensTunnel ? .timeout : .cannotConnect(hanging)))
    // Without TLS to the exchange it got nothing, either way.
    #expect(meter.count == 1 && meter.reachCount == 0)
  }

  /// A request counts once it went out to the host, whatever becomes of it then.
  @Test(
    arguments: [
      (.to("/answered"), 200, 1), (.to("/closed"), nil, 1), (.to("/hangs"), nil, 1),
      (.to("http://127.0.0.1:1/"), nil, 0), (.to("https://\(String(repeating: "x", count: 64))/"), nil, 0),
    ] as [(HTTPRequest, Int?, Int)])
  func reachedHosts(_ sample: HTTPRequest, _ status: Int?, _ count: Int) async throws {
    let server = try LoopbackServer { request in
      switch request.target {
      case "/answered": [.bytes(Answer.ok("x"))]
      case "/closed": [.close]
      default: [.hold]
      }
    }
    defer { server.stop() }
    let meter = SendCounter()
    var request = sample
    request.urls = sample.urls.map { $0.hasPrefix("/") ? server.url($0) : $0 }
    (request.meter, request.repetition) = (meter, .oncePerURL)
    let client = HTTPClient.forTesting { if sample.urls == ["/hangs"] { $0.timeout = .seconds(1) } }
    let outcome = await outcome(of: request, by: client.handler)
    #expect((try? outcome.get())?.status == status)
    #expect(meter.count == 1 && meter.reachCount == count)
  }

  @Test func tlsToServerWithoutTLS() async throws {
    let server = try LoopbackServer { _ in [.bytes(Answer.ok("x"))] }
    defer { server.stop() }
    // The server takes a handshake for an unfinished request and waits, so the client times out first.
    let client = HTTPClient.forTesting { $0.timeout = .milliseconds(200) }
    let result = await outcome(of: .to("https://127.0.0.1:\(server.port)/"), by: client.handler)
    #expect(result == .failure(.timeout))
  }

  @Test(arguments: [
    ("ftp://127.0.0.1/", TransportError.other("127.0.0.1:21: Protocol \"ftp\" not supported or disabled in libcurl")),
    ("file:///etc/passwd", .other("the URL is malformed")),
    ("http://", .other("the URL is malformed")),
    ("no url", .other("the URL is malformed")),
    ("http://user:word@127.0.0.1:1/", .other("a URL with a user name is not sent")),
  ])
  func refusesURLs(_ url: String, _ expected: TransportError) async {
    #expect(await outcome(of: .to(url), by: HTTPClient.forTesting().handler) == .failure(expected))
  }

  @Test func requestWithoutURLsFails() async {
    let request = HTTPRequest(exchange: "Test", name: "x", urls: [])
    #expect(
      await outcome(of: request, by: HTTPClient.forTesting().handler)
        == .failure(.other("the request has no URL")))
  }
}
