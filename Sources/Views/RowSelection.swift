import Mapping
import MarketData
import Quotes

/// Which rows of each market are shown, and in what order.
package struct RowSelection: Sendable, Hashable {
  /// What rows are sorted by.
  package enum Key: String, CaseIterable, Sendable {
    case exchange, price, change, turnover, volume
    /// How far a spot price is above the lowest, and a futures price above its exchange's spot price.
    case premium
    case age
  }

  /// The names from A to Z, of numbers the greatest first; nil: the order of the config.
  package var key: Key?
  /// The other way round.
  package var isReversed = false
  /// How many rows of each market; nil: all.
  package var top: Int?

  package init(key: Key? = nil, isReversed: Bool = false, top: Int? = nil) {
    (self.key, self.isReversed, self.top) = (key, isReversed, top)
  }

  /// The places of the rows to show. Rows that enter no headline stand behind the others, since their number may be wrong;
  /// those without a value stand last. Equal ones keep their order.
  ///
  /// - Parameter premium: of the row at a place.
  func places(of rows: [TickerRow], _ rule: HeadlineRule, premium: (Int) -> Decimal?) -> [Int] {
    var places = Array(rows.indices)
    if let key {
      let values = places.map { value(key, of: rows[$0].ticker, premium: premium($0)) }
      let ranks = places.map { place in
        if key == .exchange { return 0 }
        return values[place] == nil ? 2 : rows[place].ticker.headlineObjection(rule) == nil ? 0 : 1
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
    case .age: ticker.ageNanoseconds.map { Decimal(mantissa: Int128($0), exponent: -9) }
    }
  }
}
