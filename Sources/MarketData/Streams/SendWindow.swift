import HTTP
import Quotes
import Synchronization
import Transport

/// When messages may be sent on one connection, or on all connections to a host that share a limit. Each that waits has its
/// turn, first come, first served.
final class SendWindow: Sendable {
  /// Connections that share limits may have different ones, which all hold then.
  private let windows: Mutex<[(limit: RateLimit, window: CallWindow)]>

  init(_ limit: RateLimit) { windows = Mutex([(limit, CallWindow(limit, .messages))]) }

  fileprivate func add(_ limit: RateLimit) {
    windows.withLock { windows in
      if windows.contains(where: { $0.limit == limit }) { return }
      windows.append((limit, CallWindow(limit, .messages, after: windows.first?.window)))
    }
  }

  /// Returns when a message has its turn: now or later.
  func reserve(at now: Instant) -> Instant {
    windows.withLock { windows in
      var start = now.nanoseconds
      for (_, window) in windows {
        // A copy says when it would be, as none may count it before it is.
        var window = window
        start = max(start, window.reserve(cost: 1, now: now.nanoseconds, deadline: nil) ?? .max)
      }
      for index in windows.indices { _ = windows[index].window.reserve(cost: 1, now: start, deadline: nil) }
      return Instant(nanoseconds: start)
    }
  }

  fileprivate func restart(at now: Instant) {
    windows.withLock { windows in
      for index in windows.indices { windows[index].window.forget(after: now.nanoseconds) }
    }
  }
}

/// The limits that the connections of a session share, by host: an exchange counts by address, whichever screen sends.
package final class SendWindows: Sendable {
  private let hosts = Mutex<[String: SendWindow]>([:])
  private let gate = Mutex(HostGate())

  package init() {}

  /// Returns when a connection to a host may be opened; nil if now, and counts it.
  func waitToOpen(_ host: String, at now: Instant) -> Instant? { gate.withLock { $0.wait(for: host, at: now) } }

  /// Returns the window of a host, in which a limit holds from now on.
  func window(of host: String, _ limit: RateLimit) -> SendWindow {
    hosts.withLock { hosts in
      let window = hosts[host] ?? SendWindow(limit)
      window.add(limit)
      hosts[host] = window
      return window
    }
  }

  /// Forgets turns later than now: after the clock was set back, and of connections that were given up.
  func restart(at now: Instant) { hosts.withLock { hosts in for window in hosts.values { window.restart(at: now) } } }
}
