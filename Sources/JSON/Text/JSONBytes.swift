/// The lexical grammar of RFC 8259 over the bytes of one text: whitespace, strings, numbers and literals.
///
/// Both the document and the scan are built on these functions, so they accept the same texts and report the same
/// errors. A value of this type only points at the bytes and must not outlive the call that lent them. It has no
/// position: every function takes the offset to start at and returns the offset after what it read, so that offsets
/// stay in registers.
///
/// **Safety.** Only `byte(at:)`, `word(at:)` and `bytes(in:)` access memory. The first checks the upper bound itself;
/// the second requires eight bytes, which its callers check; the third requires a range that has been read.
struct JSONBytes {
  private let base: UnsafePointer<UInt8>
  /// The length of the text.
  let count: Int

  /// The longest text that both readers accept: tape words have 28 bits for a length.
  static let maximumCount = (1 << 28) - 1

  /// Points at `buffer`, or throws if its first byte already shows that this is not JSON.
  init(_ buffer: UnsafeBufferPointer<UInt8>) throws(JSONSyntaxError) {
    guard let base = buffer.baseAddress, !buffer.isEmpty else {
      throw JSONSyntaxError(offset: 0, problem: .emptyText)
    }
    guard buffer.count <= JSONBytes.maximumCount else {
      throw JSONSyntaxError(
        offset: JSONBytes.maximumCount, problem: .textTooLong(limit: JSONBytes.maximumCount))
    }
    if buffer.starts(with: [0xEF, 0xBB, 0xBF]) {
      throw JSONSyntaxError(offset: 0, problem: .byteOrderMark)
    }
    self.base = base
    self.count = buffer.count
  }

  /// Returns the byte at `offset`, or 0 beyond the end: no grammar rule allows a zero byte, so every switch ends there.
  @inline(__always)
  func byte(at offset: Int) -> UInt8 { offset < count ? base[offset] : 0 }

  /// Returns eight bytes as a little-endian word, the first byte lowest. `offset + 8` must not exceed `count`.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    UInt64(
      littleEndian: UnsafeRawPointer(base + offset).loadUnaligned(as: UInt64.self))
  }

  /// Returns the bytes in `range`, which must be within the text.
  func bytes(in range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
  }

  /// Returns the first eight bytes of a name as a word, the first byte lowest, padded with zeros. Two names of the same
  /// length and prefix can only differ after the eighth byte.
  static func prefix(of name: some Collection<UInt8>) -> UInt64 {
    name.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Returns the prefix of the bytes in `range`, loaded at once if the text is long enough.
  func prefix(of range: Range<Int>) -> UInt64 {
    guard range.lowerBound + 8 <= count else { return JSONBytes.prefix(of: bytes(in: range)) }
    // A shift by 64 or more gives zero.
    return word(at: range.lowerBound) & ~(~0 << UInt64(8 * range.count))
  }

  /// Returns an error at `offset`. Not inlined, to keep the fast paths short.
  @inline(never)
  func failure(_ problem: JSONProblem, at offset: Int) -> JSONSyntaxError {
    JSONSyntaxError(offset: offset, problem: problem)
  }

  /// Returns an error at `offset`, or the error for a text that ends inside `container` if it ends there.
  @inline(never)
  func failure(_ problem: JSONProblem, in container: JSONKind, at offset: Int) -> JSONSyntaxError {
    JSONSyntaxError(offset: offset, problem: offset < count ? problem : .endInside(container))
  }
}

/// Where a value is expected, which determines the error if there is none.
enum ValuePlace {
  case root
  case firstElement
  case laterElement
  case member
}

extension JSONBytes {
  /// Returns the error for the byte at `offset`, which starts no value.
  @inline(never)
  func missingValue(_ place: ValuePlace, at offset: Int) -> JSONSyntaxError {
    switch place {
    case .root: failure(.expectedValue, at: offset)
    case .firstElement: failure(.expectedValue, in: .array, at: offset)
    case .laterElement: failure(.expectedValueAfterComma, in: .array, at: offset)
    case .member: failure(.expectedValue, in: .object, at: offset)
    }
  }
}

extension JSONBytes {
  /// Returns the offset of the first byte from `offset` on that is not whitespace (RFC 8259 §2).
  @inline(__always)
  func skipWhitespace(_ offset: Int) -> Int {
    // Most texts are compact: usually the next byte is the answer, otherwise the one after a blank.
    if byte(at: offset) > ASCII.space { return offset }
    if byte(at: offset) == ASCII.space, byte(at: offset &+ 1) > ASCII.space { return offset &+ 1 }
    return skipWhitespaceRun(offset)
  }

