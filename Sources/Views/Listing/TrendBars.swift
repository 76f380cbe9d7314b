import Mapping
package import MarketData
import Quotes
import Terminal

// The closes of a row as sparklines.

extension Trend {
  /// The width of a screen, or of a printed list, from which on rows have columns of them.
  private static let leastColumns = 160
  /// The number of bars in the columns of a day and of a week.
  static let (dayCells, weekCells) = (12, 10)

  package static func hasColumns(in columns: Int?) -> Bool { columns.map { $0 >= leastColumns } ?? false }

  /// Returns the number of hours to request for a screen or a list of this width; nil for unlimited.
  package static func hours(columns: Int?) -> Int { hasColumns(in: columns) ? week : day }

  /// Returns the closes of the newest hours as bars; nil if none is known. Those that are old are dim.
  ///
  /// - Parameter now: nil for when they were requested.
  func bars(of hours: Int, cells: Int, at now: Instant? = nil) -> StyledText? {
    let now = now ?? asked
    let closes = closes(of: hours, at: now)
    let known = closes.compactMap(\.self)
    guard let first = known.first, let last = known.last else { return nil }
    return StyledText(Sparkline.text(closes, cells: cells), isOld(at: now) ? .dim : Style(from: first, to: last))
  }
}

extension TrendReading {
  /// Returns why the bars of a row are missing, old or few: `no closes of BTC/KRW from Upbit: timeout`; nil if there is
  /// nothing to say.
  ///
  /// - Parameter clock: Returns the time of day of a moment.
  func remark(on row: RowKey, at now: Instant, _ language: Language, clock: (Instant) -> String) -> String? {
    let english = "closes of \(row.pair) from \(row.exchange)"
    let korean = "\(row.pair) \(row.exchange) 종가"
    guard let trend else {
      return failure.map { language("no \(english): \($0.reason.code)", "\(korean) 없음: \($0.reason.code)") }
    }
    if trend.isOld(at: now) {
      let reason = failure.map { " (\($0.reason.code))" } ?? ""
      let time = clock(trend.asked)
      return language("\(english) are of \(time)", "\(korean): \(time) 기준") + reason
    }
    return trend.begin.map { begin in
      let time = "\(ClockZone.utc.day(begin)) \(ClockZone.utc.hourAndMinute(begin)) UTC"
      return language("\(english) begin at \(time)", "\(korean): \(time)부터")
    }
  }
}

extension PairListing {
  /// The ten pairs with the largest 24-hour turnover in the most common payment currency.
  package var leaders: [Entry] {
    let group = ListSort.groups(entries.filter { $0.turnover != nil }, by: \.pair.payment).first ?? []
    return Array(ListSort.turnover.ordered(group, reversed: false, rule, .english).prefix(10))
  }
}
