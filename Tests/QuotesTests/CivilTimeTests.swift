import Quotes
import Testing

struct CivilTimeTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let year: Int, month: Int, day: Int
    var hour = 0, minute = 0, second = 0, nanosecond = 0, offsetSeconds = 0
    let nanoseconds: Int64
    let weekday: Weekday

    var testDescription: String { "\(year)-\(month)-\(day) \(hour):\(minute):\(second)" }
  }

  static let cases: [Case] = [
    Case(year: 1970, month: 1, day: 1, nanoseconds: 0, weekday: .thursday),
    Case(
      year: 1969, month: 12, day: 31, hour: 23, minute: 59, second: 59, nanosecond: 999_999_999, nanoseconds: -1,
      weekday: .wednesday),
    Case(
      year: 2023, month: 7, day: 27, hour: 2, minute: 58, second: 51, nanosecond: 123_456_789,
      nanoseconds: 1_690_426_731_123_456_789, weekday: .thursday),
    Case(
      year: 2023, month: 7, day: 27, hour: 11, minute: 58, second: 51, offsetSeconds: 32400,
      nanoseconds: 1_690_426_731_000_000_000, weekday: .thursday),
    Case(
      year: 2023, month: 7, day: 26, hour: 21, minute: 58, second: 51, offsetSeconds: -18000,
      nanoseconds: 1_690_426_731_000_000_000, weekday: .wednesday),
    Case(year: 2000, month: 2, day: 29, nanoseconds: 951_782_400_000_000_000, weekday: .tuesday),
    Case(year: 2000, month: 3, day: 1, nanoseconds: 951_868_800_000_000_000, weekday: .wednesday),
    Case(year: 2024, month: 2, day: 29, nanoseconds: 1_709_164_800_000_000_000, weekday: .thursday),
    Case(year: 2024, month: 12, day: 31, nanoseconds: 1_735_603_200_000_000_000, weekday: .tuesday),
    Case(year: 2100, month: 2, day: 28, nanoseconds: 4_107_456_000_000_000_000, weekday: .sunday),
    Case(year: 2100, month: 3, day: 1, nanoseconds: 4_107_542_400_000_000_000, weekday: .monday),
    Case(year: 1900, month: 3, day: 1, nanoseconds: -2_203_891_200_000_000_000, weekday: .thursday),
    Case(
      year: 2262, month: 4, day: 11, hour: 23, minute: 47, second: 16, nanosecond: 854_775_807, nanoseconds: .max,
      weekday: .friday),
    Case(
      year: 1677, month: 9, day: 21, hour: 0, minute: 12, second: 43, nanosecond: 145_224_192, nanoseconds: .min,
      weekday: .tuesday),
  ]

  @Test(arguments: cases)
  func convertsBothWays(_ test: Case) throws {
    let civil = try #require(
      CivilTime(
        year: test.year, month: test.month, day: test.day, hour: test.hour, minute: test.minute, second: test.second,
        nanosecond: test.nanosecond, offsetSeconds: test.offsetSeconds))
    #expect(civil.instant == Instant(nanoseconds: test.nanoseconds))
    #expect(CivilTime(Instant(nanoseconds: test.nanoseconds), offsetSeconds: test.offsetSeconds) == civil)
    #expect(civil.weekday == test.weekday)
  }

  /// Every day of more than 400 years, counted using only the lengths of the months.
  @Test func countsEveryDay() throws {
    var dayNumber = -106_000
    var civil = CivilTime(Instant(nanoseconds: Int64(dayNumber) * 86_400_000_000_000))
    var (year, month, day) = (civil.year, civil.month, civil.day)
    var weekday = civil.weekday.rawValue
    while dayNumber < 106_000 {
      civil = CivilTime(Instant(nanoseconds: Int64(dayNumber) * 86_400_000_000_000))
      guard civil.year == year, civil.month == month, civil.day == day, civil.weekday.rawValue == weekday,
        civil.dayNumber == dayNumber
      else {
        Issue.record("day \(dayNumber) is \(civil), expected \(year)-\(month)-\(day)")
        return
      }
      let isLeap = year % 400 == 0 || (year % 4 == 0 && year % 100 != 0)
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      day += 1
      if day > lengths[month - 1] { (month, day) = (month + 1, 1) }
      if month > 12 { (year, month) = (year + 1, 1) }
      weekday = weekday % 7 + 1
      dayNumber += 1
    }
  }

  @Test(arguments: [
    [2023, 2, 29, 0, 0, 0, 0, 0], [2100, 2, 29, 0, 0, 0, 0, 0], [2023, 4, 31, 0, 0, 0, 0, 0],
    [2023, 13, 1, 0, 0, 0, 0, 0], [2023, 0, 1, 0, 0, 0, 0, 0], [2023, 1, 0, 0, 0, 0, 0, 0],
    [2023, 1, 32, 0, 0, 0, 0, 0],
    [2023, 1, 1, 24, 0, 0, 0, 0], [2023, 1, 1, -1, 0, 0, 0, 0], [2023, 1, 1, 0, 60, 0, 0, 0],
    [2023, 1, 1, 0, 0, 60, 0, 0], [2023, 1, 1, 0, 0, 0, 1_000_000_000, 0], [2023, 1, 1, 0, 0, 0, -1, 0],
    [0, 1, 1, 0, 0, 0, 0, 0], [10000, 1, 1, 0, 0, 0, 0, 0], [2023, 1, 1, 0, 0, 0, 0, 86400],
    [2023, 1, 1, 0, 0, 0, 0, Int.max], [Int.max, 1, 1, 0, 0, 0, 0, 0],
  ])
  func refusesImpossibleTimes(_ parts: [Int]) {
    let civil = CivilTime(
      year: parts[0], month: parts[1], day: parts[2], hour: parts[3], minute: parts[4], second: parts[5],
      nanosecond: parts[6], offsetSeconds: parts[7])
    #expect(civil == nil)
  }

  @Test func hasNoMomentOutsideTheRange() throws {
    #expect(try #require(CivilTime(year: 2262, month: 4, day: 12)).instant == nil)
    #expect(try #require(CivilTime(year: 1677, month: 9, day: 21)).instant == nil)
    #expect(try #require(CivilTime(year: 9999, month: 12, day: 31)).instant == nil)
  }

  @Test func measuresDistances() {
    let earlier = Instant(nanoseconds: -5)
    let later = Instant(nanoseconds: 7)
    #expect(later.nanoseconds(since: earlier) == 12)
    #expect(earlier.nanoseconds(since: later) == -12)
    #expect(Instant(nanoseconds: .max).nanoseconds(since: earlier) == .max)
    #expect(Instant(nanoseconds: .min).nanoseconds(since: later) == -.max)
    #expect(Instant(nanoseconds: .min).nanoseconds(since: Instant(nanoseconds: 0)) == -.max)
    #expect(earlier < later)
  }
}
