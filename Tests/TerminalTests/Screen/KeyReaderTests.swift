import TestSupport
import Testing

@testable import Terminal

/// A terminal's input, one byte at a time.
@Suite struct KeyReaderTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let bytes: [UInt8]
    let inputs: [TerminalInput]
    /// The input if nothing follows.
    var late: [TerminalInput] = []

    var testDescription: String { String(decoding: bytes, as: UTF8.self).debugDescription }

    init(_ text: String, _ inputs: [TerminalInput], late: [TerminalInput] = []) {
      self.init(Array(text.replacing("E", with: "\u{1B}").utf8), inputs, late: late)
    }

    init(_ text: String, _ key: Key) {
      self.init(text, [.key(key)])
    }

    init(_ bytes: [UInt8], _ inputs: [TerminalInput], late: [TerminalInput] = []) {
      (self.bytes, self.inputs, self.late) = (bytes, inputs, late)
    }
  }

  static let keys: [Case] = [
    Case("q", "q"), Case("Q", "Q"), Case("한", "한"), Case("ㅂ", "ㅂ"), Case("é", "é"), Case("🚀", "🚀"),
    Case("\r", Key(.enter)), Case("\n", Key(.enter)), Case("\t", Key(.tab)), Case("\u{7F}", Key(.backspace)),
    Case("\u{8}", Key(.backspace)), Case("\u{1}", .control("a")), Case("\u{1A}", .control("z")),
    Case("\u{0}", .control(" ")),
    Case("\u{1F}", .control("_")), Case("E[A", Key(.up)), Case("EOA", Key(.up)), Case("E[B", Key(.down)),
    Case("E[C", Key(.right)), Case("E[D", Key(.left)), Case("E[H", Key(.home)), Case("E[F", Key(.end)),
    Case("E[1~", Key(.home)), Case("E[4~", Key(.end)), Case("E[7~", Key(.home)), Case("E[8~", Key(.end)),
    Case("E[2~", Key(.insert)), Case("E[3~", Key(.delete)), Case("E[5~", Key(.pageUp)), Case("E[6~", Key(.pageDown)),
    Case("EOP", Key(.function(1))), Case("E[15~", Key(.function(5))), Case("E[17~", Key(.function(6))),
    Case("E[21~", Key(.function(10))), Case("E[24~", Key(.function(12))), Case("E[[C", Key(.function(3))),
    Case("E[1;5C", Key(.right, .control)), Case("E[1;2A", Key(.up, .shift)), Case("E[1;3D", Key(.left, .alt)),
    Case("E[1;7D", Key(.left, [.alt, .control])), Case("E[3;5~", Key(.delete, .control)),
    Case("E[Z", Key(.tab, .shift)),
    Case("Eb", Key(.character("b"), .alt)), Case("E\r", Key(.enter, .alt)), Case("E\u{7F}", Key(.backspace, .alt)),
    Case("E한", Key(.character("한"), .alt)), Case("E[97;5u", .control("a")), Case("E[27;5;13~", Key(.enter, .control)),
    Case("E]x", [.key(Key(.character("]"), .alt)), .key("x")]),
    Case("EPq", [.key(Key(.character("P"), .alt)), .key("q")]),
    Case("EE[A", [.key(Key(.escape)), .key(Key(.up))]),
  ]

  static let others: [Case] = [
    Case("E", [], late: [.key(Key(.escape))]),
    Case("EE", [.key(Key(.escape))], late: [.key(Key(.escape))]),
    Case("E[", []), Case("EO", []), Case("E[12", []), Case("E]11;rgb:00", []),
    // Mouse, focus.
    Case("E[<0;12;3M", [.mouse(MouseEvent(action: .press, button: 0, place: ScreenPlace(column: 11, row: 2)))]),
    Case("E[<0;12;3m", [.mouse(MouseEvent(action: .release, button: 0, place: ScreenPlace(column: 11, row: 2)))]),
    Case("E[<34;300;200M", [.mouse(MouseEvent(action: .drag, button: 2, place: ScreenPlace(column: 299, row: 199)))]),
    Case("E[<64;1;1M", [.mouse(MouseEvent(action: .wheelUp, button: 0, place: ScreenPlace(column: 0, row: 0)))]),
    Case("E[<81;1;1M", [.mouse(MouseEvent(action: .wheelDown, button: 0, place: ScreenPlace(column: 0, row: 0)))]),
    Case("E[<0;0;1M", []), Case("E[<0;1M", []), Case("E[I", [.focus(true)]), Case("E[O", [.focus(false)]),
    Case([0x1B, 0x5B, 0x4D, 0x20, 0xFF, 0x80, 0x71], [.key("q")]),
    // Replies.
    Case("E[?62;22c", [.reply(.attributes)]), Case("E[?1;2;4c", [.reply(.attributes)]), Case("E[>1;10;0c", []),
    Case("E[1;3R", [.reply(.cursor(ScreenPlace(column: 2, row: 0)))]), Case("E[R", Key(.function(3))),
    Case("E[0n", [.reply(.ready)]),
    Case("E[3n", []), Case("E[?997;1n", [.reply(.ground(.dark))]), Case("E[?997;2n", [.reply(.ground(.light))]),
    Case("E]11;rgb:0000/0000/0000E\\", [.reply(.background(red: 0, green: 0, blue: 0))]),
    Case("E]11;rgb:ff/ff/ff\u{7}", [.reply(.background(red: 1, green: 1, blue: 1))]),
    Case("E]11;rgba:f/0/f/8E\\", [.reply(.background(red: 1, green: 0, blue: 1))]),
    Case("E]11;rgb:zz/0/0E\\", []), Case("E]10;rgb:0/0/0E\\", []), Case("E]52;c;YWJjE\\", []),
    Case("EP>|tmux 3.3aE\\", [.reply(.version("tmux 3.3a"))]), Case("EP>|a\u{7}bE\\", [.reply(.version("a\\u{7}b"))]),
    Case("EP1$r0mE\\", []), Case("E_Gi=31;OKE\\", []), Case("E[?2026;2$y", []),
    // A sequence that interrupts another is read on its own.
    Case("E[12E[A", [.key(Key(.up))]), Case("E]11;rgE[B", [.key(Key(.down))]), Case("E[1\u{18}q", [.key("q")]),
    Case("E]1\u{1A}q", [.key("q")]), Case("E[1;5\rq", [.key(Key(.enter)), .key("q")]),
    // Unknown sequences are consumed completely.
    Case("E[99~q", [.key("q")]), Case("E[1;2;3;4zq", [.key("q")]), Case("E[=5uq", [.key("q")]),
    Case("EOxq", [.key("q")]),
    Case("E[1 qq", [.key("q")]), Case("E[" + String(repeating: "1", count: 5000) + "Aq", [.key(Key(.up)), .key("q")]),
    // Pastes: line ends as sent, no controls, no sequences.
    Case("E[200~BTC\rㅂㅌE[31m\u{3}E[201~q", [.paste("BTC\nㅂㅌ[31m"), .key("q")]),
    Case("E[200~a\r\nbE[201~", [.paste("a\nb")]), Case("E[200~E[201~q", [.key("q")]),
    Case("E[200~abc", [], late: [.paste("abc")]),
    Case("E[200~" + String(repeating: "x", count: 70_000) + "E[201~", [.paste(String(repeating: "x", count: 65_536))]),
    // UTF-8: truncated, overlong, surrogates, beyond the last scalar, C1.
    Case([0xED, 0x95, 0x71], [.key("q")]), Case([0xC0, 0xAF, 0x71], [.key("q")]),
    Case([0xE0, 0x80, 0x80, 0x71], [.key("q")]),
    Case([0xED, 0xA0, 0x80, 0x71], [.key("q")]), Case([0xF4, 0x90, 0x80, 0x80, 0x71], [.key("q")]),
    Case([0x9B, 0x41], [.key("A")]), Case([0xC2, 0x9B, 0x41], [.key("A")]), Case([0xFF, 0xFE, 0x71], [.key("q")]),
    Case([0xED, 0x1B, 0x5B, 0x41], [.key(Key(.up))]), Case([0xED, 0x95], []),
  ]

  @Test(arguments: keys + others) func inputs(_ sample: Case) {
    var reader = KeyReader()
    var inputs: [TerminalInput] = []
    for byte in sample.bytes { inputs += reader.feed(byte) }
    #expect(inputs == sample.inputs)
    let isOpen = reader.patience != nil
    #expect(reader.expire() == sample.late)
    #expect(reader.patience == nil)
    #expect(isOpen || sample.late.isEmpty)
  }

  /// Whatever was interrupted, the next key counts again after the timeout.
  @Test func keyCountsAfterAnyInterruptedInput() {
    var random = SeededGenerator(seed: 21)
    let alphabet: [UInt8] =
      Array("\u{1B}[]OP?<>;:0129ABMRcmn~u\\$q\r\u{7}\u{18}".utf8) + [0xED, 0x95, 0x9C, 0xFF, 0x80]
    for _ in 0..<20_000 {
      var reader = KeyReader()
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        _ = reader.feed(alphabet[Int.random(in: 0..<alphabet.count, using: &random)])
      }
      _ = reader.expire()
      #expect(reader.feed(UInt8(ascii: "j")) == [.key("j")])
    }
  }

  @Test func escapeTimesOutSoonerThanReplies() {
    var reader = KeyReader(escapeNanoseconds: 25_000_000)
    #expect(reader.patience == nil)
    _ = reader.feed(0x1B)
    #expect(reader.patience == 25_000_000)
    reader.isExpectingReply = true
    #expect(reader.patience == 500_000_000)
    _ = reader.feed(UInt8(ascii: "["))
    #expect(reader.patience == 500_000_000)
    _ = reader.feed(UInt8(ascii: "1"))
    #expect(reader.patience == 3_000_000_000)
  }

  // MARK: - The Korean keyboard

  @Test(
    arguments: zip(
      "ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅁㄴㅇㄹㅎㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡㅃㅉㄸㄲㅆㅒㅖ", "qwertyuiopasdfghjklzxcvbnmQWERTOP"))
  func koreanLetterIsTheKeyAtItsPosition(_ letter: Character, _ key: Character) {
    #expect(Key(.character(letter)).asCommand == Key(.character(key)))
    #expect(Key(.character(letter), .alt).asCommand == Key(.character(key), .alt))
  }

  @Test func syllablesAreNotCommands() {
    for character in "가비힣ㅘㄳ" { #expect(Key(.character(character)).asCommand == nil) }
    for key in [Key("q"), Key(.enter), .control("a"), Key("漢"), Key(.up)] { #expect(key.asCommand == key) }
  }
}
