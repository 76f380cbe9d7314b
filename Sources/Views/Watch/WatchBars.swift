import MarketData
import Quotes
package import Terminal

/// A live view as updates of a status bar that reads a running command: the whole text of a pair whenever it changes.
package struct WatchBars: Sendable {
  private let format: BarFormat
  private let scheme: ColorScheme
  private var printed: LastPrinted<Pair, String>

  /// - Parameter everyMilliseconds: The minimum interval between updates of a pair.
  package init(_ format: BarFormat, everyMilliseconds: Int, scheme: ColorScheme) {
    (self.format, self.scheme) = (format, scheme)
    printed = LastPrinted(everyMilliseconds: everyMilliseconds)
  }

  /// Returns the updates that are due and marks them as printed.
  ///
  /// - Parameter isWhole: whether all feeds have had time to answer; before, a bar would show exchanges one by one.
  package mutating func text(_ board: WatchBoard, isWhole: Bool) -> String {
    guard isWhole else { return "" }
    return board.figures.compactMap { figures in
      guard printed.isDue(figures.pair, at: board.now) else { return nil }
      let (rule, alert) = (board.settings.rule, board.settings.alert)
      let report = BarReport(
        figures, alert: alert, rule: rule, badges: board.badges, scheme: scheme, isSettled: board.state.isSettled)
      let text = report.update(format)
      return printed.take(text, of: figures.pair, at: board.now) ? text : nil
    }.joined()
  }
}
