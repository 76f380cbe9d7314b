/// Reads a whole JSON text into a tape. It keeps its own stack, so deep nesting cannot exhaust the program's.
struct JSONTapeBuilder {
  private let bytes: JSONBytes
  private let maximumDepth: Int
  private var tape: JSONTape
  /// The containers that are open, the innermost last.
  private var open: [OpenContainer] = []

  private struct OpenContainer {
    var index: Int
    var count: Int
    var isObject: Bool
  }

  init(_ bytes: JSONBytes, maximumDepth: Int) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
    // Exchange dumps have about one value for every twelve bytes; a denser text makes the array grow.
    self.tape = JSONTape(capacity: bytes.count / 12 + 8)
  }

  /// The tape of the text, which must be one value with nothing but whitespace around it.
  consuming func build() throws(JSONSyntaxError) -> JSONTape {
    var at = bytes.skipWhitespace(0)
    guard at < bytes.count else { throw bytes.failure(.emptyText, at: at) }
    var isComplete = false
    while !isComplete {
      if try readScalarOrOpen(&at) { isComplete = try closeOrContinue(&at) }
    }
    try bytes.requireEnd(at)
    return tape
  }

  /// Reads a scalar or an empty container whole and returns true; or opens a container and returns false, with `at` at the first
  /// value in it.
  @inline(__always)
  private mutating func readScalarOrOpen(_ at: inout Int) throws(JSONSyntaxError) -> Bool {
    let start = at
    switch bytes.byte(at: start) {
    case ASCII.quote:
      try readString(&at)
    case ASCII.minus, UInt8(ascii: "0")...UInt8(ascii: "9"):
      at = try bytes.skipNumber(start)
      tape.appendScalar(.number, from: start, to: at)
    case ASCII.openBracket:
      try push(isObject: false, at: start)
      at = bytes.skipWhitespace(start + 1)
      guard bytes.byte(at: at) == ASCII.closeBracket else { return false }
      pop(end: at + 1, count: 0)
      at += 1
    case ASCII.openBrace:
      try push(isObject: true, at: start)
      at = bytes.skipWhitespace(start + 1)
      guard bytes.byte(at: at) == ASCII.closeBrace else {
        try readName(&at, orElse: .expectedName)
        return false
      }
      pop(end: at + 1, count: 0)
      at += 1
    case UInt8(ascii: "t"): try readLiteral(.true, &at)
    case UInt8(ascii: "f"): try readLiteral(.false, &at)
    case UInt8(ascii: "n"): try readLiteral(.null, &at)
    default: throw missingValue(at)
    }
    return true
  }

  /// Goes on behind a value: over a comma to the next value (false), or out of as many containers as close here. True when no
  /// container is open any more.
  @inline(__always)
  private mutating func closeOrContinue(_ at: inout Int) throws(JSONSyntaxError) -> Bool {
    while let last = open.indices.last {
      open[last].count += 1
      at = bytes.skipWhitespace(at)
      let isObject = open[last].isObject
      let byte = bytes.byte(at: at)
      if byte == ASCII.comma {
        at = bytes.skipWhitespace(at + 1)
        if isObject { try readName(&at, orElse: .expectedNameAfterComma) }
        return false
      }
      guard byte == (isObject ? ASCII.closeBrace : ASCII.closeBracket) else {
        throw isObject
          ? bytes.failure(.expectedCommaOrBrace, in: .object, at: at)
          : bytes.failure(.expectedCommaOrBracket, in: .array, at: at)
      }
      at += 1
      pop(end: at, count: open[last].count)
    }
    return true
  }

  /// Reads a member name and its colon; `at` is then at the value.
  @inline(__always)
  private mutating func readName(_ at: inout Int, orElse problem: JSONProblem) throws(JSONSyntaxError) {
    guard bytes.byte(at: at) == ASCII.quote else { throw bytes.failure(problem, in: .object, at: at) }
    try readString(&at)
    at = bytes.skipWhitespace(at)
    guard bytes.byte(at: at) == ASCII.colon else { throw bytes.failure(.expectedColon, in: .object, at: at) }
    at = bytes.skipWhitespace(at + 1)
  }

  @inline(__always)
  private mutating func readString(_ at: inout Int) throws(JSONSyntaxError) {
    let end = try bytes.findStringEnd(at + 1)
    tape.appendScalar(.string, hasEscapes: end.hasEscapes, from: at, to: end.quote + 1)
    at = end.quote + 1
  }

  @inline(__always)
  private mutating func readLiteral(_ kind: JSONKind, _ at: inout Int) throws(JSONSyntaxError) {
    let end = try bytes.skipLiteral(kind, at)
    tape.appendScalar(kind, from: at, to: end)
    at = end
  }

  private mutating func push(isObject: Bool, at offset: Int) throws(JSONSyntaxError) {
    guard open.count < maximumDepth else { throw bytes.failure(.nestingTooDeep(limit: maximumDepth), at: offset) }
    let index = tape.open(isObject ? .object : .array, at: offset)
    open.append(OpenContainer(index: index, count: 0, isObject: isObject))
  }

  private mutating func pop(end: Int, count: Int) {
    let container = open.removeLast()
    tape.close(container.index, count: count, end: end)
  }

  /// The error for a byte that begins no value, in the words of the place where it stands.
  private func missingValue(_ at: Int) -> JSONSyntaxError {
    guard let container = open.last else { return bytes.failure(.expectedValue, at: at) }
    let kind: JSONKind = container.isObject ? .object : .array
    let isAfterComma = !container.isObject && container.count > 0
    return bytes.failure(isAfterComma ? .expectedValueAfterComma : .expectedValue, in: kind, at: at)
  }
}
