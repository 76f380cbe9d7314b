import Config
import Formats
import Mapping
import Quotes
import Terminal
import Testing

@testable import MarketData
@testable import Views

/// Events of streams as lines, and as JSON.
@Suite struct StreamLogTests {
  private static let now = Instant(nanoseconds: 1_709_220_600_000_000_000)

  private static func event(priceOf seconds: Int64, isStreamed: Bool) -> StreamEvent {
    var row = Ticker(
      exchange: "Alpha", market: .spot, symbol: "BTC", pair: Pair(asset: "BTC", payment: "USDT"),
      price: .value(65_000), bid: .value(64_999), arrival: now)
    if seconds > 0 { row.otherPriceArrival = now.advanced(by: .seconds(-seconds)) }
    return StreamEvent(
      exchange: "Alpha", market: .spot, channel: .ticker, pair: row.pair, product: nil, content: .ticker(row),
      isStreamed: isStreamed, arrival: now)
  }

  /// Beside the figures of a message without a price, the price of an earlier one has its age.
  @Test(arguments: [(0, ""), (9, ""), (42, " (40s old)")] as [(Int64, String)])
  func earlierPriceHasItsAge(_ seconds: Int64, _ age: String) {
    let event = Self.event(priceOf: seconds, isStreamed: true)
    let lines = StreamLog(zone: .utc).lines(event).map(\.plainText)
    #expect(lines == ["15:30:00.000 Alpha spot BTC/USDT 65000\(age) bid 64999"])
    var objects = StreamObjects()
    let json = String(decoding: objects.lines(event), as: UTF8.self)
    #expect(json.contains(#""priceArrival":"#) == (seconds > 0), "\(json)")
  }

  /// An answer has its price.
  @Test func answersHaveNoEarlierPrice() {
    let event = Self.event(priceOf: 42, isStreamed: false)
    let lines = StreamLog(zone: .utc).lines(event).map(\.plainText)
    #expect(lines == ["15:30:00.000 Alpha spot BTC/USDT 65000 bid 64999"])
  }
}
