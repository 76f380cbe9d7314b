package import Mapping
package import Quotes

/// The rows of a feed's pairs, from whichever answer or stream delivered them last.
package struct FeedRows: Sendable {
  /// In the order of the exchange's table.
  package private(set) var rows: [TickerRow] = []
  /// How often each row's price or change was updated, so that a reader of two pictures sees how many it has missed.
  package private(set) var ticks: [RowKey: UInt64] = [:]
  /// The same for all rows together.
  private(set) var updates: UInt64 = 0
  /// The rows' indexes, as tables have thousands of rows.
  private var places: [RowKey: Int] = [:]
  private var pairPlaces: [Pair: [Int]] = [:]
  /// The rows that a stream delivered last.
  private var streamedRows: Set<RowKey> = []
  /// The products that a stream provides of pairs that are polled because of their others.
  var streamedProducts: [Pair: Set<String?>] = [:]

  package init() {}

  package subscript(key: RowKey) -> TickerRow? { places[key].map { rows[$0] } }

  /// The rows of one pair, in the order of the table.
  package subscript(pair: Pair) -> [TickerRow] { pairPlaces[pair].map { $0.map { rows[$0] } } ?? [] }

  /// Returns the prices of a pair's rows that have none newer than a moment; of all its rows if it is nil.
  func prices(of pair: Pair, notAfter moment: Instant? = nil) -> [RowKey: [Cell]] {
    self[pair].reduce(into: [:]) { prices, row in
      let ticker = row.ticker
      if let moment, let arrival = ticker.priceArrival, arrival > moment { return }
      prices[ticker.key] = ticker.price.value == nil ? [ticker.bid, ticker.ask] : [ticker.price]
    }
  }

  /// Returns whether the row of an answer is newer than one that a stream begins with.
  func outdates(_ streamed: Ticker) -> Bool {
    guard !streamedRows.contains(streamed.key), let arrival = streamed.arrival, let row = self[streamed.key] else {
      return false
    }
    return row.ticker.outdates(streamed, at: arrival)
  }

  /// Replaces the rows with a table of all pairs; pairs missing from it are removed.
  ///
  /// - Parameters:
  ///   - pairs: The followed pairs; nil for all.
  ///   - isPartial: Whether parts of the table failed, in which case rows of products missing from it are kept.
  ///   - streamed: Pairs provided by a stream, which keep the rows of its messages: tables are often older. Of those that
  ///     the table lacks, only rows that arrived after `asked`.
  ///   - asked: When the table was requested. Rows that arrived between that and the table are kept as well.
  mutating func replace(
    with table: [TickerRow], pairs: Set<Pair>?, isPartial: Bool, streamed: Set<Pair>, asked: Instant?
  ) {
    var new = pairs.map { pairs in table.filter { pairs.contains($0.ticker.pair) } } ?? table
    for index in new.indices {
      let (row, old) = (new[index], self[new[index].ticker.key])
      if let old = retained(besides: row, isStreamed: streamed.contains(row.ticker.pair), asked: asked) {
        new[index] = old.flagged(by: row)
      }
      count(new[index], after: old)
    }
    let keys = Set(new.map(\.ticker.key))
    let products = Set(table.map(\.ticker.product))
    let kept = rows.filter { row in
      guard !keys.contains(row.ticker.key) else { return false }
      if isPartial, !products.contains(row.ticker.product) { return true }
      // A pair that a whole table lacks, and that its stream has not mentioned since, is no longer listed.
      return streamed.contains(row.ticker.pair) && (isPartial || asked == nil || row.came(after: asked))
    }
    set(new + kept)
  }

  /// Replaces a pair's rows with the answers to its own requests.
  ///
  /// - Parameters:
  ///   - isPartial: Whether parts failed, in which case rows of products missing from the others are kept.
  ///   - asked: When they were sent. A row that a stream brought between that and the answer is kept, as is that of a
  ///     product which it provides while the pair is asked for because of another.
  mutating func replace(_ pair: Pair, with new: [TickerRow], isPartial: Bool = false, asked: Instant? = nil) {
    let place = pairPlaces[pair]?.first ?? rows.count
    let before = rows[..<place]
    let after = rows[place...].filter { $0.ticker.pair != pair }
    let own = new.filter { $0.ticker.pair == pair }.map { row in
      retained(besides: row, isStreamed: false, asked: asked) ?? row
    }
    for row in own { count(row, after: self[row.ticker.key]) }
    let products = Set(own.map(\.ticker.product))
    let kept = self[pair].filter { isPartial && !products.contains($0.ticker.product) }
    set(before + (own + kept) + after)
  }

  /// Returns the row that an answer's must not replace, with what the answer knows in addition; nil if it must.
  ///
  /// - Parameter isStreamed: Whether a stream provides all products of the pair.
  private mutating func retained(besides row: TickerRow, isStreamed: Bool, asked: Instant?) -> TickerRow? {
    let ticker = row.ticker
    let isProvided = isStreamed || streamedProducts[ticker.pair]?.contains(ticker.product) ?? false
    guard let old = self[ticker.key],
      isProvided && streamedRows.contains(ticker.key) || old.came(between: asked, and: ticker.arrival)
    else {
      streamedRows.remove(ticker.key)
      return nil
    }
    // Before it takes the time of the other row, which may be of the next day.
    var retained = old.withDay(of: row).priced(by: row, since: asked)
    retained.ticker.takeTrade(of: ticker)
    return retained
  }

  /// Takes rows from a stream, or an answer about pairs provided by a stream; each replaces the one with its key.
  ///
  /// - Parameters:
  ///   - pairs: The followed pairs; nil for all.
  ///   - asked: When an answer was requested; nil for a stream.
  mutating func take(_ new: [TickerRow], pairs: Set<Pair>?, asked: Instant? = nil) {
    for row in new where pairs?.contains(row.ticker.pair) ?? true {
      if asked == nil { streamedRows.insert(row.ticker.key) }
      guard let place = places[row.ticker.key] else {
        count(row, after: nil)
        append(row)
        continue
      }
      let old = rows[place]
      // Data that was requested earlier must not replace newer data.
      let isOutdated = old.came(after: asked ?? row.ticker.arrival)
      rows[place] =
        isOutdated
        ? old.withDay(of: row).priced(by: row, since: asked)
        : row.withDay(of: old).priced(by: old, since: old.ticker.priceArrival)
      rows[place].ticker.takeTrade(of: isOutdated ? row.ticker : old.ticker)
      count(rows[place], after: old)
    }
  }

  /// Counts all rows from a clock that was set back.
  mutating func follow(setBack span: Duration) {
    for place in rows.indices { rows[place].ticker.follow(setBack: span) }
  }

  private mutating func count(_ row: TickerRow, after old: TickerRow?) {
    let (new, old) = (row.ticker, old?.ticker)
    guard new.price != old?.price || new.changePricePercent24 != old?.changePricePercent24 else { return }
    ticks[new.key, default: 0] += 1
    updates += 1
  }

  mutating func remove(_ pair: Pair) { set(rows.filter { $0.ticker.pair != pair }) }

  /// Removes the rows of a pair that arrived by a moment; nothing if that is unknown.
  mutating func remove(_ pair: Pair, notAfter moment: Instant?) {
    guard let moment else { return }
    set(rows.filter { $0.ticker.pair != pair || $0.came(after: moment) })
  }

  private mutating func set(_ new: [TickerRow]) {
    (rows, places, pairPlaces) = ([], [:], [:])
    rows.reserveCapacity(new.count)
    for row in new { append(row) }
  }

  private mutating func append(_ row: TickerRow) {
    // For duplicate keys, the first row counts.
    if places[row.ticker.key] == nil { places[row.ticker.key] = rows.count }
    pairPlaces[row.ticker.pair, default: []].append(rows.count)
    rows.append(row)
  }
}

