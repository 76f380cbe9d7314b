import Config
import JSONPath
import Quotes

/// Looks at paths that still lead to something: has it another type, another unit, or has it stopped to move?
struct ShiftSearch {
  let recorded: AnswerColumns
  let current: AnswerColumns
  let pairing: RowPairing
  let slots: [ReadSlot]
  let pair: Pair?

  /// Fewer pairs than these may all have moved by chance.
  private static let enough = 3

  private struct Column {
    let slot: ReadSlot
    let old: [Int: AnswerValue]
    let new: [Int: AnswerValue]
    /// The values of the rows that both answers have.
    let pairs: [(AnswerValue, AnswerValue)]
  }

  /// - Parameter lost: paths that are told of already.
  func shifts(besides lost: [ReadSlot]) -> [AnswerDrift.Shift] {
    var done: [ReadSlot] = []
    var shifts: [AnswerDrift.Shift] = []
    for slot in slots where !lost.contains(where: { $0.isSamePath(as: slot) }) {
      guard !done.contains(where: { $0.isSamePath(as: slot) }) else { continue }
      done.append(slot)
      let old = recorded.values(at: slot.path, isInRow: slot.isInRow, pair)
      let new = current.values(at: slot.path, isInRow: slot.isInRow, pair)
      guard !old.isEmpty else { continue }
      let rows = slot.isInRow ? pairing.rows : [(0, 0)]
      let pairs = rows.compactMap { row in old[row.0].flatMap { old in new[row.1].map { (old, $0) } } }
      let column = Column(slot: slot, old: old, new: new, pairs: pairs)
      guard let found = shift(column) else { continue }
      let same = slots.filter { $0.isSamePath(as: slot) }
      shifts.append(
        .init(
          isProblem: found.isProblem, uses: same.map(\.use).unique, fields: same.compactMap(\.field).unique,
          text: "\(slot.path.text) \(found.text)", help: found.help))
    }
    return shifts
  }

  private typealias Found = (isProblem: Bool, text: String, help: String?)

  private func shift(_ column: Column) -> Found? {
    if let found = emptied(column) { return found }
    guard column.slot.isInRow || column.slot.value.time != nil else { return nil }
    if let found = unit(column) ?? stopped(column) { return found }
    return type(column)
  }

  // MARK: Type

  private func emptied(_ column: Column) -> Found? {
    let count = column.slot.isInRow ? recorded.rows.count : 1
    guard column.old.count * 2 >= count, column.old.count >= min(2, count) else { return nil }
    let rows = column.slot.isInRow ? current.rows.count : 1
    if !column.new.isEmpty, rows >= 20, column.new.count * 20 < rows {
      return (
        true,
        "has a value in \(column.new.count) of \(rows) rows, and had one in \(column.old.count) of \(count) of the recording",
        nil
      )
    }
    guard column.new.isEmpty else { return nil }
    return (true, "is null now in all rows, and had a value in \(column.old.count) of \(count) of the recording", nil)
  }

  private func type(_ column: Column) -> Found? {
    func kind(_ values: some Collection<AnswerValue>) -> String? {
      let names = values.map { value -> String in
        switch value.kind {
        case .number: "a number"
        case .boolean: "true or false"
        case .text: value.number == nil ? "a text" : "a number in quotes"
        }
      }
      guard let first = names.first, names.allSatisfy({ $0 == first }) else { return nil }
      return first
    }
    guard let old = kind(column.old.values), let new = kind(column.new.values), old != new else { return nil }
    // Digits are read with quotes and without; a time or a word in place of digits is told by the field itself.
    return (false, "is \(new) now, and was \(old) in the recording", nil)
  }

  // MARK: Unit

  private func unit(_ column: Column) -> Found? {
    if column.slot.value.time != nil { return timeUnit(column) }
    let numbers = column.pairs.compactMap { old, new in old.number.flatMap { old in new.number.map { (old, $0) } } }
    guard numbers.count >= Self.enough, column.slot.use != "where" else { return nil }
    let isChange = column.slot.field == .changePricePercent24 && column.slot.isWhole
    if isChange || numbers.contains(where: { $0.0 < 0 }) { return isChange ? changeUnit(numbers, column.slot) : nil }
    return amountUnit(numbers, column.slot)
  }

