import Config
import HTTP
package import Mapping
package import Quotes
import Synchronization

/// What polling a pair of a subject by REST has given.
package struct PolledPair: Sendable {
  /// The pair's index in the subject.
  package let pair: Int
  package let result: Result<StreamUpdate.Value, AnswerFailure>
  /// The group of futures that the data is of; nil if there is none, nothing tells, or there is no data.
  package let product: String?

  /// - Parameter product: The group of futures, unless a row names its own.
  package init(pair: Int, _ result: Result<StreamUpdate.Value, AnswerFailure>, product: String? = nil) {
    self.pair = pair
    self.result = result
    switch result {
    case .success(.ticker(let row)): self.product = row.product ?? product
    case .success: self.product = product
    // The first group may have failed for a pair that another one lists.
    case .failure: self.product = nil
    }
  }
}

/// When the answers to some requests arrived.
final class ArrivalList: Sendable {
  private let arrivals = Mutex<Set<Instant>?>(nil)

  /// In order of time; nil if nothing was requested.
  var all: [Instant]? { arrivals.withLock { $0?.sorted() } }

  func noting(_ handler: @escaping HTTPHandler) -> HTTPHandler {
    { request throws(TransportError) in
      self.arrivals.withLock { $0 = $0 ?? [] }
      let response = try await handler(request)
      if let arrival = response.arrival { self.arrivals.withLock { _ = $0?.insert(arrival) } }
      return response
    }
  }
}

/// The REST requests of streams: their initial tables, what a URL needs, and the pairs that they do not provide.
package struct StreamRequests: Sendable {
  /// Returns the next reports of pairs from a component that polls rows; without pairs of which there will be none.
  package typealias Answers = @Sendable ([Pair], FeedKey) async -> [Pair: ExchangeReport]

  private let session: MarketSession
  private let query: StreamQuery
  let markets: [AskedMarket]
  private let answers: Answers?
  /// Where the arrivals of answers are noted; nil if nowhere.
  private var arrivals: ArrivalList?

  init(_ session: MarketSession, _ markets: [AskedMarket], _ query: StreamQuery, _ answers: Answers? = nil) {
    self.session = session
    self.query = query
    self.markets = markets
    self.answers = answers
  }

  /// Returns the same, noting when each answer to a request arrives.
  func noting(_ arrivals: ArrivalList) -> StreamRequests {
    var requests = self
    requests.arrivals = arrivals
    return requests
  }

  private func round(at moment: Instant?) -> MarketClient {
    var client = session.newRound(at: moment)
    if let arrivals { client.handler = arrivals.noting(client.handler) }
    return client
  }

  /// - Parameters:
  ///   - previous: The start whose failed parts are requested again; nil for all parts.
  ///   - moment: The moment in a replay; nil for now, as in the methods below.
  func start(of place: Int, after previous: StreamStart?, at moment: Instant? = nil) async -> StreamStart {
    let (exchange, market) = markets[place]
    let own = query.asked(of: FeedKey(exchange: exchange.name, market: market.market))
    return await round(at: moment).streamStart(own, on: market, of: exchange, after: previous)
  }

  /// Returns the events for a market whose tables have arrived, or failed to.
  ///
  /// - Parameter retry: When missing tables are requested again.
  func events(of start: StreamStart, _ place: Int, at now: Instant, retry: Instant?) -> [StreamEvent] {
    let (exchange, market) = markets[place]
    func event(_ channel: StreamChannel, _ pair: Pair?, _ content: StreamEvent.Content) -> StreamEvent {
      StreamEvent(
        exchange: exchange.name, market: market.market, channel: channel, pair: pair, product: nil, content: content,
        isStreamed: false, arrival: now)
    }
    return query.channels.flatMap { channel in
      (start.isFollowing ? [] : start.failures).map { event(channel, nil, .fallback($0, retry: retry)) }
        + (channel.feedsRows ? [] : start.repeated).map {
          event(channel, $0, .fallback(.stream(.repeated), retry: nil))
        }
        + start.unlisted.map { event(channel, $0, .failed(AnswerFailure(.notListed))) }
    }
  }

  func answer(
    to request: HTTPRequest, at moment: Instant? = nil
  ) async -> Result<HTTPResponse, AnswerFailure> {
    await Result { () async throws(AnswerFailure) in try await round(at: moment).ask(request).answer }
  }

  func poll(
    _ pairs: [Int], of subject: StreamSubject, isAgain: Bool, at moment: Instant? = nil
  ) async -> [PolledPair] {
    let own = markets.first { $0.exchange.name == subject.exchange && $0.market.market == subject.market }
    guard let own else { return [] }
    if let answers, subject.channel.isPolledWithTable {
      let reports = await answers(
        pairs.map { subject.pairs[$0].pair }, FeedKey(exchange: subject.exchange, market: subject.market))
      return pairs.map { place in
        let pair = subject.pairs[place]
        return PolledPair(pair: place, reports[pair.pair].map(pair.row) ?? .failure(AnswerFailure(.notRequested)))
      }
    }
    return await round(at: moment)
      .poll(pairs, of: subject, isAgain: isAgain, on: own.market, of: own.exchange)
  }
}

