/// A moment in nanoseconds since 1970-01-01T00:00:00Z, from the year 1677 to 2262.
package struct Instant: Sendable, Hashable, Comparable {
  package var nanoseconds: Int64

  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Creates the moment of a system clock, in seconds since 1970 and additional nanoseconds. A clock beyond the year
  /// 2250 is clamped to that year, to leave room for additions.
  package init(clockSeconds seconds: Int64, nanoseconds: Int64) {
    let latest: Int64 = 8_835_955_200
    self.nanoseconds = min(max(seconds, 0), latest) * Self.second + nanoseconds
  }

  package static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

  /// Returns the nanoseconds from an earlier moment to this one, negative if `earlier` is later.
  ///
  /// A distance beyond 292 years is clamped to the largest one, which has the same magnitude both ways: it may be
  /// negated. Nothing may be added to it; add to one of the moments, by ``advanced(by:)``.
  package func nanoseconds(since earlier: Instant) -> Int64 {
    let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
    return overflow ? (earlier < self ? .max : -.max) : max(difference, -.max)
  }

  /// Returns the moment after a duration, clamped to the range of moments.
  package func advanced(by duration: Duration) -> Instant {
    let (seconds, attoseconds) = duration.components
    let (whole, isTooMuch) = seconds.multipliedReportingOverflow(by: Self.second)
    let (span, isTooLong) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    let (sum, isOutside) = nanoseconds.addingReportingOverflow(span)
    return Instant(nanoseconds: isTooMuch || isTooLong || isOutside ? (duration < .zero ? .min : .max) : sum)
  }

  /// Spans in nanoseconds.
  package static var second: Int64 { 1_000_000_000 }
  package static var minute: Int64 { 60 * second }
  package static var hour: Int64 { 60 * minute }
  package static var day: Int64 { 24 * hour }

  /// Returns whether a kept stamp, or another clock's time, is more than a minute later than now: one of the two clocks
  /// is wrong, so it does not tell what came first.
  package func isAhead(of now: Instant) -> Bool { nanoseconds(since: now) > Self.minute }

  /// Returns whether a wait after an earlier moment is over. It also is if the clock has been set back since, and if
  /// there was no such moment.
  package func isPast(_ wait: Duration, after start: Instant?) -> Bool {
    guard let start else { return true }
    return self >= start.advanced(by: wait) || self < start
  }

  /// Parses an ISO 8601 text (extended format, as in RFC 3339 but a little more lenient).
  ///
  /// `2023-07-27T02:58:51.123456Z`, `2023-07-27 11:58:51+09:00`, `2023-07-27T02:58:51` or `2023-07-27` alone. Date and
  /// time are separated by `T` or a blank; the fraction may have any number of digits (those beyond nanoseconds are cut
  /// off); the zone is `Z`, `±hh:mm`, `±hhmm` or `±hh`. A leap second (`:60`) is the second that follows it.
  ///
  /// - Parameter defaultOffsetSeconds: The offset ahead of UTC if the text names no zone.
  /// - Returns: nil for any other text, or if the day or time does not exist.
  package static func iso8601(_ text: String, defaultOffsetSeconds: Int) -> Instant? {
    var text = text
    return text.withUTF8 { iso8601($0, defaultOffsetSeconds: defaultOffsetSeconds) }
  }

  /// Parses an ISO 8601 text in UTF-8.
  package static func iso8601(_ bytes: UnsafeBufferPointer<UInt8>, defaultOffsetSeconds: Int) -> Instant? {
    var reader = DigitReader(bytes)
    guard let year = reader.number(digits: 4), reader.skip(ASCII.minus),
      let month = reader.number(digits: 2), reader.skip(ASCII.minus),
      let day = reader.number(digits: 2)
    else { return nil }
    if reader.isAtEnd {
      return CivilTime(year: year, month: month, day: day, offsetSeconds: defaultOffsetSeconds)?.instant
    }
    guard reader.skip(UInt8(ascii: "T")) || reader.skip(ASCII.space) || reader.skip(UInt8(ascii: "t")),
      let hour = reader.number(digits: 2), reader.skip(ASCII.colon),
      let minute = reader.number(digits: 2)
    else { return nil }
    var second = 0
    var nanosecond = 0
    if reader.skip(ASCII.colon) {
      guard let written = reader.number(digits: 2) else { return nil }
      second = written
      if reader.skip(ASCII.point) || reader.skip(ASCII.comma) {
        guard let fraction = reader.fraction() else { return nil }
        nanosecond = fraction
      }
    }
    var offset = defaultOffsetSeconds
    if !reader.isAtEnd {
      guard let written = reader.offset(), reader.isAtEnd else { return nil }
      offset = written
    }
    let isLeapSecond = second == 60
    let civil = CivilTime(
      year: year, month: month, day: day, hour: hour, minute: minute, second: isLeapSecond ? 59 : second,
      nanosecond: isLeapSecond ? 0 : nanosecond, offsetSeconds: offset)
    guard let instant = civil?.instant else { return nil }
    return isLeapSecond ? Instant(nanoseconds: instant.nanoseconds + Self.second) : instant
  }

  /// The moment in UTC, with as many fractional digits as needed: `2023-07-27T02:58:51.123Z`.
  package var iso8601: String {
    String(unsafeUninitializedCapacity: Instant.writtenLength) { bytes in
      bytes.baseAddress.map { writeISO8601(to: $0) } ?? 0
    }
  }

  /// The capacity that ``writeISO8601(to:)`` needs.
  package static let writtenLength = 30

  /// Writes ``iso8601`` directly to a buffer, as tables have one in each row.
  ///
  /// - Parameter buffer: `writtenLength` bytes or more.
  /// - Returns: The number of bytes written.
  package func writeISO8601(to buffer: UnsafeMutablePointer<UInt8>) -> Int {
    let civil = CivilTime(self)
    var end = 0
    func put(_ number: Int, digits: Int, before separator: UInt8) {
      var rest = number
      for place in stride(from: end + digits - 1, through: end, by: -1) {
        buffer[place] = ASCII.zero + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      buffer[end + digits] = separator
      end += digits + 1
    }
    // The years of an instant, 1677 to 2262, have four digits.
    put(civil.year, digits: 4, before: ASCII.minus)
    put(civil.month, digits: 2, before: ASCII.minus)
    put(civil.day, digits: 2, before: UInt8(ascii: "T"))
    put(civil.hour, digits: 2, before: ASCII.colon)
    put(civil.minute, digits: 2, before: ASCII.colon)
    let zone = UInt8(ascii: "Z")
    guard civil.nanosecond != 0 else {
      put(civil.second, digits: 2, before: zone)
      return end
    }
    put(civil.second, digits: 2, before: ASCII.point)
    var (fraction, digits) = (civil.nanosecond, 9)
    while fraction % 10 == 0 { (fraction, digits) = (fraction / 10, digits - 1) }
    put(fraction, digits: digits, before: zone)
    return end
  }
}

/// The units in which exchanges count time since 1970.
package enum TimeUnit: String, Sendable, Hashable, CaseIterable {
  case seconds = "s"
  case milliseconds = "ms"
  case microseconds = "us"
  case nanoseconds = "ns"

  /// The power of ten that converts to nanoseconds.
  var powerToNanoseconds: Int {
    switch self {
    case .seconds: 9
    case .milliseconds: 6
    case .microseconds: 3
    case .nanoseconds: 0
    }
  }
}

extension Instant {
  /// Creates the moment that is `count` units after 1970-01-01T00:00:00Z.
  ///
  /// A fraction is allowed (`1626342738.331497` seconds) and rounded to nanoseconds, half away from zero. Returns nil
  /// if the moment is outside the years 1677 to 2262.
  package init?(_ count: Decimal, unit: TimeUnit) {
    let nanoseconds = count.scaledByPowerOfTen(unit.powerToNanoseconds).rounded(toPlaces: 0)
    // A number too large for 38 digits keeps its exponent; it is also far too large for a time.
    guard nanoseconds.exponent == 0, let value = Int64(exactly: nanoseconds.mantissa) else { return nil }
    self.init(nanoseconds: value)
  }

  /// Parses a whole count as sent, in ASCII; nil also for any other text.
  package init?(plain bytes: UnsafeBufferPointer<UInt8>, unit: TimeUnit) {
    var wasRounded = false
    guard let count = Decimal.parse(bytes, wasRounded: &wasRounded)?.wholeNumber else { return nil }
    self.init(count, unit: unit)
  }

  /// Creates the moment from a whole count.
  package init?(_ count: Int64, unit: TimeUnit) {
    let scale = Int64(PowersOfTen.narrow[unit.powerToNanoseconds])
    let (nanoseconds, overflow) = count.multipliedReportingOverflow(by: scale)
    if overflow { return nil }
    self.init(nanoseconds: nanoseconds)
  }
}
