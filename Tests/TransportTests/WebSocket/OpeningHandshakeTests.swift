import HTTP
import TestSupport
import Testing

@testable import Transport

@Suite struct OpeningHandshakeTests {
  // MARK: - The request

  struct Request: Sendable, CustomTestStringConvertible {
    let url: String
    var headers: [HTTPHeader] = []
    /// The lines that vary: the first two and those after the version.
    let lines: [String]

    var testDescription: String { url }
  }

  @Test(arguments: [
    Request(url: "wss://a.test", lines: ["GET / HTTP/1.1", "Host: a.test", "User-Agent: market/test"]),
    Request(
      url: "WSS://A.test:443/ws/v1?x=1&y=%20",
      lines: ["GET /ws/v1?x=1&y=%20 HTTP/1.1", "Host: a.test", "User-Agent: market/test"]),
    Request(
      url: "wss://a.test:80/../b/./c", lines: ["GET /../b/./c HTTP/1.1", "Host: a.test:80", "User-Agent: market/test"]),
    Request(url: "wss://a.test?q", lines: ["GET /?q HTTP/1.1", "Host: a.test", "User-Agent: market/test"]),
    Request(url: "ws://127.0.0.1:80/", lines: ["GET / HTTP/1.1", "Host: 127.0.0.1", "User-Agent: market/test"]),
    Request(url: "ws://[::1]:9000/", lines: ["GET / HTTP/1.1", "Host: [::1]:9000", "User-Agent: market/test"]),
    Request(
      url: "ws://localhost:443/", headers: [HTTPHeader(name: "X-A", value: "1"), HTTPHeader(name: "X-B", value: "")],
      lines: ["GET / HTTP/1.1", "Host: localhost:443", "User-Agent: market/test", "X-A: 1", "X-B: "]),
    Request(
      url: "wss://a.test/", headers: [HTTPHeader(name: "user-agent", value: "other")],
      lines: ["GET / HTTP/1.1", "Host: a.test", "user-agent: other"]),
  ])
  func writes(_ example: Request) throws {
    let handshake = try OpeningHandshake(
      to: StreamAddress(example.url), headers: example.headers, userAgent: "market/test",
      key: Array("the sample nonce".utf8))
    let lines =
      example.lines.prefix(2) + [
        "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
      ] + example.lines.dropFirst(2) + ["", ""]
    #expect(String(decoding: handshake.request, as: UTF8.self) == lines.joined(separator: "\r\n"))
  }

