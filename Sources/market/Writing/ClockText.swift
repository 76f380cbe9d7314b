import Quotes

/// Moments as the header shows them.
enum ClockText {
  /// `2023-07-27 (Thu) 02:58:51`
  static func dayAndTime(_ instant: Instant, offsetSeconds: Int, _ names: WeekdayNames) -> String {
    let parts = plain(instant, offsetSeconds: offsetSeconds).split(separator: " ")
    let weekday = names.short(CivilTime(instant, offsetSeconds: offsetSeconds).weekday)
    return "\(parts[0]) (\(weekday)) \(parts[1])"
  }

  /// `2023-07-27 11:58:36`
  static func plain(_ instant: Instant, offsetSeconds: Int) -> String {
    let time = CivilTime(instant, offsetSeconds: offsetSeconds)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(time.year)-\(two(time.month))-\(two(time.day)) \(two(time.hour)):\(two(time.minute)):\(two(time.second))"
  }
}

/// The short names of weekdays in the reader's language.
enum WeekdayNames: Sendable {
  case english
  case korean

  /// - Parameter locale: as `LC_TIME` has it: `ko_KR.UTF-8`.
  init(locale: String?) {
    self = locale?.hasPrefix("ko") == true ? .korean : .english
  }

  func short(_ weekday: Weekday) -> String {
    switch self {
    case .english: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][weekday.rawValue - 1]
    case .korean: ["월", "화", "수", "목", "금", "토", "일"][weekday.rawValue - 1]
    }
  }
}
