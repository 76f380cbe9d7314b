import HTTP
import TestSupport
import Testing

@testable import Transport

/// Bodies in every encoding that HTTP/1.1 knows, and in mislabelled ones.
@Suite struct DecodingTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var steps: [LoopbackServer.Step]
    var expected: Result<Reply, TransportError>

    init(_ name: String, _ expected: Result<Reply, TransportError>, _ steps: LoopbackServer.Step...) {
      testDescription = name
      self.steps = steps
      self.expected = expected
    }
  }

  /// Cases for a client that accepts at most 1,000 bytes.
  static let cases = [
    Case(
      "exactly the limit", .success(Reply(200, String(repeating: "x", count: 1_000))),
      .bytes(Answer.ok(String(repeating: "x", count: 1_000)))),
    Case(
      "one byte too many", .failure(.tooLarge(limit: 1_000)),
      .bytes(Answer.ok(String(repeating: "x", count: 1_001)))),
    Case(
      "announced too long: refused before the body", .failure(.tooLarge(limit: 1_000)),
      .bytes(Answer.head(headers: ["Content-Length: 5000000000"])), .hold),
    Case(
      "endless, without a length", .failure(.tooLarge(limit: 1_000)),
      .bytes(Answer.head(headers: ["Connection: close"])), .endless([UInt8](repeating: 120, count: 4_096))),
    Case(
      "endless in chunks", .failure(.tooLarge(limit: 1_000)),
      .bytes(Answer.head(headers: ["Transfer-Encoding: chunked"])), .endless(Answer.chunk("more and more"))),
    Case(
      "chunked", .success(Reply(200, "Hello, world")),
      .bytes(Answer.head(headers: ["Transfer-Encoding: chunked"])), .bytes(Answer.chunk("Hello, ")),
      .bytes(Answer.chunk("world")), .bytes(Array("0\r\n\r\n".utf8))),
    Case(
      "until the connection ends", .success(Reply(200, "all")),
      .bytes(Answer.head(headers: ["Connection: close"])), .bytes(Array("all".utf8)), .close),
    Case("empty", .success(Reply(204, "")), .bytes(Answer.head(status: "204 No Content"))),
    Case(
      "gzip", .success(Reply(200, CompressedBodies.text)),
      .bytes(Answer.whole(CompressedBodies.gzip, headers: ["Content-Encoding: gzip"]))),
    Case(
      "gzip bomb", .failure(.tooLarge(limit: 1_000)),
      .bytes(Answer.whole(CompressedBodies.bomb, headers: ["Content-Encoding: gzip"]))),
    Case(
      "no gzip at all", .failure(.badEncoding),
      .bytes(Answer.ok("plain text of some length", headers: ["Content-Encoding: gzip"]))),
    Case(
      "gzip with something behind it", .failure(.badEncoding),
      .bytes(Answer.whole(CompressedBodies.gzip + Array("more".utf8), headers: ["Content-Encoding: gzip"]))),
    Case(
      "gzip with a wrong checksum", .failure(.badEncoding),
      .bytes(
        Answer.whole(
          CompressedBodies.gzip.dropLast(8) + [1, 2, 3, 4] + CompressedBodies.gzip.suffix(4),
          headers: ["Content-Encoding: gzip"]))),
    Case(
      "longer than it says: the rest is not read", .success(Reply(200, "abc")),
      .bytes(Answer.head(headers: ["Content-Length: 3"]) + Array("abcdef".utf8)), .close),
    Case(
      "an encoding that nobody knows", .failure(.badEncoding),
      .bytes(Answer.ok("x", headers: ["Content-Encoding: rot13"]))),
    Case(
      "an informational answer first", .success(Reply(200, "x")),
      .bytes(Answer.head(status: "103 Early Hints", headers: ["Link: </x>"])), .bytes(Answer.ok("x"))),
    Case(
      "trailers are no head", .success(Reply(200, "x")),
      .bytes(Answer.head(headers: ["Transfer-Encoding: chunked"]) + Answer.chunk("x")),
      .bytes(Array("0\r\nHTTP/1.1: x\r\nAge: 7\r\n\r\n".utf8))),
    Case(
      "a failure status is an answer", .success(Reply(404, "no such pair")),
      .bytes(Answer.ok("no such pair", status: "404 Not Found"))),
  ]

  @Test(arguments: cases) func answers(_ example: Case) async throws {
    let server = try LoopbackServer { _ in example.steps }
    defer { server.stop() }
    let client = HTTPClient.forTesting { $0.maximumBytes = 1_000 }
    #expect(await outcome(of: .to(server.url("/")), by: client.handler).reply == example.expected)
  }

  /// A server must not fill the memory with what comes before or after the body.
  @Test(arguments: [
    Answer.head(headers: ["Transfer-Encoding: chunked"]) + Answer.chunk("x") + Array("0\r\n".utf8),
    Array("HTTP/1.1 200 OK\r\n".utf8),
  ])
  func endlessFields(_ start: [UInt8]) async throws {
    let server = try LoopbackServer { _ in [.bytes(start), .endless(Array("X-Field: value\r\n".utf8))] }
    defer { server.stop() }
    #expect(
      await outcome(of: .to(server.url("/")), by: HTTPClient.forTesting().handler)
        == .failure(.other("127.0.0.1:\(server.port): response headers too long")))
  }

  @Test func trailersAreNoHeaders() async throws {
    let server = try LoopbackServer { _ in
      [
        .bytes(Answer.head(headers: ["Transfer-Encoding: chunked", "A: 1"]) + Answer.chunk("x")),
        .bytes(Array("0\r\nAge: 7\r\n\r\n".utf8)),
      ]
    }
    defer { server.stop() }
    let headers = try await HTTPClient.forTesting().handler(.to(server.url("/"))).headers
    #expect(headers.map(\.name) == ["Transfer-Encoding", "A"])
  }

  /// libcurl offers the encodings that it was built with, and exchanges send no others.
  @Test(arguments: [("zstd", CompressedBodies.zstd), ("br", CompressedBodies.brotli)])
  func offeredEncodings(_ encoding: String, _ body: [UInt8]) async throws {
    let server = try LoopbackServer { request in
      let offers = request.headers.first(named: "Accept-Encoding") ?? ""
      return offers.split(separator: ", ").contains { $0 == encoding }
        ? [.bytes(Answer.whole(body, headers: ["Content-Encoding: \(encoding)"]))]
        : [.bytes(Answer.ok(CompressedBodies.text))]
    }
    defer { server.stop() }
    #expect(
      await outcome(of: .to(server.url("/")), by: HTTPClient.forTesting().handler).reply
        == .success(Reply(200, CompressedBodies.text)))
  }
}
