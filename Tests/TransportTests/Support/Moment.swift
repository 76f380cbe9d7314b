import Quotes

/// Moments that tests write as texts.
enum Moment {
  /// Returns `2026-11-18T05:00:40Z` as nanoseconds since 1970.
  static func nanoseconds(_ text: String) -> Int64 {
    guard let instant = Instant.iso8601(text, defaultOffsetSeconds: 0) else {
      preconditionFailure("no moment: \(text)")
    }
    return instant.nanoseconds
  }
}
