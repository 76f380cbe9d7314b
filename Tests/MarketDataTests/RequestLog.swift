import HTTP
import Synchronization
import Transport

/// Remembers which requests went through an exchange.
final class RequestLog: Sendable {
  private let requests = Mutex<[HTTPRequest]>([])

  /// Methods and addresses, alternates behind ` | `, in the order of the alphabet: requests go out at the same time. What
  /// the clock filled in is `NOW`.
  var lines: [String] {
    requests.withLock { $0 }.map { request in
      let urls = request.urls.joined(separator: " | ")
      return "\(request.method) \(request.withoutMoments(urls))"
    }.sorted()
  }

  func recording(_ handler: @escaping HTTPHandler) -> HTTPHandler {
    { request throws(TransportError) in
      self.requests.withLock { $0.append(request) }
      return try await handler(request)
    }
  }
}
