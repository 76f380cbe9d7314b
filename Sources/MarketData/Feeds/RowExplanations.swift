package import Quotes
import Synchronization

/// Requests for explanations of streamed rows. As an explanation costs more than the row, none is made without one: the
/// next message about the row is explained.
package final class RowExplanations: Sendable {
  private struct Wish {
    let row: RowKey
    let answer: AsyncStream<StreamEvent>.Continuation
  }

  private struct State {
    var wishes: [Int: Wish] = [:]
    var listeners: [Int: @Sendable (Set<RowKey>) -> Void] = [:]
    var last = 0

    var rows: Set<RowKey> { Set(wishes.values.map(\.row)) }

    mutating func next() -> Int {
      last += 1
      return last
    }
  }

  private let state = Mutex(State())

  package init() {}

  /// Returns the event of the next message about a row, with its explanation; nil if none arrives in time.
  package func next(about row: RowKey, within limit: Duration) async -> StreamEvent? {
    let (events, answer) = AsyncStream.makeStream(of: StreamEvent.self)
    let number = state.withLock { state in
      let number = state.next()
      state.wishes[number] = Wish(row: row, answer: answer)
      return number
    }
    announce()
    let timer = Task {
      try? await Task.sleep(for: limit)
      answer.finish()
    }
    var found: StreamEvent?
    for await event in events {
      found = event
      break
    }
    timer.cancel()
    state.withLock { $0.wishes[number] = nil }
    announce()
    return found
  }

  /// Passes on the rows whose explanation is wanted, now and after every change.
  ///
  /// - Returns: The number by which to ``forget(_:)`` it.
  func listen(_ listener: @escaping @Sendable (Set<RowKey>) -> Void) -> Int {
    let number = state.withLock { state in
      let number = state.next()
      state.listeners[number] = listener
      return number
    }
    announce()
    return number
  }

  func forget(_ listener: Int) { state.withLock { $0.listeners[listener] = nil } }

  /// Answers the requests about a row.
  func tell(_ event: StreamEvent, of row: RowKey) {
    state.withLock { state in
      for wish in state.wishes.values where wish.row == row { wish.answer.yield(event) }
    }
  }

  private func announce() {
    // Inside the lock, so that the last announcement is of the newest state.
    state.withLock { state in
      let rows = state.rows
      for listener in state.listeners.values { listener(rows) }
    }
  }
}
