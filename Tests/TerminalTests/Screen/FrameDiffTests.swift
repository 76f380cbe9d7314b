import TestSupport
import Testing

@testable import Terminal

/// Whatever was on the screen, applying the difference to a frame yields the frame.
@Suite struct FrameDiffTests {
  /// Random pictures: text of all widths in all styles, tables that change in a few digits, blanks.
  private struct Pictures {
    var random: SeededGenerator

    static let words = [
      "BTC/USDT", "91600.65", "0.13%", " ", "   ", "비트코인", "하나은행", "이더리움클래식", "ㅂㅌ", "▸", "▾", "┃⡇╽╿", "█████▌░░",
      "⣀⣤⣶⣿", "é", "①", "👩‍👩‍👧",
      "🚀", "e\u{301}", "क्ष", "…", "x", "가", "-", "漢字", "\u{1B}[2",
    ]

    mutating func line(columns: Int) -> StyledText {
      var line = StyledText("")
      while line.width < columns + 4, Int.random(in: 0..<9, using: &random) > 0 {
        let word = Self.words[Int.random(in: 0..<Self.words.count, using: &random)]
        let style = Style.allCases[Int.random(in: 0..<Style.allCases.count, using: &random)]
        if Int.random(in: 0..<12, using: &random) == 0,
          let link = Hyperlink("https://a.test/\(Int.random(in: 0..<20, using: &random))")
        {
          // When cut, some look alike and lead elsewhere.
          line = line + StyledText(link, style).shortened(to: Int.random(in: 1...18, using: &random))
        }
        line = line + StyledText(word, style, isStrong: Int.random(in: 0..<6, using: &random) == 0)
      }
      return line
    }

    mutating func lines(_ size: ScreenSize) -> [StyledText] {
      (0..<Int.random(in: 0...size.rows + 2, using: &random)).map { _ in line(columns: size.columns) }
    }

    /// Returns mostly the same lines as before.
    mutating func changed(_ lines: [StyledText], _ size: ScreenSize) -> [StyledText] {
      var lines = lines
      for _ in 0..<Int.random(in: 0...3, using: &random) where !lines.isEmpty {
        lines[Int.random(in: 0..<lines.count, using: &random)] = line(columns: size.columns)
      }
      if !lines.isEmpty, Int.random(in: 0..<4, using: &random) == 0 {
        // A few digits in the middle of a line.
        let index = Int.random(in: 0..<lines.count, using: &random)
        let digits = StyledText(String(Int.random(in: 0..<100, using: &random)), .up, isStrong: true)
        lines[index] = lines[index].shortened(to: size.columns / 2) + digits + line(columns: size.columns / 3)
      }
      return lines
    }

    mutating func size() -> ScreenSize {
      ScreenSize(columns: Int.random(in: 1...40, using: &random), rows: Int.random(in: 1...8, using: &random))
    }

    mutating func cursor(_ size: ScreenSize) -> ScreenPlace? {
      guard Int.random(in: 0..<3, using: &random) == 0 else { return nil }
      return ScreenPlace(
        column: Int.random(in: 0..<size.columns, using: &random), row: Int.random(in: 0..<size.rows, using: &random))
    }
  }

  private static let palettes: [ScreenColors] = [
    ScreenColors(scheme: .kr, depth: .indexed, ground: nil), ScreenColors(scheme: .us, depth: .none, ground: nil),
    ScreenColors(scheme: .cb, depth: .eight, ground: .dark),
  ]

  /// 10,000 consecutive states: changes of a few cells, of everything, of the size.
  @Test(arguments: palettes)
  func diffTurnsOldScreenIntoNew(_ colors: ScreenColors) {
    var pictures = Pictures(random: SeededGenerator(seed: 7))
    let diff = FrameDiff(colors: colors, hasLinks: true)
    var size = pictures.size()
    var model = TerminalModel(columns: size.columns, rows: size.rows)
    var lines = pictures.lines(size)
    var old: Frame?
    for step in 0..<10_000 / Self.palettes.count + 1 {
      switch step % 23 {
      case 0:
        size = pictures.size()
        model.resize(columns: size.columns, rows: size.rows)
        lines = pictures.lines(size)
        // If the random size is the same as before, only the loop knows of the change.
        if old?.size == size { old = nil }
      case 11: old = nil
      default: lines = pictures.changed(lines, size)
      }
      let frame = Frame(size: size, lines: lines, cursor: pictures.cursor(size))
      let bytes = diff.bytes(from: old, to: frame)
      model.write(bytes)
      guard model.shown == TerminalModel.cells(of: frame, in: colors, hasLinks: true), model.complaints.isEmpty,
        model.isCursorShown == (frame.cursor != nil), model.pen == .init(),
        frame.cursor.map({ $0.row == model.row && $0.column == model.column }) ?? true
      else {
        Issue.record(
          "step \(step): \(model.complaints) \(model.row) \(model.column) \(frame.lines)"
        )
        return
      }
      #expect(diff.bytes(from: frame, to: frame).isEmpty)
      old = frame
    }
  }

