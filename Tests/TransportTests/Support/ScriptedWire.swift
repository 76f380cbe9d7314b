import HTTP
import Synchronization

@testable import Transport

/// A network of prepared outcomes: the next one for each sending, and a list of what was sent.
final class ScriptedWire: Sendable {
  private let state: Mutex<(outcomes: [Result<WireResponse, TransportError>], sent: [WireRequest])>
  private let onSend: @Sendable () -> Void

  /// `onSend` runs with each sending, to turn a clock for instance.
  init(_ outcomes: [Result<WireResponse, TransportError>], onSend: @escaping @Sendable () -> Void = {}) {
    state = Mutex((outcomes, []))
    self.onSend = onSend
  }

  var sent: [WireRequest] { state.withLock { $0.sent } }
  var urls: [String] { sent.map(\.url) }

  var wire: Wire {
    { request throws(TransportError) in
      self.onSend()
      let outcome = self.state.withLock { state -> Result<WireResponse, TransportError> in
        state.sent.append(request)
        return state.outcomes.isEmpty ? .failure(.other("nothing left")) : state.outcomes.removeFirst()
      }
      return try outcome.get()
    }
  }
}

extension Result where Success == WireResponse, Failure == TransportError {
  static func status(_ status: Int, retryAfter: String? = nil) -> Self {
    .success(
      WireResponse(
        status: status, headers: retryAfter.map { [HTTPHeader(name: "Retry-After", value: $0)] } ?? [], body: [],
        arrival: 0))
  }
}
