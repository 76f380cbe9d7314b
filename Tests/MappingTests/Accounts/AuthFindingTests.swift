import Config
import Testing

/// Findings about signing steps that cannot be intended.
@Suite struct AuthFindingTests {
  static let cases: [(auth: String, findings: [String])] = [
    (
      #""values": { "sign": { "hmac-sha256": "{query}", "key": "{secret:secret}" } }, "headers": { "S": "{sign}" }"#,
      ["MKT090 bytes used where text is expected"]
    ),
    (
      #""values": { "sign": { "hmac-sha256": "{query}", "key": "{secret:secret}" } }, "headers": { "S": "{sign|lower|hex}" }"#,
      ["MKT090 'lower' works on text, but this is bytes"]
    ),
    (
      #""headers": { "S": "{now.ms|number}" }"#,
      ["MKT090 'number' only works after the sole placeholder of a JSON string value"]
    ),
    (
      #""headers": { "S": "{now.ms+9999999d}" }"#, ["MKT033 template: invalid duration '9999999d' after '+'"]
    ),
    (#""headers": { "S": "{nonsense}" }"#, ["MKT034 unknown placeholder '{nonsense}'"]),
    (
      #""headers": { "S": "{now.ms|hexx}" }"#,
      [
        "MKT033 template: unknown filter 'hexx'; expected lower, upper, sha256, sha512, md5, hex, base64, base64url, unbase64 or number"
      ]
    ),
    (
      #""values": { "sign": { "hmac-sha1": "{query}", "key": "k" } }, "headers": { "S": "{sign|hex}" }"#,
      [
        "MKT021 unknown key 'hmac-sha1'",
        "MKT011 missing function 'hmac-sha256', 'hmac-sha384', 'hmac-sha512', 'ed25519', 'jwt-hs256', 'jwt-hs512' or 'json' in this value",
      ]
    ),
    (
      #""values": { "sign": { "hmac-sha256": "{query}" } }, "headers": { "S": "{sign|hex}" }"#,
      ["MKT011 missing key 'key' in this function"]
    ),
    (#""values": { "a": "b" }, "headers": { "S": "{uuid}" }"#, ["MKT091 unused value 'a'"]),
    (
      #""values": { "path": "b" }, "headers": { "S": "{uuid}" }"#,
      ["MKT092 a value cannot be called 'path': {path} means something else"]
    ),
    (
      #""values": { "a": "{b}", "b": "c" }, "headers": { "S": "{a}" }"#, ["MKT092 '{b}' is used before its value"]
    ),
    (
      #""values": { "t": "{secret:secret}", "sign": { "hmac-sha256": "{query}", "key": "{secret:secret}" } }, "headers": { "S": "{sign|hex}{t|base64}" }"#,
      ["MKT093 the secret 'secret' is used for signing but is also sent"]
    ),
    (#""form": { "a": "b" }, "body": { "a": "b" }"#, ["MKT023 'form' and 'body' cannot be combined; keep one of them"]),
    (
      #""baseUrls": ["http://exchange.test"], "headers": { "S": "{uuid}" }"#,
      ["MKT015 invalid base URL 'http://exchange.test'"]
    ),
  ]

  @Test(arguments: cases.indices) func errors(_ index: Int) throws {
    let test = Self.cases[index]
    let (_, findings) = try AccountConfig.read(#""auth": { \#(test.auth), "vectors": [] }"#)
    let errors = findings.filter { $0.severity == .error }
    #expect(errors.map { "\($0.code.rawValue) \($0.message)" } == test.findings)
  }

  /// Of two kinds of body only one could be sent.
  @Test(arguments: [
    (
      #""form": { "t": "1" }"#, #""body": { "a": "b" }"#,
      ["MKT023 'auth.form' and 'body' cannot be combined; keep one of them"]
    ),
    (
      #""body": { "t": "1" }"#, #""form": { "a": "b" }"#,
      ["MKT023 'auth.body' and 'form' cannot be combined; keep one of them"]
    ),
    (
      #""body": { "t": "1" }"#, #""body": ["a"]"#,
      ["MKT023 'auth.body' adds members, but the body of this request is not an object"]
    ),
    (#""body": { "t": "1" }"#, #""body": { "a": "b" }"#, []), (#""form": { "t": "1" }"#, #""form": { "a": "b" }"#, []),
    (#""body": { "t": "1" }"#, #""query": { "a": "b" }"#, []),
  ])
  func bodies(_ auth: String, _ request: String, _ expected: [String]) throws {
    let (_, findings) = try AccountConfig.read(
      #"""
      "auth": { \#(auth), "vectors": [] }, "balances": { "spot": {
        "request": { "method": "POST", "path": "/x", \#(request) }, "rows": "$[*]", "asset": "$.a",
        "fields": { "free": "$.f" } } }
      """#)
    #expect(
      findings.filter { $0.severity == .error }.map { "\($0.code.rawValue) \($0.message)" } == expected)
  }

  @Test func blocks() throws {
    func messages(_ members: String) throws -> [String] {
      try AccountConfig.read(members).1.map { "\($0.code.rawValue) \($0.message)" }
    }
    let wallets =
      #""request": { "path": "/x" }, "rows": "$[*]", "asset": "$.a", "deposit": [{ "path": "$.d", "equals": 1 }], "withdraw": [{ "path": "$.w", "equals": 1 }]"#
    #expect(
      try messages(#""walletStatus": { "signed": true, \#(wallets) }"#)
        == ["MKT096 this is signed, but there is no 'auth'"])
    #expect(try messages(#""walletStatus": { \#(wallets) }"#) == [])
    let absent =
      #""absent": ["85"], "request": { "path": "/x" }, "rows": "$[*]", "asset": "$.a", "fields": { "total": "$.t" }"#
    let auth = #""auth": { "headers": { "X-KEY": "{secret:apiKey}" } }"#
    #expect(
      try messages(#"\#(auth), "balances": { "spot": { \#(absent) } }"#).filter { $0.contains("absent") }
        == ["MKT011 missing key 'code' in 'success', which 'absent' needs"])
    #expect(
      try messages(
        #""balances": { "spot": { "request": { "path": "/x" }, "rows": "$[*]", "asset": "$.a", "fields": { "total": "$.t" } } }"#
      )
        == ["MKT096 'balances' is not signed and uses no secret: whose account is it?"])
    #expect(
      try messages(
        #""balances": { "spot": { "request": { "path": "/x/{secret:address}" }, "rows": "$[*]", "asset": "$.a", "fields": {} } }"#
      )
        == ["MKT011 missing 'free', 'locked' or 'total' in these fields"])
    // An error in `auth` does not make the block unsigned.
    let broken = try messages(
      #""auth": { "headers": { "S": "{nonsense}" } }, "balances": { "spot": { "request": { "path": "/x" }, "rows": "$[*]", "asset": "$.a", "fields": { "total": "$.t" } } }"#
    )
    #expect(broken.contains("MKT034 unknown placeholder '{nonsense}'"))
    #expect(!broken.contains { $0.hasPrefix("MKT096") })
    // Anything that a known answer does not name remains unproven.
    func vector(_ request: String, _ sent: String) -> String {
      #""auth": { "headers": { "S": "{uuid}", "K": "k" }, \#(request), "vectors": [{ "request": { "path": "/x", "method": "POST" }, "sent": { \#(sent) } }] }"#
    }
    #expect(
      try messages(vector(#""query": { "t": "{now.ms}" }"#, #""headers": { "s": "x" }"#))
        == ["MKT094 the known answer omits the header 'K' or the 'url'"])
    #expect(
      try messages(vector(#""form": { "t": "{now.ms}" }"#, #""headers": { "S": "x", "K": "k" }, "url": "x""#))
        == ["MKT094 the known answer omits the 'body'"])
    #expect(
      try messages(vector(#""form": { "t": "{now.ms}" }"#, #""headers": { "S": "x", "K": "k" }, "body": "t=1""#)) == [])
    #expect(
      try messages(#""auth": { "headers": { "S": "{uuid}" } }"#) == ["MKT094 these signing steps have no known answer"]
    )
  }
}
