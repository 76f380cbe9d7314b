import Config
import JSON
import Quotes

/// A reader of messages that update rows.
struct TickerMessages: Sendable {
  let plan: MessagePlan<TickerField>
  private var scanner: Scanner?
  private var kept: CurrentRows
  /// The rows as received, by pair, if messages may contain only changes.
  private var whole: [Int: [UInt8]] = [:]
  private let hasWhole: Bool
  /// In bytes: no row of prices is a hundredth as long, but changes can make it longer and longer.
  private static let maximumRowLength = 1 << 20

  init(
    _ spec: StreamSpec, _ market: Market, _ pairs: [StreamPair], _ options: Interpretation, usesScan: Bool
  ) {
    plan = MessagePlan(spec, fields: spec.table.fields, market: market, usesScan: usesScan)
    scanner = plan.record.scanner
    kept = CurrentRows(plan, spec, market, pairs, options)
    hasWhole = spec.whole != nil
  }

  /// Replaces the row of a pair with newer data from elsewhere.
  mutating func replaceRow(of pair: Int, by row: Ticker) { kept.replaceRow(of: pair, by: row) }

  /// Sets whether updates come with an explanation.
  mutating func explain(_ isWanted: Bool) { kept.isExplained = isWanted }

  /// Returns nil if the message is not JSON.
  mutating func read(
    _ message: [UInt8], _ scope: ValueScope, _ arrival: Instant
  ) throws(AnswerFailure) -> MessageReading? {
    kept.begin(message, arrival)
    return hasWhole ? try readChange(message, scope) : try readWhole(message, scope)
  }

  private mutating func readWhole(
    _ message: [UInt8], _ scope: ValueScope
  ) throws(AnswerFailure) -> MessageReading? {
    try plan.record.readMessage(message, by: &scanner, scope, &kept)
  }

  /// Finds the rows of a message, merges changes into the rows received before, and reads the message with complete
  /// rows in their place.
  private mutating func readChange(
    _ message: [UInt8], _ scope: ValueScope
  ) throws(AnswerFailure) -> MessageReading? {
    var visitor = PlacesVisitor(plan: plan, pairs: kept.pairs)
    guard let (kind, places) = try plan.record.readMessage(message, by: &scanner, scope, &visitor) else { return nil }
    guard case .rows(let isWhole) = kind else { return MessageReading(kind) }
    if isWhole {
      let reading = try readWhole(message, scope)
      // A row that is older than the one before is not what later changes apply to.
      for (pair, row, range) in places where kept.taken[pair] == row {
        whole[pair] = range.count <= Self.maximumRowLength ? Array(message[range]) : nil
      }
      return reading
    }
    var parts: [(range: Range<Int>, text: [UInt8])] = []
    var replaced: [Int: [UInt8]] = [:]
    var gaps: [StreamReading] = []
    var baseless: [Int] = []
    for (pair, _, range) in places {
      let new = Array(message[range])
      // Without a complete row, the changes have nothing to apply to.
      guard let old = whole[pair], let row = try? JSONDocument(parsing: old),
        let change = try? JSONDocument(parsing: new)
      else {
        if whole[pair] == nil { baseless.append(pair) }
        parts.append((range, Array("null".utf8)))
        continue
      }
      if !change.root.duplicateMembers().isEmpty { kept.repeating.insert(pair) }
      let merged = MessageMerge.merged(row.root, change.root)
      guard merged.count <= Self.maximumRowLength else {
        whole[pair] = nil
        gaps.append(.gap(pair: pair, "the row has grown beyond \(Self.maximumRowLength) bytes"))
        parts.append((range, Array("null".utf8)))
        continue
      }
      whole[pair] = merged
      replaced[pair] = replaced[pair] ?? old
      parts.append((range, merged))
    }
    if places.isEmpty { return .read(.foreign) }
    guard parts.contains(where: { $0.text.count > 4 }) else {
      return MessageReading.read(baseless.isEmpty ? .other : .baseless(pairs: baseless)).with(gaps)
    }
    kept.isChange = true
    let reading = try readWhole(MessageMerge.replacing(parts, in: message), scope)
    // A change that was older than the row is not part of it.
    for (pair, old) in replaced where !(reading?.updates(pair) ?? false) { whole[pair] = old }
    return reading?.with(gaps)
  }
}

