import Mapping
import MarketData
import Quotes
import Terminal

/// Says of every cell how it came to be: the request, the path, the raw digits, the scale and the value; of an empty one
/// the reason.
struct ExplainText {
  let snapshot: Snapshot
  let palette: Palette

  func text() -> String {
    var text = palette.paint("Explain", as: .heading) + "\n"
    for row in snapshot.spot + snapshot.futures {
      let ticker = row.ticker
      let name = [ticker.exchange, ticker.market.rawValue, ticker.product].compactMap(\.self).joined(separator: " ")
      text += palette.paint(TerminalText.sanitized("\(name), \(ticker.symbol)"), as: .heading) + "\n"
      if let source = row.source { text += "  \(TerminalText.sanitized(source))\n" }
      for trace in row.traces { text += "  \(TerminalText.sanitized(line(of: trace)))\n" }
    }
    for report in snapshot.reports where report.table.rows.isEmpty {
      text += palette.paint("\(report.exchange) \(report.market.rawValue)", as: .heading)
      text += TerminalText.sanitized(": \(report.reason ?? "no rows")\(report.message.map { " (\($0))" } ?? "")") + "\n"
      for request in report.requests {
        text += "  \(TerminalText.sanitized("\(request.method) \(request.url) (HTTP \(request.status))"))\n"
      }
    }
    return text
  }

  private func line(of trace: FieldTrace) -> String {
    let name = trace.field.rawValue
    var line = name + String(repeating: " ", count: max(1, 21 - name.count)) + trace.result
    guard !trace.sources.isEmpty else { return line }
    line += "  <- "
    if let operation = trace.operation { line += "\(operation): " }
    line += trace.sources.map(source).joined(separator: "; ")
    if let scale = trace.scale { line += "; scale \(scale)" }
    return line
  }

  private func source(_ source: FieldTrace.Source) -> String {
    guard source.from != "constant" else { return "constant \(source.raw ?? "")" }
    let path = source.path.map { " \($0)" } ?? ""
    return "\(source.from)\(path) = \(source.raw ?? "nothing")"
  }
}
