import HTTP
import Synchronization

@testable import Transport

/// A stream opened by a test, and its signals.
struct OpenedStream: Sendable {
  let connection: NetworkStream
  /// The signals in order, ending with `closed`.
  let signals: AsyncStream<StreamSignal>

  init(_ url: String, headers: [HTTPHeader] = [], by client: HTTPClient) throws {
    let (signals, input) = AsyncStream<StreamSignal>.makeStream()
    self.signals = signals
    let request = StreamRequest(exchange: "Test", url: url, headers: headers)
    let opened = client.streams(request) { batch in
      for signal in batch {
        input.yield(signal)
        if case .closed = signal { input.finish() }
      }
    }
    guard let connection = opened as? NetworkStream else { throw WrongKind() }
    self.connection = connection
  }

  private struct WrongKind: Error {}

  /// Returns all signals until the end.
  func all() async -> [StreamSignal] {
    var all: [StreamSignal] = []
    for await signal in signals { all.append(signal) }
    return all
  }

  /// Waits for the next signal.
  func next() async -> StreamSignal? {
    var iterator = signals.makeAsyncIterator()
    return await iterator.next()
  }
}

/// Echoes every message from within the receiver, until the stream ends.
final class Echo: Sendable {
  private let connection = Mutex<NetworkStream?>(nil)

  /// Returns how the stream ends.
  static func run(_ url: String, by client: HTTPClient) async -> StreamEnd? {
    let echo = Echo()
    let (ends, input) = AsyncStream<StreamEnd>.makeStream()
    // Signals that arrive before the connection is stored wait for the lock.
    echo.connection.withLock { connection in
      let opened = client.streams(StreamRequest(exchange: "Test", url: url)) { batch in
        echo.take(batch)
        if case .closed(let end) = batch.last { input.yield(end) }
      }
      connection = opened as? NetworkStream
    }
    var iterator = ends.makeAsyncIterator()
    return await iterator.next()
  }

  private func take(_ batch: [StreamSignal]) {
    guard let connection = connection.withLock({ $0 }) else { return }
    for case .message(let bytes, let isText) in batch {
      // No exchange gets binary messages, but the protocol's conformance suite does.
      connection.loop.post(StreamOrder(stream: connection.number, kind: .send(bytes, isText ? .text : .binary)))
    }
  }
}

extension StreamSignal {
  static func text(_ text: String) -> StreamSignal { .message(Array(text.utf8), isText: true) }
}
