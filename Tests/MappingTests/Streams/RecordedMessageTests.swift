import Config
import Mapping
import Quotes
import TestSupport
import Testing

/// Messages that others recorded, read by the blocks that ship.
@Suite struct RecordedMessageTests {
  /// What became of the messages of one exchange.
  private struct Counts {
    var messages = 0
    var taken = 0
    var updates = 0
    var pings = 0
    var refused = 0
    var gaps = 0
    /// Rows whose numbers do not fit together.
    var flagged = 0
    /// By channel and what the recording is about: messages.
    var channels: [String: Int] = [:]
  }

  @Test(.enabled(if: SharedCorpora.arePresent)) func counts() throws {
    let exchanges = try RecordedStreams.exchanges()
    var counts: [String: Counts] = [:]
    for recording in RecordedStreams.recordings(of: exchanges.map(\.name)) {
      guard let exchange = exchanges.first(where: { $0.name == recording.exchange }) else { continue }
      counts[exchange.name, default: Counts()].messages += recording.messages.count
      // By message: in which market and channel it was taken first.
      var taken: [Int: (market: Market, channels: Set<StreamChannel>)] = [:]
      var (pings, refused): (Set<Int>, Set<Int>) = ([], [])
      for stream in RecordedStreams.streams(of: recording, exchange) {
        for (index, reading) in try readings(of: stream) {
          switch reading {
          case .updates(let updates):
            if let known = taken[index], known.market != stream.market { continue }
            let isNew = taken[index, default: (stream.market, [])].channels.insert(stream.spec.channel).inserted
            guard isNew else { continue }
            counts[exchange.name]?.channels["\(recording.kind)>\(stream.spec.channel.rawValue)", default: 0] += 1
            guard taken[index]?.channels.count == 1 else { continue }
            counts[exchange.name]?.updates += updates.reduce(0) { $0 + $1.rowCount }
            counts[exchange.name]?.flagged += updates.reduce(0) { $0 + ($1.isFlagged ? 1 : 0) }
          case .ping: pings.insert(index)
          case .refused: refused.insert(index)
          case .gap: counts[exchange.name]?.gaps += 1
          case .other: break
          }
        }
      }
      counts[exchange.name]?.taken += taken.count
      counts[exchange.name]?.pings += pings.count
      counts[exchange.name]?.refused += refused.subtracting(taken.keys).count
    }
    let lines = counts.sorted { $0.key < $1.key }.map { name, counts in
      let channels = counts.channels.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
      return
        "\(name): \(counts.messages) messages, \(counts.taken) taken, \(counts.updates) updates, \(counts.flagged) flagged, \(counts.pings) pings, \(counts.refused) refused, \(counts.gaps) gaps; \(channels)"
    }
    #expect(lines == [])
  }

  /// The scan and the tree must read each message alike.
  private func readings(of stream: RecordedStream) throws -> [(index: Int, reading: StreamReading)] {
    var (scanned, walked) = (stream.reader(usesScan: true), stream.reader(usesScan: false))
    return stream.messages.enumerated().flatMap { index, message in
      let readings = scanned.read(message, arrival: RecordedStream.arrival)
      let others = walked.read(message, arrival: RecordedStream.arrival)
      #expect(
        readings.map(ReadingOutcome.init) == others.map(ReadingOutcome.init),
        "the scan and the tree read message \(index) of \(stream.file) differently")
      return readings.map { (index, $0) }
    }
  }
}

extension StreamUpdate {
  /// Trades count one by one.
  fileprivate var rowCount: Int { if case .trades(let trades) = value { trades.count } else { 1 } }

  fileprivate var isFlagged: Bool { if case .ticker(let row) = value { row.flags.contains { $0.code != "stale" } } else { false } }
}
