import Cassettes
package import Config
import HTTP
package import Mapping
package import MarketData
package import Quotes

extension ExchangeTester {
  /// Tests the recorded order books, trades and candles; live, those of one pair, with candles of the shortest
  /// interval, an hour and a day, as far as they are offered, and of a second pair with a clearly different price: an
  /// answer about the first, whatever is requested, shows with the second.
  func blocks(
    of market: ExchangeMarket, of exchange: String, after tables: [TestedTable], _ base: TestedExchange?
  ) async -> [TestedBlock] {
    let rows = tables.wholeRows
    let usable = rows.filter { $0.ticker.headlineObjection(.anyPrice) == nil && $0.ticker.multiplier == nil }
    var queries: [(spec: TestedBlockSpec, pair: Pair)] = []
    var names: Set<String> = []
    func add(_ spec: TestedBlockSpec, _ pair: Pair) {
      if names.insert("\(spec.recordingName) \(pair)").inserted { queries.append((spec, pair)) }
    }
    var contrasted: Set<Place> = []
    let recordings = cassette?.entries ?? []
    for spec in TestedBlockSpec.all(of: market) {
      let pairs = pairs(for: spec, rows, recordings, market, base)
      for pair in pairs { add(spec, pair) }
      // Intervals that differ only in their word name the pair alike.
      guard cassette == nil, !contrasted.contains(spec.table.node.place), let first = pairs.first,
        let other = contrastingPair(to: first, in: rows.filter { canHold(spec.table, $0) })
      else { continue }
      contrasted.insert(spec.table.node.place)
      add(spec, other)
    }
    return await concurrently(queries) { query in
      let tap = AnswerCapture()
      var client = self.client.tapped(by: tap)
      // An answer that was recorded before the others is of the moment at which it arrived.
      if let cassette = self.cassette,
        let moment = self.requests(for: query.spec, query.pair, rows).lazy.compactMap(cassette.latestArrival).first
      {
        client.now = { moment }
      }
      let outcome = await query.spec.outcome(
        of: query.pair, by: client, self.options, on: market, of: exchange, isRecorded: self.cassette != nil)
      return TestedBlock(
        exchange: exchange, market: market.market, pair: query.pair, outcome: outcome,
        ticker: usable.first { $0.ticker.pair == query.pair }?.ticker,
        identityPercent: self.options.check.identity.limitPercent, spec: query.spec, answers: tap.answers,
        hooks: self.options.hooks)
    }
  }

  /// Returns the pairs for which the cassette has a request of this block.
  private func pairs(
    for spec: TestedBlockSpec, _ rows: [TickerRow], _ recordings: [CassettePlayer.Entry], _ market: ExchangeMarket,
    _ base: TestedExchange?
  ) -> [Pair] {
    func canHold(_ pair: Pair) -> Bool {
      spec.table.canHold(payment: pair.payment, globalAliases: options.globalAliases)
    }
    guard let cassette else {
      if let interval = spec.interval, !market.liveIntervals.contains(interval) { return [] }
      return typicalPair(of: rows.filter { canHold($0.ticker.pair) }, market.market, base).map { [$0] } ?? []
    }
    let names = recordings.compactMap { RecordingName($0, of: spec.recordingName) }
    // A name that uses the exchange's own spelling may be any of the table's pairs.
    let isSpelled = names.allSatisfy { $0.pair != nil }
    return (names.compactMap(\.pair) + (isSpelled ? [] : rows.map(\.ticker.pair))).unique.filter { pair in
      canHold(pair) && requests(for: spec, pair, rows).contains { cassette.holds($0) }
    }
  }

  /// Returns the requests that a query about the block may start with, by any of the table's names for the pair.
  private func requests(for spec: TestedBlockSpec, _ pair: Pair, _ rows: [TickerRow]) -> [HTTPRequest] {
    var context = client.context(for: spec.table.owner, pair: pair)
    context.spelling = spec.table.spelling(of: pair)
    context.spelling?.symbol = rows.first { $0.ticker.pair == pair }?.ticker.symbol
    let count = spec.count(isRecorded: cassette != nil)
    context.count = spec.table.count(for: count)
    if case .candles(let candles) = spec {
      let grid = CandlePlan(candles).grid
      let end = grid.end(of: grid.start(containing: context.now))
      let pages = CandlePages(
        CandlePlan(candles), from: grid.moment(-count, after: end), to: end, now: context.now)
      context.count = spec.table.count(for: pages.first.count)
      context.candles = CandleRequest(word: candles.word, from: pages.first.from, to: pages.first.to)
    }
    return [try? client.request(spec.table, named: spec.kind.rawValue, context)].compactMap(\.self)
  }
}

extension ExchangeMarket {
  /// The intervals of candles that are tested live: three, or the shortest one if none of these is offered.
  fileprivate var liveIntervals: [CandleInterval] {
    let usual = intervals.filter { [.oneMinute, .oneHour, .oneDay].contains($0) }
    return usual.isEmpty ? intervals.min().map { [$0] } ?? [] : usual
  }
}

extension TestedBlockSpec {
  /// Returns what is offered for one pair, each interval of candles on its own.
  package static func all(of market: ExchangeMarket) -> [TestedBlockSpec] {
    market.orderbooks.map { .orderbook($0) } + market.trades.map { .trades($0) }
      + market.candles.flatMap { $0.intervals.map { .candles($0) } }
  }

  /// Requests as much as an answer has, or as is recorded.
  package func outcome(
    of pair: Pair, by client: MarketClient, _ options: Interpretation, on market: ExchangeMarket, of exchange: String,
    isRecorded: Bool
  ) async -> Result<TestedBlock.Contents, TableFailure> {
    let query = PairQuery(pair, options)
    let count = count(isRecorded: isRecorded)
    switch self {
    case .orderbook:
      return await client.orderbook(query, count: count, on: market, of: exchange).result.map { .orderbook($0) }
    case .trades:
      return await client.trades(query, count: count, on: market, of: exchange).result.map { .trades($0) }
    case .candles(let candles):
      let query = CandleQuery(query, candles.interval, .newest(count))
      return await client.candles(query, on: market, of: exchange).result.map { .candles($0) }
    }
  }

  package var kind: BlockKind {
    switch self {
    case .orderbook: .orderbook
    case .trades: .trades
    case .candles: .candles
    }
  }

  /// Returns how many levels, trades or candles to request: recordings have as many as fit in one answer.
  func count(isRecorded: Bool) -> Int {
    guard isRecorded, let most = table.counts.last else { return 100 }
    // A page of candles requests one more than needed.
    return kind == .candles ? most - 1 : most
  }

  package var interval: CandleInterval? { if case .candles(let spec) = self { spec.interval } else { nil } }

  /// The prefix of its recordings' names, before the pair.
  var recordingName: String { ([kind.rawValue] + [interval?.rawValue].compactMap(\.self)).joined(separator: "-") }
}
