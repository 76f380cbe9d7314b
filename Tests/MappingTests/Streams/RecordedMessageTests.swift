import Config
import Mapping
import Quotes
import TestSupport
import Testing

/// Messages recorded by others, read with the shipped blocks.
@Suite struct RecordedMessageTests {
  /// Statistics on the messages of one exchange.
  private struct Counts {
    var messages = 0
    var taken = 0
    /// The number of rows, books, candles and single trades.
    var updates = 0
    var pings = 0
    var refused = 0
    var gaps = 0
    /// The number of rows with inconsistent numbers.
    var flagged = 0
    /// The messages that a channel took from recordings of a kind, like `trades>trades`.
    var channels: [String: Int] = [:]

    /// `390: 246 taken, 246 updates; trades>trades 77`, plus other counts.
    var line: String {
      let others = [("flagged", flagged), ("pings", pings), ("refused", refused), ("gaps", gaps)]
      let words = others.filter { $0.1 > 0 }.map { ", \($0.1) \($0.0)" }.joined()
      let taken = channels.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
      return "\(messages): \(self.taken) taken, \(updates) updates\(words)" + (taken.isEmpty ? "" : "; \(taken)")
    }
  }

  /// Channels take only the messages of their kind. At Bitstamp prices are derived from trades, Binance, Gate and
  /// KuCoin have the best offers in what others call a ticker, and Upbit's offers are those of its book. The flagged
  /// rows are samples from documentation with made-up numbers. Not taken are other channels, acknowledgements,
  /// heartbeats, older APIs, and expiring contracts.
  private static let expected = [
    "Binance 390: 246 taken, 246 updates, 2 flagged; book-ticker>offers 5, candles>candles 43, "
      + "mixed>candles 1, mixed>ticker 1, orderbook>orderbook 4, ticker>offers 106, ticker>ticker 5, ticker>tickers 4, trades>trades 77",
    "Bingx 14: 9 taken, 31 updates; candles>candles 3, orderbook>orderbook 2, ticker>ticker 2, trades>trades 2",
    "Bitfinex 68: 0 taken, 0 updates",
    "Bitflyer 116: 80 taken, 114 updates; ticker>ticker 41, trades>trades 39",
    "Bitget 25: 8 taken, 9 updates; candles>candles 2, orderbook>orderbook 2, ticker>ticker 2, trades>trades 2",
    "Bithumb 12: 0 taken, 0 updates",
    "Bitstamp 38: 15 taken, 15 updates; orderbook>orderbook 2, ticker>ticker 1, ticker>trades 1, "
      + "trades>ticker 12, trades>trades 12",
    "Bybit 122: 10 taken, 10 updates; ticker>ticker 9, trades>trades 1",
    "Coinbase 117: 107 taken, 107 updates; orderbook>orderbook 6, ticker>ticker 60, trades>trades 41",
    "Coinone 1: 0 taken, 0 updates",
    "Cryptocom 5: 5 taken, 5 updates, 1 flagged; candles>candles 1, orderbook>orderbook 1, "
      + "ticker>ticker 2, trades>trades 1",
    "Deribit 82: 64 taken, 65 updates, 4 flagged; orderbook>orderbook 2, ticker>ticker 58, trades>trades 4",
    "Dydx 45: 0 taken, 0 updates",
    "Gate 201: 124 taken, 125 updates, 1 flagged; book-ticker>offers 3, candles>candles 16, "
      + "mixed>candles 1, mixed>offers 1, mixed>ticker 1, orderbook>orderbook 2, ticker>offers 59, ticker>ticker 29, trades>trades 12",
    "Gemini 30: 0 taken, 0 updates",
    "Htx 170: 77 taken, 102 updates, 18 pings; candles>candles 6, orderbook>orderbook 10, "
      + "ticker>ticker 4, trades>trades 57",
    "Hyperliquid 5: 5 taken, 6 updates; book-ticker>offers 1, candles>candles 1, orderbook>orderbook 1, "
      + "ticker>tickers 1, trades>trades 1",
    "Korbit 1: 1 taken, 1 updates; ticker>ticker 1",
    "Kraken 188: 10 taken, 10 updates; candles>candles 1, orderbook>orderbook 2, ticker>offers 1, ticker>ticker 3, trades>trades 4",
    "Kucoin 206: 114 taken, 114 updates; book-ticker>offers 5, mixed>offers 3, mixed>orderbook 1, "
      + "mixed>ticker 3, mixed>trades 1, orderbook>orderbook 4, ticker>offers 65, ticker>ticker 11, trades>trades 21",
    "Lbank 5: 4 taken, 4 updates; orderbook>orderbook 1, ticker>ticker 2, trades>trades 1",
    "Mexc 37: 11 taken, 11 updates, 5 refused; candles>candles 4, orderbook>orderbook 3, ticker>ticker 3, trades>trades 1",
    "Okx 141: 71 taken, 71 updates, 1 flagged; candles>candles 4, orderbook>orderbook 1, "
      + "ticker>ticker 30, trades>trades 36",
    "Phemex 50: 3 taken, 3 updates; orderbook>orderbook 3",
    "Poloniex 13: 6 taken, 6 updates; trades>trades 6",
    "Upbit 50: 4 taken, 4 updates; candles>candles 1, orderbook>offers 1, orderbook>orderbook 1, "
      + "ticker>ticker 1, trades>trades 1",
    "Whitebit 5: 3 taken, 3 updates; candles>candles 1, ticker>ticker 1, trades>trades 1",
  ]

