import HTTP
import Testing

@testable import Transport

@Suite struct HostNameTests {
  @Test(arguments: [
    ("https://API.Example.com/x?y", "api.example.com"), ("https://api.example.com.:443/", "api.example.com"),
    ("https://api.example.com:8443", "api.example.com:8443"), ("http://127.0.0.1:80/", "127.0.0.1"),
    ("https://%61pi.example.com", "api.example.com"), ("https://[::1]:8080/a:b", "[::1]:8080"),
    ("localhost", "localhost"), ("https://10.0.0.1/\u{301}.example.com", "10.0.0.1"),
    ("https://10.0.0.1?\u{301}.example.com", "10.0.0.1"), ("https://[::1]\u{301}:80/x", "[::1]"), ("", ""),
  ])
  func names(_ url: String, _ text: String) { #expect(HostName(of: url).text == text) }

  @Test(arguments: [
    "127.0.0.1", "127.1", "0x7f.1", "0177.0.0.1", "2130706433", "0", "10.1.2.3", "172.16.0.1", "172.31.255.255",
    "192.168.0.1", "169.254.169.254", "100.64.0.1", "224.0.0.1", "255.255.255.255", "localhost", "LOCALHOST.",
    "%6cocalhost",
    "db.localhost", "printer.local", "metadata.google.internal", "consul", "[::1]", "[::]", "[fe80::1%25eth0]",
    "[fd00::1]",
    "[::ffff:10.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::a00:1]", "[ff02::1]", "[nonsense]",
    "[+2606:4700::1111]", "[02606:4700::1111]", "[2606:4700::-0]",
  ])
  func local(_ host: String) { #expect(HostName(of: "https://\(host)/x").isLocal) }

  @Test(arguments: [
    "api.example.com", "8.8.8.8", "172.32.0.1", "192.169.0.1", "11.0.0.1", "1.1", "[2606:4700::1111]",
    "[::ffff:8.8.8.8]",
    "127.0.0.1.example.com", "local.example.com", "1e3.example", "0x7f.example.com",
  ])
  func remote(_ host: String) { #expect(!HostName(of: "https://\(host)/x").isLocal) }

  /// Redirects from or to a local service are not followed across that boundary.
  @Test(arguments: [
    ("http://127.0.0.1:8500/x", "https://evil.example/?v=1"), ("https://api.example/x", "https://127.0.0.1/y"),
    ("https://api.example/x", "https://10.0.0.5/y"), ("https://10.0.0.5/x", "https://10.0.0.6/y"),
  ])
  func redirectsDoNotCross(_ from: String, _ target: String) throws {
    let request = HTTPRequest(exchange: "A", name: "x", urls: [from])
    let error = #expect(throws: TransportError.self) {
      try RedirectRule.next(after: request, status: 302, to: target)
    }
    guard case .redirectRefused(let why)? = error else { return }
    #expect(why.hasSuffix(": one of them is local"))
  }

  @Test func redirectsWithinAHostAreFollowed() throws {
    let request = HTTPRequest(exchange: "A", name: "x", urls: ["https://10.0.0.5/x"])
    #expect(
      try RedirectRule.next(after: request, status: 302, to: "https://10.0.0.5:8443/y").urls == [
        "https://10.0.0.5:8443/y"
      ])
  }
}
