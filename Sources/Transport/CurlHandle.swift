import CCurl
import HTTP

/// A libcurl easy handle with what all its uses have in common: connection setup, the header list and error messages.
/// Confined to the loop's thread.
final class CurlHandle {
  let curl: CurlFunctions
  let easy: UnsafeMutableRawPointer
  private let url: String
  private var headerList: UnsafeMutablePointer<curl_slist>?
  /// The buffer for libcurl's error details; NUL-terminated.
  private let detail: UnsafeMutablePointer<CChar>
  /// Not 0 once the search for the name of the host or of a proxy has begun.
  private let lookups: UnsafeMutablePointer<CInt>
  private var isTrustingDirectory = false
  private let proxy: String?

  /// - Parameter usingBundle: Whether the directory of certificate authorities has already proven incomplete.
  init(_ url: String, curl: CurlFunctions, settings: CurlSettings, usingBundle: Bool) throws(TransportError) {
    guard let easy = curl.easy_init() else { throw .other("libcurl is out of memory") }
    self.curl = curl
    self.easy = easy
    self.url = url
    proxy = settings.proxy
    detail = .allocate(capacity: Int(CURL_ERROR_SIZE))
    detail.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    lookups = .allocate(capacity: 1)
    lookups.initialize(to: 0)
    guard !url.utf8.contains(0) else { throw .other("the URL is malformed") }
    configure(settings, usingBundle: usingBundle)
  }

  deinit {
    curl.easy_cleanup(easy)
    curl.slist_free_all(headerList)
    detail.deallocate()
    lookups.deallocate()
  }

  // MARK: - Configuration

  private func configure(_ settings: CurlSettings, usingBundle: Bool) {
    set(CURLOPT_NOSIGNAL, 1)
    market_curl_set_pointer(curl, easy, CURLOPT_ERRORBUFFER, detail)
    market_curl_set_lookup_counter(curl, easy, lookups)
    market_curl_set_quick_exit(curl, easy)
    market_curl_allow_only_http(curl, easy)
    // We follow redirects ourselves, under our own rules; user names in URLs would become credentials.
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    set(CURLOPT_PATH_AS_IS, 1)
    set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    set(CURLOPT_TCP_KEEPALIVE, 1)
    set(CURLOPT_URL, url)
    if let proxy = settings.proxy { set(CURLOPT_PROXY, proxy) }
    if isSecure { configureAuthorities(settings.authorities ?? CurlLibrary.authorities, usingBundle: usingBundle) }
  }

  private func configureAuthorities(_ authorities: CertificateAuthorities, usingBundle: Bool) {
    isTrustingDirectory = authorities.directory != nil && !usingBundle
    if isTrustingDirectory {
      set(CURLOPT_CAPATH, authorities.directory)
      set(CURLOPT_CAINFO, nil)
    } else if let file = authorities.file {
      // A bundle alone is read once for all connections (cached by libcurl 7.87 and later).
      set(CURLOPT_CAPATH, nil)
      set(CURLOPT_CAINFO, file)
    }
  }

  /// Whether the URL uses TLS; only then is it worth locating the certificate authorities.
  var isSecure: Bool { url.lowercased().hasPrefix("https:") }

  func set(_ option: CURLoption, _ value: Int) { market_curl_set_long(curl, easy, option, value) }

  func set(_ option: CURLoption, _ value: String?) { market_curl_set_text(curl, easy, option, value) }

  func append(headerLine line: String) {
    if let longer = curl.slist_append(headerList, line) { headerList = longer }
  }

  /// Passes the complete header list to libcurl.
  func sendHeaders() { market_curl_set_pointer(curl, easy, CURLOPT_HTTPHEADER, headerList) }

  /// Converts to milliseconds, at least 1 because libcurl takes 0 as "no limit".
  static func milliseconds(_ nanoseconds: Int64) -> Int {
    Int(clamping: max(1, min(nanoseconds / 1_000_000, Int64(Int32.max))))
  }

  /// Prepares another attempt with the whole bundle after a failure due to an unknown authority: a system's bundle may
  /// contain more than its directory. Returns false for any other failure.
  func fallsBackToBundle(after code: CURLcode) -> Bool {
    var verdict = 0
    guard isTrustingDirectory, code == CURLE_PEER_FAILED_VERIFICATION,
      market_curl_get_long(curl, easy, CURLINFO_SSL_VERIFYRESULT, &verdict) == CURLE_OK, verdict != 0
    else { return false }
    configureAuthorities(CurlLibrary.authorities, usingBundle: true)
    startOver()
    return true
  }

