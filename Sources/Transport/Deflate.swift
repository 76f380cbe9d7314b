import CZlib

/// Decompresses DEFLATE (RFC 1951) with the zlib that comes with libcurl. Exchanges compress stream messages this way, as
/// gzip, in zlib's own format, or bare; libcurl itself decodes HTTP responses.
package enum Deflate {
  package enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not in this format, truncated, corrupted, or with trailing data.
    case damaged
    /// The output exceeds `limit` bytes.
    case tooLarge(limit: Int)
    /// Why this system has no usable zlib.
    case unavailable(String)

    package var description: String {
      switch self {
      case .damaged: "the compressed data is damaged"
      case .tooLarge(let limit): "more than \(limit) bytes"
      case .unavailable(let reason): "zlib cannot be used: \(reason)"
      }
    }
  }

  /// What is around the compressed data.
  package enum Format: Sendable {
    /// RFC 1952: a header and a checksum, and perhaps more of the same.
    case gzip
    /// RFC 1950: a header of two bytes and a checksum.
    case zlib
    /// Nothing.
    case bare

    /// The size of the window, 2^15, in zlib's notation: negative for bare data, and with 16 added for gzip.
    fileprivate var windowBits: Int32 {
      switch self {
      case .gzip: 15 + 16
      case .zlib: 15
      case .bare: -15
      }
    }
  }

  /// Returns the text in a message of bytes: decompressed if they are compressed, and as they are if they are text; nil if
  /// they are neither. Bare data has no mark, so that it is recognized by being anything but text, and by being text
  /// inside.
  ///
  ///     text([0x7B, 0x7D])                                 // {}
  ///     text([0x78, 0x9C, 0xAB, 0xAE, 5, 0, 1, 0x75, 0, 0xF9])   // {}
  ///
  /// - Parameter limit: See ``inflate(_:_:limit:)``.
  /// - Throws: `Problem` for gzip that is damaged, and for compressed data of any kind that is too large.
  package static func text(_ bytes: [UInt8], limit: Int) throws(Problem) -> [UInt8]? {
    if isGzip(bytes) { return try inflate(bytes, .gzip, limit: limit) }
    if hasZlibHeader(bytes), let text = try inflatedIfWhole(bytes, .zlib, limit: limit) { return text }
    if isText(bytes) { return bytes }
    guard let text = try inflatedIfWhole(bytes, .bare, limit: limit), isText(text) else { return nil }
    return text
  }

  /// Returns whether the bytes start with the gzip signature.
  static func isGzip(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

  /// Returns whether the bytes start as zlib's own format does, with a window of 2^15: the second byte has the level, and
  /// makes both together a multiple of 31 (RFC 1950 §2.2).
  static func hasZlibHeader(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 2 && bytes[0] == 0x78 && [0x01, 0x5E, 0x9C, 0xDA].contains(bytes[1])
  }

  private static func isText(_ bytes: [UInt8]) -> Bool { String(validating: bytes, as: UTF8.self) != nil }

  /// Returns nil for data that is not of this format, or damaged.
  private static func inflatedIfWhole(
    _ bytes: [UInt8], _ format: Format, limit: Int
  ) throws(Problem) -> [UInt8]? {
    do throws(Problem) {
      return try inflate(bytes, format, limit: limit)
    } catch {
      guard error == .damaged else { throw error }
      return nil
    }
  }

  /// Returns the decompressed bytes; of gzip, those of all members, concatenated.
  ///
  /// - Parameter limit: The maximum size in bytes. Little more than this is ever allocated, whatever `bytes` contains.
  package static func inflate(_ bytes: [UInt8], _ format: Format, limit: Int) throws(Problem) -> [UInt8] {
    let zlib = try library.get()
    var stream = ZlibStream()
    guard market_zlib_begin(zlib, &stream, format.windowBits) == market_zlib_ok else {
      throw .unavailable("it does not begin")
    }
    defer { _ = zlib.end(&stream) }
    // zlib stores the address of its stream, so the stream must not move.
    let result = withUnsafeMutablePointer(to: &stream) { stream in
      bytes.withUnsafeBufferPointer { inflate($0, format, with: zlib, stream, limit: limit) }
    }
    return try result.get()
  }

  private static func inflate(
    _ input: UnsafeBufferPointer<UInt8>, _ format: Format, with zlib: ZlibFunctions,
    _ stream: UnsafeMutablePointer<ZlibStream>, limit: Int
  ) -> Result<[UInt8], Problem> {
    guard let length = UInt32(exactly: input.count), length > 0 else { return .failure(.damaged) }
    stream.pointee.next_in = input.baseAddress
    stream.pointee.avail_in = length
    var output: [UInt8] = []
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16 << 10) { part in
      while true {
        stream.pointee.next_out = part.baseAddress
        stream.pointee.avail_out = UInt32(part.count)
        let code = zlib.inflate(stream, 0)
        guard code == market_zlib_ok || code == market_zlib_stream_end else { return .failure(.damaged) }
        let count = part.count - Int(stream.pointee.avail_out)
        if count > limit - output.count { return .failure(.tooLarge(limit: limit)) }
        output.append(contentsOf: part[..<count])
        if code == market_zlib_stream_end {
          if stream.pointee.avail_in == 0 { return .success(output) }
          // Only gzip may go on.
          guard format == .gzip, zlib.reset(stream) == market_zlib_ok else { return .failure(.damaged) }
        }
      }
    }
  }

  private static let library: Result<ZlibFunctions, Problem> = {
    var functions = ZlibFunctions()
    if let problem = market_zlib_load(&functions) { return .failure(.unavailable(String(cString: problem))) }
    return .success(functions)
  }()
}
