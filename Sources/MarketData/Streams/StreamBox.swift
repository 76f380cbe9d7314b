import Cassettes
import Quotes
import Synchronization

/// Input that has arrived but was not processed yet.
final class StreamBox: Sendable {
  /// An input, the request that it answers, when the answers arrived that it was made of, and the events to report before
  /// those that result from it.
  typealias Entry = (
    at: Instant, input: StreamInput, request: RESTAnswerLog.Request?, arrived: [Instant]?,
    events: @Sendable (Instant) -> [StreamEvent]
  )

  let clock: @Sendable () -> Instant
  let wakes: AsyncStream<Void>
  private let waker: AsyncStream<Void>.Continuation
  private let entries = Mutex<[Entry]>([])

  init(_ clock: @escaping @Sendable () -> Instant) {
    self.clock = clock
    (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// - Parameter events: Returns events to report before those that result from the input, at its moment.
  func add(
    _ input: StreamInput, answering request: RESTAnswerLog.Request?, arrived: [Instant]? = nil,
    _ events: @escaping @Sendable (Instant) -> [StreamEvent] = { _ in [] }
  ) {
    // Inside the lock, so that entries are in order of time.
    entries.withLock { $0.append((clock(), input, request, arrived, events)) }
    waker.yield()
  }

  func wake() { waker.yield() }

  func empty() -> [Entry] {
    entries.withLock { entries in
      defer { entries = [] }
      return entries
    }
  }
}
