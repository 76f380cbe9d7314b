package import Quotes

/// Prices as a row of bars, one cell each: `▂█▁`. It shows a trend, not numbers: the lowest bar is the lowest price,
/// the highest bar the highest.
package enum Sparkline {
  /// One to eight eighths of a cell.
  static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// - Parameters:
  ///   - values: Oldest first.
  ///   - cells: The number of bars that fit. If there are more values, the last one of each stretch is drawn.
  /// - Returns: The bars; empty without values or cells.
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
