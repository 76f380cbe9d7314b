import CCurl
import HTTP

/// The parts of a URL that decide who hears a request. libcurl's own parser reads them, so that what is checked and
/// what is sent can never be two readings of one text.
struct URLParts: Hashable, Sendable {
  /// In lower case.
  var scheme: String
  /// In lower case; an IPv6 address in brackets.
  var host: String
  var port: Int
  var hasUser: Bool

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
    guard curl.url_set(handle, CURLUPART_URL, url, UInt32(CURLU_NON_SUPPORT_SCHEME)) == CURLUE_OK,
      let scheme = part(CURLUPART_SCHEME), let host = part(CURLUPART_HOST)
    else { return nil }
    self.scheme = scheme.lowercased()
    self.host = host.lowercased()
    port = part(CURLUPART_PORT, flags: CURLU_DEFAULT_PORT).flatMap { Int($0) } ?? 0
    hasUser = part(CURLUPART_USER) != nil || part(CURLUPART_PASSWORD) != nil
  }

  /// `host:port`, for messages.
  var authority: String { "\(host):\(port)" }

  /// Scheme, host and port: what RFC 6454 calls the origin.
  func hasSameOrigin(as other: URLParts) -> Bool {
    scheme == other.scheme && host == other.host && port == other.port
  }

  /// Whether the host is this machine by its very name; other names may resolve to anything.
  var isLoopback: Bool {
    if host == "localhost" || host == "[::1]" { return true }
    let bytes = host.split(separator: ".", omittingEmptySubsequences: false)
    return bytes.count == 4 && bytes[0] == "127" && bytes.allSatisfy { UInt8($0) != nil }
  }
}