/// The current rows of a connection.
private struct CurrentRows: Sendable, MessageVisitor {
  /// The row of a pair, and what is known from its messages so far.
  private struct KeptRow {
    var row: Ticker
    /// The flags that stay until the next table: they are about figures that no message has.
    var standing: [Flag]
    /// Whether the change, which no message has, follows their prices.
    var renewsChange: Bool
    /// The fields that messages have mentioned.
    var said: TickerFields = []
    var trade: LastTrade
    /// The time of the last message: an older one contains nothing new.
    var last: MessageTime?

    /// - Parameters:
    ///   - time: the time in the message's row; nil if it has none.
    ///   - number: the number by which rows of one time are ordered; nil if it has none.
    mutating func apply<Rows>(
      _ builder: TickerBuilder, _ time: Instant?, _ number: Decimal?, _ arrival: Instant, _ reader: ValueReader<Rows>,
      at place: RowPlace
    ) -> TickerBuilder.RowUpdate {
      let update = builder.apply(
        to: &row, standing: standing, renewsChange: renewsChange, said: &said, trade: &trade, ownTime: time,
        arrival: arrival, reader, at: place)
      if !update.fields.isEmpty, let time, !time.isBeforeCoins {
        last = MessageTime(sent: time, number: number, arrival: arrival)
      }
      return update
    }
  }

  /// In pair order.
  private var rows: [KeptRow]
  /// Whether the message being read contains only changes.
  var isChange = false
  let pairs: StreamRows
  private let plan: MessagePlan<TickerField>
  private let builder: TickerBuilder
  /// The row of the message being read that each pair's row is from, by pair.
  private(set) var taken: [Int: Int] = [:]
  /// The pairs whose changes in it repeat a member, which the rows that they are merged into do not.
  var repeating: Set<Int> = []
  /// The arrival of the message being read.
  private var arrival = Instant(nanoseconds: 0)
  /// Its text, if it is to be explained.
  private var original: [UInt8] = []
  var isExplained: Bool
  private let isOfOffers: Bool
  /// Whether messages may contain only changes.
  private let hasWhole: Bool
  /// Whether rows say if their pair is traded.
  private let hasConditions: Bool
  /// Asked first: to look at the value is to copy it.
  private let hasSequence: Bool

  init(
    _ plan: MessagePlan<TickerField>, _ spec: StreamSpec, _ market: Market, _ pairs: [StreamPair],
    _ options: Interpretation
  ) {
    self.plan = plan
    self.pairs = StreamRows(spec, plan.record, pairs, options)
    let builder = TickerBuilder(plan.record, of: spec.table, market, options, arrival: nil)
    self.builder = builder
    rows = pairs.map { pair in
      KeptRow(
        row: pair.row, standing: builder.standingFlags(of: pair.row, said: []),
        renewsChange: builder.renewsChange(of: pair.row), trade: LastTrade(of: pair.row))
    }
    isExplained = options.traces
    isOfOffers = spec.channel == .offers
    hasConditions = !plan.record.conditions.isEmpty
    hasWhole = spec.whole != nil
    hasSequence = spec.sequence != nil
  }

  mutating func replaceRow(of pair: Int, by row: Ticker) {
    rows[pair].row = row
    rows[pair].trade.take(row)
    rows[pair].standing = builder.standingFlags(of: row, said: rows[pair].said)
    rows[pair].renewsChange = builder.renewsChange(of: row)
  }

  mutating func begin(_ message: [UInt8], _ arrival: Instant) {
    self.arrival = arrival
    isChange = false
    if hasWhole { (taken, repeating) = ([:], []) }
    if isExplained { original = message }
  }

