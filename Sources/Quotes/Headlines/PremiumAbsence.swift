/// Why a pair has no premium: fewer than two exchanges with a usable price.
package struct PremiumAbsence: Error, Sendable, Hashable, CustomStringConvertible {
  /// A row that does not count, and why.
  package struct Exclusion: Sendable, Hashable {
    package let exchange: String
    package let objection: HeadlineObjection

    package init(exchange: String, objection: HeadlineObjection) {
      self.exchange = exchange
      self.objection = objection
    }
  }

  /// The only exchange with a usable price; nil when there is none.
  package let usable: String?

  /// The rows that do not count, in their order.
  package let excluded: [Exclusion]

  package init(usable: String?, excluded: [Exclusion]) {
    self.usable = usable
    self.excluded = excluded
  }

  /// `only Upbit has a usable price; Binance: stale, Bithumb: not-listed`.
  package var description: String {
    let usable = usable.map { "only \($0) has a usable price" } ?? "no exchange has a usable price"
    let reasons = excluded.map { "\($0.exchange): \($0.objection.code)" }.joined(separator: ", ")
    return reasons.isEmpty ? usable : "\(usable); \(reasons)"
  }
}
