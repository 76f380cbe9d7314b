/// The structure of a JSON text as a flat array of words, in source order. Offsets point into the text.
///
/// A scalar has one word, a container two; its elements, or its members as name, value, name, value, follow.
///
///     word 0:  kind 3 bits | escapes 1 bit | length 28 bits | offset 32 bits
///     word 1:  (containers only)  count 32 bits | end offset 32 bits
///
/// `length` is the number of bytes for a scalar, strings with their quotes, and the number of *words* for a container with all
/// that is in it: so the next sibling of any value is `words` further. Example, `{"a":[1,2]}`:
///
///     0  object  words 7, offset 0       4  array count 2, end 10
///     1  object  count 1, end 11         5  number length 1, offset 6
///     2  string  length 3, offset 1      6  number length 1, offset 8
///     3  array   words 4, offset 5
struct JSONTape: Sendable {
  private(set) var words: [UInt64] = []

  init(capacity: Int) { words.reserveCapacity(capacity) }

  var endIndex: Int { words.count }

  // MARK: Writing

  /// Appends a scalar, and tells nothing more about it than where it is.
  @inline(__always)
  mutating func appendScalar(_ kind: JSONKind, hasEscapes: Bool = false, from start: Int, to end: Int) {
    words.append(JSONTape.word(kind, hasEscapes: hasEscapes, length: end &- start, offset: start))
  }

  /// Appends a container that is still open; returns its index.
  mutating func open(_ kind: JSONKind, at offset: Int) -> Int {
    words.append(JSONTape.word(kind, hasEscapes: false, length: 0, offset: offset))
    words.append(0)
    return words.count - 2
  }

  /// Completes the container at `index` with the number of its elements or members and the offset behind its bracket.
  mutating func close(_ index: Int, count: Int, end: Int) {
    words[index] |= UInt64(words.count - index) << 32
    words[index + 1] = UInt64(count) << 32 | UInt64(end)
  }

  @inline(__always)
  private static func word(_ kind: JSONKind, hasEscapes: Bool, length: Int, offset: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: offset) | UInt64(truncatingIfNeeded: length) &<< 32
      | (hasEscapes ? 1 &<< 60 : 0) | UInt64(kind.rawValue) &<< 61
  }

  // MARK: Reading

  func kind(at index: Int) -> JSONKind {
    // Only kinds are ever written, so the fallback is never taken.
    JSONKind(rawValue: UInt8(truncatingIfNeeded: words[index] >> 61)) ?? .null
  }

  func hasEscapes(at index: Int) -> Bool { words[index] & 1 << 60 != 0 }

  func isContainer(at index: Int) -> Bool { words[index] >> 61 >= UInt64(JSONKind.array.rawValue) }

  func offset(at index: Int) -> Int { Int(words[index] & 0xFFFF_FFFF) }

  func byteRange(at index: Int) -> Range<Int> {
    let start = offset(at: index)
    let end = isContainer(at: index) ? Int(words[index + 1] & 0xFFFF_FFFF) : start + length(at: index)
    return start..<end
  }

  /// Elements of an array, members of an object, 0 for a scalar.
  func count(at index: Int) -> Int { isContainer(at: index) ? Int(words[index + 1] >> 32) : 0 }

  /// The index of the value behind the one at `index`, whatever is in it.
  func next(after index: Int) -> Int { index + (isContainer(at: index) ? length(at: index) : 1) }

  /// The index of the first element or member name of the container at `index`.
  func firstChild(of index: Int) -> Int { index + 2 }

  /// How many words the value at `index` takes, with all that is in it.
  func wordCount(at index: Int) -> Int { next(after: index) - index }

  private func length(at index: Int) -> Int { Int(words[index] >> 32 & 0x0FFF_FFFF) }
}

/// Reads a whole JSON text into a tape. It keeps its own stack, so deep nesting cannot exhaust the program's.
struct JSONTapeBuilder {
  private let bytes: JSONBytes
  private let maximumDepth: Int
  private let maximumValues: Int
  private var tape: JSONTape
  /// The containers that are open, the innermost last.
  private var open: [OpenContainer] = []

  private struct OpenContainer {
    var index: Int
    var count: Int
    var isObject: Bool
  }

  init(_ bytes: JSONBytes, maximumDepth: Int, maximumValues: Int) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
    self.maximumValues = maximumValues
    // Exchange dumps have about one value for every twelve bytes; a denser text makes the array grow.
    self.tape = JSONTape(capacity: min(bytes.count / 12 + 8, maximumValues))
  }

  /// The tape of the text, which must be one value with nothing but whitespace around it.
  consuming func build() throws(JSONSyntaxError) -> JSONTape {
    var at = bytes.skipWhitespace(0)
    guard at < bytes.count else { throw bytes.failure(.emptyText, at: at) }
    var isComplete = false
    while !isComplete {
      guard tape.endIndex <= maximumValues else { throw bytes.failure(.tooManyValues(limit: maximumValues), at: at) }
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
