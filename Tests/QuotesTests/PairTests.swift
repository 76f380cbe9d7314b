import Quotes
import Testing

/// Which texts may be the name of an asset.
@Suite struct PairTests {
  @Test(arguments: [
    "BTC", "1000SATS", "USDT-BEP20", "BRK.B", "ETH2.S", "$ANON", "@107", "H", "币安人生", "비트코인", "Ωmega", "T^3", "A&B",
    "X_Y", "K+",
  ])
  func names(_ text: String) {
    #expect(Pair.isName(text))
    #expect(Pair("\(text)/krw") == Pair(asset: text.uppercased(), payment: "KRW"))
  }

  @Test(arguments: [
    "", " ", "B TC", "B\tC", "B\u{0}C", "B\u{1B}[2JC", "B\u{9B}C", "B\u{200B}C", "B\u{202E}C", "B\u{FEFF}",
    "B\u{2028}C", "B\u{E000}",
    String(repeating: "A", count: 65), "\u{3164}", "B\u{FE0F}", "A,B", "A:B", "A;B", "\"A\"", "A'", "`A`", "A\\B", "--",
    "...", "/",
  ])
  func invalidNames(_ text: String) {
    #expect(!Pair.isName(text))
    #expect(Pair("\(text)/KRW") == nil)
  }

  @Test(arguments: [
    ("1000PEPE", "PEPE"), ("10000SATS", "SATS"), ("1000000MOG", "MOG"), ("1MBABYDOGE", "BABYDOGE"), ("PEPE", nil),
    ("1INCH", nil), ("100X", nil), ("1000X", nil), ("1000", nil), ("1M", nil), ("0X0", nil), ("1010ABC", nil),
  ])
  func bundles(_ name: String, _ coin: String?) {
    #expect(Pair.coin(ofBundle: name) == coin)
  }
}
