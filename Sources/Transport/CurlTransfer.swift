import CCurl
import HTTP
import Quotes

/// One sending of one request: a libcurl easy handle, and the answer as it grows. Lives on the loop's thread.
final class CurlTransfer {
  private let handle: CurlHandle
  private let curl: CurlFunctions
  let easy: UnsafeMutableRawPointer
  var waiter: CheckedContinuation<Result<HTTPResponse, TransportError>, Never>?

  private let request: HTTPRequest
  private let url: String
  private let maximumBytes: Int
  private var headers: [HTTPHeader] = []
  private var isHeadWhole = false
  private var body: [UInt8] = []
  private var isTooLarge = false
  /// When the time of this sending is up, on the machine's steady clock.
  private let end: Int64

  /// `usingBundle`: whether the folder of certificate authorities has already been found wanting.
  init(
    _ request: HTTPRequest, timeout: Int64, curl: CurlFunctions, settings: CurlSettings, usingBundle: Bool
  ) throws(TransportError) {
    url = request.urls.first ?? ""
    handle = try CurlHandle(url, curl: curl, settings: settings, usingBundle: usingBundle)
    self.curl = curl
    easy = handle.easy
    self.request = request
    maximumBytes = settings.maximumBytes
    end = TransportClock.system.now().addingReportingOverflow(timeout).partialValue
    configure(settings, timeout: timeout)
    try configureMessage()
  }

  /// Answers the caller, once.
  func end(with result: Result<HTTPResponse, TransportError>) {
    waiter?.resume(returning: result)
    waiter = nil
  }

  // MARK: - Setting up

  private func configure(_ settings: CurlSettings, timeout: Int64) {
    let me = Unmanaged.passUnretained(self).toOpaque()
    handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    handle.set(CURLOPT_TIMEOUT_MS, CurlHandle.milliseconds(timeout))
    handle.set(CURLOPT_CONNECTTIMEOUT_MS, CurlHandle.milliseconds(min(timeout, settings.connectTimeout)))
    market_curl_set_offset(curl, easy, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(maximumBytes))
    // Empty: every encoding that this libcurl can undo.
    handle.set(CURLOPT_ACCEPT_ENCODING, "")
    handle.set(CURLOPT_USERAGENT, settings.userAgent)
    // Large answers are handed over in fewer pieces than libcurl's own of 16 KB, each of which costs a turn of the
    // loop.
    handle.set(CURLOPT_BUFFERSIZE, 64 << 10)
    market_curl_set_sink(curl, easy, CURLOPT_HEADERFUNCTION, takeHeaderLine)
    market_curl_set_pointer(curl, easy, CURLOPT_HEADERDATA, me)
    market_curl_set_sink(curl, easy, CURLOPT_WRITEFUNCTION, takeBodyPart)
    market_curl_set_pointer(curl, easy, CURLOPT_WRITEDATA, me)
  }

  /// Prepares the same sending once more, with the whole bundle of authorities, after a failure for want of one. False
  /// for any other failure, and when the time is up.
  func fallsBackToBundle(after code: CURLcode) -> Bool {
    let rest = end - TransportClock.system.now()
    guard rest > 0, handle.fallsBackToBundle(after: code) else { return false }
    handle.set(CURLOPT_TIMEOUT_MS, CurlHandle.milliseconds(rest))
    return true
  }

  private func configureMessage() throws(TransportError) {
    guard request.method.isToken else { throw .other("invalid method '\(request.method)'") }
    // What goes out in clear goes to this machine alone: not even to a proxy.
    if request.isCredentialed, !handle.isSecure { handle.set(CURLOPT_PROXY, "") }
    // Over TLS one connection carries all requests to a host (HTTP/2): rather wait for it than open another.
    if handle.isSecure { handle.set(CURLOPT_PIPEWAIT, 1) }
    // Methods that are made for a body say that theirs is empty, rather than nothing (RFC 9110 §8.6).
    let body = request.body ?? (["POST", "PUT", "PATCH"].contains(request.method) ? [] : nil)
    if let body { market_curl_set_body(curl, easy, body, curl_off_t(body.count)) }
    switch request.method {
    case "GET" where body == nil: break
    case "HEAD": handle.set(CURLOPT_NOBODY, 1)
    default: handle.set(CURLOPT_CUSTOMREQUEST, request.method)
    }
    for header in request.headers {
      guard header.isWellFormed else { throw .other("invalid header '\(header.name)'") }
      // libcurl takes a name with a colon and nothing behind it as "do not send"; the semicolon says "send it empty".
      handle.append(headerLine: header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
    }
    if body != nil {
      // Neither a wait for "100 Continue" nor a claim that the body is a form.
      handle.append(headerLine: "Expect:")
      if request.headers.first(named: "Content-Type") == nil { handle.append(headerLine: "Content-Type:") }
    }
    handle.sendHeaders()
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
    guard isHeadWhole else { return .failure(.brokenOff("\(handle.authority): the head of the answer is not whole")) }
    var status = 0
    market_curl_get_long(curl, easy, CURLINFO_RESPONSE_CODE, &status)
    var target: UnsafeMutablePointer<CChar>?
    market_curl_get_text(curl, easy, CURLINFO_REDIRECT_URL, &target)
    return .success(
      HTTPResponse(
        status: status, headers: headers, body: body, arrival: Instant(nanoseconds: TransportClock.system.wall()),
        url: url, redirectTarget: target.map { String(cString: $0) }))
  }

  private func error(_ code: CURLcode) -> TransportError {
    if isTooLarge { return .tooLarge(limit: maximumBytes) }
    switch code {
    case CURLE_FILESIZE_EXCEEDED: return .tooLarge(limit: maximumBytes)
    // What is taken is never refused but for its length, so only the decoder can have failed to hand something on.
    case CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR: return .badEncoding
    // 100 is CURLE_TOO_LARGE, which came with libcurl 8.6.
    case _ where code.rawValue == 100 || (code == CURLE_OUT_OF_MEMORY && !isHeadWhole):
      return .other("\(handle.authority): the head of the answer is too long")
    default: return handle.error(code)
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
  /// Without the blanks and line ends at its end.
  fileprivate func trimmingEnd() -> String {
    var rest = self[...]
    while let last = rest.last, last == "\r" || last == "\n" || last == "\r\n" || last == " " || last == "\t" {
      rest.removeLast()
    }
    return String(rest)
  }
}