  @Test(.enabled(if: SharedCorpora.arePresent)) func counts() throws {
    let exchanges = try RecordedStreams.exchanges()
    var counts: [String: Counts] = [:]
    for recording in RecordedStreams.recordings(of: exchanges.map(\.name)) {
      guard let exchange = exchanges.first(where: { $0.name == recording.exchange }) else { continue }
      counts[exchange.name, default: Counts()].messages += recording.messages.count
      // By message: the market and channels that took it first.
      var taken: [Int: (market: Market, channels: Set<StreamChannel>)] = [:]
      var (pings, refused): (Set<Int>, Set<Int>) = ([], [])
      for stream in RecordedStreams.streams(of: recording, exchange) {
        for (index, reading) in try readings(of: stream) {
          switch reading {
          case .updates(let updates) where updates.allSatisfy(\.isUnusable): refused.insert(index)
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
          case .other, .foreign, .baseless, .rowless: break
          }
        }
      }
      counts[exchange.name]?.taken += taken.count
      counts[exchange.name]?.pings += pings.count
      counts[exchange.name]?.refused += refused.subtracting(taken.keys).count
    }
    let lines = counts.sorted { $0.key < $1.key }.map { name, counts in "\(name) \(counts.line)" }
    #expect(lines == Self.expected)
  }

  /// Returns the readings; the scan and the tree must read each message alike.
  private func readings(of stream: RecordedStream) throws -> [(index: Int, reading: StreamReading)] {
    var (scanned, walked) = (stream.reader(usesScan: true), stream.reader(usesScan: false))
    return stream.messages.enumerated().flatMap { index, message in
      let readings = Array(scanned.read(message, arrival: RecordedStream.arrival))
      let others = Array(walked.read(message, arrival: RecordedStream.arrival))
      #expect(
        readings.map(ReadingOutcome.init) == others.map(ReadingOutcome.init),
        "the scan and the tree read message \(index) of \(stream.file) differently")
      return readings.map { (index, $0) }
    }
  }
}

extension StreamUpdate {
  /// The number of rows; trades count one by one.
  fileprivate var rowCount: Int { if case .trades(let trades) = value { trades.count } else { 1 } }

  fileprivate var isUnusable: Bool { if case .unusable = value { true } else { false } }

  fileprivate var isFlagged: Bool {
    if case .ticker(let row) = value { row.flags.contains { $0.code != "stale" } } else { false }
  }
}