extension [TickerRow] {
  /// Returns the rows with their arrivals by a clock that shows `now`: what arrived later by it did before it was set back.
  func arrived(by now: Instant) -> [TickerRow] {
    guard contains(where: { $0.ticker.isLate(by: now) }) else { return self }
    return map { row in
      var row = row
      row.ticker = row.ticker.arrived(by: now)
      return row
    }
  }
}

extension TickerRow {
  /// Returns the row with what a newer table as a whole shows to be wrong with it.
  fileprivate func flagged(by table: TickerRow) -> TickerRow {
    guard !ticker.flags.isEmpty || !table.ticker.flags.isEmpty else { return self }
    var row = self
    row.ticker.flags = table.ticker.flags.filter(\.isOfTable) + ticker.flags.filter { !$0.isOfTable }
    return row
  }

  /// Returns the row with the figures of another one that are of a later day than its own, or that it has lost because
  /// their day has ended: not all messages have them.
  fileprivate func withDay(of other: TickerRow) -> TickerRow {
    guard ticker.hasCalendarDay, let own = ticker.arrival, let others = other.ticker.arrival else { return self }
    let ended = ticker.endedFigures(byTheirClock: others).union(ticker.staleFigures)
    if ended.isEmpty { return self }
    let later = ended.subtracting(other.ticker.endedFigures(byTheirClock: max(own, ticker.time ?? own)))
    var row = self
    row.ticker.takeCells(later.fields, from: other.ticker)
    return row
  }

  /// Returns the row with another one's price, if that is of `moment` or later and its own is from before: messages
  /// without a price renew the other figures alone.
  fileprivate func priced(by other: TickerRow, since moment: Instant?) -> TickerRow {
    guard let own = ticker.otherPriceArrival, let moment, own < moment, other.ticker.price.value != nil else {
      return self
    }
    var row = self
    row.ticker.takeCells([.price], from: other.ticker)
    row.ticker.otherPriceArrival = other.ticker.priceArrival
    row.ticker.takeTime(from: other.ticker)
    row.ticker.flags = ticker.flags.filter { $0.kind != .stale } + other.ticker.flags.filter { $0.kind == .stale }
    return row
  }

  /// Compares by our own clock. The exchange's times order messages of one connection, but not streams and tables: one
  /// may be the time of a trade, the other that of sending, by a different clock.
  fileprivate func came(after moment: Instant?) -> Bool {
    guard let arrival = ticker.arrival, let moment else { return false }
    return arrival > moment
  }

  /// Returns whether it arrived after a request, before the answer. A clock that was set back makes every row seem later
  /// than the answer.
  fileprivate func came(between asked: Instant?, and arrival: Instant?) -> Bool {
    came(after: asked ?? arrival) && !came(after: arrival)
  }
}
