import Mapping
import MarketData
package import Quotes
import Terminal

/// A price that has just changed.
struct PriceTick: Sendable, Hashable {
  let old: Decimal
  let isUp: Bool
  fileprivate let start: Instant
}

/// Which prices have just changed: they flash for half a second, from the first digit that differs on. Of one price no second
/// flash begins within the first, so nothing flashes more than twice a second: from three on it can harm (WCAG 2.1, 2.3.1).
package struct PriceTicks: Sendable {
  private var prices: [RowKey: Decimal] = [:]
  private var ticks: [RowKey: PriceTick] = [:]

  package static let milliseconds = 500

  package init() {}

  /// Takes in the prices of a board.
  ///
  /// - Parameter time: by a clock that runs, whatever the board's does.
  /// - Returns: whether something has begun to flash.
  package mutating func take(_ board: WatchBoard, at time: Instant) -> Bool {
    ticks = lit(at: time)
    var hasBegun = false
    func take(_ row: TickerRow) {
      let key = row.ticker.key
      guard let price = row.ticker.price.value, let old = prices.updateValue(price, forKey: key), old != price,
        ticks[key] == nil
      else { return }
      ticks[key] = PriceTick(old: old, isUp: price > old, start: time)
      hasBegun = true
    }
    for figures in board.figures { for row in figures.snapshot.spot + figures.snapshot.futures { take(row) } }
    for entry in board.listing?.entries ?? [] { for row in entry.rows { take(row) } }
    return hasBegun
  }

  /// Those that flash at a moment.
  func lit(at time: Instant) -> [RowKey: PriceTick] {
    ticks.filter { time >= $0.value.start && time < $0.value.start.advanced(by: .milliseconds(Self.milliseconds)) }
  }
}

extension StyledText {
  /// A price that flashes: what is as it was, then what has changed.
  init(_ text: String, after old: String, _ style: Style, isUp: Bool) {
    let same = text.count == old.count ? zip(text, old).prefix { $0 == $1 }.count : 0
    self =
      StyledText(String(text.prefix(same)), style)
      + StyledText(String(text.dropFirst(same)), isUp ? .up : .down, isStrong: true)
  }
}
