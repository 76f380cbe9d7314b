import Quotes

/// An amount of money as people type it: `10000000`, `10M`, `1.5m`, `500k`, `1억`.
enum MoneyAmount {
  private static let units: [(suffix: String, power: Int)] = [
    ("k", 3), ("m", 6), ("b", 9), ("만", 4), ("억", 8),
  ]

  /// nil for what is no amount above zero.
  static func parse(_ text: String) -> Decimal? {
    var digits = text.lowercased().filter { $0 != "," && $0 != "_" }
    var power = 0
    if let unit = units.first(where: { digits.hasSuffix($0.suffix) }) {
      digits.removeLast(unit.suffix.count)
      power = unit.power
    }
    guard let number = Decimal(digits), number.signum > 0 else { return nil }
    return number.scaledByPowerOfTen(power)
  }
}
