import Testing

@testable import Terminal

/// The queries sent, and the meaning of replies and variables.
@Suite struct TerminalQueriesTests {
  private func questions(_ environment: [String: String] = [:]) -> TerminalQueries {
    TerminalQueries { environment[$0] }
  }

  @Test(
    arguments: [
      ([:], "E[H┃E[6nE[H한E[6nE[HE[KE]11;?E\\E[>0qE[c"),
      (["TERM_PROGRAM": "Apple_Terminal"], "E[H┃E[6nE[H한E[6nE[HE[KE[>0qE[c"),
      (["TERM": "linux"], "E[H┃E[6nE[H한E[6nE[HE[KE[c"),
    ] as [([String: String], String)])
  func bytes(_ environment: [String: String], _ expected: String) {
    #expect(String(decoding: questions(environment).bytes, as: UTF8.self) == expected.replacing("E", with: "\u{1B}"))
  }

  @Test func answers() {
    var asked = questions()
    for reply in [
      TerminalReply.cursor(ScreenPlace(column: 1, row: 0)), .cursor(ScreenPlace(column: 2, row: 0)),
      .background(red: 0, green: 0.17, blue: 0.21), .version("foot 1.16"),
    ] {
      let isNews = asked.take(reply)
      #expect(isNews && !asked.isOver)
    }
    _ = asked.take(.attributes)
    #expect(asked.isOver)
    var expected = TerminalTraits()
    (expected.barWidth, expected.hangulWidth, expected.ground) = (1, 2, .dark)
    (expected.version, expected.answers) = ("foot 1.16", true)
    #expect(asked.traits == expected)
    // Late ones are dropped; a change of the background is not a reply.
    _ = asked.take(.cursor(ScreenPlace(column: 2, row: 0)))
    _ = asked.take(.background(red: 1, green: 1, blue: 1))
    #expect(asked.traits == expected)
    _ = asked.take(.ground(.light))
    #expect(asked.traits.ground == .light)
  }

  @Test func lateRepliesCount() {
    var asked = questions()
    asked.giveUp()
    #expect(asked.isOver && !asked.traits.answers)
    _ = asked.take(.cursor(ScreenPlace(column: 2, row: 0)))
    _ = asked.take(.attributes)
    #expect(asked.traits.answers && asked.traits.barWidth == nil)
  }

  @Test(
    arguments: [
      ("15;0", .dark), ("0;15", .light), ("15;default;0", .dark), ("0;default;7", .light), ("12;8", .dark), ("x", nil),
      ("", nil), ("0;99", nil),
    ] as [(String, Ground?)])
  func colorsVariable(_ value: String, _ ground: Ground?) {
    #expect(questions(["COLORFGBG": value]).traits.ground == ground)
  }

  @Test(
    arguments: [
      (0, 0, 0, .dark), (1, 1, 1, .light), (0, 0.17, 0.21, .dark), (0.99, 0.96, 0.89, .light), (0.2, 0.2, 0.2, .dark),
      (0.6, 0.6, 0.6, .light),
    ] as [(Double, Double, Double, Ground)])
  func ground(_ red: Double, _ green: Double, _ blue: Double, _ ground: Ground) {
    #expect(Ground(red: red, green: green, blue: blue) == ground)
  }

  // MARK: - Glyphs

  struct Answer: Sendable, CustomTestStringConvertible {
    var mode = GlyphMode.auto
    var bar: Int?
    var hangul: Int?
    var environment: [String: String] = [:]
    let glyphs: GlyphSet

    var testDescription: String { "\(mode) \(bar ?? 0) \(hangul ?? 0) \(environment)" }
  }

