import Mapping
import Quotes
import Testing

/// A mapping, a response, and the resulting lines.
struct AnswerCase: Sendable, CustomTestStringConvertible {
  let name: String
  let members: String
  let answer: String
  let lines: [String]
  var lookups: [String: String]

  init(_ name: String, _ members: String, _ answer: String, _ lines: [String], lookups: [String: String] = [:]) {
    self.name = name
    self.members = members
    self.answer = answer
    self.lines = lines
    self.lookups = lookups
  }

  var testDescription: String { name }

  func check() throws {
    let read = try TestTable(members).lines(answer, Asked(lookups: lookups))
    #expect(read == lines)
  }
}

@Suite struct RowsTests {
  static let price = #""fields": {"price": "$.p"}"#
  static let byKey = #""symbol": {"from": "key", "split": "_"}, "fields": {"price": "$.p"}"#

  static let all = [
    AnswerCase("an array", #""rows": "$[*]", \#(price)"#, #"[{"s": "A-B", "p": 1}]"#, ["A/B 1"]),
    AnswerCase(
      "below", #""rows": "$.data.list[*]", \#(price)"#, #"{"data": {"list": [{"s": "A-B", "p": 1}]}}"#, ["A/B 1"]),
    AnswerCase("inside of an array", #""rows": "$[0][*]", \#(price)"#, #"[[{"s": "A-B", "p": 1}]]"#, ["A/B 1"]),
    AnswerCase("from the end", #""rows": "$[-1][*]", \#(price)"#, #"[5, [{"s": "A-B", "p": 1}]]"#, ["A/B 1"]),
    AnswerCase("a dict", #""rows": "$.*", \#(byKey)"#, #"{"a_b": {"p": 1}, "c_d": {"p": 2}}"#, ["A/B 1", "C/D 2"]),
    AnswerCase("a key with escapes", #""rows": "$.*", \#(byKey)"#, #"{"\u0061\u005fb": {"p": 1}}"#, ["A/B 1"]),
    AnswerCase(
      "a name twice", #""rows": "$.*", \#(byKey)"#, #"{"a_b": {"p": 1}, "a_b": {"p": 2}}"#,
      ["A/B 1 !duplicate", "A/B 2 !duplicate"]),
    AnswerCase("a member twice", price, #"[{"s": "A-B", "p": 1, "p": 2}]"#, ["A/B 2 !malformed"]),
    AnswerCase("one object", #""rows": "$", \#(price)"#, #"{"s": "A-B", "p": 1}"#, ["A/B 1"]),
    AnswerCase("one object without content", #""rows": "$", \#(price)"#, "{ }", ["failed: empty-answer"]),
    AnswerCase("one array without content", #""rows": "$.a", \#(price)"#, #"{"a": []}"#, ["failed: empty-answer"]),
    AnswerCase(
      "one object, deeper", #""rows": "$.ticker", \#(price)"#, #"{"ticker": {"s": "A-B", "p": 1}}"#, ["A/B 1"]),
    AnswerCase(
      "the name of one object", #""rows": "$.result['a_b']", \#(byKey)"#, #"{"result": {"a_b": {"p": 1}}}"#, ["A/B 1"]),
    AnswerCase(
      "rows of arrays", #""symbol": {"path": "$[0]", "split": "-"}, "fields": {"price": "$[1][0]"}"#,
      #"[["A-B", [1]]]"#, ["A/B 1"]),
    AnswerCase(
      "a row of arrays", #""rows": "$", "symbol": {"path": "$[0]", "split": "-"}, "fields": {"price": "$[1]"}"#,
      #"["A-B", 1]"#, ["A/B 1"]),
    AnswerCase(
      "a filter", #""rows": "$[?@.live]", \#(price)"#, #"[{"s": "A-B", "p": 1, "live": 1}, {"s": "C-D", "p": 2}]"#,
      ["A/B 1"]),
    AnswerCase(
      "the names of a filter", #""rows": "$[?@.p > 1]", \#(byKey)"#, #"{"a_b": {"p": 1}, "c_d": {"p": 2}}"#, ["C/D 2"]),
    AnswerCase("a slice", #""rows": "$[1:]", \#(price)"#, #"["date", {"s": "A-B", "p": 1}]"#, ["A/B 1"]),
    AnswerCase(
      "siblings that are no rows", #""rows": "$.*", \#(byKey)"#, #"{"date": 17, "a_b": {"p": 1}}"#,
      ["A/B 1", "not split: date"]),
    AnswerCase(
      "parallel arrays",
      #""rows": {"zip": ["$[0].universe", "$[1]"]}, "symbol": {"path": "$[0].name", "payment": "USD"}, "fields": {"price": "$[1].px", "bid": "$[-1].bid"}"#,
      #"[{"universe": [{"name": "A"}, {"name": "B"}]}, [{"px": 1, "bid": 1}, {"px": 2}]]"#,
      ["A/USD 1 1", "B/USD 2 path-miss"]),
    AnswerCase(
      "parallel arrays of numbers",
      #""rows": {"zip": ["$.s", "$.p"]}, "symbol": {"path": "$[0]", "split": "-"}, "fields": {"price": "$[1]", "volume24": {"from": "key"}}"#,
      #"{"s": ["A-B", "C-D"], "p": [1, null]}"#, ["A/B 1 0", "C/D json-null 1"]),
    AnswerCase(
      "unequal lengths", #""rows": {"zip": ["$.s", "$.p"]}, \#(price)"#, #"{"s": [1, 2], "p": [1]}"#,
      ["failed: path-miss (the zipped arrays have 2 and 1 elements)"]),
    AnswerCase(
      "nothing to zip", #""rows": {"zip": ["$.s", "$.p"]}, \#(price)"#, #"{"s": [1, 2]}"#,
      [#"failed: path-miss (a path in "zip" does not lead to an array)"#]),
    AnswerCase(
      "empty arrays to zip", #""rows": {"zip": ["$.s", "$.p"]}, \#(price)"#, #"{"s": [], "p": []}"#,
      ["failed: empty-answer"]),
    // An empty response is not a missing path.
    AnswerCase("no elements", price, "[]", ["failed: empty-answer"]),
    AnswerCase("no members", #""rows": "$.data.*", \#(byKey)"#, #"{"data": {}}"#, ["failed: empty-answer"]),
    AnswerCase(
      "a filter that nothing passes", #""rows": "$[?@.live]", \#(price)"#, #"[{"s": "A-B"}]"#, ["failed: empty-answer"]),
    AnswerCase("one row of null", #""rows": "$.data", \#(price)"#, #"{"data": null}"#, ["failed: empty-answer"]),
    AnswerCase(
      "no container", #""rows": "$.data[*]", \#(price)"#, #"{"rows": []}"#,
      ["failed: path-miss (the path of the rows leads to nothing)"]),
    AnswerCase(
      "a container of null", #""rows": "$.data[*]", \#(price)"#, #"{"data": null}"#,
      ["failed: path-miss (the path of the rows leads to null)"]),
    AnswerCase(
      "a string in place of a container", #""rows": "$.data[*]", \#(price)"#, #"{"data": "[]"}"#,
      ["failed: path-miss (the path of the rows leads to a string)"]),
    AnswerCase(
      "no row", #""rows": "$.data", \#(price)"#, #"{}"#, ["failed: path-miss (the path of the row leads to nothing)"]),
    AnswerCase(
      "a number for a row", #""rows": "$.data", \#(price)"#, #"{"data": 5}"#,
      ["failed: path-miss (the path of the row leads to a number)"]),
    AnswerCase(
      "rows that are none", price, #"[1, null, "A-B", [], {"s": "A-B", "p": 1}]"#,
      ["A/B 1", "not split: 0", "not split: 1", "not split: 2", "not split: 3"]),
  ]

  @Test(arguments: all) func rows(_ answer: AnswerCase) throws { try answer.check() }

  /// Unknown members of a response are never an error.
  @Test func unknownMembersAreIgnored() throws {
    let table = try TestTable(Self.price)
    #expect(try table.lines(#"[{"x": {"s": [[]]}, "s": "A-B", "y": null, "p": 1, "z": "\u0000"}]"#) == ["A/B 1"])
  }

  /// Rows of other pairs are dropped if one was requested.
  @Test func rowsOfOtherPairsAreDropped() throws {
    let table = try TestTable(Self.price)
    let asked = Asked(pair: .init(asset: "A", payment: "B"))
    #expect(
      try table.lines(#"[{"s": "A-B", "p": 1}, {"s": "A-C", "p": 2}]"#, asked) == ["A/B 1", "dropped: 1 other-pair"])
  }
}
