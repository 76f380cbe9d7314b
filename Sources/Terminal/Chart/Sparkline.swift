package import Quotes

/// Prices as a row of bars, one cell each: `▂█▁`. A picture of where they went, not a number: its lowest bar is the lowest
/// price, its highest the highest.
package enum Sparkline {
  /// One eighth of a cell to eight.
  private static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// - Parameters:
  ///   - values: oldest first.
  ///   - cells: how many there are room for; of more values the last of each stretch is drawn.
  /// - Returns: the bars; empty without values, or without room.
  package static func text(_ values: [Decimal], cells: Int) -> String {
    guard cells > 0, !values.isEmpty else { return "" }
    let count = min(cells, values.count)
    let shown = (0..<count).map { values[($0 + 1) * values.count / count - 1] }
    guard let axis = ValueAxis(shown), shown.contains(where: { $0 != shown[0] }) else {
      return String(repeating: bars[3], count: count)
    }
    return String(
      shown.map { value in
        let depth = axis.part(of: value, among: bars.count)
        return bars[bars.count - 1 - min(bars.count - 1, max(0, depth))]
      })
  }
}
