import Quotes
import Testing

@testable import Views

/// Books in two currencies are merged in steps of about the same share of the price.
@Suite struct StepsTests {
  private static func book(_ bid: Decimal, _ ask: Decimal) -> OrderBook {
    OrderBook(
      inOrder: [.init(price: bid, size: 1)], [.init(price: ask, size: 1)], time: nil, sequence: nil)
  }

  private static let won = ("KRW", book(134_999_000, 135_001_000) as OrderBook?)
  private static let dollars = (
    "USDT", book(Decimal(8_999_999).scaledByPowerOfTen(-2), Decimal(9_000_001).scaledByPowerOfTen(-2)) as OrderBook?
  )

  @Test(arguments: [
    (nil, nil), ("1", nil), ("20", nil), ("50", "0.02"), ("2000", "1"), ("5000", "2"), ("10000", "5"),
    ("1000000", "500"),
  ])
  func otherCurrency(_ step: String?, _ other: String?) {
    let step = step.flatMap { Decimal($0) }
    let steps = Steps.ofBooks([Self.won, Self.dollars, Self.won], step)
    #expect(steps.map { $0?.shortest } == [step?.shortest, other, step?.shortest])
  }

  /// Without a book in the step's currency, no other step corresponds to it.
  @Test func noBook() {
    #expect(Steps.ofBooks([("KRW", nil), Self.dollars], 2000) == [2000, nil])
    #expect(Steps.ofBooks([Self.won, ("USDT", nil)], 2000) == [2000, nil])
    #expect(Steps.ofBooks([], 2000) == [])
  }
}
