package import Quotes

extension Instant {
  /// Returns the moment of an ISO 8601 text, in UTC if it has no zone; 1970 for any other text.
  package static func utc(_ text: String) -> Instant { written(text, 0) }

  /// Returns the moment of an ISO 8601 text, in Korean time if it has no zone; 1970 for any other text.
  package static func seoul(_ text: String) -> Instant { written(text, 9 * 3600) }

  private static func written(_ text: String, _ offsetSeconds: Int) -> Instant {
    iso8601(text, defaultOffsetSeconds: offsetSeconds) ?? Instant(nanoseconds: 0)
  }
}
