import Quotes
import Testing

struct InstantTests {
  @Test(
    arguments: [
      ("2023-07-27T02:58:51Z", 1_690_426_731_000_000_000), ("2023-07-27t02:58:51z", 1_690_426_731_000_000_000),
      ("2023-07-27 02:58:51", 1_690_426_731_000_000_000), ("2023-07-27T11:58:51+09:00", 1_690_426_731_000_000_000),
      ("2023-07-27T11:58:51+0900", 1_690_426_731_000_000_000), ("2023-07-27 11:58:51+09", 1_690_426_731_000_000_000),
      ("2023-07-26T21:28:51-05:30", 1_690_426_731_000_000_000),
      ("2023-07-27T02:58:51-00:00", 1_690_426_731_000_000_000),
      ("2023-07-27T02:58:51.5Z", 1_690_426_731_500_000_000), ("2023-07-27T02:58:51,5Z", 1_690_426_731_500_000_000),
      ("2023-07-27T02:58:51.123456789Z", 1_690_426_731_123_456_789),
      ("2023-07-27T02:58:51.1234567899999Z", 1_690_426_731_123_456_789),
      ("2023-07-27T02:58:51.000+0000", 1_690_426_731_000_000_000), ("2023-07-27T02:58Z", 1_690_426_680_000_000_000),
      ("2023-07-27", 1_690_416_000_000_000_000), ("2016-12-31T23:59:60Z", 1_483_228_800_000_000_000),
      ("2016-12-31T23:59:60.5Z", 1_483_228_800_000_000_000), ("1969-12-31T23:59:59.5Z", -500_000_000),
    ] as [(String, Int64)])
  func readsISO8601(text: String, nanoseconds: Int64) {
    #expect(Instant.iso8601(text, defaultOffsetSeconds: 0)?.nanoseconds == nanoseconds)
  }

  /// Whatever the duration, a moment does not wrap around.
  @Test(
    arguments: [
      (0, .seconds(5), 5_000_000_000), (.max, .nanoseconds(1), .max), (.min, .nanoseconds(-1), .min),
      (0, Duration(secondsComponent: 9_223_372_036, attosecondsComponent: 999_999_999_000_000_000), .max),
      (0, Duration(secondsComponent: -9_223_372_036, attosecondsComponent: -999_999_999_000_000_000), .min),
      (0, .seconds(Int64.max), .max), (0, .seconds(Int64.min), .min), (7, .milliseconds(-1), -999_993),
    ] as [(Int64, Duration, Int64)])
  func advances(_ start: Int64, _ duration: Duration, _ end: Int64) {
    #expect(Instant(nanoseconds: start).advanced(by: duration) == Instant(nanoseconds: end))
  }

  @Test func usesTheDefaultOffsetOnlyWithoutAZone() {
    let kst = 32400
    #expect(Instant.iso8601("1970-01-01T09:00:00", defaultOffsetSeconds: kst)?.nanoseconds == 0)
    #expect(Instant.iso8601("1970-01-01T00:00:00Z", defaultOffsetSeconds: kst)?.nanoseconds == 0)
    #expect(Instant.iso8601("1970-01-01", defaultOffsetSeconds: kst)?.nanoseconds == -32_400_000_000_000)
  }

  @Test(arguments: [
    "", "2023", "2023-07", "2023-7-27", "20230727", "2023-07-27T", "2023-07-27T02", "2023-07-27T02:58:",
    "2023-07-27X02:58",
    "2023-07-27T02:58:51.", "2023-07-27T02:58:51.Z", "2023-07-27T02:58:51ZZ", "2023-07-27T02:58:51+9",
    "2023-07-27T02:58:51+24:00", "2023-07-27T02:58:51+09:60", "2023-07-27T02:58:51+09:0", "2023-07-27T02:58:51 Z",
    "2023-02-29", "2023-07-27T24:00:00Z", "2023-07-27T02:60:00Z", "2023-07-27T02:58:61Z", "2300-01-01", "0000-01-01",
    "２023-07-27", "1690426731", "2023-07-27Z",
  ])
  func refusesOtherTexts(_ text: String) { #expect(Instant.iso8601(text, defaultOffsetSeconds: 0) == nil) }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (1_690_426_731_123_456_789, "2023-07-27T02:58:51.123456789Z"),
      (1_690_426_731_100_000_000, "2023-07-27T02:58:51.1Z"), (-1, "1969-12-31T23:59:59.999999999Z"),
      (.max, "2262-04-11T23:47:16.854775807Z"),
    ] as [(Int64, String)])
  func writesISO8601(nanoseconds: Int64, text: String) {
    #expect(Instant(nanoseconds: nanoseconds).iso8601 == text)
    #expect(Instant.iso8601(text, defaultOffsetSeconds: 3600) == Instant(nanoseconds: nanoseconds))
  }

  /// Every digit is preserved: 19 digits are more than a Double holds.
  @Test(
    arguments: [
      ("1626342738.331497", .seconds, 1_626_342_738_331_497_000), ("1690426731", .seconds, 1_690_426_731_000_000_000),
      ("1690426731123", .milliseconds, 1_690_426_731_123_000_000),
      ("1690426731123456", .microseconds, 1_690_426_731_123_456_000),
      ("1690426731123456789", .nanoseconds, 1_690_426_731_123_456_789),
      ("1690426731123.4567891", .milliseconds, 1_690_426_731_123_456_789),
      ("1.69042673112345678949E9", .seconds, 1_690_426_731_123_456_789),
      ("1.69042673112345678950E9", .seconds, 1_690_426_731_123_456_790), ("0", .seconds, 0),
      ("-1.5", .seconds, -1_500_000_000),
      ("9223372036854775807", .nanoseconds, Int64.max), ("-9223372036854775808", .nanoseconds, Int64.min),
      ("9223372036854775807.4", .nanoseconds, Int64.max), ("9223372036854775807.5", .nanoseconds, nil),
      ("9223372036.854775808", .seconds, nil), ("1690426731123456789", .seconds, nil), ("1e1000", .nanoseconds, nil),
      ("-1e1000", .seconds, nil), ("1e-1000", .seconds, 0), ("0e5", .seconds, 0),
    ] as [(String, TimeUnit, Int64?)])
  func readsUnits(text: String, unit: TimeUnit, nanoseconds: Int64?) throws {
    let count = try #require(Decimal(text))
    #expect(Instant(count, unit: unit)?.nanoseconds == nanoseconds)
  }

  @Test func namesUnitsAsTheConfigDoes() {
    #expect(TimeUnit.allCases.map(\.rawValue) == ["s", "ms", "us", "ns"])
  }
}
