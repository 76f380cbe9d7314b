/// The limits from which a premium is highlighted, in percent. The printed figure decides: 0.095 prints as 0.10.
package struct PremiumAlert: Sendable, Hashable {
  package enum Highlight: String, Sendable, Hashable, CaseIterable {
    case none
    case grey
    case orange
  }

  package var grey: Decimal
  package var orange: Decimal

  package init(
    grey: Decimal = Decimal(mantissa: 5, exponent: -2), orange: Decimal = Decimal(mantissa: 10, exponent: -2)
  ) {
    self.grey = grey
    self.orange = orange
  }

  package func highlight(_ percent: Decimal) -> Highlight {
    let printed = percent.rounded(toPlaces: 2)
    if printed >= orange { return .orange }
    return printed >= grey ? .grey : .none
  }
}
