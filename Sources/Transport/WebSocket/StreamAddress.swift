import HTTP

/// The parsed address of a WebSocket: a `wss` or `ws` URL (RFC 6455 §3).
struct StreamAddress: Hashable {
  /// The same address for libcurl, which opens the connection: `https` or `http`.
  let url: String
  /// `host:port`, for messages.
  let authority: String
  /// The `Host` header's value: includes the port only if it is not the scheme's default.
  let host: String
  /// Path and query.
  let target: String

  /// - Throws: If the text is not such a URL, contains a user name, or leads to another machine without TLS.
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
    // Fragments are meaningless for WebSockets (§3), and non-ASCII bytes or spaces would have to be escaped.
    guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !url.contains("#"), let parts = try URLParts(url) else {
      throw malformed
    }
    if parts.hasUser { throw .other("a URL with a user name is not sent") }
    authority = parts.authority
    if !isSecure, !parts.isLoopback { throw .other("no connection to \(authority) without TLS (wss)") }
    self.url = url
    host = parts.port == (isSecure ? 443 : 80) ? parts.host : parts.authority
    target = parts.target
  }
}
