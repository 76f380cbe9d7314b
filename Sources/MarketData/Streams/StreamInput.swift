import Config
import HTTP
import Mapping
import Quotes

/// What reaches a hub from the world.
enum StreamInput: Sendable {
  /// The tables have come that streams of a market begin with.
  case start([StreamSubject])
  case signals([StreamSignal], link: Int, generation: Int)
  case answered(Result<HTTPResponse, TableFailure>, link: Int)
  case polled([(pair: Int, result: Result<StreamUpdate.Value, TableFailure>)], link: Int)
}

extension StreamHub {
  /// - Parameter now: not before the last one.
  mutating func take(_ input: StreamInput, at now: Instant) -> Output {
    switch input {
    case .start(let subjects):
      var output = Output()
      for subject in subjects {
        add(subject, at: now)
        // What the table has said already.
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
    }
  }

  /// What is due up to a moment, each at its own: so that a recording comes to the same as what was recorded. After a sleep
  /// all of it is due now.
  mutating func advance(to now: Instant) -> Output {
    var output = Output()
    var last: Instant?
    while let due = deadline, due <= now {
      let isLate = now.nanoseconds(since: due) > Self.lateness || last.map { due <= $0 } ?? false
      let moment = isLate ? now : due
      let done = tick(at: moment)
      output.commands += done.commands
      output.events += done.events
      // A second look at the same moment would find the same.
      if last == moment { break }
      last = moment
    }
    return output
  }

  /// In nanoseconds.
  private static let lateness: Int64 = 1_000_000_000
}

extension MarketClient {
  /// Asks by REST for pairs of a subject.
  ///
  /// - Parameter isAgain: whether something was told of them before.
  func poll(
    _ places: [Int], of subject: StreamSubject, isAgain: Bool, on market: ExchangeMarket, of exchange: Exchange
  ) async -> [(pair: Int, result: Result<StreamUpdate.Value, TableFailure>)] {
    if subject.channel.feedsRows, places.count > Self.mostSinglePairs, !market.tickers.isEmpty {
      let report = await report(on: market, of: exchange, tableQuestion(of: nil, subject))
      return places.map { ($0, subject.pairs[$0].row(in: report)) }
    }
    return await concurrently(places) { place in
      (place, await value(of: subject.pairs[place], subject, isAgain: isAgain, on: market, of: exchange))
    }
  }

  /// More are asked for with the table of all pairs.
  private static let mostSinglePairs = 4
  /// How much is asked for where a stream is missing: of trades first the newest, then all that one answer brings since.
  private static let counts = (levels: 50, trades: 50)

  private func tableQuestion(of pair: Pair?, _ subject: StreamSubject) -> TableQuestion {
    TableQuestion(
      market: subject.market, pair: pair, fields: Set(TickerField.allCases), options: subject.options)
  }

  private func value(
    of pair: StreamPair, _ subject: StreamSubject, isAgain: Bool, on market: ExchangeMarket, of exchange: Exchange
  ) async -> Result<StreamUpdate.Value, TableFailure> {
    let question = PairQuestion(pair.pair, subject.options)
    switch subject.channel {
    case .ticker, .tickers, .offers:
      return pair.row(in: await report(on: market, of: exchange, tableQuestion(of: pair.pair, subject)))
    case .trades:
      let count = isAgain ? SeenTrades.mostAnswered : Self.counts.trades
      let answer = await trades(question, count: count, on: market, of: exchange.name)
      return answer.result.map { .trades($0.trades) }
    case .orderbook:
      return await orderbook(question, count: Self.counts.levels, on: market, of: exchange.name).result
        .map { .orderbook($0) }
    case .candles:
      let newest = CandleQuestion(question, subject.interval ?? .oneMinute, .newest(1))
      return await candles(newest, on: market, of: exchange.name).result.flatMap { list in
        list.series.candles.last.map { .success(.candle($0)) } ?? .failure(TableFailure(.emptyAnswer))
      }
    }
  }
}

extension StreamPair {
  /// Its row of an answer.
  func row(in report: ExchangeReport) -> Result<StreamUpdate.Value, TableFailure> {
    let isKnown = !row.symbol.isEmpty
    let found = report.table.rows.first { isKnown ? $0.ticker.key == row.key : $0.ticker.pair == pair }
    if let found { return .success(.ticker(found.ticker)) }
    return .failure(report.failures.first?.failure ?? TableFailure(.notListed))
  }
}
