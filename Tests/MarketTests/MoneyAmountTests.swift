import Quotes
import Testing

@testable import market

@Suite struct MoneyAmountTests {
  @Test(
    arguments: [
      ("10000000", "10000000"), ("10M", "10000000"), ("1.5m", "1500000"), ("500k", "500000"), ("2b", "2000000000"),
      ("1억", "100000000"), ("300만", "3000000"), ("10,000,000", "10000000"), ("1_000", "1000"), ("0", nil), ("-5", nil),
      ("M", nil), ("", nil), ("10MM", nil), ("ten", nil),
    ] as [(String, String?)])
  func reads(_ text: String, _ amount: String?) {
    #expect(MoneyAmount.parse(text)?.shortest == amount)
  }
}
