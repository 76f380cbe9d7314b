import Testing

@testable import Terminal

@Suite struct NameFilterTests {
  private static let pairs: [(symbol: String, names: [String], aliases: [String])] = [
    ("BTC/KRW", ["비트코인", "Bitcoin"], ["XBT"]), ("ETH/BTC", ["이더리움", "Ethereum"], []),
    ("WBTC/USDT", ["랩트비트코인", "Wrapped Bitcoin"], []),
    ("BTC/USDT", ["비트코인", "Bitcoin"], ["XBT"]), ("BTT/KRW", ["비트토렌트", "BitTorrent"], []),
    ("XRP/KRW", ["리플", "Ripple"], []),
    ("BCH/KRW", ["비트코인캐시", "Bitcoin Cash"], []), ("ETC/KRW", ["이더리움클래식", "Ethereum Classic"], []),
    ("SOL/USDT", ["솔라나", "Solana"], []),
  ]

  private static let subjects = pairs.map {
    NameFilter.Subject(symbol: $0.symbol, names: $0.names, aliases: $0.aliases)
  }

  @Test(arguments: [
    ("", ["BTC/KRW", "ETH/BTC", "WBTC/USDT", "BTC/USDT", "BTT/KRW", "XRP/KRW", "BCH/KRW", "ETC/KRW", "SOL/USDT"]),
    (" | ", ["BTC/KRW", "ETH/BTC", "WBTC/USDT", "BTC/USDT", "BTT/KRW", "XRP/KRW", "BCH/KRW", "ETC/KRW", "SOL/USDT"]),
    // The asset, then the payment currency, then inside.
    ("btc", ["BTC/KRW", "BTC/USDT", "ETH/BTC", "WBTC/USDT"]),
    ("btc krw", ["BTC/KRW"]),
    ("krw btc|리플", ["XRP/KRW", "BTC/KRW"]),
    ("xbt", ["BTC/KRW", "BTC/USDT"]),
    // Symbol's start, name's start, initials, inside.
    ("bt", ["BTC/KRW", "BTC/USDT", "BTT/KRW", "ETH/BTC", "WBTC/USDT"]),
    ("bitcoin", ["BTC/KRW", "BTC/USDT", "BCH/KRW", "WBTC/USDT"]),
    ("비트", ["BTC/KRW", "BTC/USDT", "BTT/KRW", "BCH/KRW", "WBTC/USDT"]),
    ("ㅂㅌ", ["BTC/KRW", "BTC/USDT", "BTT/KRW", "BCH/KRW", "WBTC/USDT"]),
    ("ㅂㅌ krw", ["BTC/KRW", "BTT/KRW", "BCH/KRW"]),
    ("ㅋㅅ", ["BCH/KRW"]),
    // The other keyboard layout: letters that form syllables always, initials only if nothing else is found.
    ("qlxm", ["BTC/KRW", "WBTC/USDT", "BTC/USDT", "BTT/KRW", "BCH/KRW"]),
    ("qxzd", ["BTC/KRW", "WBTC/USDT", "BTC/USDT", "BCH/KRW"]),
    ("ㅠㅅㅊ", ["BTC/KRW", "ETH/BTC", "BTC/USDT"]),
    ("내ㅣ", ["SOL/USDT"]),
    ("doge", []), ("btc doge", []),
  ])
  func keeps(_ filter: String, _ symbols: [String]) {
    #expect(NameFilter(filter).places(in: Self.subjects).map { Self.pairs[$0].symbol } == symbols)
  }

  /// The second alias of a name without a payment currency counts as much as the first.
  @Test func aliasesAreNoPaymentCurrencies() {
    let subjects = [
      NameFilter.Subject(symbol: "XBTUSD", names: []),
      NameFilter.Subject(symbol: "BTC", names: [], aliases: ["XB", "XBT"]),
    ]
    #expect(NameFilter("xbt").places(in: subjects) == [1, 0])
  }

  @Test(
    arguments: [
      ("비트코잉", "비트코인"), ("이더라움", "이더리움"), ("bitconi", "Bitcoin"), ("ethreum", "Ethereum"), ("irplpe", "Ripple"),
      ("xpr", nil),
      ("zzzzzz", nil), ("", nil),
    ] as [(String, String?)])
  func nearest(_ typed: String, _ name: String?) {
    #expect(NameFilter.nearest(to: typed, in: Self.pairs.flatMap(\.names)) == name)
  }
}
