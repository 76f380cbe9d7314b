import Files
package import HTTP
package import Quotes

/// The recorded connections of some exchanges, each to be played once.
///
/// A recording answers a request with its address and its subscriptions; of several the earliest comes first.
package struct StreamPlayer: Sendable {
  /// One recorded connection: what it said, and when.
  package typealias Played = [(at: Instant, signal: StreamSignal)]

  private struct Recording {
    let exchange: String
    let tape: StreamTape
  }

  /// Those that have not been played, in the order of their beginning.
  private var recordings: [Recording] = []
  /// When the first of all connections was made; nil without recordings.
  package private(set) var start: Instant?
  /// When the last of all lines was written; nil without recordings.
  package private(set) var end: Instant?
  /// Of what was asked beside them.
  package var taken = TakenAnswers()

  /// Reads `DIR/<Exchange>/streams/*.ndjson`.
  package init(directory: String, exchanges: some Sequence<String>) throws(CassetteError) {
    for exchange in exchanges {
      let folder = "\(directory)/\(CassetteRecorder.safeFileName(exchange))/\(StreamRecorder.folder)"
      guard FileSystem.isFolder(folder) else { continue }
      for name in try Self.reading(folder, FileSystem.names(in:)).sorted() where name.hasSuffix(".ndjson") {
        let path = "\(folder)/\(name)"
        let bytes = try Self.reading(path) { path throws(FileError) in try FileSystem.read(path) }
        recordings.append(Recording(exchange: exchange, tape: try StreamTape(parsing: bytes, file: path)))
      }
      try taken.read(folder, of: exchange)
    }
    end = (recordings.map(\.tape.lines.last?.at) + [taken.end]).compactMap(\.self).max()
    // The sort of the standard library keeps the order of what is equal.
    recordings.sort { ($0.tape.start, $0.exchange) < ($1.tape.start, $1.exchange) }
    start = recordings.first?.tape.start
  }

  private static func reading<Value>(
    _ path: String, _ read: (String) throws(FileError) -> Value
  ) throws(CassetteError) -> Value {
    do {
      return try read(path)
    } catch {
      throw CassetteError(file: path, position: nil, message: "\(error)")
    }
  }

  /// Takes out the recording that answers a request; nil where there is none left.
  package mutating func next(_ request: StreamRequest) -> Played? {
    let place = recordings.firstIndex { recording in
      recording.exchange == request.exchange && recording.tape.url == request.recordedURL
        && recording.tape.holds(request.subscription)
    }
    guard let place else { return nil }
    return recordings.remove(at: place).tape.signals
  }
}

extension StreamTape {
  fileprivate var start: Instant { lines.first?.at ?? Instant(nanoseconds: 0) }

  /// Whether a connection with these subscriptions may have been this one: they were all sent, or nothing was.
  package func holds(_ subscription: [String]) -> Bool {
    let sent = Set(sent)
    return sent.isEmpty || subscription.allSatisfy(sent.contains)
  }

  /// What the connection said by itself; it was open where something was sent or came.
  fileprivate var signals: StreamPlayer.Played {
    var signals: StreamPlayer.Played = []
    for line in lines {
      switch line.event {
      case .opened, .sent: break
      case .signal(let signal): signals.append((line.at, signal))
      }
    }
    let isRefused = lines.dropFirst().first.map { line in
      switch line.event {
      case .signal(.closed(.refused)), .signal(.closed(.failed)): true
      default: false
      }
    }
    guard isRefused != true, let first = lines.first else { return signals }
    return [(first.at, .opened)] + signals
  }
}