  /// If a terminal's width of an ambiguous character differs from ours, only that character may look wrong.
  @Test func ambiguousWidthAffectsOnlyThatCharacter() {
    var pictures = Pictures(random: SeededGenerator(seed: 11))
    let colors = Self.palettes[0]
    let diff = FrameDiff(colors: colors)
    let size = ScreenSize(columns: 30, rows: 4)
    var model = TerminalModel(columns: size.columns, rows: size.rows, isWide: true)
    var lines = pictures.lines(size)
    var old: Frame?
    for step in 0..<2000 {
      lines = pictures.changed(lines, size)
      let frame = Frame(size: size, lines: lines)
      model.write(diff.bytes(from: old, to: frame))
      let wanted = TerminalModel.cells(of: frame, in: colors)
      let wrong = wanted.indices.first { place in
        let cell = frame.cells[place]
        return cell.hasCertainWidth && cell != .blank && cell.width > 0 && wanted[place] != model.shown[place]
      }
      #expect(model.complaints == [])
      if let wrong {
        Issue.record("step \(step): column \(wrong % size.columns) of \(frame.lines[wrong / size.columns])")
        return
      }
      old = frame
    }
  }

  @Test func cellsStayInsideAtEverySize() {
    var pictures = Pictures(random: SeededGenerator(seed: 3))
    let colors = Self.palettes[0]
    for columns in [1, 2, 3, 4, 5, 7, 10, 16, 39, 60, 80, 120, 160, 199, 200] {
      for rows in [1, 2, 3, 5, 8, 24, 50, 60] {
        let size = ScreenSize(columns: columns, rows: rows)
        let frame = Frame(size: size, lines: pictures.lines(size), cursor: ScreenPlace(column: 999, row: -3))
        #expect(frame.cells.count == columns * rows)
        #expect(frame.lines.allSatisfy { TerminalText.width(of: $0) <= columns })
        var model = TerminalModel(columns: columns, rows: rows)
        model.write(FrameDiff(colors: colors).bytes(from: nil, to: frame))
        #expect(model.shown == TerminalModel.cells(of: frame, in: colors))
        #expect(model.complaints == [])
        #expect(model.column == columns - 1 && model.row == 0)
      }
    }
  }

  // MARK: - Bytes

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    var old: [StyledText]? = []
    let new: [StyledText]
    var oldCursor: ScreenPlace?
    var cursor: ScreenPlace?
    /// The bytes without the frame's beginning and end; E stands for Esc and `[`, L for the start of OSC 8.
    let bytes: String

