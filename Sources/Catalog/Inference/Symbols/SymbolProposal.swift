package import Quotes

/// How the pair of a row is found.
package struct SymbolProposal: Sendable {
  package enum Source: Hashable, Sendable {
    /// The name of the member that led to the row.
    case key
    /// A path below the row.
    case path(String)
    /// Asset and payment stand in fields of their own.
    case own(asset: String, payment: String, symbol: String?)
    /// The pair that was asked for: the response names none.
    case request
  }

  package var source: Source
  /// nil where nothing is split.
  package var rule: AffixedRule?
  package var assetConfidence: Double
  package var paymentConfidence: Double
  package var evidence: [String]
  package var runnerUp: String?
  /// The first symbol and what it came to.
  package var example: String
  /// The pair of each row; nil where the rule does not fit.
  package var pairs: [Pair?]

  /// Payment currencies as the venue spells them, most frequent first.
  package var payments: [String] {
    if case .payment(let currencies)? = rule?.rule { return currencies }
    var counts: [String: Int] = [:]
    for pair in pairs { if let pair { counts[pair.payment, default: 0] += 1 } }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
  }

  /// Whether the symbol names the payment currency before the asset.
  var isPaymentFirst: Bool {
    if case .separator(_, true)? = rule?.rule { return true }
    return false
  }

  /// The payment currency of each row as a number.
  var groups: [Int] {
    var numbers: [String: Int] = [:]
    return pairs.map { pair in
      guard let pair else { return -1 }
      if let number = numbers[pair.payment] { return number }
      numbers[pair.payment] = numbers.count
      return numbers.count - 1
    }
  }
}

extension SymbolProposal {
  /// A response that names no pair is about the one asked for.
  package static func request(_ pair: Pair?) -> SymbolProposal {
    SymbolProposal(
      source: .request, assetConfidence: 0, paymentConfidence: 0, evidence: [], example: "", pairs: [pair])
  }
}
