import CCurl
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
    after request: HTTPRequest, status: Int, to target: String
  ) throws(TransportError) -> HTTPRequest {
    guard let from = try URLParts(request.urls.first ?? ""), let to = try URLParts(target) else {
      throw .redirectRefused("the target is malformed")
    }
    let isBetweenLoopbacks = from.scheme == "http" && from.isLoopback && to.scheme == "http" && to.isLoopback
    guard to.scheme == "https" || isBetweenLoopbacks else {
      throw .redirectRefused("to \(to.scheme) at \(to.authority)")
    }
    // What a local service says of where to go, or a stranger of what is here, is no business of the other.
    let isLocal = from.isLocal || to.isLocal
    guard !isLocal || from.host == to.host || (from.isLoopback && to.isLoopback) else {
      throw .redirectRefused("from \(from.authority) to \(to.authority): one of them is local")
    }
    guard !request.isCredentialed || to.hasSameOrigin(as: from) else {
      throw .redirectRefused("a request with a secret from \(from.authority) to \(to.authority)")
    }
    var next = request
    next.urls = [target]
    // A 303 asks for a GET; after 301 and 302 every client sends one in the place of a POST (RFC 9110 §15.4.2).
    if status == 303 || (status < 303 && request.method == "POST") {
      next.method = "GET"
      next.body = nil
      next.headers.removeAll { $0.name.lowercased().hasPrefix("content-") }
    }
    return next
  }
}

/// The parts of a URL that decide who hears a request. libcurl's own parser reads them, so that what is checked and
/// what is sent can never be two readings of one text.
struct URLParts: Hashable, Sendable {
  /// In lower case.
  var scheme: String
  /// In lower case; an IPv6 address in brackets.
  var host: String
  var port: Int
  var hasUser: Bool
  /// Path and query, as they were written.
  var target: String

  /// nil for a text that is no absolute URL.
  ///
  /// - Throws: only where there is no libcurl.
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
  var authority: String { "\(host):\(port)" }

  /// Scheme, host and port: what RFC 6454 calls the origin.
  func hasSameOrigin(as other: URLParts) -> Bool {
    scheme == other.scheme && host == other.host && port == other.port
  }

  var isLoopback: Bool { HostName(of: host).isLoopback }
  var isLocal: Bool { HostName(of: host).isLocal }
}
