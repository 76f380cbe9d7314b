import Quotes
import Testing

@testable import Shell

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

  /// Times of the past are in one zone, days may be in another.
  @Test(
    arguments: [
      ("2d", "2026-11-16T05:12:07.43Z"), ("12h", "2026-11-17T17:12:07.43Z"), ("90m", "2026-11-18T03:42:07.43Z"),
      ("yesterday", "2026-11-16T15:00:00Z"), ("Today", "2026-11-17T15:00:00Z"),
      ("2026-11-18", "2026-11-17T15:00:00Z"), ("2026-11-18T03:00", "2026-11-18T03:00:00Z"),
      ("2026-11-18T03:00+01:00", "2026-11-18T02:00:00Z"), ("2", nil), ("-2d", nil), ("2w", nil), ("9999999d", nil),
      ("tomorrow", nil), ("", nil),
    ] as [(String, String?)])
  func readsThePast(_ text: String, _ moment: String?) throws {
    let now = try #require(Instant.iso8601("2026-11-18T14:12:07.430", defaultOffsetSeconds: 9 * 3600))
    #expect(MomentText.parse(text, before: now, in: .utc, days: .seoul)?.iso8601 == moment)
  }
}
