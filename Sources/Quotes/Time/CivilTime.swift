/// A date and a time of day at a fixed offset from UTC; Gregorian, years 1 to 9999.
package struct CivilTime: Sendable, Hashable {
  package let year: Int
  /// 1 to 12.
  package let month: Int
  /// 1 to 31.
  package let day: Int
  package let hour: Int
  package let minute: Int
  package let second: Int
  package let nanosecond: Int
  /// How far the clock is ahead of UTC: 32400 in Korea.
  package let offsetSeconds: Int

  /// Returns nil if the day or time of day does not exist: no 30th of February, no 24:00, no leap second.
  package init?(
    year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, nanosecond: Int = 0,
    offsetSeconds: Int = 0
  ) {
    guard 1...9999 ~= year, 1...12 ~= month, 1...CivilTime.dayCount(year: year, month: month) ~= day,
      0...23 ~= hour, 0...59 ~= minute, 0...59 ~= second, 0...999_999_999 ~= nanosecond,
      CivilTime.offsets ~= offsetSeconds
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
    self.nanosecond = nanosecond
    self.offsetSeconds = offsetSeconds
  }

  /// Creates the local time of a moment; an offset of a day or more is clamped to just below one.
  package init(_ instant: Instant, offsetSeconds: Int = 0) {
    let offset = max(CivilTime.offsets.lowerBound, min(CivilTime.offsets.upperBound, offsetSeconds))
    // Rounds down, also before 1970.
    let (second, nanosecond) = CivilTime.divide(Int(instant.nanoseconds), by: 1_000_000_000)
    let (day, secondOfDay) = CivilTime.divide(second + offset, by: 86400)
    (self.year, self.month, self.day) = CivilTime.date(dayNumber: day)
    self.hour = secondOfDay / 3600
    self.minute = secondOfDay / 60 % 60
    self.second = secondOfDay % 60
    self.nanosecond = nanosecond
    self.offsetSeconds = offset
  }

  /// The moment at this local time; nil outside the years 1677 to 2262.
  package var instant: Instant? {
    let seconds = dayNumber * 86400 + hour * 3600 + minute * 60 + second - offsetSeconds
    return Int64(exactly: Int128(seconds) * 1_000_000_000 + Int128(nanosecond)).map(Instant.init(nanoseconds:))
  }

  package var weekday: Weekday {
    // 1970-01-01 was a Thursday, the fourth day; day -3 was a Monday.
    let (_, daysSinceMonday) = CivilTime.divide(dayNumber + 3, by: 7)
    return Weekday.allCases[daysSinceMonday]
  }

  /// The days since 1970-01-01.
  package var dayNumber: Int { CivilTime.dayNumber(year: year, month: month, day: day) }

  private static let offsets = -86399...86399
}

/// The arithmetic of the Gregorian calendar: https://howardhinnant.github.io/date_algorithms.html
///
/// Years start on the first of March, so that the leap day is the last of the year, and are grouped in eras of 400
/// years, or 146097 days, after which the calendar repeats.
extension CivilTime {
  static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  static func dayCount(year: Int, month: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func dayNumber(year: Int, month: Int, day: Int) -> Int {
    let shiftedYear = month > 2 ? year : year - 1
    let (era, yearOfEra) = divide(shiftedYear, by: 400)
    let monthFromMarch = (month + 9) % 12
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    // Day 719468 of the first era is 1970-01-01.
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func date(dayNumber: Int) -> (year: Int, month: Int, day: Int) {
    let (era, dayOfEra) = divide(dayNumber + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
  }

  /// Divides rounding down, so that the remainder is never negative.
  private static func divide(_ value: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

/// The days of the week, numbered as in ISO 8601.
package enum Weekday: Int, Sendable, Hashable, CaseIterable {
  case monday = 1
  case tuesday
  case wednesday
  case thursday
  case friday
  case saturday
  case sunday
}
