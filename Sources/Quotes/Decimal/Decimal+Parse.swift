extension Decimal {
  /// Parses a number as exchanges write them.
  ///
  /// An optional sign, digits with an optional point before, among or after them, and an optional exponent:
  /// `12345.678`, `+5`, `.5`, `5.`, `007`, `1.16539E8`, `-2.7e-7`. Nothing else: no blanks, no thousands separators, no
  /// `nan`, no `0x10`, ASCII digits only.
  ///
  /// - Parameters:
  ///   - bytes: The text in ASCII.
  ///   - wasRounded: Set to true, never to false, if the text has more than 38 significant digits. The value is then
  ///     rounded half away from zero, and only the text still holds all its digits.
  /// - Returns: nil if the text is not a number, or if its first digit is beyond 10^1000 or below 10^-1000.
  package static func parse(_ bytes: UnsafeBufferPointer<UInt8>, wasRounded: inout Bool) -> Decimal? {
    // 19 digits always fit 64 bits, so a short text needs no overflow check.
    guard bytes.count <= 19 else { return parseLong(bytes, wasRounded: &wasRounded) }
    if let number = parseUsual(bytes) { return number }
    // Half of all changes are losses.
    if bytes.first == ASCII.minus, let number = parseUsual(UnsafeBufferPointer(rebasing: bytes.dropFirst())) {
      return Decimal(exactly: -number.mantissa, exponent: number.exponent)
    }
    return parseShort(bytes)
  }

  /// Parses a text; see ``parse(_:wasRounded:)``.
  package init?(_ text: String) {
    var text = text
    var wasRounded = false
    let value = text.withUTF8 { Decimal.parse($0, wasRounded: &wasRounded) }
    guard let value else { return nil }
    self = value
  }

  /// Parses the forms of nearly all numbers, eight digits at a time: up to 8 bytes with or without a point; prices,
  /// such as `67250.10000000`, of 9 to 19 bytes with 1 to 15 digits before the point and 1 to 8 after it; and times of
  /// 9 to 16 digits without a point. Returns nil for any other text, number or not.
  @inline(__always)
  static func parseUsual(_ bytes: UnsafeBufferPointer<UInt8>) -> Decimal? {
    let count = bytes.count
    // 19 digits always fit 64 bits, 20 may not.
    guard let base = bytes.baseAddress, 1...19 ~= count else { return nil }
    if count <= 8 { return parseFew(base, count) }
    let first = EightDigits(base)
    var integer: UInt64
    var places: Int
    if let point = first.indexOfPoint {
      places = count &- point &- 1
      guard point > 0, places <= 8, let value = first.leading(point) else { return nil }
      integer = value
    } else {
      guard count >= 17 else { return parseDigits(base, count, first) }
      let second = EightDigits(base + 8)
      guard let point = second.indexOfPoint, let high = first.leading(8), let low = second.leading(point) else {
        return nil
      }
      places = count &- point &- 9
      guard places >= 1, places <= 8 else { return nil }
      integer = high &* powerOfTen(point) &+ low
    }
    guard let fraction = EightDigits(base + (count &- 8)).trailing(places) else { return nil }
    let mantissa = integer &* powerOfTen(places) &+ fraction
    return Decimal(exactly: Int128(mantissa), exponent: Int32(truncatingIfNeeded: -places))
  }

  /// Parses 1 to 8 bytes: digits with a point before, among or after them.
  @inline(__always)
  private static func parseFew(_ base: UnsafePointer<UInt8>, _ count: Int) -> Decimal? {
    let text = EightDigits(base, count: count)
    guard let point = text.indexOfPoint else {
      return text.leading(count).map { Decimal(exactly: Int128($0), exponent: 0) }
    }
    guard count > 1, let mantissa = text.without(point).leading(count &- 1) else { return nil }
    return Decimal(exactly: Int128(mantissa), exponent: Int32(truncatingIfNeeded: point &+ 1 &- count))
  }

  /// Parses 9 to 16 digits, the first eight of which are already loaded.
  @inline(__always)
  private static func parseDigits(_ base: UnsafePointer<UInt8>, _ count: Int, _ first: EightDigits) -> Decimal? {
    let rest = count &- 8
    guard let high = first.leading(8), let low = EightDigits(base + rest).trailing(rest) else { return nil }
    return Decimal(exactly: Int128(high &* powerOfTen(rest) &+ low), exponent: 0)
  }

  /// Returns 10^power, for 0 to 8.
  @inline(__always)
  private static func powerOfTen(_ power: Int) -> UInt64 { PowersOfTen.narrow[power] }

  private static func parseShort(_ bytes: UnsafeBufferPointer<UInt8>) -> Decimal? {
    let count = bytes.count
    guard count > 0 else { return nil }
    let isNegative = bytes[0] == ASCII.minus
    var index = isNegative || bytes[0] == ASCII.plus ? 1 : 0
    var digits = -index
    var value: UInt64 = 0
    while index < count {
      let digit = bytes[index] &- ASCII.zero
      if digit > 9 { break }
      value = value &* 10 &+ UInt64(digit)
      index &+= 1
    }
    digits &+= index
    var exponent = 0
    if index < count, bytes[index] == ASCII.point {
      index &+= 1
      let start = index
      while index < count {
        let digit = bytes[index] &- ASCII.zero
        if digit > 9 { break }
        value = value &* 10 &+ UInt64(digit)
        index &+= 1
      }
      exponent = start &- index
      digits &+= index &- start
    }
    guard digits > 0 else { return nil }
    let mantissa = isNegative ? -Int128(value) : Int128(value)
    if index == count { return Decimal(exactly: mantissa, exponent: Int32(truncatingIfNeeded: exponent)) }
    guard let written = writtenExponent(bytes, at: index) else { return nil }
    return withinRange(mantissa, exponent: exponent &+ written)
  }

  private static func parseLong(_ bytes: UnsafeBufferPointer<UInt8>, wasRounded: inout Bool) -> Decimal? {
    let count = bytes.count
    let isNegative = bytes[0] == ASCII.minus
    var index = isNegative || bytes[0] == ASCII.plus ? 1 : 0
    // The first and the second 19 significant digits; of the rest only the first matters, for rounding.
    var first: UInt64 = 0
    var second: UInt64 = 0
    var significant = 0
    var dropped = 0
    var roundsUp = false
    var pointAt: Int?
    var digitSeen = false
    scan: while index < count {
      let digit = bytes[index] &- ASCII.zero
      if digit <= 9 {
        digitSeen = true
        if significant < 19 {
          first = first &* 10 &+ UInt64(digit)
          if first != 0 { significant += 1 }
        } else if significant < maximumDigits {
          second = second &* 10 &+ UInt64(digit)
          significant += 1
        } else {
          if dropped == 0 { roundsUp = digit >= 5 }
          dropped += 1
        }
      } else if bytes[index] == ASCII.point, pointAt == nil {
        pointAt = index
      } else {
        break scan
      }
      index += 1
    }
    guard digitSeen else { return nil }
    var exponent = dropped - (pointAt.map { index - $0 - 1 } ?? 0)
    if index < count {
      guard let written = writtenExponent(bytes, at: index) else { return nil }
      exponent += written
    }
    var magnitude = UInt128(first)
    if significant > 19 { magnitude = magnitude * PowersOfTen.wide(significant - 19) + UInt128(second) }
    if roundsUp { magnitude += 1 }
    if magnitude == mantissaLimit {
      magnitude /= 10
      exponent += 1
    }
    let mantissa = Int128(truncatingIfNeeded: magnitude)
    guard let value = withinRange(isNegative ? -mantissa : mantissa, exponent: exponent) else { return nil }
    if dropped > 0 { wasRounded = true }
    return value
  }

  /// Parses the exponent from `index` (at the `e`) to the end; nil if there is none.
  private static func writtenExponent(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
    guard bytes[index] | 0x20 == ASCII.lowercaseE else { return nil }
    var index = index + 1
    guard index < bytes.count else { return nil }
    let isNegative = bytes[index] == ASCII.minus
    if isNegative || bytes[index] == ASCII.plus { index += 1 }
    guard index < bytes.count else { return nil }
    var value = 0
    while index < bytes.count {
      let digit = bytes[index] &- ASCII.zero
      guard digit <= 9 else { return nil }
      // Far beyond the range of numbers and the length of any text, so it need not be exact.
      if value < 1_000_000_000_000 { value = value * 10 + Int(digit) }
      index += 1
    }
    return isNegative ? -value : value
  }

  private static func withinRange(_ mantissa: Int128, exponent: Int) -> Decimal? {
    if mantissa == 0 { return Decimal(exactly: 0, exponent: Int32(max(-1000, min(0, exponent)))) }
    let leadingPower = PowersOfTen.digitCount(mantissa.magnitude) - 1 + exponent
    guard -1000...1000 ~= leadingPower else { return nil }
    return Decimal(exactly: mantissa, exponent: Int32(exponent))
  }

  /// Returns all digits of a number in plain notation, however many: `+1.16539E8` is `116539000`.
  ///
  /// For texts of more than 38 digits, this is what ``description`` would be if a mantissa were unbounded. Returns nil
  /// if ``parse(_:wasRounded:)`` does not accept the text.
  package static func plainNotation(_ text: String) -> String? {
    guard Decimal(text) != nil else { return nil }
    var rest = text[...]
    let sign = rest.hasPrefix("-") ? "-" : ""
    if rest.hasPrefix("-") || rest.hasPrefix("+") { rest = rest.dropFirst() }
    let parts = rest.split(maxSplits: 1, whereSeparator: { $0 == "e" || $0 == "E" })
    let exponent = parts.count == 2 ? Int(parts[1]) ?? 0 : 0
    let number = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let digits = number.joined()
    // The number of digits before the point; negative if zeros come between.
    let place = number[0].count + exponent
    let integer = String(digits.prefix(max(0, place))) + String(repeating: "0", count: max(0, place - digits.count))
    let fraction = String(repeating: "0", count: max(0, -place)) + digits.dropFirst(max(0, place))
    let significant = integer.drop { $0 == "0" }
    return sign + (significant.isEmpty ? "0" : significant) + (fraction.isEmpty ? "" : "." + fraction)
  }
}

