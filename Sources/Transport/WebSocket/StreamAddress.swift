import HTTP

/// Where a WebSocket is asked for: a `wss` or `ws` URL (RFC 6455 §3), taken apart.
struct StreamAddress: Hashable {
  /// The same address for libcurl, which opens the connection: `https` or `http`.
  let url: String
  /// `host:port`, for messages.
  let authority: String
  /// What the header `Host` says: the port only where it is not the scheme's own.
  let host: String
  /// Path and query.
  let target: String

  /// - Throws: where the text is no such URL, has a user name, or leads to another machine without TLS.
  init(_ text: String) throws(TransportError) {
    let malformed = TransportError.other("the URL is malformed")
    guard let schemeEnd = text.firstRange(of: "://") else { throw malformed }
    let isSecure: Bool
    switch text[..<schemeEnd.lowerBound].lowercased() {
    case "wss": isSecure = true
    case "ws": isSecure = false
    default: throw malformed
    }
    let url = (isSecure ? "https://" : "http://") + text[schemeEnd.upperBound...]
    // A fragment means nothing to a WebSocket (§3), and a byte beyond ASCII or a blank would have to be escaped.
    guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !url.contains("#"), let parts = try URLParts(url) else {
      throw malformed
    }
    if parts.hasUser { throw .other("a URL with a user name is not sent") }
    authority = parts.authority
    if !isSecure, !parts.isLoopback { throw .other("\(authority) is not connected to without TLS (wss)") }
    self.url = url
    host = parts.port == (isSecure ? 443 : 80) ? parts.host : parts.authority
    target = parts.target
  }
}
