import CCurl
import HTTP
import Quotes

/// One attempt at one request: a libcurl easy handle and the response received so far. Confined to the loop's thread.
final class CurlTransfer {
  private let handle: CurlHandle
  private let curl: CurlFunctions
  let easy: UnsafeMutableRawPointer
  var waiter: CheckedContinuation<Result<HTTPResponse, TransportError>, Never>?

  private let request: HTTPRequest
  private let url: String
  private let connections: UsedConnections
  private let floodGuard: FloodGuard
  private let maximumBytes: Int
  private var headers: [HTTPHeader] = []
  private var isHeadWhole = false
  /// Whether another head follows (1xx).
  private var isInformational = false
  /// The bytes of all heads and trailers.
  private var headLength = 0
  private var body: [UInt8] = []
  private var isTooLarge = false
  /// Whether something had already arrived on the connection over which the request was to be sent.
  private var isPreceded = false
  /// When this attempt times out, on the machine's monotonic clock.
  private let end: Int64
  private let start = TransportClock.system.now()

  init(_ request: HTTPRequest, timeout: Int64, multi: CurlMulti) throws(TransportError) {
    url = request.urls.first ?? ""
    handle = try CurlHandle(url, curl: multi.curl, settings: multi.settings, usingBundle: multi.isUsingBundle)
    curl = multi.curl
    connections = multi.connections
    floodGuard = multi.floodGuard
    easy = handle.easy
    self.request = request
    maximumBytes = multi.settings.maximumBytes
    end = start.addingReportingOverflow(timeout).partialValue
    configure(multi.settings, timeout: timeout)
    try configureMessage()
  }

  /// Resumes the caller, once.
  func end(with result: Result<HTTPResponse, TransportError>) {
    if waiter != nil, handle.hasSent { request.meter?.noteReach() }
    waiter?.resume(returning: result)
    waiter = nil
  }

  // MARK: - Configuration

  private func configure(_ settings: CurlSettings, timeout: Int64) {
    let me = Unmanaged.passUnretained(self).toOpaque()
    handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    // If a connection that is used again turns out to be closed, libcurl sends the request a second time by itself.
    if request.repetition == .never {
      handle.set(CURLOPT_FRESH_CONNECT, 1)
      handle.set(CURLOPT_FORBID_REUSE, 1)
    }
    handle.set(CURLOPT_TIMEOUT_MS, CurlHandle.milliseconds(timeout))
    handle.set(CURLOPT_CONNECTTIMEOUT_MS, CurlHandle.milliseconds(min(timeout, settings.connectTimeout)))
    market_curl_set_offset(curl, easy, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(maximumBytes))
    // Empty: all encodings that this libcurl supports.
    handle.set(CURLOPT_ACCEPT_ENCODING, "")
    handle.set(CURLOPT_USERAGENT, settings.userAgent)
    // Larger than libcurl's default of 16 KB, so that large bodies arrive in fewer pieces, each of which costs an
    // iteration of the loop.
    handle.set(CURLOPT_BUFFERSIZE, 64 << 10)
    market_curl_set_sink(curl, easy, CURLOPT_HEADERFUNCTION, takeHeaderLine)
    market_curl_set_pointer(curl, easy, CURLOPT_HEADERDATA, me)
    market_curl_set_sink(curl, easy, CURLOPT_WRITEFUNCTION, takeBodyPart)
    market_curl_set_pointer(curl, easy, CURLOPT_WRITEDATA, me)
    market_curl_set_check(curl, easy, maySend, me)
    // A connection outlives its transfer, but not the guard.
    market_curl_set_socket_functions(
      curl, easy, takeSocket, me, closeSocket, Unmanaged.passUnretained(floodGuard).toOpaque())
  }

  /// Prepares another attempt with the whole bundle of authorities after a failure due to an unknown one. Returns false
  /// for any other failure, and after the timeout.
  func fallsBackToBundle(after code: CURLcode) -> Bool {
    hasTimeLeft { handle.fallsBackToBundle(after: code) }
  }