/// Eight bytes of a number, processed at once; the first byte is the lowest of the word.
struct EightDigits {
  private let word: UInt64

  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Loads the eight bytes at `start`, which must exist.
  @inline(__always)
  init(_ start: UnsafePointer<UInt8>) {
    word = UInt64(littleEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt64.self))
  }

  /// Loads the `count` bytes at `start`, 1 to 8, and zeros after them.
  @inline(__always)
  init(_ start: UnsafePointer<UInt8>, count: Int) {
    if count >= 4 {
      let start = UnsafeRawPointer(start)
      let first = UInt32(littleEndian: start.loadUnaligned(as: UInt32.self))
      // If the last four bytes overlap the first four, the shared ones are combined at the same position.
      let last = UInt32(littleEndian: start.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
      word = UInt64(first) | UInt64(last) &<< UInt64(truncatingIfNeeded: 8 &* (count &- 4))
    } else {
      let (middle, last) = (count &>> 1, count &- 1)
      word =
        UInt64(start[0]) | UInt64(start[middle]) &<< UInt64(truncatingIfNeeded: 8 &* middle)
        | UInt64(start[last]) &<< UInt64(truncatingIfNeeded: 8 &* last)
    }
  }

  private init(word: UInt64) { self.word = word }

  /// Creates the digits of a number below 10^8, with leading zeros.
  @inline(__always)
  init(of number: UInt64) {
    // Split the number into two fours, four pairs, eight digits, with the first in the lowest byte.
    let fours = number / 10000 | (number % 10000) &<< 32
    let hundreds = ((fours &* 5243) &>> 19) & 0x0000_007F_0000_007F
    let pairs = hundreds | (fours &- hundreds &* 100) &<< 16
    let tens = ((pairs &* 103) &>> 10) & 0x000F_000F_000F_000F
    word = (tens | (pairs &- tens &* 10) &<< 8) | EightDigits.ones &* 0x30
  }

  @inline(__always)
  func store(at start: UnsafeMutablePointer<UInt8>) {
    UnsafeMutableRawPointer(start).storeBytes(of: word.littleEndian, as: UInt64.self)
  }

  /// Stores the last `count` digits, 1 to 8, at `start`. Always writes eight bytes; those after the digits are
  /// meaningless.
  @inline(__always)
  func store(last count: Int, at start: UnsafeMutablePointer<UInt8>) {
    let word = word &>> UInt64(truncatingIfNeeded: 64 &- 8 &* count)
    UnsafeMutableRawPointer(start).storeBytes(of: word.littleEndian, as: UInt64.self)
  }

  /// The index of the first point.
  @inline(__always)
  var indexOfPoint: Int? {
    let difference = word ^ (EightDigits.ones &* UInt64(ASCII.point))
    // The lowest high bit marks the first zero byte; borrows only propagate upwards.
    let zeros = (difference &- EightDigits.ones) & ~difference & (EightDigits.ones &* 0x80)
    return zeros == 0 ? nil : zeros.trailingZeroBitCount &>> 3
  }

  /// Returns all bytes but the one at `index`, 0 to 7, followed by a zero.
  @inline(__always)
  func without(_ index: Int) -> EightDigits {
    let before: UInt64 = (1 &<< UInt64(truncatingIfNeeded: 8 &* index)) &- 1
    return EightDigits(word: word & before | (word &>> 8) & ~before)
  }

  /// Returns the number formed by the first `count` bytes, 0 to 8, or nil if one of them is not a digit.
  @inline(__always)
  func leading(_ count: Int) -> UInt64? {
    // The first digit of a number is the lowest byte: shift zeros in below it.
    count == 0
      ? 0 : EightDigits.value((word ^ (EightDigits.ones &* 0x30)) &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count))
  }

  /// Returns the number formed by the last `count` bytes, 1 to 8, or nil if one of them is not a digit.
  @inline(__always)
  func trailing(_ count: Int) -> UInt64? {
    let cut = UInt64(truncatingIfNeeded: 64 &- 8 &* count)
    return EightDigits.value(((word ^ (EightDigits.ones &* 0x30)) &>> cut) &<< cut)
  }

  /// Returns the number formed by eight digits, whose `0x30` is already removed, or nil if one is above 9.
  @inline(__always)
  private static func value(_ digits: UInt64) -> UInt64? {
    // The high bit of a byte that is not a digit is set, or becomes set by the addition. `|` and `&+` have the same
    // precedence.
    guard (digits | (digits &+ ones &* 0x76)) & (ones &* 0x80) == 0 else { return nil }
    // Join neighbours: eight digits to four pairs, to two fours, to the whole.
    let pairs = (digits &* 10 &+ digits &>> 8) & 0x00FF_00FF_00FF_00FF
    let fours = (pairs &* 100 &+ pairs &>> 16) & 0x0000_FFFF_0000_FFFF
    return (fours &* 10000 &+ fours &>> 32) & 0xFFFF_FFFF
  }
}

/// The ASCII bytes used in numbers and times.
enum ASCII {
  static let colon = UInt8(ascii: ":")
  static let comma = UInt8(ascii: ",")
  static let lowercaseE = UInt8(ascii: "e")
  static let minus = UInt8(ascii: "-")
  static let plus = UInt8(ascii: "+")
  static let point = UInt8(ascii: ".")
  static let space = UInt8(ascii: " ")
  static let zero = UInt8(ascii: "0")
}
