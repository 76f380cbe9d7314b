/// The structure of a JSON text as a flat array of words, in source order. Offsets point into the text.
///
/// A scalar has one word and a container two, followed by its elements, or by its members as name, value, name, value.
///
///     word 0:  kind 3 bits | escapes 1 bit | length 28 bits | offset 32 bits
///     word 1:  (containers only)  count 32 bits | end offset 32 bits
///
/// `length` is the number of bytes of a scalar, including a string's quotes, and the number of *words* of a container
/// with its contents, so that any value's next sibling is `words` further. For example, `{"a":[1,2]}`:
///
///     0  object  words 7, offset 0       4  array count 2, end 10
///     1  object  count 1, end 11         5  number length 1, offset 6
///     2  string  length 3, offset 1      6  number length 1, offset 8
///     3  array   words 4, offset 5
struct JSONTape: Sendable {
  fileprivate(set) var words: [UInt64] = []

  // MARK: Reading

  func kind(at index: Int) -> JSONKind {
    // Only valid kinds are ever written, so the fallback is never used.
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

  /// Returns the number of elements of an array or members of an object, 0 for a scalar.
  func count(at index: Int) -> Int { isContainer(at: index) ? Int(words[index + 1] >> 32) : 0 }

  /// Returns the index after the value at `index` and its contents.
  func next(after index: Int) -> Int { index + (isContainer(at: index) ? length(at: index) : 1) }

  /// Returns the index of the first element or member name of the container at `index`.
  func firstChild(of index: Int) -> Int { index + 2 }

  /// Returns the number of words of the value at `index`, including its contents.
  func wordCount(at index: Int) -> Int { next(after: index) - index }

  private func length(at index: Int) -> Int { Int(words[index] >> 32 & 0x0FFF_FFFF) }
}

/// A parser of a whole JSON text into a tape.
///
/// Open containers are tracked on the tape itself, so that deep nesting cannot exhaust the stack: until a container is
/// closed, its second word holds the state of the enclosing one.
///
///     word 1:  (of an open container)  enclosing container's count so far 32 bits | its index 32 bits
struct JSONTapeBuilder {
  private let bytes: JSONBytes
  private let maximumDepth: Int
  private let maximumValues: Int
  /// The tape's memory, lent by `build`. Before each step there is guaranteed to be room for its words.
  private var words = UnsafeMutableBufferPointer<UInt64>(start: nil, count: 0)
  /// The number of words written.
  private var end = 0
  /// The number of open containers.
  private var depth = 0
  /// The index of the innermost container, its kind and its count so far; meaningless while none is open.
  private var container = 0
  private var isObject = false
  private var count = 0

  /// The most words that one step writes: a container and the name of its first member, or a value and the next name.
  private static let wordsOfStep = 4

  init(_ bytes: JSONBytes, maximumDepth: Int, maximumValues: Int) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
    self.maximumValues = maximumValues
  }

  /// Builds the tape of the text, which must be a single value with only whitespace around it.
  consuming func build() throws(JSONSyntaxError) -> JSONTape {
    var at = bytes.skipWhitespace(0)
    guard at < bytes.count else { throw bytes.failure(.emptyText, at: at) }
    var tape = JSONTape()
    // A text has about one word for every ten to thirteen bytes; for denser texts the array grows.
    var capacity = min(bytes.count / 9, maximumValues) + 2 * Self.wordsOfStep
    var outcome = Result<Bool, JSONSyntaxError>.success(false)
    while case .success(false) = outcome {
      let written = tape.words
      tape.words = Array(unsafeUninitializedCapacity: capacity) { memory, count in
        words = memory
        _ = memory.initialize(fromContentsOf: written)
        outcome = Result { () throws(JSONSyntaxError) in try fill(from: &at) }
        count = end
      }
      capacity *= 2
    }
    _ = try outcome.get()
    try bytes.requireEnd(at)
    return tape
  }

  /// Reads values until the text is complete (true) or there is no room for another one.
  private mutating func fill(from at: inout Int) throws(JSONSyntaxError) -> Bool {
    // A copy that nothing else can access stays in registers.
    var local = self
    var place = at
    defer { (self, at) = (local, place) }
    let last = words.count - Self.wordsOfStep
    while local.end <= last {
      guard local.end <= maximumValues else { throw bytes.failure(.tooManyValues(limit: maximumValues), at: place) }
      if try local.readScalarOrOpen(&place), try local.closeOrContinue(&place) { return true }
    }
    return false
  }

