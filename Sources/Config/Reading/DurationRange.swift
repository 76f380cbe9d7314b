import Quotes

/// The durations that make sense for a key. The bounds are wide: they only refuse what cannot be meant, such as a
/// request every 0 seconds.
struct DurationRange: Sendable {
  /// The bounds, as written in a config.
  let least: String
  let most: String

  /// The time between two requests of a live view.
  static let refresh = DurationRange(least: "100ms", most: "1d")
  /// The window of a rate limit.
  static let window = DurationRange(least: "1ms", most: "31d")
  /// The time limit of a run.
  static let timeout = DurationRange(least: "100ms", most: "1h")
  /// The age of a quote or a book.
  static let age = DurationRange(least: "100ms", most: "9999d")
  /// How long an answer is kept.
  static let keeping = DurationRange(least: "0s", most: "366d")
  /// The silence after which a connection is dropped.
  static let silence = DurationRange(least: "100ms", most: "1d")
  /// The time between two pings; a day for servers that want none.
  static let ping = DurationRange(least: "100ms", most: "1d")
  /// The time between two updates of a rate.
  static let update = DurationRange(least: "1s", most: "366d")

  func contains(_ milliseconds: Int) -> Bool {
    guard let least = DurationText.milliseconds(least), let most = DurationText.milliseconds(most) else { return false }
    return (least...most).contains(milliseconds)
  }

  /// Returns whether a text has the form of a duration, however long.
  static func isDuration(_ text: String) -> Bool {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    return !digits.isEmpty && ["ms", "s", "m", "h", "d"].contains(text.dropFirst(digits.count))
  }
}
