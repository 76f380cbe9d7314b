import Quotes

/// Tables with symbols of several forms, or of three parts.
extension SymbolSplitter {
  /// Splits symbols with the settlement currency after the pair, including mixed tables.
  func settled() -> Result? {
    let found = symbols.compactMap { SettledSymbol($0)?.separators }
    guard let separators = found.first, found.count * 3 >= symbols.count else { return nil }
    let rule = AffixedRule(rule: .settled(separators))
    let rest = symbols.filter { rule.pair(of: $0) == nil }
    var result = Result(
      rules: [rule], confidence: 0.95,
      evidence: ["the settlement currency follows the pair in \((symbols.count - rest.count).counted("symbol"))"])
    guard !rest.isEmpty else { return result }
    result.add(SymbolSplitter(rest).takenApart(), forRest: Double(rest.count) / Double(symbols.count))
    return result
  }

  /// Splits symbols of two codes after letters for their class, including plain ones among them.
  func classed() -> Result? {
    let codes = symbols.compactMap { ClassedCodes($0) }
    let known = codes.filter {
      CurrencyCode.isKnown($0.asset) && CurrencyCode.isPayment($0.payment)
        && ($0.paymentClass == "Z") == (CurrencyCode.rank(of: $0.payment) == 5)
    }
    // One or two say as much if no other split has a known asset.
    let isFew =
      known.count < 3 && known.count == symbols.count
      && known.allSatisfy { code in
        [code.assetClass, code.paymentClass].allSatisfy("XZ".contains)
          && !CurrencyCode.isKnown("\(code.assetClass)\(code.asset)")
      }
    guard known.count >= 3 || isFew, known.count * 10 >= codes.count * 8 else { return nil }
    func classes(_ letters: [Character]) -> String { isFew ? "XZ" : String(Set(letters).sorted()) }
    let rule = AffixedRule(
      rule: .classed(asset: classes(known.map(\.assetClass)), payment: classes(known.map(\.paymentClass))))
    let rest = symbols.filter { rule.pair(of: $0) == nil }
    var result = Result(
      rules: [rule], confidence: isFew ? 0.85 : 0.95,
      evidence: ["a class letter is before each code of \((symbols.count - rest.count).counted("symbol"))"])
    guard !rest.isEmpty, let plain = SymbolSplitter(rest).uniform() else { return result }
    result.add(plain, forRest: Double(rest.count) / Double(symbols.count))
    return result
  }

  /// Splits symbols with a product, or an encoded separator, between the two codes: `BTC-SWAP-USDT`, `BTC%2FKRW`.
  func joined() -> Result? {
    guard let joint = symbols.first.flatMap(Self.joint), symbols.allSatisfy({ $0.contains(joint) }) else { return nil }
    return split(symbols, at: joint)
  }

  /// Returns what joins the codes of such a symbol.
  private static func joint(of symbol: String) -> String? {
    let codes = symbol.split { separators.contains($0) }
    if codes.count == 3, products.contains(codes[1].uppercased()), CurrencyCode.isPayment(codes[2].uppercased()) {
      return String(symbol.dropFirst(codes[0].count).dropLast(codes[2].count))
    }
    guard let place = symbol.firstIndex(of: "%") else { return nil }
    let encoded = symbol[place...].prefix(3)
    return encoded.count == 3 && encoded.dropFirst().allSatisfy(\.isHexDigit) ? String(encoded) : nil
  }

  /// Splits symbols of which only some end in a word that is not a currency: `BTC-USDT`, `BTC-USDT-SWAP`.
  func mixed() -> Result? {
    var groups: [(tail: String, symbols: [String])] = []
    for symbol in symbols {
      let tail = Self.tail(of: symbol)
      if let index = groups.firstIndex(where: { $0.tail == tail }) {
        groups[index].symbols.append(symbol)
      } else {
        groups.append((tail, [symbol]))
      }
    }
    guard groups.count > 1, groups.count <= 4, groups.allSatisfy({ $0.tail.isEmpty || $0.symbols.count >= 2 }) else {
      return nil
    }
    // The longest tail first: a symbol with it would fit the rule of those without.
    groups.sort { $0.tail.count > $1.tail.count }
    var result = Result(rules: [], confidence: 0, evidence: [])
    for group in groups {
      let texts = group.symbols.map { String($0.dropLast(group.tail.count)) }
      guard var part = SymbolSplitter(texts).uniform() else { return nil }
      for index in part.rules.indices { part.rules[index].suffix += group.tail }
      result.rules += part.rules
      result.confidence += part.confidence * Double(texts.count) / Double(symbols.count)
      result.evidence += part.evidence
      if !group.tail.isEmpty { result.evidence.append("'\(group.tail)' ends \(texts.count.counted("symbol"))") }
    }
    return result
  }

  /// Returns `-SWAP` of `BTC-USDT-SWAP`: a word after a separator that is not a currency, following a pair.
  static func tail(of symbol: String) -> String {
    guard let last = symbol.lastIndex(where: { separators.contains($0) }) else {
      let product = product(endingOf: symbol)
      return PaymentLearner.known(endingOf: symbol.dropLast(product.count).uppercased()).isEmpty ? "" : product
    }
    let word = symbol[symbol.index(after: last)...].uppercased()
    let isPerpetual = products.contains(word)
    let hasPair = symbol[..<last].contains { separators.contains($0) }
    guard isPerpetual || hasPair, !CurrencyCode.isKnown(word), word.allSatisfy(\.isLetter) else { return "" }
    return String(symbol[last...])
  }
}
