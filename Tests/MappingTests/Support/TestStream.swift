import Config
import HTTP
import Mapping
import Quotes
import Testing

/// One channel of a fictitious exchange, with its initial table.
struct TestStream {
  let spec: StreamSpec
  let market: Market
  let pairs: [StreamPair]
  let lookups: [String: LookupState]
  /// The fields offered by the table or the stream, in order.
  let fields: [TickerField]
  var interval: CandleInterval?
  /// 2024-02-29T15:30:00Z.
  let arrival = Instant(nanoseconds: 1_709_220_600_000_000_000)

  /// - Parameters:
  ///   - streams: the members of `streams`.
  ///   - tickers: further members of the table.
  ///   - table: the response to the table's request.
  ///   - lookups: the responses of lookups, by name.
  init(
    _ channel: StreamChannel, streams: String, tickers: String, table: String, market: Market = .spot,
    lookups: [String: String] = [:]
  ) throws {
    let config = """
      {"version": 1, "exchanges": {"Exchange": {
        "baseUrls": ["https://exchange.test"], "rows": "$[*]", "symbol": {"path": "$.s", "split": "-"},
        "streams": {\(try streams.completed(#""urls": ["wss://exchange.test/ws"]"#))},
        "markets": {"\(market)": {"tickers": {\(try tickers.completed(#""request": {"path": "/tickers"}"#))}}}}}}
      """
    try self.init(channel, of: TestTable(config: config, market: market), table: table, lookups: lookups)
  }

  init(_ channel: StreamChannel, of exchange: TestTable, table: String, lookups: [String: String] = [:]) throws {
    market = exchange.market
    let table = try exchange.table(Array(table.utf8), Asked(lookups: lookups))
    let part = try exchange.part()
    spec = try #require(exchange.exchange.market(market)?.streams.first?[channel])
    pairs = table.rows.map { StreamPair($0.ticker, of: part) }
    let asked = Asked(lookups: lookups)
    self.lookups = Dictionary(
      part.lookups.map { ($0.name, asked.state(of: $0)) }, uniquingKeysWith: { first, _ in first })
    let names = Set(part.fields.keys).union(spec.table.fields.keys)
    fields = TickerField.allCases.filter { names.contains($0.rawValue) }
  }

  func reader(usesScan: Bool = true) -> StreamReader {
    StreamReader(
      spec, market: market, pairs, interval: interval, lookups: lookups, Interpretation(check: MeaningCheck()),
      usesScan: usesScan)
  }

  // MARK: Reading

