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
  /// Returns why the bars of a row are missing, old, few or at an end: `no closes of BTC/KRW from Upbit: timeout`; nil if
  /// there is nothing to say.
  ///
  /// - Parameters:
  ///   - hours: The number of hours that are drawn.
  ///   - zone: Returns the zone that a moment is shown in.
  func remark(
    on row: RowKey, hours: Int, at now: Instant, _ language: Language, zone: (Instant) -> ClockZone
  ) -> String? {
    let english = "closes of \(row.pair) from \(row.exchange)"
    let korean = "\(row.pair) \(row.exchange) 종가"
    guard let trend else {
      return failure.map { language("no \(english): \($0.reason.code)", "\(korean) 없음: \($0.reason.code)") }
    }
    func reason(_ failure: AnswerFailure?) -> String { failure.map { " (\($0.reason.code))" } ?? "" }
    func time(_ start: Instant) -> String {
      let zone = zone(start)
      return "\(zone.day(start)) \(zone.hourAndMinute(start)) \(zone.name)"
    }
    if trend.isOld(at: now) {
      let time = zone(trend.asked).clock(trend.asked)
      return language("\(english) date from \(time)", "\(korean): \(time) 기준") + reason(failure)
    }
    // Those of more hours have just been refused.
    if failure != nil, trend.hours < hours {
      return language("\(english) are of \(trend.hours) hours only", "\(korean): \(trend.hours)시간뿐") + reason(failure)
    }
    if let end = trend.end { return language("\(english) end at \(time(end))", "\(korean): \(time(end))까지") }
    return trend.begin(of: hours).map { begin in
      language("\(english) begin at \(time(begin))", "\(korean): \(time(begin))부터") + reason(trend.shortfall)
    }
  }
}

extension [RowKey: TrendReading] {
  /// Returns what is known of the closes that stand for a pair of a list; nil if they have not been requested.
  func reading(of entry: PairListing.Entry, _ rule: HeadlineRule) -> TrendReading? {
    self[row(among: entry.rows, lead: entry.leadRow, rule)]
  }
}

extension Sequence<TrendReading> {
  /// Why some have no closes: `no closes: timeout (2)`; nil if none has failed.
  func absence(_ language: Language) -> String? {
    let codes = filter { $0.trend == nil }.compactMap(\.failure?.reason.code)
    guard !codes.isEmpty else { return nil }
    let texts = codes.unique.map { code in "\(code) (\(codes.count { $0 == code }))" }.joined(separator: ", ")
    return language("no closes: ", "종가 없음: ") + texts
  }
}
