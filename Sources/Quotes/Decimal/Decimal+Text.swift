extension Decimal: CustomStringConvertible {
  /// Plain notation with trailing zeros kept and the exponent expanded: `1.16539E8` is `116539000`.
  package var description: String { text(extraPlaces: 0) }

  /// Plain notation without trailing zeros after the point: `1.50` is `1.5`, `2.00` is `2`.
  package var shortest: String {
    if isZero { return "0" }
    return exponent < 0 ? strippingZeros(downTo: 0).description : description
  }

  /// Returns the value rounded to that many decimal places, all of them written: `1.5` with two is `1.50`.
  package func fixedText(places: Int) -> String {
    let places = max(0, places)
    let value = rounded(toPlaces: places)
    // A value of up to 38 digits may have no room for the zeros.
    return value.text(extraPlaces: places + min(0, Int(value.exponent)))
  }

  /// A signed percentage with two decimals: `+1.23`, `-0.40`, and `+0.00` for anything that rounds to zero.
  package var signedPercentText: String {
    let text = fixedText(places: 2)
    return text.utf8.first == ASCII.minus ? text : "+" + text
  }

  /// The result of a division or comparison, exact or to 12 significant digits: `-0.0372`, `1.2345`. The integer part
  /// is never rounded away.
  package var quotientText: String {
    (leadingPower < 12 ? rounded(toSignificantDigits: 12) : rounded(toPlaces: 0)).shortest
  }

  /// The same, but with all digits of a quotient that is exact: one that is not has 37 digits or 38.
  package var exactQuotientText: String {
    significantDigits < Self.maximumDigits - 1 ? shortest : quotientText
  }

  /// A price with its own digits or, if it has more than are readable, those of a rate.
  package var shownPrice: String { normalized.significantDigits > 12 ? rateText : shortest }

  /// A short amount with three significant digits: `1.84B`, `12.3M`, `456K`; below a thousand with four: `12.34`.
  package var compactText: String {
    let number = rounded(toSignificantDigits: 3)
    guard number.magnitude >= 1000 else { return rounded(toSignificantDigits: 4).shortest }
    let units: [(power: Int, letter: String)] = [(12, "T"), (9, "B"), (6, "M"), (3, "K")]
    let unit = units.first { number.magnitude >= Decimal(exactly: 1, exponent: Int32($0.power)) } ?? units[3]
    let part = number.scaledByPowerOfTen(-unit.power)
    // Always three digits, including zeros: 1.8B above 1.84B would look like a different precision.
    let places = part.magnitude >= 100 ? 0 : part.magnitude >= 10 ? 1 : 2
    return (part.magnitude >= 1000 ? part.shortest : part.fixedText(places: places)) + unit.letter
  }

  /// The format of rates and converted prices: one decimal from 10,000 up, six significant digits below.
  ///
  /// Which one applies is decided after rounding: 9999.996 is `10000.0`. The integer part is never rounded away:
  /// 134512345.04 is `134512345.0`. Zero is `0`.
  package var rateText: String {
    if isZero { return "0" }
    let rounded = rounded(toSignificantDigits: 6)
    if rounded.magnitude >= 10_000 { return fixedText(places: 1) }
    return rounded.fixedText(places: 5 - rounded.leadingPower)
  }

  /// Returns the digits with the point among them, and `extraPlaces` zeros appended.
  private func text(extraPlaces: Int) -> String {
    let magnitude = mantissa.magnitude
    let digits = max(1, PowersOfTen.digitCount(magnitude))
    let places = max(0, -Int(exponent))
    let integerDigits = max(1, digits - places)
    let integerZeros = mantissa == 0 ? 0 : max(0, Int(exponent))
    let isNegative = mantissa < 0
    let allPlaces = places + extraPlaces
    let count = (isNegative ? 1 : 0) + integerDigits + integerZeros + (allPlaces > 0 ? 1 + allPlaces : 0)
    return String(unsafeUninitializedCapacity: count) { buffer in
      var text = TextFromTheRight(buffer: buffer, index: count)
      var rest = PlainDigits(magnitude)
      text.write(zeros: extraPlaces)
      text.write(digits: places, of: &rest)
      if allPlaces > 0 { text.write(ASCII.point) }
      text.write(zeros: integerZeros)
      text.write(digits: integerDigits, of: &rest)
      if isNegative { text.write(ASCII.minus) }
      return count
    }
  }
}

/// The digits of a magnitude, last one first, followed by endless zeros.
private struct PlainDigits {
  /// The last digits, up to 19, whose divisions by ten are cheap, and all digits before them.
  private var low: UInt64
  private var high: UInt128
  private var lowDigits = 19

