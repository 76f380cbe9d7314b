import Config
import JSON
import Lint
import Testing

extension Finding {
  /// The start as `3:14`.
  var startText: String { place.map { "\($0.start.line):\($0.start.column)" } ?? "" }
}

extension ConfigReview {
  /// Creates the review of a user's config, over no shipped one.
  init(of text: String) { self.init(of: Array(text.utf8)) }

  init(of bytes: [UInt8]) {
    self.init(.init(name: "exchanges.json", bytes: bytes), builtin: .init(name: "builtin", bytes: []), hooks: [])
  }
}

/// Diagnostics of a text that is not valid JSON: the position, the reason, the fix, and what else is wrong.
@Suite struct BrokenTextTests {
  struct Broken: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    /// The positions of all findings.
    let place: String
    /// The message of the first finding.
    let message: String
    var help: String?
  }

  @Test(arguments: [
    Broken(
      testDescription: "a missing brace where indentation decreases",
      text: "{\n  \"a\": {\n    \"b\": 1,\n  \"c\": 2\n}\n", place: "3:11",
      message: "expected '}' for the '{' on line 2", help: "the next line is indented less"),
    Broken(
      testDescription: "the last brace is missing", text: "{\n  \"a\": {\n    \"b\": 1 }\n", place: "3:13",
      message: "expected '}' for the '{' on line 1", help: "the text ends here"),
    Broken(
      testDescription: "a comma is missing at the end of a line",
      text: "{\n  \"version\": 1\n\n\n  \"aliases\": {} }\n",
      place: "2:15",
      message: "expected ',' or '}' after a member"),
    Broken(
      testDescription: "the bracket of a list of objects is missing",
      text: "{ \"a\":\n  { \"b\": 1,\n    \"d\": 3 },\n  { \"c\": 2 }]\n}\n", place: "4:3",
      message: "expected a member name in double quotes after ','"),
    Broken(
      testDescription: "a comment", text: "{ \"version\": 1, // here\n  \"setings\": {} }", place: "1:17, 2:3",
      message: "JSON has no comments", help: "write it as a member, \"note\" or \"$comment\""),
    Broken(
      testDescription: "a comment before everything", text: "# a config\n{ \"version\": 1 }", place: "1:1",
      message: "JSON has no comments"),
    Broken(
      testDescription: "a comment of several lines", text: "{ /* a\n b */ \"version\": True }",
      place: "1:3, 2:18, 2:18",
      message: "JSON has no comments"),
    Broken(
      testDescription: "a comma before a brace", text: "{ \"settings\": { \"colors\": \"us\", },\n  \"version\": 2 }",
      place: "1:31, 2:14", message: "unexpected ',' before '}'",
      help: "remove the comma after the last member, or run with --fix"),
    Broken(
      testDescription: "a comma before a bracket", text: "{ \"watchlist\": [\n], \"aliases\": { \"A\": [1,] } }",
      place: "2:22, 2:24", message: "expected a string, found an array"),
    Broken(
      testDescription: "two commas", text: "{ \"version\": 1,, \"aliases\": {} }", place: "1:16",
      message: "unexpected ','"),
    Broken(
      testDescription: "single quotes", text: "{ 'version': 1, 'settings': { 'colors': 'xx' } }",
      place: "1:3, 1:17, 1:31, 1:41, 1:41", message: "expected double quotes", help: "write \"version\""
    ),
    Broken(
      testDescription: "curly quotes",
      text: "{ \u{201C}version\u{201D}: 1, \"settings\": { \"colors\": \u{2018}us\u{2019} } }",
      place: "1:3, 1:41", message: "expected straight double quotes", help: "write \"version\""),
    Broken(
      testDescription: "a name without quotes", text: "{ version: 1, \"settings\": {} }", place: "1:3",
      message: "expected a name in double quotes", help: "write \"version\""),
    Broken(
      testDescription: "a name without its first quote", text: "{ version\": 1 }", place: "1:3",
      message: "expected a name in double quotes", help: "write \"version\""),
    Broken(
      testDescription: "a name without its last quote", text: "{ \"version: 1, \"settings\": {} }", place: "1:17",
      message: "expected ':' after a member name"),
    Broken(
      testDescription: "not a number", text: "{ \"settings\": { \"identityPercent\": NaN } }", place: "1:36",
      message: "expected a value, found 'NaN'", help: "write a number, or remove the member"),
    Broken(
      testDescription: "a misspelt literal", text: "{ \"watchlist\": nul }", place: "1:16",
      message: "expected a value, found 'nul'",
      help: "write null"),
    Broken(
      testDescription: "a string without quotes", text: "{ \"settings\": { \"colors\": us } }", place: "1:27",
      message: "expected a value, found 'us'", help: "write \"us\""),
    Broken(
      testDescription: "a string that is not closed", text: "{ \"settings\": { \"colors\": \"us } }\n}", place: "1:34",
      message: "unclosed string; expected '\"'", help: "it begins at column 27"),
    Broken(
      testDescription: "a byte order mark", text: "\u{FEFF}{ \"version\": 1 }", place: "1:1",
      message: "unexpected byte order mark",
      help: "save the file as UTF-8 without it, or run with --fix"),
    Broken(
      testDescription: "other punctuation", text: "{ \"version\" = 1; \"settings\": { \"identityPercent\": .5 } }",
      place: "1:13", message: "expected ':' after a member name"),
    Broken(
      testDescription: "a merge conflict",
      text: "{\n<<<<<<< HEAD\n  \"version\": 1\n=======\n  \"version\": 2\n>>>>>>> other\n}",
      place: "2:1", message: "expected a member name in double quotes or '}'"),
    Broken(
      testDescription: "an HTML page", text: "<!DOCTYPE html>", place: "1:1", message: "expected a value",
      help: "a config begins with {"),
    Broken(
      testDescription: "YAML", text: "version: 1", place: "1:1", message: "expected a value",
      help: "a config begins with {"),
    Broken(
      testDescription: "an extra brace",
      text: "{\n  \"fx\": {\n    \"providers\": {} },\n    \"routes\": {}\n  },\n  \"version\": 1\n}\n", place: "3:21",
      message: "unexpected '}'", help: "line 4 is indented as if the bracket were still open"),
    Broken(
      testDescription: "the line that opens a block is gone",
      text: "{\n  \"version\": 1,\n    \"colors\": \"us\"\n  },\n  \"aliases\": {}\n}\n", place: "3:5",
      message: "expected '{' before this line", help: "it is indented more than the lines before it"),
    Broken(
      testDescription: "a block opened twice",
      text: "{\n  \"settings\": {\n  \"settings\": {\n    \"colors\": \"us\"\n  }\n}\n", place: "2:16",
      message: "expected '}' for the '{' on line 2", help: "the next line is indented less"),
    Broken(
      testDescription: "an extra brace in a one-line text",
      text: #"{"version":1,"settings":{"colors":"us"}},"watchlist":[],"fx":{"routes":{}}}"#, place: "1:41",
      message: "expected nothing after the value"),
    Broken(
      testDescription: "a missing brace in a one-line text",
      text: #"{"version":1,"settings":{"colors":"us","watchlist":[],"fx":{"routes":{}}}"#, place: "1:74",
      message: "expected '}' for the '{' on line 1", help: "the text ends here"),
    Broken(testDescription: "an empty text", text: "", place: "1:1", message: "the text has no value"),
    Broken(testDescription: "one brace", text: "{", place: "1:2", message: "expected '}' for the '{' on line 1"),
  ])
  func brokenText(_ sample: Broken) {
    let findings = ConfigReview(of: sample.text).findings
    #expect(findings.map(\.startText).joined(separator: ", ") == sample.place)
    #expect(findings.first?.message == sample.message)
    if let help = sample.help { #expect(findings.first?.help == help) }
  }

  @Test(arguments: ["UTF-16LE", "UTF-16BE", "UTF-16LE with mark"]) func otherEncodings(_ name: String) {
    var units = Array("{ \"version\": 1,\n \"x\": 2 }".utf16)
    if name.hasSuffix("mark") { units.insert(0xFEFF, at: 0) }
    let bytes = units.flatMap {
      name.contains("LE") ? [UInt8($0 & 255), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 255)]
    }
    let findings = ConfigReview(of: bytes).findings
    #expect(findings.map(\.help) == ["save it as UTF-8"])
  }

  /// A config in another dialect has many errors that hide what is wrong after them.
  @Test(arguments: [13, 60]) func manyErrorsHideNothing(_ count: Int) {
    let comments = (0..<count).map { "  // the line \($0)\n" }.joined()
    let review = ConfigReview(of: "{\n\(comments)  version: 1,\n  \"setings\": {} }")
    #expect(review.findings.count == count + 2)
    #expect(review.findings.last?.code == .unknownKey)
    #expect(review.findings.last?.place?.start == SourcePosition(line: count + 3, column: 3))
  }

  /// Possible secrets appear in no report, even if nothing can be read.
  @Test func secretsInBrokenTextsAreMasked() {
    let text = "{ \"headers\": { \"X-API-KEY\": \"hunter2\", \"a\": \"/3f9a61c07d2e48b5a1c9aa10/x\" ] }"
    let line = Excerpt.excerpts(of: ConfigReview(of: text).findings).first?.excerpt.line ?? ""
    #expect(!line.contains("hunter2") && !line.contains("3f9a61") && line.contains("X-API-KEY"))
  }

  /// A finding about something else than the config takes no other's line.
  @Test func linesStayWithTheirFindings() {
    let own = ConfigReview(of: "{ \"version\": 1,\n  \"setings\": {},\n  \"wathclist\": [] }").findings
    let other = Finding(.unknownKey, .error, "elsewhere", about: .exchange("Alpha"))
    let pairs = Excerpt.excerpts(of: [other] + own)
    #expect(pairs.map(\.finding) == own)
    #expect(pairs.map(\.excerpt.line) == ["  \"setings\": {},", "  \"wathclist\": [] }"])
  }
}
