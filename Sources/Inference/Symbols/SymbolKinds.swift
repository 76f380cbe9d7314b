import Quotes

/// The words before the pairs in the symbols of a table with several kinds of contracts: `PI_` and `PF_` of `PI_XBTUSD` and
/// `PF_XBTUSD`. The kinds have the same pairs, so that a block reads only one of them.
package struct SymbolKinds: Hashable, Sendable {
  package struct Word: Hashable, Sendable {
    /// As the symbols begin, with the separator.
    package let text: String
    package let rows: Int
  }

  /// The path of the symbols.
  package let path: String
  /// Most rows first.
  package let words: [Word]

  /// - Parameter proposal: takes what is before the separator for the payment currency, as it repeats.
  /// - Returns: nil unless that is one of two or three words, none of them money, before what ends in money.
  package init?(_ proposal: SymbolProposal) {
    guard case .path(let path) = proposal.source, proposal.rules.count == 1, let rule = proposal.rules.first,
      rule.prefix.isEmpty, case .separator(let separator, true) = rule.rule
    else { return nil }
    var counts: [String: Int] = [:]
    for pair in proposal.knownPairs {
      guard !CurrencyCode.isPayment(pair.payment), !PaymentLearner.known(endingOf: pair.asset).isEmpty else {
        return nil
      }
      counts[pair.payment, default: 0] += 1
    }
    guard (2...3).contains(counts.count) else { return nil }
    let isUppercase = proposal.example == proposal.example.uppercased()
    self.path = path
    words = counts.byFrequency.map { word, rows in
      Word(text: (isUppercase ? word : word.lowercased()) + separator, rows: rows)
    }
  }
}
