import Synchronization

/// Counts how often a request leaves the machine, to other hosts and after redirects too, and stops it at a limit.
package final class SendingMeter: Sendable, Hashable {
  private let limit: Int
  private let sent = Mutex(0)

  /// - Parameter limit: how often it may be sent; nil: as often as its other rules have it.
  package init(limit: Int? = nil) { self.limit = limit ?? .max }

  /// How often it has been sent.
  package var count: Int { sent.withLock { $0 } }

  package var isUsedUp: Bool { count >= limit }

  /// Takes one sending; false, and nothing taken, where none is left.
  package func take() -> Bool {
    sent.withLock { sent in
      if sent >= limit { return false }
      sent += 1
      return true
    }
  }

  package static func == (a: SendingMeter, b: SendingMeter) -> Bool { a === b }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
