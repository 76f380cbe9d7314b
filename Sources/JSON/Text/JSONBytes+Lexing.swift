extension JSONBytes {
  /// The offset of the first byte from `offset` on that is not whitespace (RFC 8259 §2).
  @inline(__always)
  func skipWhitespace(_ offset: Int) -> Int {
    // Most texts are compact: the next byte is nearly always the answer.
    byte(at: offset) > ASCII.space ? offset : skipWhitespaceRun(offset)
  }

  private func skipWhitespaceRun(_ offset: Int) -> Int {
    let whitespace: UInt64 = 1 << 0x20 | 1 << 0x0A | 1 << 0x0D | 1 << 0x09
    var offset = offset
    while true {
      let byte = byte(at: offset)
      guard byte <= ASCII.space, whitespace & (1 << UInt64(byte)) != 0 else { return offset }
      offset += 1
    }
  }

  /// Checks that only whitespace follows `offset`.
  func requireEnd(_ offset: Int) throws(JSONSyntaxError) {
    let end = skipWhitespace(offset)
    guard end == count else { throw failure(.contentAfterValue, at: end) }
  }

  /// Checks a literal of RFC 8259 §3 whose first letter is at `offset`; returns the offset behind it.
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

  /// Checks a number (RFC 8259 §6) that begins at `offset` with a digit or a minus sign; returns the offset behind it.
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
      // A digit without its upper half is 0...9, and adding 0x76 leaves its high bit clear; carries run upwards only, so the
      // lowest high bit is always right. `|` binds no tighter than `&+`, hence the parentheses.
      let digits = word(at: offset) ^ 0x3030_3030_3030_3030
      let stops = (digits | (digits &+ 0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080
      if stops != 0 { return offset &+ stops.trailingZeroBitCount &>> 3 }
      offset &+= 8
    }
    while isDigit(byte(at: offset)) { offset += 1 }
    return offset
  }
}