  /// Skips eight bytes of whitespace at once: texts written by humans have a line break and blanks before most values.
  private func skipWhitespaceRun(_ offset: Int) -> Int {
    let whitespace: UInt64 = 1 << 0x20 | 1 << 0x0A | 1 << 0x0D | 1 << 0x09
    var offset = offset
    while true {
      let byte = byte(at: offset)
      guard byte <= ASCII.space, whitespace & (1 << UInt64(byte)) != 0 else { return offset }
      offset &+= 1
      while offset &+ 8 <= count {
        let others = word(at: offset) ^ 0x2020_2020_2020_2020
        offset &+= others == 0 ? 8 : others.trailingZeroBitCount &>> 3
        if others != 0 { break }
      }
    }
  }

  /// Checks that only whitespace follows `offset`.
  func requireEnd(_ offset: Int) throws(JSONSyntaxError) {
    let end = skipWhitespace(offset)
    guard end == count else { throw failure(.contentAfterValue, at: end) }
  }

  /// Checks a literal of RFC 8259 §3 whose first letter is at `offset` and returns the offset after it.
  @inline(__always)
  func skipLiteral(_ kind: JSONKind, _ offset: Int) throws(JSONSyntaxError) -> Int {
    let letters: StaticString
    switch kind {
    case .null: letters = "null"
    case .true: letters = "true"
    default: letters = "false"
    }
    for index in 1..<letters.utf8CodeUnitCount where byte(at: offset + index) != letters.utf8Start[index] {
      throw failure(.misspelledLiteral(kind), at: offset + index)
    }
    return offset + letters.utf8CodeUnitCount
  }

  /// Checks a number (RFC 8259 §6) that starts at `offset` with a digit or a minus sign. Returns the offset after it.
  func skipNumber(_ offset: Int) throws(JSONSyntaxError) -> Int {
    var at = offset
    var byte = byte(at: at)
    if byte == ASCII.minus {
      at += 1
      byte = self.byte(at: at)
      guard isDigit(byte) else { throw failure(.expectedDigitAfterMinus, at: at) }
    }
    if byte == ASCII.zero {
      at += 1
      byte = self.byte(at: at)
      if isDigit(byte) { throw failure(.leadingZero, at: at) }
    } else {
      at = skipDigits(at + 1)
      byte = self.byte(at: at)
    }
    if byte == ASCII.point {
      at += 1
      guard isDigit(self.byte(at: at)) else { throw failure(.expectedDigitAfterPoint, at: at) }
      at = skipDigits(at + 1)
      byte = self.byte(at: at)
    }
    if byte | 0x20 == UInt8(ascii: "e") {
      at += 1
      byte = self.byte(at: at)
      if byte == ASCII.plus || byte == ASCII.minus { at += 1 }
      guard isDigit(self.byte(at: at)) else { throw failure(.expectedDigitInExponent, at: at) }
      at = skipDigits(at + 1)
    }
    return at
  }

  @inline(__always)
  private func isDigit(_ byte: UInt8) -> Bool { byte &- ASCII.zero < 10 }

