package import Cassettes
import HTTP
import Mapping
package import Quotes
import Transport

extension StreamTape {
  /// The most bytes of a message, its compression taken off.
  private static let longestMessage = 16 << 20

  /// What the exchange said, its compression taken off; nil for a message under a broken one.
  package var messages: [(at: Instant, bytes: [UInt8]?)] {
    lines.compactMap { line in
      guard case .signal(.message(let bytes, _)) = line.event else { return nil }
      guard Gunzip.isGzip(bytes) else { return (line.at, bytes) }
      return (line.at, try? Gunzip.inflate(bytes, limit: Self.longestMessage))
    }
  }
}
