import Terminal
import Testing

@Suite struct TerminalTextSanitizingTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    /// The text shown; nil for the text itself.
    var shown: String?

    var testDescription: String { name }
  }

  @Test(arguments: [
    Case(name: "ASCII", text: "BTC/USDT ~"),
    Case(name: "Hangul", text: "하나은행"),
    Case(name: "Hangul of conjoining jamo", text: "\u{1112}\u{1161}\u{11AB}"),
    Case(name: "Han and kana", text: "比特币ビット"),
    Case(name: "accents", text: "e\u{301}é"),
    Case(name: "emoji", text: "🚀👍🏽👩‍👩‍👧❤\u{FE0F}🇰🇷1\u{FE0F}\u{20E3}"),
    Case(name: "Persian with a joiner", text: "می\u{200C}خواهم"),
    Case(name: "Devanagari with a joiner", text: "क्\u{200D}ष"),
    Case(name: "no-break space", text: "1\u{A0}000"),
    Case(name: "replacement character", text: "\u{FFFD}"),
    Case(name: "colour", text: "\u{1B}[31mred\u{1B}[0m", shown: #"\u{1B}[31mred\u{1B}[0m"#),
    Case(name: "title of the window", text: "\u{1B}]0;x\u{7}", shown: #"\u{1B}]0;x\u{7}"#),
    Case(name: "C1 CSI", text: "\u{9B}31m", shown: #"\u{9B}31m"#),
    Case(name: "line breaks and tabs", text: "a\r\nb\tc\u{B}", shown: #"a\u{D}\u{A}b\u{9}c\u{B}"#),
    Case(name: "NUL and DEL", text: "\0\u{7F}", shown: #"\u{0}\u{7F}"#),
    Case(name: "next line", text: "a\u{85}b", shown: #"a\u{85}b"#),
    Case(name: "line separators", text: "\u{2028}\u{2029}", shown: #"\u{2028}\u{2029}"#),
    Case(name: "bidi override", text: "\u{202E}CTB\u{202C}", shown: #"\u{202E}CTB\u{202C}"#),
    Case(name: "bidi isolates", text: "\u{2066}x\u{2069}", shown: #"\u{2066}x\u{2069}"#),
    Case(name: "bidi marks", text: "\u{200E}\u{200F}\u{61C}", shown: #"\u{200E}\u{200F}\u{61C}"#),
    Case(name: "zero-width space in a name", text: "BT\u{200B}C", shown: #"BT\u{200B}C"#),
    Case(name: "joiners between Latin letters", text: "B\u{200D}T\u{200C}C", shown: #"B\u{200D}T\u{200C}C"#),
    Case(name: "joiner at the end", text: "👩\u{200D}", shown: #"👩\u{200D}"#),
    Case(name: "byte order mark", text: "\u{FEFF}BTC", shown: #"\u{FEFF}BTC"#),
    Case(name: "word joiner, invisible times", text: "a\u{2060}b\u{2062}c", shown: #"a\u{2060}b\u{2062}c"#),
    Case(name: "soft hyphen", text: "BT\u{AD}C", shown: #"BT\u{AD}C"#),
    Case(name: "Hangul fillers", text: "\u{3164}\u{115F}\u{FFA0}", shown: #"\u{3164}\u{115F}\u{FFA0}"#),
    Case(name: "selector behind a letter", text: "a\u{FE0F}", shown: #"a\u{FE0F}"#),
    Case(name: "tags", text: "x\u{E0041}", shown: #"x\u{E0041}"#),
    Case(name: "private use", text: "\u{E000}\u{F8FF}", shown: #"\u{E000}\u{F8FF}"#),
    Case(name: "not a character", text: "\u{FFFF}", shown: #"\u{FFFF}"#),
    Case(name: "unassigned", text: "\u{50000}", shown: #"\u{50000}"#),
    Case(
      name: "a tower of marks", text: "a" + String(repeating: "\u{301}", count: 8),
      shown: "a" + String(repeating: "\u{301}", count: 6) + #"\u{301}\u{301}"#),
  ])
  func shown(_ sample: Case) {
    let shown = TerminalText.sanitized(sample.text)
    #expect(Array(shown.unicodeScalars) == Array((sample.shown ?? sample.text).unicodeScalars))
    #expect(TerminalText.sanitized(shown) == shown, "cleaning twice changes nothing")
  }

  @Test func escapesForJSON() {
    #expect(TerminalText.sanitized("\"\u{7F}\u{202E}\u{E0041}가\"", escaping: .json) == #""\u007f\u202e\udb40\udc41가""#)
  }

  /// No control character is ever output.
  @Test func everyBasicPlaneScalarIsSanitized() {
    for value in UInt32(0)...0xFFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let shown = TerminalText.sanitized("a\(scalar)b")
      let isUnsafe = shown.unicodeScalars.contains { scalar in
        [.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
      }
      #expect(!isUnsafe || shown.unicodeScalars.contains { (0x600...0x109F).contains($0.value) }, "U+\(value)")
    }
  }
}
