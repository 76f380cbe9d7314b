import Config
import Testing

/// Local hosts and connection headers are refused when the config is read (X3).
@Suite struct HostChecksTests {
  private static func findings(
    _ members: String, market: String = "", tickers: String = #"{"request": {"path": "/t"}}"#,
    settings: String = "{}", origin: SourceFile.Origin = .other
  ) throws -> [String] {
    let text = """
      {"version": 1, "settings": \(settings), "exchanges": {"E": {"rows": "$[*]", "symbol": {"path": "$.s", "split": "-"},
        "fields": {"price": "$.p"}, \(members),
        "markets": {"spot": {\(market) "tickers": \(tickers)}}}}}
      """
    let configuration = try TestExchange.configuration(text, origin: origin)
    return configuration.readWhole().findings.map { "\($0.severity.rawValue) \($0.message)" }
  }

  @Test(arguments: [
    #""baseUrls": ["https://api.example.com"]"#, #""baseUrls": ["http://127.0.0.1:8500"]"#,
    #""baseUrls": ["http://127.0.0.1:8500", "https://10.0.0.5"]"#,
    #""baseUrls": ["http://127.0.0.1:1"], "lookups": {"l": {"baseUrls": ["http://localhost:2"], "request": {"path": "/l"}, "rows": "$[*]", "key": "$.k"}}"#,
  ])
  func hostsOnOneSideAreAccepted(_ members: String) throws { #expect(try Self.findings(members) == []) }

  /// What looks like the host of an address that is refused may be a scheme or a name.
  @Test(arguments: ["htps://api.example.com", "https://me:pw@host.example", ""])
  func refusedAddressHasNoHost(_ url: String) throws {
    let findings = try Self.findings(#""baseUrls": ["\#(url)", "https://api.example.com"]"#)
    #expect(findings.map { $0.hasPrefix("error invalid base URL ") } == [true], "\(findings)")
  }

  private static let lookup =
    #""baseUrls": ["https://api.example.com"], "lookups": {"l": {"baseUrls": ["http://127.0.0.1:8500"], "request": {"path": "/l"}, "rows": "$[*]", "key": "$.k"}}"#

  @Test(arguments: [
    (#""baseUrls": ["https://api.example.com", "https://192.168.1.1"]"#, "", "192.168.1.1"),
    (#""baseUrls": ["https://0x7f.1", "https://api.example.com"]"#, "", "0x7f.1"),
    (Self.lookup, "", "127.0.0.1"),
    (
      #""baseUrls": ["https://api.example.com"]"#,
      #""ticker": {"baseUrls": ["https://[fe80::1]"], "request": {"path": "/{asset}"}},"#, "[fe80::1]"
    ),
    (
      #""baseUrls": ["https://api.example.com"]"#,
      #""orderbook": {"baseUrls": ["http://localhost"], "request": {"path": "/{asset}{payment}"}, "bids": "$.b[*]", "asks": "$.a[*]", "price": "$[0]", "size": "$[1]"},"#,
      "localhost"
    ),
  ])
  func localHostBesideRemoteHostsIsRefused(_ members: String, _ market: String, _ host: String) throws {
    let message = "error the local host '\(host)' is listed alongside 'api.example.com'"
    #expect(try Self.findings(members, market: market) == [message])
    let settings = #"{"localHosts": ["\#(host)"]}"#
    #expect(try Self.findings(members, market: market, settings: settings, origin: .user) == [])
    // Only the user's own file may allow it.
    #expect(
      try Self.findings(members, market: market, settings: settings)
        == [
          "warning 'localHosts' has no effect here; it works only in your own file, ~/.config/market/exchanges.json",
          message,
        ])
  }

  /// Even with the setting, what a local host says never goes into a request to another host.
  @Test func localHostDataNeverReachesOtherHosts() throws {
    let found = try Self.findings(
      Self.lookup,
      tickers: #"{"request": {"method": "POST", "path": "/t", "body": "{keys}"}, "batch": {"of": "l"}}"#,
      settings: #"{"localHosts": ["127.0.0.1"]}"#, origin: .user)
    #expect(found == ["error the response of the local host '127.0.0.1' would be sent to 'api.example.com'"])
  }

  @Test(arguments: ["Host", "content-length", "Transfer-Encoding", "CONNECTION", "Upgrade", "TE", "X Y", "X:", ""])
  func connectionHeadersAreRefused(_ name: String) throws {
    #expect(
      try Self.findings(#""baseUrls": ["https://api.example.com"], "headers": {"\#(name)": "1"}"#)
        == ["error the header '\(name)' cannot be set by a config"])
  }
}
