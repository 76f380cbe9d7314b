import Terminal
import Testing

@Suite struct TerminalTextWidthTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    let cells: Int

    var testDescription: String { name }
  }

  @Test(arguments: [
    Case(name: "empty", text: "", cells: 0),
    Case(name: "ASCII", text: "BTC/USDT", cells: 8),
    Case(name: "Latin-1", text: "é£", cells: 2),
    Case(name: "combining acute", text: "e\u{301}", cells: 1),
    Case(name: "two marks on one letter", text: "o\u{302}\u{323}", cells: 1),
    Case(name: "Greek and Cyrillic", text: "ΩЖ", cells: 2),
    Case(name: "Hangul syllables", text: "하나은행", cells: 8),
    Case(name: "Hangul of conjoining jamo", text: "\u{1112}\u{1161}\u{11AB}", cells: 2),
    Case(name: "Hangul, two syllables of jamo", text: "\u{1112}\u{1161}\u{1102}\u{1161}", cells: 4),
    Case(name: "compatibility jamo", text: "ㅋㅋ", cells: 4),
    Case(name: "halfwidth jamo", text: "\u{FFA1}\u{FFC2}", cells: 2),
    Case(name: "Han", text: "比特币", cells: 6),
    Case(name: "Han, extension B", text: "\u{20000}", cells: 2),
    Case(name: "kana", text: "ビット", cells: 6),
    Case(name: "kana with combining voice mark", text: "カ\u{3099}", cells: 2),
    Case(name: "halfwidth kana", text: "ｱｲ", cells: 2),
    Case(name: "fullwidth ASCII", text: "ＢＴＣ", cells: 6),
    Case(name: "fullwidth won", text: "￦", cells: 2),
    Case(name: "won", text: "₩", cells: 1),
    Case(name: "ideographic space", text: "\u{3000}", cells: 2),
    Case(name: "half fill space", text: "\u{303F}", cells: 1),
    Case(name: "enclosed Han", text: "㈜㊗", cells: 4),
    Case(name: "ambiguous circled number", text: "①", cells: 1),
    Case(name: "box drawing", text: "─│", cells: 2),
    Case(name: "ellipsis", text: "…", cells: 1),
    Case(name: "emoji", text: "🚀", cells: 2),
    Case(name: "emoji of the text plane", text: "⚡", cells: 2),
    Case(name: "text by default", text: "❤", cells: 1),
    Case(name: "the same in emoji form", text: "❤\u{FE0F}", cells: 2),
    Case(name: "the same in text form", text: "❤\u{FE0E}", cells: 1),
    Case(name: "keycap", text: "1\u{FE0F}\u{20E3}", cells: 2),
    Case(name: "skin colour", text: "👍🏽", cells: 2),
    Case(name: "joined family", text: "👩‍👩‍👧", cells: 2),
    Case(name: "rainbow flag", text: "🏳\u{FE0F}‍🌈", cells: 2),
    Case(name: "flag", text: "🇰🇷", cells: 2),
    Case(name: "two flags", text: "🇰🇷🇺🇸", cells: 4),
    Case(name: "half a flag", text: "🇰", cells: 1),
    Case(name: "Thai with marks", text: "ที่", cells: 1),
    Case(name: "Devanagari conjunct", text: "क्ष", cells: 2),
    Case(name: "Arabic", text: "بيت", cells: 3),
    Case(name: "zero-width space", text: "a\u{200B}b", cells: 2),
    Case(name: "bidi override", text: "a\u{202E}b", cells: 2),
    Case(name: "soft hyphen", text: "a\u{AD}b", cells: 2),
    Case(name: "controls", text: "\u{7}\u{1B}\u{9B}", cells: 0),
    Case(name: "digits among Hangul", text: "가1나2", cells: 6),
  ])
  func width(_ sample: Case) {
    #expect(TerminalText.width(of: sample.text) == sample.cells)
  }

  /// The first and last of each block, and their neighbours outside.
  @Test(arguments: [
    (0x10FF, 1), (0x1100, 2), (0x115E, 2), (0x2328, 1), (0x2329, 2), (0x232A, 2), (0x2E7F, 1), (0x2E80, 2),
    (0x303E, 2), (0x3041, 2), (0x3248, 1), (0x324F, 1), (0x3250, 2), (0x4DC0, 2), (0x4E00, 2), (0xA4CF, 2),
    (0xA4D0, 1), (0xA960, 2), (0xABFF, 1), (0xAC00, 2), (0xD7A3, 2), (0xF8FF, 1), (0xF900, 2), (0xFAFF, 2),
    (0xFE10, 2), (0xFF01, 2), (0xFF60, 2), (0xFF61, 1), (0xFFE6, 2), (0xFFE8, 1), (0x1F200, 2), (0x1F600, 2),
    (0x1FAE8, 2), (0x20000, 2), (0x3FFFD, 2), (0x40000, 1),
  ])
  func edgeOfBlock(_ value: UInt32, _ cells: Int) throws {
    let scalar = try #require(Unicode.Scalar(value))
    #expect(TerminalText.width(of: String(scalar)) == cells)
  }
}
