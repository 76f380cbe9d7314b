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

  private func length(at index: Int) -> Int { Int(words[index] >> 32 & 0x0FFF_FFFF) }
}