extension MarketClient {
  /// Polls pairs of a subject by REST.
  ///
  /// - Parameter isAgain: Whether there was earlier data for them.
  func poll(
    _ places: [Int], of subject: StreamSubject, isAgain: Bool, on market: ExchangeMarket, of exchange: Exchange
  ) async -> [PolledPair] {
    if subject.channel.isPolledWithTable, places.count > Self.maximumPairsAskedAlone, !market.tickers.isEmpty {
      let report = await report(on: market, of: exchange, tableQuery(of: nil, subject))
      return places.map { PolledPair(pair: $0, subject.pairs[$0].row(in: report)) }
    }
    return await concurrently(places) { place in
      await pollAlone(place, of: subject, isAgain: isAgain, on: market, of: exchange)
    }
  }

  /// For more pairs than this, the table of all pairs is requested.
  static let maximumPairsAskedAlone = 4
  /// How much to request without a stream: for trades, initially the newest, later all that one answer can contain.
  private static let counts = (levels: 50, trades: 50)

  private func tableQuery(of pair: Pair?, _ subject: StreamSubject) -> TableQuery {
    TableQuery(market: subject.market, pair: pair, options: subject.options)
  }

  private func pollAlone(
    _ place: Int, of subject: StreamSubject, isAgain: Bool, on market: ExchangeMarket, of exchange: Exchange
  ) async -> PolledPair {
    let pair = subject.pairs[place]
    let query = PairQuery(pair.pair, product: pair.row.product, subject.options)
    func polled<Value>(
      _ answer: PairAnswer<Value>, _ value: (Value) -> Result<StreamUpdate.Value, AnswerFailure>
    ) -> PolledPair {
      PolledPair(pair: place, answer.result.flatMap(value), product: answer.product)
    }
    switch subject.channel {
    case .ticker, .tickers:
      let report = await report(on: market, of: exchange, tableQuery(of: pair.pair, subject))
      return PolledPair(pair: place, pair.row(in: report))
    case .offers:
      // Many tables lack them, or have them rarely.
      let answer = await orderbook(query, count: 1, ofPrices: true, on: market, of: exchange.name)
      return polled(answer) { .success(.ticker(pair.row.taking(offersOf: $0, arrival: answer.arrival))) }
    case .trades:
      let count = isAgain ? SeenTrades.maximumAnswered : Self.counts.trades
      return polled(await trades(query, count: count, on: market, of: exchange.name)) { .success(.trades($0.trades)) }
    case .orderbook:
      return polled(await orderbook(query, count: Self.counts.levels, on: market, of: exchange.name)) {
        .success(.orderbook($0))
      }
    case .candles:
      let newest = CandleQuery(query, subject.interval ?? .oneMinute, .newest(2))
      let answer = await candles(newest, on: market, of: exchange.name)
      return polled(answer) { list in
        let candles = list.series.candles
        // Those of another interval, of another time or of another pair would pass for these.
        let wrong: [DataFinding.Kind: NoAnswer] = [
          .candleStep: .candleStep, .candleTime: .candleTime, .candleTwice: .candleTwice,
        ]
        for finding in list.findings(arrival: answer.arrival) {
          if let reason = wrong[finding.kind] { return .failure(AnswerFailure(.noAnswer(reason), finding.message)) }
        }
        return candles.last.map { .success(.candle($0, previous: candles.dropLast().last)) }
          ?? .failure(AnswerFailure(.emptyAnswer))
      }
    }
  }
}

extension StreamPair {
  /// Returns the pair's row in an answer.
  func row(in report: ExchangeReport) -> Result<StreamUpdate.Value, AnswerFailure> {
    let isKnown = isListed || row.product != nil
    let found = report.table.rows.first { isKnown ? $0.ticker.key == row.key : $0.ticker.pair == pair }
    if let found { return .success(.ticker(found.ticker.keepingUnrequested(of: row))) }
    return .failure(report.absence)
  }
}

extension Ticker {
  /// Returns the row of an answer about a pair whose bids and asks come elsewhere, if `row` says so: the table's lack of
  /// them is not the exchange's.
  fileprivate func keepingUnrequested(of row: Ticker) -> Ticker {
    var new = self
    if row.bid == .missing(.notRequested), bid == .missing(.notOffered) { new.bid = row.bid }
    if row.ask == .missing(.notRequested), ask == .missing(.notOffered) { new.ask = row.ask }
    return new
  }
}
