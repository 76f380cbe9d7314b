/// Why a row does not enter a comparison.
package enum PriceObjection: Error, Sendable, Hashable, CustomStringConvertible {
  /// The row itself is of no use: it is stale, flagged, empty.
  case row(HeadlineObjection)
  /// It lies further from the dollar prices than the same coin would: so many percent on the official rate.
  case identity(percent: Decimal)
  /// The fee was asked for and is not known.
  case feeUnknown
  /// The order book was asked for and did not come.
  case book(Missing)
  /// The order book holds less than the size.
  case thinBook

  /// `stale`, `fee-unknown`, `book timeout`, `book-thin`.
  package var code: String {
    switch self {
    case .row(let objection): objection.code
    case .identity: "identity"
    case .feeUnknown: "fee-unknown"
    case .book(let reason): "book \(reason.code)"
    case .thinBook: "book-thin"
    }
  }

  package var description: String {
    switch self {
    case .row(.flagged(let flag)): flag.message
    case .row(.basis(let basis)): "its price is no last trade: \(basis.rawValue)"
    case .row(.missing(let reason)): "its price is missing: \(reason.code)"
    case .identity(let percent):
      "\(percent.signedPercentText) % from the middle of the dollar prices: another coin or a multiplier"
    case .feeUnknown: "the config has no taker fee for it"
    case .book: "no order book"
    case .thinBook: "the order book holds less than the size"
    }
  }
}
