import Config
import Files
import JSON
import Mapping
import Quotes
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Our reading of messages as JSON, for `Tests/compare-streams-with-ccxt.py`.
///
/// `MARKET_STREAM_MESSAGES` names a list of files, one per line: exchange, market (or nothing), subject, path. Each
/// file has one message per line. The readings are written to `MARKET_STREAM_READINGS`, one object per line.
@Suite struct StreamReadingsFile {
  private static func path(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  static let isAsked = path("MARKET_STREAM_MESSAGES") != nil && path("MARKET_STREAM_READINGS") != nil

  @Test(.enabled(if: isAsked)) func writes() throws {
    let list = try #require(Self.path("MARKET_STREAM_MESSAGES"))
    let exchanges = try RecordedStreams.exchanges()
    var output: [UInt8] = []
    for line in String(decoding: try FileSystem.read(list), as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      try #require(words.count == 4)
      guard let exchange = exchanges.first(where: { $0.name == words[0] }) else { continue }
      let recording = MessageRecording(
        exchange: words[0], kind: words[2], market: words[1], file: words[3], bytes: try FileSystem.read(words[3]))
      for stream in RecordedStreams.streams(of: recording, exchange) {
        var reader = stream.reader(usesScan: true)
        for (index, message) in recording.messages.enumerated() {
          for case .updates(let updates) in reader.read(message, arrival: RecordedStream.arrival) {
            for update in updates { output += Self.line(of: update, index, stream) + [UInt8(ascii: "\n")] }
          }
        }
      }
    }
    try FileSystem.writeAtomically(output, to: try #require(Self.path("MARKET_STREAM_READINGS")))
  }

  private static func line(of update: StreamUpdate, _ index: Int, _ stream: RecordedStream) -> [UInt8] {
    let row = stream.pairs[update.pair].row
    var line: JSONValue = [
      "exchange": .string(stream.exchange), "market": .string(stream.market.rawValue),
      "channel": .string(stream.spec.channel.rawValue), "file": .string(stream.file), "message": .integer(index),
      "symbol": .string(row.symbol), "asset": .string(row.pair.asset), "payment": .string(row.pair.payment),
    ]
    switch update.value {
    case .ticker(let row):
      let cells = TickerField.allCases.filter { $0 != .time }.map { ($0.rawValue, number(row.cell($0))) }
      line = line + .members(cells + [("time", .integer(row.time.map(milliseconds)))])
    case .trades(let trades): line = line + ["trades": .list(trades, value)]
    case .orderbook(let book): line = line + ["bids": .list(book.bids, value), "asks": .list(book.asks, value)]
    case .candle(let candle, _): line = line + ["candle": value(candle)]
    case .unusable(let failure): line = line + ["unusable": .string(failure.reason.code)]
    }
    return line.written()
  }

  private static func value(_ level: OrderBook.Level) -> JSONValue {
    .array([.number(level.price.description), .number(level.size.description)])
  }

  private static func value(_ trade: Trade) -> JSONValue {
    [
      "time": .integer(milliseconds(trade.time)), "price": .number(trade.price.description),
      "size": number(trade.size), "side": .text(trade.side?.rawValue), "id": .text(trade.id),
    ]
  }

  private static func value(_ candle: Candle) -> JSONValue {
    let prices = [candle.open, candle.high, candle.low, candle.close].map { JSONValue.number($0.description) }
    return .array([.integer(milliseconds(candle.start))] + prices + [number(candle.volume)])
  }

  private static func number(_ cell: Cell) -> JSONValue { cell.value.map { .number($0.description) } ?? .null }

  private static func milliseconds(_ moment: Instant) -> Int { Int(moment.nanoseconds / 1_000_000) }
}