  /// Reads a whole scalar or empty container and returns true, or opens a container and returns false, with `at` at its
  /// first value.
  @inline(__always)
  private mutating func readScalarOrOpen(_ at: inout Int) throws(JSONSyntaxError) -> Bool {
    let start = at
    switch bytes.byte(at: start) {
    case ASCII.quote:
      try readString(&at)
    case ASCII.minus, UInt8(ascii: "0")...UInt8(ascii: "9"):
      at = try bytes.skipNumber(start)
      append(.number, from: start, to: at)
    case ASCII.openBracket:
      try open(.array, at: start)
      at = bytes.skipWhitespace(start + 1)
      guard bytes.byte(at: at) == ASCII.closeBracket else { return false }
      at += 1
      close(at: at)
    case ASCII.openBrace:
      try open(.object, at: start)
      at = bytes.skipWhitespace(start + 1)
      guard bytes.byte(at: at) == ASCII.closeBrace else {
        try readName(&at, orElse: .expectedName)
        return false
      }
      at += 1
      close(at: at)
    case UInt8(ascii: "t"): try readLiteral(.true, &at)
    case UInt8(ascii: "f"): try readLiteral(.false, &at)
    case UInt8(ascii: "n"): try readLiteral(.null, &at)
    default: throw bytes.missingValue(place, at: at)
    }
    return true
  }

  /// Continues after a value: over a comma to the next value (false), or out of all containers that close here. Returns
  /// true once no container is open.
  @inline(__always)
  private mutating func closeOrContinue(_ at: inout Int) throws(JSONSyntaxError) -> Bool {
    while depth > 0 {
      count &+= 1
      at = bytes.skipWhitespace(at)
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
      close(at: at)
    }
    return true
  }

  /// Reads a member name and its colon, leaving `at` at the value.
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
    let text = try bytes.findStringEnd(at + 1)
    append(.string, hasEscapes: text.hasEscapes, from: at, to: text.quote + 1)
    at = text.quote + 1
  }

  @inline(__always)
  private mutating func readLiteral(_ kind: JSONKind, _ at: inout Int) throws(JSONSyntaxError) {
    let end = try bytes.skipLiteral(kind, at)
    append(kind, from: at, to: end)
    at = end
  }

  /// Where the next value is expected.
  private var place: ValuePlace {
    if depth == 0 { return .root }
    if isObject { return .member }
    return count > 0 ? .laterElement : .firstElement
  }

  // MARK: Words

  /// Appends a scalar.
  @inline(__always)
  private mutating func append(_ kind: JSONKind, hasEscapes: Bool = false, from start: Int, to end: Int) {
    words[self.end] = Self.word(kind, hasEscapes: hasEscapes, length: end &- start, offset: start)
    self.end &+= 1
  }

  @inline(__always)
  private mutating func open(_ kind: JSONKind, at offset: Int) throws(JSONSyntaxError) {
    guard depth < maximumDepth else { throw bytes.failure(.nestingTooDeep(limit: maximumDepth), at: offset) }
    words[end] = Self.word(kind, hasEscapes: false, length: 0, offset: offset)
    words[end + 1] = UInt64(count) << 32 | UInt64(container)
    (container, count, isObject) = (end, 0, kind == .object)
    end &+= 2
    depth &+= 1
  }

  /// Completes the innermost container, which ends before `offset`, and returns to the enclosing one.
  @inline(__always)
  private mutating func close(at offset: Int) {
    let around = words[container + 1]
    words[container] |= UInt64(end - container) << 32
    words[container + 1] = UInt64(count) << 32 | UInt64(offset)
    (container, count) = (Int(around & 0xFFFF_FFFF), Int(around >> 32))
    isObject = words[container] >> 61 == UInt64(JSONKind.object.rawValue)
    depth &-= 1
  }

  @inline(__always)
  private static func word(_ kind: JSONKind, hasEscapes: Bool, length: Int, offset: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: offset) | UInt64(truncatingIfNeeded: length) &<< 32
      | (hasEscapes ? 1 &<< 60 : 0) | UInt64(kind.rawValue) &<< 61
  }
}
