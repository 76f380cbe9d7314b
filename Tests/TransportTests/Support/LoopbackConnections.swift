#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The sockets of a server, on its thread.
final class LoopbackConnections {
  private let listener: Int32
  private let wake: Int32
  private let server: LoopbackServer
  private var connections: [Int32: LoopbackConnection] = [:]

  init(listener: Int32, wake: Int32, server: LoopbackServer) {
    self.listener = listener
    self.wake = wake
    self.server = server
  }

  func serve() {
    defer {
      for socket in connections.keys { close(socket) }
      close(listener)
    }
    while true {
      var sockets = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
      sockets.append(pollfd(fd: wake, events: Int16(POLLIN), revents: 0))
      var isDripping = false
      for (socket, connection) in connections {
        if case .drip = connection.steps.first { isDripping = true }
        let events = connection.output.isEmpty ? POLLIN : POLLIN | POLLOUT
        sockets.append(pollfd(fd: socket, events: Int16(events), revents: 0))
      }
      _ = poll(&sockets, nfds_t(sockets.count), isDripping ? 5 : -1)
      if sockets[1].revents != 0, Sockets.readAll(wake).contains(UInt8(ascii: "q")) { return }
      if sockets[0].revents != 0, let socket = Sockets.accept(listener) {
        connections[socket] = LoopbackConnection(number: server.newConnection())
      }
      for socket in sockets.dropFirst(2) { attend(socket.fd, events: Int32(socket.revents)) }
    }
  }

  private func attend(_ socket: Int32, events: Int32) {
    guard var connection = connections[socket] else { return }
    if events & (POLLIN | POLLHUP | POLLERR) != 0 {
      let bytes = Sockets.readAll(socket)
      if bytes.isEmpty { connection.isClosing = true }
      connection.input += bytes
    }
    while connection.steps.isEmpty && connection.output.isEmpty,
      let request = LoopbackServer.Received(parsing: &connection.input, connection: connection.number)
    {
      connection.steps = server.steps(for: request)
      connection.advance()
    }
    repeat {
      connection.advance()
      if !Sockets.write(&connection.output, to: socket) { connection.isClosing = true }
    } while connection.output.isEmpty && connection.hasWorkToDo && !connection.isClosing
    if connection.isClosing {
      close(socket)
      connections[socket] = nil
    } else {
      connections[socket] = connection
    }
  }
}
