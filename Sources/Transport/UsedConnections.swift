import CCurl

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The HTTP/1.1 connections over which requests have been answered, so that none goes out over one on which something
/// has already arrived: it would be taken for the request's own answer. Servers and proxies do send such things, such
/// as a second copy of an answer, or a 408 before they close an idle connection. Confined to the loop's thread.
///
/// HTTP/2 has numbers for that: there, an answer belongs to one request, and other frames may arrive at any time.
final class UsedConnections {
  /// Both ends of a connection, which no two open ones have in common.
  private struct Ends: Hashable {
    var local: String
    var localPort: Int
    var remote: String
    var remotePort: Int
  }

  private let curl: CurlFunctions
  /// By the numbers of their sockets. An entry outlives its connection until the number or the ends are used again.
  private var ends: [curl_socket_t: Ends] = [:]

  init(_ curl: CurlFunctions) { self.curl = curl }

  /// Notes the connection of a transfer that has ended.
  func note(_ easy: UnsafeMutableRawPointer) {
    var socket: curl_socket_t = -1
    guard market_curl_get_socket(curl, easy, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK, socket >= 0 else { return }
    ends[socket] = isNumbered(easy) ? nil : ends(of: easy)
  }

  /// Whether something has arrived on the used connection over which a request is about to be sent.
  func hasUnreadBytes(_ easy: UnsafeMutableRawPointer) -> Bool {
    let wanted = ends(of: easy)
    guard let socket = ends.first(where: { $0.value == wanted })?.key else { return false }
    guard !isNew(easy) else {
      ends[socket] = nil
      return false
    }
    var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, 0) > 0
  }

  /// Whether the answer of a transfer may have been sent before its request.
  func mayHaveAnsweredEarly(_ easy: UnsafeMutableRawPointer) -> Bool { !isNew(easy) && !isNumbered(easy) }

  /// Whether answers say which request they belong to.
  private func isNumbered(_ easy: UnsafeMutableRawPointer) -> Bool {
    let version = number(CURLINFO_HTTP_VERSION, of: easy)
    return version != Int(CURL_HTTP_VERSION_1_1) && version != Int(CURL_HTTP_VERSION_1_0)
  }

  /// Whether the transfer has opened a connection, rather than taken a used one.
  private func isNew(_ easy: UnsafeMutableRawPointer) -> Bool { number(CURLINFO_NUM_CONNECTS, of: easy) > 0 }

  private func ends(of easy: UnsafeMutableRawPointer) -> Ends {
    Ends(
      local: text(CURLINFO_LOCAL_IP, of: easy), localPort: number(CURLINFO_LOCAL_PORT, of: easy),
      remote: text(CURLINFO_PRIMARY_IP, of: easy), remotePort: number(CURLINFO_PRIMARY_PORT, of: easy))
  }

  private func number(_ info: CURLINFO, of easy: UnsafeMutableRawPointer) -> Int {
    var number = 0
    return market_curl_get_long(curl, easy, info, &number) == CURLE_OK ? number : 0
  }

  private func text(_ info: CURLINFO, of easy: UnsafeMutableRawPointer) -> String {
    var text: UnsafeMutablePointer<CChar>?
    guard market_curl_get_text(curl, easy, info, &text) == CURLE_OK, let text else { return "" }
    return String(cString: text)
  }
}