  /// Forgets what is known of the last attempt before another one.
  func startOver() { lookups.pointee = 0 }

  /// Whether the request has gone out: over a connection to its host, also through a proxy, and its handshakes. What is
  /// not encrypted goes out with the connection to the proxy.
  var hasSent: Bool { microseconds(CURLINFO_PRETRANSFER_TIME_T) > 0 }

  /// Returns how long it took to get so far, in microseconds; 0 if it did not.
  private func microseconds(_ info: CURLINFO) -> Int64 {
    var time: curl_off_t = 0
    return market_curl_get_offset(curl, easy, info, &time) == CURLE_OK ? Int64(time) : 0
  }

  // MARK: - Errors

  private var urlParts: URLParts? { try? URLParts(url) }

  /// `host:port`, for messages.
  var authority: String { urlParts?.authority ?? "the host" }

  /// `host:port` of the connection's other end, which is the proxy if there is one; nil if there was no connection.
  private var peer: String? {
    var host: UnsafeMutablePointer<CChar>?
    var port = 0
    guard market_curl_get_text(curl, easy, CURLINFO_PRIMARY_IP, &host) == CURLE_OK, let host, host.pointee != 0,
      market_curl_get_long(curl, easy, CURLINFO_PRIMARY_PORT, &port) == CURLE_OK
    else { return nil }
    let text = String(cString: host)
    return text.contains(":") ? "[\(text)]:\(port)" : "\(text):\(port)"
  }

  /// Whether the system said why it made no connection, which needs a socket.
  private var hasSystemError: Bool {
    var number = 0
    return market_curl_get_long(curl, easy, CURLINFO_OS_ERRNO, &number) == CURLE_OK && number != 0
  }

  /// The proxy's URL; nil if there is none.
  private var proxyURL: String? {
    let url = proxy ?? ProxyFailure.url(isSecure: isSecure, CurlLibrary.environment)
    return url?.isEmpty == false ? url : nil
  }

  /// Returns libcurl's message for this particular failure, or its generic one for the code.
  private func detail(of code: CURLcode) -> String {
    let words = String(cString: detail)
    // When libcurl quotes a proxy's address, that includes the password.
    let text = words.isEmpty || words.contains("@") ? curl.easy_strerror(code).map { String(cString: $0) } : words
    let plain = Self.plainWords.first { text?.contains($0.part) == true }?.words
    return plain ?? text ?? "libcurl's error \(code.rawValue)"
  }

  /// What parts of the messages of libcurl and OpenSSL mean that a common mistake of a server causes.
  private static let plainWords = [
    (part: "wrong version number", words: "the server does not speak TLS at this port"),
    (part: "protocol version", words: "the server only knows outdated versions of TLS"),
    (part: "unsupported protocol", words: "the server only knows outdated versions of TLS"),
    (part: "hexadecimal sequence", words: "the answer's chunks have no valid lengths"),
  ]

  /// Whether libcurl stopped at a head that is too long, whatever the code that its version gives that.
  var hasEndlessHead: Bool { String(cString: detail).hasPrefix("Too large response headers") }

