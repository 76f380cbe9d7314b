import Testing

@testable import Quotes

struct TimeFormatTests {
  /// 2023-07-27T02:58:51.123456789Z.
  static let moment = Instant(nanoseconds: 1_690_426_731_123_456_789)

  struct Case: Sendable, CustomTestStringConvertible {
    let pattern: String
    let text: String
    var offsetSeconds = 0
    /// The moment when read back, with zero for parts missing in the pattern; nil if it has no year.
    let nanoseconds: Int64?

    var testDescription: String { "\(pattern): \(text)" }
  }

  static let cases: [Case] = [
    Case(pattern: "yyyy-MM-dd HH:mm:ss", text: "2023-07-27 02:58:51", nanoseconds: 1_690_426_731_000_000_000),
    Case(
      pattern: "yyyy-MM-dd HH:mm:ss", text: "2023-07-27 11:58:51", offsetSeconds: 32400,
      nanoseconds: 1_690_426_731_000_000_000),
    Case(pattern: "yyyyMMdd", text: "20230727", nanoseconds: 1_690_416_000_000_000_000),
    Case(pattern: "yyyyMMdd", text: "20230727", offsetSeconds: 32400, nanoseconds: 1_690_383_600_000_000_000),
    Case(pattern: "yyyyMMddHHmmss", text: "20230727025851", nanoseconds: 1_690_426_731_000_000_000),
    Case(pattern: "yyyyMMddHHmmssSSS", text: "20230727025851123", nanoseconds: 1_690_426_731_123_000_000),
    Case(
      pattern: "ss.SSSSSSSSS mm:HH dd.MM.yyyy", text: "51.123456789 58:02 27.07.2023", nanoseconds: moment.nanoseconds),
    Case(pattern: "dd/MM/yyyy S", text: "27/07/2023 1", nanoseconds: 1_690_416_000_100_000_000),
    Case(pattern: "yyyy-MM-dd'T'HH:mm'Z'", text: "2023-07-27T02:58Z", nanoseconds: 1_690_426_680_000_000_000),
    Case(pattern: "yyyy년 MM월 dd일", text: "2023년 07월 27일", nanoseconds: 1_690_416_000_000_000_000),
    Case(pattern: "yyyy'year'MM''dd", text: "2023year07'27", nanoseconds: 1_690_416_000_000_000_000),
    Case(pattern: "dd MMM yyyy HH:mm", text: "27 Jul 2023 02:58", nanoseconds: 1_690_426_680_000_000_000),
    Case(pattern: "M/d/yyyy H:mm", text: "7/27/2023 2:58", nanoseconds: 1_690_426_680_000_000_000),
    Case(pattern: "MM/dd/yyyy hh:mm:ss a", text: "07/27/2023 02:58:51 AM", nanoseconds: 1_690_426_731_000_000_000),
    Case(
      pattern: "a h:mm d.M.yyyy", text: "PM 4:58 27.7.2023", offsetSeconds: 50_400,
      nanoseconds: 1_690_426_680_000_000_000),
    Case(
      pattern: "yyyy-MM-dd HH:mm:ss Z", text: "2023-07-27 11:58:51 +09:00", offsetSeconds: 32400,
      nanoseconds: 1_690_426_731_000_000_000),
    Case(pattern: "yyyy", text: "2023", nanoseconds: 1_672_531_200_000_000_000),
    Case(pattern: "HH:mm", text: "02:58", nanoseconds: nil),
    Case(pattern: "", text: "", nanoseconds: nil),
  ]

  @Test(arguments: cases)
  func writesAndReads(_ test: Case) throws {
    let format = try TimeFormat(test.pattern)
    #expect(format.format(Self.moment, offsetSeconds: test.offsetSeconds) == test.text)
    #expect(format.parse(test.text, offsetSeconds: test.offsetSeconds)?.nanoseconds == test.nanoseconds)
    #expect(format.pattern == test.pattern)
  }

