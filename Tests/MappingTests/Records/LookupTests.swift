import Config
import Mapping
import Quotes
import Testing

/// Lookup tables by key, and what a row finds there.
@Suite struct LookupTests {
  static func lookup(_ members: String) -> String {
    #""lookups": {"c": {"request": {"path": "/c"}, \#(members)}}"#
  }

  static let volume = #""fields": {"volume24": {"product": ["$.n", {"path": "$.size", "from": "c"}]}}"#
  static let row = #"[{"s": "A-B", "n": 3, "id": "a"}]"#

  static let all = [
    AnswerCase(
      "the key is looked for in the row, too", lookup(#""rows": "$[*]", "key": "$.s""#) + ", \(volume)", row,
      ["A/B 0.3"],
      lookups: ["c": #"[{"s": "A-B", "size": "0.1"}]"#]),
    AnswerCase(
      "match", lookup(#""rows": "$.*", "key": {"from": "key"}, "match": "$.id""#) + ", \(volume)", row, ["A/B 6"],
      lookups: ["c": #"{"a": {"size": 2}}"#]),
    AnswerCase(
      "the keys of a filter", lookup(#""rows": "$[?@.size]", "key": {"from": "key"}, "match": "$.id""#) + ", \(volume)",
      row,
      ["A/B 6"], lookups: ["c": #"{"b": {}, "a": {"size": 2}}"#]),
    AnswerCase(
      "zipped rows",
      lookup(#""rows": {"zip": ["$.ids", "$.sizes"]}, "key": "$[0]", "match": "$.id""#)
        + #", "fields": {"volume24": {"path": "$[1]", "from": "c"}}"#, row, ["A/B 4"],
      lookups: ["c": #"{"ids": ["b", "a"], "sizes": [2, 4]}"#]),
    AnswerCase(
      "where, and a key out of parts",
      lookup(
        #""rows": "$[*]", "key": {"join": ["$.a", "$.b"], "with": "-"}, "match": "$.s", "where": [{"path": "$.n", "scale": 2, "above": 3}]"#
      ) + ", \(volume)", row, ["A/B 6"],
      lookups: ["c": #"[{"a": "A", "b": "B", "n": 1, "size": 5}, {"a": "A", "b": "B", "n": 2, "size": 2}]"#]),
    AnswerCase(
      "from the lookup's response",
      lookup(
        #""rows": "$.list[*]", "key": "$.s", "where": [{"path": "$.only", "from": "response", "equals": "x"}]"#)
        + ", \(volume)", row, ["A/B 6"], lookups: ["c": #"{"only": "x", "list": [{"s": "A-B", "size": 2}]}"#]),
    AnswerCase(
      "one row", lookup(#""rows": "$", "key": "$.s""#) + ", \(volume)", row, ["A/B 6"],
      lookups: ["c": #"{"s": "A-B", "size": 2}"#]),
    AnswerCase(
      "one value",
      lookup(#""rows": "$", "key": "all", "match": "all""#)
        + #", "fields": {"volume24": {"product": ["$.n", {"path": "$", "from": "c"}]}}"#, row, ["A/B 6"],
      lookups: ["c": "2"]),
    AnswerCase(
      "a key that is not there", lookup(#""rows": "$[*]", "key": "$.s""#) + ", \(volume)", row, ["A/B lookup-miss"],
      lookups: ["c": #"[{"s": "A-C", "size": 2}]"#]),
    AnswerCase(
      "a symbol that is not there is named by what was looked for",
      lookup(#""rows": "$[*]", "key": "$.id", "match": "$.m""#)
        + #", "symbol": {"from": "c", "path": "$.pair", "split": "-"}, "fields": {"price": "$.p"}"#,
      #"[{"m": "a", "p": 1}, {"m": "b", "p": 2}]"#, ["A/B 1", "not split: b"],
      lookups: ["c": #"[{"id": "a", "pair": "A-B"}]"#]),
    AnswerCase(
      "a key twice", lookup(#""rows": "$[*]", "key": "$.s""#) + ", \(volume)", row, ["A/B lookup-ambiguous"],
      lookups: ["c": #"[{"s": "A-B", "size": 2}, {"s": "A-B", "size": 2}]"#]),
    AnswerCase(
      "nothing at the end of the path", lookup(#""rows": "$[*]", "key": "$.s""#) + ", \(volume)", row,
      ["A/B path-miss"],
      lookups: ["c": #"[{"s": "A-B"}]"#]),
    // The rows stay, and the cells say why.
    AnswerCase(
      "in vain", lookup(#""rows": "$[*]", "key": "$.s""#) + ", \(volume)", row, ["A/B lookup-failed c"]),
    AnswerCase(
      "an answer without its rows", lookup(#""rows": "$.data[*]", "key": "$.s""#) + ", \(volume)", row,
      ["A/B lookup-failed c"], lookups: ["c": "{}"]),
    AnswerCase(
      "an answer without content", lookup(#""rows": "$", "key": "$.s""#) + ", \(volume)", row,
      ["A/B lookup-failed c"], lookups: ["c": "{ }"]),
    AnswerCase(
      "an answer without keys", lookup(#""rows": "$[*]", "key": "$.s""#) + ", \(volume)", row,
      ["A/B lookup-failed c"], lookups: ["c": #"[{"t": "A-B", "size": 2}]"#]),
    AnswerCase(
      "an error for an answer",
      lookup(#""rows": "$[*]", "key": "$.s", "success": {"where": [{"path": "$", "is": "array"}]}"#) + ", \(volume)",
      row,
      ["A/B lookup-failed c"], lookups: ["c": #"{"error": 1}"#]),
    // Without a lookup that its rows depend on, a table would be wrong: dead pairs would come back.
    AnswerCase(
      "needed by where",
      lookup(#""rows": "$[*]", "key": "$.s""#)
        + #", "fields": {"price": "$.n"}, "where": [{"path": "$.on", "from": "c", "equals": 1}]"#,
      row, ["failed: lookup-failed c (timeout)"]),
    AnswerCase(
      "dropped by where",
      lookup(#""rows": "$[*]", "key": "$.s""#)
        + #", "fields": {"price": "$.n"}, "where": [{"path": "$.on", "from": "c", "equals": 1}]"#,
      #"[{"s": "A-B", "n": 1}, {"s": "C-D", "n": 2}, {"s": "E-F", "n": 3}]"#, ["C/D 2", "dropped: 2 where"],
      lookups: ["c": #"[{"s": "A-B", "on": 0}, {"s": "C-D", "on": 1}]"#]),
    AnswerCase(
      "needed by the symbol",
      lookup(#""rows": "$[*]", "key": "$.id""#)
        + #", "fields": {"price": "$.n"}, "symbol": {"asset": {"path": "$.base", "from": "c"}, "payment": "USD"}"#,
      row, ["failed: lookup-failed c (timeout)"]),
    AnswerCase(
      "the symbol from a lookup",
      lookup(#""rows": "$[*]", "key": "$.id""#)
        + #", "fields": {"price": "$.n"}, "symbol": {"asset": {"path": "$.base", "from": "c"}, "payment": "USD"}"#,
      row, ["BTC/USD 3"], lookups: ["c": #"[{"id": "a", "base": "btc"}]"#]),
    AnswerCase(
      "needed by batch",
      lookup(#""rows": "$[*]", "key": "$.id""#) + #", "batch": {"of": "c"}, "fields": {"price": "$.n"}"#, row,
      ["failed: lookup-failed c (timeout)"]),
    AnswerCase(
      "an error of the exchange says more than a lookup's",
      lookup(#""rows": "$[*]", "key": "$.s""#)
        + #", "fields": {"price": "$.n"}, "where": [{"path": "$.on", "from": "c", "equals": 1}], "success": {"where": [{"path": "$", "is": "array"}], "code": "$.code"}"#,
      #"{"code": 7}"#,
      [
        "failed: venue-error 7 (the response does not meet the success conditions; $: expected an array, found an "
          + "object)"
      ]),
  ]

  /// A lookup without its own request reads the row's own response; its match may come from another lookup.
  static let own = [
    AnswerCase(
      "the row's own response",
      #""rows": "$.rows[*]", "lookups": {"c": {"rows": "$.tokens[*]", "key": "$.i", "match": "$.t"}}, "symbol": {"asset": {"path": "$.name", "from": "c"}, "payment": "USD"}, "fields": {"price": "$.p"}"#,
      #"{"tokens": [{"i": 0, "name": "USDC"}, {"i": 5, "name": "HYPE"}], "rows": [{"t": 5, "p": 1}, {"t": 9, "p": 2}]}"#,
      ["HYPE/USD 1", "not split: 1"]),
    AnswerCase(
      "match through another lookup",
      #""rows": "$.rows[*]", "lookups": {"pairs": {"rows": "$.pairs[*]", "key": "$.id", "match": "$.id"}, "tokens": {"rows": "$.tokens[*]", "key": "$.i", "match": {"path": "$.token", "from": "pairs"}}}, "fields": {"price": {"path": "$.px", "from": "tokens"}}"#,
      #"{"tokens": [{"i": 5, "px": 7}], "pairs": [{"id": "@1", "token": 5}], "rows": [{"s": "A-B", "id": "@1"}, {"s": "C-D", "id": "@2"}]}"#,
      ["A/B 7", "C/D lookup-miss"]),
    AnswerCase(
      "an answer that is an error",
      #""rows": "$.rows[*]", "lookups": {"c": {"rows": "$.tokens[*]", "key": "$.i"}}, "where": [{"path": "$.x", "from": "c", "is": "present"}], "success": {"where": [{"path": "$.ok", "equals": true}], "message": ["$.msg"]}, "fields": {"price": "$.p"}"#,
      #"{"ok": false, "msg": "closed"}"#, ["failed: venue-error (closed)"]),
  ]

  @Test(arguments: all + own) func reading(_ answer: AnswerCase) throws { try answer.check() }

  /// What decides which pairs are traded is asked for again soon.
  @Test(arguments: [
    (#""where": [{"from": "c", "is": "present"}]"#, 600), (#""batch": {"of": "c"}"#, 600), (volume, 3600),
  ])
  func decisiveLookupsAreKeptForMinutes(_ members: String, _ seconds: Int) throws {
    let fields = members.contains("fields") ? "" : #", "fields": {"price": "$.n"}"#
    let table = try TestTable(Self.lookup(#""rows": "$[*]", "key": "$.s""#) + ", \(members)\(fields)")
    #expect(try table.plan().spec.lookups.map(\.timeToLiveSeconds) == [seconds])
  }

  /// A lookup is requested if a wanted cell needs it, or another lookup that goes through it.
  @Test func onlyNeededLookupsAreRequested() throws {
    let table = try TestTable(
      #"""
      "lookups": {
        "a": {"request": {"path": "/a"}, "rows": "$[*]", "key": "$.s"},
        "b": {"request": {"path": "/b"}, "rows": "$[*]", "key": "$.s", "match": {"path": "$.x", "from": "a"}},
        "c": {"request": {"path": "/c"}, "rows": "$[*]", "key": "$.s"}},
      "where": [{"path": "$.on", "from": "c", "equals": 1}],
      "fields": {"price": "$.p", "bid": {"path": "$.b", "from": "b"}, "ask": {"path": "$.n", "decimals": {"path": "$.d", "from": "c"}}}
      """#)
    let plan = try table.plan()
    #expect(plan.requiredLookups == ["c"])
    #expect(plan.lookups(for: [.price]) == [])
    #expect(plan.lookups(for: [.bid]) == ["a", "b"])
    #expect(plan.lookups(for: [.price, .ask]) == ["c"])
  }
}
