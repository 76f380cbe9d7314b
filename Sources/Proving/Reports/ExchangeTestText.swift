import Config
import Mapping
import MarketData
import Quotes
package import Terminal

/// Writes the results of exchange tests in human-readable form.
package struct ExchangeTestText {
  private let width: Int?
  private let palette: Palette

  /// - Parameter width: The width in cells; nil to cut and wrap nothing.
  package init(width: Int?, palette: Palette) { (self.width, self.palette) = (width, palette) }

  /// The maximum number of unread members that are named; `--format json` has them all.
  private static let namedMembers = 8

  package func text(of exchange: TestedExchange) -> String {
    let verdict = Self.verdict(exchange.problems.count)
    var text = line(StyledText(exchange.name, .heading) + StyledText(": ") + verdict + dim("  \(exchange.origin)"))
    let all = Array(zip(exchange.tables, exchange.tableFindings))
    let whole = all.filter(\.0.isWhole)
    for (table, findings) in whole {
      text += self.text(of: table, findings)
      text += singles(all.filter { !$0.0.isWhole && $0.0.isPart(of: table) })
    }
    text += singles(all.filter { table in !table.0.isWhole && !whole.contains { table.0.isPart(of: $0.0) } })
    for rate in exchange.rates {
      switch rate.outcome {
      case .success(let reading):
        let change = reading.changePercent.map { ", \($0.signedPercentText) %" } ?? ""
        let time = reading.time.map { ", \($0.iso8601)" } ?? reading.date.map { ", \($0)" } ?? ""
        text += wrapped(
          "\(rate.pair) \(reading.rate.rounded(toSignificantDigits: 12).shortest)\(change)\(time)", indent: "  ")
      case .failure(let failure): text += wrapped("\(rate.pair) (\(failure.reason.code))", .dim, indent: "  ")
      }
    }
    for kind in BlockKind.allCases {
      let good = exchange.blocks.filter { $0.kind == kind && $0.findings.isEmpty }.map { block in
        ([block.market.rawValue, "\(block.pair)"] + [block.interval?.rawValue].compactMap(\.self)).joined(
          separator: " ")
      }
      if !good.isEmpty { text += wrapped("\(kind.plural), good: \(good.joined(separator: ", "))", indent: "  ") }
    }
    text += streams(exchange.streams.filter { $0.findings.isEmpty })
    text += lines(of: exchange.general, indent: "  ")
    return text + "\n"
  }

  /// Returns connections without problems; a recorded error is not a problem of the mapping.
  private func streams(_ good: [TestedStream]) -> String {
    guard !good.isEmpty else { return "" }
    let names = good.map { stream -> String in
      let pairs = ([stream.pair] + stream.others).map(\.description).listed("and")
      let result =
        (stream.refusal == nil ? "" : " (refused)") + (stream.heard.map { " (\(text(of: $0, stream)))" } ?? "")
      return "\(stream.market.rawValue) \(stream.channel.rawValue) \(pairs)\(result)"
    }
    return wrapped("streams, good: \(names.joined(separator: ", "))", indent: "  ")
  }

  /// `open after 210 ms, first message after 35 ms, 12 of 14 messages`
  private func text(of heard: TestedStream.Heard, _ stream: TestedStream) -> String {
    let first = heard.firstAfter.map { ", first message after \($0) ms" } ?? ""
    let tries = heard.tries > 1 ? ", \(heard.tries) connections" : ""
    return
      "open after \(heard.openedAfter ?? 0) ms\(first), \(stream.updateCount) readings of \(heard.messageCount) messages"
      + tries
  }

  /// Returns the end of a run over several exchanges: a line for each, and the totals.
  package func summary(of exchanges: [TestedExchange]) -> String {
    guard exchanges.count > 1 else { return "" }
    let bad = exchanges.filter { !$0.problems.isEmpty }
    let recordings = exchanges.compactMap(\.recordings)
    let dates = recordings.map(\.first).min().flatMap { first in
      recordings.map(\.last).max().map { ", on recordings of \(TestedExchange.Recordings.dates(first, $0))" }
    }
    let end =
      bad.isEmpty
      ? "all \(exchanges.count) are good\(dates ?? "")"
      : "\(exchanges.count - bad.count) of \(exchanges.count) are good\(dates ?? "")"
    return overview(of: exchanges) + "\n" + wrapped(end, bad.isEmpty ? .neutral : .alert, indent: "")
  }

  private func overview(of exchanges: [TestedExchange]) -> String {
    var table = Table(columns: [
      TableColumn("exchange", shortening: 1), TableColumn("result"), TableColumn("tables", .right, dropping: 1),
      TableColumn("rows", .right), TableColumn("notes", .right, dropping: 0), TableColumn("recorded", dropping: 2),
      TableColumn("first problem", minimumWidth: 12, shortening: 0),
    ])
    for exchange in exchanges {
      let tables = exchange.tables.filter(\.isWhole)
      let rates = exchange.rates.count { $0.reading != nil }
      let rows = tables.reduce(0) { $0 + $1.counts.rowCount } + rates
      let notes = exchange.findings.count { $0.severity == .note }
      table.addRow([
        StyledText(exchange.name), Self.verdict(exchange.problems.count),
        StyledText(String(max(tables.count, rates > 0 ? 1 : 0))),
        StyledText(String(rows), rows == 0 ? .warning : .neutral), dim(notes == 0 ? "" : String(notes)),
        dim(exchange.recordings?.dates ?? exchange.origin), StyledText(exchange.problems.first?.message ?? "", .alert),
      ])
    }
    return table.rendered(width: width, palette: palette)
  }

  // MARK: Tables

  private func text(of table: TestedTable, _ findings: [Finding]) -> String {
    let title = StyledText("  \(table.name)", .heading) + StyledText(": \(counts(of: table)), ")
    var text = line(title + Self.verdict(findings.count { $0.severity == .error }))
    if table.counts.rowCount > 0 { text += fields(of: table.counts) }
    // A check that fails too often is among the findings, with its example; the advice for a change has none.
    for check in table.counts.checks where !check.isProblem || check.changeAdvice != nil {
      text += wrapped(
        "\(check.kind.rawValue): \(check.count) of \(table.counts.rowCount) rows, for example \(check.example)")
    }
    text += unread(in: table)
    return text + lines(of: findings, indent: "    ")
  }

  private func counts(of table: TestedTable) -> String {
    let dropped = table.gathered.table.dropped.sorted { $0.key < $1.key }
    return ([table.counts.rowCount.counted("row")] + dropped.map { "\($0.value) dropped by \"\($0.key)\"" })
      .joined(separator: ", ")
  }

  private func fields(of counts: TableCounts) -> String {
    let fails = counts.fields.contains { !$0.failed.isEmpty }
    var table = Table(
      columns: [TableColumn("    field"), TableColumn("filled", .right), TableColumn("missed", shortening: 0)]
        + (fails ? [TableColumn("failed", shortening: 1)] : []))
    func list<Value: Hashable & Sendable>(_ counts: [TableCounts.Count<Value>], _ name: (Value) -> String) -> String {
      counts.map { "\($0.count) \(name($0.value))" }.joined(separator: ", ")
    }
    for field in counts.fields {
      table.addRow([
        StyledText("    " + field.field.rawValue),
        StyledText(String(field.filled), field.filled == 0 ? .warning : .neutral), dim(list(field.missing, \.code)),
        StyledText(list(field.failed, \.rawValue), .warning),
      ])
    }
    return table.rendered(width: width, palette: palette)
  }

  private func unread(in table: TestedTable) -> String {
    let members = table.unreadMembers
    guard !members.isEmpty else { return "" }
    let named = members.map { "\($0.name) \($0.example)" }.named(upTo: Self.namedMembers)
    return wrapped("not read: \(named)", .dim)
  }

  // MARK: Single pairs

  /// Returns the pairs queried by their own requests.
  private func singles(_ tables: [(TestedTable, [Finding])]) -> String {
    let good = tables.filter { $0.1.isEmpty }.map { table, _ in
      let name = table.pair.map { "\($0)" } ?? ""
      guard table.isAbsent else { return name }
      return "\(name) (\(table.failures.contains { $0.reason == .halted } ? "halted" : "not listed"))"
    }
    var text = good.isEmpty ? "" : wrapped("requested alone, good: \(good.joined(separator: ", "))")
    for (table, findings) in tables where !findings.isEmpty {
      let verdict = Self.verdict(findings.count { $0.severity == .error })
      text += line(StyledText("  \(table.name)", .heading) + StyledText(": requested alone, ") + verdict)
      text += lines(of: findings, indent: "    ")
    }
    return text
  }

  // MARK: Lines

  private static func verdict(_ problems: Int) -> StyledText {
    problems == 0 ? StyledText("good", .neutral) : StyledText(problems.counted("problem"), .alert)
  }

  private func lines(of findings: [Finding], indent: String) -> String {
    findings.map { finding in
      let isProblem = finding.severity == .error
      let help = finding.help.map { wrapped("help: \($0)", indent: indent + "  ") } ?? ""
      return wrapped("\(finding.severity.testWord): \(finding.message)", isProblem ? .alert : .dim, indent: indent)
        + help
    }.joined()
  }

  private func wrapped(_ text: String, _ style: Style = .neutral, indent: String = "    ") -> String {
    let room = width.map { max(20, $0 - indent.count - 2) }
    return TerminalText.wrapped(TerminalText.sanitized(text), cells: room).enumerated().map { index, line in
      indent + (index == 0 ? "" : "  ") + palette.paint(line, as: style) + "\n"
    }.joined()
  }

  private func line(_ text: StyledText) -> String { text.painted(with: palette) + "\n" }

  private func dim(_ text: String) -> StyledText { StyledText(text, .dim) }
}

extension Finding.Severity {
  /// As written by `test-exchange` and its JSON.
  var testWord: String { self == .error ? "problem" : rawValue }
}
