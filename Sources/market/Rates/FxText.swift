import Config
import Mapping
import MarketData
import Quotes
import Terminal

/// Writes a rate for people.
struct FxText {
  let report: RateReport
  let amount: Decimal?
  let palette: Palette
  /// Cells a line; nil for a pipe.
  let width: Int?
  /// What a replay says of itself; nil when the answers are live.
  let replayNote: String?

  func text() -> String {
    var title = StyledText("\(report.pair) ", .heading)
    guard let quote = report.quote else {
      title = title + StyledText("-", .dim)
      return line(title) + table(absence)
    }
    let view = RateView(quote, at: report.moment)
    return line(title + view.text) + table(rows(quote, view))
  }

  private func line(_ title: StyledText) -> String {
    (replayNote.map { title + StyledText("  \($0)", .warning) } ?? title).painted(with: palette) + "\n"
  }

  private func table(_ rows: [(String, StyledText)]) -> String {
    var table = Table(columns: [TableColumn("", minimumWidth: 8), TableColumn("", shortening: 0)])
    for (name, value) in rows { table.addRow([StyledText(name, .dim), value]) }
    // The columns have no titles.
    return table.rendered(width: width, palette: palette).split(separator: "\n", omittingEmptySubsequences: false)
      .dropFirst().joined(separator: "\n")
  }

  private func rows(_ quote: RateQuote, _ view: RateView) -> [(String, StyledText)] {
    var rows: [(String, StyledText)] = []
    if let amount {
      let sum = (amount * quote.rate).rateText
      rows.append(("amount", StyledText("\(amount.description) \(quote.pair.asset) = \(sum) \(quote.pair.payment)")))
    }
    if let change = view.changeText, let percent = quote.changePercent.value {
      rows.append(("change", StyledText("\(change) (\(percent.signedPercentText) %)", Style(ofChange: percent))))
    } else {
      let reason = quote.changePercent.missing ?? quote.change.missing
      rows.append(("change", StyledText("- (\(reason?.code ?? ""))", .dim)))
    }
    let openTime = quote.openTime.map { ", \(ClockText.plain($0, offsetSeconds: 9 * 3600)) KST" } ?? ""
    let source = quote.openProvider.map { StyledText("  (\($0)'s last rate\(openTime))", .dim) } ?? StyledText("")
    switch quote.open {
    case .value(let open): rows.append(("open", StyledText(open.rateText) + source))
    case .missing(let reason): rows.append(("open", StyledText("- (\(report.openReason ?? reason.code))", .dim)))
    }
    let name = view.provider == quote.provider ? "" : "  (\(quote.provider))"
    rows.append(("provider", StyledText(view.provider) + StyledText(name, .dim)))
    rows.append(("time", view.timeText))
    if !view.remarks.isEmpty { rows.append(("remarks", StyledText(view.remarks.joined(separator: "; "), .warning))) }
    return rows
  }

  private var absence: [(String, StyledText)] {
    var rows = [("reason", StyledText(report.reason ?? "", .dim))]
    if let last = report.lastKnown.map({ RateView($0, at: report.moment) }) {
      let text = StyledText("\(last.quote.rate.rateText)  \(last.provider)  ", .dim) + last.timeText
      rows.append(("last known", text))
    }
    return rows
  }

  // MARK: Rules

  /// What became of each rule, those of both halves of a cross rate included.
  func rules() -> String { ([report] + report.legs).compactMap { rules(of: $0) }.joined(separator: "\n") }

  private func rules(of report: RateReport) -> String? {
    guard let route = report.route else { return nil }
    let clock = ClockText.plain(report.moment, offsetSeconds: route.zoneSeconds)
    let zone = route.zoneSeconds == 0 ? "UTC" : "UTC" + Self.offset(route.zoneSeconds)
    let pair = route.pattern.pair == report.pair ? "" : " for \(report.pair)"
    var text = palette.paint("Rules of \(route.pattern)\(pair), at \(clock) (\(zone))", as: .heading) + "\n"
    var table = Table(columns: [
      TableColumn("", .right), TableColumn("hours"), TableColumn("provider", minimumWidth: 8), TableColumn("if"),
      TableColumn("open of"), TableColumn("outcome", minimumWidth: 10, shortening: 0),
    ])
    for (index, step) in report.steps.enumerated() {
      let style: Style = step.verdict == .taken ? .neutral : .dim
      let rule = step.rule
      table.addRow(
        [
          "\(index + 1)", rule.hours?.description ?? "all day", rule.use, rule.needsToday ? "of today" : "",
          rule.open ?? "", step.verdict.explanation(zoneSeconds: route.zoneSeconds),
        ].map { StyledText($0, style) })
    }
    text += table.rendered(width: width, palette: palette)
    if let via = route.via, !report.legs.isEmpty {
      text += "through \(via): \(report.legs.map { "\($0.pair)" }.joined(separator: " times "))\n"
    }
    if let reason = report.openReason { text += TerminalText.sanitized("no open: \(reason)") + "\n" }
    return text
  }

  /// `+09:00`.
  private static func offset(_ seconds: Int) -> String {
    (seconds < 0 ? "-" : "+") + DayHours.text(abs(seconds))
  }
}

extension RateVerdict {
  /// The verdict as a sentence.
  func explanation(zoneSeconds: Int) -> String {
    switch self {
    case .taken: "taken"
    case .notNeeded: "not needed"
    case .outsideHours: "not its time"
    case .excluded(.unreadable(let message)): message
    case .excluded(.disabled): "switched off in the config"
    case .excluded(.withoutPair): "it does not have the pair"
    case .failed(let failure): Self.words(failure)
    case .notOfToday(let reading): "its rate is \(Self.day(reading, zoneSeconds)), not of today"
    case .implausible(let rate, let known):
      "\(rate.rateText) is more than 20 % away from the last known \(known.rateText), and nobody confirms it"
    case .outdated(let reading, let failure):
      "\(Self.words(failure)); its last rate is \(Self.day(reading, zoneSeconds))"
    }
  }

  private static func words(_ failure: TableFailure) -> String {
    failure.message.map { $0 == failure.reason.code ? $0 : "\(failure.reason.code): \($0)" } ?? failure.reason.code
  }

  private static func day(_ reading: RateReading, _ zoneSeconds: Int) -> String {
    if let time = reading.time { return "of \(ClockText.plain(time, offsetSeconds: zoneSeconds))" }
    return reading.date.map { "of \($0)" } ?? "of no known day"
  }
}
