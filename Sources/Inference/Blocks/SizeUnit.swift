import Quotes

/// The unit of sizes, as far as their numbers reveal it: the asset or money.
///
/// Trades are for round numbers of coins, so a size in money is the price times a round number, exact to its last
/// digit, in row after row, which sizes in coins only are by chance. And no one trades for less than a cent, while
/// trades of a ten-millionth of a coin do exist.
struct SizeUnit {
  /// What leaves a doubt about the size of futures.
  static let mayBeContracts = "it may count contracts"
  /// What leaves a doubt about a size that only its name says is one.
  static let unproved = "nothing shows whether it counts the asset or money"
  static let unprovedWithoutVolume = unproved + ": the ticker has no volume"
  static let unprovedWithoutTicker = unproved + ": there is no ticker of the pair"

  /// In how many rows the size is the price times a round number; nil if that may be by chance.
  let money: RowRelations.Vote?
  /// In how many rows the size would be negligible if it were money; nil if there are not many.
  let asset: RowRelations.Vote?

  init(_ sizes: SampleColumn, prices: SampleColumn) { self.init([(sizes, prices)]) }

  /// - Parameter columns: the sizes and prices of each list, such as the sides of an order book.
  init(_ columns: [(sizes: SampleColumn, prices: SampleColumn)]) {
    let numbers = columns.flatMap { zip($0.sizes.numbers, $0.prices.numbers) }
    var dust = RowRelations.Vote()
    for case (let size?, let price?) in numbers where size != 0 && price > 0 {
      dust.count(size.magnitude / price < 1e-7)
    }
    asset = dust.holds * 4 >= dust.rows && dust.holds > 0 ? dust : nil
    let unit = columns.flatMap(\.sizes.texts).compactMap { $0.flatMap(Self.unit) }.min()
    money = unit.flatMap { Self.money(numbers, unit: $0) }
  }

  /// Returns the vote of the coarsest grid that the coins of all rows are on; nil if there is none, or by chance.
  ///
  /// - Parameters:
  ///   - numbers: sizes and their prices.
  ///   - unit: that of the sizes' last digits.
  private static func money(_ numbers: [(Double?, Double?)], unit: Double) -> RowRelations.Vote? {
    // The number of coins in each row, and the possible error from rounding the size.
    let rows = numbers.compactMap { size, price -> (coins: Double, slack: Double)? in
      guard let size = size?.magnitude, let price, size > 0, price > 0 else { return nil }
      return (size / price, unit / price * 0.51 + size / price * 1e-13)
    }
    guard rows.count >= 3, let most = rows.map(\.coins).max(), let least = rows.map(\.slack).min(),
      most.isFinite, most > 0
    else {
      return nil
    }
    var step = 1.0
    while step > most { step /= 10 }
    while step * 10 <= most { step *= 10 }
    while step > least * 2 {
      var vote = RowRelations.Vote()
      // The chance that a row fits a grid is proportional to its slack.
      var chance = 1.0
      for row in rows {
        let count = (row.coins / step).rounded()
        vote.count(count >= 1 && (row.coins - count * step).magnitude <= row.slack)
        chance *= min(1, 2 * row.slack / step)
      }
      if vote.holds == vote.rows, chance < 1e-6 { return vote }
      step /= 10
    }
    return nil
  }

  /// Why a size that nothing else proves is doubtful: its numbers are amounts of money; nil if they may be sizes.
  var doubt: String? {
    guard let money, asset == nil else { return nil }
    return "counts money: the price times a round number in \(money.text)"
  }

  /// Returns the unit of the last significant digit: 0.01 for `12.340`, 100 for `1200`.
  private static func unit(of text: String) -> Double? {
    let digits = text.drop { $0 == "-" || $0 == "+" }
    guard digits.utf8.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") }) else { return nil }
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    guard let whole = parts.first, parts.count <= 2 else { return nil }
    func scaled(_ count: Int, by factor: Double) -> Double {
      (0..<min(count, 30)).reduce(1) { unit, _ in unit * factor }
    }
    let fraction = parts.count == 2 ? parts[1].reversed().drop { $0 == "0" }.count : 0
    if fraction > 0 { return scaled(fraction, by: 0.1) }
    let zeros = whole.reversed().prefix { $0 == "0" }.count
    return zeros == whole.count ? nil : scaled(zeros, by: 10)
  }
}
