import Mapping
import MarketData
import Quotes

/// What the rows of one pair are sorted by: names from A to Z, numbers largest first.
package enum RowSort: String, CaseIterable, Sendable {
  case exchange, price, change, turnover, volume
  /// How far a spot price is above the lowest, or a futures price above the same exchange's spot price.
  case premium
  case age
}

/// Which rows of each market are shown, and in what order.
package struct RowSelection<Key: Sendable>: Sendable {
  /// What they are sorted by; nil for the order of the config, or of the exchange.
  package var key: Key?
  package var isReversed = false
  /// How many rows to show of each market; nil for all.
  package var top: Int?

  package init(key: Key? = nil, isReversed: Bool = false, top: Int? = nil) {
    (self.key, self.isReversed, self.top) = (key, isReversed, top)
  }

  /// Returns as many of a market's sorted rows as are shown.
  func first<Row>(of rows: [Row]) -> [Row] { top.map { Array(rows.prefix($0)) } ?? rows }
}

extension RowSelection<RowSort> {
  /// Returns the indexes of the rows to show. Changes are only compared within the same time span, as in `ListSort`. Rows
  /// excluded from headlines follow the others since their numbers may be wrong; rows without a value come last. Ties keep
  /// their order.
  ///
  /// - Parameter premium: returns the premium of the row at an index.
  func places(of rows: [TickerRow], _ rule: HeadlineRule, premium: (Int) -> Decimal?) -> [Int] {
    var places = Array(rows.indices)
    if key == .exchange {
      places = places.ranked(by: { rows[$0].ticker.exchange.lowercased() }, isDescending: isReversed)
    } else if let key {
      let values = places.map { value(key, of: rows[$0].ticker, premium: premium($0)) }
      let known = places.filter { values[$0] != nil }.ranked(by: { values[$0] }, isDescending: !isReversed)
        .ranked { key == .change ? ListSort.place(of: rows[$0].ticker.changeBasis) : 0 }
        .ranked { rows[$0].ticker.headlineObjection(rule) == nil ? 0 : 1 }
      places = known + places.filter { values[$0] == nil }
    }
    return first(of: places)
  }

  private func value(_ key: RowSort, of ticker: Ticker, premium: Decimal?) -> Decimal? {
    switch key {
    case .exchange: nil
    case .price: ticker.price.value
    case .change: ticker.changePricePercent24.value
    case .turnover: ticker.turnover24.value
    case .volume: ticker.volume24.value
    case .premium: premium
    case .age: ticker.timeByClock.map { Decimal(mantissa: 0 - Int128($0.nanoseconds), exponent: -9) }
    }
  }
}
