import Testing

@testable import Terminal

@Suite struct LineEditorTests {
  /// Keys in order, and the resulting line with `|` at the cursor.
  @Test(arguments: [
    ([Key("b"), "t", "c"], "btc|"),
    ([.control("a"), "x"], "x|비트 coin"),
    ([Key(.backspace)], "비트 coi|"),
    ([Key(.left), Key(.left), Key(.backspace)], "비트 c|in"),
    ([Key(.home), Key(.delete)], "|트 coin"),
    ([Key(.home), Key(.right), "ㅂ"], "비ㅂ|트 coin"),
    ([.control("w")], "비트 |"),
    ([.control("w"), .control("w")], "|"),
    ([Key(.left, .control)], "비트 |coin"),
    ([.control("a"), Key(.character("f"), .alt)], "비트| coin"),
    ([.control("a"), Key(.character("d"), .alt)], "| coin"),
    ([.control("b"), .control("k")], "비트 coi|"),
    ([.control("u")], "|"),
    ([.control("u"), .control("y"), .control("y")], "비트 coin비트 coin|"),
    ([.control("e"), .control("d")], "비트 coin|"),
    ([.control("h"), .control("b"), .control("f")], "비트 coi|"),
    ([Key(.end), Key(.home), Key(.backspace)], "|비트 coin"),
  ])
  func keys(_ keys: [Key], _ expected: String) {
    var editor = LineEditor(keys.first == "b" ? "" : "비트 coin")
    for key in keys { _ = editor.handle(key) }
    let cursor = editor.visible(cells: 1000).cursor
    var text = ""
    var cells = 0
    for character in editor.text {
      if cells == cursor { text += "|" }
      cells += TerminalText.width(of: character)
      text.append(character)
    }
    #expect(text + (cells == cursor ? "|" : "") == expected)
  }

  @Test(
    arguments: [
      (Key("a"), .changed), (Key(.left), .moved), (Key(.backspace), .changed), (Key(.delete), .moved),
      (Key(.enter), .ignored),
      (Key(.escape), .ignored), (Key(.tab), .ignored), (Key(.up), .ignored), (.control("g"), .ignored),
      (Key(.character("x"), .alt), .ignored),
    ] as [(Key, LineEditor.Effect)])
  func effect(_ key: Key, _ effect: LineEditor.Effect) {
    var editor = LineEditor("btc")
    let found = editor.handle(key)
    #expect(found == effect)
  }

  @Test func pastesBecomeOneLineWithoutControlCharacters() {
    var editor = LineEditor()
    editor.insert("a\nb\tc\u{1B}\u{9B}d")
    #expect(editor.text == "a b cd")
    editor.insert(String(repeating: "x", count: 10_000))
    #expect(editor.text.count == 500)
  }

  /// What has no width would put the cursor elsewhere than the terminal does; what has a purpose there is kept.
  @Test(arguments: [
    ("b\u{200B}t\u{202E}c\u{FEFF}", "btc", 3), ("\u{2066}비\u{2060}트\u{E0001}", "비트", 4),
    ("❤\u{FE0F}x", "❤\u{FE0F}x", 3), ("e\u{301}\u{200D}", "e\u{301}", 1), ("👩\u{200D}💻", "👩\u{200D}💻", 2),
  ])
  func pastesKeepWhatIsVisible(_ pasted: String, _ expected: String, _ cursor: Int) {
    var editor = LineEditor()
    editor.insert(pasted)
    #expect(editor.text == expected)
    #expect(editor.visible(cells: 20).cursor == cursor)
    _ = editor.handle(Key(.character("\u{200B}")))
    #expect(editor.text == expected)
  }

  @Test func syllablePartsAreComposed() {
    var editor = LineEditor()
    for scalar in "\u{1107}\u{1175}e\u{301}".unicodeScalars { _ = editor.handle(Key(.character(Character(scalar)))) }
    #expect(editor.visible(cells: 20).cursor == 3)
    _ = editor.handle(Key(.backspace))
    #expect(editor.text == "\u{1107}\u{1175}")
  }

  @Test(
    arguments: [
      (20, "비트코인 btc", 12), (12, "트코인 btc", 10), (5, " btc", 4), (4, "btc", 3), (1, "", 0), (0, "", 0),
    ])
  func visible(_ cells: Int, _ text: String, _ cursor: Int) {
    let shown = LineEditor("비트코인 btc").visible(cells: cells)
    #expect(shown.text == text)
    #expect(shown.cursor == cursor)
    #expect(TerminalText.width(of: shown.text) <= max(cells, 1))
  }

  @Test func visibleAroundACursorInTheMiddle() {
    var editor = LineEditor("비트코인")
    for _ in 0..<3 { _ = editor.handle(Key(.left)) }
    let shown = editor.visible(cells: 5)
    #expect(shown.text == "비트")
    #expect(shown.cursor == 2)
  }
}
