import JSON

/// A value in a filter, or Nothing: the operands of comparisons and the arguments and results of functions (RFC 9535
/// §2.4.1).
enum FilterValue {
  /// The absence of any value; null is a value.
  case nothing
  case null
  case boolean(Bool)
  case number(ExactNumber)
  case string(ScalarText)
  /// An array or object.
  case container(JSONNode)

  init(_ literal: Literal) {
    switch literal {
    case .null: self = .null
    case .boolean(let boolean): self = .boolean(boolean)
    case .number(let text): self = .number(ExactNumber(text))
    case .string(let text): self = .string(text)
    }
  }

  init(_ node: JSONNode?) {
    guard let node else {
      self = .nothing
      return
    }
    switch node.kind {
    case .null: self = .null
    case .true: self = .boolean(true)
    case .false: self = .boolean(false)
    case .number: self = .number(ExactNumber(node.text))
    case .string: self = .string(ScalarText(node.string ?? ""))
    case .array, .object: self = .container(node)
    }
  }

  /// The result of the function `length`; nil for Nothing (RFC 9535 §2.4.4).
  var length: Int? {
    switch self {
    case .string(let text): text.string.unicodeScalars.count
    case .container(let node): node.count
    case .nothing, .null, .boolean, .number: nil
    }
  }

  /// Compares numbers and strings by their order; any other values are neither less nor greater (RFC 9535 §2.3.5.2.2).
  func isLess(than other: FilterValue) -> Bool {
    switch (self, other) {
    case (.number(let left), .number(let right)): left < right
    case (.string(let left), .string(let right)): left < right
    default: false
    }
  }
}

extension FilterValue: Equatable {
  static func == (left: FilterValue, right: FilterValue) -> Bool {
    switch (left, right) {
    case (.nothing, .nothing), (.null, .null): true
    case (.boolean(let left), .boolean(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left == right
    case (.container(let left), .container(let right)): areDeeplyEqual(left, right)
    default: false
    }
  }

  /// Compares arrays element by element and objects member by member in any order. Of members with the same name the
  /// last one counts.
  ///
  /// Uses a list of pairs instead of recursion, so that deeply nested documents are no problem.
  private static func areDeeplyEqual(_ left: JSONNode, _ right: JSONNode) -> Bool {
    var pairs = [(left, right)]
    while let (left, right) = pairs.popLast() {
      if left == right { continue }
      switch (left.kind, right.kind) {
      case (.array, .array):
        guard left.count == right.count else { return false }
        pairs.append(contentsOf: zip(left.elements, right.elements))
      case (.object, .object):
        let (leftMembers, rightMembers) = (members(of: left), members(of: right))
        guard leftMembers.count == rightMembers.count else { return false }
        for (name, value) in leftMembers {
          guard let counterpart = rightMembers[name] else { return false }
          pairs.append((value, counterpart))
        }
      case (.array, _), (.object, _), (_, .array), (_, .object):
        return false
      default:
        guard FilterValue(left) == FilterValue(right) else { return false }
      }
    }
    return true
  }

  private static func members(of object: JSONNode) -> [ScalarText: JSONNode] {
    var members: [ScalarText: JSONNode] = [:]
    for member in object.members { members[ScalarText(member.name)] = member.value }
    return members
  }
}

/// A number with its exact value: `1`, `1.0` and `10e-1` are equal, and no digit of a long number is lost.
///
/// The value is 0.d₁d₂d₃… × 10^exponent with d₁ ≠ 0, so that numbers of the same sign are ordered by exponent, then
/// digits.
struct ExactNumber: Hashable, Sendable {
  private var isNegative = false
  /// Exact for exponents of up to 36 digits in the text; all larger ones are treated as equal.
  private var exponent: Int128 = 0
  /// The first 38 digits, padded with zeros on the right; 0 only for zero.
  private var leadingDigits: UInt128 = 0
  /// The remaining digits, without trailing zeros.
  private var furtherDigits: [UInt8] = []

  private static let leadingDigitCount = 38
  private static let zero = UInt8(ascii: "0")

  private static func isDigit(_ byte: UInt8) -> Bool { (zero...UInt8(ascii: "9")).contains(byte) }

  init(_ integer: Int) { self.init(String(integer)) }

  /// Creates the value of a JSON number whose grammar has already been checked.
  init(_ text: String) {
    var digitCount = 0
    var zerosBefore: Int128 = 0  // zeros whose worth is known only when another digit follows
    var pointOffset: Int128 = 0  // digits before the point, less zeros between point and first digit
    var isFraction = false
    var bytes = text.utf8[...]

    if bytes.first == UInt8(ascii: "-") {
      isNegative = true
      bytes.removeFirst()
    }
    while let byte = bytes.popFirst() {
      if byte == UInt8(ascii: ".") {
        isFraction = true
        continue
      }
      guard Self.isDigit(byte) else { break }  // e or E
      if byte == Self.zero, digitCount == 0 {
        if isFraction { pointOffset -= 1 }
        continue
      }
      if !isFraction { pointOffset += 1 }
      if byte == Self.zero {
        zerosBefore += 1
        continue
      }
      while zerosBefore > 0 {
        append(Self.zero, &digitCount)
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
      leadingDigits = leadingDigits * 10 + UInt128(digit - Self.zero)
    } else {
      furtherDigits.append(digit)
    }
    count += 1
  }

  /// Returns the value of what follows the "e", or 0 if there is nothing.
  private static func exponent(_ text: Substring.UTF8View) -> Int128 {
    let digits = text.drop { !isDigit($0) }
    let limit: Int128 = 1_000_000_000_000_000_000_000_000_000_000_000_000
    let magnitude = digits.reduce(Int128(0)) { min($0 * 10 + Int128($1 - zero), limit) }
    return text.first == UInt8(ascii: "-") ? -magnitude : magnitude
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
    // Zero has no first digit and is less than any other magnitude.
    if leadingDigits == 0 || other.leadingDigits == 0 { return leadingDigits < other.leadingDigits }
    if exponent != other.exponent { return exponent < other.exponent }
    if leadingDigits != other.leadingDigits { return leadingDigits < other.leadingDigits }
    return furtherDigits.lexicographicallyPrecedes(other.furtherDigits)
  }
}
