package import Mapping
import Transport

/// Why a compressed message cannot be read, and the close code that says so to the exchange (RFC 6455 §7.4.1).
package struct UnreadableBytes: Error {
  package let failure: AnswerFailure
  package let code: Int
}

extension UnreadableBytes {
  init(_ problem: Deflate.Problem) {
    let code =
      switch problem {
      case .damaged: 1007
      case .tooLarge: 1009
      case .unavailable: 1000
      }
    self.init(failure: .stream(.bad("\(problem)")), code: code)
  }
}

extension AnswerFailure {
  /// What is wrong with a message whose bytes are not text, perhaps since its compression is not known.
  package static let unreadableBytes = AnswerFailure.stream(.bad("bytes that are neither text nor compressed text"))
}
