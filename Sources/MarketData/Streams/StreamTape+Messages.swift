package import Cassettes
import HTTP
import Mapping
package import Quotes
import Transport

extension StreamTape {
  /// The maximum size of a message in bytes, after decompression.
  private static let maximumMessageLength = 16 << 20

  /// The exchange's messages, decompressed; nil for one that cannot be decompressed.
  package var messages: [(at: Instant, bytes: [UInt8]?)] {
    lines.compactMap { line in
      guard case .signal(.message(let bytes, _)) = line.event else { return nil }
      guard Gunzip.isGzip(bytes) else { return (line.at, bytes) }
      return (line.at, try? Gunzip.inflate(bytes, limit: Self.maximumMessageLength))
    }
  }
}
