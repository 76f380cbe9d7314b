package import HTTP
import Synchronization
import Transport

/// An HTTP/1.1 server on 127.0.0.1 that does exactly what a test's script says, mistakes included. One thread serves
/// all connections.
///
///     let server = try LoopbackServer { request in [.bytes(Answer.ok("pong"))] }
package final class LoopbackServer: Sendable {
  /// A client's request.
  package struct Received: Hashable, Sendable {
    package var method: String
    /// Path and query, as sent.
    package var target: String
    package var headers: [HTTPHeader]
    package var body: [UInt8]
    /// The number of previous requests to this target, on any connection.
    package var repetition: Int
    /// The connection that it arrived on, counted from 0.
    package var connection: Int
  }

  /// A step of a response; after the last one the connection waits for the next request.
  package enum Step: Sendable {
    case bytes([UInt8])
    /// The same bytes repeatedly, until the client has enough.
    case endless([UInt8])
    /// A byte every few milliseconds.
    case drip([UInt8])
    /// Sends nothing more, but keeps the connection open.
    case hold
    /// Sends nothing more until `open` is called on the latch.
    case wait(Latch)
    case close
    /// Simulates a broken network: the connection is reset, and sent but unread bytes are lost.
    case reset
    /// From now on forwards bytes to and from a port of this machine, like a proxy's tunnel.
    case tunnel(port: Int)
    /// From now on the input is not HTTP, and is handled by the conversation.
    case converse(Conversation)
    /// From now on no input is read.
    case deafen
  }

  /// Takes what it understands from the front of the input, and returns the steps for it; nil if more is needed.
  package typealias Conversation = @Sendable (_ input: inout [UInt8]) -> [Step]?

  /// A latch that a script can wait for.
  package final class Latch: Sendable {
    private let state = Mutex<(isOpen: Bool, wake: @Sendable () -> Void)>((false, {}))

    package init() {}

    package var isOpen: Bool { state.withLock { $0.isOpen } }

    package func open() {
      state.withLock { state in
        state.isOpen = true
        state.wake()
      }
    }

    package func connect(_ wake: @escaping @Sendable () -> Void) {
      state.withLock { $0.wake = wake }
    }
  }

  package typealias Script = @Sendable (Received) -> [Step]

  package let port: Int
  private let host: String
  private let listener: Int32
  private let wakePipe: (read: Int32, write: Int32)
  private let log = Mutex<(received: [Received], connections: Int)>(([], 0))
  private let thread = Mutex<SystemThread?>(nil)
  private let script: Script
  private let arrivals: AsyncStream<Received>
  private let arrivalsInput: AsyncStream<Received>.Continuation

  /// - Parameter isIPv6: whether to listen on `::1` instead of `127.0.0.1`.
  package init(isIPv6: Bool = false, _ script: @escaping Script) throws {
    (arrivals, arrivalsInput) = AsyncStream.makeStream()
    self.script = script
    host = isIPv6 ? "[::1]" : "127.0.0.1"
    listener = try isIPv6 ? Sockets.listenOnLoopback6() : Sockets.listenOnLoopback()
    port = try Sockets.port(of: listener)
    wakePipe = try Sockets.pipe()
    let (listener, wake) = (listener, wakePipe.read)
    let serving = SystemThread { [self] in LoopbackConnections(listener: listener, wake: wake, server: self).serve() }
    thread.withLock { $0 = serving }
  }

  /// Ends the server and its connections.
  package func stop() {
    Sockets.writeByte(UInt8(ascii: "q"), to: wakePipe.write)
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }

  package func url(_ target: String) -> String { "http://\(host):\(port)\(target)" }

  package var received: [Received] { log.withLock { $0.received } }
  package var connectionCount: Int { log.withLock { $0.connections } }

  /// Returns when the next request that has not been awaited has arrived.
  package func nextArrival() async -> Received? {
    var iterator = arrivals.makeAsyncIterator()
    return await iterator.next()
  }

  // MARK: - Server thread

  package func newConnection() -> Int {
    log.withLock { log in
      log.connections += 1
      return log.connections - 1
    }
  }

  package func steps(for received: Received) -> [Step] {
    let request = log.withLock { log in
      var request = received
      request.repetition = log.received.count { $0.target == received.target }
      log.received.append(request)
      return request
    }
    let steps = script(request)
    let wake = wakePipe.write
    for case .wait(let latch) in steps { latch.connect { Sockets.writeByte(0, to: wake) } }
    arrivalsInput.yield(request)
    return steps
  }
}
