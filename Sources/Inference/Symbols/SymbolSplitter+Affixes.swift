// What the symbols of a table have in common and is no part of a pair.
extension SymbolSplitter {
  /// `t` of `tBTCUSD`, `PF_` of `PF_XBTUSD`, `-SWAP` of `BTC-USDT-SWAP`: what all share and is no part of a name.
  func affixes() -> (prefix: String, suffix: String) {
    guard let first = symbols.first else { return ("", "") }
    var prefix = ""
    let head = first.prefix { $0.isLowercase }
    // A lower-case head before capitals, or a word before the first of two separators.
    if !head.isEmpty, head.count < first.count, head.allSatisfy(\.isLetter), symbols.allSatisfy({ $0.hasPrefix(head) })
    {
      prefix = String(head)
    }
    let pieces = first.split { Self.separators.contains($0) }
    if pieces.count >= 3, prefix.isEmpty {
      let lead = String(first.prefix(pieces[0].count + 1))
      let tail = String(first.suffix(pieces[pieces.count - 1].count + 1))
      let leads = symbols.allSatisfy { $0.hasPrefix(lead) }
      let tails = symbols.allSatisfy { $0.hasSuffix(tail) }
      if tails, !CurrencyCode.isPayment(String(pieces[2]).uppercased()) { return ("", tail) }
      if leads, !CurrencyCode.isPayment(String(pieces[0]).uppercased()) { return (lead, "") }
    }
    if pieces.count == 2, prefix.isEmpty {
      let second = String(pieces[1]).uppercased()
      let tail = String(first.suffix(pieces[1].count + 1))
      // `BTCUSDT_PERP`, `ethbtc_ticker`: what follows is no currency, and what stands before is no asset by itself.
      if symbols.allSatisfy({ $0.hasSuffix(tail) }), CurrencyCode.rank(of: second) == 0 {
        let heads = symbols.map { String($0.dropLast(tail.count)).uppercased() }
        let known = heads.filter { CurrencyCode.rank(of: $0) > 0 }.count
        if symbols.count >= 3 && known * 5 < symbols.count || Self.products.contains(second) {
          return ("", tail)
        }
      }
      let lead = String(first.prefix(pieces[0].count + 1))
      let rest = String(pieces[1]).uppercased()
      if CurrencyCode.rank(of: String(pieces[0]).uppercased()) == 0, symbols.count >= 2,
        symbols.allSatisfy({ $0.hasPrefix(lead) }),
        CurrencyCode.payments.contains(where: { rest.hasSuffix($0) && rest.count > $0.count + 1 })
      {
        return (lead, "")
      }
    }
    if pieces.count == 1, let letter = trailingLetter() { return (prefix, letter) }
    return (prefix, "")
  }

  /// `M` of `XBTUSDTM`: one letter behind all symbols, without which they end in payment currencies, and with it none.
  private func trailingLetter() -> String? {
    guard symbols.count >= 2, let letter = symbols[0].last, symbols.allSatisfy({ $0.last == letter }) else {
      return nil
    }
    let plain = symbols.map { String($0.dropLast()).uppercased() }
    let with = symbols.filter { !PaymentLearner.known(endingOf: $0.uppercased()).isEmpty }.count
    let without = plain.filter { !PaymentLearner.known(endingOf: $0).isEmpty }.count
    return with == 0 && without * 10 >= symbols.count * 9 ? String(letter) : nil
  }
}
