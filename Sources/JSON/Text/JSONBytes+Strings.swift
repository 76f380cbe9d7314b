/// Where a string ends, and whether its text is written with escapes.
struct StringEnd {
  /// The offset of the closing quote.
  var quote: Int
  var hasEscapes: Bool
}

extension JSONBytes {
  /// Checks a string (RFC 8259 §7) whose text begins at `offset`, behind the opening quote, and finds its closing quote.
  ///
  /// Eight bytes are looked at in one go. In the word below a byte has its high bit set if it is a quote, a backslash, a
  /// control character or no ASCII; borrows of the subtractions run upwards only, so the *lowest* high bit is always right.
  /// At first a blank and an exclamation mark count as well: what lies below `#` is found with one subtraction, and texts in
  /// which an exchange sends its numbers have neither.
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

  /// The high bit of each byte of `word` that ends a run of plain text.
  @inline(__always)
  static func stops(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = (word ^ (ones &* UInt64(ASCII.quote))) &- ones
    let backslashes = (word ^ (ones &* UInt64(ASCII.backslash))) &- ones
    let controls = word &- ones &* 0x20
    return (quotes | backslashes | controls | word) & (ones &* 0x80)
  }

  /// The same, and that of blanks and exclamation marks.
  @inline(__always)
  private static func roughStops(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let backslashes = (word ^ (ones &* UInt64(ASCII.backslash))) &- ones
    let belowHash = word &- ones &* 0x23
    return (backslashes | belowHash | word) & (ones &* 0x80)
  }

  /// The same for text with blanks, escapes or other characters than ASCII, and for the last bytes of the text.
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

  /// Checks an escape whose backslash is at `offset`. A `\u` with half a surrogate pair is grammar enough (RFC 8259 §8.2).
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

  /// Checks a character of two to four bytes at `offset` by the table of RFC 3629 §4; the error is at its first byte.
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

/// The value of a hexadecimal digit of either case, nil for any other byte.
func hexadecimalValue(_ byte: UInt8) -> UInt32? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
  case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a")) + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A")) + 10
  default: nil
  }
}