  @Test func asksForASubprotocol() throws {
    let address = try StreamAddress("wss://a.test")
    let handshake = try OpeningHandshake(to: address, headers: [], subprotocol: "v1.json", userAgent: "x", key: [])
    let request = String(decoding: handshake.request, as: UTF8.self)
    #expect(request.contains("\r\nSec-WebSocket-Protocol: v1.json\r\n"))
    #expect(throws: TransportError.other("invalid subprotocol 'a, b'")) {
      try OpeningHandshake(to: address, headers: [], subprotocol: "a, b", userAgent: "x", key: [])
    }
  }

  /// RFC 6455 §1.3.
  @Test func theExampleOfTheRFC() {
    #expect(OpeningHandshake.accept(for: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
  }

  @Test(arguments: [
    ("Host", "a"), ("upgrade", "h2c"), ("Connection", "close"), ("Origin", "https://a.test"),
    ("Sec-WebSocket-Key", "a"),
    ("sec-websocket-protocol", "a"), ("Sec-WebSocket-Extensions", "permessage-deflate"), ("Content-Length", "0"),
    ("Transfer-Encoding", "chunked"), ("", "a"), ("A B", "a"), ("A:", "a"), ("A", "a\r\nB: c"), ("A", "a\nb"),
    ("A", "\0"),
  ])
  func refusesHeaders(_ name: String, _ value: String) throws {
    let address = try StreamAddress("wss://a.test")
    #expect(throws: TransportError.other("invalid header '\(name)'")) {
      try OpeningHandshake(to: address, headers: [HTTPHeader(name: name, value: value)], userAgent: "x", key: [])
    }
  }

  @Test(arguments: [
    ("", "the URL is malformed"), ("a.test", "the URL is malformed"), ("https://a.test", "the URL is malformed"),
    ("://a.test", "the URL is malformed"), ("wss://", "the URL is malformed"),
    ("wss://a.test/#a", "the URL is malformed"),
    ("wss://a.test/a b", "the URL is malformed"), ("wss://a.test/\r\nX: y", "the URL is malformed"),
    ("wss://ä.test/", "the URL is malformed"), ("wss://a.test:port/", "the URL is malformed"),
    ("wss://name@a.test/", "a URL with a user name is not sent"),
    ("ws://name:word@127.0.0.1/", "a URL with a user name is not sent"),
    ("ws://a.test/", "no connection to a.test:80 without TLS (wss)"),
    ("ws://10.0.0.1:8080/", "no connection to 10.0.0.1:8080 without TLS (wss)"),
    ("ws://127.0.0.1.a.test/", "no connection to 127.0.0.1.a.test:80 without TLS (wss)"),
  ])
  func refusesURLs(_ url: String, _ words: String) {
    #expect(throws: TransportError.other(words)) { try StreamAddress(url) }
  }

  // MARK: - The response

  struct Answer: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let head: String
    /// The stream's end; nil if accepted.
    var end: StreamEnd?
    /// The subprotocol that was asked for.
    var subprotocol: String?

    init(_ name: String, _ head: String, _ end: StreamEnd? = nil) {
      testDescription = name
      self.head = head
      self.end = end
    }

    init(_ name: String, lines: [String], asking subprotocol: String? = nil, _ words: String? = nil) {
      self.init(
        name, (["HTTP/1.1 101 Switching Protocols"] + lines + ["", ""]).joined(separator: "\r\n"),
        words.map { .violation(code: 1002, $0) })
      self.subprotocol = subprotocol
    }
  }

  private static let accept = "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
  private static let upgrade = "Upgrade: websocket"
  private static let connection = "Connection: Upgrade"

  static let answers = [
    Answer("as it should be", lines: [upgrade, connection, accept]),
    Answer(
      "in another order and case",
      lines: [
        accept.lowercased().replacing("s3pplmbitxaq9kygzzhzrbk+xoo=", with: "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
        "UPGRADE:  WebSocket ", "connection:keep-alive,\tupgrade",
      ]),
    Answer("two lines of Connection", lines: [upgrade, "Connection: keep-alive", connection, accept, "Server: x"]),
    Answer(
      "behind an informational answer",
      "HTTP/1.1 100 Continue\r\nX: y\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n"
        + "HTTP/1.1 101 OK\r\n\(upgrade)\r\n\(connection)\r\n\(accept)\r\n\r\n"),
    Answer("without words", "HTTP/1.1 101\r\n\(upgrade)\r\n\(connection)\r\n\(accept)\r\n\r\n"),
    Answer("a refusal", "HTTP/1.1 403 Forbidden\r\nContent-Length: 5\r\n\r\nhello", .refused(status: 403)),
    Answer("200", "HTTP/1.1 200 OK\r\n\(upgrade)\r\n\(connection)\r\n\(accept)\r\n\r\n", .refused(status: 200)),
    Answer("a redirect", "HTTP/1.1 302 Found\r\nLocation: wss://b.test\r\n\r\n", .refused(status: 302)),
    Answer("of HTTP/1.0", "HTTP/1.0 503 Busy\r\n\r\n", .refused(status: 503)),
    Answer(
      "busy until a time of the host's clock",
      "HTTP/1.1 429 Busy\r\nDate: Thu, 01 Jan 2026 01:00:00 GMT\r\nRetry-After: Thu, 01 Jan 2026 01:02:00 GMT\r\n\r\n",
      .refused(status: 429, retryAfter: "120")),
    Answer("busy for a while", "HTTP/1.1 503 Busy\r\nretry-after:  7\r\n\r\n", .refused(status: 503, retryAfter: "7")),
    Answer("no HTTP", "220 mail.test ESMTP\r\n\r\n", .violation(code: 1002, "not an HTTP/1.1 response")),
    Answer("HTTP/2", "HTTP/2 101\r\n\r\n", .violation(code: 1002, "not an HTTP/1.1 response")),
    Answer("a status that is none", "HTTP/1.1 99 X\r\n\r\n", .violation(code: 1002, "not an HTTP/1.1 response")),
    Answer("a status with a sign", "HTTP/1.1 +99 X\r\n\r\n", .violation(code: 1002, "not an HTTP/1.1 response")),
    Answer("no Upgrade", lines: [connection, accept], "no 'Upgrade: websocket'"),
    Answer("another Upgrade", lines: ["Upgrade: h2c", connection, accept], "no 'Upgrade: websocket'"),
    Answer("no Connection", lines: [upgrade, accept], "no 'Connection: Upgrade'"),
    Answer("another Connection", lines: [upgrade, "Connection: close", accept], "no 'Connection: Upgrade'"),
    Answer("no Accept", lines: [upgrade, connection], "wrong Sec-WebSocket-Accept"),
    Answer(
      "the Accept of another key", lines: [upgrade, connection, "Sec-WebSocket-Accept: Kfh9QIsMVZcl6xEPYxPHzW8SZ8w="],
      "wrong Sec-WebSocket-Accept"),
    Answer("two of Accept", lines: [upgrade, connection, accept, accept], "wrong Sec-WebSocket-Accept"),
    Answer(
      "an extension", lines: [upgrade, connection, accept, "Sec-WebSocket-Extensions: permessage-deflate"],
      "unrequested Sec-WebSocket-Extensions"),
    Answer(
      "a subprotocol", lines: [upgrade, connection, accept, "sec-websocket-protocol: chat"],
      "unrequested Sec-WebSocket-Protocol"),
    Answer(
      "the subprotocol", lines: [upgrade, connection, accept, "sec-websocket-protocol: v1.json"], asking: "v1.json"),
    Answer(
      "no subprotocol", lines: [upgrade, connection, accept], asking: "v1.json",
      "no 'Sec-WebSocket-Protocol: v1.json'"),
    Answer(
      "another subprotocol", lines: [upgrade, connection, accept, "Sec-WebSocket-Protocol: v2.json"], asking: "v1.json",
      "no 'Sec-WebSocket-Protocol: v1.json'"),
    Answer(
      "two subprotocols", lines: [upgrade, connection, accept, "Sec-WebSocket-Protocol: v1.json, v2.json"],
      asking: "v1.json", "no 'Sec-WebSocket-Protocol: v1.json'"),
    Answer("a line without a colon", lines: [upgrade, connection, accept, "colon"], "header line without a colon"),
    Answer(
      "a head without an end", "HTTP/1.1 101 OK\r\nX: " + String(repeating: "x", count: 20_000),
      .violation(code: 1002, "headers over 16384 bytes")),
    Answer(
      "informational answers without an end", String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 1_000),
      .violation(code: 1002, "headers over 16384 bytes")),
  ]

  /// The frames after a valid head are left alone, wherever the pieces begin.
  @Test(arguments: answers) func readsResponses(_ example: Answer) throws {
    let bytes = Array(example.head.utf8) + [0x81, 0]
    for pieces in [1, 2, 3, 17, bytes.count] {
      var handshake = try OpeningHandshake(
        to: StreamAddress("wss://a.test"), headers: [], subprotocol: example.subprotocol, userAgent: "x",
        key: Array("the sample nonce".utf8))
      var end: StreamEnd?
      var taken: Int?
      do throws(StreamEnd) {
        for start in stride(from: 0, to: bytes.count, by: pieces) where taken == nil {
          let piece = Array(bytes[start..<min(start + pieces, bytes.count)])
          let result = piece.withUnsafeBytes { bytes -> Result<Int?, StreamEnd> in
            do throws(StreamEnd) { return .success(try handshake.take(bytes)) } catch { return .failure(error) }
          }
          taken = try result.get().map { start + $0 }
        }
      } catch {
        end = error
      }
      #expect(end == example.end, "in pieces of \(pieces)")
      #expect(taken == (example.end == nil ? bytes.count - 2 : nil), "in pieces of \(pieces)")
    }
  }
}
