package import HTTP
import Synchronization

/// Sends equal requests of a run once, and gives the same answer to all callers, simultaneous or later.
///
/// Requests are equal if method, URLs, headers and body are, and if they are signed with the keys of one exchange: two
/// accounts at one host differ in their keys alone. A request that all its callers have cancelled is cancelled
/// and forgotten; a later caller starts over. A request that must not be repeated is never joined with another.
package final class RequestCoalescer: Sendable {
  private struct Key: Hashable {
    var method: String
    var urls: [String]
    var headers: [HTTPHeader]
    var body: [UInt8]?
    /// The exchange whose keys sign the request; nil if it is not signed.
    var signer: String?
  }

  private typealias Outcome = Result<HTTPResponse, TransportError>

  private enum Entry {
    case underWay(Flight)
    case done(Outcome)
  }

  /// One request under way and its waiting callers.
  private struct Flight {
    var number: UInt64
    var waiters: [UInt64: CheckedContinuation<Outcome, Never>] = [:]
    var task: Task<Void, Never>?
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var lastNumber: UInt64 = 0

    mutating func newNumber() -> UInt64 {
      lastNumber += 1
      return lastNumber
    }
  }

  private let state = Mutex<State>(State())

  package init() {}

  /// Returns the answer to a request, fetched by `handler` unless an equal request was made before.
  package func answer(
    _ request: HTTPRequest, by handler: @escaping HTTPHandler
  ) async throws(TransportError) -> HTTPResponse {
    if request.repetition == .never { return try await handler(request) }
    let key = Key(
      method: request.method, urls: request.urls, headers: request.headers, body: request.body,
      signer: request.signer.map { _ in request.exchange })
    let number = state.withLock { $0.newNumber() }
    let answer = await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        join(key, number, waiter) { flight in
          Task {
            let answer = await Result { () async throws(TransportError) in try await handler(request) }
            self.land(key, flight, answer)
          }
        }
      }
    } onCancel: {
      leave(key, number)
    }
    return try answer.get()
  }

  /// Returns the handler with equal requests joined. A recorder goes below it, so that an answer is recorded once.
  package func coalescing(_ handler: @escaping HTTPHandler) -> HTTPHandler {
    { request throws(TransportError) in try await self.answer(request, by: handler) }
  }

  private func join(
    _ key: Key, _ number: UInt64, _ waiter: CheckedContinuation<Outcome, Never>,
    start: (_ flight: UInt64) -> Task<Void, Never>
  ) {
    let answer = state.withLock { state -> Outcome? in
      // Checked under the lock, so that a cancellation is either seen here or finds the waiter registered.
      if Task.isCancelled { return .failure(.cancelled) }
      switch state.entries[key] {
      case .done(let answer):
        return answer
      case .underWay(var flight):
        flight.waiters[number] = waiter
        state.entries[key] = .underWay(flight)
      case nil:
        var flight = Flight(number: state.newNumber())
        flight.waiters[number] = waiter
        flight.task = start(flight.number)
        state.entries[key] = .underWay(flight)
      }
      return nil
    }
    if let answer { waiter.resume(returning: answer) }
  }

  private func leave(_ key: Key, _ number: UInt64) {
    let waiter = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
      guard case .underWay(var flight) = state.entries[key],
        let waiter = flight.waiters.removeValue(forKey: number)
      else { return nil }
      if flight.waiters.isEmpty {
        flight.task?.cancel()
        state.entries[key] = nil
      } else {
        state.entries[key] = .underWay(flight)
      }
      return waiter
    }
    waiter?.resume(returning: .failure(.cancelled))
  }

  private func land(_ key: Key, _ number: UInt64, _ answer: Outcome) {
    let waiters = state.withLock { state -> [CheckedContinuation<Outcome, Never>] in
      guard case .underWay(let flight) = state.entries[key], flight.number == number else { return [] }
      state.entries[key] = answer == .failure(.cancelled) ? nil : .done(answer)
      return Array(flight.waiters.values)
    }
    for waiter in waiters { waiter.resume(returning: answer) }
  }
}
