/// An amount as people type it: `10000000`, `10,000,000`, `10M`, `1.5e6`, `500k`, `1억`.
package enum AmountText {
  /// The units and their powers of ten.
  private static let units: [(name: String, power: Int)] = [
    ("k", 3), ("K", 3), ("M", 6), ("B", 9), ("T", 12), ("만", 4), ("억", 8), ("조", 12),
  ]

  /// The largest number of digits before the decimal point, and behind it: no amount needs more, and `1e400` would fill
  /// the screen.
  package static let maximumDigits = 30

  /// Returns the power of ten of a unit; nil if there is no such unit.
  ///
  /// - Parameter ignoresCase: Whether `m` is a million, too.
  package static func power(of unit: String, ignoresCase: Bool = false) -> Int? {
    units.first { $0.name == unit || ignoresCase && $0.name.lowercased() == unit.lowercased() }?.power
  }

  /// Returns an amount with a unit, whose case does not matter, or without; nil if it is invalid or not above zero.
  package static func aboveZero(_ text: String) -> Decimal? {
    let (number, unit) = split(text)
    guard let power = unit.isEmpty ? 0 : power(of: unit, ignoresCase: true),
      let amount = Self.number(number, power: power), amount.signum > 0
    else { return nil }
    return amount
  }

  /// Returns whether a word is meant as an amount, valid or not: no name of a currency begins like a number.
  package static func isMeant(by word: String) -> Bool {
    word.utf8.first.map { $0.isDigit || "+-.".utf8.contains($0) } == true
  }

  /// Returns the number in front of a unit, and the unit, which ends in a letter unlike a number.
  package static func split(_ text: String) -> (number: String, unit: String) {
    let unit = String(text.reversed().prefix { $0.isLetter }.reversed())
    return (String(text.dropLast(unit.count)), unit)
  }

  /// Returns the number; nil if it is invalid or has too many digits. Commas group thousands: neither `0,5`
  /// nor `0,500` is a number.
  ///
  /// - Parameter power: The power of ten of the unit behind it.
  package static func number(_ text: String, power: Int = 0) -> Decimal? {
    var digits = text.filter { $0 != "_" }
    let sign = digits.hasPrefix("-") ? "-" : ""
    if digits.hasPrefix("+") || !sign.isEmpty { digits.removeFirst() }
    // Another sign is none: Decimal accepts one of its own.
    guard digits.utf8.first.map({ $0 != ASCII.plus && $0 != ASCII.minus }) == true else { return nil }
    let end = digits.firstIndex { ".eE".contains($0) } ?? digits.endIndex
    let whole = digits[..<end].split(separator: ",", omittingEmptySubsequences: false)
    let isGrouped =
      (1...3).contains(whole[0].count) && !whole[0].hasPrefix("0") && whole.dropFirst().allSatisfy { $0.count == 3 }
    guard whole.count == 1 || isGrouped else { return nil }
    digits.replaceSubrange(..<end, with: whole.joined())
    guard let number = Decimal(sign + digits)?.scaledByPowerOfTen(power) else { return nil }
    let shortest = number.normalized
    guard shortest.isZero || shortest.leadingPower < maximumDigits && shortest.exponent >= -maximumDigits else {
      return nil
    }
    return number
  }
}