  /// Updates the rows from a message: of several for one pair, the one with the latest time counts, of those with one
  /// time the one with the highest number, else the last.
  mutating func read<Rows>(_ reader: ValueReader<Rows>) -> MessageReading {
    if let other = MessageReading(plan.kind(of: reader)) { return other }
    var updates: [StreamUpdate] = []
    var isForeign = true
    pairs.forEach(plan.record, reader) { pair, place in
      isForeign = false
      // An older message contains nothing new. Rows without a time are only known by their order.
      let time = builder.ownTime(reader, at: place)
      let sequence = hasSequence ? plan.record.sequence.flatMap { reader.text($0, at: place) } : nil
      let number = sequence.flatMap { Decimal($0) }
      if let sequence, number == nil {
        updates.append(StreamUpdate(pair: pair, value: .unusable(.unreadable(sequence: sequence))))
        return
      }
      if let time, let last = rows[pair].last, last.outdates(time, number, at: arrival) { return }
      if hasWhole { taken[pair] = place.index }
      if hasConditions, !isTraded(reader, at: place) {
        updates.append(StreamUpdate(pair: pair, value: .unusable(.haltedStream)))
        return
      }
      let change = rows[pair].apply(builder, time, number, arrival, reader, at: place)
      if change.fields.isEmpty { return }
      if repeating.contains(pair) { rows[pair].row.flags.append(.repeatedMember) }
      let explanation = isExplained ? explained(pair, sent: time, reader, at: place) : nil
      func update() -> StreamUpdate {
        StreamUpdate(
          pair: pair, value: .ticker(rows[pair].row), explained: explanation, updatesPrice: change.hasPrice,
          fields: change.fields, sent: time)
      }
      // Most messages are about one pair.
      if updates.isEmpty {
        updates = [update()]
      } else {
        updates.removeAll { $0.pair == pair }
        updates.append(update())
      }
    }
    if isForeign { return .read(.foreign) }
    return .read(updates.isEmpty ? .other : .updates(updates))
  }

  private func isTraded<Rows>(_ reader: ValueReader<Rows>, at place: RowPlace) -> Bool {
    plan.record.conditions.allSatisfy { reader.holds($0, at: place) }
  }

  /// Explains the cells of a row that a message has just updated; nil if not requested.
  private func explained<Rows>(
    _ pair: Int, sent: Instant?, _ reader: ValueReader<Rows>, at place: RowPlace
  ) -> ExplainedMessage? {
    guard isExplained else { return nil }
    let row = rows[pair].row
    let traces = reader.traces(plan.record, at: place, multiplier: row.multiplier) { row.explainedText($0) }
    // Offers are received alongside another channel that provides the other fields.
    let told = zip(TickerField.allCases, traces).filter { !isOfOffers || plan.record[$0.0] != nil }
    let fields = told.map { field, trace in
      if field == .changePricePercent24, rows[pair].renewsChange, row[field].value != nil {
        return trace.computed(fromOpen: row.explainedText(.open))
      }
      if field != .time { return row[field].value == nil ? trace : trace.fallingBackToKept() }
      return row.time == nil ? trace : trace.fallingBackToKept(isKept: row.time != sent)
    }
    let symbol = reader.symbolTrace(plan.record, at: place, of: pairs.pairs[pair])
    return ExplainedMessage(original, isChange: isChange, [ExplainedRecord(.row, [symbol] + fields)])
  }
}

/// A visitor that finds the places of the rows of the connection's pairs.
private struct PlacesVisitor: MessageVisitor {
  let plan: MessagePlan<TickerField>
  let pairs: StreamRows

  func read<Rows>(
    _ reader: ValueReader<Rows>
  ) -> (MessagePlan<TickerField>.Kind, [(pair: Int, row: Int, range: Range<Int>)]) {
    let kind = plan.kind(of: reader)
    guard case .rows = kind else { return (kind, []) }
    var places: [(pair: Int, row: Int, range: Range<Int>)] = []
    pairs.forEach(plan.record, reader) { pair, place in
      if let range = reader.rows.range(place.index) { places.append((pair, place.index, range)) }
    }
    return (kind, places)
  }
}
