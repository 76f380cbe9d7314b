/// Learns from many symbols how one comes apart.
struct SymbolSplitter {
  struct Result: Sendable {
    /// The first that fits wins.
    var rules: [AffixedRule]
    /// Expressions for symbols that are passed over.
    var skips: [String] = []
    /// How many symbols the rules fit.
    var fits: Int
    var confidence: Double
    var evidence: [String]

    func pair(of symbol: String) -> (asset: String, payment: String)? {
      for rule in rules { if let pair = rule.pair(of: symbol) { return pair } }
      return nil
    }
  }

  let symbols: [String]

  init(_ symbols: [String]) { self.symbols = symbols }

  /// nil where the texts are no symbols at all.
  func result() -> Result? {
    guard !symbols.isEmpty, symbols.allSatisfy({ $0.utf8.count <= 40 }) else { return nil }
    let dated = DatedContract(symbols)
    let rest = dated.expressions.isEmpty ? symbols : symbols.filter { !dated.matches($0) }
    guard var result = SymbolSplitter(rest).takenApart() else { return nil }
    result.skips = dated.expressions
    if rest.count < symbols.count {
      result.evidence.append("\(symbols.count - rest.count) contracts with a date are passed over")
    }
    return result
  }

  func takenApart() -> Result? {
    let lead = commonLead
    guard !lead.isEmpty else { return settled() ?? classed() ?? mixed() ?? uniform() }
    let pairs = symbols.map { String($0.dropFirst(lead.count)) }
    guard var result = SymbolSplitter(pairs).takenApart() else { return nil }
    for index in result.rules.indices { result.rules[index].prefix = lead + result.rules[index].prefix }
    result.evidence.append("every symbol begins with '\(lead)'")
    return result
  }

  /// `PERP_` of `PERP_BTC_USDT`: a word before a pair that is no currency, and the same in all symbols.
  private var commonLead: String {
    guard let first = symbols.first, let end = first.firstIndex(where: { Self.separators.contains($0) }) else {
      return ""
    }
    let lead = String(first[...end])
    let word = lead.dropLast().uppercased()
    let isProduct = Self.products.contains(word)
    guard isProduct || symbols.count >= 2 && CurrencyCode.rank(of: word) == 0, !word.isEmpty else { return "" }
    let hasPairs = symbols.allSatisfy { symbol in
      symbol.hasPrefix(lead) && symbol.dropFirst(lead.count).contains { Self.separators.contains($0) }
    }
    // What follows may itself be an ending that all have: then the first word is the asset.
    let tails = Set(symbols.map { Self.tail(of: $0).uppercased() })
    return hasPairs && (isProduct || tails.count > 1 || tails.first?.isEmpty == true) ? lead : ""
  }

  static let separators: Set<Character> = ["_", "-", "/", ":", "."]
  static let products: Set<String> = [
    "PERP", "SWAP", "PERPETUAL", "SPOT", "FUTURES", "FUTURE", "LINEAR", "INVERSE", "MARGIN",
  ]
}
