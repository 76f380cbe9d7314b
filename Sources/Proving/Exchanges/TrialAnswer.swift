package import HTTP
import Synchronization

/// A request that a trial made, and what came.
package struct TrialAnswer: Sendable {
  package let request: HTTPRequest
  package let outcome: Result<HTTPResponse, TransportError>

  /// What came back; nil where nothing did.
  package var response: HTTPResponse? { try? outcome.get() }
}

/// Keeps every request that passes, with its answer.
final class AnswerTap: Sendable {
  private let kept = Mutex<[TrialAnswer]>([])

  var answers: [TrialAnswer] { kept.withLock { $0 } }

  func tapping(_ handler: @escaping HTTPHandler) -> HTTPHandler {
    { request throws(TransportError) in
      do throws(TransportError) {
        let response = try await handler(request)
        self.kept.withLock { $0.append(TrialAnswer(request: request, outcome: .success(response))) }
        return response
      } catch {
        self.kept.withLock { $0.append(TrialAnswer(request: request, outcome: .failure(error))) }
        throw error
      }
    }
  }
}
