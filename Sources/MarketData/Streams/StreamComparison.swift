import Mapping
import Quotes

// Compares the data of a stream with an answer about the same pair.

extension Decimal {
  /// Returns whether it differs from another price by more than `limitPercent` percent.
  func isFar(from other: Decimal, _ limitPercent: Decimal) -> Bool {
    guard other.signum > 0, let percent = ((self - other) * 100).divided(by: other) else { return false }
    return percent.magnitude > limitPercent
  }
}

extension OrderBook {
  /// Returns whether a bid here is more than `percent` above another book's ask, or the reverse.
  func lies(beyond percent: Decimal, of other: OrderBook) -> Bool {
    func isAbove(_ bid: Level?, _ ask: Level?) -> Bool {
      guard let bid, let ask else { return false }
      return bid.price > ask.price * (1 + percent.scaledByPowerOfTen(-2))
    }
    return isAbove(bids.first, other.asks.first) || isAbove(other.bids.first, asks.first)
  }

  /// Returns whether another book has the same best levels, as many as both it and a third book have.
  func hasSameLevels(as other: OrderBook, within third: OrderBook) -> Bool {
    let counts = (min(other.bids.count, third.bids.count), min(other.asks.count, third.asks.count))
    return zip(bids, other.bids.prefix(counts.0)).allSatisfy { $0 == $1 }
      && zip(asks, other.asks.prefix(counts.1)).allSatisfy { $0 == $1 }
  }
}

extension Ticker {
  /// Returns whether another row has the same data for the pair, regardless of its arrival.
  func hasSameCells(as other: Ticker) -> Bool {
    TickerField.allCases.allSatisfy { $0 == .time || self[$0] == other[$0] } && time == other.time
  }
}
