/// How a volume moves with the price, over the rows of one payment currency, or over those of one asset.
///
/// Money does not care what a coin costs: on a double logarithmic scale turnover is flat against price, and a volume in
/// coins, which is turnover / price, falls with slope -1. Among the pairs of one asset, where the price differs because
/// the money does, a volume in coins is flat and a turnover rises with slope 1.
struct PriceSlope: Sendable {
  /// What the rows that are compared have in common.
  enum Common: Sendable { case payment, asset }

  let common: Common
  let slope: Double
  let error: Double
  let rows: Int

  /// nil where too few rows, or too equal prices, say anything.
  init?(volumes: [Double?], prices: [Double?], groups: [Int], _ common: Common) {
    self.common = common
    var points: [Int: [(x: Double, y: Double)]] = [:]
    let fewest = common == .payment ? 3 : 2
    for (index, group) in groups.enumerated() where group >= 0 || common == .payment {
      guard let volume = volumes[index], let price = prices[index], volume > 0, price > 0 else { continue }
      points[group, default: []].append((logarithm(price), logarithm(volume)))
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

  /// How likely the column counts coins, after this.
  func chanceOfCoins(prior: Double) -> Double {
    // Popular coins are dear ones, which lifts the slope by a fifth; and the rows are no clean experiment, so they are
    // believed by a third.
    let (ofCoins, ofMoney) = common == .payment ? (-0.8, 0.2) : (0, 1.0)
    let coins = (slope - ofCoins) / error
    let money = (slope - ofMoney) / error
    let weight = min(3.5, max(-3.5, (money * money - coins * coins) / 2 * 0.35))
    let odds = prior / (1 - prior) * exponential(weight)
    return odds / (1 + odds)
  }

  var text: String {
    let hundredths = Int((slope * 100).rounded())
    let sign = hundredths < 0 ? "-" : "+"
    let digits = String(hundredths.magnitude % 100)
    let marks = common == .payment ? "coins -1, money 0" : "within an asset: coins 0, money +1"
    return "against the price it has slope \(sign)\(hundredths.magnitude / 100)."
      + "\(digits.count < 2 ? "0" : "")\(digits) in \(rows) rows (\(marks))"
  }

  private func exponential(_ value: Double) -> Double {
    // The series converges quickly for the eighth part of so small a number.
    let part = value / 8
    var term = 1.0
    var sum = 1.0
    for index in 1...12 {
      term *= part / Double(index)
      sum += term
    }
    let square = sum * sum
    return square * square * square * square
  }
}
