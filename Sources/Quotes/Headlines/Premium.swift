/// The premium of the dearest exchange of a pair over the cheapest: `(top - bottom) / bottom * 100`.
package struct Premium: Sendable, Hashable {
  /// Zero or more, unrounded.
  package let percent: Decimal

  /// The row of the dearest exchange, the first in config order if there are several.
  package let high: Int

  /// The row of the cheapest exchange, the last in config order if there are several.
  package let low: Int

  package init(percent: Decimal, high: Int, low: Int) { (self.percent, self.high, self.low) = (percent, high, low) }

  /// The percentage as printed, with two decimals: `0.10`.
  package var percentText: String { percent.fixedText(places: 2) }

  /// Returns the largest premium among the rows of one pair, or why there is none.
  ///
  /// - Parameters:
  ///   - rows: Rows of one pair and one market, in config order. If an exchange has two usable rows, the first counts:
  ///     an exchange has no premium over itself.
  ///   - rule: The rule for which rows count.
  package static func largest(of rows: [Ticker], rule: HeadlineRule) -> Result<Premium, PremiumAbsence> {
    var high: (row: Int, price: Decimal)?
    var low: (row: Int, price: Decimal)?
    var exchanges: Set<String> = []
    var excluded: [PremiumAbsence.Exclusion] = []
    for (index, row) in rows.enumerated() {
      guard let price = row.headlinePrice(rule) else {
        if let objection = row.headlineObjection(rule) {
          excluded.append(PremiumAbsence.Exclusion(exchange: row.exchange, objection: objection))
        }
        continue
      }
      guard exchanges.insert(row.exchange).inserted else { continue }
      if high.map({ price > $0.price }) ?? true { high = (index, price) }
      if low.map({ price <= $0.price }) ?? true { low = (index, price) }
    }
    guard exchanges.count >= 2, let high, let low, let percent = high.price.percent(above: low.price) else {
      return .failure(PremiumAbsence(usable: exchanges.first, excluded: excluded))
    }
    return .success(Premium(percent: percent, high: high.row, low: low.row))
  }
}

/// Why a pair has no premium: fewer than two exchanges with a usable price.
package struct PremiumAbsence: Error, Sendable, Hashable, CustomStringConvertible {
  /// A row that does not count, and why.
  package struct Exclusion: Sendable, Hashable {
    package let exchange: String
    package let objection: HeadlineObjection
  }

  /// The only exchange with a usable price; nil when there is none.
  package let usable: String?

  /// The rows that do not count, in order.
  package let excluded: [Exclusion]

  /// The reason in data: `one-exchange`, `no-price`.
  package var code: String { usable == nil ? Missing.noPrice.code : "one-exchange" }

  /// `only Upbit has a usable price; Binance: stale, Bithumb: not-listed`.
  package var description: String {
    let usable = usable.map { "only \($0) has a usable price" } ?? "no exchange has a usable price"
    return reasons.isEmpty ? usable : "\(usable); \(reasons)"
  }

  /// `Binance: stale, Bithumb: not-listed`; empty if no row was excluded.
  package var reasons: String { excluded.map { "\($0.exchange): \($0.objection.code)" }.joined(separator: ", ") }
}

/// The limits from which a premium is highlighted, in percent. They apply to the printed figure: 0.095 prints as 0.10.
package struct PremiumAlert: Sendable, Hashable {
  package enum Highlight: String, Sendable, Hashable, CaseIterable {
    case none
    case grey
    case orange
  }

  package var grey: Decimal
  package var orange: Decimal

  package init(grey: Decimal, orange: Decimal) { (self.grey, self.orange) = (grey, orange) }

  /// The limits of a config that sets none.
  package static let standard = PremiumAlert(
    grey: Decimal(mantissa: 5, exponent: -2), orange: Decimal(mantissa: 10, exponent: -2))

  package func highlight(_ percent: Decimal) -> Highlight {
    let printed = percent.rounded(toPlaces: 2)
    if printed >= orange { return .orange }
    return printed >= grey ? .grey : .none
  }
}
