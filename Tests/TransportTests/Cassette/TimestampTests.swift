import HTTP
import Testing

@testable import Transport

@Suite struct TimestampTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000000000Z"),
    (1_767_225_600_123_456_789, "2026-01-01T00:00:00.123456789Z"),
    (1_709_164_799_000_000_000, "2024-02-28T23:59:59.000000000Z"),
    (1_709_164_800_000_000_000, "2024-02-29T00:00:00.000000000Z"),
    (951_782_400_000_000_001, "2000-02-29T00:00:00.000000001Z"),
    (-1, "1969-12-31T23:59:59.999999999Z"),
    (Int64.max, "2262-04-11T23:47:16.854775807Z"),
  ])
  func bothWays(_ nanoseconds: Int64, _ text: String) {
    #expect(Timestamp.text(nanoseconds) == text)
    #expect(Timestamp.instant(text) == nanoseconds)
  }

  @Test(
    arguments: [
      ("2026-01-01T00:00:00Z", 1_767_225_600_000_000_000),
      ("2026-01-01T00:00:00.5Z", 1_767_225_600_500_000_000),
      ("2026-01-01T00:00:00.123Z", 1_767_225_600_123_000_000),
    ] as [(String, Int64)])
  func shortFractions(_ text: String, _ nanoseconds: Int64) {
    #expect(Timestamp.instant(text) == nanoseconds)
  }

  @Test(arguments: [
    // The last second that a number of nanoseconds holds, and more than that.
    "2262-04-11T23:47:16.900Z",
    "", "2026-01-01", "2026-01-01T00:00:00", "2026-01-01 00:00:00Z", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z",
    "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z",
    "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00.1234567890Z", "2026-01-01T00:00:00+00:00", "9999-01-01T00:00:00Z",
    "2026-01-01T00:00:0aZ", "+026-01-01T00:00:00Z",
  ])
  func noTimestamps(_ text: String) {
    #expect(Timestamp.instant(text) == nil)
  }
}
