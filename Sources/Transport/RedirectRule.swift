import CCurl
import HTTP

/// Decides where a request may go, and where an exchange may redirect it.
enum RedirectRule {
  /// The maximum number of redirects in a row.
  static let maximum = 5

  /// Returns whether the status is a redirect (RFC 9110 §15.4); 300 and 304 are not.
  static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

  /// Checks that a request with credentials uses https or stays on this machine.
  static func check(origin url: String, isCredentialed: Bool) throws(TransportError) {
    guard let parts = try URLParts(url) else { throw .other("the URL is malformed") }
    if isCredentialed && parts.scheme != "https" && !parts.isLoopback {
      throw .other("a request with a secret is not sent to \(parts.authority) without https")
    }
  }

  /// Returns the request that follows a redirect. Refuses any redirect to plain http (except between loopback
  /// addresses, for tests), and any other origin for a request with credentials.
  static func next(after request: HTTPRequest, status: Int, to target: String) throws(TransportError) -> HTTPRequest {
    guard let from = try URLParts(request.urls.first ?? ""), let to = try URLParts(target) else {
      throw .redirectRefused("the target is malformed")
    }
    let isBetweenLoopbacks = from.scheme == "http" && from.isLoopback && to.scheme == "http" && to.isLoopback
    guard to.scheme == "https" || isBetweenLoopbacks else {
      throw .redirectRefused("to \(to.scheme) at \(to.authority)")
    }
    // A local service must not redirect to a remote host, nor a remote host to a local one.
    let isLocal = from.isLocal || to.isLocal
    guard !isLocal || from.host == to.host || (from.isLoopback && to.isLoopback) else {
      throw .redirectRefused("from \(from.authority) to \(to.authority): one of them is local")
    }
    guard !request.isCredentialed || to.hasSameOrigin(as: from) else {
      throw .redirectRefused("a request with a secret from \(from.authority) to \(to.authority)")
    }
    var next = request
    next.urls = [target]
    // A 303 requires a GET; after 301 and 302 every client replaces a POST by one (RFC 9110 §15.4.2).
    if status == 303 || (status < 303 && request.method == "POST") {
      next.method = "GET"
      next.body = nil
      next.headers.removeAll { $0.name.lowercased().hasPrefix("content-") }
    }
    return next
  }
}

/// The parts of a URL that determine who receives a request. Parsed by libcurl's own parser, so that the URL checked
/// and the URL sent can never be interpreted differently.
struct URLParts: Hashable, Sendable {
  /// In lowercase.
  var scheme: String
  /// In lowercase; an IPv6 address is in brackets.
  var host: String
  var port: Int
  var hasUser: Bool
  /// Path and query, as written.
  var target: String

  /// Returns nil for a text that is not an absolute URL.
  ///
  /// - Throws: Only if libcurl is unavailable.
  init?(_ url: String) throws(TransportError) {
    let curl = try CurlLibrary.textFunctions()
    guard !url.utf8.contains(0), let handle = curl.url() else { return nil }
    defer { curl.url_cleanup(handle) }
    func part(_ part: CURLUPart, flags: Int32 = 0) -> String? {
      var text: UnsafeMutablePointer<CChar>?
      guard curl.url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK, let text else { return nil }
      defer { curl.free(text) }
      return String(cString: text)
    }
    guard curl.url_set(handle, CURLUPART_URL, url, UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_PATH_AS_IS)) == CURLUE_OK,
      let scheme = part(CURLUPART_SCHEME), let host = part(CURLUPART_HOST)
    else { return nil }
    self.scheme = scheme.lowercased()
    self.host = host.lowercased()
    port = part(CURLUPART_PORT, flags: CURLU_DEFAULT_PORT).flatMap { Int($0) } ?? 0
    hasUser = part(CURLUPART_USER) != nil || part(CURLUPART_PASSWORD) != nil
    target = (part(CURLUPART_PATH) ?? "/") + (part(CURLUPART_QUERY).map { "?\($0)" } ?? "")
  }

  /// `host:port`, for messages.
  var authority: String { "\(shownHost):\(port)" }

  /// The host, for messages. No name is longer than 253 characters (RFC 1035 §2.3.4), but what a redirect names may be.
  var shownHost: String { host.utf8.count > 253 ? host.prefix(253) + "…" : host }

  /// Returns whether scheme, host and port are equal (the origin of RFC 6454).
  func hasSameOrigin(as other: URLParts) -> Bool {
    scheme == other.scheme && host == other.host && port == other.port
  }

  var isLoopback: Bool { HostName(of: host).isLoopback }
  var isLocal: Bool { HostName(of: host).isLocal }
}