  @Test(arguments: [
    Answer(bar: 1, hangul: 2, glyphs: GlyphSet(.full)),
    Answer(bar: 2, hangul: 2, glyphs: GlyphSet(.unambiguous)),
    Answer(glyphs: GlyphSet(.unambiguous)),
    Answer(environment: ["LANG": "ko_KR.UTF-8"], glyphs: GlyphSet(.unambiguous)),
    Answer(environment: ["LANG": "C"], glyphs: GlyphSet(.ascii, hasUnicode: false)),
    Answer(bar: 1, hangul: 2, environment: ["LANG": "C"], glyphs: GlyphSet(.full)),
    Answer(bar: 3, hangul: 3, environment: ["LANG": "C.UTF-8"], glyphs: GlyphSet(.ascii, hasUnicode: false)),
    Answer(bar: 1, hangul: 2, environment: ["TERM": "linux"], glyphs: GlyphSet(.ascii)),
    Answer(mode: .ascii, bar: 1, hangul: 2, glyphs: GlyphSet(.ascii)),
    Answer(mode: .ascii, environment: ["LANG": "C"], glyphs: GlyphSet(.ascii, hasUnicode: false)),
    Answer(mode: .unicode, bar: 1, hangul: 2, environment: ["TERM": "linux"], glyphs: GlyphSet(.full)),
    Answer(mode: .unicode, environment: ["LANG": "C"], glyphs: GlyphSet(.unambiguous)),
  ])
  func glyphs(_ answer: Answer) {
    var traits = TerminalTraits()
    (traits.barWidth, traits.hangulWidth) = (answer.bar, answer.hangul)
    #expect(GlyphSet(answer.mode, traits: traits) { answer.environment[$0] } == answer.glyphs)
  }

  /// Every character used for drawing screens.
  static let drawing = "▴▾▸◂⋮╽╿╻╹╷╵░▐┃│▁▂▃▄▅▆▇█▏▎▍▌▋▊▉…⡇⠒⣀⣤⣶⣿"

  @Test func noAmbiguousGlyphsOnTerminalsThatDrawThemWide() {
    let frame = Frame(
      size: ScreenSize(columns: 80, rows: 1), lines: [StyledText(Self.drawing)], glyphs: GlyphSet(.unambiguous))
    #expect(frame.lines == ["▴▾▸◂⋮╽╿╻╹╷╵░▐⡇⡇⣀⣀⣤⣤⣶⣶⣿⣿⡇⡇⡇⡇⣿⣿⣿⋯⡇⠒⣀⣤⣶⣿"])
    #expect(frame.cells.allSatisfy { $0.hasCertainWidth })
  }

  @Test func asciiIsASCII() {
    let frame = Frame(
      size: ScreenSize(columns: 80, rows: 2), lines: [StyledText(Self.drawing), StyledText("비트 é|")],
      glyphs: GlyphSet(.ascii, hasUnicode: false))
    #expect(frame.lines == ["^v><:====||:#=|..--==##---==##~:'..::", "? ?  ?|"])
  }

  /// Printed text keeps the names in it, in whatever colours.
  @Test(arguments: [true, false]) func printedASCII(_ isColored: Bool) {
    let palette = Palette(scheme: .us, isColored: isColored, glyphs: GlyphSet(.ascii))
    let text = (StyledText("▴ 비트 é") + StyledText(Self.drawing)).painted(with: palette)
    #expect(text == "^ 비트 é^v><:====||:#=|..--==##---==##~:'..::")
    #expect(palette.next.glyphs == palette.glyphs)
  }

  // MARK: - Modes and messages

