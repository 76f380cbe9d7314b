import Quotes

/// Moments that tests write as texts.
enum Moment {
  /// Nanoseconds since 1970 of `2026-11-18T05:00:40Z`.
  static func nanoseconds(_ text: String) -> Int64 {
    guard let instant = Instant.iso8601(text, defaultOffsetSeconds: 0) else {
      preconditionFailure("no moment: \(text)")
    }
    return instant.nanoseconds
  }
}