  @inline(__always)
  private func skipDigits(_ offset: Int) -> Int {
    var offset = offset
    while offset &+ 8 <= count {
      // A digit without its upper half is 0...9, and adding 0x76 leaves its high bit clear; carries only propagate
      // upwards, so the lowest high bit is always right. `|` and `&+` have the same precedence, hence the parentheses.
      let digits = word(at: offset) ^ 0x3030_3030_3030_3030
      let stops = (digits | (digits &+ 0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080
      if stops != 0 { return offset &+ stops.trailingZeroBitCount &>> 3 }
      offset &+= 8
    }
    while isDigit(byte(at: offset)) { offset += 1 }
    return offset
  }
}

/// The end of a string, and whether it contains escapes.
struct StringEnd {
  /// The offset of the closing quote.
  var quote: Int
  var hasEscapes: Bool
}

extension JSONBytes {
  /// Checks a string (RFC 8259 §7) from `offset`, after the opening quote, and finds its closing quote.
  ///
  /// Eight bytes are tested at once. In the word below, a byte has its high bit set if it is a quote, a backslash, a
  /// control character or not ASCII; borrows of the subtractions only propagate upwards, so the *lowest* high bit is
  /// always right. At first, blanks and exclamation marks count as well: everything below `#` is found with a single
  /// subtraction, and strings in which exchanges send numbers have neither.
  @inline(__always)
  func findStringEnd(_ offset: Int) throws(JSONSyntaxError) -> StringEnd {
    var at = offset
    while at &+ 8 <= count {
      let stops = JSONBytes.roughStops(in: word(at: at))
      if stops == 0 {
        at &+= 8
        continue
      }
      at &+= stops.trailingZeroBitCount &>> 3
      if byte(at: at) == ASCII.quote { return StringEnd(quote: at, hasEscapes: false) }
      break
    }
    return try findStringEndBytewise(at)
  }

  /// Returns the high bit of each byte of `word` that ends a run of plain text.
  @inline(__always)
  static func stops(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = (word ^ (ones &* UInt64(ASCII.quote))) &- ones
    let backslashes = (word ^ (ones &* UInt64(ASCII.backslash))) &- ones
    let controls = word &- ones &* 0x20
    return (quotes | backslashes | controls | word) & (ones &* 0x80)
  }

  /// Returns the same bits plus those of blanks and exclamation marks.
  @inline(__always)
  private static func roughStops(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let backslashes = (word ^ (ones &* UInt64(ASCII.backslash))) &- ones
    let belowHash = word &- ones &* 0x23
    return (backslashes | belowHash | word) & (ones &* 0x80)
  }

  /// Finds the end of a string with blanks, escapes or non-ASCII characters, or within the last bytes of the text.
  @inline(never)
  private func findStringEndBytewise(_ offset: Int) throws(JSONSyntaxError) -> StringEnd {
    var at = offset
    var hasEscapes = false
    while true {
      if at &+ 8 <= count {
        let stops = JSONBytes.stops(in: word(at: at))
        if stops == 0 {
          at &+= 8
          continue
        }
        at &+= stops.trailingZeroBitCount &>> 3
      }
      let byte = byte(at: at)
      switch byte {
      case ASCII.quote: return StringEnd(quote: at, hasEscapes: hasEscapes)
      case ASCII.backslash:
        hasEscapes = true
        at = try skipEscape(at)
      case 0x80...: at = try skipMultibyteScalar(at)
      case 0x20...: at += 1
      default: throw failure(.controlCharacter(byte), in: .string, at: at)
      }
    }
  }

  /// Checks an escape whose backslash is at `offset`. A `\u` with an unpaired surrogate is valid (RFC 8259 §8.2).
  private func skipEscape(_ offset: Int) throws(JSONSyntaxError) -> Int {
    let at = offset + 1
    let letter = byte(at: at)
    switch letter {
    case ASCII.quote, ASCII.backslash, ASCII.slash, UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
      UInt8(ascii: "r"), UInt8(ascii: "t"):
      return at + 1
    case UInt8(ascii: "u"):
      for digit in at + 1...at + 4 where hexadecimalValue(byte(at: digit)) == nil {
        throw failure(.expectedHexDigit, in: .string, at: digit)
      }
      return at + 5
    default:
      throw failure(.unknownEscape(letter), in: .string, at: at)
    }
  }

  /// Checks a character of two to four bytes at `offset` by the table of RFC 3629 §4. Errors point at its first byte.
  private func skipMultibyteScalar(_ offset: Int) throws(JSONSyntaxError) -> Int {
    let second = byte(at: offset + 1)
    let length: Int
    let allowedSecond: ClosedRange<UInt8>
    switch byte(at: offset) {
    case 0xC2...0xDF: (length, allowedSecond) = (2, 0x80...0xBF)
    case 0xE0: (length, allowedSecond) = (3, 0xA0...0xBF)
    case 0xE1...0xEC, 0xEE...0xEF: (length, allowedSecond) = (3, 0x80...0xBF)
    case 0xED: (length, allowedSecond) = (3, 0x80...0x9F)
    case 0xF0: (length, allowedSecond) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, allowedSecond) = (4, 0x80...0xBF)
    case 0xF4: (length, allowedSecond) = (4, 0x80...0x8F)
    default: throw failure(.invalidUTF8, at: offset)
    }
    guard allowedSecond.contains(second),
      length < 3 || UTF8.isContinuation(byte(at: offset + 2)),
      length < 4 || UTF8.isContinuation(byte(at: offset + 3))
    else { throw failure(.invalidUTF8, at: offset) }
    return offset + length
  }
}

/// Returns the value of a hexadecimal digit of either case, or nil for any other byte.
func hexadecimalValue(_ byte: UInt8) -> UInt32? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
  case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a")) + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A")) + 10
  default: nil
  }
}

/// The bytes in the grammar of RFC 8259.
enum ASCII {
  static let tab = UInt8(ascii: "\t")
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")
  static let quote = UInt8(ascii: "\"")
  static let comma = UInt8(ascii: ",")
  static let minus = UInt8(ascii: "-")
  static let plus = UInt8(ascii: "+")
  static let point = UInt8(ascii: ".")
  static let slash = UInt8(ascii: "/")
  static let zero = UInt8(ascii: "0")
  static let colon = UInt8(ascii: ":")
  static let openBracket = UInt8(ascii: "[")
  static let backslash = UInt8(ascii: "\\")
  static let closeBracket = UInt8(ascii: "]")
  static let openBrace = UInt8(ascii: "{")
  static let closeBrace = UInt8(ascii: "}")
}
