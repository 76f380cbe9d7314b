/// A number by its exact value: `1`, `1.0` and `10e-1` are the same, and no digit of a long one is lost.
///
/// The value is 0.d₁d₂d₃… × 10^exponent with d₁ ≠ 0, so that numbers of one sign are in the order of exponent and
/// digits.
struct ExactNumber: Hashable, Sendable {
  private var isNegative = false
  /// Exact up to exponents of 36 digits in the text; beyond, all are taken for the same.
  private var exponent: Int128 = 0
  /// The first 38 digits, filled up with zeros on the right; 0 for zero only.
  private var leadingDigits: UInt128 = 0
  /// The digits beyond, without trailing zeros.
  private var furtherDigits: [UInt8] = []

  private static let leadingDigitCount = 38

  init(_ integer: Int) {
    self.init(String(integer))
  }

  /// The value of a JSON number; its grammar has been checked before.
  init(_ text: String) {
    var digitCount = 0
    var zerosBefore: Int128 = 0  // zeros whose worth is known only when another digit follows
    var pointOffset: Int128 = 0  // digits before the point, less zeros between point and first digit
    var isFraction = false
    var bytes = text.utf8[...]

    if bytes.first == .minus {
      isNegative = true
      bytes.removeFirst()
    }
    while let byte = bytes.popFirst() {
      if byte == .dot {
        isFraction = true
        continue
      }
      guard byte.isDigit else { break }  // e or E
      if byte == .zero, digitCount == 0 {
        if isFraction { pointOffset -= 1 }
        continue
      }
      if !isFraction { pointOffset += 1 }
      if byte == .zero {
        zerosBefore += 1
        continue
      }
      while zerosBefore > 0 {
        append(.zero, &digitCount)
        zerosBefore -= 1
      }
      append(byte, &digitCount)
    }

    guard digitCount > 0 else {
      isNegative = false  // -0 equals 0
      return
    }
    while digitCount < Self.leadingDigitCount {
      leadingDigits *= 10
      digitCount += 1
    }
    exponent = pointOffset + Self.exponent(bytes)
  }

  private mutating func append(_ digit: UInt8, _ count: inout Int) {
    if count < Self.leadingDigitCount {
      leadingDigits = leadingDigits * 10 + UInt128(digit - .zero)
    } else {
      furtherDigits.append(digit)
    }
    count += 1
  }

  /// The value of what follows the "e"; 0 where nothing does.
  private static func exponent(_ text: Substring.UTF8View) -> Int128 {
    let digits = text.drop { !$0.isDigit }
    let limit: Int128 = 1_000_000_000_000_000_000_000_000_000_000_000_000
    let magnitude = digits.reduce(Int128(0)) { min($0 * 10 + Int128($1 - .zero), limit) }
    return text.first == .minus ? -magnitude : magnitude
  }
}

extension ExactNumber: Comparable {
  static func < (left: ExactNumber, right: ExactNumber) -> Bool {
    if left.isNegative != right.isNegative { return left.isNegative }
    return left.isNegative
      ? right.magnitudeIsLess(than: left)
      : left.magnitudeIsLess(than: right)
  }

  private func magnitudeIsLess(than other: ExactNumber) -> Bool {
    // Zero has no first digit, and is less than all else.
    if leadingDigits == 0 || other.leadingDigits == 0 { return leadingDigits < other.leadingDigits }
    if exponent != other.exponent { return exponent < other.exponent }
    if leadingDigits != other.leadingDigits { return leadingDigits < other.leadingDigits }
    return furtherDigits.lexicographicallyPrecedes(other.furtherDigits)
  }
}
