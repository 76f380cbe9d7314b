import Quotes

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How two amounts of a row derive from each other: by the price, the size of a contract, or another unit.
struct AmountUnits {
  /// What an amount is beside one that counts contracts.
  enum Size { case money, coins }

  private let relations: RowRelations
  private let price: Int
  private var columns: [SampleColumn] { relations.columns }

  init(_ relations: RowRelations, price: Int) { (self.relations, self.price) = (relations, price) }

  /// Returns how one column derives from the other: coins by a power of ten in each row, or one factor in all; money by
  /// a power of ten in each row, as one factor in all may be another currency's rate.
  func size(of other: Int, from count: Int) -> Size? {
    var (money, coins): ([Double], [Double]) = ([], [])
    for row in columns[count].numbers.indices {
      guard let first = columns[count].numbers[row], let second = columns[other].numbers[row],
        let last = columns[price].numbers[row], first > 0, second > 0, last > 0
      else { continue }
      coins.append(second / first)
      money.append(second / first / last)
    }
    guard money.count >= 3 else { return nil }
    if Self.areSizes(coins, within: 1e-6) { return .coins }
    return Self.arePowers(money, within: 0.1) ? .money : nil
  }

  /// Returns what the price may count, if price times volume is the turnover in nearly all rows but for one factor: a
  /// hundred or a hundred million, or a thousandth or a millionth. Nil for the rest: amounts are rather sent in
  /// thousands or millions themselves, and a hundredth of a coin is a size of contracts.
  func unit(_ one: Int, _ other: Int) -> String? {
    let units = [(100, "cents or satoshi"), (1e8, "cents or satoshi"), (1e-3, "thousands"), (1e-6, "millions")]
    return units.first { unit, _ in
      [(one, other), (other, one)].contains { volume, turnover in
        let vote = relations.vote([volume, turnover, price]) { _, numbers in
          guard numbers.allSatisfy({ $0 > 0 }) else { return nil }
          return (0.8...1.25).contains(numbers[0] * numbers[2] / numbers[1] / unit)
        }
        return vote.rows >= 3 && vote.share >= 0.9
      }
    }?.1
  }

  /// Returns the power of ten that is nearest to a positive factor.
  static func power(of factor: Double) -> Double { pow(10, (log(factor) / log(10)).rounded()) }

  /// Returns whether nearly all are powers of ten, or all are close to one factor other than 1.
  private static func areSizes(_ factors: [Double], within share: Double) -> Bool {
    if let median = factors.median, factors.allSatisfy({ ($0 / median - 1).magnitude <= share }) {
      return (median - 1).magnitude > share
    }
    return arePowers(factors, within: share)
  }

  private static func arePowers(_ factors: [Double], within share: Double) -> Bool {
    let powers = factors.filter { factor in
      let exponent = (log(factor) / log(10)).rounded()
      let distance = log(factor) - exponent * log(10)
      return distance.magnitude <= max(share, 1e-9)
    }
    return powers.count * 10 >= factors.count * 9
  }
}
