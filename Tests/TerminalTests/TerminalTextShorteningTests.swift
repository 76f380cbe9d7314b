import Terminal
import Testing

@Suite struct TerminalTextShorteningTests {
  @Test(arguments: [
    ("Binance", 7, "Binance", "Binance"), ("Binance", 6, "Binan…", "…nance"), ("Binance", 1, "…", "…"),
    ("Binance", 0, "", ""), ("하나은행", 8, "하나은행", "하나은행"), ("하나은행", 7, "하나은…", "…나은행"),
    ("하나은행", 6, "하나…", "…은행"), ("하나은행", 2, "…", "…"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…", "…e\u{301}"),
    ("👩‍👩‍👧🚀🚀", 5, "👩‍👩‍👧🚀…", "…🚀🚀"), ("", 0, "", ""),
  ])
  func shortened(_ text: String, _ cells: Int, _ beginning: String, _ end: String) {
    #expect(TerminalText.prefix(of: text, cells: cells) == beginning)
    #expect(TerminalText.suffix(of: text, cells: cells) == end)
  }

  @Test(
    arguments: [
      ("a bb ccc", nil, ["a bb ccc"]), ("a bb ccc", 4, ["a bb", "ccc"]), ("a bb ccc", 1, ["a", "bb", "ccc"]),
      ("하나 은행 원", 7, ["하나", "은행 원"]), ("", 5, [""]),
    ] as [(String, Int?, [String])])
  func wrapped(_ text: String, _ cells: Int?, _ lines: [String]) {
    #expect(TerminalText.wrapped(text, cells: cells) == lines)
  }

  @Test(
    arguments: [
      (nil, ["max  0.19 %,  Upbit over"]), (24, ["max  0.19 %,  Upbit over"]), (23, ["max  0.19 %,  Upbit", "  over"]),
      (12, ["max  0.19 %,", "  Upbit over"]), (3, ["max", "  0.19", "  %,", "  Upbit", "  over"]),
    ] as [(Int?, [String])])
  func wrappedStyledText(_ cells: Int?, _ lines: [String]) {
    // A word may have two styles, and spaces not at a line break stay.
    let text = StyledText("max  ") + StyledText("0.19 %", .up) + StyledText(",  Upbit over")
    let wrapped = text.wrapped(to: cells)
    #expect(wrapped.map { $0.painted(with: .plain) } == lines)
    #expect(wrapped.allSatisfy { $0.width == TerminalText.width(of: $0.painted(with: .plain)) })
  }

  /// A number is shown whole or not at all.
  @Test(arguments: [
    ("than 20 %", 9, "than 20 %"), ("than 20 %", 8, "than…"), ("than 20 %", 7, "than…"), ("at 12:30 UTC", 8, "at…"),
    ("64.9 %", 4, "…"), ("64.9 %", 5, "…"), ("http-429", 7, "http…"), ("2 pairs", 6, "2 pai…"),
  ])
  func numbersAreNotCut(_ text: String, _ cells: Int, _ shortened: String) {
    #expect(StyledText(text).shortened(to: cells).painted(with: .plain) == shortened)
  }

  @Test(
    arguments: [
      (9, [("abc", .up), ("defghi", .down)]), (8, [("abc", .up), ("defg…", .down)]), (4, [("abc", .up), ("…", .down)]),
      (3, [("ab…", .up)]), (1, [("…", .up)]),
    ] as [(Int, [(String, Style)])])
  func styledText(_ cells: Int, _ runs: [(String, Style)]) {
    let text = StyledText("abc", .up) + StyledText("defghi", .down)
    #expect(text.shortened(to: cells).runs.map(\.text) == runs.map(\.0))
    #expect(text.shortened(to: cells).runs.map(\.style) == runs.map(\.1))
  }
}
