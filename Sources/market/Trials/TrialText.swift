import Mapping
import MarketData
import Proving
import Quotes
import Terminal

/// Writes trials for people.
struct TrialText {
  let width: Int?
  let palette: Palette

  /// Members that no path reads are named up to this number; `--format json` has them all.
  private static let namedMembers = 8

  func text(of exchange: TestedExchange) -> String {
    let verdict = Self.verdict(exchange.problems.count)
    var text = line(StyledText(exchange.exchange, .heading) + StyledText(": ") + verdict + dim("  \(exchange.origin)"))
    if let trial = exchange.trial {
      let all = Array(zip(trial.tables, trial.findings))
      let whole = all.filter { $0.0.pair == nil }
      for (table, findings) in whole {
        text += self.text(of: table, findings)
        text += singles(all.filter { $0.0.pair != nil && $0.0.isPart(of: table) })
      }
      text += singles(all.filter { table in table.0.pair != nil && !whole.contains { table.0.isPart(of: $0.0) } })
    }
    for rate in exchange.trial?.rates ?? [] {
      switch rate.outcome {
      case .success(let reading):
        let change = reading.changePercent.map { ", \($0.signedPercentText) %" } ?? ""
        let time = reading.time.map { ", \($0.iso8601)" } ?? reading.date.map { ", \($0)" } ?? ""
        text += wrapped(
          "\(rate.pair) \(reading.rate.rounded(toSignificantDigits: 12).shortest)\(change)\(time)", indent: "  ")
      case .failure(let failure): text += wrapped("\(rate.pair) (\(failure.reason.code))", .dim, indent: "  ")
      }
    }
    let books = (exchange.trial?.books ?? []).filter { $0.finding == nil }.map { "\($0.market.rawValue) \($0.pair)" }
    if !books.isEmpty { text += wrapped("order books, good: \(books.joined(separator: ", "))", indent: "  ") }
    text += lines(of: exchange.general, indent: "  ")
    return text + "\n"
  }

  /// The end of a run over several exchanges: a line for each, and what they come to.
  func summary(of trials: [TestedExchange]) -> String {
    guard trials.count > 1 else { return "" }
    let bad = trials.filter { !$0.problems.isEmpty }
    let recordings = trials.compactMap(\.recordings)
    let dates = recordings.map(\.first).min().flatMap { first in
      recordings.map(\.last).max().map { ", on recordings of \(TestedExchange.Recordings.dates(first, $0))" }
    }
    let end =
      bad.isEmpty
      ? "all \(trials.count) are good\(dates ?? "")"
      : "\(trials.count - bad.count) of \(trials.count) are good\(dates ?? "")"
    return overview(of: trials) + "\n" + wrapped(end, bad.isEmpty ? .neutral : .alert, indent: "")
  }

  private func overview(of trials: [TestedExchange]) -> String {
    var table = Table(columns: [
      TableColumn("exchange", shortening: 1), TableColumn("result"), TableColumn("tables", .right, dropping: 1),
      TableColumn("rows", .right), TableColumn("notes", .right, dropping: 0), TableColumn("recorded", dropping: 2),
      TableColumn("first problem", minimumWidth: 12, shortening: 0),
    ])
    for trial in trials {
      let tables = (trial.trial?.tables ?? []).filter { $0.pair == nil }
      let rates = trial.trial?.rates.count { $0.reading != nil } ?? 0
      let rows = tables.reduce(0) { $0 + $1.trial.rowCount } + rates
      let notes = trial.allFindings.count { $0.severity == .note }
      table.addRow([
        StyledText(trial.exchange), Self.verdict(trial.problems.count),
        StyledText(String(max(tables.count, rates > 0 ? 1 : 0))),
        StyledText(String(rows), rows == 0 ? .warning : .neutral), dim(notes == 0 ? "" : String(notes)),
        dim(trial.recordings?.dates ?? trial.origin), StyledText(trial.problems.first?.text ?? "", .alert),
      ])
    }
    return table.rendered(width: width, palette: palette)
  }

  // MARK: A table

