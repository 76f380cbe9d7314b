package import HTTP
package import Quotes

/// The recorded connections of some exchanges, each to be played once.
///
/// A recording matches a request by its address and its subscriptions, and if there is any of the request's name, by
/// that: a connection that never opened has sent nothing that tells it from others. Of several the earliest is played
/// first. All times are those of the run, which never go back (``ClockJump``).
package struct StreamPlayer: Sendable {
  /// The signals of a recorded connection, with their times.
  package typealias Played = [(at: Instant, signal: StreamSignal)]

  private struct Recording {
    let exchange: String
    /// From the name of its file.
    let name: String
    let tape: StreamTape
  }

  /// The recordings that have not been played, in order of their start.
  private var recordings: [Recording] = []
  /// The names of all recordings, by exchange.
  private var names: [String: Set<String>] = [:]
  /// The names of those asked for, by exchange.
  private var asked: [String: Set<String>] = [:]
  /// When the first connection was started; nil without recordings.
  package private(set) var start: Instant?
  /// When the last line was written; nil without recordings.
  package private(set) var end: Instant?
  /// The times of the REST answers requested alongside the streams.
  package var taken = RESTAnswerLog()
  /// The exchanges whose recordings end in the middle of a line, which was left out: space or power ran out.
  package private(set) var cut: [String] = []

  /// Reads `DIR/<Exchange>/streams/*.ndjson`.
  package init(directory: String, exchanges: some Sequence<String>) throws(CassetteError) {
    for exchange in exchanges {
      let folder = StreamRecorder.folder(of: exchange, in: directory)
      let tapes = try StreamTape.all(among: folder)
      recordings += tapes.map { Recording(exchange: exchange, name: $0.name, tape: $0.tape) }
      names[exchange] = Set(tapes.map(\.name))
      let hasCutLog = try taken.read(folder, of: exchange)
      if hasCutLog || tapes.contains(where: \.tape.isCut) { cut.append(exchange) }
    }
    end = (recordings.map(\.tape.last) + [taken.end]).compactMap(\.self).max()
    // The standard library's sort is stable.
    recordings.sort { ($0.tape.start, $0.exchange) < ($1.tape.start, $1.exchange) }
    start = recordings.first?.tape.start
  }

  /// Removes and returns the recording that matches a request, or returns nil if there is none left.
  package mutating func next(_ request: StreamRequest) -> Played? {
    let name = CassetteRecorder.safeFileName(request.name)
    let isNamed = names[request.exchange]?.contains(name) ?? false
    asked[request.exchange, default: []].insert(name)
    let place = recordings.firstIndex { recording in
      recording.exchange == request.exchange && recording.tape.url == request.recordedURL
        && recording.tape.holds(request.subscription) && (recording.name == name || !isNamed)
    }
    guard let place else { return nil }
    return recordings.remove(at: place).tape.signals
  }

  /// Returns how many messages and answers of an exchange's recordings were not played, though the connections or
  /// requests of these names were made again.
  package func unplayed(of exchange: String) -> Int {
    let left = recordings.filter { $0.exchange == exchange && asked[exchange]?.contains($0.name) ?? false }
    return left.reduce(taken.untaken(of: exchange)) { $0 + $1.tape.signals.count }
  }
}

extension StreamTape {
  /// Its first and its last moment, in the run's time.
  fileprivate var start: Instant { lines.first?.at.advanced(by: behind) ?? Instant(nanoseconds: 0) }
  fileprivate var last: Instant? { lines.last?.at.advanced(by: behind) }

  /// Returns whether this connection may have had these subscriptions: all of them were sent, or nothing was.
  package func holds(_ subscription: [String]) -> Bool {
    let sent = Set(sent)
    return sent.isEmpty || subscription.allSatisfy(sent.contains)
  }

  /// The signals from the connection, in the run's time; it was open if anything was sent or received.
  fileprivate var signals: StreamPlayer.Played {
    var signals: StreamPlayer.Played = []
    for line in lines {
      switch line.event {
      case .opened, .sent: break
      case .signal(let signal): signals.append((line.at.advanced(by: behind), signal))
      }
    }
    let isRefused = lines.dropFirst().first.map { line in
      switch line.event {
      case .signal(.closed(.refused)), .signal(.closed(.failed)): true
      default: false
      }
    }
    guard isRefused != true, let first = lines.first else { return signals }
    return [(first.at.advanced(by: behind), .opened)] + signals
  }
}
