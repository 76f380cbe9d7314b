package import Config
package import Mapping
package import MarketData
package import Quotes

/// The config of a tested block.
package enum TestedBlockSpec: Sendable {
  case orderbook(BookSpec)
  case trades(TableSpec)
  case candles(CandleSpec.Interval)

  var table: TableSpec {
    switch self {
    case .orderbook(let spec): spec.table
    case .trades(let table): table
    case .candles(let spec): spec.table
    }
  }

  func drifts(_ before: AnswerBodies, _ after: AnswerBodies, isSamePair: Bool) -> [Drift] {
    switch self {
    case .orderbook(let spec): Drift.drifts(before, after, of: spec, isSamePair: isSamePair)
    case .trades, .candles: [Drift(before, after, ofRowsOf: table, isSamePair: isSamePair)]
    }
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
  ) async -> Result<TestedBlock.Contents, AnswerFailure> {
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
