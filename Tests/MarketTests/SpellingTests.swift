import Config
import Testing

@Suite struct SpellingTests {
  private static let names = [
    "show", "tickers", "exchanges", "test-exchange", "validate-config", "help", "wallet-status", "woo",
  ]

  @Test(
    arguments: [
      ("shwo", "show"), ("sho", "show"), ("shows", "show"), ("tickres", "tickers"), ("ticker", "tickers"),
      ("tick", "tickers"), ("exchagnes", "exchanges"), ("exchnge", "exchanges"), ("test-exchang", "test-exchange"),
      ("validate", "validate-config"), ("hepl", "help"), ("xy", nil), ("", nil), ("orderbook", nil),
      ("shop-around", nil), ("wallet", "wallet-status"), ("wallets", "wallet-status"), ("has", nil),
      ("hoo", nil), ("WOO", "woo"), ("wooo", "woo"), ("owo", "woo"), ("wop", "woo"),
    ] as [(String, String?)])
  func nearest(_ written: String, _ expected: String?) {
    #expect(Spelling.suggestion(for: written, among: Self.names) == expected)
  }

  @Test(arguments: [
    ("", "", 0), ("a", "", 1), ("", "ab", 2), ("abc", "abc", 0), ("abc", "abd", 1), ("abc", "acb", 1), ("abc", "ab", 1),
    ("abc", "xabc", 1), ("kitten", "sitting", 3), ("하나", "하니", 1), ("ca", "abc", 3),
  ])
  func distance(_ first: String, _ second: String, _ expected: Int) {
    #expect(Spelling.distance(first, second) == expected)
    #expect(Spelling.distance(second, first) == expected)
  }
}
