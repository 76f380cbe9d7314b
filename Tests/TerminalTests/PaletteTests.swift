import Terminal
import Testing

@Suite struct PaletteTests {
  @Test(
    arguments: [
      (.kr, .up, "\u{1B}[38;5;196m1\u{1B}[0m"), (.kr, .down, "\u{1B}[38;5;32m1\u{1B}[0m"),
      (.us, .up, "\u{1B}[38;5;28m1\u{1B}[0m"), (.us, .down, "\u{1B}[38;5;196m1\u{1B}[0m"),
      (.cb, .up, "\u{1B}[38;5;32m1\u{1B}[0m"), (.cb, .down, "\u{1B}[38;5;166m1\u{1B}[0m"),
      (.kr, .neutral, "1"), (.us, .dim, "\u{1B}[38;5;243m1\u{1B}[0m"),
      (.us, .highlight, "\u{1B}[1;38;5;166m1\u{1B}[0m"),
      (.us, .alert, "\u{1B}[1;38;5;196m1\u{1B}[0m"), (.us, .warning, "\u{1B}[38;5;100m1\u{1B}[0m"),
      (.us, .heading, "\u{1B}[1m1\u{1B}[0m"),
    ] as [(ColorScheme, Style, String)])
  func paint(_ scheme: ColorScheme, _ style: Style, _ painted: String) {
    #expect(Palette(scheme: scheme, isColored: true).paint("1", as: style) == painted)
    #expect(Palette(scheme: scheme, isColored: false).paint("1", as: style) == "1")
    #expect(Palette(scheme: scheme, isColored: true).paint("", as: style) == "")
  }

  @Test(
    arguments: [
      (.auto, true, [:], true), (.auto, false, [:], false), (.auto, true, ["NO_COLOR": "1"], false),
      (.auto, true, ["NO_COLOR": ""], true), (.auto, true, ["TERM": "dumb"], false),
      (.auto, true, ["TERM": "xterm-256color"], true), (.always, false, ["NO_COLOR": "1", "TERM": "dumb"], true),
      (.never, true, [:], false),
    ] as [(ColorMode, Bool, [String: String], Bool)])
  func isColored(_ mode: ColorMode, _ isTerminal: Bool, _ environment: [String: String], _ expected: Bool) {
    #expect(mode.isColored(onTerminal: isTerminal) { environment[$0] } == expected)
  }

  @Test(
    arguments: [
      ([:], .us), (["LANG": "ko_KR.UTF-8"], .kr), (["LANG": "ko"], .kr), (["LANG": "kok_IN"], .us),
      (["LANG": "en_US.UTF-8"], .us),
      (["LANG": "ko_KR.UTF-8", "LC_ALL": "C"], .us), (["LANG": "C", "LC_MESSAGES": "ko_KR"], .kr),
      (["LANG": "ko_KR", "LC_ALL": ""], .kr),
    ] as [([String: String], ColorScheme)])
  func schemeOfLocale(_ environment: [String: String], _ scheme: ColorScheme) {
    #expect(ColorScheme(locale: LocaleName(of: "LC_MESSAGES") { environment[$0] }) == scheme)
  }

  /// A key cycles through all of them.
  @Test func nextColours() {
    let korean = Palette(scheme: .kr, isColored: true)
    var round = [korean]
    while round.count < 5, let last = round.last { round.append(last.next) }
    #expect(round.map { $0.isColored ? $0.scheme.rawValue : "none" } == ["kr", "us", "cb", "none", "kr"])
  }
}
