extension ScanReader {
  /// Checks the array or object at `start`, into which no path leads; returns the offset behind it.
  ///
  /// - Parameter depth: how many containers are open around it; less than `maximumDepth`.
  func skipContainer(_ start: Int, depth: Int) throws(JSONSyntaxError) -> Int {
    var at = start
    var open = depth
    var place = ValuePlace.root
    while true {
      // Here stands a value.
      let byte = text.byte(at: at)
      switch byte {
      case ASCII.quote:
        at = try text.findStringEnd(at &+ 1).quote &+ 1
      case ASCII.minus, UInt8(ascii: "0")...UInt8(ascii: "9"):
        at = try text.skipNumber(at)
      case ASCII.openBracket, ASCII.openBrace:
        guard open < maximumDepth else { throw text.failure(.nestingTooDeep(limit: maximumDepth), at: at) }
        let isObject = byte == ASCII.openBrace
        at = text.skipWhitespace(at &+ 1)
        if text.byte(at: at) == (isObject ? ASCII.closeBrace : ASCII.closeBracket) {
          at &+= 1
          break
        }
        push(isObject: isObject, at: open)
        open &+= 1
        place = isObject ? .member : .firstElement
        if isObject { at = try skipName(at, orElse: .expectedName) }
        continue
      case UInt8(ascii: "t"): at = try text.skipLiteral(.true, at)
      case UInt8(ascii: "f"): at = try text.skipLiteral(.false, at)
      case UInt8(ascii: "n"): at = try text.skipLiteral(.null, at)
      default: throw text.missingValue(place, at: at)
      }

      // Here a value has ended: go on behind a comma, or out of all containers that end as well.
      while true {
        if open == depth { return at }
        at = text.skipWhitespace(at)
        let isObject = isObject(at: open &- 1)
        let byte = text.byte(at: at)
        if byte == ASCII.comma {
          at = text.skipWhitespace(at &+ 1)
          place = isObject ? .member : .laterElement
          if isObject { at = try skipName(at, orElse: .expectedNameAfterComma) }
          break
        }
        guard byte == (isObject ? ASCII.closeBrace : ASCII.closeBracket) else {
          throw isObject
            ? text.failure(.expectedCommaOrBrace, in: .object, at: at)
            : text.failure(.expectedCommaOrBracket, in: .array, at: at)
        }
        at &+= 1
        open &-= 1
      }
    }
  }

  /// Checks a member name and its colon; returns the offset of the value.
  @inline(__always)
  private func skipName(_ offset: Int, orElse problem: JSONProblem) throws(JSONSyntaxError) -> Int {
    guard text.byte(at: offset) == ASCII.quote else { throw text.failure(problem, in: .object, at: offset) }
    return try skipColon(text.findStringEnd(offset &+ 1).quote &+ 1)
  }

  @inline(__always)
  private func push(isObject: Bool, at depth: Int) {
    let bit: UInt64 = 1 &<< UInt64(depth & 63)
    if isObject { workspace.brackets[depth &>> 6] |= bit } else { workspace.brackets[depth &>> 6] &= ~bit }
  }

  @inline(__always)
  private func isObject(at depth: Int) -> Bool {
    workspace.brackets[depth &>> 6] & 1 &<< UInt64(depth & 63) != 0
  }
}
