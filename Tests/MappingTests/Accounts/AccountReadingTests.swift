import Config
import HTTP
import JSON
import Mapping
import Quotes
import TestSupport
import Testing

/// Balances, wallets and permissions read from made-up responses by blocks as in a config.
@Suite struct AccountReadingTests {
  // MARK: Balances

  struct BalanceCase: CustomTestStringConvertible {
    let testDescription: String
    /// The members of the account's block.
    let block: String
    /// The responses for its parts; just one if it applies to all.
    let answers: [String]
    let rows: [String]
  }

  private static let nested = #""rows": "$.wallets[*].coins[*]", "asset": "$.a", "fields": { "total": "$.t" }"#

  static let balanceCases: [BalanceCase] = [
    BalanceCase(
      testDescription: "names as keys, and a path with the asset in it",
      block: #"""
        "rows": "$.*", "where": [{ "from": "key", "match": "[a-z0-9]+" }, { "from": "key", "notIn": ["success"] }],
        "asset": { "from": "key" },
        "fields": { "free": "$", "locked": { "from": "response", "path": "$['{asset}_reserved']" } }
        """#,
      answers: [
        #"""
        { "success": true, "jpy": "0.8401", "btc": "7.75052654", "jpy_reserved": "3000.0", "btc_reserved": "3.5002",
          "btc_lent": "1.2", "xem": "0.0", "xem_reserved": "0.0" }
        """#
      ],
      rows: ["spot JPY 0.8401 3000.0 3000.8401", "spot BTC 7.75052654 3.5002 11.25072654"]),
    BalanceCase(
      testDescription: "two of three give the third; three stay as they are",
      block: #""rows": "$[*]", "asset": "$.a", "fields": { "free": "$.f", "locked": "$.l", "total": "$.t" }"#,
      answers: [
        #"""
        [{ "a": "a", "f": 1, "l": 2 }, { "a": "b", "f": 1, "t": 5 }, { "a": "c", "l": 1, "t": 5 },
         { "a": "d", "f": 1, "l": 1, "t": 9 }, { "a": "e", "f": 1 }, { "a": "f", "t": 3 }, { "a": "g", "f": 6, "t": 5 },
         { "a": "h", "l": 6, "t": 5 }, { "a": "i", "l": 5, "t": 5 }, { "a": "j", "l": 1, "t": -5 }]
        """#
      ],
      rows: [
        "spot A 1 2 3", "spot B 1 4 5", "spot C 4 1 5", "spot D 1 1 9", "spot E 1 path-miss path-miss",
        "spot F path-miss path-miss 3", "spot G 6 contradictory 5",
        "spot H contradictory 6 5", "spot I 0 5 5", "spot J -6 1 -5",
      ]),
    BalanceCase(
      testDescription: "rows of an asset are added, and a missing member makes the sum missing",
      block: #""rows": "$[*]", "asset": "$.a", "fields": { "free": "$.f", "locked": "$.l" }"#,
      answers: [
        #"[{ "a": "x", "f": "1.5", "l": "1" }, { "a": "X", "f": "0.25", "l": "2" }, { "a": "y", "f": 1, "l": 1 }, { "a": "y", "f": 1 }]"#
      ],
      rows: ["spot X 1.75 3 4.75", "spot Y 2 path-miss path-miss"]),
    BalanceCase(
      testDescription: "a contradiction in one row is one in the sum",
      block: #""rows": "$[*]", "asset": "$.a", "fields": { "free": "$.f", "locked": "$.l", "total": "$.t" }"#,
      answers: [
        #"""
        [{ "a": "x", "l": 6, "t": 5 }, { "a": "x", "l": 0, "t": 50 }, { "a": "y", "f": 6, "t": 5 }, { "a": "y", "f": 1, "t": 50 }]
        """#
      ],
      rows: ["spot X contradictory 6 55", "spot Y 7 contradictory 55"]),
    BalanceCase(
      testDescription: "halves of a row in two parts",
      block: #"""
        "rows": "$[*]", "asset": "$.a", "forEach": [
          { "set": { "type": "trade" }, "where": [{ "path": "$.k", "equals": "trade" }], "fields": { "free": "$.b" } },
          { "set": { "type": "frozen" }, "where": [{ "path": "$.k", "equals": "frozen" }], "fields": { "locked": "$.b" } }]
        """#,
      answers: [
        #"[{ "a": "x", "k": "trade", "b": "5" }, { "a": "x", "k": "frozen", "b": "2" }, { "a": "z", "k": "trade", "b": "0" }, { "a": "z", "k": "frozen", "b": "0" }]"#
      ],
      rows: ["spot X 5 2 7"]),
    BalanceCase(
      testDescription: "one member alone, names of the exchange, and a multiplied one",
      block: #"""
        "rows": "$[*]", "asset": "$.a", "fields": { "total": "$.t" }, "aliases": { "XXBT": "BTC" }, "multiplier": { "1000": 1000 }
        """#,
      answers: [
        #"[{ "a": "XXBT", "t": "0.1" }, { "a": "1000PEPE", "t": "2.5" }, { "a": "ETH", "t": "0.00" }, { "t": 1 }]"#
      ],
      rows: ["spot BTC not-offered not-offered 0.1", "spot PEPE not-offered not-offered 2500.0", "1 without a name"]),
    BalanceCase(
      testDescription: "an account without rows is empty",
      block: #""rows": "$.list[*]", "asset": "$.a", "fields": { "total": "$.t" }"#, answers: [#"{ "list": [] }"#],
      rows: []),
    BalanceCase(
      testDescription: "wallets without coins are empty", block: nested,
      answers: [#"{ "wallets": [{ "coins": [] }, { "coins": {} }] }"#], rows: []),
    BalanceCase(
      testDescription: "no wallet is empty", block: nested, answers: [#"{ "wallets": [] }"#], rows: []),
    BalanceCase(
      testDescription: "a wallet whose list has another name", block: nested,
      answers: [#"{ "wallets": [{ "coins": [{ "a": "x", "t": 1 }] }, { "coin": [{ "a": "y", "t": 2 }] }] }"#],
      rows: ["path-miss: the path of the rows leads to nothing"]),
    BalanceCase(
      testDescription: "a wallet whose list is null", block: nested, answers: [#"{ "wallets": [{ "coins": null }] }"#],
      rows: ["path-miss: the path of the rows leads to null"]),
    BalanceCase(
      testDescription: "wallets under another name", block: nested, answers: [#"{ "accounts": [{ "coins": [] }] }"#],
      rows: ["path-miss: the path of the rows leads to nothing"]),
    BalanceCase(
      testDescription: "a refusal by the exchange",
      block: #"""
        "rows": "$.list[*]", "asset": "$.a", "fields": { "total": "$.t" },
        "success": { "where": [{ "path": "$.code", "equals": 0 }], "code": "$.code", "message": ["$.msg"] }
        """#, answers: [#"{ "code": -2014, "msg": "API-key format invalid." }"#],
      rows: ["venue-error -2014: API-key format invalid."]),
  ]

  @Test(arguments: balanceCases, [false, true]) func balances(_ test: BalanceCase, usesScan: Bool) throws {
    let account = try AccountConfig.account(#""balances": { "spot": { "request": { "path": "/x" }, \#(test.block) } }"#)
    let parts = try #require(account.balances.first).parts
    var rows: [Balance] = []
    var lines: [String] = []
    var incomplete = 0
    for (index, part) in parts.enumerated() {
      let plan = BalancePlan(part.table, account: "spot", usesScan: usesScan)
      let answer = HTTPResponse(body: Array(test.answers[min(index, test.answers.count - 1)].utf8))
      do throws(AnswerFailure) {
        let read = try plan.rows(in: answer, ReadingContext(AccountConfig.request))
        rows += read.rows
        incomplete += read.incomplete
      } catch {
        lines.append("\(error.reason.code): \(error.message ?? "")")
      }
    }
    func text(_ cell: Cell) -> String { cell.value?.description ?? cell.missing?.code ?? "" }
    lines += Balance.merged(rows).map {
      "\($0.account) \($0.asset) \(text($0.free)) \(text($0.locked)) \(text($0.total))"
    }
    if incomplete > 0 { lines.append("\(incomplete) without a name") }
    #expect(lines == test.rows)
  }

  /// A key is what no other one contains; the one with permissions comes first.
  @Test(arguments: [
    (["a b"], "a b", ["a b + 0"]), (["a b", "b a"], "", ["a b 0 1"]), (["a b", "c d"], "", ["a b 0", "c d 1"]),
    (["c d", "a b"], "a b", ["a b + 1", "c d 0"]), (["a", "a b c", "b"], "", ["a b c 0 1 2"]),
    (["a b c"], "a b", ["a b c + 0"]), (["c d", "a b c"], "a", ["a b c + 1", "c d 0"]),
    (["a"], "a b", ["a b + 0"]), ([], "a b", ["a b +"]), (["a b", "a c"], "", ["a b 0", "a c 1"]),
  ])
  func keys(_ accounts: [String], _ permissions: String, _ keys: [String]) throws {
    func block(_ names: String) -> String {
      let headers = names.split(separator: " ").map { #""\#($0)": "{secret:\#($0)}""# }.joined(separator: ", ")
      return #""request": { "path": "/x" }, "auth": { "headers": { \#(headers) }, "vectors": [] }"#
    }
    var members: [String] = []
    if !accounts.isEmpty {
      let rows = #""rows": "$[*]", "asset": "$.a", "fields": { "total": "$.t" }"#
      let blocks = accounts.enumerated().map { #""\#($0)": { \#(block($1)), \#(rows) }"# }
      members.append(#""balances": { \#(blocks.joined(separator: ", ")) }"#)
    }
    if !permissions.isEmpty {
      members.append(#""permissions": { \#(block(permissions)), "trade": [{ "path": "$.t", "equals": 1 }] }"#)
    }
    let account = try AccountConfig.account(members.joined(separator: ", "))
    #expect(
      account.keys.map { key in
        (key.secretNames.sorted() + (key.hasPermissions ? ["+"] : []) + key.accounts.map(\.account))
          .joined(separator: " ")
      } == keys)
  }

  // MARK: Wallets

  static let walletCases: [(block: String, answer: String, rows: [String])] = [
    (
      #"""
      "rows": "$[*]", "asset": "$.coin", "networks": "$.chains[*]", "network": "$.name",
      "deposit": [{ "path": "$.in", "equals": 1 }], "withdraw": [{ "path": "$.out", "equals": 1 }], "message": "$.why"
      """#,
      #"""
      [{ "coin": "USDT", "chains": [{ "name": "ETH", "in": 1, "out": 1 }, { "name": "TRX", "in": 0, "out": 1, "why": "upgrade" }] },
       { "coin": "XRP", "chains": [{ "name": "XRP", "in": 1 }] }, { "coin": "EUR", "in": 0, "out": 1 }]
      """#,
      ["USDT ETH open open -", "USDT TRX closed open upgrade", "XRP XRP open unknown -", "EUR - closed open -"]
    ),
    (
      // Conditions of the row around the network; a failing one takes precedence over an unknown one.
      #"""
      "rows": "$[*]", "asset": "$.coin", "networks": "$.chains[*]", "network": { "join": [{ "from": "row", "path": "$.coin" }, "$.name"], "with": "-" },
      "deposit": [{ "from": "row", "path": "$.listed", "equals": true }, { "path": "$.in", "equals": true }],
      "withdraw": [{ "path": "$.state", "in": ["ok", "out"] }, { "path": "$.block", "notIn": ["stuck"] }],
      "message": ["$.why", "$.note"]
      """#,
      #"""
      [{ "coin": "A", "listed": true, "chains": [{ "name": "x", "in": true, "state": "ok", "block": "fine", "why": "", "note": "n" }] },
       { "coin": "B", "listed": false, "chains": [{ "name": "x", "state": "shut" }] },
       { "coin": "C", "chains": [{ "name": "x", "in": null, "state": "ok" }] }]
      """#,
      ["A A-x open open n", "B B-x closed closed -", "C C-x unknown unknown -"]
    ),
    (
      // Rows with one network instead of a list, and values that are absent on purpose.
      #"""
      "rows": "$.data[*]", "asset": "$.c", "network": "$.net", "deposit": [{ "path": "$.off", "is": "absent" }],
      "withdraw": [{ "path": "$.off", "is": "absent" }, { "path": "$.paused", "equals": null }]
      """#,
      #"{ "data": [{ "c": "BTC", "net": "BTC" }, { "c": "BTC", "net": "LN", "off": true }] }"#,
      ["BTC BTC open open -", "BTC LN closed closed -"]
    ),
    (
      // A word for neither state says nothing.
      #"""
      "rows": "$[*]", "asset": "$.c", "deposit": [{ "path": "$.s", "open": ["on", "slow"], "closed": "off" }],
      "withdraw": [{ "path": "$.s", "open": "on", "closed": ["off", "slow"] }]
      """#,
      #"[{ "c": "A", "s": "on" }, { "c": "B", "s": "slow" }, { "c": "C", "s": "off" }, { "c": "D", "s": "offline" }, { "c": "E", "s": null }]"#,
      ["A - open open -", "B - open closed -", "C - closed closed -", "D - unknown unknown -", "E - unknown unknown -"]
    ),
    (
      // Nothing is a value like others if it is listed; several values and lists are none.
      #"""
      "rows": "$[*]", "asset": "$.c", "deposit": [{ "path": "$.s", "open": ["on", null], "closed": 0 }],
      "withdraw": [{ "path": "$.s", "open": "on", "closed": [null, 0] }, { "path": "$.w", "equals": 1 }]
      """#,
      #"""
      [{ "c": "A", "w": 1 }, { "c": "B", "s": null, "w": 0 }, { "c": "C", "s": 0, "w": 1 }, { "c": "D", "s": ["on"], "w": 1 },
       { "c": "E", "s": {}, "w": 0 }, { "c": "F", "s": "on", "w": 1 }]
      """#,
      [
        "A - open closed -", "B - open closed -", "C - closed closed -", "D - unknown unknown -",
        "E - unknown closed -", "F - open open -",
      ]
    ),
  ]

  @Test(arguments: walletCases.indices) func wallets(_ index: Int) throws {
    let test = Self.walletCases[index]
    let account = try AccountConfig.account(#""walletStatus": { "request": { "path": "/x" }, \#(test.block) }"#)
    let plan = WalletPlan(try #require(account.wallets.first))
    let read = try plan.wallets(
      in: HTTPResponse(body: Array(test.answer.utf8)), ReadingContext(AccountConfig.request))
    #expect(
      read.rows.map { "\($0.asset) \($0.network ?? "-") \($0.deposit) \($0.withdraw) \($0.message ?? "-")" }
        == test.rows)
  }

  @Test(
    arguments: [
      (#""open": "on", "closed": "off""#, []), (#""open": ["on", 1, null], "closed": [false]"#, []),
      (#""open": "on""#, ["MKT011 missing key 'closed' in this condition"]),
      (#""closed": "off""#, ["MKT011 missing key 'open' in this condition"]),
      (#""open": ["on", 1], "closed": ["off", "1"]"#, ["MKT023 '1' means both 'open' and 'closed'"]),
      (
        #""open": "on", "closed": "off", "equals": "on""#,
        ["MKT023 'equals', 'open' and 'closed' cannot be combined; keep one of them"]
      ),
      (#""open": [], "closed": "off""#, ["MKT010 expected at least one value, found an array"]),
      (
        #""missing": []"#,
        [
          "MKT011 missing key 'equals', 'in', 'notIn', 'prefix', 'suffix', 'match', 'above', 'is', 'open' or 'closed' "
            + "in this condition"
        ]
      ),
    ] as [(String, [String])])
  func findingsOfStates(_ states: String, _ expected: [String]) throws {
    let states = #""deposit": [{ "path": "$.s", \#(states) }], "withdraw": [{ "path": "$.w", "equals": 1 }]"#
    let (_, findings) = try AccountConfig.read(
      #""walletStatus": { "request": { "path": "/x" }, "rows": "$[*]", "asset": "$.c", \#(states) }"#)
    let errors = findings.filter { $0.severity == .error }
    #expect(errors.map { "\($0.code.rawValue) \($0.message)" } == expected)
  }

  /// Only a wallet has such states.
  @Test func statesOfRows() throws {
    let block = #""rows": "$[*]", "where": [{ "path": "$.s", "open": "on", "closed": "off" }], "asset": "$.c""#
    let (_, findings) = try AccountConfig.read(
      #"\#(AccountConfig.auth), "balances": { "spot": { "request": { "path": "/x" }, \#(block), "fields": { "total": "$.t" } } }"#
    )
    let unknown = findings.filter { $0.code == .unknownKey }
    #expect(unknown.map(\.message) == ["unknown key 'open'", "unknown key 'closed'"])
  }

  // MARK: Permissions

  private static let words =
    #""rights": "$.r", "trade": ["spot|futures"], "withdraw": ["out", { "path": "$.w", "equals": 1 }], "neither": ["read.*"]"#

  private static let wordsWithBlanks =
    #""rights": "$.r", "trade": ["Spot Trade"], "withdraw": ["Out"], "neither": ["Read"]"#

  private static let wordsOfSome = #"""
    "rights": "$.r[?@.on == true].name", "trade": [[{ "path": "$.ro", "equals": false }, "spot"]], "withdraw": ["out"]
    """#

  private static let ending = #"""
    "trade": [{ "path": "$.p", "equals": 1 }], "withdraw": [{ "path": "$.p", "equals": 1 }],
    "expires": { "path": "$.until", "unit": "s", "missing": ["never"] }
    """#

  static let permissionCases: [(block: String, answer: String, result: String)] = [
    (
      #""trade": [{ "path": "$.spot", "equals": true }, { "path": "$.futures", "equals": true }], "withdraw": [{ "path": "$.out", "equals": true }]"#,
      #"{ "spot": false, "futures": true, "out": false }"#, "yes no"
    ),
    (
      #""trade": [{ "path": "$.spot", "equals": true }], "withdraw": [{ "path": "$.out", "equals": true }]"#, "{}",
      "unknown unknown"
    ),
    (
      #"""
      "success": { "where": [{ "path": "$..perms", "is": "present" }] },
      "trade": [{ "path": "$..perms[?@.name == 'spot' && @.only == false]", "is": "present" }],
      "withdraw": [[{ "path": "$.readOnly", "equals": 0 }, { "path": "$..perms[?@.name == 'wallet']", "is": "present" }]]
      """#, #"{ "readOnly": 1, "keys": [{ "perms": [{ "name": "spot", "only": true }, { "name": "wallet" }] }] }"#,
      "no no"
    ),
    (
      #""trade": [{ "path": "$.p", "match": ".*trade.*" }], "expires": { "path": "$.until", "unit": "s" }"#,
      #"{ "p": "read,trade", "until": 1700000000 }"#, "yes unknown 2023-11-14T22:13:20Z"
    ),
    // Words: one that nothing in the config knows may mean anything.
    (Self.words, #"{ "r": ["read", "spot"], "w": 0 }"#, "yes no"),
    (Self.words, #"{ "r": "reading, out", "w": 0 }"#, "no yes"),
    (Self.words, #"{ "r": ["read", "spotty"], "w": 0 }"#, "unknown unknown"),
    (Self.words, #"{ "r": ["new", "futures"], "w": 0 }"#, "yes unknown"),
    (Self.words, #"{ "r": ["new"], "w": 1 }"#, "unknown yes"), (Self.words, #"{ "r": [], "w": 0 }"#, "no no"),
    (Self.words, #"{ "r": ["read"] }"#, "no unknown"), (Self.words, #"{ "w": 0 }"#, "unknown unknown"),
    (Self.words, #"{ "r": null, "w": 0 }"#, "unknown unknown"),
    (Self.words, #"{ "r": "", "w": 0 }"#, "unknown unknown"),
    // Words of several words.
    (Self.wordsWithBlanks, #"{ "r": ["Read", "Spot Trade"] }"#, "yes no"),
    (Self.wordsWithBlanks, #"{ "r": ["Read, Spot Trade"] }"#, "unknown unknown"),
    (Self.wordsWithBlanks, #"{ "r": "Read, Spot Trade" }"#, "yes no"),
    (Self.wordsWithBlanks, #"{ "r": "Read;Out" }"#, "unknown unknown"),
    (Self.words, #"{ "r": [["read"]], "w": 0 }"#, "unknown unknown"),
    (Self.words, #"{ "r": { "spot": true }, "w": 0 }"#, "unknown unknown"),
    (Self.wordsOfSome, #"{ "ro": true, "r": [{ "name": "new", "on": true }] }"#, "no unknown"),
    (Self.wordsOfSome, #"{ "ro": false, "r": [{ "name": "spot", "on": false }] }"#, "no no"),
    (Self.wordsOfSome, #"{ "ro": false, "r": [{ "name": "spot", "on": true }] }"#, "yes no"),
    // A present value that is not a time does not mean a key without expiry; absence, null and an empty text do.
    (Self.ending, #"{ "p": 0, "until": "soon" }"#, "no no unreadable"),
    (Self.ending, #"{ "p": 0, "until": 99999999999999 }"#, "no no unreadable"),
    (Self.ending, #"{ "p": 0 }"#, "no no"), (Self.ending, #"{ "p": 0, "until": null }"#, "no no"),
    (Self.ending, #"{ "p": 0, "until": "" }"#, "no no"), (Self.ending, #"{ "p": 0, "until": "never" }"#, "no no"),
  ]

  /// The content of `addresses` and the resulting origins.
  static let addressCases: [(answer: String, result: KeyPermissions.Origins?)] = [
    (#"{ "ips": ["1.2.3.4", "2001:db8::/32"] }"#, .bound(["1.2.3.4", "2001:db8::/32"])),
    (#"{ "ips": "1.2.3.4, 5.6.7.8" }"#, .bound(["1.2.3.4", "5.6.7.8"])), (#"{ "ips": true }"#, .bound([])),
    (#"{ "ips": false }"#, .anywhere), (#"{ "ips": [] }"#, .anywhere), (#"{ "ips": "" }"#, .anywhere),
    (#"{ "ips": ["*"] }"#, .anywhere), (#"{ "ips": ["1.2.3.4", "0.0.0.0/0"] }"#, .anywhere), ("{}", nil),
    (#"{ "ips": null }"#, nil), (#"{ "ips": 7 }"#, nil), (#"{ "ips": { "a": 1 } }"#, nil),
  ]

  @Test(arguments: addressCases.indices) func addresses(_ index: Int) throws {
    let test = Self.addressCases[index]
    let block = #""trade": [{ "path": "$.t", "equals": 1 }], "addresses": "$.ips""#
    let account = try AccountConfig.account(#""permissions": { "request": { "path": "/x" }, \#(block) }"#)
    let read = try PermissionPlan(try #require(account.permissions.first)).permissions(
      in: HTTPResponse(body: Array(test.answer.utf8)), ReadingContext(AccountConfig.request))
    #expect(read.origins == test.result)
  }

  @Test(arguments: [
    (#""trade": ["spot"]"#, ["MKT011 missing key 'rights' in 'permissions', which a word needs"]),
    (
      #""rights": "$.r", "trade": [{ "path": "$.t", "equals": 1 }]"#,
      ["MKT011 missing a word in 'trade' or 'withdraw' in 'permissions'"]
    ),
    (
      #""rights": "$.r", "trade": ["spot"], "withdraw": [[]]"#,
      ["MKT010 expected at least one condition, found an array"]
    ),
    (#""rights": "$.r", "trade": ["spot"]"#, []),
  ])
  func findingsOfRights(_ block: String, _ expected: [String]) throws {
    let (_, findings) = try AccountConfig.read(
      #"\#(AccountConfig.auth), "permissions": { "request": { "path": "/x" }, \#(block) }"#)
    let errors = findings.filter { $0.severity == .error }
    #expect(errors.map { "\($0.code.rawValue) \($0.message)" } == expected)
  }

  @Test(arguments: permissionCases.indices) func permissions(_ index: Int) throws {
    let test = Self.permissionCases[index]
    let account = try AccountConfig.account(#""permissions": { "request": { "path": "/x" }, \#(test.block) }"#)
    let plan = PermissionPlan(try #require(account.permissions.first))
    let read = try plan.permissions(
      in: HTTPResponse(body: Array(test.answer.utf8)), ReadingContext(AccountConfig.request))
    let words = [read.trade.rawValue, read.withdraw.rawValue, read.expires?.text].compactMap(\.self)
    #expect(words.joined(separator: " ") == test.result)
  }
}

extension KeyPermissions.End {
  /// The time, or `unreadable` if it is not one.
  var text: String {
    switch self {
    case .at(let end): end.iso8601
    case .unreadable: "unreadable"
    }
  }
}

/// A config with one exchange that has an account.
enum AccountConfig {
  static let request = RequestContext(now: Instant(nanoseconds: 1_709_220_600_000_000_000))

  static let auth = #"""
    "auth": { "headers": { "X-KEY": "{secret:apiKey}" }, "vectors": [] }
    """#

  /// - Parameter members: the exchange's members; `auth` is added if missing.
  static func account(_ members: String) throws -> AccountSpec {
    let own = members.contains("\"auth\"") ? members : auth + ", " + members
    let (account, findings) = try read(own)
    #expect(findings.filter { $0.severity == .error }.map(\.message) == [])
    return try #require(account)
  }

  static func read(_ members: String) throws -> (AccountSpec?, [Finding]) {
    let text = """
      {"version": 1, "exchanges": {"Exchange": {
        "baseUrls": ["https://exchange.test"], \(members),
        "markets": {"spot": {"tickers": {"request": {"path": "/tickers"}, "rows": "$[*]",
          "symbol": {"path": "$.s", "split": "-"}, "fields": {"price": "$.p"}}}}}}}
      """
    let file = try ConfigFile(name: "config", bytes: Array(text.utf8))
    let configuration = try Configuration(file) { () throws(ConfigSyntaxError) in file }
    let (exchange, findings) = configuration.read(configuration.exchanges[0])
    return (exchange?.account, findings)
  }
}
