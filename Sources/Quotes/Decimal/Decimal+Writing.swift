extension Decimal {
  /// The room that ``write(to:)`` and ``writeSignedPercent(to:)`` need; some of what lies behind the text is written over.
  package static let writtenLength = 48

  /// Writes ``description`` for a number as nearly all are, of 64 bits and up to 18 decimals.
  ///
  /// - Parameter buffer: `writtenLength` bytes or more.
  /// - Returns: how many bytes were written; nil, and nothing written, for any other number.
  package func write(to buffer: UnsafeMutablePointer<UInt8>) -> Int? {
    let places = -Int(exponent)
    guard let mantissa = narrowMantissa, 0...18 ~= places else { return nil }
    return Decimal.write(mantissa.magnitude, places: places, sign: mantissa < 0 ? ASCII.minus : nil, to: buffer)
  }

  /// Writes ``signedPercentText``, in the same way.
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

  /// Writes a number of at most `digits` digits, one or more, with zeros before it: the first one to eight of them, then
  /// eight at a time.
  private static func write(_ number: UInt64, digits: Int, to buffer: UnsafeMutablePointer<UInt8>) {
    guard digits > 8 else { return EightDigits(of: number).store(last: digits, at: buffer) }
    let (quotient, remainder) = number.quotientAndRemainder(dividingBy: 100_000_000)
    write(quotient, digits: digits - 8, to: buffer)
    EightDigits(of: remainder).store(at: buffer + (digits - 8))
  }
}
