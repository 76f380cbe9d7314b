extension Decimal {
  /// The room that ``write(to:)`` and ``writeSignedPercent(to:)`` need.
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
    let count = max(1, PowersOfTen.digitCount(UInt128(integer)))
    write(integer, digits: count, to: buffer)
    return count
  }

  /// Writes the last `digits` digits, from the right to the left: eight at a time, then one by one.
  private static func write(_ number: UInt64, digits: Int, to buffer: UnsafeMutablePointer<UInt8>) {
    var rest = number
    var end = digits
    while end >= 8 {
      let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: 100_000_000)
      EightDigits(of: remainder).store(at: buffer + (end - 8))
      rest = quotient
      end -= 8
    }
    while end > 0 {
      end -= 1
      let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: 10)
      buffer[end] = ASCII.zero + UInt8(truncatingIfNeeded: remainder)
      rest = quotient
    }
  }
}
