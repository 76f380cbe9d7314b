package import Config
import HTTP
import Mapping
package import Quotes

/// Answers about one pair that the user has on disk.
extension SavedResponses {
  package func orderbook(
    _ question: PairQuestion, count: Int, on market: ExchangeMarket, of exchange: String, now: Instant
  ) -> PairAnswer<OrderBook> {
    answer(question, by: market.orderbooks, tables: \.table, on: market, of: exchange, now) {
      spec, answers, context, states throws(TableFailure) in
      try BookPlan(spec).book(in: answers[0], request: context, lookups: states, hooks: question.options.hooks).best(
        count)
    }
  }

  package func trades(
    _ question: PairQuestion, count: Int, on market: ExchangeMarket, of exchange: String, now: Instant
  ) -> PairAnswer<TradeList> {
    answer(question, by: market.trades, tables: \.self, on: market, of: exchange, now) {
      table, answers, context, states throws(TableFailure) in
      let (trades, incomplete) = try TradePlan(table).trades(
        in: answers[0], request: context, lookups: states, hooks: question.options.hooks)
      return TradeList(Array(trades.suffix(count)), incomplete: incomplete)
    }
  }

  /// The candles of all files together. The newest ones are the newest that they hold, whenever that was.
  package func candles(
    _ question: CandleQuestion, on market: ExchangeMarket, of exchange: String, now: Instant
  ) -> PairAnswer<CandleList> {
    let parts = market.candles.compactMap { CandlePart(question, $0) }
    return answer(question.pair, by: parts, tables: \.source.table, on: market, of: exchange, now) {
      part, answers, context, states throws(TableFailure) in
      let plan = CandlePlan(part.source)
      var candles: [Candle] = []
      var incomplete = 0
      for answer in answers {
        let page = try plan.candles(in: answer, request: context, lookups: states, hooks: question.pair.options.hooks)
        candles += page.candles
        incomplete += page.incomplete
      }
      return CandleList(try part.series(of: candles, question.span, now: now), incomplete: incomplete)
    }
  }

  /// Reads the files as the first part that may hold the pair and can read them; where none can, the first one says why.
  private func answer<Part, Value: Sendable>(
    _ question: PairQuestion, by parts: [Part], tables table: (Part) -> TableSpec, on market: ExchangeMarket,
    of exchange: String, _ now: Instant,
    reading read: (Part, [HTTPResponse], RequestContext, [String: LookupState]) throws(TableFailure) -> Value
  ) -> PairAnswer<Value> {
    func answer(_ result: Result<Value, TableFailure>) -> PairAnswer<Value> {
      PairAnswer(exchange: exchange, market: market.market, pair: question.pair, result)
    }
    guard !parts.isEmpty else { return answer(.failure(TableFailure(.notOffered))) }
    guard !bodies.isEmpty else {
      return answer(.failure(TableFailure(.noAnswer("no-response"), "give its answer with --response FILE")))
    }
    var failure: TableFailure?
    for part in parts
    where table(part).canHold(payment: question.pair.payment, globalAliases: question.options.globalAliases) {
      var context = RequestContext(pair: question.pair, now: now)
      context.spelling = table(part).spelling(of: question.pair)
      let states = table(part).lookupStates(saved: lookups, question.options.hooks, option: "--response")
      do throws(TableFailure) {
        return answer(.success(try read(part, bodies.map { HTTPResponse(body: $0) }, context, states)))
      } catch {
        failure = failure ?? error
      }
    }
    return answer(.failure(failure ?? TableFailure(.notListed)))
  }
}
