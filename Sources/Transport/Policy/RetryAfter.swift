import HTTP

/// The pause that an exchange asks for with `Retry-After` (RFC 9110 §10.2.3).
enum RetryAfter {
  /// Nanoseconds to wait from `wall` (nanoseconds since 1970) on, at least 0; nil where there is no such header or it
  /// is neither a number of seconds nor a date.
  static func pause(_ headers: [HTTPHeader], wall: Int64) -> Int64? {
    guard let value = headers.first(named: "Retry-After"), !value.isEmpty else { return nil }
    if value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
      // More digits than a number holds are a very long pause, not a mistake.
      let seconds = Int64(value) ?? .max
      return seconds.multipliedReportingOverflow(by: 1_000_000_000).overflow ? .max : seconds * 1_000_000_000
    }
    guard value.utf8.first.map({ $0 > UInt8(ascii: "9") }) == true, let date = HTTPDate.instant(value) else {
      return nil
    }
    return max(0, date - wall)
  }
}
