import HTTP
import JSON
import TestSupport
import Testing

/// `market keys` with an exchange that has a key for each kind of account.
@Suite(.waitsForPrograms) struct SeveralKeysTests {
  /// Returns a home whose exchange has a futures account, read with a key of its own, which accepts the key `right`.
  ///
  /// - Parameter headers: What requests for this account are signed with.
  private func home(
    storing secrets: String, headers: String = #""FKey": "{secret:futuresApiKey}""#
  ) throws -> KeysHome {
    let home = try KeysHome { request in
      guard request.target == "/futures" else { return nil }
      let isRight = request.headers.first(named: "FKey") == "right"
      return [.bytes(isRight ? Answer.ok(#"[{"a": "BTC", "t": "1"}]"#) : Answer.ok("", status: "401 Unauthorized"))]
    }
    let futures =
      #""futures": {"auth": {"headers": {\#(headers)}}, "request": {"path": "/futures"}, "#
      + #""rows": "$[*]", "asset": "$.a", "fields": {"total": "$.t"}}, "#
    try home.write(
      KeysHome.config(home.server.url("")).replacing(#""balances": {"#, with: #""balances": {\#(futures)"#),
      "exchanges.json")
    try home.write("{\"Alpha\": {\(secrets)}}", "credentials.json")
    #expect(try home.market("allow", "alpha", "--yes").code == 0)
    return home
  }

  /// Each key that is stored is tried on an account of its own, and has no rights but its own.
  @Test(arguments: [
    (
      #""apiKey": "k", "secret": "aHVzaA==", "futuresApiKey": "right""#, ["/rights", "/balances", "/futures"],
      [
        "ok       rights    apiKey: it cannot withdraw", "ok                 apiKey: it cannot trade",
        "note               futuresApiKey: the config has no request for what this key may do; see Alpha's API key page",
        "ok       account   apiKey: it can be read: 2 assets",
        "ok                 futuresApiKey: it can be read: 1 asset",
      ]
    ),
    (
      #""apiKey": "k", "secret": "aHVzaA==", "futuresApiKey": "wrong""#, ["/rights", "/balances", "/futures"],
      [
        "ok       rights    apiKey: it cannot withdraw", "ok                 apiKey: it cannot trade",
        "note               futuresApiKey: the config has no request for what this key may do; see Alpha's API key page",
        "ok       account   apiKey: it can be read: 2 assets",
        "problem            futuresApiKey: futures: http-401: not authorised",
      ]
    ),
    (
      #""futuresApiKey": "right""#, ["/futures"],
      [
        "note     rights    futuresApiKey: the config has no request for what this key may do; see Alpha's API key page",
        "ok       account   futuresApiKey: it can be read: 1 asset",
      ]
    ),
    (
      #""apiKey": "k", "secret": "aHVzaA==""#, ["/rights", "/balances"],
      [
        "ok       rights    apiKey: it cannot withdraw", "ok                 apiKey: it cannot trade",
        "ok       account   apiKey: it can be read: 2 assets",
      ]
    ),
  ])
  func severalKeys(_ stored: String, _ asked: [String], _ expected: [String]) throws {
    let home = try home(storing: stored)
    let run = try home.market("test", "alpha")
    #expect(
      run.output.split(separator: "\n").map(String.init).filter { $0.contains("piKey: ") } == expected, "\(run.output)")
    #expect(home.server.received.filter { $0.method != "HEAD" }.map(\.target) == asked)
    #expect(run.code == (run.output.contains("problem") ? 1 : 0))
    let json = try JSONDocument(parsing: Array(home.market("test", "alpha", "-f", "json").output.utf8)).root
    #expect(json["key"]?.string == (asked.contains("/rights") ? "apiKey" : nil))
  }

  /// An account that needs more secrets than the others is tested for all of them, if they are stored.
  @Test(arguments: [
    (#""apiKey": "right", "secret": "aHVzaA==""#, ["/rights", "/balances"], "it can be read: 2 assets"),
    (
      #""apiKey": "right", "secret": "aHVzaA==", "passphrase": "p""#, ["/rights", "/futures"],
      "it can be read: 1 asset"
    ),
  ])
  func keyOfSeveralAccounts(_ stored: String, _ asked: [String], _ said: String) throws {
    let home = try home(
      storing: stored,
      headers: #""FKey": "{secret:apiKey}", "FSecret": "{secret:secret}", "Pass": "{secret:passphrase}""#)
    let run = try home.market("test", "alpha")
    #expect(run.code == 0 && run.output.contains("ok       account   \(said)\n"), "\(run.output)")
    #expect(home.server.received.filter { $0.method != "HEAD" }.map(\.target) == asked)
  }

  /// A key that only signs requests for wallets has neither rights nor an account to ask for, but a clock to agree with.
  @Test func keyOfWalletsAlone() throws {
    let home = try KeysHome { _ in nil }
    try home.write(
      #"""
      {"version": 1, "exchanges": {"Alpha": {
        "baseUrls": ["\#(home.server.url(""))"], "rows": "$[*]", "auth": {"headers": {"Key": "{secret:apiKey}"}},
        "symbol": {"path": "$.s", "split": "-"},
        "walletStatus": {"signed": true, "request": {"path": "/wallets"}, "rows": "$[*]", "asset": "$.a",
          "deposit": [{"path": "$.d", "equals": true}], "withdraw": [{"path": "$.w", "equals": true}]},
        "markets": {"spot": {"tickers": {"request": {"path": "/tickers"}, "fields": {"price": "$.p"}}}}}}}
      """#, "exchanges.json")
    try home.write(#"{"Alpha": {"apiKey": "k"}}"#, "credentials.json")
    #expect(try home.market("allow", "alpha", "--yes").code == 0)
    let run = try home.market("test", "alpha")
    #expect(run.output.contains("clock     it agrees with 127.0.0.1:\(home.server.port)"), "\(run.output)")
  }

  /// What is entered is what is tested: a good key beside it does not vouch for it.
  @Test func enteredKeyIsTested() throws {
    let home = try home(storing: #""apiKey": "k", "secret": "aHVzaA==""#)
    let run = try home.add("futuresApiKey", lines: ["wrong-key"])
    #expect(run.code == 1 && run.errorOutput == "error: not stored: the key has problems; --yes stores it anyway\n")
    #expect(home.server.received.filter { $0.method != "HEAD" }.map(\.target) == ["/futures"])
  }
}
