// Tables whose symbols come in several forms, or in one of three parts.
extension SymbolSplitter {
  /// Symbols with the currency of settlement behind the pair, and others among them.
  func settled() -> Result? {
    let found = symbols.compactMap { SettledSymbol($0)?.separators }
    guard let separators = found.first, found.count * 3 >= symbols.count else { return nil }
    let rule = AffixedRule(rule: .settled(separators))
    let rest = symbols.filter { rule.pair(of: $0) == nil }
    var result = Result(
      rules: [rule], fits: symbols.count - rest.count, confidence: 0.95,
      evidence: ["\(symbols.count - rest.count) symbols name the currency of settlement behind the pair"])
    guard !rest.isEmpty else { return result }
    let share = Double(rest.count) / Double(symbols.count)
    let others = SymbolSplitter(rest).takenApart()
    result.rules += others?.rules ?? []
    result.fits += others?.fits ?? 0
    result.evidence += others?.evidence ?? []
    result.confidence = result.confidence * (1 - share) + (others?.confidence ?? 0) * share
    return result
  }

  /// Symbols of two codes behind letters for their class, with plain ones among them.
  func classed() -> Result? {
    let codes = symbols.compactMap { ClassedCodes($0) }
    let known = codes.filter {
      CurrencyCode.rank(of: $0.asset) > 0 && CurrencyCode.isPayment($0.payment)
        && ($0.paymentClass == "Z") == (CurrencyCode.rank(of: $0.payment) == 5)
    }
    guard known.count >= 3, known.count * 10 >= codes.count * 8 else { return nil }
    let rule = AffixedRule(
      rule: .classed(
        asset: String(Set(known.map(\.assetClass)).sorted()), payment: String(Set(known.map(\.paymentClass)).sorted())))
    let rest = symbols.filter { rule.pair(of: $0) == nil }
    var result = Result(
      rules: [rule], fits: symbols.count - rest.count, confidence: 0.95,
      evidence: ["\(symbols.count - rest.count) symbols have a letter for its class before each code"])
    guard !rest.isEmpty, let plain = SymbolSplitter(rest).uniform() else { return result }
    result.rules += plain.rules
    result.fits += plain.fits
    let share = Double(rest.count) / Double(symbols.count)
    result.confidence = result.confidence * (1 - share) + plain.confidence * share
    result.evidence += plain.evidence
    return result
  }

  /// Symbols of which only some end in a word that is no currency: `BTC-USDT`, `BTC-USDT-SWAP`.
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
    var result = Result(rules: [], fits: 0, confidence: 0, evidence: [])
    for group in groups {
      let texts = group.symbols.map { String($0.dropLast(group.tail.count)) }
      guard var part = SymbolSplitter(texts).uniform() else { return nil }
      for index in part.rules.indices { part.rules[index].suffix += group.tail }
      result.rules += part.rules
      result.fits += part.fits
      result.confidence += part.confidence * Double(texts.count) / Double(symbols.count)
      result.evidence += part.evidence
      if !group.tail.isEmpty { result.evidence.append("\(texts.count) symbols end with '\(group.tail)'") }
    }
    return result
  }

  /// `-SWAP` of `BTC-USDT-SWAP`: a word behind a separator that is no currency, where a pair stands before it.
  static func tail(of symbol: String) -> String {
    guard let last = symbol.lastIndex(where: { "_-/:.".contains($0) }) else { return "" }
    let word = symbol[symbol.index(after: last)...].uppercased()
    let isPerpetual = products.contains(word)
    let hasPair = symbol[..<last].contains { "_-/:.".contains($0) }
    guard isPerpetual || hasPair, CurrencyCode.rank(of: word) == 0, word.allSatisfy(\.isLetter) else { return "" }
    return String(symbol[last...])
  }
}
