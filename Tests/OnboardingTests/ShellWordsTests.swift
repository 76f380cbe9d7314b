import Onboarding
import Testing

@testable import Onboarding

/// One command line, split as by a shell.
@Suite struct ShellWordsTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let line: String
    let words: [String]
    var rest = ""

    var testDescription: String { line }
  }

  @Test(arguments: [
    Case(line: "", words: []),
    Case(line: "  curl   x\ty ", words: ["curl", "x", "y"]),
    Case(line: "a'b c'\"d e\"f", words: ["ab cd ef"]),
    Case(line: "'' \"\"", words: ["", ""]),
    Case(line: #"'a\b' "a\b" "a\"b" "a\\b" a\ b"#, words: [#"a\b"#, #"a\b"#, "a\"b", #"a\b"#, "a b"]),
    Case(line: "curl \\\n  -H 'A: b' \\\r\n  x", words: ["curl", "-H", "A: b", "x"]),
    Case(line: "'a\nb' \"c\\\nd\"", words: ["a\nb", "cd"]),
    Case(line: #"$'a\'b\n\u0041\x42\\'"#, words: ["a'b\nAB\\"]),
    Case(line: "a$ $1 \"5$\" '$HOME'", words: ["a$", "$1", "5$", "$HOME"]),
    Case(line: "curl x?a=1&b=2", words: ["curl", "x?a=1"], rest: "&b=2"),
    Case(line: "curl x | jq . > y", words: ["curl", "x"], rest: "| jq . > y"),
    Case(line: "curl x # why", words: ["curl", "x"]),
    Case(line: "curl x#why", words: ["curl", "x#why"]),
    Case(line: "\n\ncurl x\nls\n", words: ["curl", "x"], rest: "ls"),
    Case(line: "curl 한글", words: ["curl", "한글"]),
  ])
  func words(_ example: Case) throws {
    let words = try ShellWords(example.line)
    #expect(words.words == example.words)
    #expect(words.rest == example.rest)
  }

  @Test(arguments: [
    ("a 'b", ShellWords.Problem.unfinished("single quotes")), ("a \"b", .unfinished("double quotes")),
    ("a \"b\\", .unfinished("double quotes")), ("a \\", .unfinished("a line that continues after a backslash")),
    ("$'a", .unfinished("single quotes")), ("curl $URL/x", .needsShell("$URL")),
    ("curl \"${KEY}\"", .needsShell("${KEY")), ("curl $(date)", .needsShell("$(date")), ("`x`", .needsShell("`x")),
  ])
  func problems(_ line: String, _ problem: ShellWords.Problem) {
    #expect(throws: problem) { try ShellWords(line) }
  }
}