  init(_ magnitude: UInt128) {
    let (quotient, remainder) = magnitude.quotientAndRemainder(dividingBy: UInt128(PowersOfTen.narrow[19]))
    low = UInt64(truncatingIfNeeded: remainder)
    high = quotient
  }

  mutating func next() -> UInt8 {
    if lowDigits == 0 {
      // At most 38 digits, so this is the other half.
      low = UInt64(truncatingIfNeeded: high)
      high = 0
      lowDigits = 19
    }
    lowDigits -= 1
    let (quotient, remainder) = low.quotientAndRemainder(dividingBy: 10)
    low = quotient
    return ASCII.zero + UInt8(truncatingIfNeeded: remainder)
  }
}

/// A writer that fills a buffer from its end to its start.
private struct TextFromTheRight {
  let buffer: UnsafeMutableBufferPointer<UInt8>
  var index: Int

  mutating func write(_ byte: UInt8) {
    index -= 1
    buffer[index] = byte
  }

  mutating func write(zeros count: Int) {
    for _ in 0..<count { write(ASCII.zero) }
  }

  mutating func write(digits count: Int, of digits: inout PlainDigits) {
    for _ in 0..<count { write(digits.next()) }
  }
}

extension Decimal {
  /// The capacity that ``write(to:)`` and ``writeSignedPercent(to:)`` need; bytes after the text may be overwritten.
  package static let writtenLength = 48

  /// Writes the ``description`` of a number that, like nearly all, has 64 bits and up to 18 decimals.
  ///
  /// - Parameter buffer: `writtenLength` bytes or more.
  /// - Returns: The number of bytes written; nil, with nothing written, for any other number.
  package func write(to buffer: UnsafeMutablePointer<UInt8>) -> Int? {
    let places = -Int(exponent)
    guard let mantissa = narrowMantissa, 0...18 ~= places else { return nil }
    return Decimal.write(mantissa.magnitude, places: places, sign: mantissa < 0 ? ASCII.minus : nil, to: buffer)
  }

  /// Writes ``signedPercentText`` in the same way.
  package func writeSignedPercent(to buffer: UnsafeMutablePointer<UInt8>) -> Int? {
    let places = -Int(exponent)
    guard let mantissa = narrowMantissa, 2...18 ~= places else { return nil }
    let unit = PowersOfTen.narrow[places - 2]
    let (quotient, remainder) = mantissa.magnitude.quotientAndRemainder(dividingBy: unit)
    let hundredths = remainder >= unit - remainder ? quotient + 1 : quotient
    let isNegative = mantissa < 0 && hundredths != 0
    return Decimal.write(hundredths, places: 2, sign: isNegative ? ASCII.minus : ASCII.plus, to: buffer)
  }

  private static func write(
    _ magnitude: UInt64, places: Int, sign: UInt8?, to buffer: UnsafeMutablePointer<UInt8>
  ) -> Int {
    var at = 0
    if let sign {
      buffer[0] = sign
      at = 1
    }
    guard places > 0 else { return at + write(integer: magnitude, to: buffer + at) }
    let (integer, fraction) = magnitude.quotientAndRemainder(dividingBy: PowersOfTen.narrow[places])
    at += write(integer: integer, to: buffer + at)
    buffer[at] = ASCII.point
    at += 1
    write(fraction, digits: places, to: buffer + at)
    return at + places
  }

  private static func write(integer: UInt64, to buffer: UnsafeMutablePointer<UInt8>) -> Int {
    let count = max(1, PowersOfTen.digitCount(integer))
    write(integer, digits: count, to: buffer)
    return count
  }

  /// Writes a number of at most `digits` digits, at least one, with leading zeros: the first one to eight of them, then
  /// eight at a time.
  private static func write(_ number: UInt64, digits: Int, to buffer: UnsafeMutablePointer<UInt8>) {
    guard digits > 8 else { return EightDigits(of: number).store(last: digits, at: buffer) }
    let (quotient, remainder) = number.quotientAndRemainder(dividingBy: 100_000_000)
    write(quotient, digits: digits - 8, to: buffer)
    EightDigits(of: remainder).store(at: buffer + (digits - 8))
  }
}

extension Double {
  /// The number with a few digits, for sentences: `0.333`; `inf` or `nan` if it is none.
  package func text(digits: Int) -> String {
    let text = String(self)
    return Decimal(text)?.rounded(toSignificantDigits: digits).shortest ?? text
  }
}
