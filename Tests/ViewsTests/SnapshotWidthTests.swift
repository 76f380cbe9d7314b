import Mapping
import MarketData
import Quotes
import Terminal
import Testing

@testable import Views

/// `show` on terminals of any width.
@Suite struct SnapshotWidthTests {
  private static let replay = Task { try await WatchReplay() }
  /// The columns that give way, the first of them first: the age before others, unless a price is old.
  private static func dropped(hasOldPrice: Bool) -> [String] {
    let others = ["in USD", "in KRW", "remarks", "since", "24h %"]
    return ["turnover 24h"] + (hasOldPrice ? others + ["age"] : ["age"] + others)
  }

  /// The price and its distance from the lowest stay, and no line of the table is wider than the terminal.
  @Test(arguments: ["BTC/KRW", "BTC/USDT", "USDT/KRW"], [100, 80, 60, 50, 44, 40])
  func narrow(_ name: String, _ width: Int) async throws {
    let board = try await Self.replay.value.watch()
    let snapshot = try #require(Pair(name).flatMap { board[$0] }).snapshot
    let report = SnapshotReport(snapshot, markets: [.spot], alert: .standard, isExplained: false)
    func table(_ width: Int?) throws -> [String] {
      let lines = report.text(on: Page(palette: .plain, width: width)).split(separator: "\n").map(String.init)
      let place = try #require(lines.firstIndex { $0.hasPrefix("exchange ") })
      return Array(lines[place...].prefix(1 + snapshot.spot.count))
    }
    let (whole, own) = (try table(nil), try table(width))
    let hasOldPrice = snapshot.spot.contains { $0.ticker.oldTradeText() != nil }
    #expect(hasOldPrice == (name == "BTC/KRW"))
    let order = Self.dropped(hasOldPrice: hasOldPrice).filter { whole[0].contains($0) }
    let missing = order.filter { !own[0].contains($0) }
    #expect(missing == Array(order.prefix(missing.count)))
    // A change since midnight would pass for one of 24 hours.
    #expect(!own[0].contains("24h %") || !order.contains("since") || own[0].contains("since"))
    #expect(own[0].contains("price") && own[0].contains("over low %"))
    #expect(own.filter { TerminalText.width(of: $0) > width } == [])
    #expect(own.count == 1 + snapshot.spot.count)
  }
}
