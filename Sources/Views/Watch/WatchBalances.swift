package import MarketData
package import Quotes
import Terminal

/// What lies in the user's accounts, as a live view last heard of it.
package struct WatchBalances: Sendable {
  /// Of the exchanges that a key is stored of, in the order of the config.
  package var reports: [BalanceReport]
  package var valuation: Valuation?
  /// Of the values.
  package var currency: String
  /// When the newest answer was there; nil before the first.
  package var answered: Instant?
  /// Who has been asked and has not answered yet.
  package var waiting: [String]
  /// Why nobody is asked.
  package var problem: String?

  package init(in currency: String) {
    (reports, waiting, self.currency) = ([], [], currency)
  }

  fileprivate func report(at time: Instant) -> BalancesReport {
    BalancesReport(reports, assets: [], in: currency, valuation, at: time)
  }

  /// How many lines a cursor can be on.
  var count: Int { reports.reduce(0) { $0 + $1.rows.count } }
}

/// The accounts on a live screen.
struct BalanceList {
  /// nil before anybody was asked.
  let balances: WatchBalances?
  let board: WatchBoard
  let cursor: Int
  let width: Int

  private var language: Language { board.settings.language }

  var title: StyledText {
    let name = StyledText(language("Balances", "잔고"), .heading)
    guard let balances, let answered = balances.answered else { return name }
    let age = language.age(nanoseconds: board.clock.nanoseconds(since: answered))
    return name + StyledText("  ") + balances.report(at: board.clock).sum(.short)
      + StyledText("  " + language("\(age) ago", "\(age) 전"), .dim)
  }

  /// Titles of the columns, one line a row, and what is wrong below them.
  func lines() -> (titles: StyledText?, rows: [StyledText], notes: [StyledText]) {
    guard let balances else { return (nil, [], [remark(language("asking ..", "조회 중 .."))]) }
    if let problem = balances.problem { return (nil, [], [remark(problem)]) }
    let report = balances.report(at: board.clock)
    var notes = report.notes.map { StyledText("  " + TerminalText.sanitized($0), .warning) }
    if let rates = report.rates(language) { notes.append(remark(TerminalText.sanitized(rates))) }
    if !balances.waiting.isEmpty {
      notes.append(remark(language("waiting for ", "대기: ") + balances.waiting.joined(separator: ", ")))
    }
    guard report.rowCount > 0 else {
      let isEmpty = report.hasAnswer && balances.waiting.isEmpty
      return (nil, [], (isEmpty ? [remark(language("the accounts are empty", "계좌가 비어 있음"))] : []) + notes)
    }
    let lines = report.table(.short).lines(width: width - 2, namesHidden: false)
    let rows = lines.dropFirst().enumerated().map { StyledText($0 == cursor ? "▸ " : "  ") + $1 }
    return (StyledText("  ") + lines[0], rows, notes)
  }

  private func remark(_ text: String) -> StyledText { StyledText("  " + text, .dim) }
}
