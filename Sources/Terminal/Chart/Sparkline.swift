package import Quotes

/// Prices as a row of bars, one cell each: `▂█▁`. It shows a trend, not numbers: the lowest bar is the lowest price,
/// the highest bar the highest.
package enum Sparkline {
  /// One to eight eighths of a cell.
  static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// - Parameters:
  ///   - values: Oldest first; nil where there is none.
  ///   - cells: The number of bars that fit. If there are more values, the last known one of each stretch is drawn.
  /// - Returns: The bars, with a blank where no value is known; empty without values or cells.
  package static func text(_ values: [Decimal?], cells: Int) -> String {
    guard cells > 0, !values.isEmpty else { return "" }
    let count = min(cells, values.count)
    let shown = (0..<count).map { cell in
      values[cell * values.count / count..<(cell + 1) * values.count / count].lazy.compactMap(\.self).last
    }
    let known = shown.compactMap(\.self)
    guard let axis = ValueAxis(known) else { return String(repeating: " ", count: count) }
    let isFlat = known.allSatisfy { $0 == known[0] }
    return String(
      shown.map { value -> Character in
        guard let value else { return " " }
        return isFlat ? bars[3] : bars[bars.count - 1 - axis.part(of: value, among: bars.count)]
      })
  }
}
