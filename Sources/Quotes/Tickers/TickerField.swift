/// The fields that an exchange may give of one pair, by the names of `exchanges.json`.
package enum TickerField: String, Sendable, Hashable, CaseIterable {
  /// What one unit of the asset costs, in the payment currency.
  case price
  /// The change of the price, in percent; see ``ChangeBasis`` for the moment that it is measured from.
  case changePricePercent24
  /// What was traded in 24 hours, in the asset.
  case volume24
  /// What was traded in 24 hours, in the payment currency.
  case turnover24
  /// The price that the change is measured from.
  case open
  case high
  case low
  case bid
  case ask
  /// When the price was quoted or traded; see ``TimeBasis``.
  case time

  /// The members of a pair in `dataFromAsset`, in the order in which they are written.
  package static let ofDataFromAsset: [TickerField] = [.price, .changePricePercent24, .turnover24, .volume24]

  /// The place among all fields, from zero.
  package var index: Int {
    switch self {
    case .price: 0
    case .changePricePercent24: 1
    case .volume24: 2
    case .turnover24: 3
    case .open: 4
    case .high: 5
    case .low: 6
    case .bid: 7
    case .ask: 8
    case .time: 9
    }
  }
}
