import Mapping
import MarketData
import Quotes
import Terminal

/// A price change to highlight.
struct PriceTick: Sendable, Hashable {
  let old: Decimal
  let isUp: Bool
  fileprivate let start: Instant
}

/// The prices that just changed. They flash for half a second, starting at the first digit that differs. A price starts
/// to flash at most twice per second, below the three flashes per second that can be harmful (WCAG 2.1, 2.3.1).
struct PriceTicks: Sendable {
  private var prices: [RowKey: Decimal] = [:]
  private var ticks: [RowKey: PriceTick] = [:]

  static let milliseconds = 500

  /// Takes in the prices of a board.
  ///
  /// - Parameter time: from a running clock, whatever the board's clock does.
  /// - Returns: whether any price has started to flash.
  mutating func take(_ board: WatchBoard, at time: Instant) -> Bool {
    ticks = flashing(at: time)
    var hasBegun = false
    func take(_ row: TickerRow) {
      let key = row.ticker.key
      guard let price = row.ticker.price.value, let old = prices.updateValue(price, forKey: key), old != price
      else { return }
      // What flashes already goes on, in the direction of the price that is seen now.
      let start = ticks[key]?.start
      ticks[key] = PriceTick(old: old, isUp: price > old, start: start ?? time)
      if start == nil { hasBegun = true }
    }
    for figures in board.figures { for row in figures.snapshot.rows { take(row) } }
    for entry in board.listing?.entries ?? [] { for row in entry.rows { take(row) } }
    return hasBegun
  }

  func flashing(at time: Instant) -> [RowKey: PriceTick] {
    ticks.filter { time >= $0.value.start && time < $0.value.start.advanced(by: .milliseconds(Self.milliseconds)) }
  }
}

extension StyledText {
  /// Creates the text of a flashing price: the unchanged part, then the changed part.
  init(_ text: String, after old: String, _ style: Style, isUp: Bool) {
    let same = text.count == old.count ? zip(text, old).prefix { $0 == $1 }.count : 0
    self =
      StyledText(String(text.prefix(same)), style)
      + StyledText(String(text.dropFirst(same)), isUp ? .up : .down, isStrong: true)
  }
}
