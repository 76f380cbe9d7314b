/// Recognizes typed names of assets and pairs by well-known currency codes.
package enum PairWord {
  /// Returns a pair in one word, with or without a separator between its codes: `BTC/USDT`, `btcusdt`. Returns nil if
  /// it may well be a single asset, such as `WBETH`.
  package static func pair(in word: String) -> Pair? {
    let word = word.uppercased()
    let parts = word.split(omittingEmptySubsequences: false) { "/-_:".contains($0) }
    if parts.count > 1 {
      return parts.count == 2 && parts.allSatisfy(isCode)
        ? Pair(asset: String(parts[0]), payment: String(parts[1])) : nil
    }
    guard !CurrencyCode.isKnown(word) else { return nil }
    for payment in CurrencyCode.payments where word.hasSuffix(payment) && word.count >= payment.count + 2 {
      let asset = String(word.dropLast(payment.count))
      // Only pairs end in these two.
      if CurrencyCode.isKnown(asset) || ["USDT", "USDC"].contains(payment), isCode(asset[...]) {
        return Pair(asset: asset, payment: payment)
      }
    }
    return nil
  }

  /// Returns whether a word is a well-known asset or currency, ignoring case.
  package static func isKnown(_ word: String) -> Bool { CurrencyCode.isKnown(word.uppercased()) }

  /// Returns whether it is a common payment currency.
  package static func isPayment(_ word: String) -> Bool { CurrencyCode.isPayment(word.uppercased()) }

  /// Returns whether it is a well-known coin, and no token that is pegged to a currency.
  package static func isCoin(_ word: String) -> Bool { 1...3 ~= CurrencyCode.rank(of: word.uppercased()) }

  /// Returns whether the asset is rather what the other is paid for in: BTC/ETH, USDT/BTC. What is unknown is paid for
  /// in money or tokens pegged to it.
  package static func isReversed(_ pair: Pair) -> Bool {
    let (asset, payment) = (CurrencyCode.rank(of: pair.asset), CurrencyCode.rank(of: pair.payment))
    return asset > payment && asset > (payment == 0 ? 3 : 1)
  }

  private static func isCode(_ word: Substring) -> Bool {
    !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }
}
