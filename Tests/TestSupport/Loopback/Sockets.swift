#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The system calls of the loopback server.
package enum Sockets {
  package struct Failure: Error {
    var call: String
    var code: Int32
  }

  package static func listenOnLoopback() throws -> Int32 {
    let descriptor = try bindToLoopback()
    guard listen(descriptor, 64) == 0 else { throw Failure(call: "listen", code: errno) }
    return descriptor
  }

  fileprivate static func bindToLoopback() throws -> Int32 {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { throw Failure(call: "socket", code: errno) }
    closeOnExec(descriptor)
    var address = loopback(port: 0)
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isBound else { throw Failure(call: "bind", code: errno) }
    return descriptor
  }

  /// - Throws: an error if this machine has no IPv6.
  package static func listenOnLoopback6() throws -> Int32 {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET6, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { throw Failure(call: "socket", code: errno) }
    closeOnExec(descriptor)
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_addr = in6addr_loopback
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
      }
    }
    guard isBound, listen(descriptor, 64) == 0 else {
      let code = errno
      close(descriptor)
      throw Failure(call: "listen", code: code)
    }
    return descriptor
  }

  /// Whether it is possible to listen on `::1`.
  package static var hasIPv6: Bool {
    guard let listener = try? listenOnLoopback6() else { return false }
    close(listener)
    return true
  }

  package static func port(of descriptor: Int32) throws -> Int {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isKnown = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) == 0 }
    }
    guard isKnown else { throw Failure(call: "getsockname", code: errno) }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  package static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    #if canImport(Glibc)
      let code = Glibc.pipe(&ends)
    #else
      let code = Darwin.pipe(&ends)
    #endif
    guard code == 0 else { throw Failure(call: "pipe", code: errno) }
    for end in ends { closeOnExec(end) }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    return (ends[0], ends[1])
  }

  package static func accept(_ listener: Int32) -> Int32? {
    #if canImport(Glibc)
      let descriptor = Glibc.accept(listener, nil, nil)
    #else
      let descriptor = Darwin.accept(listener, nil, nil)
    #endif
    guard descriptor >= 0 else { return nil }
    closeOnExec(descriptor)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    #if canImport(Darwin)
      // SIGPIPE is sent to the process there, not to the thread that blocks it.
      var isSilent: Int32 = 1
      _ = setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isSilent, socklen_t(MemoryLayout<Int32>.size))
    #endif
    return descriptor
  }

  /// Keeps programs started by tests from inheriting a socket, which would keep the other side waiting for the end.
  private static func closeOnExec(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  /// Connects to a port of this machine; returns nil if it has no listener.
  package static func connect(to port: Int) -> Int32? {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { return nil }
    closeOnExec(descriptor)
    var address = loopback(port: port)
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        #if canImport(Glibc)
          Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        #else
          Darwin.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        #endif
      }
    }
    guard isConnected else {
      close(descriptor)
      return nil
    }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    return descriptor
  }

  private static func loopback(port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    return address
  }

  /// Returns a currently unused port of this machine.
  package static func freePort() throws -> Int {
    let listener = try listenOnLoopback()
    defer { close(listener) }
    return try port(of: listener)
  }

  /// Makes `close` send a reset instead of ending the connection properly.
  package static func resetWhenClosed(_ descriptor: Int32) {
    var option = linger(l_onoff: 1, l_linger: 0)
    _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  package static func writeByte(_ byte: UInt8, to descriptor: Int32) {
    var rest: ArraySlice<UInt8> = [byte]
    _ = write(&rest, to: descriptor)
  }

  /// Reads everything available now; empty at the end of the stream.
  package static func readAll(_ descriptor: Int32) -> [UInt8] {
    var part = [UInt8](repeating: 0, count: 1 << 16)
    #if canImport(Glibc)
      let count = Glibc.read(descriptor, &part, part.count)
    #else
      let count = Darwin.read(descriptor, &part, part.count)
    #endif
    return Array(part.prefix(max(0, count)))
  }

  /// Writes as much as possible now; false if the other side is gone. SIGPIPE is blocked on the server's thread.
  package static func write(_ bytes: inout ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { buffer in
        #if canImport(Glibc)
          Glibc.write(descriptor, buffer.baseAddress, buffer.count)
        #else
          Darwin.write(descriptor, buffer.baseAddress, buffer.count)
        #endif
      }
      if count < 0 { return errno == EAGAIN || errno == EINTR }
      bytes = bytes.dropFirst(count)
    }
    return true
  }
}

/// A port of 127.0.0.1 that refuses connections, and that no server of another test can be given meanwhile.
package struct RefusingPort {
  private let socket: Int32
  package let number: Int

  package init() throws {
    // Bound, but not listening.
    socket = try Sockets.bindToLoopback()
    number = try Sockets.port(of: socket)
  }

  package func free() { close(socket) }
}
