import Synchronization

/// Counts how often a request leaves the machine, including failover and redirects, and stops it at a limit.
package final class SendCounter: Sendable, Hashable {
  private let limit: Int
  private let sent = Mutex(0)
  private let reached = Mutex(0)

  /// - Parameter limit: The maximum number of sendings; nil if only other rules limit it.
  package init(limit: Int? = nil) { self.limit = limit ?? .max }

  /// The number of sendings so far.
  package var count: Int { sent.withLock { $0 } }

  package var isUsedUp: Bool { count >= limit }

  /// How many of the sendings went out to their hosts: not those that ended before a connection could carry them, such as
  /// for want of an address, or at a proxy.
  package var reachCount: Int { reached.withLock { $0 } }

  /// Records that a sending has gone out to its host.
  package func noteReach() { reached.withLock { $0 += 1 } }

  /// Whether any number of sendings is allowed.
  package var isUnlimited: Bool { limit == .max }

  /// Takes one sending, or returns false if none is left.
  package func take() -> Bool {
    sent.withLock { sent in
      if sent >= limit { return false }
      sent += 1
      return true
    }
  }

  package static func == (a: SendCounter, b: SendCounter) -> Bool { a === b }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
