import CCurl
import HTTP

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// One WebSocket over libcurl: `CURLOPT_CONNECT_ONLY` makes the connection, including proxies and TLS, and transfers
/// its bytes. libcurl's own WebSockets are not available on every system. Confined to the loop's thread.
final class CurlStream {
  /// The maximum bytes read from one stream per loop iteration, so that other streams and requests need not wait.
  static let shareOfTurn = 256 << 10

  let easy: UnsafeMutableRawPointer
  /// The connection's socket, once connected.
  private(set) var socket: curl_socket_t?
  private var session: WebSocketSession
  private let handle: CurlHandle
  private let curl: CurlFunctions
  private let receiver: StreamReceiver
  /// Whether there may be bytes to read: TLS can buffer some that no longer show on the socket.
  private var mayRead = true
  private var mayWrite = true

  init(
    _ request: StreamRequest, receiver: @escaping StreamReceiver, multi: CurlMulti, at now: Int64
  ) throws(TransportError) {
    let address = try StreamAddress(request.url)
    let key = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
    let handshake = try OpeningHandshake(
      to: address, headers: request.headers, subprotocol: request.subprotocol, userAgent: multi.settings.userAgent,
      key: key)
    session = WebSocketSession(handshake, with: address.authority, at: now, limits: multi.settings.streamLimits)
    handle = try CurlHandle(address.url, curl: multi.curl, settings: multi.settings, usingBundle: multi.isUsingBundle)
    curl = multi.curl
    easy = handle.easy
    self.receiver = receiver
    handle.set(CURLOPT_CONNECT_ONLY, 1)
    // Otherwise TLS would negotiate HTTP/2, which lacks this upgrade.
    handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    handle.set(CURLOPT_FRESH_CONNECT, 1)
    // Request a tunnel from a proxy even without TLS.
    handle.set(CURLOPT_HTTPPROXYTUNNEL, 1)
    handle.set(CURLOPT_USERAGENT, multi.settings.userAgent)
    // The session's deadline is decisive; libcurl splits this time among several addresses.
    handle.set(CURLOPT_CONNECTTIMEOUT_MS, CurlHandle.milliseconds(multi.settings.streamLimits.opening))
  }

  var deadline: Int64? { session.deadline }
  var isOver: Bool { session.phase == .over }

  /// Whether there is work that can be done without waiting.
  var hasWork: Bool { socket != nil && !isOver && (mayRead || session.isUnsettled) }

  /// The events to poll the socket for; nil before there is one.
  var wanted: curl_waitfd? {
    guard let socket, !isOver else { return nil }
    let events = Int16(CURL_WAIT_POLLIN) | (session.output.count > 0 ? Int16(CURL_WAIT_POLLOUT) : 0)
    return curl_waitfd(fd: socket, events: events, revents: 0)
  }

  /// Marks the events that the socket is ready for.
  func mark(_ events: Int16) {
    // An error counts as both, and then surfaces when reading.
    if events & ~Int16(CURL_WAIT_POLLOUT) != 0 { mayRead = true }
    if events & Int16(CURL_WAIT_POLLOUT) != 0 { mayWrite = true }
  }

  /// Prepares another attempt with the whole bundle of authorities after a failure due to an unknown one.
  func fallsBackToBundle(after code: CURLcode) -> Bool { handle.fallsBackToBundle(after: code) }

  /// Called when libcurl has connected or failed to.
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

  /// Reads and writes what is possible without waiting, and delivers the events.
  func attend(_ buffer: UnsafeMutableRawBufferPointer, at now: Int64) {
    if let deadline, now >= deadline { session.expire() }
    session.settle(at: now)
    if socket != nil {
      let isWhole = write()
      read(buffer, at: now)
      // What the other side sent before it left, such as the reason, has been read by now.
      if !isWhole || !write() { session.endOfWire() }
    }
    deliver()
  }

  /// Says goodbye as far as that is possible without waiting.
  func abandon(at now: Int64) {
    session.abandon(at: now)
    if socket != nil {
      mayWrite = true
      try? flush()
    }
    deliver()
  }

  /// Shuts down the socket, as removing the handle may not, so that the other side sees the end immediately.
  func hangUp() { if let socket { shutdown(socket, Int32(SHUT_RDWR)) } }

  private func deliver() {
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

  /// Returns false if the connection no longer accepts data.
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
