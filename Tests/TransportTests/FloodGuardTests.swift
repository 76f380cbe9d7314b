import TestSupport
import Testing

@testable import Transport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct FloodGuardTests {
  /// What the loop does between looks at a connection to which a server sends without end: whether it reads from it, and
  /// stays in one turn; and whether the connection is ended.
  @Test(arguments: [(true, true, true), (true, false, false), (false, true, false)])
  func endsWhatTheLoopCannotLeave(_ reads: Bool, _ staysInTurn: Bool, _ isEnded: Bool) throws {
    let server = try LoopbackServer { _ in [.endless(Array("frame".utf8))] }
    defer { server.stop() }
    let socket = try #require(Sockets.connect(to: server.port))
    let floodGuard = FloodGuard()
    defer { _ = floodGuard.close(socket) }
    floodGuard.add(socket, of: "host:443")
    var request = Array("GET / HTTP/1.1\r\n\r\n".utf8)[...]
    #expect(Sockets.write(&request, to: socket))
    func work() {
      if reads { readSome(of: socket) }
      floodGuard.look()
    }
    if staysInTurn {
      floodGuard.turn(hasTransfers: false) { for _ in 0..<8 { work() } }
    } else {
      for _ in 0..<8 { floodGuard.turn(hasTransfers: false) { work() } }
    }
    #expect(floodGuard.hasEnded("host:443", since: 0) == isEnded)
    #expect(!floodGuard.hasEnded("host:443", since: .max))
    #expect(!floodGuard.hasEnded("other:443", since: 0))
  }

  /// Waits until there is something, and reads it.
  private func readSome(of socket: Int32) {
    var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    _ = poll(&descriptor, 1, -1)
    var buffer = [UInt8](repeating: 0, count: 4096)
    _ = recv(socket, &buffer, buffer.count, 0)
  }
}
