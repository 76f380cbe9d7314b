import Quotes
import Testing

/// Returns a cell from a literal; a text that is not a number becomes a missing cell.
func cell(_ text: String) -> Cell { Decimal(text).map(Cell.value) ?? .missing(.notANumber) }

/// Returns a row of BTC/USDT in which only the price matters.
func row(
  _ exchange: String, _ price: String, market: Market = .spot, product: String? = nil,
  pair: Pair = Pair(asset: "BTC", payment: "USDT"), basis: PriceBasis = .last, flags: [Flag] = []
) -> Ticker {
  Ticker(
    exchange: exchange, market: market, product: product, symbol: "BTCUSDT", pair: pair, price: cell(price),
    priceBasis: basis, flags: flags)
}

extension Flag {
  /// A finding that excludes a row from headlines.
  static let bad = Flag(.range, .repeatedMember)
  /// A remark that does not.
  static let remark = Flag(.stale, .unreadTime, excludes: false)
}
