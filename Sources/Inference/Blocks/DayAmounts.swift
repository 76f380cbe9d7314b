package import Quotes

/// What the exchange's own ticker says about a pair's last 24 hours, which shows what the amounts of its candles count,
/// and which number of its trades is the price.
package struct DayAmounts: Sendable {
  /// nil if there is no ticker of the pair.
  private let price: Double?
  /// In the asset, and in the payment currency; nil without a ticker, or if it has neither.
  private let amounts: (volume: Double, turnover: Double)?

  /// Why no amount can be compared with the day's; nil if there are some.
  var silence: String? {
    if amounts != nil { return nil }
    return price == nil ? SizeUnit.unprovedWithoutTicker : SizeUnit.unprovedWithoutVolume
  }

  /// - Parameters:
  ///   - price: nil if there is no ticker of the pair.
  ///   - volume: nil if the ticker has none, so that it follows from the turnover, if there is one.
  ///   - turnover: nil if it follows from the volume.
  package init(price: Decimal?, volume: Decimal?, turnover: Decimal?) {
    func number(_ decimal: Decimal?) -> Double? {
      decimal.flatMap { Double($0.shortest) }.flatMap { $0 > 0 ? $0 : nil }
    }
    let price = number(price)
    self.price = price
    amounts = price.flatMap { price in
      let amount = number(volume) ?? number(turnover).map { $0 / price }
      return amount.map { ($0, number(turnover) ?? $0 * price) }
    }
  }

  /// Returns whether numbers may be prices of the pair: the one in their middle is near the ticker's.
  func isPrice(_ numbers: [Double]) -> Bool {
    guard let price, let median = numbers.median else { return false }
    return (0.67...1.5).contains(median / price)
  }

  /// Returns the field of an amount that candles have per day: the one of the two figures that it is near, if the other is
  /// far away. Days differ from each other, but not by the price of a coin.
  ///
  /// - Parameter isFutures: whether it may count contracts, which no price separates from either.
  func field(ofDaily amount: Double, isFutures: Bool) -> (name: String, evidence: String)? {
    guard amount > 0, let (volume, turnover) = amounts else { return nil }
    let near = isFutures ? 1.5 : 5.0
    let clear = 20.0
    func distance(_ figure: Double) -> Double { max(amount / figure, figure / amount) }
    let (asset, money) = (distance(volume), distance(turnover))
    guard min(asset, money) <= near, max(asset, money) >= min(asset, money) * clear else { return nil }
    let (name, figure) = asset < money ? ("volume", volume) : ("turnover", turnover)
    return (
      name, "in 24 hours it is \(amount.text(digits: 3)), and the ticker has \(figure.text(digits: 3)) as \(name)"
    )
  }

  /// Returns why a level of an order book counts money; nil if it may count the asset. Few levels are for a third of a day's
  /// volume, or for next to nothing of it, while they are a usual part of a day's turnover.
  func doubt(ofLevel size: Double) -> String? {
    guard let (volume, turnover) = amounts else { return nil }
    let usual = 1e-8...0.3
    let (coins, money) = (size / volume, size / turnover)
    guard size > 0, !usual.contains(coins), usual.contains(money) else { return nil }
    return
      "half of the levels are above \(size.text(digits: 3)), and the ticker has "
      + "\(volume.text(digits: 3)) as volume, \(turnover.text(digits: 3)) as turnover"
  }
}
