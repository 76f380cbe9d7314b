import Mapping
import MarketData
import Quotes
import Terminal

/// The top of a page: what it is about, two clocks, the dollar in won.
struct HeaderText {
  let title: String
  let time: Instant
  let rate: RateReport?
  /// Weekdays in the reader's language.
  let language: WeekdayNames
  /// What a replay says of itself; nil when the answers are live.
  let replayNote: String?

  func text(with palette: Palette) -> String {
    var lines = [StyledText(title, .heading)]
    if let replayNote { lines[0] = lines[0] + StyledText("  \(replayNote)", .warning) }
    let clocks = [("UTC", 0), ("KST", 9 * 3600)].map { name, offset in
      "\(name) \(ClockText.dayAndTime(time, offsetSeconds: offset, language))"
    }
    lines.append(StyledText(clocks.joined(separator: "   ")))
    if let rate { lines.append(line(of: rate)) }
    return lines.map { $0.painted(with: palette) + "\n" }.joined()
  }

  private func line(of report: RateReport) -> StyledText {
    let name = StyledText("\(report.pair) ")
    guard let quote = report.quote else {
      return name + absence(of: report)
    }
    let view = RateView(quote, at: time)
    let line = name + view.text + StyledText("  \(view.provider)  ") + view.timeText
    let remarks = view.remarks
    return remarks.isEmpty ? line : line + StyledText("  \(remarks.joined(separator: "; "))", .warning)
  }

  /// Why there is no rate, and the newest that is known, never in the place of the rate.
  private func absence(of report: RateReport) -> StyledText {
    var line = StyledText("- ", .dim) + StyledText("(\(report.reason ?? ""))", .dim)
    if let last = report.lastKnown.map({ RateView($0, at: time) }) {
      line = line + StyledText("  last known \(last.quote.rate.rateText)  \(last.provider)  ", .dim) + last.timeText
    }
    return line
  }
}
