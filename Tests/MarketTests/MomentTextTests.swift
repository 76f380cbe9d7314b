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
}
