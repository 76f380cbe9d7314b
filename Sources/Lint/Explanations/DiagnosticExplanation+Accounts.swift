import Config

// Explanations of accounts and signatures.

extension DiagnosticExplanation {
  static let accounts = [
    DiagnosticExplanation(
      .bytesForText, "bytes used where text is expected",
      """
      Signatures and digests are bytes, while headers, parameters and members of objects are text. A filter converts \
      them: |hex or |base64. `lower` and `upper` apply to text, and `number` only to the sole placeholder of a JSON \
      string value.
      """,
      in: .account, wrong: signed(header: "{sign}"), right: signed(header: "{sign|hex}")),
    DiagnosticExplanation(
      .unusedValue, "an unused value",
      """
      A value in `auth` is computed to be used elsewhere. If nothing uses it, its name is misspelled somewhere, or it \
      is left over.
      """,
      in: .account,
      wrong: auth(
        values: #""sign": { "hmac-sha256": "{query}", "key": "{secret:secret}" },"#, header: "{secret:apiKey}"),
      right: auth(values: "", header: "{secret:apiKey}")),
    DiagnosticExplanation(
      .misnamedValue, "a value whose name is taken, or that is used too early",
      """
      {path}, {body}, {now.ms} and the like mean the same everywhere, so a value cannot have such a name. Values are \
      computed in the order written, and each may use those before it.
      """,
      in: .account,
      wrong: auth(values: #""path": "{method}","#, header: "{path}{secret:apiKey}"),
      right: auth(values: #""call": "{method}","#, header: "{call}{secret:apiKey}", sent: "GETk")),
    DiagnosticExplanation(
      .sentKey, "a signing key that is also sent",
      """
      A signing key must stay on this machine: anyone who reads the request could sign others. Exchanges give out two \
      strings, one to send and one to sign with.
      """,
      in: .account, wrong: signed(header: "{sign|hex}{secret:secret}"), right: signed(header: "{sign|hex}")),
    DiagnosticExplanation(
      .noVectors, "signing steps without a known answer",
      """
      A signature that is wrong in one byte is refused without a reason. A known answer, a request with made-up \
      secrets and what is sent for it, is computed whenever the config is checked, and never sent. It lists every \
      header that `auth` adds, and the URL or the body if `auth` adds to those: only what is listed is verified.
      """,
      in: .account,
      wrong: #"""
        "auth": { "headers": { "X-KEY": "{secret:apiKey}" } }
        """#, right: auth(values: "", header: "{secret:apiKey}")),
    DiagnosticExplanation(
      .failedVector, "a known answer that does not match",
      """
      The request of a vector is built and signed with its secrets, time, nonce and uuid, and the result differs from \
      `sent`. Either the steps are wrong, or the answer was copied incorrectly.
      """,
      in: .account, wrong: auth(values: "", header: "{secret:apiKey}", sent: "K"),
      right: auth(values: "", header: "{secret:apiKey}")),
    DiagnosticExplanation(
      .signedWithoutAuth, "a signed block without 'auth'",
      """
      `signed` requires `auth`, on the exchange or on the block. Balances and permissions belong to an account: \
      without `auth` their request must use a secret, such as an address.
      """,
      in: .account,
      wrong: #"""
        "walletStatus": { "signed": true, "request": { "path": "/wallets" }, "rows": "$[*]", "asset": "$.coin",
          "deposit": [{ "path": "$.in", "equals": true }], "withdraw": [{ "path": "$.out", "equals": true }] }
        """#,
      right: #"""
        "walletStatus": { "request": { "path": "/wallets" }, "rows": "$[*]", "asset": "$.coin",
          "deposit": [{ "path": "$.in", "equals": true }], "withdraw": [{ "path": "$.out", "equals": true }] }
        """#),
  ]

  private static func auth(values: String, header: String, sent: String = "k") -> String {
    let lines = values.isEmpty ? "" : "\n  \"values\": { \(values.dropLast()) },"
    return #"""
      "auth": {\#(lines)
        "headers": { "X-KEY": "\#(header)" },
        "vectors": [{ "secrets": { "apiKey": "k" }, "request": { "path": "/x" }, "sent": { "headers": { "X-KEY": "\#(sent)" } } }] }
      """#
  }

  /// Returns an `auth` with the signature of RFC 4231, test case 2.
  private static func signed(header: String) -> String {
    #"""
    "auth": {
      "values": { "sign": { "hmac-sha256": "what do ya want for nothing?", "key": "{secret:secret}" } },
      "headers": { "X-SIGN": "\#(header)" },
      "vectors": [{ "secrets": { "secret": "Jefe" }, "request": { "path": "/x" }, "sent": { "headers": {
        "X-SIGN": "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843" } } }] }
    """#
  }
}
