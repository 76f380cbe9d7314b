package import Quotes

// Conversions of data per multiple of an asset (1000PEPE) to single units.

extension OrderBook {
  /// Returns the book per single unit, given the number of units that the exchange counts as one.
  package func scaled(by factor: Decimal) -> OrderBook {
    OrderBook(
      bids: bids.compactMap { $0.scaled(by: factor) }, asks: asks.compactMap { $0.scaled(by: factor) }, time: time,
      unreadTime: timeMissing,
      sequence: sequence, flags: flags)
  }
}

extension OrderBook.Level {
  /// Returns nil if no market could have such a price or size.
  func scaled(by factor: Decimal) -> OrderBook.Level? {
    let level = OrderBook.Level(price: price.divided(by: factor) ?? price, size: size * factor)
    return level.price.isBeyondMarkets || level.size.isBeyondMarkets ? nil : level
  }
}

extension Trade {
  package func scaled(by factor: Decimal) -> Trade {
    Trade(
      time: time, price: price.divided(by: factor) ?? price, size: size.multiplied(by: factor), side: side, id: id)
  }
}

extension Candle {
  package func scaled(by factor: Decimal) -> Candle {
    func price(_ value: Decimal) -> Decimal { value.divided(by: factor) ?? value }
    return Candle(
      start: start, open: price(open), high: price(high), low: price(low), close: price(close),
      volume: volume.multiplied(by: factor), turnover: turnover)
  }
}

extension Cell {
  fileprivate func multiplied(by factor: Decimal) -> Cell {
    if case .value(let value) = self { Cell(workedOut: value * factor) } else { self }
  }
}
