import Adapters
import Catalog
import MarketData
import Quotes
import Terminal

/// What a mapping made of one market's answers, for people.
struct MarketTrial {
  private let report: VenueReport
  private let trial: TableTrial

  init(_ market: VenueMarket, _ report: VenueReport) {
    self.report = report
    let names = market.tickers.flatMap { $0.fields.keys }
    trial = TableTrial(report.table.rows, mapped: Set(names.compactMap { TickerField(rawValue: $0) }))
  }

  var problems: [String] {
    let failures = [report.line].compactMap(\.self)
    return report.table.rows.isEmpty && !failures.isEmpty ? failures : failures + trial.problems
  }

  func text(width: Int?, palette: Palette) -> String {
    let title = "\(report.exchange) \(report.market.rawValue)"
    let verdict = problems.isEmpty ? StyledText("good", .neutral) : StyledText("\(problems.count) problems", .alert)
    var text = (StyledText(title, .heading) + StyledText(": \(counts), ") + verdict).painted(with: palette) + "\n"
    if trial.rowCount > 0 { text += fieldTable(width: width, palette: palette) }
    for check in trial.checks {
      text += TerminalText.sanitized("  \(check.code): \(check.count) rows, for example: \(check.example)") + "\n"
    }
    for problem in problems {
      text += palette.paint("  problem: \(TerminalText.sanitized(problem))", as: .alert) + "\n"
    }
    return text + "\n"
  }

  private var counts: String {
    var parts = ["\(trial.rowCount) rows"]
    for (reason, count) in report.table.dropped.sorted(by: { $0.key < $1.key }) {
      parts.append("\(count) dropped by \"\(reason)\"")
    }
    let unsplit = report.table.unsplit
    if !unsplit.isEmpty {
      let names = unsplit.prefix(5).map(\.symbol).joined(separator: ", ")
      parts.append("\(unsplit.count) symbols not split (\(names)\(unsplit.count > 5 ? ", …" : ""))")
    }
    return parts.joined(separator: ", ")
  }

  private func fieldTable(width: Int?, palette: Palette) -> String {
    var table = Table(columns: [
      TableColumn("  field"), TableColumn("filled", .right), TableColumn("missing", shortening: 0),
    ])
    for field in trial.fields {
      let missing = field.missing.map { "\($0.count) \($0.reason)" }.joined(separator: ", ")
      let style: Style = field.filled == 0 ? .warning : .neutral
      table.addRow([
        StyledText("  " + field.field.rawValue), StyledText(String(field.filled), style), StyledText(missing, .dim),
      ])
    }
    return table.rendered(width: width, palette: palette)
  }
}
