import Config
package import JSON
import Mapping
package import MarketData
import Quotes

/// A stream event as a record of named texts, from which both JSON and CSV are written.
///
/// Numbers have all their digits. What the exchange does not report is null, with the reason next to it.
struct StreamRecord {
  /// `ticker`, `offer`, `trade`, `orderbook`, `candle`, `connected`, `fallback`, `gap`, `refused`, `failed`, `missed`.
  let type: String
  let feed: StreamBacklog.Feed
  /// `stream` or `rest`; nil if it came from neither.
  let source: String?
  /// The exchange's own time.
  let time: Instant?
  let arrival: Instant?
  var values: [(name: String, text: String?)]
  var reasons: [(name: String, code: String)] = []
  var levels: OrderBook?
  var flags: [String] = []
  /// When the price arrived, if the message has none of its own.
  var priceArrival: Instant?
  /// What the price is, unless a last trade, what the change is measured from, and what the time is of, unless the quote.
  var bases: [(name: String, text: String?)] = [("priceBasis", nil), ("changeBasis", nil), ("timeBasis", nil)]
  /// Where it comes from; nil if not requested.
  var explanation: JSONValue?

  /// Returns the records of an event: one, or one for each trade.
  static func all(_ event: StreamEvent) -> [StreamRecord] {
    switch event.content {
    case .ticker(let row):
      var record = StreamRecord(event.channel == .offers ? "offer" : "ticker", event)
      record.add(row, event.channel == .offers ? [.bid, .ask] : TickerField.figures)
      record.flags = row.flags.codes
      if event.isStreamed, event.channel != .offers { record.priceArrival = row.otherPriceArrival }
      return [record]
    case .trades(let trades):
      return trades.map { trade in
        var record = StreamRecord(
          "trade", event,
          [
            ("price", trade.price.description), ("size", trade.size.value?.description),
            ("side", trade.side?.rawValue), ("id", trade.id),
          ], time: trade.time)
        record.reasons = trade.reasons.compactMap { title, code in code.map { (name: title, code: $0) } }
        return record
      }
    case .orderbook(let book):
      var record = StreamRecord(
        "orderbook", event,
        [
          ("bid", book.bids.first?.price.description), ("bidSize", book.bids.first?.size.description),
          ("ask", book.asks.first?.price.description), ("askSize", book.asks.first?.size.description),
        ])
      for name in record.values.filter({ $0.text == nil }).map(\.name) {
        record.reasons.append((name, Missing.emptyAnswer.code))
      }
      if let missing = book.timeMissing { record.reasons.append(("time", missing.code)) }
      record.levels = book
      record.flags = book.flags.codes
      return [record]
    case .candle(let candle, let interval):
      var record = StreamRecord(
        "candle", event,
        [
          ("interval", interval.rawValue), ("open", candle.open.description), ("high", candle.high.description),
          ("low", candle.low.description), ("close", candle.close.description),
        ])
      record.add("volume", candle.volume)
      record.add("turnover", candle.turnover)
      return [record]
    case .connected: return [StreamRecord("connected", event)]
    case .life: return []
    case .fallback(let failure, let retry):
      return [StreamRecord("fallback", event, failure.values + [("retry", retry?.iso8601)])]
    case .gap(let what): return [StreamRecord("gap", event, [("reason", "stream-gap"), ("message", what)])]
    // The number is unknown.
    case .missed: return [StreamRecord("missed", event, [("count", nil)])]
    case .refused(let failure): return [StreamRecord("refused", event, failure.values)]
    case .leftOut(let finding):
      return [StreamRecord("refused", event, [("reason", finding.kind.rawValue), ("message", finding.message)])]
    case .failed(let failure): return [StreamRecord("failed", event, failure.values)]
    }
  }

  init(missed count: Int, of feed: StreamBacklog.Feed) {
    (type, self.feed, source, time, arrival) = ("missed", feed, nil, nil, nil)
    values = [("count", "\(count)")]
  }

  private init(
    _ type: String, _ event: StreamEvent, _ values: [(name: String, text: String?)] = [], time: Instant? = nil
  ) {
    self.type = type
    self.values = values
    feed = StreamBacklog.Feed(event)
    source = event.isStreamed ? "stream" : "rest"
    self.time = time ?? event.time
    arrival = event.arrival
  }

  private mutating func add(_ row: Ticker, _ fields: [TickerField]) {
    for field in fields {
      values.append((field.rawValue, row.digits(field)))
      if let missing = row.cell(field).missing { reasons.append((field.rawValue, missing.code)) }
    }
    if let missing = row.timeMissing { reasons.append(("time", missing.code)) }
    bases = [
      ("priceBasis", fields.contains(.price) ? row.priceBasis.label : nil),
      ("changeBasis", fields.contains(.changePricePercent24) ? row.changeBasis?.rawValue : nil),
      ("timeBasis", row.time == nil || row.timeBasis == .quote ? nil : row.timeBasis.rawValue),
    ]
  }