  /// All numbers moved by one power of ten: no market does that.
  private func amountUnit(_ numbers: [(Double, Double)], _ slot: ReadSlot) -> Found? {
    let isAmount = slot.field == .volume24 || slot.field == .turnover24 || slot.field == nil
    let ratios = numbers.filter { $0.0 > 0 && $0.1 > 0 }.map { $0.1 / $0.0 }.sorted()
    guard ratios.count >= Self.enough else { return nil }
    let middle = ratios[ratios.count / 2]
    let powers = (isAmount ? 3 : 2)...18
    for power in powers {
      for (factor, sense) in [(Self.power(power), "larger"), (1 / Self.power(power), "smaller")] {
        guard (0.5...2).contains(middle / factor) else { continue }
        let kept = ratios.count { (0.33...3).contains($0 / factor) }
        guard kept * 10 >= ratios.count * 9 else { return nil }
        let text =
          "looks \(Self.powerText(power)) times \(sense) than in the recording in \(kept) of \(ratios.count) rows"
        let scale = Self.scaleText(slot.value.scale ?? 1, power: sense == "larger" ? -power : power)
        return (true, text, "if its unit has changed: \(scale)")
      }
    }
    return nil
  }

  /// Percents that have become ratios, or the other way round: told by their size, for they go up and down.
  private func changeUnit(_ numbers: [(Double, Double)], _ slot: ReadSlot) -> Found? {
    let old = numbers.map { abs($0.0) }.sorted()[numbers.count / 2]
    let new = numbers.map { abs($0.1) }.sorted()[numbers.count / 2]
    guard old > 0, new > 0 else { return nil }
    // A calm day after a wild one makes a factor of ten.
    let text: (String) -> String = { "looks 100 times \($0) than in the recording" }
    if (25.0...400).contains(old / new) {
      return (true, text("smaller"), "if it is a ratio now: \(Self.scaleText(slot.value.scale ?? 1, power: 2))")
    }
    if (25.0...400).contains(new / old) {
      return (true, text("larger"), "if it is in percent now: \(Self.scaleText(slot.value.scale ?? 1, power: -2))")
    }
    return nil
  }

  private func timeUnit(_ column: Column) -> Found? {
    guard case .unit(let unit, _)? = column.slot.value.time else { return nil }
    func size(_ values: some Sequence<AnswerValue>) -> Double? {
      let numbers = values.compactMap(\.number).filter { $0 > 0 }.sorted()
      return numbers.isEmpty ? nil : numbers[numbers.count / 2]
    }
    guard let old = size(column.old.values) else { return nil }
    guard let new = size(column.new.values) else {
      let example = column.new.values.first?.text ?? ""
      let isText = example.contains("-") && example.contains(":")
      return column.new.isEmpty || !isText
        ? nil : (true, "is a text now (\(example)), and was a count of \(unit.rawValue)", #"use "unit": "iso8601""#)
    }
    let units = TimeUnit.allCases
    guard let place = units.firstIndex(of: unit) else { return nil }
    for (index, other) in units.enumerated() where other != unit {
      let factor = Self.power(3 * abs(index - place))
      let ratio = index > place ? new / old : old / new
      guard (0.5...2).contains(ratio / factor) else { continue }
      return (
        true, "looks like a count of \(other.rawValue) now, and was one of \(unit.rawValue)",
        "use \"unit\": \"\(other.rawValue)\""
      )
    }
    return nil
  }

  // MARK: Standing still

  /// One value in all rows, where there were many.
  private func stopped(_ column: Column) -> Found? {
    guard column.slot.field != nil || column.slot.use == "symbol", column.new.count >= 5,
      let first = column.new.values.first, Set(column.new.values.map(\.text)).count == 1
    else { return nil }
    let kinds = Set(column.old.values.map(\.text)).count
    guard kinds >= Self.enough, kinds * 2 >= column.old.count else { return nil }
    // One time for all may be that of the answer.
    let isProblem = column.slot.field != .time
    return (
      isProblem,
      "is \(first.text) in all \(column.new.count) rows, and had \(kinds) values in \(column.old.count) rows of the recording",
      nil
    )
  }

  // MARK: Words

  private static func power(_ exponent: Int) -> Double { (0..<exponent).reduce(1.0) { number, _ in number * 10 } }

  private static func powerText(_ exponent: Int) -> String { Decimal(1).scaledByPowerOfTen(exponent).shortest }

  private static func scaleText(_ scale: Decimal, power: Int) -> String {
    let scale = scale.scaledByPowerOfTen(power)
    return scale == 1 ? "take its \"scale\" out" : "use \"scale\": \(scale.shortest)"
  }
}
