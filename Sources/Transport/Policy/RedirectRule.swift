import HTTP

/// Where a request may go, and where an exchange may send it on to.
enum RedirectRule {
  /// The longest chain that is followed.
  static let maximum = 5

  /// The statuses that lead elsewhere (RFC 9110 §15.4); 300 and 304 do not.
  static func isRedirect(_ status: Int) -> Bool {
    [301, 302, 303, 307, 308].contains(status)
  }

  /// A request with credentials goes out by https, or stays on this machine.
  static func check(origin url: String, isCredentialed: Bool) throws(TransportError) {
    guard let parts = try URLParts(url) else { throw .other("the URL is malformed") }
    if isCredentialed && parts.scheme != "https" && !parts.isLoopback {
      throw .other("a request with a secret is not sent to \(parts.authority) without https")
    }
  }

  /// The request that follows a redirect. Refused: any way to plain http (except from loopback to loopback, for
  /// tests), and any other origin for a request with credentials.
  static func next(
    after request: WireRequest, status: Int, to target: String, isCredentialed: Bool
  ) throws(TransportError) -> WireRequest {
    guard let from = try URLParts(request.url), let to = try URLParts(target) else {
      throw .redirectRefused("the target is malformed")
    }
    let isBetweenLoopbacks = from.scheme == "http" && from.isLoopback && to.scheme == "http" && to.isLoopback
    guard to.scheme == "https" || isBetweenLoopbacks else {
      throw .redirectRefused("to \(to.scheme) at \(to.authority)")
    }
    guard !isCredentialed || to.hasSameOrigin(as: from) else {
      throw .redirectRefused("a request with a secret from \(from.authority) to \(to.authority)")
    }
    var next = request
    next.url = target
    // A 303 asks for a GET; after 301 and 302 every client sends one in the place of a POST (RFC 9110 §15.4.2).
    if status == 303 || (status < 303 && request.method == "POST") {
      next.method = "GET"
      next.body = nil
      next.headers.removeAll { $0.name.lowercased().hasPrefix("content-") }
    }
    return next
  }
}
