import Config
import Quotes

/// Compares the numbers of a stream to that in the table, which is slightly older.
///
/// Binary floating point suffices: these are votes over messages, and none of the numbers is kept.
struct StreamRatio {
  let field: TickerField
  /// The median of stream / table.
  let median: Double
  let count: Int
  private let streamed: Double
  private let table: Double

  /// - Parameter streamed: The numbers in the messages, at least one.
  /// - Returns: nil if there is nothing to divide by.
  init?(_ field: TickerField, _ streamed: [Decimal], _ table: Decimal) {
    let numbers = streamed.compactMap { Double($0.shortest) }
    guard let table = Double(table.shortest), table != 0, let middle = numbers.median else { return nil }
    (self.field, self.table, self.streamed) = (field, table, middle)
    median = middle / table
    count = numbers.count
  }

  /// Returns the tolerance of the median around 1: amounts change faster than prices.
  private static func tolerance(of field: TickerField) -> Double {
    [.volume24, .turnover24].contains(field) ? 0.1 : 0.02
  }

  var isSound: Bool {
    // Near zero, ratios of changes are meaningless.
    if field == .changePricePercent24 { return abs(streamed - table) <= max(0.3, abs(table) * 0.1) }
    return abs(median - 1) <= Self.tolerance(of: field)
  }

  /// Returns what may be wrong.
  ///
  /// - Parameters:
  ///   - others: The table's values of other fields.
  ///   - isFutures: Whether amounts may be numbers of contracts.
  func advice(_ others: [(field: TickerField, value: Decimal)], isFutures: Bool) -> String? {
    let isAmount = [.volume24, .turnover24].contains(field)
    let swapped = others.first { other in
      // Prices are similar: another one is only meant if the number is far from the field's own value.
      guard other.field != field, let value = Double(other.value.shortest), value != 0 else { return false }
      return abs(streamed / value - 1) <= Self.tolerance(of: other.field)
    }
    if let swapped { return "it is what the table calls \(swapped.field.rawValue): the members are swapped" }
    if let power = Self.power(of: abs(median)), power != 0 {
      let factor = Decimal(1).scaledByPowerOfTen(-power).shortest
      let contracts = isFutures && isAmount ? ", or multiply by the size of a contract" : ""
      return "write \"scale\": \(factor)\(contracts)"
    }
    if median < 0, field == .changePricePercent24 { return "its sign is inverted" }
    guard isFutures, isAmount else { return nil }
    return "the ratio may be the size of a contract: multiply by it"
  }

  /// Returns the power of ten closest to the ratio, within the tolerance; nil for any other.
  private static func power(of ratio: Double) -> Int? {
    guard ratio > 0 else { return nil }
    var power = 0
    var rest = ratio
    while rest >= 3, power < 30 { (rest, power) = (rest / 10, power + 1) }
    while rest < 0.3, power > -30 { (rest, power) = (rest * 10, power - 1) }
    return abs(rest - 1) <= 0.1 ? power : nil
  }

  /// `915590 by stream, 91559 in the table`
  var fact: String { "\(streamed.text(digits: 5)) by stream, \(table.text(digits: 5)) in the table" }

  /// `100.02 times the table's`
  var text: String { "\(median.text(digits: 5)) times the table's in the median of \(count)" }
}