  @Test func modesAreUndoneInReverse() {
    let modes = ScreenModes { _ in nil }
    #expect(
      String(decoding: modes.entering, as: UTF8.self).replacing("\u{1B}", with: "E")
        == "E[?1049hE[?25lE[?7lE[?1007hE[?1004hE[?2004hE[?2031hE[2 q")
    #expect(
      String(decoding: modes.leaving, as: UTF8.self).replacing("\u{1B}", with: "E")
        == "E\\E]8;;E\\E[?2026lE[mE[0 qE[?1006lE[?1002lE[?2031lE[?2004lE[?1004lE[?1007lE[?7hE[?25hE[?1049l")
    #expect(
      String(decoding: modes.blanking, as: UTF8.self).replacing("\u{1B}", with: "E")
        == "E\\E]8;;E\\E[?2026lE[mE[HE[2J")
    #expect(modes.blanking.count + modes.leaving.count < 512)
    let console = ScreenModes { $0 == "TERM" ? "linux" : nil }
    #expect(!String(decoding: console.entering + console.leaving, as: UTF8.self).contains("q"))
    #expect(!String(decoding: console.leaving, as: UTF8.self).contains("]8"))
  }

  @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("비트", "67mE7Yq4")])
  func copies(_ text: String, _ coded: String) {
    #expect(TerminalMessage.copy(text) == Array("\u{1B}]52;c;\(coded)\u{1B}\\".utf8))
  }

  @Test func oversizedCopyIsRefused() {
    #expect(TerminalMessage.copy(String(repeating: "x", count: 60_000)) == nil)
  }

  @Test(
    arguments: [
      (nil, [:], "\u{7}"),
      ("kitty 0.35", [:], "\u{7}E]99;;3 up: a,b\\u{1B}]E\\"),
      (nil, ["LC_TERMINAL": "iTerm2"], "\u{7}E]9;market: 3 up: a,b\\u{1B}]E\\"),
      ("foot", [:], "\u{7}E]777;notify;3 up;a,b\\u{1B}]E\\"),
      ("tmux 3.3a", ["TMUX": "x"], "\u{7}EPtmux;EE]777;notify;3 up;a,b\\u{1B}]EE\\E\\"),
    ] as [(String?, [String: String], String)])
  func notifications(_ version: String?, _ environment: [String: String], _ expected: String) {
    let bytes = TerminalMessage.notification(title: "3 up", body: "a;b\u{1B}]", version: version) { environment[$0] }
    #expect(String(decoding: bytes, as: UTF8.self) == expected.replacing("E", with: "\u{1B}"))
  }

  // MARK: - Colours

  /// WCAG 2.1 contrast on common backgrounds.
  @Test(
    arguments: [
      (ScreenColors.tonesOfBoth, [(0, 0, 0, 3.8), (255, 255, 255, 3.8), (0, 43, 54, 3.2), (253, 246, 227, 3.2)]),
      (ScreenColors.tonesOfDark, [(0, 0, 0, 4.5), (0, 43, 54, 4.5)]),
      (ScreenColors.tonesOfLight, [(255, 255, 255, 4.5), (253, 246, 227, 4.0)]),
    ] as [([UInt8], [(Int, Int, Int, Double)])])
  func contrast(_ tones: [UInt8], _ grounds: [(Int, Int, Int, Double)]) {
    for tone in tones {
      for (red, green, blue, least) in grounds {
        let contrast = Self.contrast(Self.color(tone), [red, green, blue])
        #expect(contrast + 0.05 >= least, "\(tone) on \(red) \(green) \(blue): \(contrast)")
      }
    }
  }

  private static func color(_ index: UInt8) -> [Int] {
    let index = Int(index)
    if index >= 232 { return Array(repeating: 8 + 10 * (index - 232), count: 3) }
    let levels = [0, 95, 135, 175, 215, 255]
    return [(index - 16) / 36, (index - 16) / 6 % 6, (index - 16) % 6].map { levels[$0] }
  }

  private static func contrast(_ left: [Int], _ right: [Int]) -> Double {
    func luminance(_ color: [Int]) -> Double {
      zip(color, [0.2126, 0.7152, 0.0722]).reduce(0) { sum, part in
        let value = Double(part.0) / 255
        return sum + part.1 * (value <= 0.03928 ? value / 12.92 : power((value + 0.055) / 1.055))
      }
    }
    let (a, b) = (luminance(left), luminance(right))
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  /// Returns x to the power of 2.4, as the fifth root of the twelfth power (Newton).
  private static func power(_ x: Double) -> Double {
    var wanted = 1.0
    for _ in 0..<12 { wanted *= x }
    var root = x
    for _ in 0..<60 where root > 0 {
      root -= (root * root * root * root * root - wanted) / (5 * root * root * root * root)
    }
    return root
  }

  @Test func noColorVariableDisablesColour() {
    let colors = ScreenColors(scheme: .kr, depth: .none, ground: .dark)
    for style in Style.allCases { #expect(colors.ink(of: style, isStrong: true).color == .own) }
    #expect(colors.ink(of: .up, isStrong: true).isUnderlined)
  }

  @Test func schemesDifferOnlyInColour() {
    for style in Style.allCases {
      let inks = ColorScheme.allCases.map {
        ScreenColors(scheme: $0, depth: .indexed, ground: nil).ink(of: style, isStrong: false)
      }
      #expect(Set(inks.map(\.isBold)).count == 1)
      #expect(style == .up || style == .down || Set(inks).count == 1)
    }
  }
}
