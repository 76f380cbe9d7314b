import Quotes

/// Moments that tests write as texts.
extension Instant {
  /// Returns the moment of `2026-11-18T05:00:40Z`.
  static func at(_ text: String) -> Instant {
    guard let instant = Instant.iso8601(text, defaultOffsetSeconds: 0) else {
      preconditionFailure("no moment: \(text)")
    }
    return instant
  }
}
