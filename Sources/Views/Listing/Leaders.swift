import Mapping
package import MarketData
import Quotes
import Terminal

extension PairListing {
  /// The ten pairs with the largest 24-hour turnover in the most common payment currency.
  package var leaders: [Entry] {
    let group = ListSort.groups(entries.filter { $0.turnover != nil }, by: \.pair.payment).first ?? []
    return Array(ListSort.turnover.ordered(group, reversed: false, rule, .english).prefix(10))
  }
}

/// The layout of the leaders: their number, then a few per line.
struct LeaderLines {
  private(set) var items: [(entry: PairListing.Entry, reading: TrendReading?)]
  /// nil for when the closes were requested.
  let now: Instant?
  let language: Language

  /// - Parameter entries: Those above the list.
  init(
    _ entries: [PairListing.Entry], _ listing: PairListing, _ trends: [RowKey: TrendReading], at now: Instant?,
    _ language: Language
  ) {
    items = entries.map { ($0, trends.reading(of: $0, listing.rule)) }
    (self.now, self.language) = (now, language)
  }

  /// Whether nothing is known of any closes: without them, leaders would only repeat the list.
  var isEmpty: Bool { items.allSatisfy { $0.reading == nil } }

  /// `top 10 by turnover of 24 h in KRW  closes of 24 h`
  var title: StyledText {
    let payment = items.first?.entry.pair.payment ?? ""
    let head = StyledText(
      language("top \(items.count) by turnover of 24 h in \(payment)", "24시간 거래대금 상위 \(items.count) (\(payment))"),
      .heading)
    let hours = Trend.day
    let hasCloses = items.contains { $0.reading?.trend != nil }
    return head + (hasCloses ? StyledText(language("  closes of \(hours) h", "  \(hours)시간 종가"), .dim) : "")
  }

  var titleWithAbsence: StyledText { title + absence }

  /// Why some have no closes: `  no closes: not-recorded (5)`.
  private var absence: StyledText {
    StyledText(items.compactMap(\.reading).absence(language).map { "  " + $0 } ?? "", .dim)
  }

  func fitting(lines most: Int, width: Int) -> LeaderLines {
    var fitting = self
    while fitting.lines(width: width).count > most { fitting.items.removeLast() }
    return fitting
  }

  /// The minimum and maximum width of a leader's closes.
  private static let closes = 3...24

  /// Returns the lines with five leaders each, if they fit.
  func lines(width: Int) -> [StyledText] {
    let names = items.map { StyledText($0.entry.pair.asset).width }.max() ?? 0
    let changes = items.map { change($0.entry).width }.max() ?? 0
    let rest = names + changes + 2
    let perLine = max(1, min(5, (width - 1) / (rest + Self.closes.lowerBound + 1)))
    // The closes get the room that is left on a line.
    let room = min(max((width - 1) / perLine - 1 - rest, Self.closes.lowerBound), Self.closes.upperBound)
    let cells = items.map { entry, reading -> StyledText in
      // What has not been asked yet is no absence.
      let picture =
        reading?.trend?.bars(of: Trend.day, cells: room, at: now) ?? (reading?.failure == nil ? "" : .nothing)
      return StyledText(entry.pair.asset).padded(to: names) + " " + picture.padded(to: room)
        + " " + change(entry).aligned(to: changes)
    }
    let widest = cells.map(\.width).max() ?? 1
    return stride(from: 0, to: cells.count, by: perLine).map { start in
      "  " + cells[start..<min(cells.count, start + perLine)].map { $0.padded(to: widest) }.joined()
    }
  }

  private func change(_ entry: PairListing.Entry) -> StyledText { entry.leadRow.ticker.changeCell }
}
