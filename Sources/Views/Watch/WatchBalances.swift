package import MarketData
package import Quotes
import Terminal

/// The balances of the user's accounts, as last received by a live view.
package struct WatchBalances: Sendable {
  /// The exchanges with a stored key, in the order of the config, then those of them whose blocks are invalid.
  package var reports: [BalanceReport]
  package var valuation: Valuation?
  package var currency: String
  /// When the oldest of the answers shown arrived; nil before the first.
  package var answered: Instant?
  /// The exchanges that have not answered yet.
  package var waiting: [String]
  /// When exchanges that refused are asked again.
  package var retries: [String: Instant] = [:]
  /// Why no exchange is queried.
  package var problem: String?

  package init(in currency: String) { (reports, waiting, self.currency) = ([], [], currency) }

  fileprivate func report(on board: WatchBoard) -> BalancesReport {
    BalancesReport(
      reports, assets: [], in: currency, valuation, option: board.settings.configOption, at: board.now)
  }

  /// The number of lines the cursor can be on.
  var count: Int { reports.reduce(0) { $0 + $1.rows.count } }
}

/// The accounts on a live screen.
struct BalanceList {
  /// nil before the first query.
  let balances: WatchBalances?
  let board: WatchBoard
  let cursor: Int
  let width: Int

  private var language: Language { board.settings.language }

  var title: StyledText {
    let name = StyledText(language("Balances", "잔고"), .heading)
    guard let balances, let answered = balances.answered else { return name }
    let age = language.age(nanoseconds: board.now.nanoseconds(since: answered))
    return name + "  " + balances.report(on: board).total(.short, language)
      + StyledText("  " + language("\(age) ago", "\(age) 전"), .dim)
  }

  /// Returns what is missing from the sum in the title, on as many lines as it needs, up to a limit.
  func excluded(lines most: Int) -> [StyledText] {
    guard let balances, balances.answered != nil else { return [] }
    let lines = balances.report(on: board).excluded(language)?.wrapped(to: width) ?? []
    return cut(lines, to: most)
  }

  /// Returns as many lines as may be shown, of which the last marks that there are more.
  private func cut(_ lines: [StyledText], to most: Int) -> [StyledText] {
    guard lines.count > most, let last = lines.prefix(most).last else { return lines }
    return lines.prefix(most - 1) + [last.shortened(to: width - 2) + StyledText(" …", .warning)]
  }

  /// Returns the rates and the problems, on as many lines as they need, up to a limit. The rates are there whatever the
  /// limit is: without them nobody can check the sum.
  func notes(_ problems: [StyledText], lines most: Int) -> [StyledText] {
    let rates = balances?.report(on: board).rates(language).map { indented(StyledText($0, .dim)) } ?? []
    return cut(rates, to: max(2, most)) + cut(problems, to: max(1, most - rates.count))
  }

  private func indented(_ text: StyledText) -> [StyledText] {
    text.wrapped(to: max(1, width - 2)).map { "  " + $0 }
  }

  /// Returns the column titles, one line per row, and any problems, which are shown instead of rows if there are none.
  func lines() -> (titles: StyledText?, rows: [StyledText], notes: [StyledText]) {
    guard let balances else { return (nil, [], [remark(language("asking ..", "조회 중 .."))]) }
    if let problem = balances.problem { return (nil, [], [remark(problem)]) }
    let report = balances.report(on: board)
    var notes = report.notes(language).flatMap { indented(StyledText($0, .warning)) }
    if let legend = report.legend(language) { notes.insert(remark(legend), at: 0) }
    notes += retries(balances)
    if !balances.waiting.isEmpty {
      notes.append(remark(language("waiting for ", "대기: ") + balances.waiting.joined(separator: ", ")))
    }
    guard !report.isEmpty else {
      let isEmpty = report.hasAnswer && balances.waiting.isEmpty
      return (nil, [], (isEmpty ? [remark(report.emptiness(language))] : []) + notes)
    }
    let lines = report.table(.short, language).lines(width: width - 2, namesHidden: false)
    let rows = lines.dropFirst().enumerated().map { StyledText($0 == cursor ? "▸ " : "  ") + $1 }
    return ("  " + lines[0], rows, notes)
  }

  /// Returns `asked again: Kraken in 15m, Okx in 5m; r asks now` for exchanges that refused.
  private func retries(_ balances: WatchBalances) -> [StyledText] {
    let times = balances.retries.sorted { $0.key < $1.key }.map { name, time in
      let rest = language.age(nanoseconds: time.nanoseconds(since: board.now))
      return language("\(name) in \(rest)", "\(name) \(rest) 뒤")
    }
    guard !times.isEmpty else { return [] }
    let text = language("asked again: ", "다시 조회: ") + times.joined(separator: ", ")
    return indented(StyledText(text + language("; r asks now", "; r 지금 조회"), .dim))
  }

  private func remark(_ text: String) -> StyledText { StyledText("  " + text, .dim) }
}
