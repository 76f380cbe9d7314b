import Inference
import Quotes

/// A verdict on a volume without a turnover, or a turnover without a volume: whether the rows together show that it is
/// the other one.
///
/// Turnover divided by volume is a price, which settles it row by row; a lone amount fits every row. But a volume in
/// coins falls with the price of the coin, and a turnover does not.
struct LoneAmount {
  let field: TickerField
  let text: String
  let help: String

  /// How likely an amount is what the mapping says, before its numbers are seen.
  private static let prior = 0.86
  /// Below which likelihood it is not believed.
  private static let least = 0.35

  /// - Parameters:
  ///   - rows: Those of a table of all pairs.
  ///   - field: The volume or the turnover.
  /// - Returns: nil if it may be what the mapping says, or is not alone.
  init?(_ field: TickerField, of rows: [Ticker]) {
    let isVolume = field == .volume24
    let other: TickerField = isVolume ? .turnover24 : .volume24
    let known = rows.filter { $0.cell(field).value != nil }
    guard !known.isEmpty, !rows.contains(where: { $0.cell(other).value != nil && !$0.derived.contains(other) }) else {
      return nil
    }
    self.init(field, isVolume: isVolume, known)
  }

  /// Judges an amount whether or not it is alone.
  init?(_ field: TickerField, isVolume: Bool, _ rows: [Ticker]) {
    let (amounts, prices) = (rows.numbers(of: field), rows.numbers(of: .price))
    let slopes = [
      PriceSlope(volumes: amounts, prices: prices, groups: rows.map { Optional($0.pair.payment) }.numbered, .payment),
      PriceSlope(volumes: amounts, prices: prices, groups: rows.map { Optional($0.pair.asset) }.numbered, .asset),
    ].compactMap(\.self)
    let chanceOfCoins = slopes.reduce(isVolume ? Self.prior : 1 - Self.prior) { $1.chanceOfCoins(prior: $0) }
    let chance = isVolume ? chanceOfCoins : 1 - chanceOfCoins
    guard let first = slopes.first, chance < Self.least, !slopes.contains(where: { $0.mayBe(coins: isVolume) })
    else { return nil }
    self.field = field
    text = "\(field.rawValue): \(first.text), as \(isVolume ? "money" : "coins") would"
    help =
      isVolume
      ? "is it the turnover? write it as \"turnover24\"" : "is it the volume in coins? write it as \"volume24\""
  }
}

extension [Ticker] {
  /// Returns the number of a field in each row.
  func numbers(of field: TickerField) -> [Double?] { map { $0.cell(field).value.flatMap { Double($0.shortest) } } }
}
