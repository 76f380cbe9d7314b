import JSON
import Testing

@Suite("JSON values")
struct JSONNodeTests {
  private func root(_ text: String) throws -> JSONNode { try JSONDocument(parsing: Array(text.utf8)).root }

  struct Scalar: Sendable, CustomTestStringConvertible {
    var text: String
    var kind: JSONKind
    var string: String? = nil
    var number: String? = nil
    var scalar: String? = nil
    var boolean: Bool? = nil

    var testDescription: String { text }
  }

  static let scalars = [
    Scalar(text: "null", kind: .null),
    Scalar(text: "true", kind: .true, scalar: "true", boolean: true),
    Scalar(text: "false", kind: .false, scalar: "false", boolean: false),
    Scalar(text: "0", kind: .number, number: "0", scalar: "0"),
    Scalar(text: "-0", kind: .number, number: "-0", scalar: "-0"),
    Scalar(text: "1.10", kind: .number, number: "1.10", scalar: "1.10"),
    Scalar(text: "1E400", kind: .number, number: "1E400", scalar: "1E400"),
    Scalar(text: "\"\"", kind: .string, string: "", scalar: ""),
    Scalar(text: "\"비트코인\"", kind: .string, string: "비트코인", scalar: "비트코인"),
    Scalar(
      text: #""\"\\\/\b\f\n\r\t""#, kind: .string, string: "\"\\/\u{8}\u{C}\n\r\t", scalar: "\"\\/\u{8}\u{C}\n\r\t"),
    Scalar(text: #""a\u00E9\u0000z""#, kind: .string, string: "aé\0z", scalar: "aé\0z"),
    Scalar(text: #""\uD83D\ude00""#, kind: .string, string: "😀", scalar: "😀"),
    Scalar(text: #""\ud83d""#, kind: .string, string: "\u{FFFD}", scalar: "\u{FFFD}"),
    Scalar(
      text: #""\ude00\ud83d\ud83d\ude00!""#, kind: .string, string: "\u{FFFD}\u{FFFD}😀!", scalar: "\u{FFFD}\u{FFFD}😀!"),
    Scalar(text: #""\ud83d\n\ud83dx""#, kind: .string, string: "\u{FFFD}\n\u{FFFD}x", scalar: "\u{FFFD}\n\u{FFFD}x"),
    Scalar(text: "[]", kind: .array),
    Scalar(text: "{}", kind: .object),
  ]

  @Test(arguments: scalars)
  func value(_ expected: Scalar) throws {
    // The value is surrounded by others so that its range is tested exactly.
    let node = try #require(try root("[1, \(expected.text) ,2]")[1])
    let found = Scalar(
      text: node.text, kind: node.kind, string: node.string, number: node.numberText, scalar: node.scalarText,
      boolean: node.boolean)
    #expect(String(describing: found) == String(describing: expected))
    #expect(node.byteRange == 4..<4 + expected.text.utf8.count)
    #expect(node.isNull == (expected.kind == .null))
    #expect(node.count == 0)
  }

  @Test func lookups() throws {
    let node = try root(#"{"a":{"b":[10,[20],{"c":30}]},"":1,"a\"":2,"\u0062":3,"é":4}"#)
    #expect(node.count == 5)
    #expect(node["a"]?["b"]?[2]?["c"]?.text == "30")
    #expect(node["a"]?["b"]?[1]?[0]?.text == "20")
    #expect(node[""]?.text == "1")
    #expect(node["a\""]?.text == "2")
    #expect(node["b"]?.text == "3")
    #expect(node["é"]?.text == "4")
    #expect(node["e\u{301}"] == nil)
    #expect(node["absent"] == nil)
    #expect(node[0] == nil)
    #expect(node["a"]?["b"]?["c"] == nil)
    #expect(node["a"]?["b"]?[3] == nil)
    #expect(node["a"]?["b"]?[-1] == nil)
  }

  @Test func lastDuplicateMemberWins() throws {
    #expect(try root(#"{"a":1,"b":2,"\u0061":3}"#)["a"]?.text == "3")
  }

  @Test func sequences() throws {
    let node = try root(#"{"rows":[1,"two",[3],{"x":4}],"\u0065nd":{}}"#)
    #expect(
      node.members.map { "\($0.name) \($0.key.text) \($0.value.text)" } == [
        #"rows "rows" [1,"two",[3],{"x":4}]"#, #"end "\u0065nd" {}"#,
      ])
    #expect(node["rows"]?.elements.map(\.text) == ["1", #""two""#, "[3]", #"{"x":4}"#])
    #expect(Array(node.elements).isEmpty)
    #expect(node["rows"]?.members.map(\.name) == [])
    #expect(node["rows"]?[0]?.elements.map(\.text) == [])
  }

  @Test func identity() throws {
    let node = try root("[1,1]")
    #expect(node[0] == node[0])
    #expect(node[0] != node[1])
    #expect(try root("[1,1]") != node)
  }

  @Test(arguments: [
    ("{}", []),
    ("[1]", []),
    (#"{"a":1,"b":2}"#, []),
    (#"{"a":1,"a":2,"a":3}"#, [7, 13]),
    (#"{"a":{"b":1,"b":2},"a":[{"c":1,"c":2}]}"#, [12, 19, 31]),
    (#"{"a":1,"\u0061":2}"#, [7]),
    (#"[{"a":1},{"a":1}]"#, []),
    ("{\"é\":1,\"e\u{301}\":2}", []),
  ])
  func duplicates(_ text: String, _ offsets: [Int]) throws {
    let document = try JSONDocument(parsing: Array(text.utf8))
    #expect(document.root.duplicateMembers().map(\.byteRange.lowerBound) == offsets)
  }

  /// Where a byte of a decoded string comes from: an escape is passed as a whole, and half a surrogate pair is U+FFFD.
  @Test(
    arguments: [
      (#""a\u00e9b""#, [0: 1, 1: 2, 2: 8, 3: 8, 4: 9, 9: 9]), (#""\ud800x""#, [0: 1, 3: 7, 4: 8]),
      (#""\ud83d\ude00x""#, [2: 13, 4: 13, 5: 14]), (#""\ud83d\ud83d\ude00x""#, [3: 7, 7: 19]),
      (#""\udc00\ud83dx""#, [3: 7, 6: 13]), (#""é\n\"x""#, [2: 3, 3: 5, 4: 7]), (#""""#, [0: 1, 1: 1]),
    ] as [(String, [Int: Int])])
  func decodedOffsets(_ text: String, _ positions: [Int: Int]) throws {
    let root = try JSONDocument(parsing: Array(text.utf8)).root
    #expect(positions.keys.allSatisfy { root.position(ofDecodedOffset: $0) == positions[$0] })
  }

  @Test func duplicatesOutsideGivenValues() throws {
    let text = #"{"a":{"x":1,"x":2},"b":[{"y":1,"y":2}],"c":{"z":1,"z":2},"a":0}"#
    let root = try JSONDocument(parsing: Array(text.utf8)).root
    let values = [root.members.first { _ in true }?.value, root["c"]].compactMap(\.self)
    #expect(root.duplicateMembers(apartFrom: values).map(\.string) == ["y", "a"])
    #expect(root["b"]?.duplicateMembers().map(\.string) == ["y"])
  }

  /// An object with many members is read in one pass, and its duplicates are found by hashing.
  @Test func manyMembers() throws {
    let names = (0..<20_000).map { "\"name\($0 % 19_999)\":\($0)" }
    let document = try JSONDocument(parsing: Array("{\(names.joined(separator: ","))}".utf8))
    #expect(document.root.count == 20_000)
    #expect(document.root.members.reduce(0) { $0 + (Int($1.value.text) ?? 0) } == 20_000 * 19_999 / 2)
    #expect(document.root["name0"]?.text == "19999")
    #expect(document.root.duplicateMembers().map(\.string) == ["name0"])
  }
}
