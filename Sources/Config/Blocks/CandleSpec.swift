import JSON
package import Quotes

/// The way the candles of one pair are requested and read, by interval.
package struct CandleSpec: Sendable {
  /// The candles of one interval.
  package struct Interval: Sendable {
    package let interval: CandleInterval
    /// The value of `{interval}`.
    package let word: IntervalWord
    /// The offset of the zone whose midnight starts a day, in seconds east of UTC.
    package let zoneSeconds: Int
    /// The request and how it is read: a table whose rows are the candles of the requested pair.
    package let table: TableSpec
  }

  /// The intervals, in config order.
  package let intervals: [Interval]
  package let node: ConfigNode

  /// The tables of its intervals, without duplicates: intervals that differ only in their word share one.
  package var tables: [TableSpec] {
    var known: [JSONNode] = []
    return intervals.indices.filter { index in
      let node = intervals[index].table.node.json
      defer { known.append(node) }
      return !known.contains(node)
    }.map { intervals[$0].table }
  }

  package subscript(_ interval: CandleInterval) -> Interval? { intervals.first { $0.interval == interval } }
}

/// An exchange's own word for an interval.
package struct IntervalWord: Sendable, Hashable {
  package let text: String
  /// Whether the config writes a number, which is then sent as a number in a body.
  package let isNumber: Bool
}

extension SpecReader {
  mutating func readCandles(_ block: Block, of source: ExchangeSource) -> CandleSpec? {
    let before = diagnostics.count
    let members = block.members(of: .intervals)
    guard !members.isEmpty else {
      let node = block[.intervals]
      return rejected(
        node.map { .wrongType("at least one interval", at: $0) }
          ?? .missingKey("intervals", in: "'candles'", at: block.node))
    }
    // Intervals that differ only in their word share one table.
    let isShared = members.contains { $0.value.json.kind != .object }
    let shared = isShared ? readTable(ofCandles: block, source) : nil
    var intervals: [CandleSpec.Interval] = []
    for member in members {
      if let interval = readInterval(member, of: block, source, shared) { intervals.append(interval) }
    }
    checkWords(of: intervals, members)
    checkZones(of: intervals, block)
    return hasErrors(since: before) ? nil : CandleSpec(intervals: intervals, node: block.node)
  }

  /// - Parameter shared: the table of the intervals that differ only in their word; nil if it has errors.
  private mutating func readInterval(
    _ member: ConfigMember, of block: Block, _ source: ExchangeSource, _ shared: TableSpec?
  ) -> CandleSpec.Interval? {
    guard let interval = CandleInterval(rawValue: member.name) else {
      return rejected(.unknownInterval(member.name, at: member.key))
    }
    var own = block
    var wordNode: ConfigNode? = member.value
    if member.value.json.kind == .object {
      source.overlay(member.value, on: &own)
      wordNode = member.value["word"]
    }
    guard let wordNode else { return rejected(.missingKey("word", in: "this interval", at: member.value)) }
    guard let text = wordNode.json.string ?? wordNode.json.numberText else {
      return rejected(.wrongType("a string, a number, or an object with a 'word'", at: wordNode))
    }
    let zone = own[.zone].map { readZone($0) } ?? 0
    let table = member.value.json.kind == .object ? readTable(ofCandles: own, source) : shared
    guard let zone, let table else { return nil }
    return CandleSpec.Interval(
      interval: interval, word: IntervalWord(text: text, isNumber: wordNode.json.kind == .number), zoneSeconds: zone,
      table: table)
  }

  private mutating func readTable(ofCandles block: Block, _ source: ExchangeSource) -> TableSpec? {
    let table = readTable(block, owner: source.name, fields: .candle)
    if let table { checkPages(of: table) }
    return table
  }

  /// Windows need the number of candles that fit in one, and at least two, since adjacent windows overlap by one.
  private mutating func checkPages(of table: TableSpec) {
    guard case .windows = CandlePaging(table.request) else { return }
    if table.counts.isEmpty {
      report(.missingKey("count", in: "'candles', whose request names {from…}", at: table.node))
    } else if table.counts.last == 1 {
      report(
        .invalidNumber("at least 2 candles in a request that names {from…}", at: table.block?[.count] ?? table.node))
    }
  }

  /// Reports intervals with the same request: one of them must be wrong.
  private mutating func checkWords(of intervals: [CandleSpec.Interval], _ members: [ConfigMember]) {
    var known: [String: CandleSpec.Interval] = [:]
    // Most intervals share one request.
    var request: (node: JSONNode, namesInterval: Bool)?
    for interval in intervals {
      let node = interval.table.request.node.json
      let namesInterval =
        request?.node == node ? request?.namesInterval == true : interval.table.request.placeholders.contains(.interval)
      request = (node, namesInterval)
      let key = namesInterval ? "\(interval.word.text) \(node.text)" : node.text
      guard let other = known[key] else {
        known[key] = interval
        continue
      }
      guard let member = members.first(where: { $0.name == interval.interval.rawValue }) else { continue }
      report(
        namesInterval
          ? .sharedIntervalWord(interval.word.text, other: other.interval.rawValue, at: member.value)
          : .requestWithoutInterval(at: interval.table.request.node))
      return
    }
  }

  private mutating func checkZones(of intervals: [CandleSpec.Interval], _ block: Block) {
    guard let zone = block[.zone], !intervals.isEmpty,
      intervals.allSatisfy({ $0.interval.seconds <= 3600 && $0.zoneSeconds % $0.interval.seconds == 0 })
    else { return }
    report(.idleZone(at: zone))
  }
}

/// The way older candles are requested, which follows from the names that the request uses.
package enum CandlePaging: Sendable, Hashable {
  /// One request per day, month or year, in the time of a zone.
  case calendar(CalendarUnit, zoneSeconds: Int)
  /// Windows of as many candles as one request returns.
  case windows
  /// Backwards from the oldest candle received.
  case backwards
  /// One request returns everything there is.
  case single

  package init(_ request: RequestSpec) {
    let placeholders = request.templates.flatMap(\.placeholders)
    for case .from(.format(let format, let zone)) in placeholders {
      guard let unit = format.dateUnit else { break }
      self = .calendar(unit, zoneSeconds: zone)
      return
    }
    let hasFrom = placeholders.contains { if case .from = $0 { true } else { false } }
    let hasTo = placeholders.contains { if case .to = $0 { true } else { false } }
    self = hasFrom ? .windows : hasTo ? .backwards : .single
  }
}
