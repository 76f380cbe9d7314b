/// The parts of a calendar that some exchanges answer by: one request for each.
package enum CalendarUnit: Sendable, Hashable {
  case day, month, year

  /// The first moment of the unit that a moment lies in, on a clock so far ahead of UTC.
  package func start(containing moment: Instant, offsetSeconds: Int) -> Instant {
    let civil = CivilTime(moment, offsetSeconds: offsetSeconds)
    let first = CivilTime(
      year: civil.year, month: self == .year ? 1 : civil.month, day: self == .day ? civil.day : 1,
      offsetSeconds: offsetSeconds)
    return first?.instant ?? moment
  }

  /// The first moment of the unit before the one that begins there.
  package func start(before start: Instant, offsetSeconds: Int) -> Instant {
    self.start(
      containing: Instant(nanoseconds: start.nanoseconds.subtractingReportingOverflow(1).partialValue),
      offsetSeconds: offsetSeconds)
  }
}

extension TimeFormat {
  /// The finest part of a date that the format has; nil where it has an hour as well, or is of no date.
  package var dateUnit: CalendarUnit? {
    if parts.contains(.hour) { return nil }
    if parts.contains(.day) { return .day }
    if parts.contains(.month) { return .month }
    return parts.contains(.year) ? .year : nil
  }
}
