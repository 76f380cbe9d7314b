package import Files
import Synchronization

/// An output stream: standard output, standard error, or memory in a test.
///
/// Writing never throws. If the reader of a pipe is gone, the rest is silently dropped (`market show | head` is a
/// success); any other failure is kept in `failure` for the end of the run.
package final class OutputWriter: Sendable {
  private struct State {
    var pending: [UInt8] = []
    /// Whether the terminal shows a transient line that the next write erases.
    var hasPassingLine = false
    var isClosed = false
    var failure: FileError?
  }

  private let state = Mutex(State())
  private let capacity: Int
  private let sink: @Sendable ([UInt8]) -> FileDescriptorWrite
  private let unread: @Sendable () -> Int?
  private let isReaderGone: @Sendable () -> Bool

  /// - Parameters:
  ///   - capacity: how many bytes are buffered before they are sent; 0 sends every write at once.
  ///   - unread: returns how many bytes the reader has yet to read; nil if unknown.
  ///   - isReaderGone: returns whether what is sent would arrive nowhere.
  package init(
    capacity: Int, unread: @escaping @Sendable () -> Int? = { nil },
    isReaderGone: @escaping @Sendable () -> Bool = { false },
    sink: @escaping @Sendable ([UInt8]) -> FileDescriptorWrite
  ) {
    (self.capacity, self.unread, self.isReaderGone, self.sink) = (capacity, unread, isReaderGone, sink)
  }

  package func write(_ text: String) { write(bytes: Array(text.utf8)) }

  package func write(bytes: [UInt8]) {
    state.withLock { state in
      guard !state.isClosed else { return }
      erase(&state)
      if state.pending.isEmpty, bytes.count > capacity { return send(bytes, &state) }
      state.pending += bytes
      if state.pending.count > capacity { sendPending(&state) }
    }
  }

  /// Shows a transient line on a terminal. The next such line replaces it, and any other output erases it.
  ///
  /// - Parameter line: narrower than the terminal, without a line end.
  package func show(passing line: String) {
    state.withLock { state in
      guard !state.isClosed else { return }
      sendPending(&state)
      state.hasPassingLine = true
      send(Array("\r\(line)\(Self.clearingRest)".utf8), &state)
    }
  }

  package func erasePassing() { state.withLock { erase(&$0) } }

  /// "Erase in line" from the cursor on (ECMA-48 §8.3.41).
  private static let clearingRest = "\u{1B}[K"

  private func erase(_ state: inout State) {
    guard state.hasPassingLine else { return }
    state.hasPassingLine = false
    send(Array("\r\(Self.clearingRest)".utf8), &state)
  }

  package func flush() { state.withLock { sendPending(&$0) } }

  /// Waits briefly until the reader has read nearly everything, so that the next write is still new when it is read.
  ///
  /// - Returns: whether it has; true if unknown.
  package func isTaken() async -> Bool {
    for _ in 0..<Self.maximumChecks {
      guard let unread = unread(), unread > Self.maximumUnread else { return true }
      guard (try? await Task.sleep(for: .milliseconds(10))) != nil else { return false }
    }
    return false
  }

  private static let maximumUnread = 4096
  private static let maximumChecks = 20

  /// Why writing failed, unless the reader is just gone.
  package var failure: FileError? { state.withLock { $0.failure } }

  /// Whether output no longer arrives anywhere, so that a long-running command may stop, even one with nothing to write.
  package var isClosed: Bool { state.withLock { $0.isClosed } || isReaderGone() }

  private func sendPending(_ state: inout State) {
    guard !state.pending.isEmpty, !state.isClosed else { return }
    send(state.pending, &state)
    state.pending.removeAll(keepingCapacity: true)
  }

  private func send(_ bytes: [UInt8], _ state: inout State) {
    switch sink(bytes) {
    case .done: break
    case .readerGone: state.isClosed = true
    case .failed(let error):
      state.isClosed = true
      state.failure = error
    }
  }
}
