import HTTP
import Synchronization
import Transport

/// A log of the requests to an exchange.
final class RequestLog: Sendable {
  private let requests = Mutex<[HTTPRequest]>([])

  /// Methods and addresses, with alternates after ` | `, sorted, since requests go out concurrently. Values from the
  /// clock become `NOW`.
  var lines: [String] {
    requests.withLock { $0 }.map { request in
      let urls = request.urls.joined(separator: " | ")
      return "\(request.method) \(request.replacingClockValues(urls))"
    }.sorted()
  }

  func recording(_ handler: @escaping HTTPHandler) -> HTTPHandler {
    { request throws(TransportError) in
      self.requests.withLock { $0.append(request) }
      return try await handler(request)
    }
  }
}
