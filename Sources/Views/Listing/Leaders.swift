package import Mapping
package import MarketData
package import Quotes
import Terminal

/// One of the pairs with the largest turnover, and its prices over a day.
package struct Leader: Sendable {
  package let pair: Pair
  /// Hourly closes, oldest first, or why there are none.
  package let closes: Result<[Decimal], TableFailure>

  package init(_ pair: Pair, _ closes: Result<[Decimal], TableFailure>) {
    self.pair = pair
    self.closes = closes
  }

  /// Returns the ten pairs with the largest 24-hour turnover in the most common payment currency.
  package static func entries(of listing: PairListing) -> [PairListing.Entry] {
    guard let group = ListSort.groups(listing.entries.filter { $0.turnover != nil }, by: \.pair.payment).first else {
      return []
    }
    return Array(ListSort.turnover.ordered(group, reversed: false, listing.rule, .english).prefix(10))
  }
}

/// The layout of the leaders: their number, then a few per line.
struct LeaderLines {
  private(set) var items: [(entry: PairListing.Entry, leader: Leader)]
  let language: Language

  var isEmpty: Bool { items.isEmpty }

  /// `top 10 by turnover of 24 h in KRW  closes of 24 h`
  var title: StyledText {
    let payment = items.first?.entry.pair.payment ?? ""
    let head = StyledText(
      language("top \(items.count) by turnover of 24 h in \(payment)", "24시간 거래대금 상위 \(items.count) (\(payment))"),
      .heading)
    let hours = items.compactMap { try? $0.leader.closes.get().count }.max() ?? 0
    let closes = hours > 0 ? StyledText(language("  closes of \(hours) h", "  \(hours)시간 종가"), .dim) : ""
    return head + closes
  }

  var titleWithAbsence: StyledText { title + absence }

  /// Why some have no closes: `  no closes: not-recorded (5)`.
  private var absence: StyledText {
    let codes = items.compactMap(\.leader.closes.failure?.reason.code)
    guard !codes.isEmpty else { return "" }
    let texts = codes.unique.map { code in "\(code) (\(codes.count { $0 == code }))" }.joined(separator: ", ")
    return StyledText(language("  no closes: ", "  종가 없음: ") + texts, .dim)
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
    let cells = items.map { entry, leader -> StyledText in
      let values = try? leader.closes.get()
      let picture =
        values.map { StyledText(Sparkline.text($0, cells: room), Style(from: $0.first ?? 0, to: $0.last ?? 0)) }
        ?? .nothing
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
