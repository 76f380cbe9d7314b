import Quotes

/// A number as a list of digits, slow and simple, used to verify `Decimal`.
struct NaiveNumber: CustomStringConvertible {
  var isNegative: Bool
  /// The digits, last one first, without zeros at the end; empty for zero.
  var digits: [Int]
  var exponent: Int

  init(isNegative: Bool, digits: [Int], exponent: Int) {
    self.isNegative = isNegative
    self.digits = digits
    self.exponent = exponent
    while self.digits.last == 0 { self.digits.removeLast() }
  }

  init(_ value: Decimal) {
    self.init(
      isNegative: value.mantissa < 0,
      digits: String(value.mantissa.magnitude).reversed().compactMap(\.wholeNumberValue),
      exponent: Int(value.exponent))
  }

  /// Returns the digits for a lower exponent.
  private func raised(to lower: Int) -> [Int] { Array(repeating: 0, count: exponent - lower) + digits }

  static func order(_ left: [Int], _ right: [Int]) -> Int {
    if left.count != right.count { return left.count < right.count ? -1 : 1 }
    for (first, second) in zip(left.reversed(), right.reversed()) where first != second {
      return first < second ? -1 : 1
    }
    return 0
  }

  static func + (left: NaiveNumber, right: NaiveNumber) -> NaiveNumber {
    let exponent = min(left.exponent, right.exponent)
    let first = NaiveNumber(isNegative: false, digits: left.raised(to: exponent), exponent: 0).digits
    let second = NaiveNumber(isNegative: false, digits: right.raised(to: exponent), exponent: 0).digits
    if left.isNegative == right.isNegative {
      var sum: [Int] = []
      var carry = 0
      for index in 0..<max(first.count, second.count) {
        let digit = carry + (index < first.count ? first[index] : 0) + (index < second.count ? second[index] : 0)
        sum.append(digit % 10)
        carry = digit / 10
      }
      return NaiveNumber(isNegative: left.isNegative, digits: sum + [carry], exponent: exponent)
    }
    let isLeftGreater = order(first, second) >= 0
    return NaiveNumber(
      isNegative: isLeftGreater ? left.isNegative : right.isNegative,
      digits: isLeftGreater ? difference(first, second) : difference(second, first), exponent: exponent)
  }

  /// Returns the difference; the first must be the greater one.
  private static func difference(_ greater: [Int], _ lesser: [Int]) -> [Int] {
    var result: [Int] = []
    var borrow = 0
    for index in greater.indices {
      var digit = greater[index] - borrow - (index < lesser.count ? lesser[index] : 0)
      borrow = digit < 0 ? 1 : 0
      if digit < 0 { digit += 10 }
      result.append(digit)
    }
    while result.last == 0 { result.removeLast() }
    return result
  }

  var negated: NaiveNumber { NaiveNumber(isNegative: !isNegative, digits: digits, exponent: exponent) }

  static func * (left: NaiveNumber, right: NaiveNumber) -> NaiveNumber {
    var product = Array(repeating: 0, count: left.digits.count + right.digits.count + 1)
    for (place, digit) in left.digits.enumerated() {
      for (otherPlace, otherDigit) in right.digits.enumerated() {
        product[place + otherPlace] += digit * otherDigit
      }
    }
    for place in product.indices.dropLast() {
      product[place + 1] += product[place] / 10
      product[place] %= 10
    }
    return NaiveNumber(
      isNegative: left.isNegative != right.isNegative, digits: product, exponent: left.exponent + right.exponent)
  }

  /// Returns 80 or more digits of the quotient, followed by a 1 if there is a remainder: enough to round to 38.
  func divided(by divisor: NaiveNumber) -> NaiveNumber {
    let raise = 80 + divisor.digits.count
    var quotient: [Int] = []
    var remainder: [Int] = []
    for digit in digits.reversed() + Array(repeating: 0, count: raise) {
      remainder = remainder.isEmpty && digit == 0 ? [] : [digit] + remainder
      var count = 0
      while NaiveNumber.order(remainder, divisor.digits) >= 0 {
        remainder = NaiveNumber.difference(remainder, divisor.digits)
        count += 1
      }
      quotient.append(count)
    }
    quotient.append(remainder.isEmpty ? 0 : 1)
    return NaiveNumber(
      isNegative: isNegative != divisor.isNegative, digits: quotient.reversed(),
      exponent: exponent - divisor.exponent - raise - 1)
  }

  /// Returns the number rounded half away from zero.
  func rounded(toDigits count: Int) -> NaiveNumber { rounded(dropping: digits.count - count) }

  func rounded(toPlaces places: Int) -> NaiveNumber { rounded(dropping: -places - exponent) }

  private func rounded(dropping excess: Int) -> NaiveNumber {
    guard excess > 0 else { return self }
    guard excess <= digits.count else { return NaiveNumber(isNegative: false, digits: [], exponent: 0) }
    let kept = NaiveNumber(isNegative: isNegative, digits: Array(digits[excess...]), exponent: exponent + excess)
    guard digits[excess - 1] >= 5 else { return kept }
    return kept + NaiveNumber(isNegative: isNegative, digits: [1], exponent: exponent + excess)
  }

  /// Plain notation without trailing zeros after the point.
  var description: String {
    if digits.isEmpty { return "0" }
    var all = Array(repeating: 0, count: max(0, exponent)) + digits
    let places = max(0, -exponent)
    while all.count <= places { all.append(0) }
    var fraction = Array(all[..<places])
    while fraction.first == 0 { fraction.removeFirst() }
    let point = fraction.isEmpty ? "" : "."
    return (isNegative ? "-" : "") + NaiveNumber.text(all[places...]) + point + NaiveNumber.text(fraction[...])
  }

  private static func text(_ digits: ArraySlice<Int>) -> String { digits.reversed().map(String.init).joined() }
}
