import Config
import Lint
import Terminal

/// The table of `--coverage`: what each market is made of.
enum CoverageText {
  static func text(_ coverage: [Coverage]) -> String {
    let rows = coverage.map { item in
      [
        TerminalText.sanitized(item.owner), item.market, "\(item.mapped) of \(item.possible)", "\(item.lookups)",
        item.hooks.isEmpty ? "data" : "hook \(item.hooks.joined(separator: ", "))",
      ]
    }
    let all = [["EXCHANGE", "MARKET", "FIELDS", "LOOKUPS", "BY"]] + rows
    let widths = (0..<5).map { column in all.map { TerminalText.width(of: $0[column]) }.max() ?? 0 }
    let lines = all.map { row in
      zip(row, widths).enumerated().map { index, cell in
        index == 4 ? cell.0 : cell.0 + String(repeating: " ", count: cell.1 - TerminalText.width(of: cell.0) + 2)
      }.joined()
    }
    let byHook = coverage.count { !$0.hooks.isEmpty }
    let share = coverage.isEmpty ? 100 : (coverage.count - byHook) * 100 / coverage.count
    return lines.map { $0 + "\n" }.joined()
      + "\(coverage.count - byHook) of \(coverage.count) tables are data alone (\(share) %)\n"
  }
}
