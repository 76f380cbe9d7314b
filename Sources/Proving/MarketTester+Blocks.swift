import Cassettes
import Config
import HTTP
import Mapping
import MarketData
import Quotes

extension MarketTester {
  /// Tests the recorded order books, trades and candles; live, those of one pair, with candles of the shortest
  /// interval, an hour and a day, as far as they are offered, and of a second pair with a clearly different price: an
  /// answer about the first, whatever is requested, shows with the second.
  func blocks(after tables: [TestedTable]) async -> [TestedBlock] {
    let rows = tables.wholeRows.map(\.ticker)
    var queries: [(spec: TestedBlockSpec, pair: Pair)] = []
    var names: Set<String> = []
    func add(_ spec: TestedBlockSpec, _ pair: Pair) {
      if names.insert("\(spec.recordingName) \(pair)").inserted { queries.append((spec, pair)) }
    }
    var contrasted: Set<Place> = []
    for spec in TestedBlockSpec.all(of: market) {
      let pairs = pairs(for: spec, rows)
      for pair in pairs { add(spec, pair) }
      // Intervals that differ only in their word name the pair alike.
      guard tester.cassette == nil, !contrasted.contains(spec.table.node.place), let first = pairs.first,
        let other = contrastingPair(to: first, in: rows.filter { spec.table.canHold($0.pair, tester.options) })
      else { continue }
      contrasted.insert(spec.table.node.place)
      add(spec, other)
    }
    return await concurrently(queries) { await block($0.spec, $0.pair, rows) }
  }

  /// - Parameter rows: Those of the tables of all pairs.
  private func block(_ spec: TestedBlockSpec, _ pair: Pair, _ rows: [Ticker]) async -> TestedBlock {
    let tap = AnswerCapture()
    let options = tester.options
    var client = tester.client.tapped(by: tap)
    // An answer that was recorded before the others is of the moment at which it arrived.
    if let cassette = tester.cassette, let moment = request(for: spec, pair, rows).flatMap(cassette.latestArrival) {
      client.now = { moment }
    }
    let outcome = await spec.outcome(
      of: pair, by: client, options, on: market, of: exchange, isRecorded: tester.cassette != nil)
    return TestedBlock(
      exchange: exchange, market: market.market, pair: pair, outcome: outcome,
      ticker: rows.first { $0.pair == pair && $0.isSound }, identityPercent: options.check.identity.limitPercent,
      spec: spec, answers: tap.answers, hooks: options.hooks)
  }

  /// Returns the pairs to request a block for: live the usual one, or those for which the cassette has a request of it.
  private func pairs(for spec: TestedBlockSpec, _ rows: [Ticker]) -> [Pair] {
    guard let cassette = tester.cassette else {
      if let interval = spec.interval, !market.liveIntervals.contains(interval) { return [] }
      return typicalPair(of: rows.filter { spec.table.canHold($0.pair, tester.options) }).map { [$0] } ?? []
    }
    let names = tester.names.of(spec.recordingName)
    // A name that uses the exchange's own spelling may be any of the table's pairs.
    let isSpelled = names.allSatisfy { $0.pair != nil }
    return (names.compactMap(\.pair) + (isSpelled ? [] : rows.map(\.pair))).unique.filter { pair in
      spec.table.canHold(pair, tester.options) && request(for: spec, pair, rows).map(cassette.holds) == true
    }
  }

  /// Returns the request that a query about the block starts with, by the table's name for the pair; nil if it cannot be
  /// written.
  private func request(for spec: TestedBlockSpec, _ pair: Pair, _ rows: [Ticker]) -> HTTPRequest? {
    var context = tester.client.context(for: spec.table.owner, pair: pair)
    context.spelling = spec.table.spelling(of: pair)
    context.spelling?.symbol = rows.first { $0.pair == pair }?.symbol
    let count = spec.count(isRecorded: tester.cassette != nil)
    context.count = spec.table.count(for: count)
    if case .candles(let candles) = spec {
      let grid = CandlePlan(candles).grid
      let end = grid.end(of: grid.start(containing: context.now))
      let pages = CandlePages(
        CandlePlan(candles), from: grid.moment(-count, after: end), to: end, now: context.now)
      context.count = spec.table.count(for: pages.first.count)
      context.candles = CandleRequest(word: candles.word, from: pages.first.from, to: pages.first.to)
    }
    return try? tester.client.request(spec.table, named: spec.kind.rawValue, context)
  }
}

extension ExchangeMarket {
  /// The intervals of candles that are tested live: three, or the shortest one if none of these is offered.
  fileprivate var liveIntervals: [CandleInterval] {
    let usual = intervals.filter { [.oneMinute, .oneHour, .oneDay].contains($0) }
    return usual.isEmpty ? intervals.min().map { [$0] } ?? [] : usual
  }
}
