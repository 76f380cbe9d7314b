import Cassettes
import Config
import Files
import HTTP
import Mapping
package import MarketData
import Quotes

/// Opens connections to test channels.
package struct LiveStreams: Sendable {
  /// The result of a channel's connections.
  struct Connections {
    let tries: Int
    /// Why the last of them ended early; nil if it did not.
    let end: AnswerFailure?
    let lookups: [String: LookupState]
    /// The pairs that they are about, the tested one first.
    let pairs: [Pair]
    /// The pair's newest trades by REST afterwards, if it is about trades: those from before have hardly any of the
    /// stream's.
    var laterTrades: [Trade] = []
  }

  private let session: MarketSession
  /// How long to listen to each channel.
  private let milliseconds: Int
  /// Where to record the connections; nil for no recording.
  private let directory: String?

  /// The number of trades to compare.
  private static let tradeCount = 100

  package init(_ session: MarketSession, milliseconds: Int, recordingTo directory: String?) {
    (self.session, self.milliseconds, self.directory) = (session, milliseconds, directory)
  }

  /// Opens a connection for each subject and listens to all of them concurrently.
  ///
  /// - Returns: For each in order, the connection with the most data; and what could not be recorded.
  func heard(
    _ subjects: [StreamSubject], of market: ExchangeMarket
  ) async -> (all: [(name: String, tape: StreamTape, connections: Connections)], problem: FileError?) {
    guard !subjects.isEmpty else { return ([], nil) }
    let recorder = StreamRecorder(keepingBeside: directory)
    let run = StreamRun(session, subjects, recorder: recorder)
    let span = StreamHub.timeToOpen(subjects.count) + .milliseconds(milliseconds)
    await withTaskGroup { group in
      group.addTask { await run.follow { _ in true } }
      group.addTask { try? await Task.sleep(for: span) }
      await group.next()
      group.cancelAll()
    }
    let tapes = recorder.tapes
    var all: [(name: String, tape: StreamTape, connections: Connections)] = []
    for subject in subjects {
      let own = tapes.filter { $0.name == subject.name }.map(\.tape)
      let best = own.max { $0.messages.count < $1.messages.count }
      var connections = Connections(
        tries: own.count, end: own.last?.end.map { AnswerFailure($0) }, lookups: subject.lookups,
        pairs: subject.pairs.map(\.pair))
      if subject.channel == .trades, best?.messages.isEmpty == false {
        connections.laterTrades = await laterTrades(of: subject, market)
      }
      all.append((subject.name, best ?? StreamTape(lines: []), connections))
    }
    return (all, recorder.problem)
  }

  private func laterTrades(of subject: StreamSubject, _ market: ExchangeMarket) async -> [Trade] {
    let row = subject.pairs[0].row
    let query = PairQuery(row.pair, product: row.product, subject.options)
    let answer = await session.newRound().trades(query, count: Self.tradeCount, on: market, of: subject.exchange)
    return answer.value?.trades ?? []
  }
}

extension TestedStream.Heard {
  init(_ connections: LiveStreams.Connections, _ tape: StreamTape, _ readings: StreamReadings) {
    func milliseconds(_ later: Instant?, since earlier: Instant?) -> Int? {
      guard let later, let earlier else { return nil }
      return Int(later.nanoseconds(since: earlier) / 1_000_000)
    }
    self.init(
      tries: connections.tries, openedAfter: milliseconds(tape.opened, since: tape.lines.first?.at),
      firstAfter: milliseconds(readings.updates.first?.arrival, since: tape.opened),
      messageCount: readings.messages.count, end: connections.end)
  }
}
