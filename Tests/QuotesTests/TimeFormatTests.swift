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
    Case(pattern: "yyyy", text: "2023", nanoseconds: 1_672_531_200_000_000_000),
    Case(pattern: "HH:mm", text: "02:58", nanoseconds: nil),
    Case(pattern: "", text: "", nanoseconds: nil),
  ]

  @Test(arguments: cases)
  func writesAndReads(_ test: Case) throws {
    let format = try TimeFormat(test.pattern)
    #expect(format.format(Self.moment, offsetSeconds: test.offsetSeconds) == test.text)
    #expect(format.parse(test.text, offsetSeconds: test.offsetSeconds)?.nanoseconds == test.nanoseconds)
    #expect(format.description == test.pattern)
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
    ("yy-MM-dd", 0, "'yy' is not a time component; quote literal letters with apostrophes"),
    ("yyyy-MM-dd hh:mm", 11, "'hh' is not a time component; quote literal letters with apostrophes"),
    ("yyyy년 M월", 8, "'M' is not a time component; quote literal letters with apostrophes"),
    ("yyyy-MM-ddTHH", 10, "'T' is not a time component; quote literal letters with apostrophes"),
    ("yyyySSSSSSSSSS", 4, "'SSSSSSSSSS' is not a time component; quote literal letters with apostrophes"),
    ("yyyy MM yyyy", 8, "'yyyy' is repeated"),
    ("yyyy S SS", 7, "'SS' is repeated"),
    ("yyyy 'T", 5, "unmatched apostrophe"),
  ])
  func refusesPatterns(pattern: String, offset: Int, problem: String) {
    #expect(throws: TimeFormatError(offset: offset, problem: problem)) { try TimeFormat(pattern) }
  }
}
