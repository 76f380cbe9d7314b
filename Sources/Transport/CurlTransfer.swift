import CCurl
import HTTP
import Quotes

/// One sending of one request: a libcurl easy handle, and the answer as it grows. Lives on the loop's thread.
final class CurlTransfer {
  private let curl: CurlFunctions
  let easy: UnsafeMutableRawPointer
  var waiter: CheckedContinuation<Result<HTTPResponse, TransportError>, Never>?

  private let request: HTTPRequest
  private let url: String
  private let maximumBytes: Int
  private var headerList: UnsafeMutablePointer<curl_slist>?
  /// Where libcurl writes the details of a failure; NUL-terminated.
  private let detail: UnsafeMutablePointer<CChar>
  private var headers: [HTTPHeader] = []
  private var isHeadWhole = false
  private var body: [UInt8] = []
  private var isTooLarge = false
  private var isTrustingDirectory = false
  /// When the time of this sending is up, on the machine's steady clock.
  private let end: Int64

  /// `usingBundle`: whether the folder of certificate authorities has already been found wanting.
  init(
    _ request: HTTPRequest, timeout: Int64, curl: CurlFunctions, settings: CurlSettings, usingBundle: Bool
  ) throws(TransportError) {
    guard let easy = curl.easy_init() else { throw .other("libcurl has no room for the request") }
    self.curl = curl
    self.easy = easy
    self.request = request
    url = request.urls.first ?? ""
    maximumBytes = settings.maximumBytes
    end = TransportClock.system.now().addingReportingOverflow(timeout).partialValue
    detail = .allocate(capacity: Int(CURL_ERROR_SIZE))
    detail.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    configure(settings, timeout: timeout, usingBundle: usingBundle)
    try configureMessage()
  }

  deinit {
    curl.easy_cleanup(easy)
    curl.slist_free_all(headerList)
    detail.deallocate()
  }

  /// Answers the caller, once.
  func end(with result: Result<HTTPResponse, TransportError>) {
    waiter?.resume(returning: result)
    waiter = nil
  }

  // MARK: - Setting up

  private func configure(_ settings: CurlSettings, timeout: Int64, usingBundle: Bool) {
    let me = Unmanaged.passUnretained(self).toOpaque()
    set(CURLOPT_NOSIGNAL, 1)
    market_curl_set_pointer(curl, easy, CURLOPT_ERRORBUFFER, detail)
    market_curl_set_quick_exit(curl, easy)
    market_curl_allow_only_http(curl, easy)
    // Redirects are followed by hand, under rules of our own; user names in URLs would become credentials.
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    set(CURLOPT_PATH_AS_IS, 1)
    set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    set(CURLOPT_TCP_KEEPALIVE, 1)
    set(CURLOPT_TIMEOUT_MS, Self.milliseconds(timeout))
    set(CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(min(timeout, settings.connectTimeout)))
    market_curl_set_offset(curl, easy, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(maximumBytes))
    // Empty: every encoding that this libcurl can undo.
    market_curl_set_text(curl, easy, CURLOPT_ACCEPT_ENCODING, "")
    market_curl_set_text(curl, easy, CURLOPT_USERAGENT, settings.userAgent)
    if !settings.usesProxies { market_curl_set_text(curl, easy, CURLOPT_PROXY, "") }
    // Large answers are handed over in fewer pieces than libcurl's own of 16 KB, each of which costs a turn of the loop.
    set(CURLOPT_BUFFERSIZE, 64 << 10)
    if url.isSecure { configureAuthorities(CurlLibrary.authorities, usingBundle: usingBundle) }
    market_curl_set_sink(curl, easy, CURLOPT_HEADERFUNCTION, takeHeaderLine)
    market_curl_set_pointer(curl, easy, CURLOPT_HEADERDATA, me)
    market_curl_set_sink(curl, easy, CURLOPT_WRITEFUNCTION, takeBodyPart)
    market_curl_set_pointer(curl, easy, CURLOPT_WRITEDATA, me)
  }

