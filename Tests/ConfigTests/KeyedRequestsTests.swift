import Config
import JSON
import Testing

/// The parts of an exchange that a user's permission covers.
@Suite struct KeyedRequestsTests {
  private static let signed = #"""
    {"baseUrls": ["https://a.test"], "note": "n", "rank": 1,
     "auth": {"values": {"sign": {"hmac-sha256": "{query}", "key": "{secret:secret|unbase64}"}},
       "headers": {"K": "{secret:apiKey}"}, "note": "x", "vectors": [{"now": 1}]},
     "markets": {"spot": {"tickers": {"request": {"path": "/t"}}}},
     "walletStatus": {"request": {"path": "/w"}, "rows": "$[*]"},
     "balances": {"spot": {"request": {"path": "/b"}, "rows": "$[*]", "asset": "$.a"}}}
    """#

  /// - Parameters:
  ///   - text: the exchange `A`, in a user's config that overlays `base`.
  ///   - members: more members of that config.
  private func configuration(_ text: String, over base: String? = nil, _ members: String = "") throws -> Configuration {
    func file(_ text: String, _ members: String, _ origin: SourceFile.Origin) throws -> ConfigFile {
      let text = #"{"version": 1, \#(members)"exchanges": {"A": \#(text)}}"#
      return try ConfigFile(name: "x.json", bytes: Array(text.utf8), origin: origin)
    }
    let builtin = try base.map { try file($0, "", .shipped) }
    let own = try file(text, (base == nil ? "" : #""extends": "builtin", "#) + members, .user)
    return try Configuration(own) { builtin ?? own }
  }

  private func requests(_ text: String, over base: String? = nil, _ members: String = "") throws -> KeyedRequests? {
    KeyedRequests(of: "A", in: try configuration(text, over: base, members))
  }

  private func canonical(_ text: String, over base: String? = nil, _ members: String = "") throws -> String? {
    try requests(text, over: base, members).map { String(decoding: $0.canonical, as: UTF8.self) }
  }

  @Test func canonicalText() throws {
    #expect(
      try canonical(Self.signed) == #"""
        [[],[{"baseUrls":["https://a.test"],"auth":{"values":{"sign":{"hmac-sha256":"{query}","key":"{secret:secret|unbase64}"}},"headers":{"K":"{secret:apiKey}"}},"balances":{"spot":{"request":{"path":"/b"}}}}]]
        """#)
    #expect(try configuration(Self.signed).exchange(named: "A")?.secretNames == ["secret", "apiKey"])
    #expect(try requests(Self.signed)?.fingerprint.utf8.count == 64)
    #expect(try requests(Self.signed)?.isShipped == false)
    #expect(try requests("{}", over: Self.signed)?.isShipped == false)
    #expect(try requests("{}", over: Self.signed)?.own.isEmpty == true)
    let shipped = try configuration("{}", over: Self.signed).files[0]
    #expect(KeyedRequests(of: "A", in: try Configuration(shipped) { shipped })?.isShipped == true)
  }

  @Test(arguments: [
    #"{"baseUrls": ["https://a.test"], "markets": {"spot": {"tickers": {"request": {"path": "/t"}}}}}"#,
    #"{"walletStatus": {"request": {"path": "/w"}}}"#,
    #"{"walletStatus": {"signed": false, "request": {"path": "/w"}}}"#,
  ])
  func exchangesWithoutKeysHaveNone(_ text: String) throws { #expect(try canonical(text) == nil) }

  /// A mark before the brace makes one character of both, and hides nothing.
  @Test(arguments: ["", "\\u0600", "\\u06dd", "é\\u0600", "\\u0301", "\\ud804\\udcbd"])
  func marksHideNoSecret(_ mark: String) throws {
    let query = #"{"k": "\#(mark){secret:apiKey}"}"#
    let text = #"{"markets": {"spot": {"tickers": {"request": {"path": "/t", "query": \#(query)}}}}}"#
    #expect(try canonical(text, over: #"{"baseUrls": ["https://a.test"]}"#)?.contains("{secret:apiKey}") == true)
    #expect(try configuration(text).exchange(named: "A")?.secretNames == ["apiKey"])
  }

  /// User changes that do not concern keys.
  @Test(arguments: [
    #"{"rank": 9, "note": "mine", "names": ["a"]}"#,
    #"{"page": "https://a.test", "markets": {"spot": {"page": "https://a.test/{asset}"}}}"#,
    #"{"markets": {"spot": {"tickers": {"request": {"path": "/t2"}}}}}"#,
    #"{"markets": {"spot": {"baseUrls": ["https://other.test"]}}}"#,
    #"{"walletStatus": {"baseUrls": ["https://o.test"]}}"#,
    #"{"balances": {"spot": {"rows": "$.x[*]"}}}"#,
  ])
  func irrelevantChangesKeepCanonicalText(_ overlay: String) throws {
    let shipped = try canonical(Self.signed)
    #expect(try canonical(overlay, over: Self.signed) == shipped)
  }

  /// Changes that could send a key elsewhere or make it sign something else.
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
  func relevantChangesAlterCanonicalText(_ overlay: String) throws {
    let shipped = try #require(try canonical(Self.signed))
    let changed = try #require(try canonical(overlay, over: Self.signed))
    #expect(changed != shipped)
  }

  /// If `auth` names the hosts for signed requests, the user may change those for public ones.
  @Test func ownHosts() throws {
    let shipped = Self.signed.replacing(#""auth": {"#, with: #""auth": {"baseUrls": ["https://auth.test"], "#)
    let before = try canonical(shipped)
    #expect(try canonical(#"{"baseUrls": ["https://other.test"]}"#, over: shipped) == before)
    #expect(
      try canonical(#"{"baseUrls": ["https://other.test"], "balances": {"spot": {"auth": null}}}"#, over: shipped)?
        .contains("other.test") == true)
  }

  /// A full copy of the shipped exchange counts as shipped, whatever its layout.
  @Test func fullCopyCountsAsShipped() throws {
    let copy = Self.signed.replacing("\n", with: "\r\n   ").replacing(#""K""#, with: #""\u004b""#)
    #expect(try canonical(copy) == canonical(Self.signed))
  }

  /// What the user sees before giving permission: all relevant parts of the overlay, wherever they may hold a secret.
  @Test func usersOwnPartsAreListed() throws {
    let overlay = #"""
      {"note": "n", "trades": {"baseUrls": ["https://evil.test"], "rows": "$[*]", "request": {"path": "/{secret:secret}"}},
       "balances": {"spot": {"lookups": {"l": {"baseUrls": ["https://other.test:8443"]}}}}}
      """#
    let requests = try #require(try requests(overlay, over: Self.signed))
    #expect(
      requests.own.map { String(decoding: $0.written(), as: UTF8.self) } == [
        #"{"trades":{"baseUrls":["https://evil.test"],"request":{"path":"/{secret:secret}"}},"#
          + #""balances":{"spot":{"lookups":{"l":{"baseUrls":["https://other.test:8443"]}}}}}"#
      ])
    #expect(requests.ownHosts == ["evil.test", "other.test:8443"])
  }

  /// An exchange whose public requests carry a key, all defined at the top level.
  private static let open = #"""
    {"baseUrls": ["https://a.test"], "headers": {"K": "{secret:apiKey}"}, "request": {"path": "/t"}, "rows": "$[*]",
     "intervals": {"1h": "60"}, "markets": {"spot": {"tickers": {}}}}
    """#

  @Test(arguments: [
    #"{"request": {"path": "/withdraw", "query": {"to": "x"}}}"#, #"{"batch": {"of": "l", "max": 1}}"#,
    #"{"intervals": {"1h": "../withdraw"}}"#, #"{"candles": {"intervals": {"1h": "../withdraw"}}}"#,
    #"{"markets": {"spot": {"request": {"path": "/withdraw"}}}}"#,
  ])
  func relevantChangesToPublicRequestsWithKeys(_ overlay: String) throws {
    #expect(try canonical(overlay, over: Self.open) != canonical(Self.open))
    #expect(try canonical(#"{"rows": "$.x[*]"}"#, over: Self.open)?.contains("$.x") == false)
  }

  // MARK: Rate providers

  private static func provider(_ name: String, _ members: String = "") -> String {
    #"""
    "fx": {"providers": {"\#(name)": {"pairs": ["USD/KRW"], "baseUrls": ["https://rates.test"]\#(members),
      "rate": {"request": {"path": "/r", "query": {"k": "{secret:apiKey}"}}, "rows": "$", "symbol": "request",
        "fields": {"rate": "$.r"}}}}},
    """#
  }

  @Test func rateProviderNamedLikeExchangeIsIncluded() throws {
    #expect(
      try canonical("{}", Self.provider("A")) == #"""
        [[],[],[{"baseUrls":["https://rates.test"],"rate":{"request":{"path":"/r","query":{"k":"{secret:apiKey}"}}}}]]
        """#)
    #expect(try canonical("{}", Self.provider("B")) == nil)
    #expect(try canonical("{}", Self.provider("A", #", "headers": {"X": "y"}"#)) != canonical("{}", Self.provider("A")))
  }

  /// An exchange's keys are stored under its name, so a provider of that name would get them: it counts too.
  @Test func providerTakingExchangeNameChangesText() throws {
    let both = try #require(try canonical("{}", over: Self.signed, Self.provider("A")))
    #expect(try both != #require(try canonical("{}", over: Self.signed)))
    #expect(both.contains("rates.test"))
  }
}
