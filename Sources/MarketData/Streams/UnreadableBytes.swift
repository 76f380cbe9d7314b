package import Mapping
import Transport

/// Why a compressed message cannot be read, and the close code that says so to the exchange (RFC 6455 §7.4.1).
package struct UnreadableBytes: Error {
  package let failure: TableFailure
  package let code: Int
}

extension UnreadableBytes {
  init(_ problem: Gunzip.Problem) {
    let code =
      switch problem {
      case .damaged: 1007
      case .tooLarge: 1009
      case .unavailable: 1000
      }
    self.init(failure: .streamBad("\(problem)"), code: code)
  }
}

extension TableFailure {
  /// Returns what is wrong with a message whose bytes are no text, perhaps since its compression is not known; nil if
  /// they are.
  package static func unreadable(_ bytes: [UInt8]) -> TableFailure? {
    String(validating: bytes, as: UTF8.self) == nil ? .streamBad("bytes that are neither text nor gzip") : nil
  }
}