  private func configureAuthorities(_ authorities: CertificateAuthorities, usingBundle: Bool) {
    isTrustingDirectory = authorities.directory != nil && !usingBundle
    if isTrustingDirectory {
      market_curl_set_text(curl, easy, CURLOPT_CAPATH, authorities.directory)
      market_curl_set_text(curl, easy, CURLOPT_CAINFO, nil)
    } else if let file = authorities.file {
      // A bundle alone is read once for all connections (the cache of libcurl 7.87 and later).
      market_curl_set_text(curl, easy, CURLOPT_CAPATH, nil)
      market_curl_set_text(curl, easy, CURLOPT_CAINFO, file)
    }
  }

  /// Prepares the same sending once more, with the whole bundle, after a failure for want of an authority: a system's
  /// bundle may hold more than its folder. False for any other failure, and when the time is up.
  func fallsBackToBundle(after code: CURLcode) -> Bool {
    var verdict = 0
    guard isTrustingDirectory, code == CURLE_PEER_FAILED_VERIFICATION,
      market_curl_get_long(curl, easy, CURLINFO_SSL_VERIFYRESULT, &verdict) == CURLE_OK, verdict != 0
    else { return false }
    let rest = end - TransportClock.system.now()
    guard rest > 0 else { return false }
    set(CURLOPT_TIMEOUT_MS, Self.milliseconds(rest))
    configureAuthorities(CurlLibrary.authorities, usingBundle: true)
    return true
  }

