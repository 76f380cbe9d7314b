/// Instants as cassettes spell them: ISO 8601 in UTC with nine digits of fraction, `2026-01-01T00:00:00.123456789Z`.
package enum Timestamp {
  private static let nanosecondsPerSecond: Int64 = 1_000_000_000

  package static func text(_ nanoseconds: Int64) -> String {
    let seconds = floorDivide(nanoseconds, nanosecondsPerSecond)
    let fraction = nanoseconds - seconds * nanosecondsPerSecond
    let day = floorDivide(seconds, 86_400)
    let second = seconds - day * 86_400
    let date = civil(fromDay: day)
    return padded(date.year, 4) + "-" + padded(date.month, 2) + "-" + padded(date.day, 2)
      + "T" + padded(second / 3_600, 2) + ":" + padded(second / 60 % 60, 2) + ":" + padded(second % 60, 2)
      + "." + padded(fraction, 9) + "Z"
  }

  /// nil for anything but such a text. The fraction may be missing or have one to nine digits.
  package static func instant(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z"),
      [4, 7, 10, 13, 16].map({ bytes[$0] }) == Array("--T::".utf8),
      let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
      let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
      (1...12).contains(month), hour < 24, minute < 60, second < 60,
      let fraction = fraction(bytes[19..<(bytes.count - 1)])
    else { return nil }
    let days = Self.day(year: year, month: month, day: day)
    // The way back finds out whether the month has such a day.
    guard civil(fromDay: days) == (year, month, day) else { return nil }
    let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second
    let (product, overflow) = seconds.multipliedReportingOverflow(by: nanosecondsPerSecond)
    let (sum, overflowsSum) = product.addingReportingOverflow(fraction)
    return overflow || overflowsSum ? nil : sum
  }

  /// The nanoseconds of `.123`, or of nothing.
  private static func fraction(_ bytes: ArraySlice<UInt8>) -> Int64? {
    if bytes.isEmpty { return 0 }
    guard bytes.first == UInt8(ascii: "."), (2...10).contains(bytes.count), var value = number(bytes.dropFirst())
    else { return nil }
    for _ in bytes.count..<10 { value *= 10 }
    return value
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int64? {
    var value: Int64 = 0
    for byte in bytes {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      value = value * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    return value
  }

  private static func padded(_ value: Int64, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
    value >= 0 ? value / divisor : -((-(value + 1)) / divisor) - 1
  }

  /// Days since 1970-01-01 of a date of the Gregorian calendar. The year is taken to begin in March, so that the leap
  /// day is its last; 400 years have 146,097 days.
  private static func day(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = floorDivide(shifted, 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func civil(fromDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = day + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}
