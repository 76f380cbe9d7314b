import Terminal
import Testing

@testable import Shell
@testable import Views
@testable import market

@Suite struct ContextTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let words: [String]
    var environment: [String: String] = [:]
    var isTerminal = true
    var preferred: ColorScheme?
    let palette: Palette

    var testDescription: String { "\(words) \(environment) \(isTerminal)" }
  }

  private static let command = Command(
    name: "sample", summary: "a sample", examples: [], options: [.scheme, .glyphs], work: .immediate { _, _ in .answer }
  )

  private static func drawing(_ drawing: GlyphSet.Drawing) -> Palette {
    Palette(scheme: .us, isColored: true, glyphs: GlyphSet(drawing))
  }

  @Test(arguments: [
    Case(words: [], palette: Palette(scheme: .us, isColored: true)),
    Case(words: [], isTerminal: false, palette: Palette(scheme: .us, isColored: false)),
    Case(words: [], environment: ["LANG": "ko_KR.UTF-8"], palette: Palette(scheme: .kr, isColored: true)),
    Case(words: [], preferred: .cb, palette: Palette(scheme: .cb, isColored: true)),
    Case(words: ["--scheme", "kr"], preferred: .cb, palette: Palette(scheme: .kr, isColored: true)),
    Case(words: ["--color=always"], isTerminal: false, palette: Palette(scheme: .us, isColored: true)),
    Case(words: ["--color=never"], palette: Palette(scheme: .us, isColored: false)),
    Case(words: [], environment: ["NO_COLOR": "1"], palette: Palette(scheme: .us, isColored: false)),
    Case(words: ["--glyphs", "ascii"], palette: Self.drawing(.ascii)),
    Case(words: [], environment: ["LANG": "C"], palette: Self.drawing(.ascii)),
    Case(words: ["--glyphs", "unicode"], environment: ["LANG": "C"], palette: Self.drawing(.full)),
    Case(words: [], environment: ["TERM": "linux"], palette: Self.drawing(.ascii)),
    Case(
      words: ["--color", "always"], environment: ["TERM": "linux"], isTerminal: false, palette: Self.drawing(.full)),
  ])
  func palette(_ sample: Case) throws {
    var world = TestWorld(sample.words, environment: sample.environment)
    world.context.terminal.outputIsTerminal = sample.isTerminal
    let invocation = try CommandLineParser.parse(sample.words, for: Self.command)
    #expect(try world.context.palette(ColorOptions(invocation), preferring: sample.preferred) == sample.palette)
  }

  /// Konkani (`kok`) is not Korean.
  @Test(arguments: [("ko_KR.UTF-8", .korean), ("kok_IN.UTF-8", .english), ("C", .english)] as [(String, Language)])
  func weekdays(_ locale: String, _ language: Language) throws {
    let world = TestWorld([], environment: ["LANG": "en_US.UTF-8", "LC_TIME": locale])
    let invocation = try CommandLineParser.parse([], for: Self.command)
    #expect(try world.context.page(ColorOptions(invocation)).weekdays == language)
  }

  /// Formats for programs, and the notes beside them, are English everywhere.
  @Test(
    arguments: [
      ("ko_KR.UTF-8", nil, .text, .korean), ("ko_KR.UTF-8", .english, .text, .english), ("C", .korean, .text, .korean),
      ("C", nil, .text, nil), ("ko_KR.UTF-8", nil, .csv, nil),
    ] as [(String, Language?, OutputFormat, Language?)])
  func reportLanguage(_ locale: String, _ asked: Language?, _ format: OutputFormat, _ language: Language?) {
    let context = TestWorld([], environment: ["LANG": locale]).context
    #expect(context.textLanguage(asked, for: format) == language)
  }

  /// A terminal of another encoding would not show Hangul. Where no locale says which, texts are in UTF-8.
  @Test(
    arguments: [
      (["LANG": "ko_KR.UTF-8"], .korean), (["LANG": "ko_KR.utf8"], .korean), (["LC_MESSAGES": "ko"], .korean),
      (["LANG": "ko_KR.eucKR"], .english), (["LANG": "ko_KR"], .english),
      (["LANG": "ko_KR.eucKR", "LC_CTYPE": "C.UTF-8"], .korean), (["LANG": "ko_KR.UTF-8", "LC_CTYPE": "C"], .english),
    ] as [([String: String], Language)])
  func language(_ environment: [String: String], _ language: Language) throws {
    let context = TestWorld([], environment: environment).context
    #expect(context.language == language)
    let invocation = try CommandLineParser.parse([], for: Self.command)
    let expected = environment["LC_MESSAGES"] == nil ? language : .english
    #expect(try context.page(ColorOptions(invocation)).weekdays == expected)
  }

  @Test func inputFromAPerson() throws {
    var world = TestWorld([], input: "x")
    #expect(try world.context.input() == [0x78])
    #expect(world.errorOutput == "")
    world.context.terminal.inputIsTerminal = true
    #expect(try world.context.input() == [0x78])
    #expect(world.errorOutput == "market: reading standard input; end it with Ctrl-D\n")
  }

  @Test func notesAndErrorsBreakBetweenWords() async {
    var world = TestWorld(["jsonpath", "$", "/nowhere/at/all.json", "--color", "never"])
    world.context.terminal.errorColumns = 30
    world.context.note("Upbit spot: timeout (no answer in time)")
    _ = await Program.market.run(in: world.context)
    #expect(
      world.errorOutput == """
        market: Upbit spot: timeout
          (no answer in time)
        error: cannot read
          '/nowhere/at/all.json': No
          such file or directory

        """)
  }

  /// A note appears after the output that was written before it.
  @Test func noteFlushesTheOutput() {
    let world = TestWorld([])
    world.context.output.write("row\n")
    #expect(world.output == "")
    world.context.note("Upbit: timeout")
    #expect(world.output == "row\n")
    #expect(world.errorOutput == "market: Upbit: timeout\n")
  }

  /// An exchange's text is made visible on a terminal and goes into a pipe unchanged.
  @Test(arguments: [(true, "\"a\\u202eb\"\n"), (false, "\"a\u{202E}b\"\n")])
  func hostileJSONIsVisibleOnATerminalOnly(_ isTerminal: Bool, _ output: String) async {
    var world = TestWorld(["jsonpath", "$"], input: "\"a\u{202E}b\"")
    world.context.terminal.outputIsTerminal = isTerminal
    #expect(await Program.market.run(in: world.context) == .answer)
    #expect(world.output == output)
  }
}
