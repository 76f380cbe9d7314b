#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How a volume depends on the price, over the rows of one payment currency or of one asset.
///
/// Money does not depend on a coin's price: on a log-log scale, turnover is flat against price, and a volume in coins,
/// which is turnover / price, has slope -1. Among the pairs of one asset, where prices differ because the currencies
/// do, a volume in coins is flat and a turnover has slope 1.
package struct PriceSlope: Sendable {
  /// What the compared rows have in common.
  package enum Common: Sendable { case payment, asset }

  package let common: Common
  private let slope: Double
  private let error: Double
  private let rows: Int

  /// Returns nil if there are too few rows, or their prices are too similar.
  ///
  /// - Parameter groups: the payment currency or the asset of each row, numbered; below zero if unknown.
  package init?(volumes: [Double?], prices: [Double?], groups: [Int], _ common: Common) {
    self.common = common
    var points: [Int: [(x: Double, y: Double)]] = [:]
    let fewest = common == .payment ? 3 : 2
    for (index, group) in groups.enumerated() where group >= 0 || common == .payment {
      guard let volume = volumes[index], let price = prices[index], volume > 0, price > 0 else { continue }
      points[group, default: []].append((log(price), log(volume)))
    }
    var (xx, xy, yy, count, used) = (0.0, 0.0, 0.0, 0, 0)
    for group in points.values where group.count >= fewest {
      let meanX = group.reduce(0) { $0 + $1.x } / Double(group.count)
      let meanY = group.reduce(0) { $0 + $1.y } / Double(group.count)
      for point in group {
        xx += (point.x - meanX) * (point.x - meanX)
        xy += (point.x - meanX) * (point.y - meanY)
        yy += (point.y - meanY) * (point.y - meanY)
      }
      count += group.count
      used += 1
    }
    let freedom = count - used - 1
    guard freedom >= 4, xx / Double(count) > 0.5 else { return nil }
    slope = xy / xx
    error = max(0.08, ((yy - slope * xy) / (Double(freedom) * xx)).squareRoot())
    rows = count
  }

  /// The slopes of coins and of money. Popular coins are expensive, which raises both by a fifth.
  private var ofCoins: Double { common == .payment ? -0.8 : 0 }
  private var ofMoney: Double { common == .payment ? 0.2 : 1 }

  /// Returns whether the slope is that of coins, or of money, or between the two but no farther from it than chance
  /// explains: being nearer to it than to the other is no proof.
  package func mayBe(coins: Bool) -> Bool { (coins ? slope - ofCoins : ofMoney - slope) <= max(0.35, error * 1.5) }

  /// Returns the resulting probability that the column is in coins.
  package func chanceOfCoins(prior: Double) -> Double {
    // Rows are no clean experiment, so they get a third of the weight.
    let coins = (slope - ofCoins) / error
    let money = (slope - ofMoney) / error
    let weight = min(3.5, max(-3.5, (money * money - coins * coins) / 2 * 0.35))
    let odds = prior / (1 - prior) * exp(weight)
    return odds / (1 + odds)
  }

  package var text: String {
    let hundredths = Int((slope * 100).rounded())
    let sign = hundredths < 0 ? "-" : "+"
    let digits = (abs(hundredths) % 100).padded(to: 2)
    let marks = common == .payment ? "coins -1, money 0" : "within an asset: coins 0, money +1"
    return "against the price it has slope \(sign)\(abs(hundredths) / 100).\(digits) in \(rows) rows (\(marks))"
  }
}