  /// Returns the error for a failed connection or transfer.
  func error(_ code: CURLcode) -> TransportError {
    let detail = detail(of: code)
    var answerOfProxy = 0
    let isKnown = market_curl_get_long(curl, easy, CURLINFO_HTTP_CONNECTCODE, &answerOfProxy) == CURLE_OK
    if code != CURLE_OPERATION_TIMEDOUT, isKnown, answerOfProxy >= 300 {
      let hasPassword = proxyURL?.contains("@") == true
      return .other(ProxyFailure.refusal(by: peer, status: answerOfProxy, of: authority, hasPassword: hasPassword))
    }
    // libcurl has no code for want of a socket, and none for want of what the search for a name opens.
    if [CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT].contains(code),
      !hasSystemError, OpenFileBudget.isUsedUp
    {
      return .tooManyFiles
    }
    switch code {
    case CURLE_OPERATION_TIMEDOUT: return timeout(answerOfProxy: answerOfProxy)
    case CURLE_COULDNT_RESOLVE_HOST: return .cannotResolve(urlParts?.shownHost ?? authority)
    case CURLE_COULDNT_RESOLVE_PROXY: return .cannotConnect(ProxyFailure.name(unresolved: detail))
    case CURLE_COULDNT_CONNECT:
      if String(cString: self.detail).hasPrefix("Unsupported proxy") {
        return .cannotConnect("the proxy on the way to \(authority): it is of an unknown kind")
      }
      let proxy = ProxyFailure.name(unreachable: detail, for: authority)
      return .cannotConnect(proxy.map { "the proxy \($0) on the way to \(authority)" } ?? authority)
    case CURLE_PROXY:
      return .other("\(ProxyFailure.name(peer)) refused to connect to \(authority): \(detail)")
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_USE_SSL_FAILED,
      CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED:
      // Until a proxy has answered, TLS is with the proxy.
      let isWithProxy = answerOfProxy == 0 && proxyURL?.lowercased().hasPrefix("https:") == true
      let place = isWithProxy ? "\(ProxyFailure.name(peer)) on the way to \(authority)" : authority
      return .tls("\(place): \(detail)")
    case CURLE_RECV_ERROR where detail.contains("CONNECT"):
      return .brokenOff("\(ProxyFailure.name(peer)) on the way to \(authority): \(detail)")
    case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
      return .brokenOff("\(authority): \(detail)")
    case CURLE_URL_MALFORMAT: return .other("the URL is malformed")
    case CURLE_LOGIN_DENIED: return .other("a URL with a user name is not sent")
    default: return .other("\(authority): \(detail)")
    }
  }

  /// Returns the error for a time that is up: a name server or a proxy that does not answer is like one that refuses.
  private func timeout(answerOfProxy: Int) -> TransportError {
    switch TimeoutStage(
      hasBegunLookup: lookups.pointee != 0, lookup: microseconds(CURLINFO_NAMELOOKUP_TIME_T),
      connection: microseconds(CURLINFO_CONNECT_TIME_T))
    {
    case .resolving:
      if let proxyHost { return .cannotConnect(ProxyFailure.unresolved(proxyHost)) }
      return .cannotResolve(urlParts?.shownHost ?? authority)
    case .connecting where answerOfProxy == 0:
      // A connection to another port than the host's is one to the proxy.
      let isWithProxy = peer.map { proxyURL != nil && !$0.hasSuffix(":\(urlParts?.port ?? 0)") } ?? (proxyHost != nil)
      guard isWithProxy else { return .timeout }
      let proxy = ProxyFailure.name(peer ?? proxyHost)
      return .cannotConnect("\(proxy) on the way to \(authority): \(TransportError.timeout)")
    case .connecting, .waiting: return .timeout
    }
  }

  /// The host of the proxy that everything goes through; nil if there is none, or if `no_proxy` may name exceptions.
  private var proxyHost: String? {
    let hasExceptions = ["no_proxy", "NO_PROXY"].contains { CurlLibrary.environment($0)?.isEmpty == false }
    guard let proxyURL, !hasExceptions else { return nil }
    return (try? URLParts(proxyURL.contains("://") ? proxyURL : "http://\(proxyURL)"))?.shownHost
  }
}

/// How far a transfer had got when its time was up.
enum TimeoutStage: Hashable, Sendable {
  case resolving
  /// No connection that could carry the request: to the host, to a proxy or through it.
  case connecting
  /// A connection was there, or the transfer was waiting for that of another one.
  case waiting

  /// - Parameters:
  ///   - hasBegunLookup: Whether the name was searched for, which tells a search without an end from a wait for the
  ///     connection of another transfer.
  ///   - lookup: How long the search for the name took, in microseconds; 0 if it did not end.
  ///   - connection: The same for the connection.
  init(hasBegunLookup: Bool, lookup: Int64, connection: Int64) {
    if lookup == 0 {
      self = hasBegunLookup ? .resolving : .waiting
    } else {
      self = connection == 0 ? .connecting : .waiting
    }
  }
}

extension HTTPHeader {
  /// Whether the field can be sent: its name is a token (RFC 9110 §5.6.2), and its value contains no line breaks or
  /// NULs.
  var isWellFormed: Bool { name.isToken && !value.utf8.contains { $0 == 0 || $0 == 10 || $0 == 13 } }
}