  /// Prepares sending over a new connection what was not sent over a used one. Returns false if it was sent, and after
  /// the timeout.
  func fallsBackToNewConnection(after code: CURLcode) -> Bool {
    hasTimeLeft {
      guard code == CURLE_ABORTED_BY_CALLBACK, isPreceded else { return false }
      isPreceded = false
      handle.startOver()
      handle.set(CURLOPT_FRESH_CONNECT, 1)
      return true
    }
  }

  /// Limits another attempt to the time that is left, if there is any and the attempt can be prepared.
  private func hasTimeLeft(for preparation: () -> Bool) -> Bool {
    let rest = end - TransportClock.system.now()
    guard rest > 0, preparation() else { return false }
    handle.set(CURLOPT_TIMEOUT_MS, CurlHandle.milliseconds(rest))
    return true
  }

  private func configureMessage() throws(TransportError) {
    guard request.method.isToken else { throw .other("invalid method '\(request.method)'") }
    // Cleartext with credentials only goes to this machine, so never through a proxy.
    if request.isCredentialed, !handle.isSecure { handle.set(CURLOPT_PROXY, "") }
    // Over TLS, one connection carries all requests to a host (HTTP/2), so wait for it instead of opening another.
    if handle.isSecure { handle.set(CURLOPT_PIPEWAIT, 1) }
    // Methods that expect a body announce an empty one instead of none (RFC 9110 §8.6).
    let body = request.body ?? (["POST", "PUT", "PATCH"].contains(request.method) ? [] : nil)
    if let body { market_curl_set_body(curl, easy, body, curl_off_t(body.count)) }
    switch request.method {
    case "GET" where body == nil: break
    case "HEAD": handle.set(CURLOPT_NOBODY, 1)
    default: handle.set(CURLOPT_CUSTOMREQUEST, request.method)
    }
    for header in request.headers {
      guard header.isWellFormed else { throw .other("invalid header '\(header.name)'") }
      // libcurl takes "Name:" as "do not send"; "Name;" sends an empty value.
      handle.append(headerLine: header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
    }
    if body != nil {
      // Neither wait for "100 Continue" nor declare the body to be a form.
      handle.append(headerLine: "Expect:")
      if request.headers.first(named: "Content-Type") == nil { handle.append(headerLine: "Content-Type:") }
    }
    handle.sendHeaders()
  }

  // MARK: - Sending

  /// Whether the request can go out over the connection chosen for it.
  fileprivate func isConnectionClean() -> Bool {
    isPreceded = connections.hasUnreadBytes(easy)
    return !isPreceded
  }

  fileprivate func take(_ socket: curl_socket_t) { floodGuard.add(socket, of: handle.authority) }

  // MARK: - Receiving

  /// The most bytes of heads and trailers. libcurl has a limit too, but not for trailers.
  private static let maximumHeadLength = 256 << 10

  /// Takes one line of a response's head; returns false to abort the transfer. An informational response (1xx) has its
  /// own head, so the next status line starts over. Trailers, which come after the body, are ignored.
  fileprivate func take(headerLine bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    headLength += bytes.count
    guard headLength <= Self.maximumHeadLength else { return false }
    if isHeadWhole && !isInformational { return true }
    let length = bytes.lastIndex { !" \t\r\n".utf8.contains($0) }.map { $0 + 1 } ?? 0
    let line = String(decoding: bytes[..<length], as: UTF8.self)
    if line.hasPrefix("HTTP/") {
      headers = []
      isHeadWhole = false
      isInformational = line.drop { $0 != " " }.hasPrefix(" 1")
    } else if line.isEmpty {
      isHeadWhole = true
    } else if let header = HTTPHeader(line: line[...]) {
      headers.append(header)
    }
    return true
  }

  /// Takes a decoded part of the body; returns false to abort the transfer.
  fileprivate func take(bodyPart bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    if bytes.count > maximumBytes - body.count {
      isTooLarge = true
      return false
    }
    if body.isEmpty {
      var length: curl_off_t = 0
      market_curl_get_offset(curl, easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length)
      // Reserve according to the announced length, but never all that it may claim.
      body.reserveCapacity(min(max(Int(length), bytes.count), maximumBytes, 8 << 20))
    }
    body.append(contentsOf: bytes)
    floodGuard.noteProgress()
    return true
  }

  // MARK: - Result

  /// Returns the result of the transfer. Must be called while the handle is alive.
  func result(_ code: CURLcode) -> Result<HTTPResponse, TransportError> {
    guard code == CURLE_OK else { return .failure(error(code)) }
    // libcurl takes a connection that closes inside the head for a response without a body.
    guard isHeadWhole else { return .failure(.brokenOff("\(handle.authority): incomplete response headers")) }
    var status = 0
    market_curl_get_long(curl, easy, CURLINFO_RESPONSE_CODE, &status)
    // Over a used connection it may say that this was idle for too long, before the request (RFC 9110 §15.5.9).
    if status == 408, connections.mayHaveAnsweredEarly(easy) {
      return .failure(.brokenOff("\(handle.authority): the idle connection was ended with HTTP 408"))
    }
    var target: UnsafeMutablePointer<CChar>?
    market_curl_get_text(curl, easy, CURLINFO_REDIRECT_URL, &target)
    return .success(
      HTTPResponse(
        status: status, headers: headers, body: body, arrival: TransportClock.system.wall(),
        url: url, redirectTarget: target.map { String(cString: $0) }))
  }

  private func error(_ code: CURLcode) -> TransportError {
    if isTooLarge { return .tooLarge(limit: maximumBytes) }
    if headLength > Self.maximumHeadLength { return .other("\(handle.authority): response headers too long") }
    if floodGuard.hasEnded(handle.authority, since: start) {
      return .other("\(handle.authority): the server keeps sending data that is not an answer")
    }
    switch code {
    // Only a request without time for another connection is not restarted.
    case CURLE_ABORTED_BY_CALLBACK: return .timeout
    case CURLE_FILESIZE_EXCEEDED: return .tooLarge(limit: maximumBytes)
    // Our callback only refuses data that is too long, so otherwise only the decoder can have failed.
    case CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR: return .badEncoding
    // 100 is CURLE_TOO_LARGE, new in libcurl 8.6.
    case _ where code.rawValue == 100 || (code == CURLE_OUT_OF_MEMORY && !isHeadWhole) || handle.hasEndlessHead:
      return .other("\(handle.authority): response headers too long")
    default: return handle.error(code)
    }
  }
}

private func maySend(
  _ transfer: UnsafeMutableRawPointer?, _ remote: UnsafeMutablePointer<CChar>?, _ local: UnsafeMutablePointer<CChar>?,
  _ remotePort: Int32, _ localPort: Int32
) -> Int32 {
  guard let transfer else { return 1 }
  return Unmanaged<CurlTransfer>.fromOpaque(transfer).takeUnretainedValue().isConnectionClean() ? 0 : 1
}

private func takeSocket(
  _ transfer: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ purpose: curlsocktype
) -> Int32 {
  if let transfer { Unmanaged<CurlTransfer>.fromOpaque(transfer).takeUnretainedValue().take(socket) }
  return Int32(CURL_SOCKOPT_OK)
}

private func closeSocket(_ floodGuard: UnsafeMutableRawPointer?, _ socket: curl_socket_t) -> Int32 {
  guard let floodGuard else { return -1 }
  return Unmanaged<FloodGuard>.fromOpaque(floodGuard).takeUnretainedValue().close(socket)
}

private func takeHeaderLine(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ transfer: UnsafeMutableRawPointer?
) -> Int {
  guard let bytes, let transfer else { return 0 }
  let isTaken = bytes.withMemoryRebound(to: UInt8.self, capacity: size * count) {
    Unmanaged<CurlTransfer>.fromOpaque(transfer).takeUnretainedValue()
      .take(headerLine: UnsafeBufferPointer(start: $0, count: size * count))
  }
  return isTaken ? size * count : 0
}

private func takeBodyPart(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ transfer: UnsafeMutableRawPointer?
) -> Int {
  guard let bytes, let transfer else { return 0 }
  let isTaken = bytes.withMemoryRebound(to: UInt8.self, capacity: size * count) {
    Unmanaged<CurlTransfer>.fromOpaque(transfer).takeUnretainedValue()
      .take(bodyPart: UnsafeBufferPointer(start: $0, count: size * count))
  }
  // Returning any number other than the one offered aborts the transfer.
  return isTaken ? size * count : 0
}
