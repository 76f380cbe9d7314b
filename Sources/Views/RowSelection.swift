import Mapping
import MarketData
import Quotes

/// Which rows of each market are shown, and in what order.
package struct RowSelection: Sendable, Hashable {
  package enum Key: String, CaseIterable, Sendable {
    case exchange, price, change, turnover, volume
    /// How far a spot price is above the lowest, or a futures price above the same exchange's spot price.
    case premium
    case age
  }

  /// Names sort from A to Z, numbers largest first; nil for the order of the config.
  package var key: Key?
  package var isReversed = false
  /// How many rows to show of each market; nil for all.
  package var top: Int?

  package init(key: Key? = nil, isReversed: Bool = false, top: Int? = nil) {
    (self.key, self.isReversed, self.top) = (key, isReversed, top)
  }

  /// Returns the indexes of the rows to show. Changes are only compared within the same time span, as in `ListSort`. Rows
  /// excluded from headlines follow the others since their numbers may be wrong; rows without a value come last. Ties keep
  /// their order.
  ///
  /// - Parameter premium: returns the premium of the row at an index.
  func places(of rows: [TickerRow], _ rule: HeadlineRule, premium: (Int) -> Decimal?) -> [Int] {
    var places = Array(rows.indices)
    if let key {
      let values = places.map { value(key, of: rows[$0].ticker, premium: premium($0)) }
      let ranks = places.map { place -> (Int, span: Int) in
        if key == .exchange { return (0, 0) }
        let ticker = rows[place].ticker
        if values[place] == nil { return (2, 0) }
        let span = key == .change ? ListSort.place(of: ticker.changeBasis) : 0
        return (ticker.headlineObjection(rule) == nil ? 0 : 1, span)
      }
      places.sort { a, b in
        if ranks[a] != ranks[b] { return ranks[a] < ranks[b] }
        if key == .exchange {
          let (first, second) = (rows[a].ticker.exchange.lowercased(), rows[b].ticker.exchange.lowercased())
          if first != second { return (first < second) != isReversed }
        } else if let first = values[a], let second = values[b], first != second {
          return (first > second) != isReversed
        }
        return a < b
      }
    }
    return top.map { Array(places.prefix($0)) } ?? places
  }

  private func value(_ key: Key, of ticker: Ticker, premium: Decimal?) -> Decimal? {
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
