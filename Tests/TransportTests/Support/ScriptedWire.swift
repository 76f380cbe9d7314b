import HTTP
import Synchronization

@testable import Transport

/// A network of prepared outcomes: the next one for each attempt, and a list of what was sent.
final class ScriptedWire: Sendable {
  struct Sending: Sendable {
    var request: HTTPRequest
    var timeout: Int64
  }

  private let state: Mutex<(outcomes: [Result<HTTPResponse, TransportError>], sent: [Sending])>
  private let onSend: @Sendable () -> Void

  /// `onSend` runs on each attempt, for example to advance a clock.
  init(_ outcomes: [Result<HTTPResponse, TransportError>], onSend: @escaping @Sendable () -> Void = {}) {
    state = Mutex((outcomes, []))
    self.onSend = onSend
  }

  var sent: [Sending] { state.withLock { $0.sent } }
  var urls: [String] { sent.flatMap(\.request.urls) }

  var sendOnce: SendOnce {
    { request, timeout throws(TransportError) in
      self.onSend()
      let outcome = self.state.withLock { state -> Result<HTTPResponse, TransportError> in
        state.sent.append(Sending(request: request, timeout: timeout))
        return state.outcomes.isEmpty ? .failure(.other("nothing left")) : state.outcomes.removeFirst()
      }
      // As if the host had heard of it, unless there was no way to it.
      switch outcome {
      case .failure(.cannotResolve), .failure(.cannotConnect): break
      default: request.meter?.noteReach()
      }
      return try outcome.get()
    }
  }
}

extension Result where Success == HTTPResponse, Failure == TransportError {
  static func status(_ status: Int, retryAfter: String? = nil) -> Self {
    .success(
      HTTPResponse(
        status: status, headers: retryAfter.map { [HTTPHeader(name: "Retry-After", value: $0)] } ?? [], body: []))
  }
}
