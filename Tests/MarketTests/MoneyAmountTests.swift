import Quotes
import Testing

@testable import Shell

@Suite struct MoneyAmountTests {
  @Test(
    arguments: [
      ("10000000", "10000000"), ("10M", "10000000"), ("1.5m", "1500000"), ("500k", "500000"), ("2b", "2000000000"),
      ("1억", "100000000"), ("300만", "3000000"), ("10,000,000", "10000000"), ("1,234.5k", "1234500"),
      ("1_000", "1000"), ("0,5", nil), ("0,500", nil), ("00,500", nil), ("1,5M", nil), ("1.000,50", nil),
      ("12,34,56", nil), (",500", nil), ("0", nil),
      ("-5", nil),
      ("1조", "1000000000000"), ("2t", "2000000000000"), ("1e12", "1000000000000"), ("1,000.5e3", "1000500"),
      ("1e29", "100000000000000000000000000000"), ("1e30", nil), ("1e400", nil),
      ("1e-30", "0.000000000000000000000000000001"),
      ("1e-31", nil), ("1e26억", nil), ("0조", nil), ("1,0e3", nil), ("e3", nil),
      ("M", nil), ("", nil), ("10MM", nil), ("ten", nil),
    ] as [(String, String?)])
  func reads(_ text: String, _ amount: String?) {
    #expect(MoneyAmount.parse(text)?.shortest == amount)
  }
}

@Suite struct MomentTextTests {
  @Test(
    arguments: [
      ("03:00", "2026-11-18T18:00:00Z"), ("14:13", "2026-11-18T05:13:00Z"), ("14:12:07", "2026-11-18T05:12:07Z"),
      ("14:12:06", "2026-11-19T05:12:06Z"), ("2026-11-19T03:00", "2026-11-18T18:00:00Z"),
      ("2026-11-19", "2026-11-18T15:00:00Z"), ("2026-11-18T18:00:00Z", "2026-11-18T18:00:00Z"), ("24:00", nil),
      ("3:00", nil), ("tomorrow", nil), ("", nil),
    ] as [(String, String?)])
  func reads(_ text: String, _ moment: String?) throws {
    let now = try #require(Instant.iso8601("2026-11-18T14:12:07.430", defaultOffsetSeconds: 9 * 3600))
    #expect(MomentText.parse(text, after: now, offsetSeconds: 9 * 3600)?.iso8601 == moment)
  }
}
