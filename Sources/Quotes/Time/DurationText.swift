/// Durations as written on the command line and in the config, and as shown.
package enum DurationText {
  /// Parses `500ms`, `5s`, `1m`, `1h` or `1d` to milliseconds; nil for anything else.
  package static func milliseconds(_ text: String) -> Int? {
    // `Int` would also read a sign.
    guard text.utf8.first.map({ 0x30...0x39 ~= $0 }) == true else { return nil }
    let units = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)]
    for (suffix, factor) in units where text.hasSuffix(suffix) {
      if let count = Int(text.dropLast(suffix.count)), (0...9_999_999).contains(count) { return count * factor }
    }
    return nil
  }

  /// Formats a duration in suitable units, to the next second and the nearest minute or day: `61.5 s`, `59 min 30 s`,
  /// `9 h`, `26 h 5 min`, `3 d`. A difference of whole hours is one of time zones: it must not end up below them.
  package static func text(nanoseconds: Int64, _ units: DurationUnits = DurationUnits()) -> String {
    let exact = Decimal(mantissa: Int128(nanoseconds), exponent: -9)
    if nanoseconds < 2 * Instant.minute { return exact.rounded(toPlaces: 3).shortest + units.seconds }
    func text(_ count: Int64, _ unit: String, of size: Int64, _ smaller: String) -> String {
      count % size == 0 ? "\(count / size)\(unit)" : "\(count / size)\(unit) \(count % size)\(smaller)"
    }
    let seconds = nanoseconds / Instant.second + (nanoseconds % Instant.second == 0 ? 0 : 1)
    if seconds < 7200 { return text(seconds, units.minutes, of: 60, units.seconds) }
    let minutes = (seconds + 30) / 60
    return minutes < 2880
      ? text(minutes, units.hours, of: 60, units.minutes) : "\((minutes + 720) / 1440)\(units.days)"
  }

  /// Returns a duration as exact as ``text(nanoseconds:_:)`` has it.
  package static func shown(nanoseconds: Int64) -> Int64 {
    let millisecond: Int64 = 1_000_000
    if nanoseconds < 2 * Instant.minute { return (nanoseconds + millisecond / 2) / millisecond * millisecond }
    let seconds = nanoseconds / Instant.second + (nanoseconds % Instant.second == 0 ? 0 : 1)
    if seconds < 7200 { return seconds * Instant.second }
    let minutes = (seconds + 30) / 60
    if minutes < 2880 { return minutes * Instant.minute }
    let (whole, isTooLong) = ((minutes + 720) / 1440).multipliedReportingOverflow(by: Instant.day)
    return isTooLong ? nanoseconds : whole
  }

  /// Formats the limit of an age: `60 s`, `1 h`.
  package static func text(limitMilliseconds: Int, _ units: DurationUnits = DurationUnits()) -> String {
    limitMilliseconds == 3_600_000
      ? "1\(units.hours)" : Decimal(mantissa: Int128(limitMilliseconds), exponent: -3).shortest + units.seconds
  }
}

/// What follows the number of a duration, by unit.
package struct DurationUnits: Sendable {
  package var (seconds, minutes, hours, days) = (" s", " min", " h", " d")

  package init() {}
}
