import Testing

/// A condition, and the rows for which it holds.
struct ConditionCase: Sendable, CustomTestStringConvertible {
  let condition: String
  let holds: [String]
  let fails: [String]

  init(_ condition: String, holds: [String] = [], fails: [String] = []) {
    self.condition = condition
    self.holds = holds
    self.fails = fails
  }

  var testDescription: String { condition }
}

@Suite struct ConditionTests {
  static let all = [
    // Scalars compare as text.
    ConditionCase(
      #"{"path": "$.v", "equals": 0}"#, holds: [#""v": 0"#, #""v": "0""#],
      fails: [#""v": "0.0""#, #""v": """#, #""v": null"#, #""w": 0"#, #""v": [0]"#, #""v": false"#]),
    ConditionCase(
      #"{"path": "$.v", "equals": "true"}"#, holds: [#""v": true"#, #""v": "true""#], fails: [#""v": 1"#]),
    ConditionCase(#"{"path": "$.v", "equals": true}"#, holds: [#""v": "true""#, #""v": true"#]),
    ConditionCase(#"{"path": "$.v", "equals": "é"}"#, holds: [#""v": "\u00e9""#]),
    // Absence and null are the same.
    ConditionCase(
      #"{"path": "$.v", "equals": null}"#, holds: [#""v": null"#, #""w": 1"#], fails: [#""v": """#, #""v": 0"#]),
    ConditionCase(#"{"path": "$.v", "is": "absent"}"#, holds: [#""v": null"#, #""w": 1"#], fails: [#""v": """#]),
    ConditionCase(
      #"{"path": "$.v", "is": "present"}"#, holds: [#""v": """#, #""v": []"#, #""v": false"#],
      fails: [#""v": null"#, #""w": 1"#]),
    ConditionCase(
      #"{"path": "$.v", "in": ["", "0", null]}"#, holds: [#""v": """#, #""v": 0"#, #""v": null"#, #""w": 1"#],
      fails: [#""v": "1780041600000""#, #""v": []"#]),
    ConditionCase(#"{"path": "$.v", "in": ["", "0"]}"#, fails: [#""v": null"#, #""w": 1"#]),
    ConditionCase(
      #"{"path": "$.v", "notIn": ["a", 1]}"#, holds: [#""v": "b""#, #""v": null"#, #""w": 1"#, #""v": {}"#],
      fails: [#""v": "a""#, #""v": "1""#, #""v": 1"#]),
    ConditionCase(#"{"path": "$.v", "notIn": [null]}"#, holds: [#""v": "b""#], fails: [#""v": null"#, #""w": 1"#]),
    // The other tests fail if the value is absent.
    ConditionCase(
      #"{"path": "$.v", "prefix": "PF_"}"#, holds: [#""v": "PF_XBT""#], fails: [#""v": "pf_xbt""#, #""v": null"#]),
    ConditionCase(#"{"path": "$.v", "suffix": "_PERP"}"#, holds: [#""v": "BTC_PERP""#], fails: [#""v": "BTC""#]),
    ConditionCase(
      #"{"path": "$.v", "match": "[A-Z]+_[0-9]{6}"}"#, holds: [#""v": "BTC_240628""#],
      fails: [#""v": "BTC_2406281""#, #""v": "xBTC_240628""#, #""w": 1"#]),
    ConditionCase(
      #"{"path": "$.v", "above": 0}"#, holds: [#""v": 1e-9"#, #""v": "0.1""#],
      fails: [#""v": 0"#, #""v": -1"#, #""v": "many""#, #""v": null"#]),
    ConditionCase(#"{"path": "$.v", "above": "9.5"}"#, holds: [#""v": 10"#], fails: [#""v": 9.50"#]),
    ConditionCase(
      #"{"path": "$.v", "is": "empty"}"#, holds: [#""v": []"#, #""v": [ ]"#, #""v": {}"#, #""v": """#],
      fails: [#""v": [0]"#, #""v": "0""#, #""v": null"#, #""w": 1"#]),
    ConditionCase(#"{"path": "$.v", "is": "array"}"#, holds: [#""v": []"#], fails: [#""v": {}"#, #""v": "[]""#]),
    ConditionCase(#"{"path": "$.v", "is": "object"}"#, holds: [#""v": {"a": 1}"#], fails: [#""v": []"#]),
    // Several values are present, but cannot be compared.
    ConditionCase(#"{"path": "$.v[*]", "is": "present"}"#, holds: [#""v": [1, 1]"#], fails: [#""v": []"#]),
    ConditionCase(#"{"path": "$.v[*]", "is": "absent"}"#, holds: [#""v": []"#], fails: [#""v": [1, 1]"#]),
    ConditionCase(#"{"path": "$.v[*]", "equals": 1}"#, holds: [#""v": [1]"#], fails: [#""v": [1, 1]"#]),
    ConditionCase(#"{"path": "$.v[*]", "notIn": [2]}"#, fails: [#""v": [1, 1]"#]),
    // Any value can be tested, with its modifiers.
    ConditionCase(#"{"from": "key", "equals": 1}"#, holds: [#""v": 1"#]),
    ConditionCase(#"{"path": "$.v", "strip": "%", "above": 5}"#, holds: [#""v": "6%""#], fails: [#""v": "4%""#]),
    ConditionCase(
      #"{"path": "$.v", "capture": "(?<value>[A-Z]+)-.*", "equals": "KRW"}"#, holds: [#""v": "KRW-BTC""#],
      fails: [#""v": "BTC-KRW""#, #""v": "KRW""#]),
    ConditionCase(
      #"{"path": "$.v", "missing": ["-"], "is": "absent"}"#, holds: [#""v": "-""#], fails: [#""v": """#]),
    ConditionCase(#"{"path": "$.v", "scale": 0.01, "above": 1}"#, holds: [#""v": 101"#], fails: [#""v": 100"#]),
    ConditionCase(
      #"{"first": ["$.v", "$.w"], "equals": "007"}"#, holds: [#""v": "007""#, #""w": "007""#], fails: [#""v": 7"#]),
    ConditionCase(
      #"{"difference": ["$.v", "$.w"], "above": 0}"#, holds: [#""v": 2, "w": 1"#],
      fails: [#""v": 1, "w": 1"#, #""v": 1"#]),
    ConditionCase(#"{"path": "$[0].ok", "from": "response", "equals": 1}"#, holds: [#""v": 1"#]),
  ]

  /// The first row never passes, and only serves to name the pair in the result.
  @Test(arguments: all) func condition(_ condition: ConditionCase) throws {
    let table = try TestTable(
      #""fields": {"price": "$.p"}, "where": [\#(condition.condition), {"path": "$.s", "is": "present"}]"#)
    for (members, line) in condition.holds.map({ ($0, "A/B 1") }) + condition.fails.map({ ($0, "dropped: 1 where") }) {
      let dropped = line.hasPrefix("A/B") ? "dropped: 1 where" : "dropped: 2 where"
      let expected = line.hasPrefix("A/B") ? [line, dropped] : [dropped]
      #expect(try table.lines(#"[{"ok": 1}, {"s": "A-B", "p": 1, \#(members)}]"#) == expected, "\(members)")
    }
  }

  @Test func allConditionsMustHold() throws {
    let table = try TestTable(
      #""fields": {"price": "$.p"}, "where": [{"path": "$.a", "equals": 1}, {"path": "$.b", "equals": 2}]"#)
    let rows = #"[{"s": "A-X", "p": 1, "a": 1}, {"s": "B-X", "p": 1, "b": 2}, {"s": "C-X", "p": 1, "a": 1, "b": 2}]"#
    #expect(try table.lines(rows) == ["C/X 1", "dropped: 2 where"])
  }
}
