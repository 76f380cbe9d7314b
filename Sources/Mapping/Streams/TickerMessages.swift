import Config
import JSON
import Quotes

/// Reads messages that say something of rows, and lays it over them.
struct TickerMessages: Sendable {
  let plan: MessagePlan<TickerField>
  private var scanner: Scanner?
  private var kept: KeptRows
  /// Where messages may say what has changed alone: the row as it came, by pair.
  private var whole: [Int: [UInt8]] = [:]
  private let hasWhole: Bool
  /// In bytes: no row of prices is a hundredth as long, and changes can only make it longer.
  private static let longestRow = 1 << 20

  init(
    _ spec: StreamSpec, _ market: Market, _ pairs: [StreamPair], _ options: Interpretation, usesScan: Bool
  ) {
    plan = MessagePlan(spec, fields: spec.table.fields, market: market, usesScan: usesScan)
    scanner = plan.record.scanner
    kept = KeptRows(plan, spec, market, pairs, options)
    hasWhole = spec.whole != nil
  }

  /// What is known of a pair from elsewhere since.
  mutating func replaceRow(of pair: Int, by row: Ticker) { kept.rows[pair] = row }

  /// nil where the message is not JSON.
  mutating func read(
    _ message: [UInt8], _ lookups: [ResolvedLookup], _ arrival: Instant
  ) throws(TableFailure) -> MessageReading? {
    kept.begin(message, arrival)
    return hasWhole ? try readChange(message, lookups) : try readWhole(message, lookups)
  }

  private mutating func readWhole(
    _ message: [UInt8], _ lookups: [ResolvedLookup]
  ) throws(TableFailure) -> MessageReading? {
    try plan.record.readMessage(message, by: &scanner, lookups, &kept)
  }

  /// Finds the rows of a message, lays those that say what has changed over what came before, and reads the message with
  /// whole rows in their place.
  private mutating func readChange(
    _ message: [UInt8], _ lookups: [ResolvedLookup]
  ) throws(TableFailure) -> MessageReading? {
    var visitor = PlacesVisitor(plan: plan, pairs: kept.pairs)
    guard let (kind, places) = try plan.record.readMessage(message, by: &scanner, lookups, &visitor) else { return nil }
    guard case .rows(let isWhole) = kind else { return MessageReading(kind) }
    if isWhole {
      for (pair, range) in places { whole[pair] = range.count <= Self.longestRow ? Array(message[range]) : nil }
      return try readWhole(message, lookups)
    }
    var parts: [(range: Range<Int>, text: [UInt8])] = []
    for (pair, range) in places {
      let new = Array(message[range])
      // Before the first whole one nobody knows what has changed.
      guard let old = whole[pair], let far = try? JSONDocument(parsing: old),
        let near = try? JSONDocument(parsing: new)
      else {
        parts.append((range, Array("null".utf8)))
        continue
      }
      let merged = MessageMerge.merged(far.root, near.root)
      guard merged.count <= Self.longestRow else {
        whole[pair] = nil
        return .read(.gap(pair: pair, "the row has grown beyond \(Self.longestRow) bytes"))
      }
      whole[pair] = merged
      parts.append((range, merged))
    }
    guard parts.contains(where: { $0.text.count > 4 }) else { return .read(.other) }
    kept.isChange = true
    return try readWhole(MessageMerge.replacing(parts, in: message), lookups)
  }
}

/// What is known of the rows of a connection by now.
private struct KeptRows: Sendable, MessageVisitor {
  /// In the order of the pairs.
  var rows: [Ticker]
  /// Whether the message that is being read says what has changed alone.
  var isChange = false
  let pairs: StreamRows
  private let plan: MessagePlan<TickerField>
  private let builder: TickerBuilder
  /// The exchange's time of the last message of each pair: an older one says nothing new.
  private var times: [Instant?]
  /// When the message came that is being read.
  private var arrival = Instant(nanoseconds: 0)
  /// Its text, where it is to be explained.
  private var original: [UInt8] = []
  private let isExplained: Bool
  private let isOfOffers: Bool

  init(
    _ plan: MessagePlan<TickerField>, _ spec: StreamSpec, _ market: Market, _ pairs: [StreamPair],
    _ options: Interpretation
  ) {
    self.plan = plan
    rows = pairs.map(\.row)
    times = pairs.map { _ in nil }
    self.pairs = StreamRows(spec, plan.record, pairs, options)
    builder = TickerBuilder(plan.record, of: spec.table, market, options, arrival: nil)
    isExplained = options.traces
    isOfOffers = spec.channel == .offers
  }

  mutating func begin(_ message: [UInt8], _ arrival: Instant) {
    self.arrival = arrival
    isChange = false
    if isExplained { original = message }
  }

  /// Lays the rows of a message over what is known: of several of one pair the one with the latest time, else the last.
  mutating func read<Rows>(_ reader: ValueReader<Rows>) -> MessageReading {
    if let other = MessageReading(plan.kind(of: reader)) { return other }
    var updates: [StreamUpdate] = []
    pairs.forEach(plan.record, reader) { pair, place in
      // An older message says nothing new. Of a row without a time only the order is known.
      let time = builder.ownTime(reader, at: place)
      // After one whose time has not come yet all would be old.
      if let time, let last = times[pair], time < last, !last.isFuture(at: arrival) { return }
      let said = builder.lay(over: &rows[pair], arrival: arrival, reader, at: place)
      if said == .nothing { return }
      if let time { times[pair] = time }
      let update = StreamUpdate(
        pair: pair, value: .ticker(rows[pair]), explained: explained(pair, reader, at: place), saysPrice: said == .price
      )
      // Most messages are of one pair.
      if updates.isEmpty {
        updates = [update]
      } else {
        updates.removeAll { $0.pair == pair }
        updates.append(update)
      }
    }
    return .read(updates.isEmpty ? .other : .updates(updates))
  }

  /// How the cells of a row came to be that a message was just laid over; nil where nobody asked.
  private func explained<Rows>(_ pair: Int, _ reader: ValueReader<Rows>, at place: RowPlace) -> ExplainedMessage? {
    guard isExplained else { return nil }
    let row = rows[pair]
    let traces = reader.traces(plan.record, at: place, multiplier: row.multiplier) { row.explainedText($0) }
    // Offers are heard beside something that says the others.
    let told = zip(TickerField.allCases, traces).filter { !isOfOffers || plan.record[$0.0] != nil }
    let fields = told.map { field, trace in
      let hasValue = field == .time ? row.time != nil : row[field].value != nil
      return hasValue ? trace.keptWhereUnsaid : trace
    }
    let symbol = reader.symbolTrace(plan.record, at: place, of: pairs.pairs[pair])
    return ExplainedMessage(original, isChange: isChange, [ExplainedRecord("row", [symbol] + fields)])
  }
}

/// Finds where the rows of the connection's pairs stand.
private struct PlacesVisitor: MessageVisitor {
  let plan: MessagePlan<TickerField>
  let pairs: StreamRows

  func read<Rows>(
    _ reader: ValueReader<Rows>
  ) -> (MessagePlan<TickerField>.Kind, [(pair: Int, range: Range<Int>)]) {
    let kind = plan.kind(of: reader)
    guard case .rows = kind else { return (kind, []) }
    var places: [(pair: Int, range: Range<Int>)] = []
    pairs.forEach(plan.record, reader) { pair, place in
      if let range = reader.rows.range(place.index) { places.append((pair, range)) }
    }
    return (kind, places)
  }
}
