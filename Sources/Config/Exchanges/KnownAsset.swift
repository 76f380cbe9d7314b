/// Assets that everyone means by the same name, for checks that recognize them; prices never depend on these lists.
package enum KnownAsset {
  /// Coins worth a euro.
  package static let euros: Set = ["EURC", "EURT", "EURI"]

  /// Coins whose price moves against the dollar.
  package static let coins = euros.union([
    "BTC", "ETH", "XRP", "BNB", "SOL", "DOGE", "ADA", "TRX", "LTC", "BCH", "LINK", "DOT", "AVAX", "XLM", "PAXG", "XAUT",
  ])

  /// Currencies and coins that are never another name of something else.
  package static let unmistakable: Set = [
    "BTC", "ETH", "XRP", "BNB", "SOL", "DOGE", "ADA", "TRX", "USDT", "USDC", "USD", "EUR", "KRW", "JPY", "GBP",
  ]
}
