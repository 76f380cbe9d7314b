import CCurl
import HTTP

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// One WebSocket over libcurl: `CURLOPT_CONNECT_ONLY` makes the connection, proxies and TLS included, and hands over
/// its bytes. libcurl's own WebSockets are not there in every system. Lives on the loop's thread.
final class CurlStream {
  /// Taken from one stream in one turn of the loop, in bytes: the others, and requests, are not to wait for it.
  static let shareOfTurn = 256 << 10

  let easy: UnsafeMutableRawPointer
  /// The connection's socket, once there is one.
  private(set) var socket: curl_socket_t?
  private var session: WebSocketSession
  private let handle: CurlHandle
  private let curl: CurlFunctions
  private let receiver: StreamHandler.Receiver
  /// Whether bytes may be there: TLS can hold some that the socket no longer shows.
  private var mayRead = true
  private var mayWrite = true

  init(
    _ request: StreamRequest, receiver: @escaping StreamHandler.Receiver, multi: CurlMulti, at now: Int64
  ) throws(TransportError) {
    let address = try StreamAddress(request.url)
    let key = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
    let handshake = try OpeningHandshake(
      to: address, headers: request.headers, userAgent: multi.settings.userAgent, key: key)
    session = WebSocketSession(handshake, with: address.authority, at: now, limits: multi.settings.streamLimits)
    handle = try CurlHandle(
      address.url, curl: multi.curl, settings: multi.settings, usingBundle: multi.isUsingBundle)
    curl = multi.curl
    easy = handle.easy
    self.receiver = receiver
    handle.set(CURLOPT_CONNECT_ONLY, 1)
    // Else TLS would agree on HTTP/2, which has no such upgrade.
    handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    handle.set(CURLOPT_FRESH_CONNECT, 1)
    // A proxy is asked for a tunnel, without TLS too.
    handle.set(CURLOPT_HTTPPROXYTUNNEL, 1)
    handle.set(CURLOPT_USERAGENT, multi.settings.userAgent)
    // The session's deadline is the one that counts; libcurl gives each of several addresses a part of this.
    handle.set(CURLOPT_CONNECTTIMEOUT_MS, CurlHandle.milliseconds(multi.settings.streamLimits.opening))
  }

  var deadline: Int64? { session.deadline }
  var isOver: Bool { session.phase == .over }

  /// Whether there is something to be done that nothing has to be waited for.
  var hasWork: Bool { socket != nil && !isOver && (mayRead || session.isUnsettled) }

  /// What the socket is to be watched for; nil before there is one.
  var wanted: curl_waitfd? {
    guard let socket, !isOver else { return nil }
    let events = Int16(CURL_WAIT_POLLIN) | (session.output.count > 0 ? Int16(CURL_WAIT_POLLOUT) : 0)
    return curl_waitfd(fd: socket, events: events, revents: 0)
  }

  /// What the socket is ready for.
  func mark(_ events: Int16) {
    // An error shows as both, and is then met in reading.
    if events & ~Int16(CURL_WAIT_POLLOUT) != 0 { mayRead = true }
    if events & Int16(CURL_WAIT_POLLOUT) != 0 { mayWrite = true }
  }

  /// Prepares the same connection once more, with the whole bundle of authorities, after a failure for want of one.
  func fallsBackToBundle(after code: CURLcode) -> Bool { handle.fallsBackToBundle(after: code) }

  /// libcurl has made the connection, or has failed to.
  func connected(_ code: CURLcode) {
    guard code == CURLE_OK else { return session.endOfWire(handle.error(code)) }
    var socket = curl_socket_t(-1)
    guard market_curl_get_socket(curl, easy, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK, socket >= 0 else {
      return session.endOfWire(.brokenOff("\(handle.authority): no connection"))
    }
    self.socket = socket
  }

  func obey(_ order: StreamOrder.Kind, at now: Int64) {
    switch order {
    case .open: break
    case .send(let bytes, let opcode): session.send(bytes, as: opcode)
    case .ping: session.ping()
    case .close(let code): session.close(code: code, at: now)
    }
  }

  /// Reads and writes what can be without waiting, and tells what has happened.
  func attend(_ buffer: UnsafeMutableRawBufferPointer, at now: Int64) {
    if let deadline, now >= deadline { session.expire() }
    session.settle(at: now)
    if socket != nil {
      let isWhole = write()
      read(buffer, at: now)
      // What the other side said before it went, such as why, has been read by now.
      if !isWhole || !write() { session.endOfWire() }
    }
    tell()
  }

  /// Sends what can be sent of a last word.
  func abandon(at now: Int64) {
    session.abandon(at: now)
    if socket != nil {
      mayWrite = true
      try? flush()
    }
    tell()
  }

  /// Ends the connection where removing the handle does not, so that the other side sees the end at once.
  func hangUp() {
    if let socket { shutdown(socket, Int32(SHUT_RDWR)) }
  }

  private func tell() {
    let signals = session.takeSignals()
    if !signals.isEmpty { receiver(signals) }
  }

  private func read(_ buffer: UnsafeMutableRawBufferPointer, at now: Int64) {
    var left = Self.shareOfTurn
    while mayRead, left > 0, !isOver {
      var count = 0
      let code = curl.easy_recv(easy, buffer.baseAddress, min(buffer.count, left), &count)
      if code == CURLE_AGAIN {
        mayRead = false
      } else if code != CURLE_OK || count == 0 {
        mayRead = false
        session.endOfWire()
      } else {
        left -= count
        session.take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: now)
      }
    }
  }

  /// False where the connection takes nothing any more.
  private func write() -> Bool {
    if !mayWrite || isOver || session.output.count == 0 { return true }
    do throws(TransportError) {
      try flush()
      return true
    } catch {
      mayRead = true
      return false
    }
  }

  private func flush() throws(TransportError) {
    try session.output.flush { bytes throws(TransportError) in
      var count = 0
      switch curl.easy_send(easy, bytes.baseAddress, bytes.count, &count) {
      case CURLE_OK: return count
      case CURLE_AGAIN:
        mayWrite = false
        return nil
      case let code: throw handle.error(code)
      }
    }
  }
}
