import Cassettes
import Config
import HTTP
package import Mapping
import MarketData
package import Quotes

/// The mapped messages of a channel's connection.
package struct StreamReadings {
  package private(set) var updates: [(update: StreamUpdate, arrival: Instant)] = []
  /// Errors from the exchange, and unreadable messages.
  private(set) var refusals: [AnswerFailure] = []
  private(set) var gaps: [String] = []
  /// All messages, decompressed and unwrapped.
  private(set) var messages: [[UInt8]] = []
  /// The messages of the channel, and the pairs that each is about.
  private var takenOfPairs: [(message: [UInt8], pairs: Set<Int>)] = []
  var taken: [[UInt8]] { takenOfPairs.map(\.message) }
  /// The connection; nil for messages alone.
  private var tape: StreamTape?
  /// The number of messages with the marks of the channel but without rows.
  private var rowlessCount = 0
  /// The number of messages with changes alone, before any complete one.
  private(set) var baselessCount = 0
  /// Whether so many have no rows that they cannot all confirm subscriptions.
  private(set) var lacksRows = false

  /// - Parameter messages: nil for bytes that are neither text nor compressed text.
  package init(_ messages: some Sequence<(at: Instant, bytes: [UInt8]?)>, _ reader: consuming StreamReader) {
    for (at, bytes) in messages {
      guard let bytes else {
        refusals.append(.unreadableBytes)
        continue
      }
      let message = reader.unwrapped(bytes)
      self.messages.append(message)
      let count = updates.count
      for reading in reader.read(message, arrival: at) { take(reading, at: at) }
      if updates.count > count { takenOfPairs.append((message, Set(updates[count...].map(\.update.pair)))) }
    }
  }

  init(_ tape: StreamTape, _ reader: consuming StreamReader) {
    self.init(tape.messages, reader)
    self.tape = tape
    lacksRows = rowlessCount > tape.sent.count
  }

  private mutating func take(_ reading: StreamReading, at arrival: Instant) {
    switch reading {
    case .other, .foreign, .ping: break
    case .baseless: baselessCount += 1
    case .rowless: rowlessCount += 1
    case .updates(let new):
      for update in new {
        if case .unusable(let failure) = update.value {
          refusals.append(failure)
        } else {
          updates.append((update, arrival))
        }
      }
    case .refused(let failure): refusals.append(failure)
    case .gap(_, let what): gaps.append(what)
    }
  }

  /// Returns one of the messages that were sent, by its number from 0, and the text that arrived next; nil if none did.
  func answer(toSent number: Int) -> (sent: String, answer: String)? {
    var (sent, count): (String?, Int) = (nil, 0)
    for line in tape?.lines ?? [] {
      switch line.event {
      case .sent(let text):
        if count == number { sent = text }
        count += 1
      case .signal(.message(let bytes, _)):
        if let sent { return String(validating: bytes, as: UTF8.self).map { (sent, $0) } }
      case .opened, .signal: break
      }
    }
    return nil
  }

  /// Returns the readings with the updates of one pair.
  func only(_ pair: Int) -> StreamReadings {
    var own = self
    own.updates = updates.filter { $0.update.pair == pair }
    own.takenOfPairs = takenOfPairs.filter { $0.pairs.contains(pair) }
    return own
  }

  func tickers(of pair: Int) -> [(row: Ticker, arrival: Instant)] {
    updates.compactMap { entry in
      if entry.update.pair == pair, case .ticker(let row) = entry.update.value { (row, entry.arrival) } else { nil }
    }
  }

  /// The last row of each pair, in the order of the pairs.
  package var lastTickers: [Ticker] {
    let rows = updates.compactMap { entry -> (Int, Ticker)? in
      if case .ticker(let row) = entry.update.value { (entry.update.pair, row) } else { nil }
    }
    return Dictionary(rows, uniquingKeysWith: { $1 }).sorted { $0.key < $1.key }.map(\.value)
  }

  package var trades: [Trade] {
    updates.flatMap { entry -> [Trade] in
      if case .trades(let trades) = entry.update.value { trades } else { [] }
    }
  }

  package var books: [OrderBook] {
    updates.compactMap { if case .orderbook(let book) = $0.update.value { book } else { nil } }
  }

  /// Every state of every candle, in the order of arrival.
  package var candleUpdates: [Candle] {
    updates.compactMap { if case .candle(let candle, _) = $0.update.value { candle } else { nil } }
  }

  /// The last one of each time.
  var candles: [Candle] {
    let last = Dictionary(candleUpdates.map { ($0.start, $0) }, uniquingKeysWith: { _, later in later })
    return last.values.sorted { $0.start < $1.start }
  }
}
