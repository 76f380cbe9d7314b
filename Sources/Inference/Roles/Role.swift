package import Quotes

/// What a column of a response can be for a ticker.
package enum Role: String, CaseIterable, Sendable {
  case price, high, low, bid, ask, open, volume, turnover, change, time

  /// The field of the config language.
  package var field: TickerField {
    switch self {
    case .price: .price
    case .high: .high
    case .low: .low
    case .bid: .bid
    case .ask: .ask
    case .open: .open
    case .volume: .volume24
    case .turnover: .turnover24
    case .change: .changePricePercent24
    case .time: .time
    }
  }
}
