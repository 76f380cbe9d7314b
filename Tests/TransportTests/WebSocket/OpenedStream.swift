import HTTP
import Synchronization

@testable import Transport

/// A stream that a test has opened, and what it says.
struct OpenedStream: Sendable {
  let connection: NetworkStream
  /// In order; ends behind `closed`.
  let signals: AsyncStream<StreamSignal>

  init(_ url: String, headers: [HTTPHeader] = [], by client: HTTPClient) throws {
    let (signals, input) = AsyncStream<StreamSignal>.makeStream()
    self.signals = signals
    let request = StreamRequest(exchange: "Test", url: url, headers: headers)
    let opened = client.streams.open(request) { batch in
      for signal in batch {
        input.yield(signal)
        if case .closed = signal { input.finish() }
      }
    }
    guard let connection = opened as? NetworkStream else { throw WrongKind() }
    self.connection = connection
  }

  private struct WrongKind: Error {}

  /// All that it says to its end.
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

/// Gives every message back as it came, from within the receiver, until the stream ends.
final class Echo: Sendable {
  private let connection = Mutex<NetworkStream?>(nil)

  /// How the stream ends.
  static func run(_ url: String, by client: HTTPClient) async -> StreamEnd? {
    let echo = Echo()
    let (ends, input) = AsyncStream<StreamEnd>.makeStream()
    // Whatever comes before the connection is here waits for the lock.
    echo.connection.withLock { connection in
      let opened = client.streams.open(StreamRequest(exchange: "Test", url: url)) { batch in
        echo.take(batch)
        if case .closed(let end) = batch.last { input.yield(end) }
      }
      connection = opened as? NetworkStream
    }
    var iterator = ends.makeAsyncIterator()
    return await iterator.next()
  }

  private func take(_ batch: [StreamSignal]) {
    let connection = connection.withLock { $0 }
    for case .message(let bytes, let isText) in batch {
      if isText { connection?.send(bytes) } else { connection?.send(binary: bytes) }
    }
  }
}

extension StreamSignal {
  static func text(_ text: String) -> StreamSignal { .message(Array(text.utf8), isText: true) }
}
