/// The calendar units that some exchanges answer by, one request for each.
package enum CalendarUnit: Sendable, Hashable {
  case day, month, year

  /// Returns the start of the unit that contains a moment, on a clock that far ahead of UTC.
  package func start(containing moment: Instant, offsetSeconds: Int) -> Instant {
    let civil = CivilTime(moment, offsetSeconds: offsetSeconds)
    let first = CivilTime(
      year: civil.year, month: self == .year ? 1 : civil.month, day: self == .day ? civil.day : 1,
      offsetSeconds: offsetSeconds)
    return first?.instant ?? moment
  }

  /// Returns the start of the preceding unit.
  package func start(before start: Instant, offsetSeconds: Int) -> Instant {
    self.start(
      containing: Instant(nanoseconds: start.nanoseconds.subtractingReportingOverflow(1).partialValue),
      offsetSeconds: offsetSeconds)
  }
}

extension TimeFormat {
  /// The finest date unit of the format; nil if it has an hour as well, or no date.
  package var dateUnit: CalendarUnit? {
    func has(_ part: Part) -> Bool { parts.contains { $0.isSameKind(as: part) } }
    return has(.hour) ? nil : has(.day) ? .day : has(.month) ? .month : has(.year) ? .year : nil
  }
}
