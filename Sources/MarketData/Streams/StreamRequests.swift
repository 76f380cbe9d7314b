import Config
import HTTP
import Mapping
package import Quotes

/// The REST requests of streams: their initial tables, what a URL needs, and the pairs that they do not provide.
package struct StreamRequests: Sendable {
  /// Returns the next reports of pairs from a component that polls rows; without pairs of which there will be none.
  package typealias Answers = @Sendable ([Pair], FeedKey) async -> [Pair: ExchangeReport]

  private let session: MarketSession
  private let query: StreamQuery
  let markets: [(exchange: Exchange, market: ExchangeMarket)]
  private let answers: Answers?

  init(
    _ session: MarketSession, _ markets: [(exchange: Exchange, market: ExchangeMarket)], _ query: StreamQuery,
    _ answers: Answers? = nil
  ) {
    self.session = session
    self.query = query
    self.markets = markets
    self.answers = answers
  }

  /// - Parameters:
  ///   - previous: The start whose failed parts are requested again; nil for all parts.
  ///   - moment: The moment in a replay; nil for now, as in the methods below.
  func start(of place: Int, after previous: StreamStart?, at moment: Instant? = nil) async -> StreamStart {
    let (exchange, market) = markets[place]
    return await session.newRound(at: moment).streamStart(query, on: market, of: exchange, after: previous)
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
        + start.unlisted.map { event(channel, $0, .failed(TableFailure(.notListed))) }
    }
  }

  func answer(
    to request: HTTPRequest, at moment: Instant? = nil
  ) async -> Result<HTTPResponse, TableFailure> {
    await Result { () async throws(TableFailure) in try await session.newRound(at: moment).ask(request).answer }
  }

  func poll(
    _ pairs: [Int], of subject: StreamSubject, isAgain: Bool, at moment: Instant? = nil
  ) async -> [(pair: Int, result: Result<StreamUpdate.Value, TableFailure>)] {
    let own = markets.first { $0.exchange.name == subject.exchange && $0.market.market == subject.market }
    guard let own else { return [] }
    if let answers, subject.channel.feedsRows {
      let reports = await answers(
        pairs.map { subject.pairs[$0].pair }, FeedKey(exchange: subject.exchange, market: subject.market))
      return pairs.map { place in
        let pair = subject.pairs[place]
        return (place, reports[pair.pair].map(pair.row) ?? .failure(TableFailure(.notRequested)))
      }
    }
    return await session.newRound(at: moment)
      .poll(pairs, of: subject, isAgain: isAgain, on: own.market, of: own.exchange)
  }
}