  /// Returns the readings of each message; the scan and the tree must agree.
  func readings(_ messages: [[UInt8]]) -> [[StreamReading]] {
    var (scanned, walked) = (reader(), reader(usesScan: false))
    return messages.map { message in
      let readings = Array(scanned.read(message, arrival: arrival))
      let others = Array(walked.read(message, arrival: arrival))
      #expect(
        readings.map(ReadingOutcome.init) == others.map(ReadingOutcome.init),
        "the scan and the tree read the message differently")
      return readings
    }
  }

  /// Returns the readings of each message as text, see ``line(of:)``.
  func lines(_ messages: [String]) -> [String] {
    readings(messages.map { Array($0.utf8) }).map { $0.map(line).joined(separator: " + ") }
  }

  /// Returns `BTC/USDT 65000.50 12.5`, `ping n=17`, `refused 400 (bad)`, `gap BTC/USDT (…)`, or `-` for a heartbeat.
  func line(of reading: StreamReading) -> String {
    switch reading {
    case .other, .foreign, .baseless: "-"
    case .rowless(let failure): "rowless" + (failure.message.map { " (\($0))" } ?? "")
    case .ping(let values):
      "ping"
        + values.sorted { $0.key < $1.key }.map { name, value in
          value.isNumber ? " \(name)=\(value.text)" : " \(name)=\"\(value.text)\""
        }.joined()
    case .refused(let failure): "refused \(failure.reason.code)" + (failure.message.map { " (\($0))" } ?? "")
    case .gap(let pair, let what): "gap \(name(of: pair)) (\(what))"
    case .updates(let updates):
      updates.isEmpty ? "no updates" : updates.map { line(of: $0) }.joined(separator: ", ")
    }
  }

  private func line(of update: StreamUpdate) -> String {
    switch update.value {
    case .ticker(let row): line(of: row)
    case .trades(let trades):
      "\(name(of: update.pair)) " + trades.map(Self.text).joined(separator: "; ")
    case .orderbook(let book):
      "\(name(of: update.pair)) \(Self.text(book.bids)) | \(Self.text(book.asks))"
        + (book.sequence.map { " #\($0)" } ?? "") + (book.time.map { " @\($0.iso8601)" } ?? "")
        + book.flags.map { " !\($0.code)" }.joined()
    case .candle(let candle, _): "\(name(of: update.pair)) \(Self.text(candle))"
    case .unusable(let failure):
      "unusable \(name(of: update.pair)) \(failure.reason.code)" + (failure.message.map { " (\($0))" } ?? "")
    }
  }

  func line(of row: Ticker) -> String {
    ([name(of: row)] + fields.map { row.text($0) ?? missing($0, in: row) } + row.flags.map { "!" + $0.code })
      .joined(separator: " ")
  }

  private func missing(_ field: TickerField, in row: Ticker) -> String {
    (field == .time ? row.timeMissing : row.cell(field).missing)?.code ?? "?"
  }

  private func name(of pair: Int) -> String { name(of: pairs[pair].row) }

  private func name(of row: Ticker) -> String { "\(row.pair.asset)/\(row.pair.payment)" }

  /// Returns text like `2024-02-29T15:30:00.25Z 65000.2 0.02 buy 11`.
  static func text(_ trade: Trade) -> String {
    let size = trade.size.value?.description ?? trade.size.missing?.code ?? ""
    return [
      trade.time.iso8601, "\(trade.price)", size, trade.side?.rawValue ?? "side-unknown", trade.id ?? "-",
    ].joined(separator: " ")
  }

  /// Returns text like `2024-02-29T15:25:00Z 100 102 99 101 3 302`.
  static func text(_ candle: Candle) -> String {
    let amounts = [candle.volume, candle.turnover].map { $0.value?.description ?? $0.missing?.code ?? "" }
    return
      ([candle.start.iso8601] + [candle.open, candle.high, candle.low, candle.close].map(\.description) + amounts)
      .joined(separator: " ")
  }

  private static func text(_ levels: [OrderBook.Level]) -> String {
    levels.map { "\($0.price)x\($0.size)" }.joined(separator: " ")
  }
}

/// Everything that both engines must agree on.
enum ReadingOutcome: Equatable {
  case other
  case rowless(AnswerFailure)
  case ping([String: MessageValue])
  case refused(AnswerFailure)
  case gap(Int, String)
  case baseless([Int])
  case tickers([Int], [Ticker])
  case trades([Int], [[Trade]])
  case books([Int], [OrderBook])
  case candles([Int], [Candle])
  case unusable([Int], [AnswerFailure])

  init(_ reading: StreamReading) {
    switch reading {
    case .other, .foreign: self = .other
    case .baseless(let pairs): self = .baseless(pairs)
    case .rowless(let failure): self = .rowless(failure)
    case .ping(let values): self = .ping(values)
    case .refused(let failure): self = .refused(failure)
    case .gap(let pair, let what): self = .gap(pair, what)
    case .updates(let updates):
      let pairs = updates.map(\.pair)
      let tickers = updates.compactMap { if case .ticker(let row) = $0.value { row } else { nil } }
      let trades = updates.compactMap { if case .trades(let trades) = $0.value { trades } else { nil } }
      let books = updates.compactMap { if case .orderbook(let book) = $0.value { book } else { nil } }
      let candles = updates.compactMap { if case .candle(let candle, _) = $0.value { candle } else { nil } }
      let failures = updates.compactMap { if case .unusable(let failure) = $0.value { failure } else { nil } }
      switch (trades.isEmpty, books.isEmpty, candles.isEmpty) {
      case (false, _, _): self = .trades(pairs, trades)
      case (_, false, _): self = .books(pairs, books)
      case (_, _, false): self = .candles(pairs, candles)
      default: self = failures.isEmpty ? .tickers(pairs, tickers) : .unusable(pairs, failures)
      }
    }
  }
}
