import JSON
import Testing

@testable import Config

/// Edits that change one member and no other byte.
@Suite struct ConfigEditorTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let old: String
    let new: String
    var testDescription: String { name }
  }

  private static let value = ConfigValue.object([("rows", .text("$[*]"))])

  @Test(arguments: [
    Case(name: "no exchanges yet", old: "{}", new: "{\n  \"exchanges\": { \"New\": { \"rows\": \"$[*]\" }} }"),
    Case(
      name: "empty exchanges", old: "{\n  \"exchanges\": {}\n}\n",
      new: "{\n  \"exchanges\": {\n    \"New\": { \"rows\": \"$[*]\" } }\n}\n"),
    Case(
      name: "empty exchanges of two lines", old: "{\n\t\"exchanges\": {\n\t}\n}\n",
      new: "{\n\t\"exchanges\": {\n\t\t\"New\": { \"rows\": \"$[*]\" }\n\t}\n}\n"),
    Case(
      name: "no exchanges beside others", old: "{\n    \"version\": 1\n}",
      new: "{\n    \"version\": 1,\n    \"exchanges\": { \"New\": { \"rows\": \"$[*]\" }}\n}"),
    Case(
      name: "behind the last, on a line of its own",
      old: "{ \"version\": 1,\n   \"exchanges\": {\n     \"A\" : {\"x\":1}  \n  }, \"z\":[1,  2] }",
      new:
        "{ \"version\": 1,\n   \"exchanges\": {\n     \"A\" : {\"x\":1},\n     \"New\": { \"rows\": \"$[*]\" }  \n  }, \"z\":[1,  2] }"
    ),
    Case(
      name: "behind the last, on its line", old: "{\"exchanges\":{\"A\":{}}}",
      new: "{\"exchanges\":{\"A\":{}, \"New\": { \"rows\": \"$[*]\" }}}"),
    Case(
      name: "a value that is replaced", old: "{\"exchanges\":{\"New\" :  7 , \"B\":1}}",
      new: "{\"exchanges\":{\"New\" :  { \"rows\": \"$[*]\" } , \"B\":1}}"),
    Case(
      name: "line ends of another system", old: "{\r\n\t\"exchanges\": {\r\n\t\t\"A\": 1\r\n\t}\r\n}",
      new: "{\r\n\t\"exchanges\": {\r\n\t\t\"A\": 1,\r\n\t\t\"New\": { \"rows\": \"$[*]\" }\r\n\t}\r\n}"),
    Case(
      name: "escapes and other scripts stay", old: "{\"exchanges\":{\"\\u0041\":\"하나\\/\"}}",
      new: "{\"exchanges\":{\"\\u0041\":\"하나\\/\", \"New\": { \"rows\": \"$[*]\" }}}"),
  ])
  func add(_ example: Case) throws {
    var editor = try ConfigEditor(Array(example.old.utf8))
    try editor.setMember("New", of: ["exchanges"], to: Self.value)
    #expect(String(decoding: editor.bytes, as: UTF8.self) == example.new)
  }

  @Test(arguments: [
    "{ \"version\": 1,\n   \"exchanges\": {\n     \"A\" : {\"x\":1}  \n  }, \"z\":[1,  2] }",
    "{\"exchanges\":{\"A\":{}}}", "{\r\n \"exchanges\": { \"A\": 1,\r\n   \"B\": [ ] }}",
  ])
  func removingWhatWasAddedRestoresEveryByte(_ text: String) throws {
    var editor = try ConfigEditor(Array(text.utf8))
    try editor.setMember("New", of: ["exchanges"], to: Self.value)
    #expect(try editor.removeMember("New", of: ["exchanges"]))
    #expect(String(decoding: editor.bytes, as: UTF8.self) == text)
  }

  @Test(arguments: [
    Case(name: "first", old: "{\"e\":{\n \"N\": {},\n \"B\": 2\n}}", new: "{\"e\":{\n \"B\": 2\n}}"),
    Case(name: "middle", old: "{\"e\":{\"A\":1 , \"N\":[1,{}] ,\"B\":2}}", new: "{\"e\":{\"A\":1 ,\"B\":2}}"),
    Case(name: "last", old: "{\"e\":{\"A\":1,\n\"N\":2 }}", new: "{\"e\":{\"A\":1 }}"),
    Case(name: "only", old: "{\"e\": { \"N\" : 1 } }", new: "{\"e\": {} }"),
    Case(name: "only, on lines", old: "{\"e\": {\n  \"N\" : 1\n }\n}", new: "{\"e\": {\n }\n}"),
    Case(name: "none", old: "{\"e\": { \"M\" : 1 } }", new: "{\"e\": { \"M\" : 1 } }"),
  ])
  func remove(_ example: Case) throws {
    var editor = try ConfigEditor(Array(example.old.utf8))
    try editor.removeMember("N", of: ["e"])
    #expect(String(decoding: editor.bytes, as: UTF8.self) == example.new)
  }

  @Test func nonObjectsAreLeftUnchanged() throws {
    #expect(throws: ConfigEditor.Problem.notAnObject([])) { try ConfigEditor(Array("[1]".utf8)) }
    var editor = try ConfigEditor(Array("{\"exchanges\": 7}".utf8))
    #expect(throws: ConfigEditor.Problem.notAnObject(["exchanges"])) {
      try editor.setMember("New", of: ["exchanges"], to: Self.value)
    }
    #expect(String(decoding: editor.bytes, as: UTF8.self) == "{\"exchanges\": 7}")
  }

  @Test func longValuesGetOneLinePerMember() {
    let long = ConfigValue.object([
      ("a", .list((1...30).map { .number(String($0)) })),
      ("b", .object([("c", .text("\"quoted\"")), ("d", .number("1e3"))])),
      ("e", .text(String(repeating: "x", count: 60))),
    ])
    #expect(
      long.text(ConfigLayout(blanks: "  "), lead: 9) == """
        {
            "a": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30],
            "b": { "c": "\\"quoted\\"", "d": 1e3 },
            "e": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" }
        """)
  }
}
