import CZlib

/// Decompresses gzip (RFC 1952) with the zlib that comes with libcurl. Exchanges compress stream messages this way;
/// libcurl itself decodes HTTP responses.
package enum Gunzip {
  package enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not gzip, truncated, corrupted, or with trailing data.
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

  /// Returns whether the bytes start with the gzip signature.
  package static func isGzip(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

  /// Returns the decompressed bytes of all members, concatenated.
  ///
  /// - Parameter limit: The maximum size in bytes. Little more than this is ever allocated, whatever `bytes` contains.
  package static func inflate(_ bytes: [UInt8], limit: Int) throws(Problem) -> [UInt8] {
    let zlib = try library.get()
    var stream = ZlibStream()
    guard market_zlib_begin_gzip(zlib, &stream) == market_zlib_ok else { throw .unavailable("it does not begin") }
    defer { _ = zlib.end(&stream) }
    // zlib stores the address of its stream, so the stream must not move.
    let result = withUnsafeMutablePointer(to: &stream) { stream in
      bytes.withUnsafeBufferPointer { inflate($0, with: zlib, stream, limit: limit) }
    }
    return try result.get()
  }

  private static func inflate(
    _ input: UnsafeBufferPointer<UInt8>, with zlib: ZlibFunctions, _ stream: UnsafeMutablePointer<ZlibStream>,
    limit: Int
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
          guard zlib.reset(stream) == market_zlib_ok else { return .failure(.damaged) }
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
