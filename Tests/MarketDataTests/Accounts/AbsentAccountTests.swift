import Mapping
import MarketData
import Quotes
import Testing

/// Accounts that an owner may not have, such as those of a unified one.
@Suite struct AbsentAccountTests {
  private static let config = """
    { "version": 1, "exchanges": { "alpha": {
      "baseUrls": ["https://alpha.test"], "rows": "$.rows[*]",
      "success": { "where": [{ "path": "$.code", "is": "absent" }], "code": "$.code", "message": ["$.msg"] },
      "balances": {
        "spot": { "signed": false, "request": { "path": "/spot" }, "rows": "$[*]", "asset": "$.a",
          "fields": { "free": "$.f" }, "absent": ["85"] },
        "unified": { "signed": false, "request": { "path": "/unified" }, "rows": "$[*]", "asset": "$.a",
          "fields": { "free": "$.f" }, "absent": ["84", "none"] } },
      "markets": { "spot": { "tickers": {
        "request": { "path": "/all" }, "symbol": { "path": "$.s", "split": "-" }, "fields": { "price": "$.p" } } } }
    } } }
    """

  private static let bitcoin = #"[{"a": "BTC", "f": "1"}]"#
  private static func refusal(_ code: String) -> String { #"{"code": "\#(code)", "msg": "no"}"# }

  /// An absent account is no failure if another one answers. All others are, and so are all if nothing answers.
  @Test(
    arguments: [
      (bitcoin, refusal("84"), ["spot BTC"], []), (refusal("85"), bitcoin, ["unified BTC"], []),
      (bitcoin, refusal("none"), ["spot BTC"], []), (bitcoin, bitcoin, ["spot BTC", "unified BTC"], []),
      ("[]", refusal("84"), [], []), (bitcoin, refusal("85"), ["spot BTC"], ["unified venue-error 85"]),
      (refusal("85"), refusal("84"), [], ["spot venue-error 85", "unified venue-error 84"]),
      (refusal("85"), refusal("86"), [], ["unified venue-error 86", "spot venue-error 85"]),
      (refusal("85"), "<html>", [], ["unified not-json", "spot venue-error 85"]),
    ] as [(String, String, [String], [String])])
  func absentAccountsAreNoFailures(
    _ spot: String, _ unified: String, _ assets: [String], _ failures: [String]
  ) async throws {
    let exchanges = try StubExchanges(config: Self.config)
    let report = await exchanges.client { _, url in
      .success((200, Array((url.hasSuffix("/spot") ? spot : unified).utf8)))
    }.balances(of: exchanges.exchanges[0])
    #expect(report.rows.map { "\($0.account) \($0.asset)" } == assets)
    #expect(report.failures.map { "\($0.account) \($0.failure.reason.code)" } == failures)
  }

  /// The only account of an exchange is empty if the owner has none.
  @Test(
    arguments: [
      (200, #"{"msg": "no accounts found of a1"}"#, 1, []), (404, #"{"msg": "no accounts found of a1"}"#, 1, []),
      (404, #"{"msg": "no such path"}"#, 0, ["venue-error: no such path"]), (404, "", 0, ["http-404: page not found"]),
    ] as [(Int, String, Int, [String])])
  func onlyAccountIsEmpty(_ status: Int, _ answer: String, _ answered: Int, _ failures: [String]) async throws {
    let exchanges = try StubExchanges(
      config: """
        { "version": 1, "exchanges": { "alpha": {
          "baseUrls": ["https://alpha.test"], "rows": "$.rows[*]",
          "success": { "where": [{ "path": "$.msg", "is": "absent" }], "message": ["$.msg"],
            "code": { "path": "$.msg", "capture": "(?<value>no accounts found).*" } },
          "balances": { "futures": { "signed": false, "request": { "path": "/b" }, "rows": "$[*]", "asset": "$.a",
            "fields": { "free": "$.f" }, "absent": ["no accounts found"] } },
          "markets": { "spot": { "tickers": {
            "request": { "path": "/all" }, "symbol": { "path": "$.s", "split": "-" }, "fields": { "price": "$.p" } } } }
        } } }
        """)
    let report = await exchanges.client { _, _ in .success((status, Array(answer.utf8))) }
      .balances(of: exchanges.exchanges[0])
    #expect(report.answered == answered)
    #expect(report.failures.map(\.failure.words) == failures)
  }

  /// The failure of one part is not that of an account whose other part is absent, if another account answers.
  @Test func absentPartsAreNotOfTheFailure() async throws {
    let config = """
      { "version": 1, "exchanges": { "alpha": {
        "baseUrls": ["https://alpha.test"], "rows": "$.rows[*]",
        "success": { "where": [{ "path": "$.code", "is": "absent" }], "code": "$.code" },
        "balances": {
          "spot": { "signed": false, "request": { "path": "/spot" }, "rows": "$[*]", "asset": "$.a",
            "fields": { "free": "$.f" } },
          "futures": { "signed": false, "rows": "$[*]", "asset": "$.a", "fields": { "free": "$.f" }, "absent": ["85"],
            "forEach": [{ "set": { "type": "linear" }, "request": { "path": "/linear" } },
              { "set": { "type": "inverse" }, "request": { "path": "/inverse" } }] } },
        "markets": { "spot": { "tickers": {
          "request": { "path": "/all" }, "symbol": { "path": "$.s", "split": "-" }, "fields": { "price": "$.p" } } } }
      } } }
      """
    let exchanges = try StubExchanges(config: config)
    let report = await exchanges.client { _, url in
      let body = url.hasSuffix("/spot") ? Self.bitcoin : Self.refusal(url.hasSuffix("/linear") ? "85" : "86")
      return .success((200, Array(body.utf8)))
    }.balances(of: exchanges.exchanges[0])
    #expect(
      report.failures.map { "\($0.account) \($0.part) \($0.failure.reason.code)" } == [
        "futures type=inverse venue-error 86"
      ])
  }

  private static func config(where condition: String, lookup: String = "") -> String {
    """
    { "version": 1, "exchanges": { "alpha": {
      "baseUrls": ["https://alpha.test"], "rows": "$.rows[*]",
      "balances": { "spot": { "signed": false, \(lookup) "rows": "$[*]", "where": \(condition), "asset": "$.a",
        "fields": { "free": "$.f" } } },
      "markets": { "spot": { "tickers": {
        "request": { "path": "/all" }, "symbol": { "path": "$.s", "split": "-" }, "fields": { "price": "$.p" } } } }
    } } }
    """
  }

  /// Accounts of a kind that the config does not know are not empty, nor are those whose rows have no asset.
  @Test(
    arguments: [
      (#"[{"a": "BTC", "f": "1", "t": "new"}]"#, [], ["no-answer rows-left-out"], 0),
      (#"[{"a": "BTC", "f": "1", "t": "new"}, {"a": "ETH", "f": "2", "t": "old"}]"#, ["ETH"], [], 1),
      (#"[{"coin": "BTC", "f": "1", "t": "old"}]"#, [], ["path-miss"], 0), ("[]", [], [], 1),
    ] as [(String, [String], [String], Int)])
  func unreadRowsAreReported(
    _ answer: String, _ assets: [String], _ failures: [String], _ answered: Int
  ) async throws {
    let condition = #"[{"path": "$.t", "equals": "old"}]"#
    let exchanges = try StubExchanges(
      config: Self.config(where: condition, lookup: #""request": { "path": "/b" },"#))
    let report = await exchanges.client { _, _ in .success((200, Array(answer.utf8))) }
      .balances(of: exchanges.exchanges[0])
    #expect(report.rows.map(\.asset) == assets)
    #expect(report.failures.map { $0.failure.reason.code } == failures)
    #expect(report.answered == answered)
  }

  private static func row(_ kind: String, _ free: String = "1") -> String {
    #"{"a": "BTC", "k": \#(kind), "f": "\#(free)"}"#
  }

  private static func block(_ name: String, _ path: String, _ conditions: String) -> String {
    #""\#(name)": {"signed": false, "request": {"path": "/\#(path)"}, "rows": "$[*]", "where": [\#(conditions)], "#
      + #""asset": "$.a", "fields": {"free": "$.f"}}"#
  }

  /// A row that no account of its answer takes is reported, unless it is zero or left out on purpose.
  @Test(
    arguments: [
      ([row(#""spot""#), row(#""margin""#)], ["spot", "margin"], [], []),
      ([row(#""spot""#), row(#""new""#), row(#""new""#), row("7")], ["spot"], ["new", "new", "7"], []),
      ([row(#""spot""#), row("null")], ["spot"], ["null"], []),
      ([row(#""spot""#), #"{"k": "new", "f": "0"}"#], ["spot"], ["new"], []),
      ([row(#""spot""#), row(#""new""#, "0.00")], ["spot"], [], []),
      // `notIn` names the one, and a test of another kind leaves out the other.
      ([row(#""spot""#), row(#""lent""#), row(#""spot_sum""#)], ["spot"], [], []),
      ([row(#""spot""#), row(#""new_sum""#)], ["spot"], ["new_sum"], []),
      ([row(#""new""#)], [], ["new"], ["no-answer rows-left-out"]),
      ([row(#""lent""#)], [], [], ["no-answer rows-left-out"]),
      // The account that takes such rows reads another answer.
      ([row(#""apart""#)], ["apart"], ["apart"], []),
    ] as [([String], [String], [String], [String])])
  func unknownKindsAreReported(
    _ rows: [String], _ accounts: [String], _ unknown: [String], _ failures: [String]
  ) async throws {
    let blocks = [
      Self.block("spot", "b", #"{"path": "$.k", "in": ["spot", "spot_sum"]}, {"path": "$.k", "match": "[a-z]+"}"#),
      Self.block("margin", "b", #"{"path": "$.k", "equals": "margin"}, {"path": "$.k", "notIn": ["lent"]}"#),
      Self.block("apart", "c", #"{"path": "$.k", "equals": "apart"}"#),
    ]
    let exchanges = try StubExchanges(
      config: """
        { "version": 1, "exchanges": { "alpha": {
          "baseUrls": ["https://alpha.test"], "rows": "$.rows[*]", "balances": { \(blocks.joined(separator: ", ")) },
          "markets": { "spot": { "tickers": {
            "request": { "path": "/all" }, "symbol": { "path": "$.s", "split": "-" }, "fields": { "price": "$.p" } } } }
        } } }
        """)
    let own = rows.filter { $0.contains("apart") }
    let report = await exchanges.client { _, url in
      .success((200, Array("[\((url.hasSuffix("/b") ? rows : own).joined(separator: ", "))]".utf8)))
    }.balances(of: exchanges.exchanges[0])
    #expect(report.rows.map(\.account) == accounts)
    #expect(report.unknownKinds == unknown)
    #expect(report.failures.map { $0.failure.reason.code } == failures)
  }

  /// Nor are they if the list of accounts has none that passes.
  @Test(
    arguments: [("spot", ["BTC"], []), ("SPOT", [], ["lookup-failed accounts: no row of it passes its conditions"])]
      as [(String, [String], [String])])
  func leftOutAccountsAreReported(_ kind: String, _ assets: [String], _ failures: [String]) async throws {
    let lookup = """
      "lookups": { "accounts": { "request": { "path": "/accounts" }, "rows": "$[*]",
        "where": [{"path": "$.t", "equals": "spot"}], "key": "$.id" } },
      "batch": { "of": "accounts", "max": 1 }, "request": { "path": "/b/{keys}" },
      """
    let exchanges = try StubExchanges(config: Self.config(where: "[]", lookup: lookup))
    let report = await exchanges.client { _, url in
      let isList = url.hasSuffix("/accounts")
      return .success((200, Array((isList ? #"[{"id": 7, "t": "\#(kind)"}]"# : Self.bitcoin).utf8)))
    }.balances(of: exchanges.exchanges[0])
    #expect(report.rows.map(\.asset) == assets)
    #expect(report.failures.map { "\($0.failure.words)" } == failures)
  }

  /// Those of a kind that no account of the config is are reported once, unless they are left out on purpose.
  @Test(
    arguments: [
      (["spot"], []), (["spot", "otc", "points"], ["otc"]), (["spot", "margin", "otc", "otc"], ["otc", "otc"]),
      (["margin"], []), (["margin", "otc"], ["otc"]),
    ] as [([String], [String])])
  func unknownAccountsOfAListAreReported(_ kinds: [String], _ unknown: [String]) async throws {
    let blocks = ["spot", "margin"].map { name in
      """
      "\(name)": {
        "signed": false, "request": { "path": "/b/{keys}" }, "rows": "$[*]", "asset": "$.a", "batch": { "of": "accounts", "max": 1 },
        "lookups": { "accounts": { "request": { "path": "/accounts" }, "rows": "$[*]", "key": "$.id",
          "where": [{"path": "$.t", "equals": "\(name)"}, {"path": "$.t", "notIn": ["points"]}] } },
        "forEach": [{ "set": { "part": "free" }, "fields": { "free": "$.f" } }, { "set": { "part": "locked" }, "fields": { "locked": "$.l" } }] }
      """
    }
    let exchanges = try StubExchanges(
      config: """
        { "version": 1, "exchanges": { "alpha": {
          "baseUrls": ["https://alpha.test"], "rows": "$.rows[*]", "balances": { \(blocks.joined(separator: ", ")) },
          "markets": { "spot": { "tickers": {
            "request": { "path": "/all" }, "symbol": { "path": "$.s", "split": "-" }, "fields": { "price": "$.p" } } } }
        } } }
        """)
    let list = kinds.enumerated().map { #"{"id": \#($0), "t": "\#($1)"}"# }.joined(separator: ", ")
    let report = await exchanges.client { _, url in
      let isList = url.hasSuffix("/accounts")
      return .success((200, Array((isList ? "[\(list)]" : #"[{"a": "BTC", "f": "1", "l": "0"}]"#).utf8)))
    }.balances(of: exchanges.exchanges[0])
    #expect(report.rows.map(\.account) == ["spot", "margin"].filter(kinds.contains))
    #expect(report.unknownKinds == unknown)
  }

  /// A lookup of the account's mode decides; without it, or in an unknown mode, the account fails.
  @Test(
    arguments: [
      (#""apart""#, ["BTC"], []), (#""unified""#, [], []),
      (
        #""new""#, [],
        [
          "lookup-failed mode: the response does not meet the success conditions; $: expected one of 'apart', 'unified', found 'new'"
        ]
      ),
      (#"{"error": "no"}"#, [], ["lookup-failed mode: no"]),
      (
        "[]", [],
        [
          "lookup-failed mode: the response does not meet the success conditions; $: expected one of 'apart', 'unified', found an array"
        ]
      ),
    ] as [(String, [String], [String])])
  func modeDecides(_ mode: String, _ assets: [String], _ failures: [String]) async throws {
    let lookup = """
      "lookups": { "mode": { "request": { "path": "/mode" }, "rows": "$", "key": "all", "match": "all", "ttl": "0s",
        "success": { "where": [{ "path": "$", "in": ["apart", "unified"] }], "message": ["$.error"] } } },
      "request": { "path": "/b" },
      """
    let condition = #"[{"from": "mode", "path": "$", "notIn": ["unified"]}]"#
    let exchanges = try StubExchanges(config: Self.config(where: condition, lookup: lookup))
    let report = await exchanges.client { _, url in
      .success((200, Array((url.hasSuffix("/mode") ? mode : Self.bitcoin).utf8)))
    }.balances(of: exchanges.exchanges[0])
    #expect(report.rows.map(\.asset) == assets)
    #expect(report.failures.map { "\($0.failure.words)" } == failures)
  }
}
