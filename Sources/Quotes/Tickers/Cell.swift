/// A number of a row, or the reason why there is none. There is no third, and never a zero in its place.
package enum Cell: Sendable, Hashable {
  case value(Decimal)
  case missing(Missing)

  package var value: Decimal? {
    if case .value(let value) = self { value } else { nil }
  }

  package var missing: Missing? {
    if case .missing(let reason) = self { reason } else { nil }
  }
}
