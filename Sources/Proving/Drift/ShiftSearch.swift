import Config
import Quotes

/// Checks a path that still finds something: has its type or unit changed, or has it stopped changing?
struct ShiftSearch {
  private let comparison: Comparison
  private let reading: Comparison.Reading
  private let path: MappedPath
  /// How many rows the answers have; outside of rows there is one value.
  private let rowCounts: (old: Int, new: Int)
  /// The values of the rows that both answers have.
  private let pairs: [(AnswerValue, AnswerValue)]

  /// The minimum number of pairs: fewer may all have changed by chance.
  private static let enough = 3

  private typealias Found = (isProblem: Bool, text: String, help: String?)

  init(_ comparison: Comparison, _ reading: Comparison.Reading) {
    (self.comparison, self.reading, path) = (comparison, reading, reading.path)
    rowCounts = reading.isInRow ? (comparison.recorded.rows.count, comparison.current.rows.count) : (1, 1)
    pairs = comparison.pairs(reading.old, reading.new, isInRow: reading.isInRow)
  }

  var shift: Drift.Shift? {
    guard !reading.old.isEmpty, let found else { return nil }
    return Drift.Shift(
      isProblem: found.isProblem, uses: reading.uses, fields: reading.fields,
      text: "\(path.path.text) \(found.text)", help: found.help)
  }

  private var found: Found? {
    if let emptied { return emptied }
    guard path.isInRow || path.value.time != nil else { return nil }
    return unit ?? stopped ?? type
  }

  // MARK: Type

  private var emptied: Found? {
    let (old, new) = (reading.old.count, reading.new.count)
    guard old * 2 >= rowCounts.old, old >= min(2, rowCounts.old) else { return nil }
    if new == 0 {
      return (true, "is null now in all rows, but had a value in \(old) of \(rowCounts.old) of the recording", nil)
    }
    guard rowCounts.new >= 20, new * 20 < rowCounts.new else { return nil }
    return (
      true,
      "has a value in \(new) of \(rowCounts.new) rows, but had one in \(old) of \(rowCounts.old) of the recording", nil
    )
  }

  private var type: Found? {
    func kind(_ values: some Collection<AnswerValue>) -> String? {
      let names = Set(
        values.map { value in
          switch value.kind {
          case .number: "a number"
          case .boolean: "true or false"
          case .text: value.number == nil ? "a string" : "a number in quotes"
          }
        })
      return names.count == 1 ? names.first : nil
    }
    guard let old = kind(reading.old.values), let new = kind(reading.new.values), old != new else { return nil }
    // Numbers are read with or without quotes; a time or word instead of a number shows up in the field itself.
    return (false, "is \(new) now, but was \(old) in the recording", nil)
  }

  // MARK: Unit

  private var unit: Found? {
    if path.value.time != nil { return timeUnit }
    guard comparison.comparesAmounts else { return nil }
    let numbers = pairs.compactMap { old, new in old.number.flatMap { old in new.number.map { (old, $0) } } }
    guard numbers.count >= Self.enough, path.use != .condition else { return nil }
    if path.field == .changePricePercent24, path.isWhole { return changeUnit(numbers) }
    return numbers.contains { $0.0 < 0 } ? nil : amountUnit(numbers) ?? amountCurrency
  }

  /// Detects that all numbers changed by the same power of ten, as in no market.
  private func amountUnit(_ numbers: [(Double, Double)]) -> Found? {
    let ratios = numbers.filter { $0.0 > 0 && $0.1 > 0 }.map { $0.1 / $0.0 }
    guard ratios.count >= Self.enough, let middle = ratios.median else { return nil }
    let isAmount = [.volume24, .turnover24, nil].contains(path.field)
    for power in (isAmount ? 3 : 2)...18 {
      for (factor, isLarger) in [(Self.power(power), true), (1 / Self.power(power), false)]
      where (0.5...2).contains(middle / factor) {
        let kept = ratios.count { (0.33...3).contains($0 / factor) }
        guard kept * 10 >= ratios.count * 9 else { return nil }
        let times = Decimal(1).scaledByPowerOfTen(power).shortest
        return (
          true,
          "looks \(times) times \(isLarger ? "larger" : "smaller") than in the recording in \(kept) of \(ratios.count) rows",
          "if its unit has changed: \(scaleAdvice(isLarger ? -power : power))"
        )
      }
    }
    return nil
  }

