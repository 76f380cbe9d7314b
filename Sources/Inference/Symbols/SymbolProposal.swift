package import Quotes

/// How the pair of a row is found.
package struct SymbolProposal: Sendable {
  package enum Source: Hashable, Sendable {
    /// The name of the member that led to the row.
    case key
    /// The names of the member that led to the row and of the one that contains it.
    case keys(outerIsAsset: Bool)
    /// A path below the row.
    case path(String)
    /// Asset and payment currency are in separate fields.
    case own(asset: String, payment: String, symbol: String?)
    /// The requested pair: the response names none.
    case request
    /// The response is always about this pair, and names none.
    case constant(Pair)
  }

  package var source: Source
  /// The first that fits splits the symbol; empty if it is not split.
  package var rules: [AffixedRule] = []
  /// What follows the asset in its own field: `-PERP`.
  package var assetEnding = ""
  /// Expressions for symbols to skip: dated contracts, and those of the other market.
  package var skips: [String] = []
  /// Whether symbols that no rule fits are skipped, too.
  package var skipsRest = false
  package var assetConfidence: Double
  package var paymentConfidence: Double
  package var evidence: [String]
  /// The first symbol and its pair.
  package var example: String
  /// The pair of each row; nil if no rule fits.
  package var pairs: [Pair?]
  /// Given payment currencies, which take precedence over those found.
  package var givenPayments: [String] = []

  /// The payment currencies as spelled by the exchange, most frequent first.
  package var payments: [String] {
    if !givenPayments.isEmpty { return givenPayments }
    var counts: [String: Int] = [:]
    for pair in knownPairs { counts[pair.payment, default: 0] += 1 }
    var endings: [String] = []
    for rule in rules { if case .payment(let currencies) = rule.rule { endings += currencies } }
    // The split needs the endings in the order of their list; the others follow.
    return endings + counts.byFrequency.map(\.key).filter { !endings.contains($0) }
  }

  /// Returns those of the given aliases that the rows need: some have the name, and none the one it stands for.
  package func names(for aliases: [String: String]) -> [(name: String, value: String)] {
    let codes = Set(knownPairs.flatMap { [$0.asset.uppercased(), $0.payment.uppercased()] })
    return aliases.filter { codes.contains($0.key) && !codes.contains($0.value) }.sorted { $0.key < $1.key }
      .map { ($0.key, $0.value) }
  }

  /// Returns whether a row can have this payment currency, ignoring case: one that was found or, for symbols without a
  /// separator, any that follows one of the found assets.
  package func mayPay(in currency: String) -> Bool {
    let wanted = currency.lowercased()
    if pairs.contains(where: { $0?.payment.lowercased() == wanted }) { return true }
    return isSplitAtPayment
      && pairs.contains { $0.map { ($0.asset + $0.payment).lowercased().hasSuffix(wanted) } ?? true }
  }

  /// The pairs of the rows that a rule fits.
  package var knownPairs: [Pair] { pairs.compactMap(\.self) }

  /// Whether symbols are split by a list of endings, which is a guess.
  var isSplitAtPayment: Bool { rules.contains { if case .payment = $0.rule { true } else { false } } }

  package var isSure: Bool { min(assetConfidence, paymentConfidence) >= RoleProposal.threshold }

  var isPaymentFirst: Bool {
    switch rules.first?.rule {
    case .separator(_, true)?, .leading?, .listed(_, _, true)?: true
    default: false
    }
  }
}

extension [String?] {
  /// Each name as a number, the same for the same name; -1 for none.
  package var numbered: [Int] {
    var numbers: [String: Int] = [:]
    return map { name in
      guard let name else { return -1 }
      if let number = numbers[name] { return number }
      numbers[name] = numbers.count
      return numbers.count - 1
    }
  }
}

extension SymbolProposal {
  /// Changes the confidence in both currencies, for a reason.
  mutating func change(because reason: String, _ confidence: (Double) -> Double) {
    (assetConfidence, paymentConfidence) = (confidence(assetConfidence), confidence(paymentConfidence))
    evidence.append(reason)
  }

  /// The naming of pairs is defined elsewhere: nothing is inferred.
  package static let given = SymbolProposal(
    source: .key, assetConfidence: 1, paymentConfidence: 1, evidence: ["given"], example: "", pairs: [])

  /// Returns the proposal for a response without a pair, which is about the requested one.
  package static func request(_ pair: Pair?) -> SymbolProposal {
    SymbolProposal(
      source: .request, assetConfidence: 0, paymentConfidence: 0, evidence: [], example: "", pairs: [pair])
  }
}

extension Pair {
  /// Returns pairs split from symbols that no exchange can have: a currency begins or ends with a separator or, of
  /// three pairs or more, no asset is known.
  package static func misread(among pairs: [Pair]) -> [Pair] {
    let cut = pairs.filter { pair in
      [pair.asset, pair.payment].contains { code in
        [code.first, code.last].contains { $0.map(SymbolSplitter.separators.contains) ?? true }
      }
    }
    let isStrange = cut.isEmpty && pairs.count >= 3 && !pairs.contains { CurrencyCode.isKnown($0.asset) }
    return isStrange ? pairs : cut
  }
}
