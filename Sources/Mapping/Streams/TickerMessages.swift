import Config
import JSON
import Quotes

/// Reads messages that say something of rows, and lays it over them.
struct TickerMessages: Sendable {
  let plan: MessagePlan<TickerField>
  /// In the order of the pairs: what is known of each by now.
  var rows: [Ticker]
  private let pairs: StreamRows
  private let builder: TickerBuilder
  /// Where messages may say what has changed alone: the row as it came, by pair.
  private var whole: [Int: [UInt8]] = [:]
  private let hasWhole: Bool
  /// The exchange's time of the last message of each pair: an older one says nothing new.
  private var times: [Instant?]

  init(
    _ spec: StreamSpec, _ market: Market, _ pairs: [StreamPair], _ options: Interpretation, usesScan: Bool
  ) {
    plan = MessagePlan(spec, fields: spec.table.fields, market: market, usesScan: usesScan)
    rows = pairs.map(\.row)
    times = pairs.map { _ in nil }
    self.pairs = StreamRows(spec, plan.record, pairs, options)
    builder = TickerBuilder(plan.record, of: spec.table, market, options, arrival: nil)
    hasWhole = spec.whole != nil
  }

  /// nil where the message is not JSON.
  mutating func read(
    _ message: [UInt8], _ lookups: [ResolvedLookup], _ arrival: Instant
  ) throws(TableFailure) -> MessageReading? {
    if hasWhole { return try readChange(message, lookups, arrival) }
    return try readWhole(message, lookups, arrival)
  }

  private mutating func readWhole(
    _ message: [UInt8], _ lookups: [ResolvedLookup], _ arrival: Instant
  ) throws(TableFailure) -> MessageReading? {
    let visitor = RowsVisitor(plan: plan, pairs: pairs, builder: builder, rows: rows, arrival: arrival)
    guard let (kind, read) = try plan.record.readMessage(message, lookups, visitor) else { return nil }
    return MessageReading(kind) ?? .read(take(read))
  }

  /// Takes the rows of a message: of several of one pair the one with the latest time, else the last.
  private mutating func take(_ read: [(pair: Int, ticker: Ticker)]) -> StreamReading {
    var updates: [StreamUpdate] = []
    for (pair, ticker) in read {
      // What is mapped as a time is the message's own; of any other row only the order is known.
      if let time = ticker.time, time != rows[pair].time || times[pair] != nil {
        if let last = times[pair], time < last { continue }
        times[pair] = time
      }
      rows[pair] = ticker
      updates.removeAll { $0.pair == pair }
      updates.append(StreamUpdate(pair: pair, value: .ticker(ticker)))
    }
    return updates.isEmpty ? .other : .updates(updates)
  }

  // MARK: Changes

  /// Finds the rows of a message, lays those that say what has changed over what came before, and reads the message with
  /// whole rows in their place.
  private mutating func readChange(
    _ message: [UInt8], _ lookups: [ResolvedLookup], _ arrival: Instant
  ) throws(TableFailure) -> MessageReading? {
    let visitor = PlacesVisitor(plan: plan, pairs: pairs)
    guard let (kind, places) = try plan.record.readMessage(message, lookups, visitor) else { return nil }
    guard case .rows(let isWhole) = kind else { return MessageReading(kind) }
    if isWhole {
      for (pair, range) in places { whole[pair] = Array(message[range]) }
      return try readWhole(message, lookups, arrival)
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
      whole[pair] = merged
      parts.append((range, merged))
    }
    guard parts.contains(where: { $0.text.count > 4 }) else { return .read(.other) }
    return try readWhole(MessageMerge.replacing(parts, in: message), lookups, arrival)
  }
}

/// Reads the rows of a message over what is known of them.
private struct RowsVisitor: RowVisitor {
  let plan: MessagePlan<TickerField>
  let pairs: StreamRows
  let builder: TickerBuilder
  let rows: [Ticker]
  let arrival: Instant

  func read<Rows>(
    _ reader: ValueReader<Rows>
  ) -> (MessagePlan<TickerField>.Kind, [(pair: Int, ticker: Ticker)]) {
    let kind = plan.kind(of: reader)
    guard case .rows = kind else { return (kind, []) }
    var read: [(pair: Int, ticker: Ticker)] = []
    pairs.forEach(plan.record, reader) { pair, place in
      var ticker = rows[pair]
      builder.lay(over: &ticker, arrival: arrival, reader, at: place)
      read.append((pair, ticker))
    }
    return (kind, read)
  }
}

/// Finds where the rows of the connection's pairs stand.
private struct PlacesVisitor: RowVisitor {
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