  /// The factor within which the amount of a day is that of another day, in nearly all rows.
  private static let sameAmount = 1 / 3.0...3
  /// A price, or its reverse, from which on no amount that changed by it is the same amount.
  private static let tellingPrice = 20.0

  /// The finding that the amount of each row changed by the price of its pair: money is counted instead of coins, or
  /// vice versa. Prices differ, so that no common factor shows it.
  private var amountCurrency: Found? {
    guard [.volume24, .turnover24].contains(path.field), let prices = comparison.currentPrices else { return nil }
    let rows = comparison.pairing.rows.compactMap { row -> (ratio: Double, price: Double)? in
      guard let old = reading.old[row.recorded]?.number, let new = reading.new[row.current]?.number, old > 0, new > 0,
        let price = prices[row.current], price >= Self.tellingPrice || 0 < price && price <= 1 / Self.tellingPrice
      else { return nil }
      return (new / old, price)
    }
    guard rows.count >= Self.enough else { return nil }
    let money = rows.count { Self.sameAmount.contains($0.ratio / $0.price) }
    let coins = rows.count { Self.sameAmount.contains($0.ratio * $0.price) }
    guard max(money, coins) * 10 >= rows.count * 9 else { return nil }
    let (operation, things, field) =
      money > coins ? ("times", "money", TickerField.turnover24) : ("divided by", "coins", .volume24)
    return (
      true,
      "is about the recorded amount \(operation) the price in \(max(money, coins)) of \(rows.count) rows "
        + "whose price is far from 1",
      "if it counts \(things) now, it is \"\(field.rawValue)\""
    )
  }

  /// Detects percentages that have become ratios, or vice versa, by their size, since changes vary.
  private func changeUnit(_ numbers: [(Double, Double)]) -> Found? {
    guard let old = numbers.map({ abs($0.0) }).median, let new = numbers.map({ abs($0.1) }).median, old > 0, new > 0
    else { return nil }
    // A calm day after a volatile one accounts for a factor of ten.
    let factors = 25.0...400
    if factors.contains(old / new) {
      return (true, "looks 100 times smaller than in the recording", "if it is a ratio now: \(scaleAdvice(2))")
    }
    if factors.contains(new / old) {
      return (true, "looks 100 times larger than in the recording", "if it is in percent now: \(scaleAdvice(-2))")
    }
    return nil
  }

  private func scaleAdvice(_ power: Int) -> String {
    (path.value.scale ?? 1).scaledByPowerOfTen(power).asScaleAdvice
  }

  private var timeUnit: Found? {
    guard case .unit(let unit, _)? = path.value.time else { return nil }
    func size(_ values: some Sequence<AnswerValue>) -> Double? { values.compactMap(\.number).filter { $0 > 0 }.median }
    guard let old = size(reading.old.values) else { return nil }
    guard let new = size(reading.new.values) else {
      guard let example = reading.new.values.first?.text, example.contains("-"), example.contains(":") else {
        return nil
      }
      return (true, "is a string now (\(example)), but was a count of \(unit.rawValue)", #"use "unit": "iso8601""#)
    }
    let units = TimeUnit.allCases
    guard let place = units.firstIndex(of: unit) else { return nil }
    for (index, other) in units.enumerated() where other != unit {
      let ratio = index > place ? new / old : old / new
      guard (0.5...2).contains(ratio / Self.power(3 * abs(index - place))) else { continue }
      return (
        true, "looks like a count of \(other.rawValue) now, but was one of \(unit.rawValue)",
        "use \"unit\": \"\(other.rawValue)\""
      )
    }
    return nil
  }

  private static func power(_ exponent: Int) -> Double { (0..<exponent).reduce(1.0) { number, _ in number * 10 } }

  // MARK: Stopped values

  /// The finding that all rows have the same value, where there were many.
  private var stopped: Found? {
    guard path.field != nil || path.use == .symbol, reading.new.count >= 5, let first = reading.new.values.first,
      Set(reading.new.values.map(\.text)).count == 1
    else { return nil }
    let kinds = Set(reading.old.values.map(\.text)).count
    guard kinds >= Self.enough, kinds * 2 >= reading.old.count else { return nil }
    // A single time for all may be that of the answer.
    return (
      path.field != .time,
      "is \(first.text) in all \(reading.new.count) rows, but had \(kinds) values in \(reading.old.count) rows "
        + "of the recording",
      nil
    )
  }
}

extension Decimal {
  /// The advice for getting this scale.
  var asScaleAdvice: String { self == 1 ? "remove its \"scale\"" : "use \"scale\": \(shortest)" }
}
