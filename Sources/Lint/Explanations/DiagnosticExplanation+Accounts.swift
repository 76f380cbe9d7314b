import Config

// Explanations of accounts and signatures.

extension DiagnosticExplanation {
  static let accounts = [
    DiagnosticExplanation(
      .bytesForText, "bytes where a text stands",
      """
      Signatures and digests are bytes, and headers, parameters and members of objects are texts. A filter makes the one of \
      the other: |hex or |base64. `lower` and `upper` are for texts, and `number` for the only placeholder in a text of an \
      object.
      """,
      in: .account, wrong: signed(header: "{sign}"), right: signed(header: "{sign|hex}")),
    DiagnosticExplanation(
      .unusedValue, "a value that nothing uses",
      "A value of `auth` is computed for what names it. One that nothing names is a slip of the name, or left over.",
      in: .account,
      wrong: auth(
        values: #""sign": { "hmac-sha256": "{query}", "key": "{secret:secret}" },"#, header: "{secret:apiKey}"),
      right: auth(values: "", header: "{secret:apiKey}")),
    DiagnosticExplanation(
      .misnamedValue, "a value with a name that is taken, or named before its place",
      """
      {path}, {body}, {now.ms} and the like mean the same everywhere, so no value can be called so. Values are made in the \
      order written, and each may name those before it.
      """,
      in: .account,
      wrong: auth(values: #""path": "{method}","#, header: "{path}{secret:apiKey}"),
      right: auth(values: #""call": "{method}","#, header: "{call}{secret:apiKey}", sent: "GETk")),
    DiagnosticExplanation(
      .sentKey, "a key that signs, and is sent as well",
      """
      What signs has to stay here: whoever reads a request could sign others. Exchanges give two texts, one that is sent \
      and one that signs.
      """,
      in: .account, wrong: signed(header: "{sign|hex}{secret:secret}"), right: signed(header: "{sign|hex}")),
    DiagnosticExplanation(
      .noVectors, "steps of a signature without a known answer",
      """
      A signature that is wrong in one byte is refused without a reason. A known answer beside the steps, a request with \
      made-up secrets and what is sent for it, is computed whenever the config is checked, and never sent. It names every \
      header that `auth` adds, and the URL or the body where it adds to those: only what is named is proved.
      """,
      in: .account,
      wrong: #"""
        "auth": { "headers": { "X-KEY": "{secret:apiKey}" } }
        """#, right: auth(values: "", header: "{secret:apiKey}")),
    DiagnosticExplanation(
      .failedVector, "a known answer that does not come out",
      """
      The request of a vector is put together and signed with its secrets, time, nonce and uuid, and what comes out differs \
      from what stands under `sent`. Either the steps are wrong, or the answer was copied wrong.
      """,
      in: .account, wrong: auth(values: "", header: "{secret:apiKey}", sent: "K"),
      right: auth(values: "", header: "{secret:apiKey}")),
    DiagnosticExplanation(
      .signedWithoutAuth, "a signed block, and nothing says how",
      """
      `signed` asks for `auth`, on the exchange or on the block. Balances and permissions are somebody's: without `auth` \
      their request names a secret, such as an address.
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
