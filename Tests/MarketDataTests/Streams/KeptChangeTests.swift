import Mapping
import Quotes
import Testing

@testable import MarketData

/// The change of a row whose messages have neither change nor open, after an answer has renewed both.
@Suite struct KeptChangeTests {
  private static func row(_ price: Decimal, change: Decimal, open: Decimal) -> Ticker {
    Ticker(
      exchange: "Exchange", market: .spot, symbol: "BTC-USDT", pair: Pair(asset: "BTC", payment: "USDT"),
      price: .value(price), changePricePercent24: .value(change), open: .value(open))
  }

  /// - Parameters:
  ///   - answer: Its price is older than the one of the row, which is 102.
  ///   - change: The change of the row then.
  @Test(
    arguments: [
      // Of the answer's price from its open, exactly or rounded: the same from that open to the row's price.
      (row(101, change: 1, open: 100), "+2.00"), (row(103, change: Decimal("1.98")!, open: 101), "+0.99"),
      // Of another day than the open, so nothing is known of a newer price.
      (row(101, change: 5, open: 100), "+5.00"),
    ] as [(Ticker, String)])
  func movesWithThePrice(_ answer: Ticker, _ change: String) throws {
    let own = Self.row(102, change: 7, open: 95)
    let lacking = TickerFields([.changePricePercent24, .open])
    let new = try #require(own.taking(lacking, and: [], from: answer))
    #expect([new.text(.price), new.text(.changePricePercent24)] == ["102", change])
    #expect(new.open == answer.open)
    // An answer that has the latest price as well has its change, too.
    let all = try #require(own.taking(lacking, and: TickerFields([.price]), from: answer))
    #expect(all.text(.changePricePercent24) == answer.text(.changePricePercent24))
  }
}
