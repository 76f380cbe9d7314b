#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A server's sockets, on its thread.
package final class LoopbackConnections {
  private let listener: Int32
  private let wake: Int32
  private let server: LoopbackServer
  private var connections: [Int32: LoopbackConnection] = [:]

  package init(listener: Int32, wake: Int32, server: LoopbackServer) {
    self.listener = listener
    self.wake = wake
    self.server = server
  }

  package func serve() {
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
        let events = (connection.isDeaf ? 0 : POLLIN) | (connection.output.isEmpty ? 0 : POLLOUT)
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
    if let peer = connection.peer { return pass(socket, connection, to: peer, events: events) }
    if events & (POLLIN | POLLHUP | POLLERR) != 0 {
      let bytes = connection.isDeaf ? [] : Sockets.readAll(socket)
      if bytes.isEmpty { connection.isClosing = true }
      connection.input += bytes
    }
    var hasBegun = false
    repeat {
      hasBegun = begin(&connection)
      repeat {
        connection.advance()
        if !Sockets.write(&connection.output, to: socket) { connection.isClosing = true }
      } while connection.output.isEmpty && connection.hasWorkToDo && !connection.isClosing
    } while hasBegun && !connection.isClosing
    if let port = connection.wantedTunnel, !connection.isClosing {
      connection.wantedTunnel = nil
      if let peer = Sockets.connect(to: port) {
        connection.peer = peer
        connections[peer] = LoopbackConnection(number: connection.number, peer: socket)
      } else {
        connection.isClosing = true
      }
    }
    if connection.isClosing {
      if connection.isReset { Sockets.resetWhenClosed(socket) }
      close(socket)
      connections[socket] = nil
    } else {
      connections[socket] = connection
    }
  }

  /// Determines the steps for the received input; returns false if others are in progress, or if more input is needed.
  private func begin(_ connection: inout LoopbackConnection) -> Bool {
    guard connection.steps.isEmpty, connection.output.isEmpty else { return false }
    if let conversation = connection.conversation {
      guard let steps = conversation(&connection.input) else { return false }
      connection.steps = steps
    } else {
      guard let request = LoopbackServer.Received(parsing: &connection.input, connection: connection.number) else {
        return false
      }
      connection.steps = server.steps(for: request)
    }
    return true
  }

  /// Forwards from one end of a tunnel to the other; both end together.
  private func pass(_ socket: Int32, _ connection: LoopbackConnection, to peer: Int32, events: Int32) {
    var connection = connection
    var isOver = !Sockets.write(&connection.output, to: socket)
    connections[socket] = connection
    if events & (POLLIN | POLLHUP | POLLERR) != 0 {
      let bytes = Sockets.readAll(socket)
      isOver = isOver || bytes.isEmpty
      connections[peer]?.output += bytes
    }
    guard isOver else { return }
    for end in [socket, peer] where connections.removeValue(forKey: end) != nil { close(end) }
  }
}
