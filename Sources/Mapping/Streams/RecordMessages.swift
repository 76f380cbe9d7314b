import Config
import Quotes

/// Reads messages of trades.
struct TradeMessages: Sendable {
  let plan: MessagePlan<TradeField>
  private let pairs: StreamRows

  init(_ spec: StreamSpec, _ market: Market, _ pairs: [StreamPair], _ options: Interpretation, usesScan: Bool) {
    plan = MessagePlan(spec, fields: spec.table.fields, market: market, usesScan: usesScan)
    self.pairs = StreamRows(spec, plan.record, pairs, options)
  }

  /// nil where the message is not JSON.
  func read(
    _ message: [UInt8], _ lookups: [ResolvedLookup], _ arrival: Instant
  ) throws(TableFailure) -> MessageReading? {
    let visitor = RecordVisitor(plan: plan, pairs: pairs, builder: TradeBuilder(arrival: arrival))
    guard let (kind, trades) = try plan.record.readMessage(message, lookups, visitor) else { return nil }
    if let other = MessageReading(kind) { return other }
    return .read(
      .updates(
        trades.map { pair, trades in
          // Contracts of 1000PEPE are prices of a thousand.
          let own = pairs.pairs[pair].row.multiplier.map { factor in trades.map { $0.scaled(by: factor) } } ?? trades
          return StreamUpdate(pair: pair, value: .trades(TradePlan.ordered(own)))
        }))
  }
}

/// Reads messages of the running candle.
struct CandleMessages: Sendable {
  let plan: MessagePlan<CandleField>
  private let pairs: StreamRows
  private let builder: CandleBuilder

  init(
    _ spec: StreamSpec, _ market: Market, _ pairs: [StreamPair], _ interval: CandleInterval, _ options: Interpretation,
    usesScan: Bool
  ) {
    plan = MessagePlan(spec, fields: spec.table.fields, market: market, usesScan: usesScan)
    self.pairs = StreamRows(spec, plan.record, pairs, options)
    let basis = spec.table.fields[CandleField.time.rawValue]?.basis.flatMap { CandleTimeBasis(rawValue: $0) }
    builder = CandleBuilder(grid: CandleGrid(interval, zoneSeconds: spec.zoneSeconds), basis: basis ?? .start)
  }

  /// nil where the message is not JSON.
  func read(
    _ message: [UInt8], _ lookups: [ResolvedLookup], _ arrival: Instant
  ) throws(TableFailure) -> MessageReading? {
    let visitor = RecordVisitor(plan: plan, pairs: pairs, builder: builder)
    guard let (kind, candles) = try plan.record.readMessage(message, lookups, visitor) else { return nil }
    if let other = MessageReading(kind) { return other }
    return .read(
      .updates(
        candles.flatMap { pair, candles in
          let factor = pairs.pairs[pair].row.multiplier
          return candles.sorted { $0.start < $1.start }.map { candle in
            StreamUpdate(pair: pair, value: .candle(factor.map { candle.scaled(by: $0) } ?? candle))
          }
        }))
  }
}

/// Makes records of the rows of a message, pair by pair, in the order of their first rows.
private struct RecordVisitor<Builder: RecordBuilder>: RowVisitor {
  let plan: MessagePlan<Builder.Field>
  let pairs: StreamRows
  let builder: Builder

  func read<Rows>(
    _ reader: ValueReader<Rows>
  ) throws(TableFailure) -> (MessagePlan<Builder.Field>.Kind, [(pair: Int, records: [Builder.Output])]) {
    let kind = plan.kind(of: reader)
    guard case .rows = kind else { return (kind, []) }
    var records: [(pair: Int, records: [Builder.Output])] = []
    var failure: TableFailure?
    pairs.forEach(plan.record, reader) { pair, place in
      do throws(TableFailure) {
        guard let record = try builder.record(RecordRow(plan: plan.record, reader: reader, place: place)) else {
          return
        }
        if let index = records.firstIndex(where: { $0.pair == pair }) {
          records[index].records.append(record)
        } else {
          records.append((pair, [record]))
        }
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return (kind, records)
  }
}
