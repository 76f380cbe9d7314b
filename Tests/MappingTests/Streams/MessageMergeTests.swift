import JSON
import Testing

@testable import Mapping

/// The texts of objects of which messages send only changes.
@Suite struct MessageMergeTests {
  @Test(arguments: [
    (#"{"a": 1, "b": 2}"#, #"{"b": 3}"#, #"{"a":1,"b":3}"#),
    (
      #"{"a": {"b": {"c": 1, "d": 2}, "e": 3}, "f": 4}"#, #"{"a": {"b": {"c": 5}}}"#,
      #"{"a":{"b":{"c":5,"d":2},"e":3},"f":4}"#
    ),
    (#"{"a": 1}"#, #"{"b": {"c": 2}, "d": [3, 4]}"#, #"{"a":1,"b":{"c": 2},"d":[3, 4]}"#),
    (#"{"a": {"b": 1}}"#, #"{"a": [2]}"#, #"{"a":[2]}"#),
    (#"{"a": [2, 3]}"#, #"{"a": {"b": null}}"#, #"{"a":{"b": null}}"#),
    (#"{"a": 1}"#, #"{"b": 2, "b": 3, "a": 4, "a": 5}"#, #"{"a":5,"b":2,"b":3}"#),
    (#"{"é": 1}"#, "{\"e\u{301}\": 2}", "{\"é\":1,\"e\u{301}\":2}"), (#"{"a": {}}"#, #"{"a": {}}"#, #"{"a":{}}"#),
    ("{}", "{}", "{}"), ("{}", #"{"a": 1}"#, #"{"a":1}"#), ("{ }", "2", "2"),
  ])
  func merged(_ old: String, _ new: String, _ merged: String) throws {
    let (one, other) = (try JSONDocument(parsing: Array(old.utf8)), try JSONDocument(parsing: Array(new.utf8)))
    #expect(String(decoding: MessageMerge.merged(one.root, other.root), as: UTF8.self) == merged)
  }
}
