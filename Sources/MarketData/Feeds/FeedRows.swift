package import Mapping
package import Quotes

/// The rows of a feed's pairs, whoever delivered them last: an answer or a stream.
package struct FeedRows: Sendable {
  /// In the order of the exchange's table.
  package private(set) var rows: [TickerRow] = []
  /// How often the price or the change of a row has come anew: of two pictures the reader of both sees how many it has missed.
  package private(set) var ticks: [RowKey: UInt64] = [:]

  package init() {}

  /// Takes a table of all pairs in place of what was there: a pair that is gone from it is gone from here.
  ///
  /// - Parameters:
  ///   - pairs: those that are followed.
  ///   - isPartial: whether parts of the table failed: then the rows of products that it does not speak of stay.
  ///   - streamed: pairs that a stream delivers: of them the newer row stays.
  mutating func replace(with table: [TickerRow], pairs: Set<Pair>, isPartial: Bool, streamed: Set<Pair>) {
    var new = table.filter { pairs.contains($0.ticker.pair) }
    for index in new.indices {
      let old = row(new[index].ticker.key)
      if let old, streamed.contains(old.ticker.pair), old.isNewer(than: new[index]) { new[index] = old }
      count(new[index], after: old)
    }
    let keys = Set(new.map(\.ticker.key))
    let products = Set(table.map(\.ticker.product))
    let kept = rows.filter { row in
      guard !keys.contains(row.ticker.key) else { return false }
      return streamed.contains(row.ticker.pair) || (isPartial && !products.contains(row.ticker.product))
    }
    rows = new + kept
  }

  /// Takes what a request for one pair brought in place of that pair's rows.
  mutating func replace(_ pair: Pair, with new: [TickerRow]) {
    let place = rows.firstIndex { $0.ticker.pair == pair } ?? rows.count
    let before = rows[..<place]
    let after = rows[place...].filter { $0.ticker.pair != pair }
    let own = new.filter { $0.ticker.pair == pair }
    for row in own { count(row, after: self.row(row.ticker.key)) }
    rows = before + own + after
  }

  /// Takes rows of a stream, each in place of the one of its key.
  mutating func take(_ streamed: [TickerRow], pairs: Set<Pair>) {
    for row in streamed where pairs.contains(row.ticker.pair) {
      guard let place = rows.firstIndex(where: { $0.ticker.key == row.ticker.key }) else {
        count(row, after: nil)
        rows.append(row)
        continue
      }
      // What was on its way for longer does not take the place of what is newer.
      guard !rows[place].isNewer(than: row) else { continue }
      count(row, after: rows[place])
      rows[place] = row
    }
  }

  private mutating func count(_ row: TickerRow, after old: TickerRow?) {
    let (new, old) = (row.ticker, old?.ticker)
    guard new.price != old?.price || new.changePricePercent24 != old?.changePricePercent24 else { return }
    ticks[new.key, default: 0] += 1
  }

  mutating func remove(_ pair: Pair) { rows.removeAll { $0.ticker.pair == pair } }

  private func row(_ key: RowKey) -> TickerRow? { rows.first { $0.ticker.key == key } }
}

extension TickerRow {
  /// By the exchange's own time where both have one, else by their arrival.
  fileprivate func isNewer(than other: TickerRow) -> Bool {
    if let own = ticker.time, let time = other.ticker.time, own != time { return own > time }
    guard let own = ticker.arrival, let arrival = other.ticker.arrival else { return false }
    return own > arrival
  }
}
