import Formats
import Testing

@Suite struct CSVWriterTests {
  @Test(
    arguments: [
      (.text("BTC"), "BTC"), (.text(""), ""), (.text("a,b"), "\"a,b\""), (.text("say \"hi\""), "\"say \"\"hi\"\"\""),
      (.text("two\nlines"), #"two\u{A}lines"#), (.text("two\r\nlines"), #"two\u{D}\u{A}lines"#), (.text(" x "), " x "),
      (.text("\u{1B}[31m\u{9B}2J\u{7F},\u{202E}"), #""\u{1B}[31m\u{9B}2J\u{7F},\u{202E}""#),
      (.text("\"\u{301}"), "\"\"\"\u{301}\""), (.text("하나은행"), "하나은행"),
      (.text("=1+1"), "'=1+1"), (.text("＝1+1"), "'＝1+1"), (.text("|calc"), "'|calc"), (.text("a|b"), "a|b"),
      (.text("@SUM(A1)"), "'@SUM(A1)"), (.text("+1"), "'+1"), (.text("-x"), "'-x"),
      (.text("\tx"), #"'\u{9}x"#), (.text("=A1,\"x\""), "\"'=A1,\"\"x\"\"\""),
      (.number("-0.40"), "-0.40"), (.number("+1.23"), "+1.23"), (.number("1.16539E8"), "1.16539E8"),
      (.number("1e-7"), "1e-7"), (.number("134512000"), "134512000"), (.number(""), ""), (.number("-"), "'-"),
      (.number("-2+3"), "'-2+3"), (.number("=1"), "'=1"), (.number("1.2.3"), "1.2.3"),
    ] as [(CSVWriter.Field, String)])
  func field(_ field: CSVWriter.Field, _ written: String) {
    var writer = CSVWriter(titles: ["t"])
    writer.addRecord([.text("x"), field])
    #expect(Array(writer.text.utf8) == Array("t\r\nx,\(written)\r\n".utf8))
  }

  @Test func records() {
    var writer = CSVWriter(titles: ["exchange", "price"])
    writer.addRecord([.text("Upbit"), .number("134512000")])
    #expect(writer.text == "exchange,price\r\nUpbit,134512000\r\n")
  }
}
