/// The language of a screen's own words. What exchanges and errors say stays as it is.
package enum Language: String, Sendable, CaseIterable {
  case english = "en"
  case korean = "ko"

  /// - Parameter locale: as `LC_MESSAGES` has it: `ko_KR.UTF-8`.
  package init(locale: String?) {
    self = locale?.prefix(while: \.isLetter) == "ko" ? .korean : .english
  }

  /// One of two texts: both stand where they are used.
  package func callAsFunction(_ english: String, _ korean: String) -> String { self == .korean ? korean : english }

  var weekdays: WeekdayNames { self == .korean ? .korean : .english }
}
