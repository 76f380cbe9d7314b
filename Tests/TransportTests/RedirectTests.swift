import HTTP
import TestSupport
import Testing

@testable import Transport

@Suite struct RedirectTests {
  @Test func follows() async throws {
    let server = try LoopbackServer { request in
      switch request.target {
      case "/a": [.bytes(Answer.redirect(to: "/b", status: "301 Moved Permanently"))]
      case "/b": [.bytes(Answer.redirect(to: "c?x=1", status: "307 Temporary Redirect"))]
      default: [.bytes(Answer.ok(request.target))]
      }
    }
    defer { server.stop() }
    let response = try await HTTPClient.forTesting().handler(.to(server.url("/a")))
    #expect(response.body == Array("/c?x=1".utf8))
    // The requested URL, not the target, since a replay requests the same.
    #expect(response.url == server.url("/a"))
    #expect(server.connectionCount == 1)
  }

  @Test(arguments: [
    ("301 Moved Permanently", "GET", ""), ("302 Found", "GET", ""), ("303 See Other", "GET", ""),
    ("307 Temporary Redirect", "POST", "{}"), ("308 Permanent Redirect", "POST", "{}"),
  ])
  func postAfterRedirect(_ status: String, _ method: String, _ body: String) async throws {
    let server = try LoopbackServer { request in
      request.target == "/a" ? [.bytes(Answer.redirect(to: "/b", status: status))] : [.bytes(Answer.ok(""))]
    }
    defer { server.stop() }
    _ = try await HTTPClient.forTesting().handler(
      .to(server.url("/a")) {
        $0.method = "POST"
        $0.body = Array("{}".utf8)
      })
    #expect(server.received.map(\.method) == ["POST", method])
    #expect(server.received.last?.body == Array(body.utf8))
  }

  @Test func endlessLoop() async throws {
    let server = try LoopbackServer { request in [.bytes(Answer.redirect(to: request.target))] }
    defer { server.stop() }
    #expect(
      await outcome(of: .to(server.url("/")), by: HTTPClient.forTesting().handler)
        == .failure(.redirectRefused("more than 5 in a row")))
    #expect(server.received.count == 6)
  }

  @Test(arguments: [
    ("http://api.example.com/", "to http at api.example.com:80"),
    ("ftp://127.0.0.1/", "to ftp at 127.0.0.1:21"),
    ("file:///etc/passwd", "the target is malformed"),
  ])
  func unsafeTargetsAreRefused(_ target: String, _ reason: String) async throws {
    let server = try LoopbackServer { _ in [.bytes(Answer.redirect(to: target))] }
    defer { server.stop() }
    #expect(
      await outcome(of: .to(server.url("/")), by: HTTPClient.forTesting().handler)
        == .failure(.redirectRefused(reason)))
  }

  @Test func secretStaysWithItsHost() async throws {
    let other = try LoopbackServer { _ in [.bytes(Answer.ok("caught"))] }
    defer { other.stop() }
    let target = other.url("/")
    let server = try LoopbackServer { _ in [.bytes(Answer.redirect(to: target))] }
    defer { server.stop() }
    let handler = HTTPClient.forTesting().handler
    let refusal = TransportError.redirectRefused(
      "a request with a secret from 127.0.0.1:\(server.port) to 127.0.0.1:\(other.port)")
    #expect(await outcome(of: .to(server.url("/1")) { $0.secrets = ["hush"] }, by: handler) == .failure(refusal))
    let header = HTTPHeader(name: "X-API-Key", value: "hush")
    #expect(await outcome(of: .to(server.url("/2")) { $0.headers = [header] }, by: handler) == .failure(refusal))
    #expect(other.received == [])
    #expect(await outcome(of: .to(server.url("/3")), by: handler).reply == .success(Reply(200, "caught")))
  }

  /// From, to, with credentials; the reason for a refusal or nil.
  static let rules: [(String, String, Bool, String?)] = [
    ("https://a.com/x", "https://a.com/y", true, nil),
    ("https://a.com/x", "https://A.COM:443/y", true, nil),
    ("https://a.com/x", "https://b.com/y", false, nil),
    ("https://a.com/x", "https://b.com/y", true, "a request with a secret from a.com:443 to b.com:443"),
    ("https://a.com/x", "https://a.com:8443/y", true, "a request with a secret from a.com:443 to a.com:8443"),
    (
      "https://a.com/x", "https://a.com.evil.com/y", true,
      "a request with a secret from a.com:443 to a.com.evil.com:443"
    ),
    ("https://a.com/x", "https://a.com@evil.com/y", true, "a request with a secret from a.com:443 to evil.com:443"),
    ("https://a.com/x", "http://a.com/x", false, "to http at a.com:80"),
    ("https://a.com/x", "http://127.0.0.1/x", false, "to http at 127.0.0.1:80"),
    ("http://a.com/x", "https://a.com/x", false, nil),
    ("http://127.0.0.1/x", "http://localhost:8080/x", false, nil),
    ("http://127.0.0.1/x", "http://127.0.0.1.evil.com/x", false, "to http at 127.0.0.1.evil.com:80"),
    ("http://[::1]/x", "http://127.9.9.9/x", false, nil),
    (
      "https://a.test/x", "http://" + String(repeating: "b", count: 5000) + "/x", false,
      "to http at " + String(repeating: "b", count: 253) + "…:80"
    ),
  ]

  @Test(arguments: rules) func rule(_ from: String, _ to: String, _ isCredentialed: Bool, _ refusal: String?) {
    let request = HTTPRequest.to(from) { $0.secrets = isCredentialed ? ["hush"] : [] }
    var found: TransportError?
    do throws(TransportError) {
      let next = try RedirectRule.next(after: request, status: 302, to: to)
      #expect(next.urls == [to])
    } catch {
      found = error
    }
    #expect(found == refusal.map { .redirectRefused($0) })
  }

  @Test(
    arguments: [
      ("https://api.example.com/", nil),
      ("http://127.0.0.1:8080/", nil),
      ("http://localhost/", nil),
      ("http://api.example.com/", "a request with a secret is not sent to api.example.com:80 without https"),
      (
        "http://localhost.example.com/", "a request with a secret is not sent to localhost.example.com:80 without https"
      ),
    ] as [(String, String?)])
  func secretsNeedHTTPS(_ url: String, _ refusal: String?) {
    var found: TransportError?
    do throws(TransportError) {
      try RedirectRule.check(origin: url, isCredentialed: true)
    } catch {
      found = error
    }
    #expect(found == refusal.map { .other($0) })
    #expect(throws: Never.self) { try RedirectRule.check(origin: url, isCredentialed: false) }
  }
}
