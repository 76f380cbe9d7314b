import Config
import JSON
import Quotes

/// A reader of trade messages.
struct TradeMessages: Sendable {
  let plan: MessagePlan<TradeField>
  private var scanner: Scanner?
  private let pairs: StreamRows
  private let isExplained: Bool

  init(_ spec: StreamSpec, _ market: Market, _ pairs: [StreamPair], _ options: Interpretation, usesScan: Bool) {
    plan = MessagePlan(spec, fields: spec.table.fields, market: market, usesScan: usesScan)
    scanner = plan.record.scanner
    self.pairs = StreamRows(spec, plan.record, pairs, options)
    isExplained = options.traces
  }

  /// Returns nil if the message is not JSON.
  mutating func read(
    _ message: [UInt8], _ scope: ValueScope, _ arrival: Instant
  ) throws(AnswerFailure) -> MessageReading? {
    // A time that is sent but unreadable is not replaced by that of arrival.
    let unsaid = plan.record[.time] == nil ? arrival : nil
    var visitor = RecordVisitor(
      plan: plan, pairs: pairs, builder: TradeBuilder(arrival: unsaid),
      incomplete: "a trade without a readable price or time")
    if isExplained {
      // Contracts of 1000PEPE have prices per thousand.
      visitor.result = { ($1.map($0.scaled) ?? $0).explainedText($2) }
    }
    guard let (kind, trades) = try plan.record.readMessage(message, by: &scanner, scope, &visitor) else { return nil }
    if let other = MessageReading(kind) { return other }
    let updates = trades.flatMap { pair, records -> [StreamUpdate] in
      let unread = records.unread.map { StreamUpdate(pair: pair, value: $0) }
      guard !records.all.isEmpty else { return unread }
      let factor = pairs.multipliers[pair]
      let own = factor.map { factor in records.all.map { $0.scaled(by: factor) } } ?? records.all
      let ordered = TradePlan.ordered(own, otherwise: .oldestFirst)
      let newest = zip(own, records.traces).reversed().first { $0.0 == ordered.last }?.1.map { trace in
        trace.name == TradeField.time.rawValue ? trace.fallingBackToArrival : trace
      }
      let update = StreamUpdate(
        pair: pair, value: .trades(ordered),
        explained: newest.map { ExplainedMessage(message, [ExplainedRecord(.newestTrade, $0)]) })
      return [update] + unread
    }
    return .read(updates.isEmpty ? .foreign : .updates(updates))
  }
}

/// A reader of messages of the current candle.
struct CandleMessages: Sendable {
  let plan: MessagePlan<CandleField>
  private var scanner: Scanner?
  private let pairs: StreamRows
  private let isExplained: Bool
  private let builder: CandleBuilder

  init(
    _ spec: StreamSpec, _ market: Market, _ pairs: [StreamPair], _ interval: CandleInterval, _ options: Interpretation,
    usesScan: Bool
  ) {
    plan = MessagePlan(spec, fields: spec.table.fields, market: market, usesScan: usesScan)
    scanner = plan.record.scanner
    self.pairs = StreamRows(spec, plan.record, pairs, options)
    builder = CandleBuilder(
      grid: CandleGrid(interval, zoneSeconds: spec.zoneSeconds(of: interval)), basis: spec.table.candleTimeBasis)
    isExplained = options.traces
  }

  /// Returns nil if the message is not JSON.
  mutating func read(_ message: [UInt8], _ scope: ValueScope) throws(AnswerFailure) -> MessageReading? {
    var visitor = RecordVisitor(
      plan: plan, pairs: pairs, builder: builder, incomplete: "a candle has no time, or lacks one of its prices")
    if isExplained { visitor.result = { ($1.map($0.scaled) ?? $0).explainedText($2) } }
    guard let (kind, candles) = try plan.record.readMessage(message, by: &scanner, scope, &visitor) else {
      return nil
    }
    if let other = MessageReading(kind) { return other }
    let updates = candles.flatMap { pair, records in
      let factor = pairs.multipliers[pair]
      return records.all.indices.sorted { records.all[$0].start < records.all[$1].start }.map { index in
        let candle = records.all[index]
        let fields = records.traces.indices.contains(index) ? records.traces[index] : nil
        return StreamUpdate(
          pair: pair, value: .candle(factor.map { candle.scaled(by: $0) } ?? candle),
          explained: fields.map { ExplainedMessage(message, [ExplainedRecord(.candle, $0)]) })
      } + records.unread.map { StreamUpdate(pair: pair, value: $0) }
    }
    return .read(updates.isEmpty ? .foreign : .updates(updates))
  }
}

/// A visitor that builds records from the rows of a message, grouped by pair in order of first occurrence.
private struct RecordVisitor<Builder: RecordBuilder>: MessageVisitor {
  /// The records of one pair, in message order.
  struct Records {
    var all: [Builder.Output] = []
    /// The explanation of each of them; empty if not requested.
    var traces: [[FieldTrace]] = []
    /// Why the first row that is not a valid record is none.
    var failure: AnswerFailure?

    /// The update that reports such rows; empty if there are none.
    var unread: [StreamUpdate.Value] { failure.map { [.unusable($0)] } ?? [] }
  }

  let plan: MessagePlan<Builder.Field>
  let pairs: StreamRows
  let builder: Builder
  /// What a row lacks that is not a record.
  let incomplete: AnswerFailure
  /// The digits of a field of a record, given its multiplier, or why there are none; nil if no explanation is
  /// requested.
  var result: ((Builder.Output, Decimal?, Builder.Field) -> String)?

  init(plan: MessagePlan<Builder.Field>, pairs: StreamRows, builder: Builder, incomplete: String) {
    (self.plan, self.pairs, self.builder) = (plan, pairs, builder)
    self.incomplete = AnswerFailure(.notANumber, incomplete)
  }

  func read<Rows>(
    _ reader: ValueReader<Rows>
  ) throws(AnswerFailure) -> (MessagePlan<Builder.Field>.Kind, [(pair: Int, records: Records)]) {
    let kind = plan.kind(of: reader)
    guard case .rows = kind else { return (kind, []) }
    var records: [(pair: Int, records: Records)] = []
    var failure: AnswerFailure?
    pairs.forEach(plan.record, reader) { pair, place in
      do throws(AnswerFailure) {
        let isAmbiguous = reader.rows.repeatsMember(place.index)
        let record = isAmbiguous ? nil : try builder.record(RecordRow(plan: plan.record, reader: reader, place: place))
        var index = records.firstIndex { $0.pair == pair } ?? records.endIndex
        if index == records.endIndex {
          records.append((pair, Records()))
          index = records.endIndex - 1
        }
        guard let record else {
          let why = isAmbiguous ? .repeatedMember : incomplete
          records[index].records.failure = records[index].records.failure ?? why
          return
        }
        records[index].records.all.append(record)
        if let result {
          let multiplier = pairs.multipliers[pair]
          let fields = reader.traces(plan.record, at: place, multiplier: multiplier) { result(record, multiplier, $0) }
          let symbol = reader.symbolTrace(plan.record, at: place, of: pairs.pairs[pair])
          records[index].records.traces.append([symbol] + fields)
        }
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return (kind, records)
  }
}