  private func text(of table: TrialTable, _ findings: [TrialFinding]) -> String {
    let title = StyledText("  \(table.name)", .heading) + StyledText(": \(counts(of: table)), ")
    var text = line(title + Self.verdict(findings.count { $0.severity == .problem }))
    if table.trial.rowCount > 0 { text += fields(of: table.trial) }
    for check in table.trial.checks where !isProblem(check, findings) {
      text += wrapped("\(check.code): \(check.count) of \(table.trial.rowCount) rows, for example \(check.example)")
    }
    text += unread(in: table)
    return text + lines(of: findings, indent: "    ")
  }

  private func isProblem(_ check: TableTrial.Check, _ findings: [TrialFinding]) -> Bool {
    findings.contains { $0.text.hasSuffix(check.example) }
  }

  private func counts(of table: TrialTable) -> String {
    let dropped = table.gathered.table.dropped.sorted { $0.key < $1.key }
    return (["\(table.trial.rowCount) rows"] + dropped.map { "\($0.value) dropped by \"\($0.key)\"" })
      .joined(separator: ", ")
  }

  private func fields(of trial: TableTrial) -> String {
    let fails = trial.fields.contains { !$0.failed.isEmpty }
    var table = Table(
      columns: [TableColumn("    field"), TableColumn("filled", .right), TableColumn("missed", shortening: 0)]
        + (fails ? [TableColumn("failed", shortening: 1)] : []))
    func list(_ counts: [TableTrial.Count]) -> String {
      counts.map { "\($0.count) \($0.reason)" }.joined(separator: ", ")
    }
    for field in trial.fields {
      table.addRow([
        StyledText("    " + field.field.rawValue),
        StyledText(String(field.filled), field.filled == 0 ? .warning : .neutral), dim(list(field.missing)),
        StyledText(list(field.failed), .warning),
      ])
    }
    return table.rendered(width: width, palette: palette)
  }

  private func unread(in table: TrialTable) -> String {
    let members = table.unreadMembers
    guard !members.isEmpty else { return "" }
    let named = members.prefix(Self.namedMembers).map { "\($0.name) \($0.example)" }.joined(separator: ", ")
    let more = members.count > Self.namedMembers ? " and \(members.count - Self.namedMembers) more" : ""
    return wrapped("not read: \(named)\(more)", .dim)
  }

  // MARK: Single pairs

  /// The pairs that were asked for by their own requests.
  private func singles(_ tables: [(TrialTable, [TrialFinding])]) -> String {
    let good = tables.filter { $0.1.isEmpty }.map { table, _ in
      let isUnlisted = table.gathered.table.rows.isEmpty && !table.gathered.table.failures.isEmpty
      let name = table.pair.map { "\($0)" } ?? ""
      return isUnlisted ? "\(name) (not listed)" : name
    }
    var text = good.isEmpty ? "" : wrapped("asked for alone, good: \(good.joined(separator: ", "))")
    for (table, findings) in tables where !findings.isEmpty {
      let verdict = Self.verdict(findings.count { $0.severity == .problem })
      text += line(StyledText("  \(table.name)", .heading) + StyledText(": asked for alone, ") + verdict)
      text += lines(of: findings, indent: "    ")
    }
    return text
  }

  // MARK: Lines

  private static func verdict(_ problems: Int) -> StyledText {
    problems == 0 ? StyledText("good", .neutral) : StyledText("\(problems) problem\(problems == 1 ? "" : "s")", .alert)
  }

  private func lines(of findings: [TrialFinding], indent: String) -> String {
    findings.map { finding in
      let isProblem = finding.severity == .problem
      let help = finding.help.map { wrapped("help: \($0)", indent: indent + "  ") } ?? ""
      return wrapped("\(finding.severity.rawValue): \(finding.text)", isProblem ? .alert : .dim, indent: indent) + help
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

extension TrialTable {
  /// Whether it is asked of the same part of the same market.
  fileprivate func isPart(of other: TrialTable) -> Bool { market == other.market && part == other.part }

  /// What the answer and the answers of lookups have that no path reads.
  var unreadMembers: [(name: String, example: String)] {
    var result = (shape?.members ?? []).filter { !$0.isRead }.map { member in
      (member.isInRow ? member.path : "response \(member.path)", member.example)
    }
    for (name, shape) in lookupShapes.sorted(by: { $0.key < $1.key }) {
      result += shape.members.filter { !$0.isRead && $0.isInRow }.map { ("\(name) \($0.path)", $0.example) }
    }
    return result
  }
}
