package import Mapping
package import Quotes

/// The rows of a feed's pairs, whoever delivered them last: an answer or a stream.
package struct FeedRows: Sendable {
  /// In the order of the exchange's table.
  package private(set) var rows: [TickerRow] = []
  /// How often the price or the change of a row has come anew: of two pictures the reader of both sees how many it has missed.
  package private(set) var ticks: [RowKey: UInt64] = [:]
  /// Where they stand: tables have thousands of rows.
  private var places: [RowKey: Int] = [:]
  private var pairPlaces: [Pair: [Int]] = [:]

  package init() {}

  package subscript(key: RowKey) -> TickerRow? { places[key].map { rows[$0] } }

  /// Those of one pair, in the order of the table.
  package subscript(pair: Pair) -> [TickerRow] { pairPlaces[pair].map { $0.map { rows[$0] } } ?? [] }

  /// What is said of the prices of a pair, by row.
  func prices(of pair: Pair) -> [RowKey: [Cell]] {
    self[pair].reduce(into: [:]) { prices, row in
      let ticker = row.ticker
      prices[ticker.key] = ticker.price.value == nil ? [ticker.bid, ticker.ask] : [ticker.price]
    }
  }

  /// Takes a table of all pairs in place of what was there: a pair that is gone from it is gone from here.
  ///
  /// - Parameters:
  ///   - pairs: those that are followed; nil: all.
  ///   - isPartial: whether parts of the table failed: then the rows of products that it does not speak of stay.
  ///   - streamed: pairs that a stream delivers: of them stays what came since the table was asked for.
  ///   - asked: when that was.
  mutating func replace(
    with table: [TickerRow], pairs: Set<Pair>?, isPartial: Bool, streamed: Set<Pair>, asked: Instant?
  ) {
    var new = pairs.map { pairs in table.filter { pairs.contains($0.ticker.pair) } } ?? table
    for index in new.indices {
      let old = self[new[index].ticker.key]
      if let old, streamed.contains(old.ticker.pair), old.came(after: asked ?? new[index].ticker.arrival) {
        new[index] = old
      }
      count(new[index], after: old)
    }
    let keys = Set(new.map(\.ticker.key))
    let products = Set(table.map(\.ticker.product))
    let kept = rows.filter { row in
      guard !keys.contains(row.ticker.key) else { return false }
      return streamed.contains(row.ticker.pair) || (isPartial && !products.contains(row.ticker.product))
    }
    set(new + kept)
  }

  /// Takes what a request for one pair brought in place of that pair's rows.
  mutating func replace(_ pair: Pair, with new: [TickerRow]) {
    let place = pairPlaces[pair]?.first ?? rows.count
    let before = rows[..<place]
    let after = rows[place...].filter { $0.ticker.pair != pair }
    let own = new.filter { $0.ticker.pair == pair }
    for row in own { count(row, after: self[row.ticker.key]) }
    set(before + own + after)
  }

  /// Takes rows of a stream, or an answer about pairs that a stream delivers, each in place of the one of its key.
  ///
  /// - Parameters:
  ///   - pairs: those that are followed; nil: all.
  ///   - asked: when an answer was asked for; nil for a stream.
  mutating func take(_ new: [TickerRow], pairs: Set<Pair>?, asked: Instant? = nil) {
    for row in new where pairs?.contains(row.ticker.pair) ?? true {
      guard let place = places[row.ticker.key] else {
        count(row, after: nil)
        append(row)
        continue
      }
      // What was on its way for longer does not take the place of what is newer.
      guard !rows[place].came(after: asked ?? row.ticker.arrival) else { continue }
      count(row, after: rows[place])
      rows[place] = row
    }
  }

  private mutating func count(_ row: TickerRow, after old: TickerRow?) {
    let (new, old) = (row.ticker, old?.ticker)
    guard new.price != old?.price || new.changePricePercent24 != old?.changePricePercent24 else { return }
    ticks[new.key, default: 0] += 1
  }

  mutating func remove(_ pair: Pair) { set(rows.filter { $0.ticker.pair != pair }) }

  private mutating func set(_ new: [TickerRow]) {
    (rows, places, pairPlaces) = ([], [:], [:])
    rows.reserveCapacity(new.count)
    for row in new { append(row) }
  }

  private mutating func append(_ row: TickerRow) {
    // Of two rows of one key the first counts.
    if places[row.ticker.key] == nil { places[row.ticker.key] = rows.count }
    pairPlaces[row.ticker.pair, default: []].append(rows.count)
    rows.append(row)
  }
}

extension TickerRow {
  /// By our own clock alone. The exchange's times tell the messages of one connection apart, not a stream from a table: one
  /// may say when something was traded, the other when it was sent, by a clock of its own.
  fileprivate func came(after moment: Instant?) -> Bool {
    guard let arrival = ticker.arrival, let moment else { return false }
    return arrival > moment
  }
}
