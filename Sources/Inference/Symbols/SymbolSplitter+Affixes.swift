import Quotes

/// The common parts of a table's symbols that do not belong to the pair.
extension SymbolSplitter {
  /// Returns common affixes outside of names: `t` of `tBTCUSD`, `PF_` of `PF_XBTUSD`, `-SWAP` of `BTC-USDT-SWAP`.
  func affixes() -> (prefix: String, suffix: String) {
    guard let first = symbols.first else { return ("", "") }
    let product = commonProduct
    if !product.isEmpty {
      let inner = SymbolSplitter(symbols.map { String($0.dropLast(product.count)) }).affixes()
      return (inner.prefix, inner.suffix + product)
    }
    let lead = lowercaseLead(of: first)
    let pieces = first.split { Self.separators.contains($0) }
    if lead.isEmpty, let word = pieces.count >= 3 ? wordAroundPair(first, pieces) : wordBesidePair(first, pieces) {
      return word
    }
    return (lead, pieces.count == 1 ? trailingLetter() ?? "" : "")
  }

  /// `t` of `tBTCUSD`: the lowercase letters before the pair of all symbols; empty if there are none.
  private func lowercaseLead(of first: String) -> String {
    let lead = first.prefix { $0.isLowercase }
    let next = first.dropFirst(lead.count).first
    guard next.map({ $0.isLetter || $0.isNumber }) ?? false, symbols.allSatisfy({ $0.hasPrefix(lead) }) else {
      return ""
    }
    return String(lead)
  }

  /// Returns a common word before the first of several separators, or after the last, that is not a currency.
  private func wordAroundPair(_ first: String, _ pieces: [Substring]) -> (prefix: String, suffix: String)? {
    let lead = String(first.prefix(pieces[0].count + 1))
    let tail = String(first.suffix(pieces[pieces.count - 1].count + 1))
    if symbols.allSatisfy({ $0.hasSuffix(tail) }), !CurrencyCode.isPayment(pieces[2].uppercased()) {
      return ("", productBefore(tail) + tail)
    }
    guard symbols.allSatisfy({ $0.hasPrefix(lead) }), !CurrencyCode.isPayment(pieces[0].uppercased()) else {
      return nil
    }
    return (lead, "")
  }

  /// Returns a common word before or after the only separator: `PF_` of `PF_XBTUSD`, `_PERP` of `BTCUSDT_PERP`.
  private func wordBesidePair(_ first: String, _ pieces: [Substring]) -> (prefix: String, suffix: String)? {
    guard pieces.count == 2 else { return nil }
    let second = pieces[1].uppercased()
    let tail = String(first.suffix(pieces[1].count + 1))
    // `BTCUSDT_PERP`, `ethbtc_ticker`: the suffix is not a currency, and the rest is not a single asset.
    if symbols.allSatisfy({ $0.hasSuffix(tail) }), !CurrencyCode.isKnown(second) {
      let known = symbols.count { CurrencyCode.isKnown($0.dropLast(tail.count).uppercased()) }
      if symbols.count >= 3 && known * 5 < symbols.count || Self.products.contains(second) { return ("", tail) }
    }
    let lead = String(first.prefix(pieces[0].count + 1))
    guard symbols.count >= 2, symbols.allSatisfy({ $0.hasPrefix(lead) }) else { return nil }
    // A word that is also the name of a coin needs pairs behind it in all symbols.
    let isWord = !CurrencyCode.isKnown(pieces[0].uppercased())
    let isFollowed = CurrencyCode.payments.contains { second.hasSuffix($0) && second.count > $0.count + 1 }
    let isLead = isWord ? isFollowed : arePairs(symbols.map { $0.dropFirst(lead.count).uppercased() })
    return isLead ? (lead, "") : nil
  }

  /// `-PERP` of `BTC-PERP-X`, given `-X`: the product before an ending that all symbols have; empty if there is none.
  private func productBefore(_ tail: String) -> String {
    let heads = symbols.map { $0.dropLast(tail.count) }
    guard let first = heads.first, let start = first.lastIndex(where: { Self.separators.contains($0) }),
      Self.products.contains(first[first.index(after: start)...].uppercased())
    else { return "" }
    let product = String(first[start...])
    return heads.allSatisfy { $0.hasSuffix(product) } ? product : ""
  }

  /// Returns whether all texts are pairs without a separator: each ends in a payment currency, and at least two of them,
  /// and a third, begin with a known coin.
  private func arePairs(_ texts: [String]) -> Bool {
    var known = 0
    for text in texts {
      let payments = PaymentLearner.known(endingOf: text)
      if payments.isEmpty { return false }
      if payments.contains(where: { CurrencyCode.isKnown(String(text.dropLast($0.count))) }) { known += 1 }
    }
    return known >= 2 && known * 3 >= texts.count
  }

  /// `PERP` of `BTCUSDTPERP`: the product that directly follows the pair in all symbols; empty if there is none.
  private var commonProduct: String {
    let product = symbols.first.map(Self.product(endingOf:)) ?? ""
    guard !product.isEmpty, symbols.allSatisfy({ Self.product(endingOf: $0) == product }) else { return "" }
    // A single symbol may be a coin.
    let inner = symbols.map { $0.dropLast(product.count).uppercased() }
    return symbols.count > 1 || !PaymentLearner.known(endingOf: inner[0]).isEmpty ? product : ""
  }

  /// Returns a product that directly follows the rest of a symbol, as it is written there; empty if there is none.
  static func product(endingOf symbol: String) -> String {
    let upper = symbol.uppercased()
    guard let word = ["PERPETUAL", "FUTURES", "PERP", "SWAP"].first(where: upper.hasSuffix) else { return "" }
    let rest = symbol.dropLast(word.count)
    guard rest.count >= 2, let last = rest.last, !separators.contains(last) else { return "" }
    return String(symbol.suffix(word.count))
  }

  /// Returns `M` of `XBTUSDTM`: a letter at the end of all symbols, which only end in payment currencies without it.
  private func trailingLetter() -> String? {
    guard symbols.count >= 2, let letter = symbols[0].last, symbols.allSatisfy({ $0.last == letter }) else {
      return nil
    }
    let plain = symbols.map { String($0.dropLast()).uppercased() }
    let with = symbols.count { !PaymentLearner.known(endingOf: $0.uppercased()).isEmpty }
    let without = plain.count { !PaymentLearner.known(endingOf: $0).isEmpty }
    return with == 0 && without * 10 >= symbols.count * 9 ? String(letter) : nil
  }
}
