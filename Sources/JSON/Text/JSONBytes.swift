/// The lexical grammar of RFC 8259 over the bytes of one text: whitespace, strings, numbers and literals.
///
/// Both readers, the document and the scan, are built on these functions, so they accept the same texts and name the same
/// errors. A value of this type only points at the bytes: it must not outlive the call that lent them. It holds no position;
/// every function takes the offset to begin at and returns the offset behind what it read, so that offsets stay in registers.
///
/// **Safety.** Only `byte(at:)`, `word(at:)` and `bytes(in:)` touch memory. The first checks the upper bound itself; the second
/// demands eight bytes, and its callers test for them; the third demands a range that has been read.
struct JSONBytes {
  private let base: UnsafePointer<UInt8>
  /// The length of the text.
  let count: Int

  /// The longest text that both readers take: tape words have 28 bits for a length.
  static let maximumCount = (1 << 28) - 1

  /// Points at `buffer`, or fails when its first byte already tells that this is no JSON text.
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

  /// The byte at `offset`, or 0 behind the end: no grammar rule allows a zero byte, so every switch ends there.
  @inline(__always)
  func byte(at offset: Int) -> UInt8 {
    offset < count ? base[offset] : 0
  }

  /// The eight bytes from `offset` as a little-endian word: the first byte is the lowest. `offset + 8` must not exceed `count`.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    UInt64(
      littleEndian: UnsafeRawPointer(base + offset).loadUnaligned(as: UInt64.self))
  }

  /// The bytes in `range`, which must lie in the text.
  func bytes(in range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
  }

  /// The first eight bytes of a name as a word, the first byte the lowest, with zeros for those it does not have: two names of
  /// the same length and prefix differ behind their eighth byte, or not at all.
  static func prefix(of name: some Collection<UInt8>) -> UInt64 {
    name.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The prefix of the bytes in `range`, read in one go where the text is long enough.
  func prefix(of range: Range<Int>) -> UInt64 {
    guard range.lowerBound + 8 <= count else { return JSONBytes.prefix(of: bytes(in: range)) }
    // A shift by 64 or more gives zero.
    return word(at: range.lowerBound) & ~(~0 << UInt64(8 * range.count))
  }

  /// An error at `offset`. Out of line, to keep the fast paths short.
  @inline(never)
  func failure(_ problem: JSONProblem, at offset: Int) -> JSONSyntaxError {
    JSONSyntaxError(offset: offset, problem: problem)
  }

  /// An error at `offset`, or the error of a text that ends inside `container` when it ends there.
  @inline(never)
  func failure(_ problem: JSONProblem, in container: JSONKind, at offset: Int) -> JSONSyntaxError {
    JSONSyntaxError(offset: offset, problem: offset < count ? problem : .endInside(container))
  }
}
