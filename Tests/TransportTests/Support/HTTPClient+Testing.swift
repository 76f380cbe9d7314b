import HTTP

@testable import Transport

extension HTTPClient {
  /// Returns a client for the loopback interface: no proxies, quick retries, and whatever else a test wants.
  static func forTesting(_ change: (inout Options) -> Void = { _ in }) -> HTTPClient {
    var options = Options(userAgent: "market/test")
    options.proxy = ""
    // Other tests may keep the machine busy for long; a timing test sets its own.
    options.timeout = .seconds(120)
    options.connectTimeout = .seconds(120)
    options.deadline = nil
    options.retryRule.maximumRetries = 0
    options.retryRule.firstDelay = .milliseconds(1)
    change(&options)
    return HTTPClient(options)
  }
}

extension HTTPRequest {
  /// Returns a request of the exchange "Test".
  static func to(_ urls: String..., name: String = "ticker", change: (inout HTTPRequest) -> Void = { _ in })
    -> HTTPRequest
  {
    var request = HTTPRequest(exchange: "Test", name: name, urls: urls)
    change(&request)
    return request
  }
}

/// Returns the outcome of a request as one comparable value.
func outcome(of request: HTTPRequest, by handler: HTTPHandler) async -> Result<HTTPResponse, TransportError> {
  await Result { () async throws(TransportError) in try await handler(request) }
}

/// The status and body of a response, which is what most tests check.
struct Reply: Hashable, Sendable {
  var status: Int
  var body: String

  init(_ status: Int, _ body: String) {
    self.status = status
    self.body = body
  }
}

extension Result where Success == HTTPResponse, Failure == TransportError {
  var reply: Result<Reply, TransportError> { map { Reply($0.status, String(decoding: $0.body, as: UTF8.self)) } }
}
