package import Config
import HTTP
import Mapping
package import Quotes

/// Answers about one pair from files on disk.
extension SavedResponses {
  /// The name under which the table of all pairs is given along with lookups: `tickers=FILE`.
  package static let tableName = "tickers"

  package func orderbook(
    _ query: PairQuery, on market: ExchangeMarket, of exchange: String, now: Instant
  ) -> PairAnswer<OrderBook> {
    answer(query, by: market.orderbooks, tables: \.table, on: market, of: exchange, now) {
      spec, answers, context, multiplier throws(AnswerFailure) in
      try BookPlan(spec).reading(in: answers[0], context, query.options, multiplier)
    }
  }

  package func trades(
    _ query: PairQuery, count: Int, on market: ExchangeMarket, of exchange: String, now: Instant
  ) -> PairAnswer<TradeList> {
    answer(query, by: market.trades, tables: \.self, on: market, of: exchange, now) {
      table, answers, context, multiplier throws(AnswerFailure) in
      try TradePlan(table).reading(of: count, in: answers[0], context, query.options, multiplier)
    }
  }

  /// Returns the candles of all files combined. "Newest" means the newest in the files, regardless of the current time.
  package func candles(
    _ query: CandleQuery, on market: ExchangeMarket, of exchange: String, now: Instant
  ) -> PairAnswer<CandleList> {
    let parts = market.candles.compactMap { CandlePart(query, $0) }
    return answer(query.pair, by: parts, tables: \.source.table, on: market, of: exchange, now, most: .max) {
      part, answers, context, multiplier throws(AnswerFailure) in
      let plan = CandlePlan(part.source)
      var candles: [Candle] = []
      var incomplete = 0
      var contradiction: CandleSeries.Contradiction?
      var pages: [(candles: [Candle], answer: HTTPResponse)] = []
      for answer in answers {
        let page = try plan.candles(in: answer, context)
        // Of two candles with the same start, that of the later file is kept.
        contradiction =
          contradiction ?? CandleSeries.Contradiction(among: page.candles)
          ?? CandleSeries.Contradiction(
            between: candles, and: page.candles, of: part.source.interval,
            // The newest of them may still have been running.
            arrival: candles.map(\.start).max().map { CandleGrid(part.source.interval).end(of: $0) } ?? now)
        candles += page.candles
        incomplete += page.incomplete
        if query.pair.options.traces { pages.append((page.candles, answer)) }
      }
      let list = try part.list(
        of: candles, query.span, contradiction: contradiction, incomplete: incomplete, multiplier, now: now)
      let series = list.series
      guard query.pair.options.traces, let last = series.candles.last,
        let newest = candles.newestKept(before: series.grid.end(of: last.start)),
        let page = pages.last(where: { $0.candles.contains(newest) })
      else { return (list, []) }
      return (list, try plan.explained(newest, in: page.answer, context, multiplier: multiplier))
    }
  }

  /// Reads the files as the first part that can parse them and may contain the pair, or returns the first error.
  ///
  /// - Parameter most: How many files are read; more are an error.
  private func answer<Part, Value: AssetAmounts>(
    _ query: PairQuery, by parts: [Part], tables table: (Part) -> TableSpec, on market: ExchangeMarket,
    of exchange: String, _ now: Instant, most: Int = 1,
    reading read: (Part, [HTTPResponse], ReadingContext, _ multiplier: Decimal?)
      throws(AnswerFailure) -> (Value, [ExplainedRecord])
  ) -> PairAnswer<Value> {
    func failed(_ failure: AnswerFailure) -> PairAnswer<Value> {
      PairAnswer(exchange: exchange, market: market.market, pair: query.pair, .failure(failure))
    }
    guard !parts.isEmpty else { return failed(AnswerFailure(.notOffered)) }
    guard !bodies.isEmpty else { return failed(.noSavedResponse) }
    if let surplus = surplus(beyond: most) { return failed(surplus) }
    var failure: AnswerFailure?
    for part in parts where market.mayHave(query, in: table(part)) {
      do throws(AnswerFailure) {
        let listed = try listed(query, in: table(part), on: market, now)
        var context = RequestContext(pair: query.pair, now: now)
        context.spelling = listed?.spelling ?? table(part).spelling(of: query.pair)
        let reading = reading(context, of: table(part), query)
        let (value, explained) = try read(part, bodies.map { HTTPResponse(body: $0) }, reading, listed?.multiplier)
        return PairAnswer(
          exchange: exchange, market: market.market,
          product: market.product(of: query, by: table(part)) ?? listed?.product ?? query.product, pair: query.pair,
          .success(value.inUnits(listed?.multiplier)), multiplier: listed?.multiplier,
          explained: explained,
          notes: unitNotes(market))
      } catch {
        failure = failure ?? hinted(error, table(part))
      }
    }
    return failed(failure ?? AnswerFailure(.notListed))
  }

  private func reading(_ context: RequestContext, of table: TableSpec, _ query: PairQuery) -> ReadingContext {
    let states = table.lookupStates(saved: lookups, query.options.hooks, option: "--response")
    return ReadingContext(context, lookups: states, hooks: query.options.hooks)
  }

  /// Notes that only the table of all pairs, which was not given, tells whether the exchange lists the pair as 1000PEPE.
  private func unitNotes(_ market: ExchangeMarket) -> [String] {
    guard lookups[Self.tableName] == nil, (market.tickers + market.ticker).contains(where: { !$0.multipliers.isEmpty })
    else { return [] }
    return ["prices may be of 1000 units or the like: add --response \(Self.tableName)=FILE, the table of all pairs"]
  }

  /// Returns the pair's name in the table of all pairs; nil if that table was not given.
  ///
  /// - Throws: `AnswerFailure` if it does not list the pair or cannot be read.
  private func listed(
    _ query: PairQuery, in block: TableSpec, on market: ExchangeMarket, _ now: Instant
  ) throws(AnswerFailure) -> ListedPair? {
    guard let body = lookups[Self.tableName] else { return nil }
    var failure = AnswerFailure(.notListed, "the table given with --response \(Self.tableName)=FILE lacks the pair")
    for table in market.listings(of: query, for: block, includesBatches: true) {
      let plan = ListingPlan(table, market: market.market, globalAliases: query.options.globalAliases)
      let context = reading(RequestContext(now: now), of: table, query)
      do throws(AnswerFailure) {
        let found = try plan.spelling(
          of: query.pair, product: query.product, in: HTTPResponse(body: body), context)
        if let found { return found }
      } catch {
        failure = error
      }
    }
    throw failure
  }

  /// Adds a hint to a failed lookup that may need the exchange's name for the pair, from the table of all pairs.
  private func hinted(_ failure: AnswerFailure, _ table: TableSpec) -> AnswerFailure {
    guard failure.reason == .lookupMiss, lookups[Self.tableName] == nil, table.looksForSymbol else { return failure }
    let hint = "give the table of all pairs, which names the pair, with --response \(Self.tableName)=FILE"
    return failure.adding(hint)
  }
}
