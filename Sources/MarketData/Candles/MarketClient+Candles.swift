package import Config
import HTTP
import Mapping
package import Quotes

/// The requested candles of a pair.
package struct CandleQuery: Sendable {
  package enum Span: Sendable, Hashable {
    /// The candles of the given number of newest intervals, including the running one.
    case newest(Int)
    /// The candles of the given number of newest intervals that begin before a moment.
    case last(Int, before: Instant)
    /// Candles that overlap the time from the first moment up to but not including the second.
    case between(Instant, Instant)
  }

  package let pair: PairQuery
  package let interval: CandleInterval
  /// The UTC offset of the midnights at which days, and weeks on Mondays, begin; nil for the exchange's own.
  package let zoneSeconds: Int?
  package let span: Span

  package init(_ pair: PairQuery, _ interval: CandleInterval, zoneSeconds: Int? = nil, _ span: Span) {
    self.pair = pair
    self.interval = interval
    self.zoneSeconds = zoneSeconds
    self.span = span
  }

  /// The maximum number of requests per query; a longer span is refused with the number it would take.
  package static let maximumRequests = 100
}

extension MarketClient {
  /// Returns the candles of a pair on one market, with as many requests as necessary. They are built from shorter ones
  /// if the exchange does not offer the interval, or not at these midnights.
  ///
  /// - Parameter progress: Called before each page is requested, with its number and the number of pages if known.
  package func candles(
    _ query: CandleQuery, on market: ExchangeMarket, of exchange: String,
    progress: @Sendable (_ page: Int, _ count: Int?) -> Void = { _, _ in }
  ) async -> PairAnswer<CandleList> {
    let parts = market.candles.compactMap { CandlePart(query, $0) }
    let answer = await answer(
      query.pair, by: parts, tables: \.source.table, lacking: \.source.table.missingName, on: market, of: exchange
    ) { part, asking in
      await candles(part, query, asking, progress)
    }
    return await distinguishingFiles(answer, query.pair, parts, on: market)
  }

  /// Returns the answer, but without candles instead of not listed if requests are for the file of a day, month or year
  /// and the table of all pairs has the pair: one that has just begun, or without trades, has no file either. If that
  /// table fails, it is unknown which of the two is so.
  private func distinguishingFiles(
    _ answer: PairAnswer<CandleList>, _ query: PairQuery, _ parts: [CandlePart], on market: ExchangeMarket
  ) async -> PairAnswer<CandleList> {
    guard case .failure(let failure) = answer.result, failure.reason == .notListed,
      let table = parts.first(where: { CandlePaging($0.source.table.request).isByCalendar })?.source.table
    else { return answer }
    var requests = answer.requests
    var reason = failure
    do throws(AnswerFailure) {
      if try await listed(query, in: table, on: market, &requests, isRenewal: false) != nil {
        reason = AnswerFailure(.emptyAnswer, "no file of the requested time")
      }
    } catch {
      reason = error
    }
    return PairAnswer(
      exchange: answer.exchange, market: answer.market, product: answer.product, pair: answer.pair, .failure(reason),
      requests: requests)
  }

  private func candles(
    _ part: CandlePart, _ query: CandleQuery, _ asking: PairAsking,
    _ progress: (_ page: Int, _ count: Int?) -> Void
  ) async -> PairReading<CandleList> {
    let table = part.source.table
    let (start, end) = part.asked(query.span, now: now())
    let pages = CandlePages(CandlePlan(part.source), from: start, to: end, now: now())
    var lookups = await lookups(of: table, table.lookupsOfRows, asking)
    var requests = lookups.requests
    if let count = pages.requestCount, count > CandleQuery.maximumRequests {
      let failure = "it would take \(count) requests; the maximum is \(CandleQuery.maximumRequests)"
      return PairReading(result: .failure(.tooManyRequests(failure)), requests: requests)
    }
    var explained: [ExplainedRecord] = []
    var gathered = GatheredCandles(table, of: pages.first)
    var next: CandlePages.Page? = pages.first
    var number = 0
    // The newest page is requested first, and its last candle runs on while older pages are awaited.
    let requested = now()
    var clock: ClockReading?
    while let asked = next {
      number += 1
      progress(number, pages.requestCount)
      lookups.requests = []
      let reading = await page(
        asked, of: part, asking, lookups, isFurther: number > 1, sent: requested,
        explainedBefore: query.pair.options.traces && explained.isEmpty ? end : nil)
      if number == 1 { clock = try? reading.result.get().clock }
      requests += reading.requests
      if let renewed = reading.renewed { lookups = renewed }
      if explained.isEmpty { explained = reading.explained }
      let oldest = gathered.oldest
      guard gathered.take(reading.result, of: asked, part.source.interval, isFirst: number == 1, now: now()) else {
        break
      }
      next = pages.next(after: asked, oldest: gathered.oldest, advanced: gathered.oldest != oldest)
      if next != nil, number == CandleQuery.maximumRequests {
        gathered.end(because: .tooManyRequests("the maximum is \(number) requests"))
        break
      }
    }
    let list = gathered.list(part, query.span, asking.multiplier, requested: requested, clock, now: now())
    if !table.lookupsOfRows.isEmpty, let series = try? list.get().series {
      let doubts = series.candles.suffix(2).map { CandleCheck.doubt(about: $0, on: series.grid)?.kind }
      if doubts.contains(.candleTurnover) {
        noteDoubt(about: query.pair.pair, on: asking.market, of: table.owner)
      }
    }
    return PairReading(result: list, requests: requests, explained: explained)
  }

  /// Requests one page.
  ///
  /// - Parameters:
  ///   - sent: When the first page was requested.
  ///   - end: The newest candle that starts before this is explained; nil for none.
  private func page(
    _ asked: CandlePages.Page, of part: CandlePart, _ asking: PairAsking, _ lookups: LookupStates,
    isFurther: Bool, sent: Instant, explainedBefore end: Instant?
  ) async -> PairReading<GatheredCandles.Page> {
    let plan = CandlePlan(part.source)
    let table = part.source.table
    var context = asking.context
    context.count = table.count(for: asked.count)
    context.candles = CandleRequest(word: part.source.word, from: asked.from, to: asked.to)
    return await ask(
      table, named: "candles-\(part.source.interval.rawValue)", context, lookups, isFurtherPage: isFurther
    ) { answer, context throws(AnswerFailure) in
      try asking.check(answer)
      let page = GatheredCandles.Page(try plan.candles(in: answer, context), answer, sent: sent)
      guard let newest = end.flatMap(page.candles.newestKept) else { return (page, []) }
      return (page, try plan.explained(newest, in: answer, context, multiplier: asking.multiplier))
    }
  }
}

extension [Candle] {
  /// Returns the newest candle that starts before a moment: of those with the same start, the last, which is kept.
  func newestKept(before end: Instant) -> Candle? {
    reduce(nil) { newest, candle in
      guard candle.start < end, newest.map({ $0.start <= candle.start }) ?? true else { return newest }
      return candle
    }
  }
}

extension AnswerFailure {
  fileprivate static func tooManyRequests(_ message: String) -> AnswerFailure {
    AnswerFailure(.noAnswer(.tooManyRequests), message)
  }
}
