import Config
import Mapping
import Quotes
import Testing

/// A stream from the manual: the incoming messages, with what is sent and known in between.
///
/// `opened` is the address of each pair's own connection, `message` an incoming message, `sent` what was sent since the last `sent`, one per line; `readings` are errors
/// and gaps, `trades` and `candles` those received since the previous block; `book` is the order book and `table` the
/// state of all rows. Words after `json` select what is requested: `channel orderbook`, `interval 1m`, `futures`.
struct StreamExample: Sendable, CustomTestStringConvertible {
  private let place: String
  private let example: ManualExample
  private let channel: StreamChannel
  private let interval: CandleInterval?
  private var table: String?
  private var lookups: [String: String] = [:]
  private var steps: [(kind: String, lines: [String])] = []

  var testDescription: String { place }

  init(_ block: Manual.Block, page: String) {
    place = "\(page):\(block.line)"
    func word(behind name: String) -> String? { zip(block.words, block.words.dropFirst()).first { $0.0 == name }?.1 }
    channel = word(behind: "channel").flatMap { StreamChannel(rawValue: $0) } ?? .ticker
    interval = word(behind: "interval").flatMap { CandleInterval(rawValue: $0) }
    // A piece without a table gets the usual one.
    let members = block.text.hasPrefix("\"tickers\"") ? block.text : "\(Self.usualTable),\n\(block.text)"
    example = ManualExample(Manual.Block(words: block.words, text: members, line: block.line), page: page)
  }

  private static let usualTable =
    #""tickers": {"request": {"path": "/tickers"}, "fields": {"price": "$.p", "volume24": "$.v"}}"#
  private static let usualAnswer =
    #"[{"s": "BTC-USDT", "p": "65000.00", "v": "12.5"}, {"s": "ETH-USDT", "p": "3200.00", "v": "7"}]"#

  mutating func take(_ block: Manual.Block) {
    switch (block.words.first, block.words.dropFirst().first) {
    case ("json", "response"): table = block.text
    case ("json", "lookup"): lookups[block.words[block.words.count - 1]] = block.text
    case ("message", _): steps.append(("message", [block.text]))
    case (let kind?, _):
      let lines = block.text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
      steps.append((kind, lines))
    default: break
    }
  }

  func check() throws {
    if steps.first?.kind == "findings" {
      var example = example
      example.take(Manual.Block(words: ["findings"], text: steps[0].lines.joined(separator: "\n"), line: 0))
      return try example.check()
    }
    try example.check()
    let exchange = try TestTable(config: example.config)
    var stream = try TestStream(channel, of: exchange, table: table ?? Self.usualAnswer, lookups: lookups)
    stream.interval = interval
    var known = Known(stream)
    for step in steps {
      switch step.kind {
      case "message": known.take(step.lines[0])
      case "opened": #expect(known.opened == step.lines)
      case "sent": #expect(known.sent == step.lines)
      case "readings": #expect(known.readings == step.lines)
      case "trades": #expect(known.trades == step.lines)
      case "candles": #expect(known.candles == step.lines)
      case "book": #expect(known.book == step.lines)
      case "table":
        let header = (["pair"] + stream.fields.map(\.rawValue)).joined(separator: " ")
        #expect([header] + known.rows.map { stream.line(of: $0) } == step.lines)
      default: Issue.record("an unknown block '\(step.kind)'")
      }
      known.forget(step.kind)
    }
  }
}

/// The state known so far while an example's messages arrive.
private struct Known {
  private let stream: TestStream
  private var reader: StreamReader
  private var walker: StreamReader
  private var writer: MessageWriter
  private(set) var opened: [String] = []
  var sent: [String] = []
  var readings: [String] = []
  var trades: [String] = []
  var candles: [String] = []
  var book: [String] = []
  var rows: [Ticker]

  init(_ stream: TestStream) {
    self.stream = stream
    (reader, walker) = (stream.reader(), stream.reader(usesScan: false))
    rows = stream.pairs.map(\.row)
    let connection = stream.spec.connection
    writer = MessageWriter(connection)
    let word = stream.spec.intervals.first { $0.interval == stream.interval }?.word
    if let address = connection.urls.first {
      let first = writer
      opened = stream.pairs.map { pair in
        var own = first
        return own.url(address, pair, interval: word, now: stream.arrival)?.text ?? "nothing"
      }
      // As on a connection: its address counts as the first message.
      _ = writer.url(address, stream.pairs.first, interval: word, now: stream.arrival)
    }
    if let hello = connection.hello?.send { sent += [writer.message(hello, now: stream.arrival)?.text ?? "nothing"] }
    sent += writer.subscriptions(stream.spec, stream.pairs, interval: word, now: stream.arrival).map(\.text)
  }

  mutating func take(_ message: String) {
    let found = Array(reader.read(Array(message.utf8), arrival: stream.arrival))
    let walked = Array(walker.read(Array(message.utf8), arrival: stream.arrival))
    #expect(found.map(stream.line) == walked.map(stream.line), "the scan and the tree read the message differently")
    for reading in found {
      switch reading {
      case .ping(let values):
        guard let send = stream.spec.connection.pong?.send else { continue }
        sent += [writer.message(send, values: values, now: stream.arrival)?.text ?? "nothing"]
      case .updates(let updates): for update in updates { take(update) }
      case .refused, .gap, .rowless: readings.append(stream.line(of: reading))
      case .other, .foreign, .baseless: break
      }
    }
  }

  private mutating func take(_ update: StreamUpdate) {
    switch update.value {
    case .ticker(let row): rows[update.pair] = row
    case .trades(let trades): self.trades += trades.map(TestStream.text)
    case .candle(let candle, _): candles.append(TestStream.text(candle))
    case .unusable: readings.append(stream.line(of: .updates([update])))
    case .orderbook(let book):
      self.book =
        book.bids.map { "bid \($0.price) \($0.size)" } + book.asks.map { "ask \($0.price) \($0.size)" }
    }
  }

  /// Forgets what a block of the page has shown.
  mutating func forget(_ kind: String) {
    switch kind {
    case "sent": sent = []
    case "readings": readings = []
    case "trades": trades = []
    case "candles": candles = []
    default: break
    }
  }
}

extension Manual {
  static func streamExamples(of page: String) -> [StreamExample] {
    blocks(of: page).reduce(into: []) { examples, block in
      let isConfig = block.words.first == "json" && !["response", "lookup"].contains(block.words.dropFirst().first)
      if isConfig {
        examples.append(StreamExample(block, page: page))
      } else if let last = examples.indices.last {
        examples[last].take(block)
      }
    }
  }
}
