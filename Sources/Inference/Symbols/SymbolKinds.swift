import JSON
import Quotes

/// The words before the pairs in the symbols of a table with several kinds of contracts: `PI_` and `PF_` of `PI_XBTUSD` and
/// `PF_XBTUSD`. The kinds have the same pairs, so that a block reads only one of them.
package struct SymbolKinds: Hashable, Sendable {
  /// The path of the symbols.
  package let path: String
  /// How the symbols begin, with the separator; most rows first.
  package let words: [WordCount]

  /// - Parameters:
  ///   - proposal: Splits the symbols at a separator, and is unsure of it.
  ///   - sample: The answer.
  ///   - rows: The path of its rows.
  /// - Returns: nil unless its symbols have a few words, none of them money, before what ends in money. Symbols that end
  ///   in something else, such as dated contracts, do not count.
  package init?(_ proposal: SymbolProposal, in sample: [UInt8], rows: String) {
    guard case .path(let path) = proposal.source, proposal.rules.count == 1, let rule = proposal.rules.first,
      rule.prefix.isEmpty, case .separator(let separator, _) = rule.rule,
      let root = try? JSONDocument(parsing: sample).root, var rows = SampleRows(at: rows, in: root),
      let column = rows.column(at: path)
    else { return nil }
    // The user may have said which rows to keep.
    let kept = Set(proposal.knownPairs.flatMap { [$0.asset.uppercased(), $0.payment.uppercased()] })
    var counts: [String: Int] = [:]
    for symbol in rows.columns[column].presentTexts {
      let parts = symbol.split(separator: separator, maxSplits: 1).map(String.init)
      guard parts.count == 2, kept.contains(parts[0].uppercased()),
        !PaymentLearner.known(endingOf: parts[1].uppercased()).isEmpty
      else { continue }
      if PairWord.isPayment(parts[0]) { return nil }
      counts[parts[0] + separator, default: 0] += 1
    }
    // Names of assets would be many, and most of them different.
    guard let words = [WordCount](counts, atMost: 6), counts.values.reduce(0, +) >= 2 * counts.count else { return nil }
    (self.path, self.words) = (path, words)
  }
}
