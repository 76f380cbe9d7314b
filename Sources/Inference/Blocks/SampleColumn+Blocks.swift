import Config
import Quotes

/// What order books, trades and candles ask of a column.
extension SampleColumn {
  /// The last name of its path, folded: exchanges write `tradeId`, `trade_id` and `trade-id`.
  var plainName: String { Spelling.folded(title) }

  var saysUTC: Bool { ["utc", "gmt"].contains(where: plainName.contains) }

  /// All values as numbers; nil if any is not a number.
  var allNumbers: [Double]? {
    let present = presentNumbers
    return present.count == numbers.count && !present.isEmpty ? present : nil
  }

  /// Returns whether every number is the sum of another column's up to it, in enough rows to rule out chance.
  func isRunningSum(of part: SampleColumn?) -> Bool {
    guard let totals = allNumbers, let parts = part?.allNumbers, totals.count >= 3 else { return false }
    return RunningTotals.areSums(totals, of: parts, within: 1e-6) && totals != parts
  }

  /// Whether no value has a nonzero fraction.
  var isWhole: Bool { numbers.allSatisfy { $0.map { $0 == $0.rounded() } ?? true } }

  /// The times of all rows if they are monotonic; nil if any is missing. An amount may look like a time.
  var moments: (form: TimeRole.Form, all: [Instant])? {
    guard let first = texts.first?.flatMap(\.self), let form = TimeRole.form(of: [first]),
      texts.allSatisfy({ $0.flatMap { TimeRole.form(of: [$0]) } == form })
    else { return nil }
    return moments(form)
  }

  /// Whether all rows have times in one form and of one week, in any order. No amounts are as close to each other.
  var areTimes: Bool {
    guard let first = texts.first?.flatMap(\.self), let form = TimeRole.form(of: [first]) else { return false }
    let all = texts.compactMap { text in
      text.flatMap { TimeRole.form(of: [$0]) == form ? TimeRole.moment($0, form) : nil }
    }
    guard all.count == texts.count, let earliest = all.min(), let latest = all.max() else { return false }
    return latest <= earliest.advanced(by: .seconds(7 * 86_400))
  }

  /// The days of all rows if they are monotonic; nil if any is missing.
  var dates: (form: TimeRole.Form, all: [Instant])? {
    TimeRole.dateForm(of: presentTexts).flatMap(moments)
  }

  private func moments(_ form: TimeRole.Form) -> (form: TimeRole.Form, all: [Instant])? {
    let all = texts.compactMap { $0.flatMap { TimeRole.moment($0, form) } }
    return all.count == texts.count && all.isMonotonic ? (form, all) : nil
  }
}
