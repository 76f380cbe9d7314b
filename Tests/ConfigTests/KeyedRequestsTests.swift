import Config
import Testing

/// What of an exchange a user's allowance is about.
@Suite struct KeyedRequestsTests {
  private static let signed = #"""
    {"baseUrls": ["https://a.test"], "note": "n", "rank": 1,
     "auth": {"values": {"sign": {"hmac-sha256": "{query}", "key": "{secret:secret|unbase64}"}},
       "headers": {"K": "{secret:apiKey}"}, "note": "x", "vectors": [{"now": 1}]},
     "markets": {"spot": {"tickers": {"request": {"path": "/t"}}}},
     "walletStatus": {"request": {"path": "/w"}, "rows": "$[*]"},
     "balances": {"spot": {"request": {"path": "/b"}, "rows": "$[*]", "asset": "$.a"}}}
    """#

  private func source(_ text: String, over base: String? = nil) throws -> ExchangeSource {
    func file(_ text: String, _ extends: String = "") throws -> ConfigFile {
      try ConfigFile(name: "x.json", bytes: Array(#"{"version": 1, \#(extends)"exchanges": {"A": \#(text)}}"#.utf8))
    }
    let builtin = try base.map { try file($0) }
    let own = try file(text, base == nil ? "" : #""extends": "builtin", "#)
    return try #require(try Configuration(own) { builtin ?? own }.exchange(named: "A"))
  }

  private func canonical(_ text: String, over base: String? = nil) throws -> String? {
    KeyedRequests(try source(text, over: base)).map { String(decoding: $0.canonical, as: UTF8.self) }
  }

  @Test func theText() throws {
    #expect(
      try canonical(Self.signed) == #"""
        [[],[{"baseUrls":["https://a.test"],"auth":{"values":{"sign":{"hmac-sha256":"{query}","key":"{secret:secret|unbase64}"}},"headers":{"K":"{secret:apiKey}"}},"balances":{"spot":{"request":{"path":"/b"}}}}]]
        """#)
    #expect(try source(Self.signed).secretNames == ["secret", "apiKey"])
    #expect(KeyedRequests(try source(Self.signed))?.fingerprint.utf8.count == 64)
  }

  @Test(arguments: [
    #"{"baseUrls": ["https://a.test"], "markets": {"spot": {"tickers": {"request": {"path": "/t"}}}}}"#,
    #"{"walletStatus": {"request": {"path": "/w"}}}"#,
    #"{"walletStatus": {"signed": false, "request": {"path": "/w"}}}"#,
  ])
  func noKeys(_ text: String) throws { #expect(try canonical(text) == nil) }

  /// A change of the user's that keys have nothing to do with.
  @Test(arguments: [
    #"{"rank": 9, "note": "mine", "names": ["a"]}"#,
    #"{"markets": {"spot": {"tickers": {"request": {"path": "/t2"}}}}}"#,
    #"{"markets": {"spot": {"baseUrls": ["https://other.test"]}}}"#,
    #"{"walletStatus": {"baseUrls": ["https://o.test"]}}"#,
    #"{"balances": {"spot": {"rows": "$.x[*]"}}}"#,
  ])
  func ofNoMatter(_ overlay: String) throws {
    let shipped = try canonical(Self.signed)
    #expect(try canonical(overlay, over: Self.signed) == shipped)
  }

  /// Whatever could send a key elsewhere, or sign other words with it.
  @Test(arguments: [
    #"{"baseUrls": ["https://evil.test"]}"#, #"{"auth": {"baseUrls": ["https://evil.test"]}}"#, #"{"auth": null}"#,
    #"{"headers": {"X": "y"}}"#, #"{"set": {"x": "y"}}"#, #"{"lookups": {"l": {"request": {"path": "/l"}}}}"#,
    #"{"balances": {"spot": {"request": {"method": "POST", "path": "/order"}}}}"#,
    #"{"balances": {"spot": {"baseUrls": ["https://evil.test"]}}}"#,
    #"{"balances": {"note": {"request": {"path": "/o"}}}}"#,
    #"{"balances": {"spot": {"forEach": [{"set": {"x": "1"}, "request": {"path": "/o"}}]}}}"#, #"{"balances": null}"#,
    #"{"balances": {"x": {"auth": {"headers": {"K": "{secret:apiKey}"}}}}}"#,
    #"{"balances": {"spot": {"signed": false}}}"#,
    #"{"permissions": {"request": {"path": "/p"}}}"#, #"{"walletStatus": {"signed": true}}"#,
    #"{"walletStatus": {"request": {"path": "/w?{secret:secret}"}}}"#,
    #"{"markets": {"spot": {"tickers": {"request": {"path": "/t", "query": {"note": "{secret:secret}"}}}}}}"#,
    #"{"markets": {"spot": {"tickers": {"request": {"path": "/\u007bsecret:secret}"}}}}}"#,
    #"{"markets": {"spot": {"headers": {"X": "{secret:apiKey}"}}}}"#,
    #"{"orderbook": {"request": {"path": "/b", "query": {"k": "{secret:secret}"}}}}"#,
  ])
  func ofMatter(_ overlay: String) throws {
    let shipped = try #require(try canonical(Self.signed))
    let changed = try #require(try canonical(overlay, over: Self.signed))
    #expect(changed != shipped)
  }

  /// Where `auth` says where signed requests go, another host for public ones is the user's own affair.
  @Test func ownHosts() throws {
    let shipped = Self.signed.replacing(#""auth": {"#, with: #""auth": {"baseUrls": ["https://auth.test"], "#)
    let before = try canonical(shipped)
    #expect(try canonical(#"{"baseUrls": ["https://other.test"]}"#, over: shipped) == before)
    #expect(
      try canonical(#"{"baseUrls": ["https://other.test"], "balances": {"spot": {"auth": null}}}"#, over: shipped)?
        .contains("other.test") == true)
  }

  /// A whole copy of what ships is what ships, however it is laid out.
  @Test func copies() throws {
    let copy = Self.signed.replacing("\n", with: "\r\n   ").replacing(#""K""#, with: #""\u004b""#)
    #expect(KeyedRequests(try source(copy)) == KeyedRequests(try source(Self.signed)))
  }
}
