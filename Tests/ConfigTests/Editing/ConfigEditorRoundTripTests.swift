import JSON
import TestSupport
import Testing

@testable import Config

/// Adding and removing blocks in any order leaves the text unchanged, whatever its formatting.
@Suite struct ConfigEditorRoundTripTests {
  @Test(arguments: 0..<40)
  func unchangedConfigRoundTripsByteForByte(_ seed: UInt64) throws {
    var source = ConfigTextSource(seed: seed)
    for _ in 0..<100 {
      let text = source.config()
      let names = source.names()
      var editor = try ConfigEditor(Array(text.utf8))
      for name in names {
        try editor.setMember(name, of: ["exchanges"], to: source.block())
        let root = try JSONDocument(parsing: editor.bytes).root
        #expect(root["exchanges"]?[name] != nil, "\(text)")
      }
      for name in names.shuffled(using: &source.generator) {
        #expect(try editor.removeMember(name, of: ["exchanges"]))
      }
      try #require(String(decoding: editor.bytes, as: UTF8.self) == text, "\(names)")
    }
  }
}

/// Configs in every formatting that JSON allows.
private struct ConfigTextSource {
  var generator: SeededGenerator
  /// Whitespace to put between two tokens of the current text.
  private var gaps: [String] = [""]

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  private mutating func one<Element>(of elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &generator)]
  }

  private mutating func gap() -> String { one(of: gaps) }

  mutating func config() -> String {
    gaps = one(of: [
      [""], ["", " "], [" ", "  "], ["\n", "\n  ", "\n    "], ["\r\n", "\r\n\t", " "], ["\t", "\n\t", "\n\t\t", ""],
      ["", " ", "\n", "\r", "\r\n", " \n ", "\n\n\n", "\t \t"],
    ])
    var members = [("\"version\"", "1")]
    if Bool.random(using: &generator) { members.append((#""extends""#, #""builtin""#)) }
    if Bool.random(using: &generator) { members.append((#""w\u0061tchlist""#, "[" + gap() + #"{"asset":"비트"}"# + "]")) }
    let exchanges: [String?] = [
      nil, "", #""A":{}"#, "\"A\"\(gap()):\(gap()){\(gap())},\(gap())\"\\u00e9\\/😀\":\(gap())[1,\(gap())2]",
    ]
    if let inside = one(of: exchanges) {
      let key = one(of: [#""exchanges""#, #""exch\u0061nges""#])
      members.insert(
        (key, "{" + gap() + inside + gap() + "}"), at: Int.random(in: 0...members.count, using: &generator))
    }
    if Int.random(in: 0..<8, using: &generator) == 0 { members = members.filter { $0.0.contains("exch") } }
    var parts: [String] = []
    for (key, value) in members { parts.append(gap() + key + gap() + ":" + gap() + value + gap()) }
    let body = members.isEmpty ? gap() : parts.joined(separator: ",")
    return gap() + "{" + body + "}" + gap()
  }

  mutating func names() -> [String] {
    let all = ["New", "new", "하나", "a\"b", "back\\slash", "x/y", "😀", "tab\t", "é", "e\u{301}x"]
    return Array(all.shuffled(using: &generator).prefix(Int.random(in: 1...6, using: &generator)))
  }

  mutating func block() -> ConfigValue {
    let short = ConfigValue.object([("rows", .text("$[*]"))])
    let long = ConfigValue.object([
      ("note", .text(String(repeating: "n", count: 100))), ("fields", .object([("price", .text("$.p"))])),
      ("list", .list([short, short])),
    ])
    return one(of: [short, long, .object([]), .raw("{\n \"a\" : [ ]\r\n}")])
  }
}
