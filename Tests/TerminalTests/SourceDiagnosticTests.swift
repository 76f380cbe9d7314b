import Terminal
import Testing

@Suite struct SourceDiagnosticTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let excerpt: SourceExcerpt
    var width = 100
    let lines: [String]

    var testDescription: String { name }
  }

  @Test(arguments: [
    Case(
      name: "a place", excerpt: .init(line: 3, column: 5, text: "    \"symbl\": 1"),
      lines: [#"  3 |     "symbl": 1"#, "    |     ^"]),
    Case(
      name: "a word", excerpt: .init(line: 12, column: 5, length: 7, text: "    \"symbl\": 1"),
      lines: [#"  12 |     "symbl": 1"#, "     |     ^^^^^^^"]),
    Case(
      name: "the end of the line", excerpt: .init(line: 1, column: 4, text: "[1,"), lines: ["  1 | [1,", "    |    ^"]),
    Case(name: "an empty line", excerpt: .init(line: 1, column: 1, text: ""), lines: ["  1 | ", "    | ^"]),
    Case(
      name: "a column outside", excerpt: .init(line: 1, column: 99, length: 99, text: "ab"),
      lines: ["  1 | ab", "    |   ^"]),
    Case(
      name: "behind wide text", excerpt: .init(line: 1, column: 7, text: #"{"하나": x}"#),
      lines: [#"  1 | {"하나": x}"#, "    |         ^"]),
    Case(
      name: "wide text itself", excerpt: .init(line: 1, column: 2, length: 2, text: "[하나]"),
      lines: ["  1 | [하나]", "    |  ^^^^"]),
    Case(
      name: "behind combining marks", excerpt: .init(line: 1, column: 5, text: "\"e\u{301}\"x"),
      lines: ["  1 | \"e\u{301}\"x", "    |    ^"]),
    Case(
      name: "controls and tabs", excerpt: .init(line: 1, column: 4, text: "\t\u{1B}[x"),
      lines: [#"  1 |   \u{1B}[x"#, "    |          ^"]),
    Case(
      name: "a control itself", excerpt: .init(line: 1, column: 2, text: "a\u{1B}b"),
      lines: [#"  1 | a\u{1B}b"#, "    |  ^^^^^^"]),
    Case(
      name: "a long line, cut on both sides",
      excerpt: .init(line: 1, column: 51, text: String(repeating: "0123456789", count: 10)), width: 36,
      lines: ["  1 | …1234567890123456789012345678…", "    |           ^"]),
    Case(
      name: "a long line, cut at its end",
      excerpt: .init(line: 1, column: 3, text: String(repeating: "0123456789", count: 10)), width: 36,
      lines: ["  1 | 01234567890123456789012345678…", "    |   ^"]),
    Case(
      name: "a long line, cut at its start",
      excerpt: .init(line: 1, column: 101, text: String(repeating: "0123456789", count: 10)), width: 36,
      lines: ["  1 | …12345678901234567890123456789", "    |                               ^"]),
  ])
  func excerpt(_ sample: Case) {
    let rendered = sample.excerpt.rendered(palette: .plain, width: sample.width)
    #expect(rendered == sample.lines.map { $0 + "\n" }.joined())
  }

  @Test func diagnostic() {
    let diagnostic = SourceDiagnostic(
      source: "exchanges.json", excerpt: .init(line: 3, column: 3, length: 7, text: #"  "symbl": {"#),
      code: "unknown-key", message: "unknown key 'symbl'", help: ["did you mean 'symbol'?"])
    #expect(diagnostic.sentence == "exchanges.json:3:3: error[unknown-key]: unknown key 'symbl'")
    #expect(
      diagnostic.rendered(palette: .plain) == """
        exchanges.json:3:3: error[unknown-key]: unknown key 'symbl'
          3 |   "symbl": {
            |   ^^^^^^^
          help: did you mean 'symbol'?

        """)
  }

  @Test func colours() {
    let diagnostic = SourceDiagnostic(
      source: "f", excerpt: .init(line: 1, column: 1, text: "x"), severity: .warning, message: "m\u{1B}")
    #expect(
      diagnostic.rendered(palette: Palette(scheme: .us, isColored: true))
        == "\u{1B}[1mf:1:1:\u{1B}[0m \u{1B}[38;5;100mwarning:\u{1B}[0m m\\u{1B}\n"
        + "\u{1B}[38;5;243m  1 | \u{1B}[0mx\n\u{1B}[38;5;243m    | \u{1B}[0m\u{1B}[1;38;5;196m^\u{1B}[0m\n")
  }
}
