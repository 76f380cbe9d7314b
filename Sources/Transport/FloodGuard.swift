import CCurl
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Ends connections over which a server sends without end what is no part of an answer, such as HTTP/2 frames that
/// only concern the connection: libcurl reads on as long as there are any, without a look at its time limits, and no
/// other transfer gets its turn.
///
/// A thread looks after the loop's, only while there are requests. A connection is ended if, of all that the loop does,
/// nothing but reading from it has gone on for several looks, without any part of an answer. Only then: handshakes and
/// authorities, which may take as long, read hardly anything.
final class FloodGuard: Sendable {
  /// The time between two looks, in milliseconds.
  private static let interval: Int32 = 100
  /// The number of looks in a row, all in one turn, at which something more must have been read.
  private static let patience = 3

  private struct State {
    /// The open sockets, and whom each was opened for.
    var authorities: [curl_socket_t: String] = [:]
    /// When a connection to an authority was last ended, on the machine's monotonic clock.
    var ends: [String: Int64] = [:]
    var isWatching = false
    /// The turn of the last look, and the parts of answers by then.
    var (turn, progress): (UInt64, UInt64) = (0, 0)
    /// How many bytes the loop had read by then from each socket at most, and for how many looks these have grown.
    var readings: [curl_socket_t: (most: Int64, growths: Int)] = [:]
  }

  private let state = Mutex(State())
  /// Counts the beginnings and ends of turns: odd while the loop works.
  private let turns = Atomic<UInt64>(0)
  /// Counts the parts of answers that have arrived.
  private let progress = Atomic<UInt64>(0)
  private let isNeeded = Atomic<Bool>(false)

  /// Called before a turn of the loop.
  ///
  /// - Parameter hasTransfers: Whether there are transfers to work on.
  func beginTurn(hasTransfers: Bool) {
    if hasTransfers { startWatching() }
    turns.add(1, ordering: .relaxed)
  }

  /// Called after a turn of the loop.
  ///
  /// - Parameter hasTransfers: Whether some are left.
  func endTurn(hasTransfers: Bool) {
    turns.add(1, ordering: .relaxed)
    if !hasTransfers { stopWatching() }
  }

  /// Ends the thread at its next look.
  func stopWatching() { isNeeded.store(false, ordering: .relaxed) }

  /// Whether the thread is running.
  var isWatching: Bool { state.withLock(\.isWatching) }

  /// Notes that a part of an answer has arrived: what the loop reads is not in vain.
  func noteProgress() { progress.add(1, ordering: .relaxed) }

  /// Takes a new socket, before it is connected.
  func add(_ socket: curl_socket_t, of authority: String) { state.withLock { $0.authorities[socket] = authority } }

  /// Closes a socket. Not while it is being looked at, as its number may then be another file's.
  func close(_ socket: curl_socket_t) -> Int32 {
    state.withLock { state in
      state.authorities[socket] = nil
      state.readings[socket] = nil
    }
    #if canImport(Glibc)
      return Glibc.close(socket)
    #else
      return Darwin.close(socket)
    #endif
  }

  /// Whether a connection to the authority has been ended since then.
  func hasEnded(_ authority: String, since start: Int64) -> Bool {
    state.withLock { state in state.ends[authority].map { $0 >= start } ?? false }
  }

  /// Looks at what the loop is doing, and ends the connection that it cannot leave.
  func look() {
    state.withLock { state in
      let turn = turns.load(ordering: .relaxed)
      let progress = progress.load(ordering: .relaxed)
      guard turn == state.turn, turn % 2 == 1, progress == state.progress else {
        (state.turn, state.progress) = (turn, progress)
        state.readings = [:]
        return
      }
      for (socket, authority) in state.authorities {
        var (least, most): (Int64, Int64) = (0, 0)
        guard market_bytes_read(socket, &least, &most) else { continue }
        let growths = state.readings[socket].map { least > $0.most ? $0.growths + 1 : 0 } ?? 0
        state.readings[socket] = (most, growths)
        guard growths >= Self.patience else { continue }
        // The loop finds the connection closed and goes on.
        shutdown(socket, Int32(SHUT_RDWR))
        state.ends[authority] = TransportClock.system.now()
        state.readings[socket] = nil
      }
    }
  }

  private func startWatching() {
    isNeeded.store(true, ordering: .relaxed)
    let isNew = state.withLock { state in
      defer { state.isWatching = true }
      return !state.isWatching
    }
    guard isNew else { return }
    // Without a thread there is no guard, but there are answers.
    SystemThread { self.watch() }?.detach()
  }

  private func watch() {
    while true {
      _ = poll(nil, 0, Self.interval)
      let isOver = state.withLock { state in
        if !isNeeded.load(ordering: .relaxed) { state.isWatching = false }
        return !state.isWatching
      }
      if isOver { return }
      look()
    }
  }
}
