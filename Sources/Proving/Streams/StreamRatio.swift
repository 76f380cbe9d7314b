import Config
import Quotes

/// How the numbers of a stream stand to that of the table, which came a moment before.
///
/// Binary floating point is good enough here: these are votes over messages, no number of theirs is ever kept.
struct StreamRatio {
  let field: TickerField
  /// The median of stream / table.
  let median: Double
  let count: Int
  private let streamed: Double
  private let table: Double

  /// - Parameter streamed: what the messages say, at least one.
  /// - Returns: nil where there is nothing to divide by.
  init?(_ field: TickerField, _ streamed: [Decimal], _ table: Decimal) {
    guard let table = Double(table.shortest), table != 0, !streamed.isEmpty else { return nil }
    let numbers = streamed.compactMap { Double($0.shortest) }.sorted()
    guard !numbers.isEmpty else { return nil }
    self.field = field
    self.table = table
    self.streamed = numbers[numbers.count / 2]
    median = self.streamed / table
    count = numbers.count
  }

  /// How far from 1 the median may be: amounts of a moment later differ by more than prices.
  private static func tolerance(of field: TickerField) -> Double {
    [.volume24, .turnover24].contains(field) ? 0.1 : 0.02
  }

  var isSound: Bool {
    // Changes near zero have no ratio that says anything.
    if field == .changePricePercent24 { return abs(streamed - table) <= max(0.3, abs(table) * 0.1) }
    return abs(median - 1) <= Self.tolerance(of: field)
  }

  /// What may have gone wrong.
  ///
  /// - Parameters:
  ///   - others: what the table says of other fields.
  ///   - isFutures: whether amounts may count contracts.
  func advice(_ others: [(field: TickerField, value: Decimal)], isFutures: Bool) -> String? {
    let isAmount = [.volume24, .turnover24].contains(field)
    let swapped = others.first { other in
      // Prices are all alike: only what is far from the field's own value names another one.
      guard other.field != field, let value = Double(other.value.shortest), value != 0 else { return false }
      return abs(streamed / value - 1) <= Self.tolerance(of: other.field)
    }
    if let swapped { return "it is what the table calls \(swapped.field.rawValue): the members are swapped" }
    if let power = Self.power(of: abs(median)), power != 0 {
      let factor = Decimal(1).scaledByPowerOfTen(-power).shortest
      let contracts = isFutures && isAmount ? ", or multiply by the size of a contract" : ""
      return "write \"scale\": \(factor)\(contracts)"
    }
    if median < 0, field == .changePricePercent24 { return "its sign is the other one" }
    guard isFutures, isAmount else { return nil }
    return "the ratio may be the size of a contract: multiply by it"
  }

  /// The power of ten that the ratio is, within what a moment makes of it; nil for any other.
  private static func power(of ratio: Double) -> Int? {
    guard ratio > 0 else { return nil }
    var power = 0
    var rest = ratio
    while rest >= 3, power < 30 { (rest, power) = (rest / 10, power + 1) }
    while rest < 0.3, power > -30 { (rest, power) = (rest * 10, power - 1) }
    return abs(rest - 1) <= 0.1 ? power : nil
  }

  /// `915590 by stream, 91559 in the table`
  var fact: String { "\(Self.text(streamed)) by stream, \(Self.text(table)) in the table" }

  /// `100.02 times the table's`
  var text: String { "\(Self.text(median)) times the table's in the middle of \(count)" }

  private static func text(_ number: Double) -> String {
    (Decimal(String(number)) ?? .zero).rounded(toSignificantDigits: 5).shortest
  }
}