  private mutating func add(_ name: String, _ cell: Cell) {
    values.append((name, cell.value?.description))
    if let missing = cell.missing { reasons.append((name, missing.code)) }
  }
}

extension AnswerFailure {
  fileprivate var values: [(name: String, text: String?)] { [("reason", reason.code), ("message", message)] }
}

/// Stream events as JSON, one object per line.
package struct StreamObjects: Sendable {
  /// The line number, which increases by one from line to line.
  private var number: UInt64 = 0

  package init() {}

  /// - Parameter explanation: How the event came about; nil if not requested.
  package mutating func lines(_ event: StreamEvent, explanation: JSONValue? = nil) -> [UInt8] {
    var records = StreamRecord.all(event)
    // If there are several trades, the newest is explained.
    if let last = records.indices.last { records[last].explanation = explanation }
    return records.reduce(into: []) { bytes, record in bytes += line(record) }
  }

  package mutating func line(missed count: Int, of feed: StreamBacklog.Feed) -> [UInt8] {
    line(StreamRecord(missed: count, of: feed))
  }

  private mutating func line(_ record: StreamRecord) -> [UInt8] {
    number += 1
    var lines = LineWriter()
    lines.object { writer in
      writer.member("type", record.type)
      writer.member("seq", .number("\(number)"))
      writer.member("exchange", record.feed.exchange)
      writer.member("market", record.feed.market.rawValue)
      writer.member("product", record.feed.product)
      writer.member("asset", record.feed.pair?.asset)
      writer.member("payment", record.feed.pair?.payment)
      writer.member("channel", record.feed.channel.rawValue)
      writer.member("source", record.source)
      writer.member("time", record.time?.iso8601)
      writer.member("arrival", record.arrival?.iso8601)
      if let priceArrival = record.priceArrival { writer.member("priceArrival", priceArrival.iso8601) }
      for (name, text) in record.values { writer.member(name, text) }
      if let book = record.levels {
        writer.member("bids", .list(book.bids, Self.level))
        writer.member("asks", .list(book.asks, Self.level))
      }
      for basis in record.bases { if let text = basis.text { writer.member(basis.name, text) } }
      if !record.flags.isEmpty { writer.member("flags", texts: record.flags) }
      if !record.reasons.isEmpty {
        writer.member("reasons", .members(record.reasons.map { ($0.name, .string($0.code)) }))
      }
      if let explanation = record.explanation { writer.member("explain", explanation) }
    }
    return lines.bytes
  }

  private static func level(_ level: OrderBook.Level) -> JSONValue {
    .texts([level.price.description, level.size.description])
  }
}

/// Stream events as CSV: one table with all columns that any of them has.
package enum StreamTable {
  private static let columns =
    ["price", "changePricePercent24", "volume24", "turnover24"]
    + ["open", "high", "low", "close", "volume", "turnover", "bid", "bidSize", "ask", "askSize"]
    + ["size", "side", "id", "interval", "reason", "message", "retry", "count"]

  package static var titles: String {
    CSVWriter(
      titles: ["type", "exchange", "market", "product", "asset", "payment", "channel", "source", "time", "arrival"]
        + columns + ["priceBasis", "changeBasis", "timeBasis", "flags", "reasons"]
    ).text
  }

  package static func lines(_ event: StreamEvent) -> String { text(StreamRecord.all(event)) }

  package static func line(missed count: Int, of feed: StreamBacklog.Feed) -> String {
    text([StreamRecord(missed: count, of: feed)])
  }

  private static func text(_ records: [StreamRecord]) -> String {
    var writer = CSVWriter()
    for record in records {
      let feed = record.feed
      let values = Dictionary(record.values.map { ($0.name, $0.text ?? "") }, uniquingKeysWith: { first, _ in first })
      let reasons = CSVWriter.Field.reasons(record.reasons.map { ($0.name, $0.code) })
      let names: [CSVWriter.Field] = [
        .text(record.type), .text(feed.exchange), .text(feed.market.rawValue), .text(feed.product),
        .text(feed.pair?.asset), .text(feed.pair?.payment), .text(feed.channel.rawValue), .text(record.source),
        .text(record.time?.iso8601), .text(record.arrival?.iso8601),
      ]
      let numbers: [CSVWriter.Field] = columns.map { .number(values[$0]) }
      let bases: [CSVWriter.Field] = record.bases.map { .text($0.text) }
      let flags = CSVWriter.Field.text(record.flags.joined(separator: " "))
      writer.addRecord(names + numbers + bases + [flags, reasons])
    }
    return writer.text
  }
}