  @Test(arguments: [
    "", "2023-07-27", "2023-07-27 02:58:5", "2023-07-27 02:58:511", "2023-07-27T02:58:51", " 2023-07-27 02:58:51",
    "2023-07-27 02:58:51 ", "2023-02-29 02:58:51", "2023-07-27 24:00:00", "2023-07-27 02:60:00", "2023-13-27 02:58:51",
    "20２3-07-27 02:58:51", "+023-07-27 02:58:51", "9999-07-27 02:58:51",
  ])
  func refusesOtherTexts(_ text: String) throws {
    #expect(try TimeFormat("yyyy-MM-dd HH:mm:ss").parse(text, offsetSeconds: 0) == nil)
  }

  @Test(arguments: [
    ("01 jan 2023", 1_672_531_200), ("31 DEC 2023", 1_703_980_800), ("01 Juli 2023", nil), ("01 01 2023", nil),
  ])
  func readsNamesOfMonths(_ text: String, seconds: Int64?) throws {
    let found = try TimeFormat("dd MMM yyyy").parse(text, offsetSeconds: 0)
    #expect(found?.nanoseconds == seconds.map { $0 * 1_000_000_000 })
  }

  @Test(arguments: [
    ("1/2/2023 12:05 AM", 1_672_617_900), ("01/02/2023 12:05 pm", 1_672_661_100), ("12/31/2023 1:00 am", 1_703_984_400),
    ("1/2/2023 0:05 AM", nil), ("1/2/2023 13:05 AM", nil), ("1/2/2023 1:05", nil), ("1/2/2023 1:05 XM", nil),
    ("1/123/2023 1:05 AM", nil), ("/2/2023 1:05 AM", nil),
  ])
  func readsHalvesOfDaysAndShortNumbers(_ text: String, seconds: Int64?) throws {
    let found = try TimeFormat("M/d/yyyy h:mm a").parse(text, offsetSeconds: 0)
    #expect(found?.nanoseconds == seconds.map { $0 * 1_000_000_000 })
  }

  /// An offset in the text counts, not the given one.
  @Test(arguments: [
    ("2023-01-01 00:00 +0000", 0), ("2023-01-01 00:00 Z", 0), ("2023-01-01 09:00 +0900", 0),
    ("2023-01-01 09:00 +09:00", 0),
    ("2022-12-31 20:30 -03:30", 0), ("2023-01-01 00:00", nil), ("2023-01-01 00:00 +9", nil),
    ("2023-01-01 00:00 KST", nil),
    ("2023-01-01 00:00 +09:60", nil), ("2023-01-01 00:00 0900", nil),
  ])
  func readsOffsets(_ text: String, seconds: Int64?) throws {
    let found = try TimeFormat("yyyy-MM-dd HH:mm Z").parse(text, offsetSeconds: 7200)
    #expect(found?.nanoseconds == seconds.map { (1_672_531_200 + $0) * 1_000_000_000 })
  }

  private static func unknown(_ run: String) -> String {
    "'\(run)' is not one of yyyy M MM MMM d dd H HH h hh a mm ss S Z; put other letters between apostrophes"
  }

  @Test(arguments: [
    ("yy-MM-dd", 0, unknown("yy")),
    ("yyyy-MM-dd k:mm", 11, unknown("k")),
    ("EEE, dd MMM yyyy", 0, unknown("EEE")),
    ("yyyy-MM-ddTHH", 10, unknown("T")),
    ("yyyySSSSSSSSSS", 4, unknown("SSSSSSSSSS")),
    ("yyyy MM yyyy", 8, "'yyyy' is repeated"),
    ("yyyy M MMM", 7, "'MMM' is repeated"),
    ("yyyy HH h a", 8, "'h' is repeated"),
    ("yyyy-MM-dd hh:mm", 16, "the hours of 'h' need AM or PM, written 'a'"),
    ("yyyy-MM-dd HH:mm a", 18, "'a' needs the hours of 12, written 'h'"),
    ("yyyy S SS", 7, "'SS' is repeated"),
    ("yyyy 'T", 5, "unmatched apostrophe"),
  ])
  func refusesPatterns(pattern: String, offset: Int, problem: String) {
    #expect(throws: TimeFormatError(offset: offset, problem: problem)) { try TimeFormat(pattern) }
  }
}
