// Exchanges count some assets in many at once (1000PEPE): what they say then is brought to one unit of the asset, prices
// divided and sizes multiplied. Money stays what it is.

extension OrderBook {
  /// - Parameter factor: what the exchange counts as one; above zero.
  package func scaled(by factor: Decimal) -> OrderBook {
    OrderBook(
      bids: bids.map { $0.scaled(by: factor) }, asks: asks.map { $0.scaled(by: factor) }, time: time,
      sequence: sequence)
  }
}

extension OrderBook.Level {
  package func scaled(by factor: Decimal) -> OrderBook.Level {
    OrderBook.Level(price: price.divided(by: factor) ?? price, size: size * factor)
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
    if case .value(let value) = self { .value(value * factor) } else { self }
  }
}