  private func configureMessage() throws(TransportError) {
    guard !url.utf8.contains(0) else { throw .other("the URL is malformed") }
    guard Self.isToken(request.method) else { throw .other("invalid method '\(request.method)'") }
    market_curl_set_text(curl, easy, CURLOPT_URL, url)
    // What goes out in clear goes to this machine alone: not even to a proxy.
    if request.isCredentialed, !url.isSecure { market_curl_set_text(curl, easy, CURLOPT_PROXY, "") }
    // Over TLS one connection carries all requests to a host (HTTP/2): rather wait for it than open another.
    if url.isSecure { set(CURLOPT_PIPEWAIT, 1) }
    // Methods that are made for a body say that theirs is empty, rather than nothing (RFC 9110 §8.6).
    let body = request.body ?? (["POST", "PUT", "PATCH"].contains(request.method) ? [] : nil)
    if let body { market_curl_set_body(curl, easy, body, curl_off_t(body.count)) }
    switch request.method {
    case "GET" where body == nil: break
    case "HEAD": set(CURLOPT_NOBODY, 1)
    default: market_curl_set_text(curl, easy, CURLOPT_CUSTOMREQUEST, request.method)
    }
    for header in request.headers {
      guard Self.isToken(header.name), !header.value.utf8.contains(where: { $0 == 0 || $0 == 10 || $0 == 13 }) else {
        throw .other("invalid header '\(header.name)'")
      }
      // libcurl takes a name with a colon and nothing behind it as "do not send"; the semicolon says "send it empty".
      append(header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
    }
    if body != nil {
      // Neither a wait for "100 Continue" nor a claim that the body is a form.
      append("Expect:")
      if request.headers.first(named: "Content-Type") == nil { append("Content-Type:") }
    }
    market_curl_set_pointer(curl, easy, CURLOPT_HTTPHEADER, headerList)
  }

  private func set(_ option: CURLoption, _ value: Int) {
    market_curl_set_long(curl, easy, option, value)
  }

  private func append(_ line: String) {
    if let longer = curl.slist_append(headerList, line) { headerList = longer }
  }

  /// libcurl takes 0 as "no limit", so there is always at least 1.
  private static func milliseconds(_ nanoseconds: Int64) -> Int {
    Int(clamping: max(1, min(nanoseconds / 1_000_000, Int64(Int32.max))))
  }

  /// RFC 9110 §5.6.2.
  private static func isToken(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  // MARK: - Receiving

  /// One line of the head of an answer. An informational answer (1xx) has a head of its own, so each status line
  /// begins anew; lines of a trailer are kept like the others.
  fileprivate func take(headerLine bytes: UnsafeBufferPointer<UInt8>) {
    let line = String(decoding: bytes, as: UTF8.self).trimmingEnd()
    if line.hasPrefix("HTTP/") {
      headers = []
      isHeadWhole = false
    } else if line.isEmpty {
      isHeadWhole = true
    } else if let colon = line.firstIndex(of: ":") {
      headers.append(
        HTTPHeader(
          name: String(line[..<colon]),
          value: String(line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" })))
    }
  }

  /// A part of the body, decoded; false to break the transfer off.
  fileprivate func take(bodyPart bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    if bytes.count > maximumBytes - body.count {
      isTooLarge = true
      return false
    }
    if body.isEmpty {
      var length: curl_off_t = 0
      market_curl_get_offset(curl, easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length)
      // What the exchange says of the length is worth some room in advance, but not all that it may claim.
      body.reserveCapacity(min(max(Int(length), bytes.count), maximumBytes, 8 << 20))
    }
    body.append(contentsOf: bytes)
    return true
  }

  // MARK: - The end

  /// What the transfer came to. To be asked while the handle still stands.
  func result(_ code: CURLcode) -> Result<HTTPResponse, TransportError> {
    guard code == CURLE_OK else { return .failure(error(code)) }
    // libcurl takes a connection that ends inside the head for an answer without a body.
    guard isHeadWhole else { return .failure(.brokenOff("\(authority): the head of the answer is not whole")) }
    var status = 0
    market_curl_get_long(curl, easy, CURLINFO_RESPONSE_CODE, &status)
    var target: UnsafeMutablePointer<CChar>?
    market_curl_get_text(curl, easy, CURLINFO_REDIRECT_URL, &target)
    return .success(
      HTTPResponse(
        status: status, headers: headers, body: body, arrival: Instant(nanoseconds: TransportClock.system.wall()),
        url: url, redirectTarget: target.map { String(cString: $0) }))
  }

  /// What libcurl wrote of this very failure, else what it says of the code.
  private func detail(of code: CURLcode) -> String {
    let words = String(cString: detail)
    // Of a proxy's address libcurl quotes the password, too.
    let text = words.isEmpty || words.contains("@") ? curl.easy_strerror(code).map { String(cString: $0) } : words
    return text ?? "libcurl's error \(code.rawValue)"
  }

  private var urlParts: URLParts? { try? URLParts(url) }

  /// `host:port`, for messages.
  private var authority: String { urlParts?.authority ?? "the host" }

  private func error(_ code: CURLcode) -> TransportError {
    if isTooLarge { return .tooLarge(limit: maximumBytes) }
    let detail = detail(of: code)
    var answerOfProxy = 0
    if code != CURLE_OPERATION_TIMEDOUT,
      market_curl_get_long(curl, easy, CURLINFO_HTTP_CONNECTCODE, &answerOfProxy) == CURLE_OK, answerOfProxy >= 300
    {
      return .other(ProxyFailure.refusal(status: answerOfProxy, of: authority))
    }
    switch code {
    case CURLE_OPERATION_TIMEDOUT: return .timeout
    case CURLE_COULDNT_RESOLVE_HOST: return .cannotResolve(urlParts?.host ?? authority)
    case CURLE_COULDNT_RESOLVE_PROXY: return .cannotConnect(ProxyFailure.name(unresolved: detail))
    case CURLE_COULDNT_CONNECT:
      let proxy = ProxyFailure.name(unreachable: detail, for: authority)
      return .cannotConnect(proxy.map { "the proxy \($0) on the way to \(authority)" } ?? authority)
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_USE_SSL_FAILED,
      CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED:
      return .tls("\(authority): \(detail)")
    case CURLE_FILESIZE_EXCEEDED: return .tooLarge(limit: maximumBytes)
    // What is taken is never refused but for its length, so only the decoder can have failed to hand something on.
    case CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR: return .badEncoding
    // 100 is CURLE_TOO_LARGE, which came with libcurl 8.6.
    case _ where code.rawValue == 100 || (code == CURLE_OUT_OF_MEMORY && !isHeadWhole):
      return .other("\(authority): the head of the answer is too long")
    case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
      return .brokenOff("\(authority): \(detail)")
    case CURLE_URL_MALFORMAT: return .other("the URL is malformed")
    case CURLE_LOGIN_DENIED: return .other("a URL with a user name is not sent")
    default: return .other("\(authority): \(detail)")
    }
  }
}

private func takeHeaderLine(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ transfer: UnsafeMutableRawPointer?
) -> Int {
  guard let bytes, let transfer else { return 0 }
  bytes.withMemoryRebound(to: UInt8.self, capacity: size * count) {
    Unmanaged<CurlTransfer>.fromOpaque(transfer).takeUnretainedValue()
      .take(headerLine: UnsafeBufferPointer(start: $0, count: size * count))
  }
  return size * count
}

private func takeBodyPart(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ transfer: UnsafeMutableRawPointer?
) -> Int {
  guard let bytes, let transfer else { return 0 }
  let isTaken = bytes.withMemoryRebound(to: UInt8.self, capacity: size * count) {
    Unmanaged<CurlTransfer>.fromOpaque(transfer).takeUnretainedValue()
      .take(bodyPart: UnsafeBufferPointer(start: $0, count: size * count))
  }
  // Any other number than the one that was offered ends the transfer.
  return isTaken ? size * count : 0
}

extension String {
  /// Whether the URL asks for TLS: only then is it worth finding out whom to trust.
  fileprivate var isSecure: Bool { lowercased().hasPrefix("https:") }

  /// Without the blanks and line ends at its end.
  fileprivate func trimmingEnd() -> String {
    var rest = self[...]
    while let last = rest.last, last == "\r" || last == "\n" || last == "\r\n" || last == " " || last == "\t" {
      rest.removeLast()
    }
    return String(rest)
  }
}

/// What libcurl says of a proxy that fails. Proxies come from the environment, where libcurl alone reads them, so its
/// words are the one place that names them; an unknown wording names none.
enum ProxyFailure {
  /// The proxy in `Could not resolve proxy: proxy.example`.
  static func name(unresolved detail: String) -> String {
    let name = words(of: detail, behind: ["resolve", "proxy:"])?.first
    return "the proxy" + (name.map { " \(trimmed($0))" } ?? "") + ": its name has no address"
  }

  /// The proxy in `Failed to connect to proxy.example port 3128 after 0 ms`, or, from libcurl 8.1 on, `Failed to connect
  /// to host port 443 via proxy.example after 0 ms`; nil where the host that was asked could not be reached itself.
  static func name(unreachable detail: String, for authority: String) -> String? {
    if let words = words(of: detail, behind: ["via"]) ?? words(of: detail, behind: ["over"]), let name = words.first {
      return trimmed(name)
    }
    guard let words = words(of: detail, behind: ["connect", "to"]), words.count >= 3, words[1] == "port" else {
      return nil
    }
    let host = words[0].contains(":") && !words[0].hasPrefix("[") ? "[\(words[0])]" : String(words[0])
    let address = "\(host.lowercased()):\(words[2])"
    return address == authority ? nil : address
  }

  /// A proxy answered `CONNECT` with a failure.
  static func refusal(status: Int, of authority: String) -> String {
    let wish = status == 407 ? ": it wants a name and a password, as in https_proxy=http://name:password@host" : ""
    return "the proxy does not lead to \(authority): HTTP \(status)\(wish)"
  }

  private static func words(of detail: String, behind key: [String]) -> [Substring]? {
    let words = detail.split(separator: " ")
    guard words.count > key.count,
      let start = (0..<words.count - key.count).first(where: { words[$0...].starts(with: key.map { $0[...] }) })
    else { return nil }
    return Array(words[(start + key.count)...])
  }

  /// Without a full stop or comma at its end.
  private static func trimmed(_ word: Substring) -> String {
    String(word.reversed().drop { $0 == "." || $0 == "," || $0 == ";" }.reversed())
  }
}