    var testDescription: String { name }
  }

  private static func link(_ page: String) -> StyledText {
    Hyperlink("https://a.test/\(page)").map { StyledText($0) } ?? ""
  }

  /// A terminal without link support gets only the text's bytes.
  @Test func withoutLinks() {
    let size = ScreenSize(columns: 30, rows: 1)
    func bytes(_ line: StyledText) -> [UInt8] {
      FrameDiff(colors: Self.palettes[0]).bytes(from: nil, to: Frame(size: size, lines: [line]))
    }
    #expect(bytes(Self.link("1")) == bytes("https://a.test/1"))
  }

  @Test(arguments: [
    Case(name: "nothing", new: [], bytes: ""),
    Case(name: "a cell", new: ["a"], bytes: "EHa"),
    Case(name: "a style", new: [StyledText("+1", .up)], bytes: "EHE38;5;196m+1Em"),
    Case(
      name: "only the digits that differ", old: ["price 91600.65"], new: ["price 91600.78"], bytes: "E;13H78"),
    Case(name: "a short gap is written again", old: ["1.23  4.56"], new: ["1.24  4.57"], bytes: "E;4H4E5C7"),
    Case(name: "a shorter one", old: ["12 34"], new: ["15 37"], bytes: "E;2H5 37"),
    Case(
      name: "styles as differences", new: [StyledText("a", .alert) + StyledText("b", .up) + StyledText("c", .alert)],
      bytes: "EHE1;38;5;196maE22mbE1mcEm"),
    Case(
      name: "strong", new: [StyledText("1", .up) + StyledText("2", .up, isStrong: true)], bytes: "EHE38;5;196m1E1m2Em"),
    Case(name: "a row that gets shorter is ended", old: ["abcdefgh"], new: ["ab"], bytes: "E;3HEK"),
    Case(name: "a few cells become blanks", old: ["abcd"], new: ["ab"], bytes: "E;3H  "),
    Case(name: "a wide character over two", old: ["ab"], new: ["가"], bytes: "EH가"),
    Case(name: "two over a wide one", old: ["가"], new: ["ab"], bytes: "EHab"),
    Case(name: "one over the second half", old: ["가"], new: ["a"], bytes: "EHa "),
    Case(name: "a link", new: [link("1") + "x"], bytes: "EHL;https://a.test/1\\https://a.test/1L;\\x"),
    Case(
      name: "a link to elsewhere", old: [link("1").shortened(to: 9)], new: [link("2").shortened(to: 9)],
      bytes: "EHL;https://a.test/2\\https://…L;\\"),
    Case(
      name: "the end of a link that is longer", old: [link("1")], new: [link("1").shortened(to: 9)],
      bytes: "E;9HL;https://a.test/1\\…L;\\EK"),
    Case(
      name: "a link that goes", old: ["x", link("1")], new: ["y", link("1")], bytes: "EHy"),
    Case(name: "next row", new: ["a", "b"], bytes: "EHa\r\nb"),
    Case(name: "a doubtful one: the next column is named", new: ["éa"], bytes: "EHéE;2HaEK"),
    Case(
      name: "the whole screen", old: nil, new: ["ab", "", "0123456789"],
      bytes: "E?25lEHabEK\r\nEK\r\n0123456789"),
    Case(name: "the cursor appears", new: [], cursor: ScreenPlace(column: 3, row: 1), bytes: "E2;4HE?25h"),
    Case(
      name: "the cursor stays at its place after a frame", new: ["a"], oldCursor: ScreenPlace(column: 3, row: 1),
      cursor: ScreenPlace(column: 3, row: 1), bytes: "EHaE2;4H"),
    Case(name: "the cursor goes", new: ["a"], oldCursor: ScreenPlace(column: 3, row: 1), bytes: "E?25lEHa"),
  ])
  func bytes(_ sample: Case) {
    let size = ScreenSize(columns: ((sample.old ?? []) + sample.new).reduce(10) { max($0, $1.width) }, rows: 3)
    let old = sample.old.map { Frame(size: size, lines: $0, cursor: sample.oldCursor) }
    let new = Frame(size: size, lines: sample.new, cursor: sample.cursor)
    let colors = ScreenColors(scheme: .kr, depth: .indexed, ground: nil)
    let text = String(decoding: FrameDiff(colors: colors, hasLinks: true).bytes(from: old, to: new), as: UTF8.self)
    let expected = sample.bytes.replacing("E", with: "\u{1B}[").replacing("L", with: "\u{1B}]8;")
      .replacing("\\", with: "\u{1B}\\")
    #expect(text == (expected.isEmpty ? "" : "\u{1B}[?2026h\(expected)\u{1B}[?2026l"))
  }

  @Test func changingTenDigitsTakesFewBytes() {
    let size = ScreenSize(columns: 160, rows: 50)
    func lines(_ last: Int) -> [StyledText] {
      (0..<50).map { row in
        let price = StyledText(row % 5 == 0 ? "9160\(row).6\(last)" : "91600.65", .up)
        return StyledText("  BTC/USDT  비트코인  ") + price + StyledText("  0.13  +1.36", .down)
      }
    }
    let diff = FrameDiff(colors: ScreenColors(scheme: .kr, depth: .indexed, ground: nil))
    let (old, new) = (Frame(size: size, lines: lines(1)), Frame(size: size, lines: lines(2)))
    #expect(diff.bytes(from: old, to: new).count < 300)
    #expect(diff.bytes(from: nil, to: new).count < 4000)
  }

  @Test func screenIsNeverCleared() {
    var pictures = Pictures(random: SeededGenerator(seed: 5))
    let size = ScreenSize(columns: 80, rows: 24)
    for _ in 0..<50 {
      let frame = Frame(size: size, lines: pictures.lines(size))
      let bytes = FrameDiff(colors: Self.palettes[0]).bytes(from: nil, to: frame)
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(!text.contains("J"))
    }
  }
}
