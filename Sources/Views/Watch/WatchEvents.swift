import Formats
import JSON
import Mapping
package import MarketData
package import Quotes

/// A live view as JSON, one object per line: `start`, then `rate`, `pair`, `row` and `feed` on every change, `alert`,
/// and `end`.
///
/// Each object is complete, numbers are strings with all their digits, and `seq` increases by one per line. Only the
/// newest state is written: a slow reader gets fewer objects, never old ones, and `missed` says how many of which row.
package struct WatchEvents: Sendable {
  private let everyMilliseconds: Int
  private var last: UInt64 = 0
  private var rate: [UInt8]?
  private var pairs: [Pair: (bytes: [UInt8], time: Instant)] = [:]
  private var rows: [RowKey: RowFigures] = [:]
  /// The rows of each pair when it was last written, with their symbols.
  private var symbols: [Pair: [RowKey: String]] = [:]
  private var feeds: [FeedKey: [UInt8]] = [:]
  /// Each row's tick count when last examined.
  private var ticks: [RowKey: UInt64] = [:]
  /// The index of the pair the next round begins with.
  private var first = 0
  /// Whether the last round had no room for all pairs.
  package private(set) var hasRest = false

  /// The figures of a row that trigger a new object; volumes and ages change all the time.
  private struct RowFigures: Hashable {
    let price: Cell
    let change: Cell
    /// Their codes: a message may name an age.
    let flags: [String]
    let objection: String?
  }

  package init(everyMilliseconds: Int) { self.everyMilliseconds = everyMilliseconds }

  package mutating func start(_ pairs: [Pair], exchanges: [String], at now: Instant) -> [UInt8] {
    event("start", at: now, ["pairs": .texts(pairs.map(\.description)), "exchanges": .texts(exchanges)])
  }

  /// - Parameter reason: why nothing more follows: `replay-ended`.
  package mutating func end(_ reason: String, at now: Instant) -> [UInt8] {
    event("end", at: now, ["reason": .string(reason)])
  }

  package mutating func alert(_ firing: AlertFiring) -> [UInt8] {
    let figures = firing.rule.condition.values
    let values = figures.map { ($0.description, JSONValue.text(firing.reading($0).map($0.field.text))) }
    let reasons = figures.map { ($0.description, firing.reading.reason($0)) }
    return event(
      "alert", at: firing.time,
      [
        "pair": .text(firing.subject?.description), "expr": .string(firing.rule.text), "values": .members(values),
        "reasons": .reasons(reasons), "premium": firing.knowsPremium ? firing.figures.snapshot.premiumJSON : nil,
      ])
  }

  /// Returns what has changed, one line each.
  ///
  /// - Parameter limit: after this many bytes, the remaining pairs wait for the next round, which begins with them.
  ///   This way, slow readers get no old data.
  package mutating func lines(_ board: WatchBoard, upTo limit: Int = .max) -> [UInt8] {
    var lines: [UInt8] = []
    let now = board.now
    if let report = board.state.rate {
      let value = report.json(at: report.quote?.arrival ?? report.moment)
      if let line = changed(value, rate) {
        rate = line
        lines += event("rate", at: now, ["fx": report.json(at: now)])
      }
    }
    let ticks = board.state.feeds.reduce(into: [:]) { ticks, feed in
      ticks.merge(feed.rows.ticks) { first, _ in first }
    }
    let count = board.figures.count
    first = count == 0 ? 0 : first % count
    hasRest = false
    for place in board.figures.indices {
      guard lines.count < limit else {
        (first, hasRest) = ((first + place) % count, true)
        break
      }
      let figures = board.figures[(first + place) % count]
      for (row, distance) in Self.rows(of: figures) {
        let line = line(of: row, distance, figures, board)
        lines += missed(row.ticker, ticks, isWritten: !line.isEmpty, figures.pair, at: now) + line
      }
      lines += goneRows(of: figures, board)
      let value = Self.json(figures)
      guard now.isPast(.milliseconds(everyMilliseconds), after: pairs[figures.pair]?.time) else { continue }
      guard let bytes = changed(value, pairs[figures.pair]?.bytes) else { continue }
      pairs[figures.pair] = (bytes, now)
      lines += event("pair", at: now, ["pair": .string("\(figures.pair)")] + value)
    }
    for (feed, phase) in board.phases {
      let value = Self.json(feed, phase)
      guard let bytes = changed(value, feeds[feed.key]) else { continue }
      feeds[feed.key] = bytes
      lines += event(
        "feed", at: now,
        ["exchange": .string(feed.key.exchange), "market": .string(feed.key.market.rawValue)] + value)
    }
    return lines
  }

  private func changed(_ value: JSONValue, _ last: [UInt8]?) -> [UInt8]? {
    let bytes = value.written()
    return bytes == last ? nil : bytes
  }

  private mutating func event(_ type: String, at now: Instant, _ rest: JSONValue) -> [UInt8] {
    last += 1
    let head: JSONValue = ["type": .string(type), "seq": .number("\(last)"), "time": .string(now.iso8601)]
    return (head + rest).written() + [UInt8(ascii: "\n")]
  }

  // MARK: Pairs

  private static func json(_ figures: PairFigures) -> JSONValue {
    let lead = figures.leadRow?.ticker
    let percents: [(String, JSONValue)] = DollarBasis.allCases.map {
      ($0.rawValue, .text(figures.localPercent(on: $0)?.quotientText))
    }
    let localReasons = DollarBasis.allCases.map { ($0.rawValue, figures.localReason(on: $0)) }
    return [
      "premium": figures.snapshot.premiumJSON, "reason": .text(figures.snapshot.premium.failure.map { "\($0)" }),
      "lead": lead.map {
        [
          "exchange": .string($0.exchange), "price": .text($0.digits(.price)),
          "changePricePercent24": .text($0.digits(.changePricePercent24)),
          "changeBasis": .text($0.changeBasis?.rawValue), "priceBasis": .text($0.priceBasis.label),
        ]
      } ?? nil,
      "disparity": figures.snapshot.disparityJSON, "localPremium": .members(percents),
      "localPremiumReason": .text(localReasons.lazy.compactMap(\.1).first),
      "localPremiumReasons": .reasons(localReasons),
      "exchanges": .integer(figures.usable),
    ]
  }

  // MARK: Rows

  private static func rows(
    of figures: PairFigures
  ) -> [(row: TickerRow, distance: Result<Disparity, DisparityAbsence>?)] {
    figures.snapshot.spot.map { ($0, nil) }
      + zip(figures.snapshot.futures, figures.snapshot.disparities).map { ($0, $1) }
  }

  /// Returns a last line for each row of a pair that its exchange no longer lists or trades: with reasons in place of
  /// figures.
  private mutating func goneRows(of figures: PairFigures, _ board: WatchBoard) -> [UInt8] {
    var gone = symbols[figures.pair] ?? [:]
    var symbols: [RowKey: String] = [:]
    for (row, _) in Self.rows(of: figures) {
      gone[row.ticker.key] = nil
      symbols[row.ticker.key] = row.ticker.symbol
    }
    self.symbols[figures.pair] = symbols
    let halted = figures.snapshot.reports.filter(\.isHalted).map { FeedKey(exchange: $0.exchange, market: $0.market) }
    return gone.sorted { ($0.key.nameInMarket, $0.value) < ($1.key.nameInMarket, $1.value) }.flatMap { key, symbol in
      let reason =
        halted.contains(FeedKey(exchange: key.exchange, market: key.market)) ? Missing.halted : .notListed
      let absent = Cell.missing(reason)
      let ticker = Ticker(
        exchange: key.exchange, market: key.market, product: key.product, symbol: symbol, pair: key.pair,
        price: absent, changePricePercent24: absent, volume24: absent, turnover24: absent, bid: absent, ask: absent,
        timeMissing: reason)
      defer { rows[key] = nil }
      return line(of: TickerRow(ticker: ticker, rank: ProductRank(), traces: []), nil, figures, board)
    }
  }

  private mutating func line(
    of row: TickerRow, _ distance: Result<Disparity, DisparityAbsence>?, _ figures: PairFigures, _ board: WatchBoard
  ) -> [UInt8] {
    let ticker = row.ticker
    let objection = ticker.headlineObjection(board.settings.rule)
    let own = RowFigures(
      price: ticker.price, change: ticker.changePricePercent24, flags: ticker.flags.codes,
      objection: objection?.code)
    guard rows[ticker.key] != own else { return [] }
    rows[ticker.key] = own
    var writer = JSONWriter()
    last += 1
    writer.beginObject()
    writer.member("type", "row")
    writer.key("seq")
    writer.number(text: "\(last)")
    writer.member("time", board.now.iso8601)
    writer.member("pair", "\(figures.pair)")
    // Won prices are converted without being asked for, so only this says into what.
    if let conversion = figures.snapshot.conversion { writer.member("convertedTo", conversion.currency) }
    writer.key("row")
    RowWriter(isFull: false, conversion: figures.snapshot.conversion, at: board.now)
      .write(row, objection: objection, comparison: distance.map { .spot($0) }, into: &writer)
    writer.endObject()
    return writer.finished() + [UInt8(ascii: "\n")]
  }

  /// Returns the row's ticks since it was last examined that no object reports.
  private mutating func missed(
    _ ticker: Ticker, _ all: [RowKey: UInt64], isWritten: Bool, _ pair: Pair, at now: Instant
  ) -> [UInt8] {
    guard let count = all[ticker.key], let before = ticks.updateValue(count, forKey: ticker.key),
      count > before + (isWritten ? 1 : 0)
    else { return [] }
    return event(
      "missed", at: now,
      [
        "pair": .string("\(pair)"), "exchange": .string(ticker.exchange), "market": .string(ticker.market.rawValue),
        "product": .text(ticker.product), "count": .string("\(count - before - (isWritten ? 1 : 0))"),
      ])
  }

  // MARK: Feeds

  private static func json(_ feed: FeedState, _ phase: FeedPhase) -> JSONValue {
    func value(_ reason: String? = nil, _ retry: Instant? = nil) -> JSONValue {
      [
        "state": .string(FeedWord(phase).rawValue), "reason": .text(reason),
        "message": .text(feed.failure?.failure.message), "retry": .text(retry?.iso8601),
        "periodMilliseconds": .integer(feed.period),
      ]
    }
    switch phase {
    case .loading, .live, .stale: return value()
    case .polled: return value(feed.failure?.failure.reason.code)
    case .substituted(let reason, let retry), .failed(let reason, let retry): return value(reason.code, retry)
    case .inPart(let pairs):
      let reasons = pairs.sorted { $0.key.description < $1.key.description }
      return value(reasons.first?.value.code)
        + ["pairs": .members(reasons.map { ($0.key.description, .string($0.value.code)) })]
    case .off(let why): return value(why.rawValue)
    }
  }
}
