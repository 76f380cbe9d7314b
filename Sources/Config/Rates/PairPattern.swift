package import Quotes

/// A pattern for pairs: `USD/KRW`, `*/KRW` for any asset, `*/*` for all. A route may also use a plain `*`.
package struct PairPattern: Sendable, Hashable, CustomStringConvertible {
  /// nil means any.
  package let asset: String?
  /// nil means any.
  package let payment: String?

  package init(asset: String?, payment: String?) { (self.asset, self.payment) = (asset, payment) }

  /// Returns nil if the text is not a pattern.
  package init?(_ text: some StringProtocol) {
    if text == "*" {
      self.init(asset: nil, payment: nil)
      return
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && !$0.contains { $0.isWhitespace } }) else { return nil }
    func name(_ part: some StringProtocol) -> String? { part == "*" ? nil : part.uppercased() }
    self.init(asset: name(parts[0]), payment: name(parts[1]))
  }

  package func matches(_ pair: Pair) -> Bool {
    (asset == nil || asset == pair.asset) && (payment == nil || payment == pair.payment)
  }

  /// The number of currencies it names: 2 for `USD/KRW`, 0 for `*`.
  package var exactness: Int { (asset == nil ? 0 : 1) + (payment == nil ? 0 : 1) }

  /// The one pair it matches; nil if there are several.
  package var pair: Pair? {
    guard let asset, let payment else { return nil }
    return Pair(asset: asset, payment: payment)
  }

  package var description: String { exactness == 0 ? "*" : "\(asset ?? "*")/\(payment ?? "*")" }
}
