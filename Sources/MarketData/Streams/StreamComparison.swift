import Mapping
import Quotes

// What a stream says is held against what an answer says of the same pair.

extension Decimal {
  /// Whether it lies further than so many percent beside another price.
  func isFar(from other: Decimal, _ limitPercent: Decimal) -> Bool {
    guard other.signum > 0, let percent = ((self - other) * 100).divided(by: other) else { return false }
    return percent.magnitude > limitPercent
  }
}

extension OrderBook {
  /// Whether what is bid here is more than so many percent above what another book asks, or the other way round.
  func lies(beyond percent: Decimal, of other: OrderBook) -> Bool {
    func isAbove(_ bid: Level?, _ ask: Level?) -> Bool {
      guard let bid, let ask else { return false }
      return bid.price > ask.price * (1 + percent.scaledByPowerOfTen(-2))
    }
    return isAbove(bids.first, other.asks.first) || isAbove(other.bids.first, asks.first)
  }

  /// Whether another book says the same of the best levels, of as many as both have, and a third one.
  func hasSameLevels(as other: OrderBook, within third: OrderBook) -> Bool {
    let counts = (min(other.bids.count, third.bids.count), min(other.asks.count, third.asks.count))
    return zip(bids, other.bids.prefix(counts.0)).allSatisfy { $0 == $1 }
      && zip(asks, other.asks.prefix(counts.1)).allSatisfy { $0 == $1 }
  }
}

extension Ticker {
  /// Whether another row says the same of the pair, whenever it came.
  func hasSameCells(as other: Ticker) -> Bool {
    TickerField.allCases.allSatisfy { $0 == .time || self[$0] == other[$0] } && time == other.time
  }
}
