import Mapping
import Quotes

/// Data with amounts of an asset, of which an exchange may count several units as one.
///
///     trades.inUnits(1000)  // those of 1000PEPE, with prices and sizes of PEPE
protocol AssetAmounts: Sendable {
  /// Returns the data in single units.
  ///
  /// - Parameter factor: The number of units that the exchange counts as one.
  func scaled(by factor: Decimal) -> Self
}

extension AssetAmounts {
  /// Returns the data in single units; unchanged if the exchange counts each as one.
  func inUnits(_ multiplier: Decimal?) -> Self { multiplier.map { scaled(by: $0) } ?? self }
}

extension OrderBook: AssetAmounts {}
extension TradeList: AssetAmounts {}
extension CandleList: AssetAmounts {}

/// The contents of an answer about a pair, of which figures may be read through lookups.
protocol LookedUp {
  /// Marks the sizes as made with lookups that are in doubt.
  mutating func doubtSizes()
  /// Whether a lookup lacks the pair, so that figures are missing.
  var hasLookupMiss: Bool { get }
}

extension OrderBook: LookedUp {
  /// Always false: no book is read without its sizes.
  var hasLookupMiss: Bool { false }

  mutating func doubtSizes() { flags.append(.doubtfulSizes) }
}

extension TradeList: LookedUp {
  var hasLookupMiss: Bool { trades.contains { $0.size == .missing(.lookupMiss) } }

  mutating func doubtSizes() { doubt = .doubtfulSizes }
}

extension GatheredCandles.Page: LookedUp {
  /// Does nothing: their own volume and turnover tell.
  func doubtSizes() {}

  var hasLookupMiss: Bool { candles.contains { [$0.volume, $0.turnover].contains(.missing(.lookupMiss)) } }
}
