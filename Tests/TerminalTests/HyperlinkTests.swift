import Testing

@testable import Terminal

/// Which addresses may be sent to a terminal.
@Suite struct HyperlinkTests {
  @Test(arguments: [
    "https://upbit.com/exchange?code=CRIX.UPBIT.KRW-BTC", "https://a.test/%ED%95%9C", "https://a.test/#x=1&y=~",
  ])
  func allowed(_ address: String) { #expect(Hyperlink(address)?.address == address) }

  /// No byte that a terminal might take for the end of the link, or for anything but part of it.
  @Test(arguments: [
    "", "http://a.test", "javascript:alert(1)", "file:///etc/passwd", "HTTPS://a.test", "https://a.test/\u{1B}\\x",
    "https://a.test/\u{7}", "https://a.test/a b", "https://a.test/\n", "https://a.test/\u{9C}", "https://a.test/한",
    "https://a.test/\u{7F}", "https://a.test/" + String(repeating: "x", count: 2083),
  ])
  func refused(_ address: String) { #expect(Hyperlink(address) == nil) }

  /// Truncated or wrapped parts link to the same address as the whole.
  @Test func partsLinkToTheSameAddress() throws {
    let link = try #require(Hyperlink("https://exchange.test/trade/BTC_USDT"))
    let text = StyledText("at ", .dim) + StyledText(link, .heading)
    let cut = text.shortened(to: 12)
    #expect(cut.runs.map(\.text) == ["at ", "https://…"])
    #expect(cut.runs.map(\.link) == [nil, link])
    #expect(text.wrapped(to: 20).flatMap(\.runs).filter { $0.text.contains("/") }.map(\.link) == [link])
    #expect(text.painted(with: .plain) == "at https://exchange.test/trade/BTC_USDT")
  }

  @Test(arguments: [
    (["TERM": "xterm-256color"], true), (["TERM": "tmux-256color", "NO_COLOR": "1"], true), ([:], true),
    (["TERM": "linux"], false), (["TERM": "dumb"], false),
    (["TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"], false),
  ])
  func linksAreShownOnlyWhereSupported(_ environment: [String: String], _ isTold: Bool) {
    #expect(Hyperlink.areShown { environment[$0] } == isTold)
  }
}
