import Cassettes
import Config
import HTTP
import Mapping
import Quotes

/// An external input to a hub.
enum StreamInput: Sendable {
  /// The tables needed to start a market's streams have arrived.
  case start([StreamSubject])
  case signals([StreamSignal], link: Int, generation: Int)
  case answered(Result<HTTPResponse, TableFailure>, link: Int)
  case polled([(pair: Int, result: Result<StreamUpdate.Value, TableFailure>)], link: Int)
  /// Messages about these rows are to be explained from now on, and no others.
  case explain(Set<RowKey>)
}

extension StreamCommand {
  /// How the answer to a command about a subject is named in recordings; nil if it is not answered by REST.
  func answer(about subject: StreamSubject) -> RESTAnswerLog.Answer? {
    switch self {
    case .ask: .handshake(subject.name)
    case .poll: .poll(subject.name)
    case .open, .send, .ping, .close: nil
    }
  }
}

extension StreamHub {
  /// - Parameter now: Not before that of the previous call.
  mutating func take(_ input: StreamInput, at now: Instant) -> Output {
    switch input {
    case .start(let subjects):
      var output = Output()
      for subject in subjects {
        add(subject, at: now)
        // Report what the table already provided.
        guard subject.channel.feedsRows, subject.channel != .offers else { continue }
        output.events += subject.pairs.map(\.row).filter { $0.arrival != nil }.map { row in
          StreamEvent(
            exchange: subject.exchange, market: subject.market, channel: subject.channel, pair: row.pair,
            product: row.product, content: .ticker(row), isStreamed: false, arrival: row.arrival ?? now)
        }
      }
      return output
    case .signals(let signals, let link, let generation):
      return take(signals, of: link, generation: generation, at: now)
    case .answered(let answer, let link): return answered(answer, of: link, at: now)
    case .polled(let results, let link): return polled(results, of: link, at: now)
    case .explain(let rows):
      explain(rows)
      return Output()
    }
  }

  /// Processes everything due up to a moment, each at its own time, so that a replay gives the same result as the
  /// original run. After a sleep, all of it is due now.
  mutating func advance(to now: Instant) -> Output {
    var output = Output()
    var last: Instant?
    while let due = deadline, due <= now {
      let isLate = now.nanoseconds(since: due) > Self.lateness || last.map { due <= $0 } ?? false
      let moment = isLate ? now : due
      let done = tick(at: moment)
      output.commands += done.commands
      output.events += done.events
      // Another pass at the same time would do nothing more.
      if last == moment { break }
      last = moment
    }
    return output
  }

  /// In nanoseconds.
  private static let lateness: Int64 = 1_000_000_000
}

extension MarketClient {
  /// Polls pairs of a subject by REST.
  ///
  /// - Parameter isAgain: Whether there was earlier data for them.
  func poll(
    _ places: [Int], of subject: StreamSubject, isAgain: Bool, on market: ExchangeMarket, of exchange: Exchange
  ) async -> [(pair: Int, result: Result<StreamUpdate.Value, TableFailure>)] {
    if subject.channel.feedsRows, places.count > Self.maximumSinglePairs, !market.tickers.isEmpty {
      let report = await report(on: market, of: exchange, tableQuery(of: nil, subject))
      return places.map { ($0, subject.pairs[$0].row(in: report)) }
    }
    return await concurrently(places) { place in
      (place, await value(of: subject.pairs[place], subject, isAgain: isAgain, on: market, of: exchange))
    }
  }

  /// For more pairs than this, the table of all pairs is requested.
  static let maximumSinglePairs = 4
  /// How much to request without a stream: for trades, initially the newest, later all that one answer can contain.
  private static let counts = (levels: 50, trades: 50)

  private func tableQuery(of pair: Pair?, _ subject: StreamSubject) -> TableQuery {
    TableQuery(
      market: subject.market, pair: pair, fields: Set(TickerField.allCases), options: subject.options)
  }

  private func value(
    of pair: StreamPair, _ subject: StreamSubject, isAgain: Bool, on market: ExchangeMarket, of exchange: Exchange
  ) async -> Result<StreamUpdate.Value, TableFailure> {
    let query = PairQuery(pair.pair, subject.options)
    let market = subject.channel.feedsRows ? market : market.only(pair.row.product)
    switch subject.channel {
    case .ticker, .tickers, .offers:
      return pair.row(in: await report(on: market, of: exchange, tableQuery(of: pair.pair, subject)))
    case .trades:
      let count = isAgain ? SeenTrades.maximumAnswered : Self.counts.trades
      let answer = await trades(query, count: count, on: market, of: exchange.name)
      return answer.result.map { .trades($0.trades) }
    case .orderbook:
      return await orderbook(query, count: Self.counts.levels, on: market, of: exchange.name).result
        .map { .orderbook($0) }
    case .candles:
      let newest = CandleQuery(query, subject.interval ?? .oneMinute, .newest(2))
      let answer = await candles(newest, on: market, of: exchange.name)
      return answer.result.flatMap { list in
        let candles = list.series.candles
        // Those of another interval would pass for these.
        if let finding = list.findings(arrival: answer.arrival).first(where: { $0.kind == .candleStep }) {
          return .failure(TableFailure(.noAnswer("candle-step"), finding.message))
        }
        return candles.last.map { .success(.candle($0, previous: candles.dropLast().last)) }
          ?? .failure(TableFailure(.emptyAnswer))
      }
    }
  }
}

extension StreamPair {
  /// Returns the pair's row in an answer.
  func row(in report: ExchangeReport) -> Result<StreamUpdate.Value, TableFailure> {
    let isKnown = !row.symbol.isEmpty
    let found = report.table.rows.first { isKnown ? $0.ticker.key == row.key : $0.ticker.pair == pair }
    if let found { return .success(.ticker(found.ticker)) }
    return .failure(report.failures.first?.failure ?? TableFailure(.notListed))
  }
}

extension ExchangeMarket {
  /// The same with the order book, trades and candles of one group of futures alone: two groups may list a pair.
  fileprivate func only(_ product: String?) -> ExchangeMarket {
    guard let product else { return self }
    var market = self
    market.orderbooks = orderbooks.filter { $0.table.mayBe(of: product) }
    market.trades = trades.filter { $0.mayBe(of: product) }
    market.candles = candles.filter { candles in candles.tables.allSatisfy { $0.mayBe(of: product) } }
    return market
  }
}

extension TableSpec {
  /// Returns whether rows of the table may be of a group of futures, as its rules, its `set` or its payment currencies
  /// name it.
  fileprivate func mayBe(of product: String) -> Bool {
    if case .rules(_, let rules) = symbol, rules.contains(where: { $0.product != nil }) { return true }
    if let own = self.product { return own == product }
    return paymentCurrencies.isEmpty || paymentCurrencies.contains { $0.name == product }
  }
}
