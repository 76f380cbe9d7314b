#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The system calls of the loopback server.
enum Sockets {
  struct Failure: Error {
    var call: String
    var code: Int32
  }

  static func listenOnLoopback() throws -> Int32 {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { throw Failure(call: "socket", code: errno) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isBound, listen(descriptor, 64) == 0 else { throw Failure(call: "listen", code: errno) }
    return descriptor
  }

  static func port(of descriptor: Int32) throws -> Int {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isKnown = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) == 0 }
    }
    guard isKnown else { throw Failure(call: "getsockname", code: errno) }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    #if canImport(Glibc)
      let code = Glibc.pipe(&ends)
    #else
      let code = Darwin.pipe(&ends)
    #endif
    guard code == 0 else { throw Failure(call: "pipe", code: errno) }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    return (ends[0], ends[1])
  }

  static func accept(_ listener: Int32) -> Int32? {
    #if canImport(Glibc)
      let descriptor = Glibc.accept(listener, nil, nil)
    #else
      let descriptor = Darwin.accept(listener, nil, nil)
    #endif
    guard descriptor >= 0 else { return nil }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    return descriptor
  }

  static func writeByte(_ byte: UInt8, to descriptor: Int32) {
    var rest: ArraySlice<UInt8> = [byte]
    _ = write(&rest, to: descriptor)
  }

  /// All that is there now; empty at the end of the stream.
  static func readAll(_ descriptor: Int32) -> [UInt8] {
    var part = [UInt8](repeating: 0, count: 1 << 16)
    #if canImport(Glibc)
      let count = Glibc.read(descriptor, &part, part.count)
    #else
      let count = Darwin.read(descriptor, &part, part.count)
    #endif
    return Array(part.prefix(max(0, count)))
  }

  /// Writes what fits now; false when the other side is gone. SIGPIPE is blocked on the server's thread.
  static func write(_ bytes: inout ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
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
